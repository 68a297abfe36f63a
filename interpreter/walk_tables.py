"""Tables of one decision: what a term at one kind is for each vector that may be picked there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gemwright.dsl.terms import Local, Term
from gemwright.dsl.walkable_forms import LotPlan
from gemwright.dsl.walkable_terms import mentions
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluate import Evaluator
from gemwright.interpreter.passes import Domains


class Uses:
    """Which lots the local terms of plans read; worked out once per term and kept."""

    __slots__ = ("_kept", "_terms")

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], tuple[int, ...]] = {}
        self._terms: list[tuple[LotPlan, Term]] = []

    def of(self, plan: LotPlan, term: Term) -> tuple[int, ...]:
        """The positions in `plan.lots` of the lots that a term reads."""
        key = (id(plan), id(term))
        found = self._kept.get(key)
        if found is None:
            lots = enumerate(plan.lots)
            found = tuple(at for at, lot in lots if mentions(term, (lot.cell_slot,)))
            self._kept[key] = found
            self._terms.append((plan, term))  # keeps both alive, so that their ids stay theirs
        return found


class Tables:
    """Evaluates local terms over the domains of one decision.

    Args:
        lots_of: per kind the lot (a position in `plan.lots`) of each coordinate of its vectors.
    """

    __slots__ = ("_block", "_cells", "_evaluator", "_frame", "_place", "_totals", "_uses", "plan")

    def __init__(
        self,
        evaluator: Evaluator,
        uses: Uses,
        plan: LotPlan,
        block: Block,
        frame: Frame,
        domains: Domains,
        lots_of: Sequence[Sequence[int]],
    ) -> None:
        self.plan = plan
        self._evaluator = evaluator
        self._uses = uses
        self._block = block
        self._frame = frame
        self._cells = [lot.cell_slot for lot in plan.lots]
        self._place = {face: number for number, face in enumerate(plan.kinds)}
        self._totals = [
            [_by_lot(domain, lots, at) for at in range(len(plan.lots))]
            for domain, lots in zip(domains, lots_of, strict=True)
        ]

    def place(self, face: int) -> int | None:
        """The number of a kind; None for a face that is none."""
        return self._place.get(face)

    def row(self, term: Term, kind: int) -> list[int]:
        """The value of a term for each vector of a kind."""
        totals = self._totals[kind]
        if isinstance(term, Local) and term.slot in self._cells:
            return totals[self._cells.index(term.slot)]
        used = self._uses.of(self.plan, term)
        face = self.plan.kinds[kind]
        if len(used) == 1:
            slot, column = self._cells[used[0]], totals[used[0]]
            known = {n: self._value(term, face, ((slot, n),)) for n in sorted(set(column))}
            return [known[n] for n in column]
        columns = [totals[at] for at in used]
        if not columns:
            value = self._value(term, face, ())
            return [value] * len(totals[0])
        rows = list(zip(*columns, strict=True))
        slots = [self._cells[at] for at in used]
        pairs = {
            counts: self._value(term, face, tuple(zip(slots, counts, strict=True)))
            for counts in dict.fromkeys(rows)
        }
        return [pairs[counts] for counts in rows]

    def apart(self, term: Term, face: int) -> int:
        """The value of a term at a face of which nothing is picked."""
        return self._value(term, face, tuple((slot, 0) for slot in self._cells))

    def _value(self, term: Term, face: int, counts: tuple[tuple[int, int], ...]) -> int:
        frame = self._frame
        frame[self.plan.kind_slot] = face
        for slot, count in counts:
            frame[slot] = count
        return int(self._evaluator.value(term, self._block, frame))


def _by_lot(domain: list[tuple[int, ...]], lots: Sequence[int], lot: int) -> list[int]:
    """How many pieces of one lot each vector of a kind holds."""
    places = [at for at, each in enumerate(lots) if each == lot]
    if len(places) == 1:
        only = places[0]
        return [vector[only] for vector in domain]
    return [sum(vector[at] for at in places) for vector in domain]


def boxes(highs: Sequence[int]) -> list[tuple[int, ...]]:
    """All vectors below bounds, in lexicographic order."""
    return list(product(*[range(high + 1) for high in highs]))
