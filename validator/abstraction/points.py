"""Abstract control points: a control point of the model with the values that are explicit there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.liveness import live_variables
from gemwright.validator.abstraction.transitions import Point, PointKind

Values = tuple[tuple[int, int], ...]
"""Pairs of an explicit variable and its value, by variable."""


@dataclass(frozen=True, slots=True)
class Node:
    """An abstract control point; `stage` counts the seats whose sealed picks are done, 0 elsewhere.
    Of the explicit variables only those that still matter have values."""

    point: int
    stage: int
    explicit: Values


class Nodes:
    """The abstract control points of one game with some explicit variables."""

    def __init__(self, game: m.Game, explicit: frozenset[int]) -> None:
        self._game = game
        live = live_variables(game)
        self._needed = {point: sorted(live[point] & explicit) for point in live}
        self._explicit = explicit
        self._endless = [
            (point.counter, point.origin)
            for point in game.points
            if isinstance(point, m.LoopTest) and point.endless and point.origin is not None
        ]

    def first(self) -> Node:
        """Where play starts."""
        start = {v: self._game.variables[v].start[0] for v in self._explicit}
        return next(iter(self.at(self._game.start, 0, start)))

    def at(self, point: int, stage: int, known: Mapping[int, int]) -> Iterator[Node]:
        """The nodes of a control point; explicit values that are not known may be any."""
        needed = self._needed[point]
        choices = [(known[v],) if v in known else self._every(v) for v in needed]
        for values in product(*choices):
            explicit = dict(zip(needed, values, strict=True))
            yield Node(point, stage, self._canonical(explicit))

    def of(self, block: Sequence[int]) -> Node:
        """The node at which a state block rests."""
        known = {v: block[self._game.variables[v].offset] for v in self._explicit}
        return next(iter(self.at(block[0], 0, known)))

    def described(self, node: Node) -> Point:
        """The node as a point of a transition system."""
        point = self._game.points[node.point]
        kind = PointKind.AUTO
        if node.point == self._game.start:
            kind = PointKind.START
        elif isinstance(point, m.End):
            kind = PointKind.END
        elif isinstance(point, m.Decide) and not node.stage:
            kind = PointKind.DECISION
        shown = [f"{self._game.variables[v].name}={self._shown(v, n)}" for v, n in node.explicit]
        if node.stage:
            shown.append(f"seat {node.stage}")
        name = point.phase or (point.reason if isinstance(point, m.End) else "setup")
        label = f"{name} @ {', '.join(shown)}" if shown else name
        return Point(kind, label, node.point, point.span)

    def _canonical(self, explicit: dict[int, int]) -> Values:
        """Where an endless loop began does not matter, only who is next."""
        for counter, origin in self._endless:
            if counter in explicit and origin in explicit:
                following = (explicit[origin] + explicit[counter]) % self._game.players
                explicit[origin], explicit[counter] = following, 0
        return tuple(sorted(explicit.items()))

    def _every(self, variable: int) -> Sequence[int]:
        kept = self._game.variables[variable]
        if kept.type.base is t.Base.PLAYER:
            return range(-1 if kept.type.optional else 0, self._game.players)
        if kept.type.base is t.Base.FACE:
            return kept.type.faces
        return range(kept.type.low, kept.type.high + 1)

    def _shown(self, variable: int, value: int) -> str:
        base = self._game.variables[variable].type.base
        if base is t.Base.PLAYER:
            return "nobody" if value < 0 else f"P{value + 1}"
        return self._game.faces[value].name if base is t.Base.FACE else str(value)
