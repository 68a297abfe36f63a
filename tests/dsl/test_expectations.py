"""Which expectation holds for a game: by player count and options, the first that fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model.game import Game
from gemwright.dsl.ruleset import open_ruleset

RULES = """\
language: 1
game: to_and_fro
players: 2..4
options:
  returns: {values: [true, false]}
  most: {values: [3], range: 1..9}
kinds:
  stone: {members: [red], count: 9}
zones:
  pile: {holds: stone}
phases:
  start: only
  only: {do: end game}
result:
  score: size of pile
expect:
"""
LISTED = """\
  - {id: terminates, options: {returns: false}, expect: proved, because: it shrinks}
  - {id: terminates, options: {most: 7}, players: 2, expect: proved}
  - {id: conserved, players: [2, 4], expect: proved}
  - {id: terminates, players: [2, 3], expect: refuted, because: to and fro}
"""


def game(folder: Path, listed: str, players: int, **options: int | str | bool) -> Game | Reporter:
    path = folder / "to_and_fro.gem.yaml"
    path.write_text(RULES + listed, encoding="utf-8")
    reporter = Reporter()
    ruleset = open_ruleset(str(path), reporter)
    made = None if ruleset is None else ruleset.instantiate(players, options, reporter)
    return reporter if made is None else made


@pytest.mark.parametrize(
    ("players", "options", "expected"),
    [
        (2, {}, {"terminates": "refuted", "conserved": "proved"}),
        (3, {}, {"terminates": "refuted"}),
        (4, {}, {"conserved": "proved"}),
        (3, {"returns": False}, {"terminates": "proved"}),
        (2, {"most": 7}, {"terminates": "proved", "conserved": "proved"}),
        (3, {"most": 7}, {"terminates": "refuted"}),
        (4, {"most": 7, "returns": False}, {"terminates": "proved", "conserved": "proved"}),
    ],
)
def test_the_first_that_fits_holds(
    tmp_path: Path,
    players: int,
    options: dict[str, int | bool],
    expected: dict[str, str],
) -> None:
    made = game(tmp_path, LISTED, players, **options)
    assert isinstance(made, Game)
    assert {each.id: each.expect for each in made.expectations} == expected


@pytest.mark.parametrize(
    ("options", "code", "text"),
    [
        ("{retuns: false}", "O003", "no option `retuns`"),
        ("{returns: maybe}", "O004", "`returns` cannot be maybe"),
        ("{returns: 1}", "O004", "its values are true, false"),
        ("{most: 10}", "O004", "3 (or 1..9)"),
    ],
)
def test_what_no_game_has_is_found_at_any_player_count(
    tmp_path: Path, options: str, code: str, text: str
) -> None:
    listed = f"  - {{id: terminates, options: {options}, players: 4, expect: proved}}\n"
    found = game(tmp_path, listed, 2)
    assert isinstance(found, Reporter)
    (only,) = found.diagnostics
    assert only.code == code
    assert text in f"{only.message} {only.help}"


@pytest.mark.parametrize(
    ("id", "meant"), [("terminate", "terminates"), ("always-a-move", "always_a_move"), ("fun", "")]
)
def test_what_nobody_can_prove_cannot_be_expected(tmp_path: Path, id: str, meant: str) -> None:
    found = game(tmp_path, f"  - {{id: {id}, expect: proved}}\n", 2)
    assert isinstance(found, Reporter)
    (only,) = found.diagnostics
    assert only.code == "S002" and "`always_a_move`" in only.message
    assert only.help == (f"did you mean `{meant}`?" if meant else "")
