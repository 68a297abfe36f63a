"""Groups: conditions on how many picked pieces share a column, `every colour c has ...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import mentions
from gemwright.dsl.walkable import forms as f
from gemwright.dsl.walkable.ranges import exact
from gemwright.dsl.walkable.terms import all_of, chosen, conjuncts, integer, rebuilt
from gemwright.dsl.walkable.vectors import NotWalkable

if TYPE_CHECKING:
    from gemwright.dsl.walkable.normal import Normal

_LONGEST = 512
"""Elements of the outer domain."""


def grouped(normal: Normal, term: t.Fold) -> f.Grouped | None:
    """The fold as a sum over groups of kinds, or None if it has another form.

    Raises:
        NotWalkable: the kinds of one group do not follow each other.
    """
    values = elements(term.domain)
    value = _value(term)
    if values is None or value is None:
        return None
    count = normal.fresh()
    inner: list[t.Fold] = []

    def change(each: t.Term) -> t.Term:
        if _is_inner(normal, each):
            assert isinstance(each, t.Fold)
            inner.append(each)
            return t.Local(each.type, each.span, count, "of the group")
        changed: t.Term = rebuilt(each, change)
        return changed

    body = change(value)
    if not inner or normal.lots.read(body):
        return None
    amounts = [normal.amount(each) for each in inner]
    if amounts[0] is None or any(each != amounts[0] for each in amounts):
        return None
    members = _members(normal, term, inner[0], values)
    if members is None:
        return None
    return f.Grouped(term.slot, members, amounts[0], count, body)


def elements(domain: t.Domain) -> tuple[int, ...] | None:
    """The elements of a domain that load time knows, or None."""
    if isinstance(domain, t.Faces):
        return domain.faces if len(domain.faces) <= _LONGEST else None
    if isinstance(domain, t.Numbers):
        low, high = exact(domain.low, {}), exact(domain.high, {})
        if low is not None and high is not None and high - low < _LONGEST:
            return tuple(range(low, high + 1))
    return None


def _value(term: t.Fold) -> t.Term | None:
    """What one element adds."""
    kept = conjuncts(term.filter)
    if term.op == "sum":
        return None if term.body is None else chosen(all_of(kept), term.body)
    if term.op in ("some", "count"):
        return chosen(all_of((*kept, *conjuncts(term.body))), integer(1))
    return None


def _is_inner(normal: Normal, term: t.Term) -> bool:
    return (
        isinstance(term, t.Fold)
        and term.op in ("sum", "count")
        and isinstance(term.domain, t.Faces | t.Pieces)
        and normal.lots.read(term)
    )


def _members(
    normal: Normal, outer: t.Fold, inner: t.Fold, values: tuple[int, ...]
) -> tuple[f.Member, ...] | None:
    """Which kinds belong to which element, by the condition `column of kind = element`."""
    assert isinstance(inner.domain, t.Faces | t.Pieces)
    conditions = [*conjuncts(inner.filter)]
    if inner.op == "count":
        conditions += conjuncts(inner.body)
    for each in conditions:
        sides = _column(each, outer.slot, inner.slot)
        if sides is None:
            continue
        column = {face: exact(sides[0], {inner.slot: (face, face)}) for face in inner.domain.faces}
        wanted = {value: exact(sides[1], {outer.slot: (value, value)}) for value in values}
        if None in column.values() or None in wanted.values():
            continue
        if len(set(wanted.values())) < len(wanted):
            continue
        found = tuple(
            f.Member(value, tuple(face for face in column if column[face] == wanted[value]))
            for value in values
        )
        _contiguous(normal, outer, found)
        return found
    return None


def _column(term: t.Term, outer: int, inner: int) -> tuple[t.Term, t.Term] | None:
    """(what reads the kind, what reads the element) of an equation between them."""
    if not isinstance(term, t.Compare) or term.op != "=":
        return None
    for one, other in ((term.left, term.right), (term.right, term.left)):
        if mentions(one, (inner,)) and mentions(other, (outer,)):
            alone = not mentions(one, (outer,)) and not mentions(other, (inner,))
            return (one, other) if alone else None
    return None


def _contiguous(normal: Normal, term: t.Fold, members: tuple[f.Member, ...]) -> None:
    place = {face: number for number, face in enumerate(normal.kinds)}
    for member in members:
        places = sorted(place[face] for face in member.faces if face in place)
        if places and places[-1] - places[0] >= len(places):
            raise NotWalkable(
                term,
                "the kinds that are counted together here do not follow each other in their list",
                "list the members so that those with the same column value stand together",
            )
