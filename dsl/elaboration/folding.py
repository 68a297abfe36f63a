"""Smart constructors of terms: they fold constants and infer ranges, so that options vanish
from the model.

Ranges are inclusive and sound: every value a term can take lies inside. They are capped at
+-2**40 so that a
hostile file cannot make them grow without end; layouts and declared ranges are far smaller.
"""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.dsl.model.terms import (
    FLAG,
    And,
    Arithmetic,
    Base,
    Compare,
    Const,
    Extreme,
    If,
    Lookup,
    Not,
    Or,
    Term,
    Type,
    VectorCompare,
    VectorIndex,
    VectorOp,
    VectorSum,
    Widen,
)
from gemwright.dsl.source import Span

HUGE = 1 << 40


def number_type(low: int, high: int) -> Type:
    """The type of numbers from `low` to `high`, capped."""
    return Type(Base.INT, max(low, -HUGE), min(high, HUGE))


def integer(value: int, span: Span | None) -> Const:
    """A constant number."""
    return Const(Type(Base.INT, value, value), span, value)


def flag(value: bool, span: Span | None) -> Const:
    """A constant yes or no."""
    return Const(FLAG, span, int(value))


def scalar(term: Term) -> int | None:
    """The value of a constant that is no vector."""
    if isinstance(term, Const) and isinstance(term.value, int):
        return term.value
    return None


def arithmetic(op: str, left: Term, right: Term, span: Span | None) -> Term:
    """`+ - *` with folding."""
    a, b = left.type, right.type
    x, y = scalar(left), scalar(right)
    if x is not None and y is not None:
        return integer({"+": x + y, "-": x - y, "*": x * y}[op], span)
    if y == 0 and op in "+-":
        return left
    if x == 0 and op == "+":
        return right
    if op == "*" and (x == 1 or y == 1):
        return right if x == 1 else left
    if op == "+":
        bounds = (a.low + b.low, a.high + b.high)
    elif op == "-":
        bounds = (a.low - b.high, a.high - b.low)
    else:
        corners = [m * n for m in (a.low, a.high) for n in (b.low, b.high)]
        bounds = (min(corners), max(corners))
    return Arithmetic(number_type(*bounds), span, op, left, right)


def extreme(op: str, terms: Sequence[Term], span: Span | None) -> Term:
    """`min` or `max` of numbers."""
    values = [scalar(term) for term in terms]
    pick = min if op == "min" else max
    known = [value for value in values if value is not None]
    if len(known) == len(terms):
        return integer(pick(known), span)
    low = pick(term.type.low for term in terms)
    high = pick(term.type.high for term in terms)
    return Extreme(number_type(low, high), span, op, tuple(terms))


def compare(op: str, left: Term, right: Term, span: Span | None) -> Term:
    """A comparison; constant when both sides are, or when the ranges decide it."""
    x, y = scalar(left), scalar(right)
    if x is not None and y is not None:
        result = {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "=": x == y, "!=": x != y}[op]
        return flag(result, span)
    return Compare(FLAG, span, op, left, right)


def both(terms: Sequence[Term], span: Span | None) -> Term:
    """`and`, without constants and flattened."""
    kept: list[Term] = []
    for term in terms:
        value = scalar(term)
        if value == 0:
            return flag(False, span)
        if value is None:
            kept.extend(term.terms if isinstance(term, And) else (term,))
    if not kept:
        return flag(True, span)
    return kept[0] if len(kept) == 1 else And(FLAG, span, tuple(kept))


def either(terms: Sequence[Term], span: Span | None) -> Term:
    """`or`, without constants and flattened."""
    kept: list[Term] = []
    for term in terms:
        value = scalar(term)
        if value == 1:
            return flag(True, span)
        if value is None:
            kept.extend(term.terms if isinstance(term, Or) else (term,))
    if not kept:
        return flag(False, span)
    return kept[0] if len(kept) == 1 else Or(FLAG, span, tuple(kept))


def negate(term: Term, span: Span | None) -> Term:
    """`not`."""
    value = scalar(term)
    if value is not None:
        return flag(not value, span)
    if isinstance(term, Not):
        return term.term
    return Not(FLAG, span, term)


def choose(condition: Term, then: Term, otherwise: Term, span: Span | None) -> Term:
    """`then if condition else otherwise`; both sides have the same base."""
    value = scalar(condition)
    if value is not None:
        return then if value else otherwise
    a, b = then.type, otherwise.type
    faces = a.faces if a.faces == b.faces else tuple(dict.fromkeys(a.faces + b.faces))
    joined = Type(a.base, min(a.low, b.low), max(a.high, b.high), faces, a.optional or b.optional)
    return If(joined, span, condition, then, otherwise)


def lookup(
    values: tuple[int | tuple[int, ...], ...],
    argument: Term,
    base: int,
    type: Type,
    name: str,
    span: Span | None,
) -> Term:
    """A constant table at `argument - base`."""
    value = scalar(argument)
    if value is not None and 0 <= value - base < len(values):
        return Const(type, span, values[value - base])
    return Lookup(type, span, values, argument, base, name)


def vector_index(vector: Term, face: Term, span: Span | None) -> Term:
    """One cell of a vector."""
    bounds = vector.type
    value = scalar(face)
    if isinstance(vector, Const) and isinstance(vector.value, tuple) and value is not None:
        cell = vector.value[bounds.faces.index(value)] if value in bounds.faces else 0
        return integer(cell, span)
    outside = any(f not in bounds.faces for f in face.type.faces)
    low = min(bounds.low, 0) if outside else bounds.low
    high = max(bounds.high, 0) if outside else bounds.high
    return VectorIndex(number_type(low, high), span, vector, face)


def widen(vector: Term, faces: tuple[int, ...], span: Span | None) -> Term:
    """The vector over other faces."""
    if vector.type.faces == faces:
        return vector
    positions = tuple(vector.type.faces.index(f) if f in vector.type.faces else -1 for f in faces)
    type = Type(Base.VECTOR, min(vector.type.low, 0), max(vector.type.high, 0), faces)
    if isinstance(vector, Const) and isinstance(vector.value, tuple):
        cells = vector.value
        return Const(type, span, tuple(cells[p] if p >= 0 else 0 for p in positions))
    return Widen(type, span, vector, positions)


def aligned(left: Term, right: Term, order: dict[int, int]) -> tuple[Term, Term]:
    """Two vectors over the union of their faces, in declared order."""
    if left.type.faces == right.type.faces:
        return left, right
    faces = tuple(
        sorted(set(left.type.faces) | set(right.type.faces), key=lambda f: order.get(f, f))
    )
    return widen(left, faces, left.span), widen(right, faces, right.span)


def vector_op(op: str, left: Term, right: Term, span: Span | None) -> Term:
    """`+ - less` of aligned vectors."""
    a, b = left.type, right.type
    if op == "+":
        low, high = a.low + b.low, a.high + b.high
    else:
        low, high = a.low - b.high, a.high - b.low
    if op == "less":
        low, high = max(low, 0), max(high, 0)
    type = Type(Base.VECTOR, max(low, -HUGE), min(high, HUGE), a.faces)
    if isinstance(left, Const) and isinstance(right, Const):
        assert isinstance(left.value, tuple) and isinstance(right.value, tuple)
        pairs = zip(left.value, right.value, strict=True)
        cells = tuple(
            x + y if op == "+" else max(x - y, 0) if op == "less" else x - y for x, y in pairs
        )
        return Const(type, span, cells)
    return VectorOp(type, span, op, left, right)


def vector_sum(vector: Term, span: Span | None) -> Term:
    """`size of` a vector."""
    if isinstance(vector, Const) and isinstance(vector.value, tuple):
        return integer(sum(vector.value), span)
    cells = len(vector.type.faces)
    return VectorSum(number_type(vector.type.low * cells, vector.type.high * cells), span, vector)


def vector_compare(op: str, left: Term, right: Term, span: Span | None) -> Term:
    """`<= = !=` of aligned vectors."""
    return VectorCompare(FLAG, span, op, left, right)
