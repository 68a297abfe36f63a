"""Local terms of plans: what can be said of them before any decision.

A local term is a function of one kind and of how many of it each lot picks. Worked out once per
term: which lots it reads, which factors of it no pick changes, and whether the rest reads no state
at all; the values of such a rest are kept from decision to decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import mentions, within
from gemwright.dsl.walkable.forms import LotPlan
from gemwright.interpreter.block import Frame

Counts = tuple[int, ...]
"""How many of a kind each of the lots picks that a term reads."""

_KEPT: Final = 1 << 12
"""Kinds, with what else is read, whose values are kept of one term."""

_STATELESS: Final = (
    t.Const,
    t.Local,
    t.Lookup,
    t.Table,
    t.Arithmetic,
    t.Extreme,
    t.If,
    t.Compare,
    t.And,
    t.Or,
    t.Not,
)
"""Terms whose value depends on nothing but the terms in them."""


class LocalTerm:
    """A local term taken apart: the product of `factors` and `rest`.

    Attributes:
        lots: the positions in the plan of the lots that the term reads, in order.
        factors: terms that read the kind but no lot.
        rest: what is left; it reads each of the lots.
        others: the slots that `rest` reads beside those of the kind and of lots.
        values: of `rest` by kind, others and counts, if it reads no state; else None.
        silent: whether the term is 0 by its form wherever nothing is picked.
    """

    __slots__ = ("factors", "lots", "others", "rest", "silent", "values")

    def __init__(self, plan: LotPlan, term: t.Term) -> None:
        cells = [lot.cell_slot for lot in plan.lots]
        self.lots = tuple(at for at, slot in enumerate(cells) if mentions(term, (slot,)))
        picked: list[t.Term] = []
        self.factors: list[t.Term] = []
        for factor in _factors(term):
            (picked if mentions(factor, cells) else self.factors).append(factor)
        self.rest = picked[0] if len(picked) == 1 else term
        if len(picked) != 1:
            self.factors = []
        read = {each.slot for each in within(self.rest) if isinstance(each, t.Local)}
        self.others = tuple(sorted(read.difference(cells, (plan.kind_slot,))))
        stateless = all(isinstance(each, _STATELESS) for each in within(self.rest))
        self.values: dict[tuple[int, ...], dict[Counts, int]] | None = {} if stateless else None
        self.silent = _is_silent(term, cells)

    def known(self, face: int, frame: Frame) -> dict[Counts, int]:
        """The values at a kind that were met before; whatever is added may be kept."""
        if self.values is None:
            return {}
        if len(self.values) > _KEPT:
            self.values.clear()
        return self.values.setdefault((face, *[frame[slot] for slot in self.others]), {})


class Locals:
    """The local terms of the plans of one model, taken apart when they are first asked for."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], tuple[LotPlan, t.Term, LocalTerm]] = {}

    def of(self, plan: LotPlan, term: t.Term) -> LocalTerm:
        """A term of a plan taken apart."""
        key = (id(plan), id(term))
        found = self._kept.get(key)
        if found is None:
            # Plan and term are kept too, so that their ids stay theirs.
            found = self._kept[key] = (plan, term, LocalTerm(plan, term))
        return found[2]


def _factors(term: t.Term) -> list[t.Term]:
    if isinstance(term, t.Arithmetic) and term.op == "*":
        return _factors(term.left) + _factors(term.right)
    return [term]


def _is_silent(term: t.Term, cells: Sequence[int]) -> bool:
    """Whether a term is 0, and fails nowhere, when the counts in all cells are 0."""
    match term:
        case t.Local():
            return term.slot in cells
        case t.Const():
            return not term.value
        case t.If(condition=condition):
            if _is_silent(condition, cells):
                return _is_silent(term.otherwise, cells)
            return False
        case t.And():
            return _is_silent(term.terms[0], cells)  # what follows is then not read
        case t.Compare(op=">", left=left, right=t.Const(value=0)):
            return _is_silent(left, cells)
        case t.Arithmetic(op="+" | "-" | "*"):
            return _is_silent(term.left, cells) and _is_silent(term.right, cells)
    return False
