"""What values a term can take, as far as it is known at load:

an interval, exact where nothing is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product as pairs
from operator import eq, ge, gt, le, lt, ne

from gemwright.dsl.model import terms as t

Interval = tuple[int, int]
Known = Mapping[int, Interval]
"""Slots whose values are known."""

ANY: Interval = (-(1 << 40), 1 << 40)
_COMPARE = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "!=": ne}


def interval(term: t.Term, known: Known) -> Interval:
    """Bounds of a number, flag, face or seat; sound, and exact for constants and known slots."""
    if isinstance(term, t.Const):
        return (term.value, term.value) if isinstance(term.value, int) else ANY
    if isinstance(term, t.Local):
        return known.get(term.slot) or _declared(term)
    low, high = _computed(term, known)
    declared = _declared(term)
    # A declared range that contradicts what was computed comes from a hand-made term: widen.
    if declared[0] <= high and low <= declared[1]:
        return max(low, declared[0]), min(high, declared[1])
    return low, high


def _declared(term: t.Term) -> Interval:
    type = term.type
    if type.base is t.Base.INT or type.base is t.Base.FLAG:
        return type.low, type.high
    if type.base is t.Base.FACE and type.faces:
        return min(-1, *type.faces), max(type.faces)
    return ANY


def _computed(term: t.Term, known: Known) -> Interval:
    if isinstance(term, t.Arithmetic):
        return _arithmetic(term, known)
    if isinstance(term, t.Extreme):
        sides = [interval(each, known) for each in term.arguments]
        pick = min if term.op == "min" else max
        return pick(low for low, _ in sides), pick(high for _, high in sides)
    if isinstance(term, t.If):
        return _if(term, known)
    if isinstance(term, t.Lookup):
        return _lookup(term, known)
    if isinstance(term, t.Table):
        return _table(term, known)
    if isinstance(term, t.Openly):
        return interval(term.term, known)
    if isinstance(term, t.VectorIndex):
        return _cell(term, known)
    if term.type.base is t.Base.FLAG:
        return truth(term, known)
    return ANY


def truth(term: t.Term, known: Known) -> Interval:
    """(1, 1) for surely true, (0, 0) for surely false, (0, 1) otherwise."""
    if isinstance(term, t.Compare):
        return _compare(term, known)
    if isinstance(term, t.Not):
        low, high = interval(term.term, known)
        return 1 - high, 1 - low
    if isinstance(term, t.And | t.Or):
        sides = [interval(each, known) for each in term.terms]
        pick = min if isinstance(term, t.And) else max
        return pick(low for low, _ in sides), pick(high for _, high in sides)
    return 0, 1


def _arithmetic(term: t.Arithmetic, known: Known) -> Interval:
    a, b = interval(term.left, known), interval(term.right, known)
    if term.op == "+":
        return a[0] + b[0], a[1] + b[1]
    if term.op == "-":
        return a[0] - b[1], a[1] - b[0]
    corners = [x * y for x, y in pairs(a, b)]
    return min(corners), max(corners)


def _if(term: t.If, known: Known) -> Interval:
    holds = interval(term.condition, known)
    # One side is enough where it is known which: terms of many cases are read again and again.
    if holds[0]:
        return interval(term.then, known)
    if not holds[1]:
        return interval(term.otherwise, known)
    then, otherwise = interval(term.then, known), interval(term.otherwise, known)
    return min(then[0], otherwise[0]), max(then[1], otherwise[1])


def _compare(term: t.Compare, known: Known) -> Interval:
    (a, b), (c, d) = interval(term.left, known), interval(term.right, known)
    corners = {_COMPARE[term.op](x, y) for x, y in pairs((a, b), (c, d))}
    exact = a == b and c == d
    apart = b < c or d < a
    if exact or (term.op not in ("=", "!=") and len(corners) == 1) or apart:
        return min(corners), max(corners)
    return 0, 1


def _lookup(term: t.Lookup, known: Known) -> Interval:
    low, high = interval(term.argument, known)
    low, high = max(low - term.base, 0), min(high - term.base, len(term.values) - 1)
    cells = [cell for cell in term.values[low : high + 1] if isinstance(cell, int)]
    return (min(cells), max(cells)) if cells else ANY


def _table(term: t.Table, known: Known) -> Interval:
    at = 0
    for argument, base, size in zip(term.arguments, term.bases, term.sizes, strict=True):
        low, high = interval(argument, known)
        if low != high or not 0 <= low - base < size:
            values = (*term.values, term.default)
            return min(values), max(values)
        at = at * size + low - base
    return term.values[at], term.values[at]


def _cell(term: t.VectorIndex, known: Known) -> Interval:
    low, high = interval(term.face, known)
    vector = term.vector
    if isinstance(vector, t.Const) and isinstance(vector.value, tuple):
        found = dict(zip(vector.type.faces, vector.value, strict=True))
        if low == high:
            return found.get(low, 0), found.get(low, 0)
        return min(0, *found.values()), max(0, *found.values())
    return min(0, vector.type.low), max(0, vector.type.high)


def exact(term: t.Term, known: Known) -> int | None:
    """The value of a term when load time knows it."""
    low, high = interval(term, known)
    return low if low == high else None
