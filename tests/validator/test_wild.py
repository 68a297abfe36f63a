"""Bundled rules changed at random are never said to be better than play shows; `tests/wild.py`
does more of it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.game import Game
from gemwright.validator.api import Verdict, validate

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.catalogue import CLEAN, ERRORS
from tests.wild import KINDS, Claims, Wilderness, changes, compare, main, numbered

# Small enough for the gate; the others are for the command.
RULESETS = ("lantern_market", "grand_bazaar")


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Wilderness]:
    return {name: Wilderness(name, tmp_path_factory.mktemp("wild")) for name in RULESETS}


@given(
    name=st.sampled_from(RULESETS),
    picks=st.lists(
        st.tuples(st.sampled_from(KINDS), st.integers(0, 9_999)), min_size=1, max_size=3
    ),
)
@example(name="lantern_market", picks=[])
@example(name="grand_bazaar", picks=numbered(4))  # a kind without any pieces
@settings(max_examples=16, derandomize=True, deadline=None, database=None)
def test_no_proof_of_a_mutant_is_contradicted_by_play(
    wild: dict[str, Wilderness], name: str, picks: list[tuple[str, int]]
) -> None:
    place = wild[name]
    told = place.tell(place.mutant(picks), games=2)
    assert told.fate in ("refused", "proved", "refuted", "unknown")
    assert picks or told.fate == "proved"


def test_every_kind_of_change_can_be_made(wild: dict[str, Wilderness]) -> None:
    for kind in KINDS:
        possible = [(place, each) for place in wild.values() for each in changes(place.text, kind)]
        assert len(possible) >= 8, kind
        for place, each in possible:
            assert each.instead != place.text[each.start : each.end] or kind == "edge"


def test_the_command_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = tmp_path / "wild.json"
    for most in ("1", "2", "2"):
        assert main(["--mutants", most, "--progress", str(progress), "lantern_market"]) == 0
    assert json.loads(progress.read_text("utf-8"))["lantern_market"]["mutants"] == 2
    assert "mutants 2" in capsys.readouterr().out
    assert numbered(7) == numbered(7) != numbered(8)


# -- a contradiction is noticed


def told_of(path: Path, players: int) -> tuple[Game, Verdict]:
    rules = open_ruleset(str(path), Reporter())
    assert rules is not None
    model = rules.instantiate(players, {}, Reporter())
    assert model is not None
    (report,) = validate(path, players=players, options={}).files
    return Game(model, rules), report.verdicts[0]


def test_a_loop_is_noticed() -> None:
    game, verdict = told_of(ERRORS / "T002" / "all_pass.gem.yaml", 2)
    compare(game, verdict, 0)
    with pytest.raises(Claims, match="came again"):
        compare(game, replace(verdict, termination="proved"), 0)


def test_more_moves_than_proved_are_noticed() -> None:
    game, verdict = told_of(CLEAN / "stall.gem.yaml", 2)
    compare(game, verdict, 0)
    with pytest.raises(Claims, match="were the most"):
        compare(game, replace(verdict, moves=1), 0)


def test_a_stuck_player_is_noticed() -> None:
    game, verdict = told_of(ERRORS / "D001" / "pass_removed.gem.yaml", 3)
    assert compare(game, verdict, 0) == "R006"
    with pytest.raises(Claims, match="nothing to choose"):
        compare(game, replace(verdict, deadlock_free="proved"), 0)


def test_a_sentence_that_breaks_is_noticed() -> None:
    game, verdict = told_of(ERRORS / "C003" / "pays_unasked.gem.yaml", 2)
    assert compare(game, verdict, 0) == "R002"
    with pytest.raises(Claims, match="possible always"):
        compare(game, replace(verdict, open_needs=()), 0)
