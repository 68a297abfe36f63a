"""Every marked element of the bundled rulesets is held by a scenario of each of its clauses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemwright.dsl.model.game import Element

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.mutants import Bench

ROOT = Path(__file__).parents[1] / "rulesets"
SAMPLE = Path(__file__).parent / "scenario" / "data" / "shelf.gem.yaml"


def rulesets() -> list[str]:
    """The bundled rulesets and variants that have scenarios."""
    tests = [*ROOT.glob("*/*.test.yaml"), *ROOT.glob("*/variants/*.test.yaml")]
    found = [path.with_name(path.name.replace(".test.", ".gem.")) for path in sorted(tests)]
    return [str(path) for path in found if path.is_file()]


@pytest.fixture(scope="module", params=rulesets(), ids=lambda path: Path(path).name.split(".")[0])
def bench(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Bench]:
    yield Bench(request.param, tmp_path_factory.mktemp("mutants"))


def test_every_marked_element_is_held(bench: Bench) -> None:
    missed = []
    for element in bench.elements():
        missed += problems(bench, element)
    assert not missed, "\n".join(missed)


def problems(bench: Bench, element: Element) -> list[str]:
    fate = bench.fate(element)
    where = f"{element.span.path}:{element.span.line} {element.name}"
    return [f"{where}: no scenario of {clause} notices a mutant" for clause in fate.survived]


def test_the_sample_shows_kills_and_survivors(tmp_path: Path) -> None:
    bench = Bench(str(SAMPLE), tmp_path)
    fates = {element.clauses[0]: bench.fate(element) for element in bench.elements()}
    assert fates["T-3"].killers["T-3"][1] == "taking from the shelf"
    assert fates["T-6"].killers["T-6"][1] == "hands are hidden"
    assert [clause for clause, fate in fates.items() if fate.survived] == ["T-1"]
