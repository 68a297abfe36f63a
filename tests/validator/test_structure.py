"""What the phase graph alone tells, and what random games tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.validator.graph.structure import check_structure
from gemwright.validator.trying import try_games
from tests.validator.small_games import model_of

TEXT = """\
language: 1
game: small
players: 2
kinds:
  stone: {members: [red], count: 6}
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
state:
  taken: 0..9
setup: move every stone to bank
phases:
  start: turns
  turns:
    each: player as active
    actions: [take]
    cap: {times: 9, to: end}
    next: |
      to over when bank is empty
      to turns
  over: {do: end game}
EXTRA
actions:
  take:
    where: WHERE
    do: |
      move 1 red from bank to my hand
      taken += 1
result: {score: size of hand}
"""


def text(where: str = "bank is not empty", extra: str = "") -> str:
    """The rules with a condition of their action and more phases."""
    return TEXT.replace("WHERE", where).replace("EXTRA", extra)


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        (text(), []),
        (text(extra="  aside: {do: taken := 0, next: over}"), ["G002"]),
        (
            text()
            .replace("to over when bank is empty", "to loop when bank is empty")
            .replace(
                "  over: {do: end game}",
                "  loop: {do: taken := 0, next: loop, decreases: taken}\n  over: {do: end game}",
            ),
            ["G004", "G002"],
        ),
        (text(where="size of bank >= 7 and 1 = 2"), ["D002"]),
    ],
    ids=["clean", "out of reach", "trap", "never legal"],
)
def test_findings_of_the_graph(tmp_path: Path, rules: str, codes: list[str]) -> None:
    reporter = Reporter()
    check_structure(model_of(tmp_path, rules), reporter)
    assert [each.code for each in reporter.diagnostics] == codes


def test_random_games_tell_what_breaks(tmp_path: Path) -> None:
    assert try_games(model_of(tmp_path, text()), "proved").findings == ()
    stuck = try_games(model_of(tmp_path, text("size of bank >= 3")), "unknown")
    assert stuck.stuck and stuck.findings
    beyond = try_games(model_of(tmp_path, text().replace("taken: 0..9", "taken: 0..2")), "unknown")
    assert not beyond.stuck and beyond.findings


@pytest.mark.parametrize(
    ("where", "stuck"),
    [
        ("luck < 25 or taken < 3", True),  # one game of twenty-five stops early
        ("size of bank >= 3", True),  # every game stops, after more moves than a few are given
        ("bank is not empty", False),
    ],
)
def test_dead_ends_far_from_the_start_or_seldom_met(
    tmp_path: Path, where: str, stuck: bool
) -> None:
    rules = text(where).replace("9", "150").replace("count: 6", "count: 150")
    rules = rules.replace("  taken: 0", "  luck: 0..25\n  taken: 0")
    rules = rules.replace(
        "setup: move every stone to bank",
        "setup: |\n  move every stone to bank\n  luck := random number in 1..25",
    )
    model = model_of(tmp_path, rules)
    assert try_games(model, "proved").findings == ()
    tried = try_games(model, "proved", "unknown")
    assert tried.stuck == stuck
    assert [each.code for each, _ in tried.findings] == (["D001"] if stuck else [])
    assert try_games(model, "proved", needs_open=True).findings == tried.findings
