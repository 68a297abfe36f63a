"""What the cells of an abstract system hold in a state of the game, read fast and often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final

from gemwright.dsl.model.game import Zone
from gemwright.interpreter.block import Block, Layout
from gemwright.interpreter.evaluation.evaluate import Evaluator, silent
from gemwright.interpreter.evaluation.places import Places
from gemwright.interpreter.evaluation.term_functions import Read
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.validator.abstraction.lowering import Lowered
from gemwright.validator.abstraction.points import Node
from gemwright.validator.plays.descent import Seen
from gemwright.validator.plays.symmetry import renamed_node

_SLOTS: Final = 64
"""Slots that closed terms bind are negative, and count from the end of the frame."""

Weights = tuple[tuple[int, int], ...]
"""Pairs of a cell and what a piece adds to it."""


class Readings:
    """Reads blocks of one game for one abstract system."""

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.model = lowered.vocabulary.game
        self._layout = Layout(self.model)
        self._evaluator = Evaluator(self._layout, Places(self._layout))
        self._cells = len(lowered.system.cells)
        added: dict[int, list[tuple[int, int]]] = {}
        self._listed: list[tuple[int, int, list[Weights]]] = []
        for offset, cell in lowered.vocabulary.numbers():
            added.setdefault(cell, []).append((offset, 1))
        for instance, zone in enumerate(self._layout.instance_zone):
            self._add_zone(instance, zone, added)
        self._sums = [(cell, _sum(parts)) for cell, parts in sorted(added.items())]
        self._conditions = [
            (cell, self._evaluator.function(term))
            for term, cell in lowered.vocabulary.condition_cells()
        ]
        self._places = {node: position for position, node in enumerate(lowered.places)}
        known = sorted(lowered.vocabulary.explicit)
        self._explicit = tuple(self.model.variables[variable].offset for variable in known)
        self._points: dict[tuple[int, ...], int | None] = {}
        self.turns = range(self.model.players if lowered.turned else 1)
        """So many renamings of seats may be needed."""

    # -- reading

    def seen(self, block: Block, turns: int = 0) -> Seen | None:
        """Where a block rests, after so many renamings of seats; None if the system has no point
        for it."""
        key = (block[0], turns, *(block[offset] for offset in self._explicit))
        if key not in self._points:
            self._points[key] = self._point(self.lowered.nodes.of(block), turns)
        point = self._points[key]
        return None if point is None else Seen(point, self.values(block, turns))

    def _point(self, node: Node, turns: int) -> int | None:
        for _ in range(turns):
            node = renamed_node(node, self.lowered.vocabulary)
        return self._places.get(node)

    def values(self, block: Block, turns: int = 0) -> tuple[int, ...]:
        """The values of all cells, after so many renamings of seats. A condition that cannot be
        asked (of the top of an empty stack, say) does not hold."""
        found = self._values(block)
        for _ in range(turns):
            before = list(found)
            for cell, value in zip(self.lowered.turned, before, strict=True):
                found[cell] = value
        return tuple(found)

    def _values(self, block: Block) -> list[int]:
        found = [0] * self._cells
        for cell, read in self._sums:
            found[cell] = read(block)
        for first, slots, weights in self._listed:
            for piece in block[first : first + slots]:
                for cell, weight in weights[piece]:
                    found[cell] += weight
        for cell, holds in self._conditions:
            found[cell] = self._asked(holds, block)
        return found

    def _asked(self, holds: Read, block: Block) -> int:
        try:
            return int(bool(holds(block, [0] * _SLOTS, silent)))
        except RuntimeProblem:
            return 0

    # -- made once

    def _add_zone(self, instance: int, zone: Zone, added: dict[int, list[tuple[int, int]]]) -> None:
        """Note how a zone instance is read: counts position by position, else piece by piece."""
        vocabulary, offset = self.lowered.vocabulary, self._layout.instance_offset[instance]
        here = [
            (cell, [weights[face] for face in zone.faces])
            for place, cell, weights in vocabulary.weighed()
            if vocabulary.place_of[instance] == place
        ]
        if zone.order == "counts":
            for cell, each in here:
                for position, weight in enumerate(each):
                    added.setdefault(cell, []).append((offset + position, weight))
        elif zone.order == "stack" and all(set(each) == {1} for _, each in here):
            for cell, _ in here:
                added.setdefault(cell, []).append((offset, 1))
        elif here:
            self._listed.append(_by_piece(offset, zone, here))


def _by_piece(
    offset: int, zone: Zone, here: Sequence[tuple[int, Sequence[int]]]
) -> tuple[int, int, list[Weights]]:
    """The pieces of a stack or row, one after the other; a piece is its face and one."""
    weights: list[Weights] = [()] * (max(zone.faces, default=0) + 2)
    for position, face in enumerate(zone.faces):
        weights[face + 1] = tuple((cell, each[position]) for cell, each in here if each[position])
    return (
        (offset + 1, zone.slots, weights)
        if zone.order == "stack"
        else (offset, zone.slots, weights)
    )


def _sum(parts: Sequence[tuple[int, int]]) -> Callable[[Block], int]:
    """A sum of positions of a block with weights."""
    parts = [(offset, weight) for offset, weight in parts if weight]
    if any(weight != 1 for _, weight in parts):
        return lambda block: sum(weight * block[offset] for offset, weight in parts)
    if len(parts) == 1:
        return itemgetter(parts[0][0])
    if not parts:
        return lambda block: 0
    several = itemgetter(*(offset for offset, _ in parts))
    return lambda block: sum(several(block))
