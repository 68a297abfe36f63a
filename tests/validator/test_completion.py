"""When somebody surely has something to choose: boxes of what lies in a zone, ranges of terms."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from gemwright.dsl.model import game as m
from gemwright.validator.abstraction.lowering import lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.linear.affine import Constraint
from gemwright.validator.rules.term_ranges import Box, holds, range_of
from tests.validator.small_games import model_of

TEXT = """\
language: 1
game: small
players: 2
kinds:
  stone: {members: [red, green, blue], count: 4}
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
define:
  left: count of stone s with bank[s] >= 1
setup: move every stone to bank
phases:
  start: turns
  turns:
    each: player as active, again and again
    decreases: size of bank
    actions: [take]
    otherwise: over
  over: {do: end game}
actions:
  take:
    choose: {lot: stones from bank}
    where: |
      WHERE
    do: move lot to my hand
result: {score: size of hand}
"""

DIFFERENT = "size of lot >= 1\n      no stone s has lot[s] >= 2\n      size of lot = min(2, left)"


def ways(folder: Path, where: str) -> set[tuple[Constraint, ...]]:
    """Conditions that suffice for the action."""
    system = lower(model_of(folder, TEXT.replace("WHERE", where)), Precision()).system
    edges = [edge for edge in system.edges if edge.label == "take"]
    assert edges
    return {way for edge in edges for way in edge.sufficient}


@pytest.mark.parametrize(
    ("where", "least"),
    [
        (DIFFERENT, 1),
        ("size of lot >= 1", 1),
        ("size of lot = 3", 3),
        ("size of lot <= 2", None),
        ("size of lot = 2 and some stone s has lot[s] = 2", -1),
    ],
    ids=["different", "any", "three", "nothing", "pair"],
)
def test_a_pick_is_sure_when_enough_lies_there(
    tmp_path: Path, where: str, least: int | None
) -> None:
    found = ways(tmp_path, where)
    if least is None:
        assert found == {()}
    elif least < 0:
        # A pair may be missing however many stones there are in sum.
        assert not found
    else:
        amounts = range(6)
        sure = [n for n in amounts if any(_all_hold(way, n) for way in found)]
        assert sure == [n for n in amounts if n >= least]


def _all_hold(way: tuple[Constraint, ...], amount: int) -> bool:
    """With so many pieces wherever a condition looks."""
    return all(row.holds(lambda _: amount) for row in way)


def test_ranges_hold_for_all_counts_in_a_box(tmp_path: Path) -> None:
    action = model_of(tmp_path, TEXT.replace("WHERE", DIFFERENT)).actions[0]
    parameter = action.parameters[0]
    assert isinstance(parameter.domain, m.LotDomain)
    source, faces = parameter.domain.sources[0], parameter.domain.faces
    counts = dict(zip(faces, ((0, 0), (1, 4), (0, 2)), strict=True))
    decided = set()
    for pick in product((0, 1), repeat=3):
        box = Box(source.zone, source.index, counts, {parameter.slot: pick})
        for line in action.where:
            low, high = range_of(line.condition, box)
            decided.add((low, high))
            for there in product(*(range(a, b + 1) for a, b in counts.values())):
                exact = {face: (n, n) for face, n in zip(faces, there, strict=True)}
                known = Box(source.zone, source.index, exact, {parameter.slot: pick})
                value = range_of(line.condition, known)
                assert value[0] == value[1] and low <= value[0] <= high
                assert holds(line.condition, known) is (value[0] == 1)
    assert decided == {(0, 0), (1, 1), (0, 1)}
