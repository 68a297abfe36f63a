"""Which terms over picked lots are sums over kinds, and how a condition is rewritten over such sums.

A term is *additive* when its value on a whole lot is its value on nothing plus, kind by kind, what the cells
of that kind add. A condition becomes a Boolean term over accumulators: each additive term that is compared
is one `Sum`, read in the rewritten condition as a further slot of the frame. What is no combination of sums
is kept exactly, by accumulating each cell on its own; the load-time check bounds how many picks that may be.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from gemwright.dsl import model as m
from gemwright.dsl import terms as t


@dataclass(frozen=True, slots=True)
class Sum:
    """An accumulator: the additive `term`, read at frame slot `slot`. `tested` when only `>= 0`-like cuts
    at 0 and 1 are made, so that it may be clamped."""

    term: t.Term
    slot: int
    tested: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How one action's lots are walked: rewritten conditions (one per line) over sums."""

    fixed: tuple[int, ...]
    """Lines that read no lot."""
    open: tuple[tuple[int, t.Term], ...]
    """(line, condition over slots) of the others."""
    sums: tuple[Sum, ...]
    exact: bool
    """Whether some condition is no combination of sums, so that cells are kept apart."""
    slots: int


class _NotAdditive(Exception):
    pass


def plan(action: m.Action, lots: frozenset[int], frame_size: int) -> Plan:
    """The plan of an action whose lots stand in the slots `lots`."""
    planner = _Planner(lots, frame_size)
    fixed: list[int] = []
    rewritten: list[tuple[int, t.Term]] = []
    exact = False
    for number, line in enumerate(action.where):
        if not mentions(line.condition, lots):
            fixed.append(number)
            continue
        try:
            rewritten.append((number, planner.condition(line.condition)))
        except _NotAdditive:
            rewritten.append((number, line.condition))
            exact = True
    return Plan(tuple(fixed), tuple(rewritten), tuple(planner.sums), exact, planner.next)


def mentions(node: Any, slots: frozenset[int]) -> bool:
    """Whether a term reads one of the slots."""
    if isinstance(node, t.Local):
        return node.slot in slots
    if isinstance(node, tuple):
        return any(mentions(part, slots) for part in node)
    if is_dataclass(node) and not isinstance(node, type):
        return any(
            mentions(getattr(node, f.name), slots)
            for f in fields(node)
            if f.name not in ("span", "type")
        )
    return False


class _Planner:
    def __init__(self, lots: frozenset[int], frame_size: int) -> None:
        self.lots = lots
        self.next = frame_size
        self.sums: list[Sum] = []

    def _sum(self, term: t.Term, tested: bool) -> t.Term:
        for number, known in enumerate(self.sums):
            if known.term == term:
                if known.tested and not tested:
                    self.sums[number] = replace(known, tested=False)
                return t.Local(term.type, term.span, known.slot, "sum")
        self.sums.append(Sum(term, self.next, tested))
        self.next += 1
        return t.Local(term.type, term.span, self.sums[-1].slot, "sum")

    # -- conditions --------------------------------------------------------------------------------------

    def condition(self, term: t.Term) -> t.Term:
        """The condition over accumulator slots."""
        if not mentions(term, self.lots):
            return term
        match term:
            case t.And():
                return replace(term, terms=tuple(self.condition(each) for each in term.terms))
            case t.Or():
                return replace(term, terms=tuple(self.condition(each) for each in term.terms))
            case t.Not():
                return replace(term, term=self.condition(term.term))
            case t.Openly():
                return self.condition(term.term)
            case t.If():
                return replace(
                    term,
                    condition=self.condition(term.condition),
                    then=self.condition(term.then),
                    otherwise=self.condition(term.otherwise),
                )
            case t.Compare():
                return self._compare(term)
            case t.VectorCompare():
                return self._vectors(term)
            case t.Fold() if term.op in ("some", "every"):
                return self._quantified(term)
        raise _NotAdditive

    def _compare(self, term: t.Compare) -> t.Term:
        zero = t.Const(t.Type(t.Base.INT), term.span, 0)
        if self.additive(term.left) and self.additive(term.right):
            type = t.Type(
                t.Base.INT,
                term.left.type.low - term.right.type.high,
                term.left.type.high - term.right.type.low,
            )
            difference = t.Arithmetic(type, term.span, "-", term.left, term.right)
            return replace(term, left=self._sum(difference, True), right=zero)
        return replace(term, left=self.total(term.left), right=self.total(term.right))

    def _vectors(self, term: t.VectorCompare) -> t.Term:
        if not self._linear_vector(term.left) or not self._linear_vector(term.right):
            raise _NotAdditive
        slot = self._fresh()
        face = t.Local(t.Type(t.Base.FACE, faces=term.left.type.faces), term.span, slot, "kind")
        cells = [
            t.VectorIndex(t.Type(t.Base.INT, v.type.low, v.type.high), term.span, v, face)
            for v in (term.left, term.right)
        ]
        bad = t.Compare(t.FLAG, term.span, ">" if term.op == "<=" else "!=", cells[0], cells[1])
        found = t.Fold(t.FLAG, term.span, "some", slot, t.Faces(term.left.type.faces), None, bad)
        inside = self._quantified(found)
        return inside if term.op == "!=" else t.Not(t.FLAG, term.span, inside)

    def _fresh(self) -> int:
        self.next += 1
        return self.next - 1

    def _quantified(self, term: t.Fold) -> t.Term:
        body = term.body
        if not isinstance(term.domain, t.Faces) or term.filter is not None or body is None:
            raise _NotAdditive
        if not self._local(body, term.slot):
            raise _NotAdditive
        counted = body if term.op == "some" else t.Not(t.FLAG, term.span, body)
        number = t.Fold(
            t.Type(t.Base.INT, 0, len(term.domain.faces)),
            term.span,
            "count",
            term.slot,
            term.domain,
            counted,
            None,
        )
        zero = t.Const(t.Type(t.Base.INT), term.span, 0)
        return t.Compare(
            t.FLAG, term.span, ">" if term.op == "some" else "=", self._sum(number, True), zero
        )

    def total(self, term: t.Term) -> t.Term:
        """A number over sums whose exact values matter."""
        if not mentions(term, self.lots):
            return term
        if self.additive(term):
            return self._sum(term, False)
        match term:
            case t.Arithmetic():
                return replace(term, left=self.total(term.left), right=self.total(term.right))
            case t.Extreme():
                return replace(term, arguments=tuple(self.total(each) for each in term.arguments))
            case t.If():
                return replace(
                    term,
                    condition=self.condition(term.condition),
                    then=self.total(term.then),
                    otherwise=self.total(term.otherwise),
                )
        raise _NotAdditive

    # -- additivity --------------------------------------------------------------------------------------

    def additive(self, term: t.Term) -> bool:
        """Whether a number is a sum over kinds (constants included)."""
        if not mentions(term, self.lots):
            return True
        match term:
            case t.VectorSum():
                return self._linear_vector(term.vector)
            case t.VectorIndex():
                return self._linear_vector(term.vector) and not mentions(term.face, self.lots)
            case t.Arithmetic():
                if term.op == "*":
                    sides = (term.left, term.right)
                    return any(not mentions(s, self.lots) for s in sides) and all(
                        self.additive(s) for s in sides
                    )
                return self.additive(term.left) and self.additive(term.right)
            case t.Fold() if term.op in ("sum", "count"):
                return self._additive_fold(term)
        return False

    def _additive_fold(self, term: t.Fold) -> bool:
        parts = tuple(part for part in (term.filter, term.body) if part is not None)
        if isinstance(term.domain, t.Pieces):
            return self._linear_vector(term.domain.vector) and not mentions(parts, self.lots)
        if isinstance(term.domain, t.Faces):
            return all(self._local(part, term.slot) for part in parts)
        return (
            isinstance(term.domain, t.Players)
            and not mentions(term.domain, self.lots)
            and term.op == "sum"
            and term.filter is None
            and term.body is not None
            and self.additive(term.body)
        )

    def _linear_vector(self, term: t.Term) -> bool:
        match term:
            case t.LotVector():
                return True
            case t.Widen():
                return self._linear_vector(term.vector)
            case t.VectorOp():
                return (
                    term.op in "+-"
                    and self._linear_vector(term.left)
                    and self._linear_vector(term.right)
                )
        return not mentions(term, self.lots)

    def _local(self, term: Any, slot: int) -> bool:
        """Whether lots are read only at the kind in `slot`."""
        if (
            isinstance(term, t.VectorIndex)
            and isinstance(term.face, t.Local)
            and term.face.slot == slot
            and self._linear_vector(term.vector)
        ):
            return True
        if isinstance(term, t.LotVector):
            return False
        if isinstance(term, tuple):
            return all(self._local(part, slot) for part in term)
        if is_dataclass(term) and not isinstance(term, type):
            return all(
                self._local(getattr(term, f.name), slot)
                for f in fields(term)
                if f.name not in ("span", "type")
            )
        return True
