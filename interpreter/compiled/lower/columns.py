"""Which folds over zones are sums over columns, known at load: those are kept by `Memory`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import within
from gemwright.dsl.walkable.terms import bound_slots
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower.memory import Memory
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.problem import RuntimeProblem

_MOST: Final = 64
"""Sums that one fold may keep per zone instance."""

_PURE: Final = (
    t.Const,
    t.Local,
    t.Lookup,
    t.Table,
    t.VectorIndex,
    t.VectorSum,
    t.VectorOp,
    t.VectorCompare,
    t.Widen,
    t.Arithmetic,
    t.Extreme,
    t.If,
    t.Compare,
    t.And,
    t.Or,
    t.Not,
    t.Openly,
)
"""Terms that read no state themselves."""


@dataclass(frozen=True, slots=True)
class ColumnSum:
    """A fold as a sum over a column: rows of `weights` by the values of `parameters`.

    `lows` and `sizes` are the ranges of the parameters, the last one running fastest.
    """

    zone: m.Zone
    index: t.Term | None
    weights: tuple[tuple[int, ...], ...]
    parameters: tuple[Expr, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]


class Columns:
    """Finds column sums in the terms of one model."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._evaluator = Evaluator(memory.layout)

    def find(self, fold: t.Fold, scope: Scope) -> ColumnSum | None:
        """The fold as a column sum over a zone that is large, or None."""
        domain = fold.domain
        if not isinstance(domain, t.Pieces) or not isinstance(domain.vector, t.ZoneVector):
            return None
        zone = self._memory.model.zones[domain.vector.zone]
        if not self._memory.is_large(zone) or fold.op in ("max", "min"):
            return None
        slots = self._parameters(fold)
        if slots is None:
            return None
        parameters = []
        for slot in slots:
            bound = scope.get(slot)
            if not isinstance(bound, Expr):
                return None
            parameters.append(bound)
        sizes = tuple(each.high - each.low + 1 for each in parameters)
        if prod(sizes) > _MOST:
            return None
        lows = tuple(each.low for each in parameters)
        weights = self._weights(fold, domain, zone, slots, lows, sizes)
        if weights is None:
            return None
        return ColumnSum(zone, domain.vector.index, weights, tuple(parameters), lows, sizes)

    def _parameters(self, fold: t.Fold) -> list[int] | None:
        """The slots that body and filter read beside the piece; None if they read any state."""
        found: set[int] = set()
        for part in (fold.filter, fold.body):
            if part is None:
                continue
            bound = bound_slots(part) | {fold.slot}
            for each in within(part):
                if not isinstance(each, _PURE):
                    return None
                if isinstance(each, t.Local) and each.slot not in bound:
                    found.add(each.slot)
        return sorted(found)

    def _weights(
        self,
        fold: t.Fold,
        domain: t.Pieces,
        zone: m.Zone,
        slots: Sequence[int],
        lows: Sequence[int],
        sizes: Sequence[int],
    ) -> tuple[tuple[int, ...], ...] | None:
        """The weight of each face of the zone, for each combination of parameters."""
        rows = []
        for values in product(*[range(low, low + n) for low, n in zip(lows, sizes, strict=True)]):
            frame = self._memory.layout.frame()
            for slot, value in zip(slots, values, strict=True):
                frame[slot] = value
            try:
                rows.append(tuple([
                    self._weight(fold, frame, face) if face in domain.faces else 0
                    for face in zone.faces
                ]))  # fmt: skip
            except RuntimeProblem:
                return None
        return tuple(rows)

    def _weight(self, fold: t.Fold, frame: list[int], face: int) -> int:
        frame[fold.slot] = face
        value = self._evaluator.value
        if fold.filter is not None and not value(fold.filter, [], frame):
            return 0
        if fold.op == "every":
            return int(fold.body is not None and not value(fold.body, [], frame))
        body = 1 if fold.body is None else int(value(fold.body, [], frame))
        return body if fold.op == "sum" else int(bool(body))
