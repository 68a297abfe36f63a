"""Folds over domains: kept column sums, short domains written out, loops for the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from gemwright.dsl.model import terms as t
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Break, Expr, Var
from gemwright.interpreter.compiled.lower import domains
from gemwright.interpreter.compiled.lower.scope import Scope

if TYPE_CHECKING:
    from gemwright.interpreter.compiled.lower.columns import ColumnSum
    from gemwright.interpreter.compiled.lower.terms import Terms

SHORT: Final = 12
"""Domains with so many elements are written out."""


def fold(terms: Terms, term: t.Fold, scope: Scope) -> Expr:
    """The value of a fold."""
    column = terms.columns.find(term, scope)
    if column is not None:
        return _column(terms, term, column, scope)
    elements = short(terms, term.domain, scope)
    if elements is not None:
        found = _written_out(terms, term, elements, scope)
        if found is not None:
            return found
    return _loop(terms, term, scope)


def _column(terms: Terms, term: t.Fold, column: ColumnSum, scope: Scope) -> Expr:
    _, place = terms.zone(column.zone.id, column.index, scope)
    number: Expr = ops.FALSE
    for parameter, low, size in zip(column.parameters, column.lows, column.sizes, strict=True):
        number = ops.add(ops.mul(number, ops.const(size)), ops.add(parameter, ops.const(-low)))
    kept = terms.memory.column(column.zone, column.weights)
    total = terms.memory.column_sum(kept, place, number)
    if term.op in ("sum", "count"):
        return total
    some = ops.compare(">", total, ops.FALSE)
    return some if term.op == "some" else ops.negate(some)


def short(terms: Terms, domain: t.Domain, scope: Scope) -> list[tuple[Expr, Expr]] | None:
    """(element, whether it is there) of a domain that is short and known; None otherwise."""
    if isinstance(domain, t.Faces) and len(domain.faces) <= SHORT:
        return [(ops.const(face), ops.TRUE) for face in domain.faces]
    if isinstance(domain, t.Players) and domain.start is None and domain.other is None:
        seats = [ops.const(seat) for seat in range(terms.memory.model.players)]
        return [(seat, ops.negate(terms.out(seat))) for seat in seats]
    if isinstance(domain, t.Numbers):
        low, high = terms.value(domain.low, scope), terms.value(domain.high, scope)
        if low.low == low.high and high.low == high.high and high.low - low.low < SHORT:
            return [(ops.const(n), ops.TRUE) for n in range(low.low, high.low + 1)]
    return None


def _written_out(
    terms: Terms, term: t.Fold, elements: list[tuple[Expr, Expr]], scope: Scope
) -> Expr | None:
    """The fold as one expression; None if its parts need statements."""
    parts: list[tuple[Expr, Expr]] = []
    with terms.w.block() as body:
        for element, there in elements:
            inner = scope.bind(term.slot, element)
            kept = ops.TRUE if term.filter is None else terms.value(term.filter, inner)
            value = ops.TRUE if term.body is None else terms.value(term.body, inner)
            parts.append((ops.both(there, kept), value))
    return None if body else folded(term.op, term.empty, parts)


def folded(op: str, empty: int, parts: Sequence[tuple[Expr, Expr]]) -> Expr:
    """A fold over (whether it is there, value) of elements."""
    if op in ("some", "every"):
        return _quantified(op, parts)
    if op == "count":
        return ops.total(ops.both(kept, _truth(value)) for kept, value in parts)
    if op == "sum":
        return ops.total(ops.select(kept, value, ops.FALSE) for kept, value in parts)
    return _extreme(op, empty, parts)


def _truth(value: Expr) -> Expr:
    return (
        value
        if (value.low, value.high) in ((0, 1), (0, 0), (1, 1))
        else ops.compare("!=", value, ops.FALSE)
    )


def _quantified(op: str, parts: Sequence[tuple[Expr, Expr]]) -> Expr:
    found: Expr = ops.FALSE
    for kept, value in parts:
        wanted = _truth(value) if op == "some" else ops.negate(_truth(value))
        found = ops.either(found, ops.both(kept, wanted))
    return found if op == "some" else ops.negate(found)


def _extreme(op: str, empty: int, parts: Sequence[tuple[Expr, Expr]]) -> Expr:
    make = ops.smaller if op == "min" else ops.larger
    found: Expr | None = None
    some: Expr = ops.FALSE
    for kept, value in parts:
        if found is None:
            found, some = value, kept
            continue
        better = ops.select(some, make(found, value), value)
        found = ops.select(kept, better, found)
        some = ops.either(some, kept)
    return ops.const(empty) if found is None else ops.select(some, found, ops.const(empty))


# -- loops ----------------------------------------------------------------------------------------


def _loop(terms: Terms, term: t.Fold, scope: Scope) -> Expr:
    if term.op in ("some", "every"):
        return _search(terms, term, scope)
    if term.op in ("max", "min"):
        return _best(terms, term, scope)
    return _sum(terms, term, scope)


def _search(terms: Terms, term: t.Fold, scope: Scope) -> Expr:
    found = terms.w.changing("found", ops.FALSE, 0, 1)
    with domains.each(terms, term.domain, scope) as (element, _):
        inner = scope.bind(term.slot, element)
        kept = ops.TRUE if term.filter is None else terms.value(term.filter, inner)
        with terms.w.when(kept):
            value = ops.TRUE if term.body is None else _truth(terms.value(term.body, inner))
            if term.op == "every":
                value = ops.negate(value) if term.body is not None else ops.FALSE
            with terms.w.when(value):
                terms.w.set(found, ops.TRUE)
                terms.w.emit(Break())
    terms.w.settled(found)
    return found if term.op == "some" else ops.negate(found)


def _sum(terms: Terms, term: t.Fold, scope: Scope) -> Expr:
    def value(element: Expr, weight: Expr) -> Expr:
        if term.body is None:
            return weight
        found = terms.value(term.body, scope.bind(term.slot, element))
        if term.op == "count":
            return ops.select(_truth(found), weight, ops.FALSE)
        return ops.mul(found, weight)

    low, high = _reach(terms, term, scope, value)
    total = terms.w.changing("total", ops.FALSE, low, high)
    with domains.each(terms, term.domain, scope) as (element, weight):
        inner = scope.bind(term.slot, element)
        kept = ops.TRUE if term.filter is None else terms.value(term.filter, inner)
        with terms.w.when(kept):
            terms.w.gain(total, value(element, weight), "each element comes once")
    return terms.w.settled(total)


def _reach(
    terms: Terms, term: t.Fold, scope: Scope, value: Callable[[Expr, Expr], Expr]
) -> tuple[int, int]:
    """Bounds of a sum: those of one element times how many there can be."""
    with terms.w.apart(), domains.each(terms, term.domain, scope) as (element, weight):
        found = value(element, weight)
    times = _most(terms, term.domain, scope)
    return min(found.low, 0) * times, max(found.high, 0) * times


def _most(terms: Terms, domain: t.Domain, scope: Scope) -> int:
    """How many elements a domain can have."""
    if isinstance(domain, t.Faces | t.Pieces):
        return len(domain.faces)
    if isinstance(domain, t.Players):
        return terms.memory.model.players
    with terms.w.apart():
        low, high = terms.value(domain.low, scope), terms.value(domain.high, scope)
    return max(0, min(high.high - low.low + 1, domains.MOST))


def _best(terms: Terms, term: t.Fold, scope: Scope) -> Expr:
    assert term.body is not None
    body = term.body
    with terms.w.apart(), domains.each(terms, term.domain, scope) as (element, _):
        value = terms.value(body, scope.bind(term.slot, element))
    low, high = min(value.low, term.empty), max(value.high, term.empty)
    best = terms.w.changing("best", ops.const(term.empty), low, high)
    some = terms.w.changing("some", ops.FALSE, 0, 1)
    with domains.each(terms, term.domain, scope) as (element, _):
        inner = scope.bind(term.slot, element)
        kept = ops.TRUE if term.filter is None else terms.value(term.filter, inner)
        with terms.w.when(kept):
            _improve(terms, term.op, best, some, terms.kept(body, inner))
    return terms.w.settled(best)


def _improve(terms: Terms, op: str, best: Var, some: Var, value: Expr) -> None:
    better = ops.compare("<" if op == "min" else ">", value, best)
    with terms.w.when(ops.either(ops.negate(some), better)):
        terms.w.set(best, value)
        terms.w.set(some, ops.TRUE)
