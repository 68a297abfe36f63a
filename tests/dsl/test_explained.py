"""The examples of `gemwright explain`: the bad one gives its finding, the good one gives none.

An example is laid over `tests/data/explain/base.gem.yaml` as an overlay is.
"""

import shutil
from pathlib import Path

import pytest

from gemwright.dsl.codes.proof import PROOF_CODES
from gemwright.dsl.codes.registry import CODES
from gemwright.dsl.codes.termination import TERMINATION_CODES
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import Game
from gemwright.validator.api import validate

BASE = Path(__file__).parents[1] / "data" / "explain"
HEAD = "language: 1\ngame: example\nextends: base\n"
VALIDATED = [info.code for info in (*PROOF_CODES, *TERMINATION_CODES)]
LOADED = [code for code in CODES if code[0] in "EGIK" and code not in VALIDATED]
# What R004 speaks of is found before play, as E017.
PLAYED = [code for code in CODES if code[0] == "R" and code != "R004"]


def laid_over(example: str, folder: Path) -> tuple[Ruleset | None, Reporter]:
    for file in BASE.iterdir():
        shutil.copy(file, folder)
    path = folder / "example.gem.yaml"
    path.write_text(HEAD + example, encoding="utf-8")
    reporter = Reporter()
    return open_ruleset(str(path), reporter), reporter


def codes_of(example: str, folder: Path) -> set[str]:
    """The codes of what loading says, at the smallest player count."""
    rules, reporter = laid_over(example, folder)
    if rules is not None:
        rules.instantiate(2, {}, reporter)
    return {found.code for found in reporter.diagnostics}


def test_the_base_is_clean(tmp_path: Path) -> None:
    assert codes_of("", tmp_path) == set()


@pytest.mark.parametrize("code", LOADED)
def test_an_example_shows_its_code_when_loaded(code: str, tmp_path: Path) -> None:
    assert codes_of(CODES[code].bad, tmp_path) == {code}
    assert codes_of(CODES[code].good, tmp_path) == set()


@pytest.mark.parametrize("code", PLAYED)
def test_an_example_shows_its_code_when_played(code: str, tmp_path: Path) -> None:
    assert code in problems_of(CODES[code].bad, tmp_path)
    assert problems_of(CODES[code].good, tmp_path) == set()


@pytest.mark.parametrize("code", VALIDATED)
def test_an_example_shows_its_code_when_validated(code: str, tmp_path: Path) -> None:
    for example, expected in ((CODES[code].bad, {code}), (CODES[code].good, set())):
        laid_over(example, tmp_path)
        (report,) = validate(tmp_path / "example.gem.yaml").files
        assert {finding.diagnostic.code for finding in report.findings} == expected


def problems_of(example: str, folder: Path) -> set[str]:
    """The codes that stop one of a few random games."""
    rules, reporter = laid_over(example, folder)
    assert rules is not None, reporter.diagnostics
    model = rules.instantiate(2, {}, reporter)
    assert model is not None, reporter.diagnostics
    game, found = Game(model, rules), set()
    for index in range(5):
        state, stream = game.start(0, index), Stream(0, index, 1)
        while not state.is_over:
            decision = state.pending[0]
            state.apply(decision.sample(stream), decision.player)
        if state.problem is not None:
            found.add(state.problem.code)
    return found


def test_pieces_of_numbers_are_counted_and_named(tmp_path: Path) -> None:
    example = "kinds:\n  stone: {members: 1..4, count: 9, plural: stones}\n"
    rules, reporter = laid_over(example, tmp_path)
    assert rules is not None, reporter.diagnostics
    model = rules.instantiate(2, {}, reporter)
    assert model is not None
    assert [face.count for face in model.faces if face.kind == "stone"] == [9, 9, 9, 9]
