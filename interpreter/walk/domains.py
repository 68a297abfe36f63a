"""What can be picked for each parameter at a decision, before any condition is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.moves import WalkValue
from gemwright.interpreter.walk.passes import Domains, Vector


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of a walk:

    a parameter, and for a lot its cell, kind and coordinate in that kind.
    """

    parameter: int
    cell: int = -1
    kind: int = -1
    coordinate: int = 0


class Shape:
    """How the walk of an action meets its kinds.

    Attributes:
        places: one per entry of the walk.
        cells: per kind the (parameter, cell) of each coordinate.
        lots_of: per kind the lot of each coordinate, numbered among the lots of the action.
        singles: the parameters that are single picks, in order.
        leading: the number of single picks before the first lot.
        trailing: whether a single pick comes after a lot.
        tail: from this entry on the walk goes kind by kind in the order of the kinds.
    """

    __slots__ = (
        "cells",
        "leading",
        "lots_of",
        "parameters",
        "places",
        "singles",
        "tail",
        "trailing",
        "width",
    )

    def __init__(self, action: m.Action, kinds: Sequence[int]) -> None:
        self.parameters = action.parameters
        number = {face: kind for kind, face in enumerate(kinds)}
        self.cells: list[list[tuple[int, int]]] = [[] for _ in kinds]
        self.places: list[Place] = []
        lots = 0
        self.lots_of: list[list[int]] = [[] for _ in kinds]
        for at, parameter in enumerate(action.parameters):
            if not isinstance(parameter.domain, m.LotDomain):
                self.places.append(Place(at))
                continue
            for cell, each in enumerate(parameter.domain.cells):
                kind = number[each.face]
                self.places.append(Place(at, cell, kind, len(self.cells[kind])))
                self.cells[kind].append((at, cell))
                self.lots_of[kind].append(lots)
            lots += 1
        self.width = len(self.places)
        self.singles = [place.parameter for place in self.places if place.cell < 0]
        self.leading = next(
            (at for at, place in enumerate(self.places) if place.cell >= 0), self.width
        )
        self.trailing = any(place.cell < 0 for place in self.places[self.leading :])
        self.tail = self._tail()

    def _tail(self) -> int:
        """The first entry from which kinds rise strictly and only lots follow."""
        tail = self.width
        while tail > self.leading:
            place = self.places[tail - 1]
            after = self.places[tail].kind if tail < self.width else len(self.cells)
            if place.cell < 0 or place.kind >= after:
                break
            tail -= 1
        return tail

    def fixed(self, prefix: Sequence[WalkValue]) -> list[dict[int, int]]:
        """Per kind the coordinates that a prefix has picked."""
        found: list[dict[int, int]] = [{} for _ in self.cells]
        for place, value in zip(self.places, prefix, strict=False):
            if place.cell >= 0 and isinstance(value, int):
                found[place.kind][place.coordinate] = value
        return found

    def flat(
        self, singles: dict[int, WalkValue], vectors: Sequence[Vector]
    ) -> tuple[WalkValue, ...]:
        """The walk of single picks by parameter and a vector per kind."""
        return tuple(
            singles[place.parameter] if place.cell < 0 else vectors[place.kind][place.coordinate]
            for place in self.places
        )


Taken = Mapping[tuple[int, int], int]
"""Pieces that other picks of the same move take: how many of (zone instance, face)."""


NONE: Final[Taken] = MappingProxyType({})


def taken_by(picked: Iterable[WalkValue]) -> dict[tuple[int, int], int]:
    """What picked pieces take; other entries of a walk take nothing by themselves."""
    taken: dict[tuple[int, int], int] = {}
    for value in picked:
        if isinstance(value, tuple):
            taken[value] = taken.get(value, 0) + 1
    return taken


class Choices:
    """Reads domains in a block. What one pick takes, another cannot take as well."""

    __slots__ = ("_zones", "evaluator")

    def __init__(self, model: m.Game, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._zones = {zone.id: zone for zone in model.zones}

    def single(
        self, parameter: m.Parameter, block: Block, frame: Frame, taken: Taken = NONE
    ) -> list[WalkValue]:
        """The values of a single pick, in order."""
        domain = parameter.domain
        if isinstance(domain, m.ValueDomain):
            return list(self.evaluator.elements(domain.domain, block, frame))
        assert isinstance(domain, m.PieceDomain)
        named: set[int] = set()
        for source in domain.sources:
            zone = self._zones[source.zone]
            if source.index is None:
                named |= set(range(zone.first, zone.first + zone.size))
            else:
                named.add(self.evaluator.instance(source.zone, source.index, block, frame))
        there = {at: self._counts(at, block) for at in named}
        return [
            each
            for each in domain.options
            if each[0] in named and there[each[0]][each[1]] > taken.get(each, 0)
        ]

    def available(
        self, domain: m.LotDomain, block: Block, frame: Frame, taken: Taken = NONE
    ) -> list[tuple[tuple[int, int], int]]:
        """Per cell of a lot where its pieces lie, (zone instance, face), and how many are left."""
        instance = self.evaluator.instance
        sources = [instance(each.zone, each.index, block, frame) for each in domain.sources]
        counts = {at: self._counts(at, block) for at in dict.fromkeys(sources)}
        found = []
        for cell in domain.cells:
            where = (sources[cell.source], cell.face)
            left = counts[where[0]].get(cell.face, 0) - taken.get(where, 0)
            found.append((where, max(left, 0)))
        return found

    def _counts(self, instance: int, block: Block) -> dict[int, int]:
        """The pieces that lie in a zone, by face."""
        faces = self.evaluator.layout.instance_zone[instance].faces
        return dict(zip(faces, self.evaluator.places.counts(instance, block), strict=True))

    def vectors(self, shape: Shape, block: Block, frame: Frame, taken: Taken = NONE) -> Domains:
        """Per kind the vectors that may be picked; cells that share pieces share them."""
        there: dict[tuple[int, int], tuple[tuple[int, int], int]] = {}
        for at, parameter in enumerate(shape.parameters):
            if isinstance(parameter.domain, m.LotDomain):
                for cell, found in enumerate(self.available(parameter.domain, block, frame, taken)):
                    there[at, cell] = found
        return [_box([there[cell] for cell in cells]) for cells in shape.cells]


def _box(cells: Sequence[tuple[tuple[int, int], int]]) -> list[Vector]:
    if len(cells) == 1:
        return [(count,) for count in range(cells[0][1] + 1)]
    shared: dict[tuple[int, int], list[int]] = {}
    for at, (where, _) in enumerate(cells):
        shared.setdefault(where, []).append(at)
    limits = [(cells[places[0]][1], places) for places in shared.values() if len(places) > 1]
    vectors = product(*[range(count + 1) for _, count in cells])
    if not limits:
        return list(vectors)
    return [
        vector
        for vector in vectors
        if all(sum(vector[at] for at in places) <= most for most, places in limits)
    ]
