"""What viewers know of places they do not see, when pieces go from one such place to another."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.game import load
from gemwright.interpreter.information.knowledge import known

RULES = """\
language: 1
game: chests
players: 2
kinds:
  stone: {members: [agate, flint, beryl], count: 5}
zones:
  bank: {holds: stone}
  bag: {holds: stone, seen_by: nobody}
  purse: {holds: stone, per: player, seen_by: owner}
  chest: {holds: stone, per: player, seen_by: nobody}
state:
  first: player
setup: |
  move 3 of each stone to bank
  move 1 of each stone to bag
  DO
phases:
  start: only
  only: {by: first, actions: [act]}
actions:
  act: {do: end game}
result: {score: size of purse}
"""

FILLED = "move 2 agate from bank to purse[first]\nmove 1 flint from bank to purse[first]"


@pytest.mark.parametrize(
    ("done", "purse", "chest"),
    [
        (FILLED, (2, 1, 0), (0, 0, 0)),
        # the whole: everything that was known comes along
        (f"{FILLED}\nmove purse[first] to chest[first]", (0, 0, 0), (2, 1, 0)),
        (f"{FILLED}\nmove 3 random stone from purse[first] to chest[first]", (0, 0, 0), (2, 1, 0)),
        # the whole of what was known in part only
        (
            f"{FILLED}\nmove 1 random stone from bag to purse[first]\n"
            "move purse[first] to chest[first]",
            (0, 0, 0),
            (2, 1, 0),
        ),
        # a part: each kind may have gone
        (f"{FILLED}\nmove 1 random stone from purse[first] to chest[first]", (1, 0, 0), (0, 0, 0)),
        # what was known of the goal stays known
        (
            f"{FILLED}\nmove 2 beryl from bank to chest[first]\nmove purse[first] to chest[first]",
            (0, 0, 0),
            (2, 1, 2),
        ),
        # and back before everybody's eyes
        (
            f"{FILLED}\nmove purse[first] to chest[first]\nmove 1 agate from chest[first] to bank",
            (0, 0, 0),
            (1, 1, 0),
        ),
    ],
)
def test_what_is_known_goes_with_the_pieces(
    tmp_path: Path, done: str, purse: tuple[int, ...], chest: tuple[int, ...]
) -> None:
    path = tmp_path / "chests.gem.yaml"
    path.write_text(RULES.replace("DO", done.replace("\n", "\n  ")), encoding="utf-8")
    game = load(path)
    zones = {zone.name: zone.first for zone in game.model.zones}
    for seed in range(8):
        state = game.start(seed)
        for name, bounds in (("purse", purse), ("chest", chest)):
            found = known(state, 1, zones[name])
            assert tuple(found.values()) == bounds, name
            there = state._machine.places.counts(zones[name], state.block)
            assert all(low <= count for low, count in zip(bounds, there, strict=True))
