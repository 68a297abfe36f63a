"""Carrying pieces from one zone instance to another: what all moving sentences have in common.

A `Carrier` serves one run of the machine. It takes, puts, shuffles and refills, and says so in
events.
"""

from __future__ import annotations

from typing import NamedTuple

from gemwright.dsl.model.game import Zone
from gemwright.interpreter.block import Block, Layout
from gemwright.interpreter.chance import Chance
from gemwright.interpreter.evaluation.places import Places
from gemwright.interpreter.events import Event, Moved, Pieces, Shuffled


class Goal(NamedTuple):
    """Where pieces go, evaluated before any of them moves.

    `at` is '' for an unordered zone or a row, else 'top', 'bottom' or 'random', which is among the
    bottom `among`.
    """

    instance: int
    at: str
    among: int


class Carrier:
    """Moves pieces in one block."""

    __slots__ = ("_block", "_chance", "_events", "_layout", "_left", "_places")

    def __init__(
        self, layout: Layout, places: Places, block: Block, events: list[Event], chance: Chance
    ) -> None:
        self._layout = layout
        self._places = places
        self._block = block
        self._events = events
        self._chance = chance
        self._left: list[int] = []

    def carry(self, source: int, pieces: list[tuple[int, int]], goal: Goal) -> None:
        """Take (face, count) pieces out, all of them, then put them in one after another."""
        for face, count in pieces:
            self._places.take(source, face, count, self._block)
        for face, count in pieces:
            self.put(face, count, goal)
        self.moved(source, pieces, goal, "")

    def put(self, face: int, count: int, goal: Goal) -> None:
        """Put pieces that were taken out where they go."""
        if goal.at != "random":
            at = 0 if goal.at == "bottom" else None
            self._places.put(goal.instance, face, count, self._block, at)
            return
        for _ in range(count):
            places = min(goal.among, self._places.size(goal.instance, self._block) + 1)
            at = self._chance.place(goal.instance, places)
            self._places.put(goal.instance, face, 1, self._block, at)

    def moved(self, source: int, pieces: list[tuple[int, int]], goal: Goal, end: str) -> None:
        """Say that pieces went from a source (an `end` of it) to a goal."""
        faces = runs(pieces)
        if faces:
            self._left.append(source)
            emptied = not self._places.size(source, self._block)
            event = Moved(source, goal.instance, faces, end, goal.at, emptied=emptied)
            self._events.append(event)

    def finish(self, shuffled: bool, goal: Goal) -> None:
        """End a moving sentence: shuffle the goal if it says so, refill rows that it took from."""
        if shuffled:
            self.shuffle(goal.instance)
        for instance in sorted(set(self._left)):
            zone = self._layout.instance_zone[instance]
            if zone.refill is not None:
                self._refill(zone, instance, self._layout.model.zones[zone.refill])
        self._left.clear()

    def _refill(self, zone: Zone, instance: int, family: Zone) -> None:
        """Fill the gaps of a row from the top of a stack, left to right, while there are pieces."""
        source = family.first
        if family.index and family.index == zone.index:
            source += instance - zone.first
        pieces = []
        for gap in self._places.gaps(instance, self._block):
            if not self._places.size(source, self._block):
                break
            face = self._places.take_end(source, "top", self._block)
            self._block[gap] = face + 1
            pieces.append((face, 1))
        if pieces:
            emptied = not self._places.size(source, self._block)
            event = Moved(source, instance, runs(pieces), "top", "", True, emptied)
            self._events.append(event)

    def shuffle(self, instance: int) -> None:
        """Shuffle a stack: chance orders its pieces, which it is given in the order of faces."""
        pieces: list[int] = []
        counts = self._places.counts(instance, self._block)
        for face, count in zip(self._layout.instance_zone[instance].faces, counts, strict=True):
            pieces.extend([face] * count)
        self._places.arrange(instance, self._chance.shuffle(instance, pieces), self._block)
        self._events.append(Shuffled(instance))


def runs(pieces: list[tuple[int, int]]) -> Pieces:
    """Pieces in order, equal neighbours counted together, nothing where none moved."""
    found: list[tuple[int, int]] = []
    for face, count in pieces:
        if found and found[-1][0] == face:
            found[-1] = (face, found[-1][1] + count)
        elif count:
            found.append((face, count))
    return tuple(found)
