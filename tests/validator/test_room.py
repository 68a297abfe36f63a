"""Room is asked for wherever something comes to a hand, though all hands are counted together."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.validator.api import validate
from gemwright.validator.findings import ValidationReport
from gemwright.validator.report import as_text

STONES = 12
HANDS = f"""\
language: 1
game: hands
players: 2
kinds:
  stone: {{members: [red, blue], count: {STONES // 2}}}
zones:
  heap: {{holds: stone}}
  hand: {{holds: stone, per: player, limit: LIMIT}}
setup: move every stone to heap
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    otherwise: over
    decreases: size of heap
  over: {{do: end game}}
actions:
  take:
    choose: {{lot: stones from heap}}
    where: |
      size of lot = 2
      GUARD
    do: |
      FIRST
      move lot to my hand
      MORE
result:
  score: size of hand
  winner:
    - highest size of hand
"""
WITHOUT_RED = "size of my hand - my hand[red] + size of lot <= 5"
AWAY_FIRST = "move every red from my hand to heap"
ALL_IS_WELL = "every number stays in its range, and what a sentence takes is always there"


@pytest.mark.parametrize(
    ("limit", "guard", "more", "shown"),
    [
        (STONES - 1, "", "", False),
        (STONES, "", "", True),
        (5, "size of my hand + size of lot <= 5", "", True),
        (5, "size of my hand + size of lot <= 6", "", False),
        (5, "size of hand[left of me] + size of lot <= 5", "", False),
        # What was asked of the hand before something came to it tells nothing of it afterwards.
        (5, "size of my hand + size of lot <= 5", "move every red from heap to my hand", False),
        (5, WITHOUT_RED, "", False),
        (5, WITHOUT_RED, AWAY_FIRST, True),
        (4, WITHOUT_RED, AWAY_FIRST, False),
        (STONES, "", "move every red from hand[left of me] to my hand", True),
        (STONES - 1, "", "move every red from hand[left of me] to my hand", False),
    ],
)
def test_room_in_hands(tmp_path: Path, limit: int, guard: str, more: str, shown: bool) -> None:
    first, last = (more, "") if more == AWAY_FIRST else ("", more)
    text = HANDS.replace("LIMIT", str(limit)).replace("GUARD", guard)
    text = text.replace("FIRST", first).replace("MORE", last)
    path = tmp_path / "hands.gem.yaml"
    path.write_text(text, "utf-8")
    (report,) = validate(path, players=2).files
    (verdict,) = report.verdicts
    wanted = [] if shown else [f"hand holds at most {limit}"]
    assert sorted({each.text for each in verdict.open_needs}) == wanted
    assert (ALL_IS_WELL in as_text(ValidationReport((report,)))) is shown
