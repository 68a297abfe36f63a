"""Picks of one move that come from the same zone take different pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from gemwright.dsl.model import game as m
from gemwright.interpreter.game import load
from gemwright.interpreter.moves import Move, flat_values
from gemwright.interpreter.state import State

RULES = """\
language: 1
game: shared
players: 2
kinds:
  stone: {members: [red, green, blue], count: 6}
zones:
  hand: {holds: stone, per: player}
  shelf: {holds: stone}
  row: {holds: stone, order: row of 3}
  out: {holds: stone}
setup: |
  move HAND to hand[seat(1)]
  move SHELF to shelf
  move 1 red to row
  move 1 blue to row
  move 1 red to row
phases:
  start: only
  only: {by: seat(1), actions: [act]}
actions:
  act:
    choose:
      CHOOSE
    where: |
      WHERE
    do: |
      DO
result: {score: size of hand}
"""


CASES = {
    "two pieces": ("x: stone from my hand\ny: stone from my hand", "true"),
    "three pieces": (
        "x: stone from my hand\ny: stone from shelf or my hand\nz: stone from my hand", "x is red",
    ),
    "a piece before a lot": ("x: stone from my hand\nlot: stones from my hand", "size of lot <= 2"),
    "a piece after a lot": (
        "lot: stones from my hand\nx: stone from my hand", "lot[red] >= 1 and x is not blue",
    ),
    "pieces around a lot": (
        "x: stone from shelf\nlot: stones from shelf or my hand\ny: stone from my hand",
        "size of lot = 2\ny is not x",
    ),
    "two lots and a piece": (
        "a: stones from my hand\nb: stones from my hand\nx: stone from my hand",
        "size of a >= 1\nsize of b >= 1\na[red] <= b[red]",
    ),
    "a piece and a listed lot": (
        "x: stone from my hand\nlot: stones from my hand",
        "size of lot * lot[red] + lot[green] * lot[green] >= 2",
    ),
    "places of a row": ("x: stone from row\ny: stone from row\nz: stone from row", "x is red"),
    "a row and a lot of it": ("lot: stones from row\nx: stone from row", "size of lot >= 1"),
}  # fmt: skip
LAID = [("{2 red, 1 green}", "{1 red}"), ("{1 red, 1 green, 1 blue}", "{2 green}"),
        ("{3 red}", "{1 blue}"), ("{1 blue}", "{1 red}")]  # fmt: skip


def started(folder: Path, choose: str, where: str, hand: str, shelf: str) -> State:
    names = [line.split(":")[0] for line in choose.split("\n")]
    text = RULES.replace("HAND", f"{hand} from box").replace("SHELF", f"{shelf} from box")
    moved = "\n".join(f"move {name} to out" for name in names)
    for key, value in (("CHOOSE", choose), ("WHERE", where), ("DO", moved)):
        text = text.replace(key, value.replace("\n", "\n      "))
    path = folder / "shared.gem.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path).start(seed=1)


def brute(state: State) -> Iterator[Move]:
    """All picks that take no piece twice, whatever `where` says of them."""
    action = state.model.actions[0]
    held = {
        (zone.first + at, face): count
        for zone in state.model.zones
        for at in range(zone.size)
        for face, count in Counter(pieces(state, zone, at)).items()
    }
    sources = [[instance(state, source) for source in p.domain.sources] for p in action.parameters]
    choices = [
        list(product(*[range(7) for _ in p.domain.cells]))
        if isinstance(p.domain, m.LotDomain)
        else [each for each in held if each[0] in here]
        for p, here in zip(action.parameters, sources, strict=True)
    ]
    for values in product(*choices):
        taken: Counter[tuple[int, int]] = Counter()
        for parameter, here, value in zip(action.parameters, sources, values, strict=True):
            if isinstance(parameter.domain, m.LotDomain):
                for cell, count in zip(parameter.domain.cells, value, strict=True):
                    taken[here[cell.source], cell.face] += count
            else:
                taken[value] += 1
        if all(count <= held.get(where, 0) for where, count in taken.items()):
            yield Move("act", values)


def pieces(state: State, zone: m.Zone, at: int) -> list[int]:
    first = zone.offset + at * zone.stride
    cells = state.block[first : first + zone.stride]
    if zone.order == "row":
        return [cell - 1 for cell in cells if cell]
    return [face for face, count in zip(zone.faces, cells, strict=True) for _ in range(count)]


def instance(state: State, source: m.Source) -> int:
    return state.model.zones[source.zone].first  # the first player picks


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("hand", "shelf"), LAID)
def test_every_offered_pick_can_be_done(tmp_path: Path, name: str, hand: str, shelf: str) -> None:
    state = started(tmp_path, *CASES[name], hand, shelf)
    possible = {move.values: move for move in brute(state)}
    decision = state.pending[0] if state.pending else None
    offered = list(decision.moves()) if decision is not None else []
    assert len({move.values for move in offered}) == len(offered)
    assert {move.values for move in offered} <= set(possible)
    for move in offered:
        after = state.clone()
        after.apply(move)
        assert after.problem is None
    if decision is None:
        return
    assert decision.count() == len(offered)
    for number, move in enumerate(offered):
        assert decision.nth(number) == move
    legal = {move.values for move in possible.values() if decision.check(move) is None}
    assert legal == {move.values for move in offered}
    action = state.model.actions[0]
    walks = [flat_values(action, move.values) for move in offered]
    for flat in walks:
        for at in range(len(flat)):
            options = [option.step for option in decision.options(("act", *flat[:at]))]
            assert options == list(dict.fromkeys(w[at] for w in walks if w[:at] == flat[:at]))


def test_what_is_taken_already_is_the_reason(tmp_path: Path) -> None:
    state = started(tmp_path, *CASES["two pieces"], "{1 red, 1 green}", "{1 red}")
    decision = state.pending[0]
    red = decision.options(("act",))[0].step
    refusal = decision.explain(("act", red), red)
    assert refusal is not None and refusal.kind == "domain"
    assert isinstance(red, tuple)
    refusal = decision.check(Move("act", (red, red)))
    assert refusal is not None and "no such piece" in refusal.message
