"""The examples of docs/scenarios.md run and pass."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent

import pytest

from gemwright.interpreter.scenario.files import run_scenarios

DATA = Path(__file__).parent / "data"
PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"
HEAD = "language: 1\nruleset: shelf\nscenarios:\n"


def examples() -> list[str]:
    blocks = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return [
        block if block.startswith("language") else HEAD + indent(block, "  ") for block in blocks
    ]


@pytest.mark.parametrize("text", examples())
def test_an_example_passes_and_exercises_its_clauses(text: str, tmp_path: Path) -> None:
    for name in ("shelf.gem.yaml", "shelf_clauses.csv"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    path = tmp_path / "shelf.test.yaml"
    path.write_text(text, encoding="utf-8")
    result = run_scenarios(path)
    problems = [*result.problems, *(each for one in result.results for each in one.problems)]
    assert result.results
    assert not problems


def test_there_are_examples() -> None:
    assert len(examples()) >= 4
