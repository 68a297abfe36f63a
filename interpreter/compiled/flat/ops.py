"""Makers of expressions: they work out ranges and fold what is known.

Whoever builds or rewrites a program goes through these, so a constant never survives as an
operation, and rewriting an argument sharpens the ranges above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import gcd
from typing import Final

from gemwright.interpreter.compiled.flat.program import (
    LOW_MASK,
    Cell,
    Const,
    Entry,
    Expr,
    Item,
    Op,
    Program,
    Trusted,
    Var,
)

Range = tuple[int, int]

FALSE: Final[Expr] = Const(0, 0)
TRUE: Final[Expr] = Const(1, 1)


def const(value: int) -> Const:
    """A constant."""
    return Const(value, value)


def known(expr: Expr) -> int | None:
    """The value of an expression whose range has one number."""
    return expr.low if expr.low == expr.high else None


_WIDE: Final = 1 << 30
"""Numbers below it can be multiplied term by term within 64 bits."""


# -- numbers --------------------------------------------------------------------------------------


def add(a: Expr, b: Expr) -> Expr:
    """a + b; constants move to the right and gather there."""
    if isinstance(a, Const):
        a, b = b, a
    if isinstance(b, Const):
        if isinstance(a, Const):
            return const(a.low + b.low)
        if b.low == 0:
            return a
        if isinstance(a, Op) and a.name == "add" and isinstance(a.args[1], Const):
            return add(a.args[0], const(a.args[1].low + b.low))
    return Op(a.low + b.low, a.high + b.high, "add", (a, b))


def sub(a: Expr, b: Expr) -> Expr:
    """a - b."""
    if isinstance(b, Const):
        return add(a, const(-b.low))
    if a == b:
        return const(0)
    if a == FALSE and isinstance(b, Op) and b.name == "mul" and isinstance(b.args[1], Const):
        return mul(b.args[0], const(-b.args[1].low))
    return Op(a.low - b.high, a.high - b.low, "sub", (a, b))


def mul(a: Expr, b: Expr) -> Expr:
    """a * b; a constant factor goes inside, so that what is added stands outside, once."""
    if isinstance(a, Const):
        a, b = b, a
    if isinstance(b, Const):
        if isinstance(a, Const):
            return const(a.low * b.low)
        if b.low == 1:
            return a
        if b.low == 0:
            return b
        if isinstance(a, Op) and isinstance(a.args[-1], Const) and -_WIDE < a.low <= a.high < _WIDE:
            if a.name == "mul":
                return mul(a.args[0], const(a.args[1].low * b.low))
            if a.name == "add":
                return add(mul(a.args[0], b), const(a.args[1].low * b.low))
    corners = [x * y for x, y in product((a.low, a.high), (b.low, b.high))]
    return Op(min(corners), max(corners), "mul", (a, b))


def smaller(a: Expr, b: Expr) -> Expr:
    """The smaller of two numbers."""
    if a.high <= b.low or a == b:
        return a
    if b.high <= a.low:
        return b
    return Op(min(a.low, b.low), min(a.high, b.high), "min", (a, b))


def larger(a: Expr, b: Expr) -> Expr:
    """The larger of two numbers."""
    if a.low >= b.high or a == b:
        return a
    if b.low >= a.high:
        return b
    return Op(max(a.low, b.low), max(a.high, b.high), "max", (a, b))


def total(exprs: Iterable[Expr]) -> Expr:
    """The sum of numbers; 0 of none."""
    found: Expr = const(0)
    for each in exprs:
        found = add(found, each)
    return found


# -- conditions -----------------------------------------------------------------------------------

_COMPARE: Final[Mapping[str, Callable[[Expr, Expr], int | None]]] = {
    "lt": lambda a, b: _decided(a.high < b.low, a.low >= b.high),
    "le": lambda a, b: _decided(a.high <= b.low, a.low > b.high),
    "gt": lambda a, b: _decided(a.low > b.high, a.high <= b.low),
    "ge": lambda a, b: _decided(a.low >= b.high, a.high < b.low),
    "eq": lambda a, b: _decided(
        a.low == a.high == b.low == b.high, a.high < b.low or b.high < a.low
    ),
    "ne": lambda a, b: _decided(
        a.high < b.low or b.high < a.low, a.low == a.high == b.low == b.high
    ),
}
_OPPOSITE: Final = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}
_SIGNS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "=": "eq", "!=": "ne"}
_REFLEXIVE: Final = ("le", "ge", "eq")


def _decided(yes: bool, no: bool) -> int | None:
    return 1 if yes else 0 if no else None


def compare(sign: str, a: Expr, b: Expr) -> Expr:
    """Whether a stands so to b; `sign` is one of < <= > >= = !=."""
    return _comparison(_SIGNS[sign], a, b)


def _comparison(name: str, a: Expr, b: Expr) -> Expr:
    found = _COMPARE[name](a, b)
    if found is None and a == b:
        found = int(name in _REFLEXIVE)
    return Op(0, 1, name, (a, b)) if found is None else const(found)


def equal(a: Expr, b: Expr) -> Expr:
    """a = b."""
    return _comparison("eq", a, b)


def inside(a: Expr, low: int, high: int) -> Expr:
    """low <= a <= high."""
    return both(compare(">=", a, const(low)), compare("<=", a, const(high)))


def both(a: Expr, b: Expr) -> Expr:
    """a and b; neither may fail, for both may be worked out."""
    if isinstance(a, Const):
        return b if a.low else a
    if isinstance(b, Const):
        return a if b.low else b
    return a if a == b else Op(0, 1, "and", (a, b))


def either(a: Expr, b: Expr) -> Expr:
    """a or b; neither may fail, for both may be worked out."""
    if isinstance(a, Const):
        return a if a.low else b
    if isinstance(b, Const):
        return b if b.low else a
    return a if a == b else Op(0, 1, "or", (a, b))


def negate(a: Expr) -> Expr:
    """not a."""
    if isinstance(a, Const):
        return const(1 - a.low)
    if isinstance(a, Op):
        if a.name == "not":
            return a.args[0]
        if a.name in _OPPOSITE:
            return Op(0, 1, _OPPOSITE[a.name], a.args)
    return Op(0, 1, "not", (a,))


def select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """One of two values; both may be worked out, so neither may fail."""
    if isinstance(condition, Const):
        return then if condition.low else otherwise
    if then == otherwise:
        return then
    if (then, otherwise) == (TRUE, FALSE):
        return condition
    if (then, otherwise) == (FALSE, TRUE):
        return negate(condition)
    low, high = min(then.low, otherwise.low), max(then.high, otherwise.high)
    return Op(low, high, "select", (condition, then, otherwise))


# -- bits -----------------------------------------------------------------------------------------


def _bits(high: int) -> int:
    return (1 << high.bit_length()) - 1


def bit_and(a: Expr, b: Expr) -> Expr:
    """The bits of both; a, b >= 0."""
    if isinstance(a, Const) and isinstance(b, Const):
        return const(a.low & b.low)
    return Op(0, min(a.high, b.high), "bit_and", (a, b))


def bit_or(a: Expr, b: Expr) -> Expr:
    """The bits of either; a, b >= 0."""
    if isinstance(a, Const) and isinstance(b, Const):
        return const(a.low | b.low)
    if FALSE in (a, b):
        return b if a == FALSE else a
    return Op(max(a.low, b.low), _bits(a.high | b.high), "bit_or", (a, b))


def shift_left(a: Expr, b: Expr) -> Expr:
    """a * 2^b; a >= 0 and b in 0..62."""
    if b == FALSE:
        return a
    if isinstance(a, Const) and isinstance(b, Const):
        return const(a.low << b.low)
    return Op(a.low << b.low, a.high << b.high, "shift_left", (a, b))


def shift_right(a: Expr, b: Expr) -> Expr:
    """a / 2^b without the rest; a >= 0 and b in 0..62."""
    if b == FALSE:
        return a
    if isinstance(a, Const) and isinstance(b, Const):
        return const(a.low >> b.low)
    return Op(a.low >> b.high, a.high >> b.low, "shift_right", (a, b))


def mul_low(a: Expr, b: Expr) -> Expr:
    """The lowest `LOW_BITS` bits of a * b; a, b >= 0."""
    if a.high * b.high <= LOW_MASK:
        return mul(a, b)
    if isinstance(a, Const) and isinstance(b, Const):
        return const(a.low * b.low & LOW_MASK)
    return Op(0, LOW_MASK, "mul_low", (a, b))


def shifts_far(expr: Op) -> bool:
    """Whether an operation may shift by more bits than a number of 32 bits has."""
    return expr.name in ("shift_left", "shift_right") and expr.args[1].high >= 32


def ones(a: Expr) -> Expr:
    """How many bits are set; a >= 0."""
    if isinstance(a, Const):
        return const(a.low.bit_count())
    return Op(int(a.low > 0), a.high.bit_length(), "ones", (a,))


# -- memory ---------------------------------------------------------------------------------------


def progression(expr: Expr) -> tuple[int, int]:
    """(start, step): every value of an expression is `start` plus a multiple of `step`, any one.

    A step of 0 says that `start` is the only value, a step of 1 says nothing. It follows from the
    form of the expression alone: what lies a fixed distance apart in memory, as the sizes of
    stacks do, is told from what lies between.
    """
    if isinstance(expr, Const):
        return expr.low, 0
    if isinstance(expr, Op) and expr.name in ("add", "sub"):
        (start, step), (more, by) = map(progression, expr.args)
        return (start + more if expr.name == "add" else start - more), gcd(step, by)
    if isinstance(expr, Op) and expr.name == "mul" and isinstance(expr.args[1], Const):
        (start, step), times = progression(expr.args[0]), expr.args[1].low
        return start * times, step * abs(times)
    return expr.low, 1


def reached(first: int, last: int, index: Expr) -> range:
    """The places in `first..last` that an index can come to."""
    start, step = progression(index)
    first, last = max(first, index.low), min(last, index.high)
    return range(first + (start - first) % step if step else start, last + 1, step or 1)


class Reader:
    """Makes reads of the memory of one program, whose tables may grow while it is built."""

    def __init__(self, program: Program) -> None:
        self.cells = program.cells
        self.tables = {table.name: table.values for table in program.tables}
        self.arrays = {array.name: (array.low, array.high) for array in program.arrays}

    def cell(self, first: int, last: int, index: Expr) -> Expr:
        """A state cell. Indices that are known narrow what it may be."""
        places = reached(first, last, index)
        here = [self.cells[number] for number in places]
        low, high = min(each.low for each in here), max(each.high for each in here)
        return Cell(low, high, places[0], places[-1], index)

    def item(self, array: str, index: Expr) -> Expr:
        """An item of an array."""
        low, high = self.arrays[array]
        return Item(low, high, array, index)

    def entry(self, table: str, index: Expr) -> Expr:
        """An entry of a table; folded where the range of the index leaves one value."""
        values = self.tables[table][max(index.low, 0) : index.high + 1]
        low, high = min(values), max(values)
        return const(low) if low == high else Entry(low, high, table, index)


def trusted(value: Expr, low: int, high: int, reason: str) -> Expr:
    """A value known to lie in a range, as far as its own range does not say so."""
    if low <= value.low and value.high <= high:
        return value
    return Trusted(max(low, value.low), min(high, value.high), value, reason)


OPERATORS: Final[Mapping[str, Callable[..., Expr]]] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "min": smaller,
    "max": larger,
    **{
        name: (lambda a, b, name=name: _comparison(name, a, b))
        for name in ("eq", "ne", "lt", "le", "gt", "ge")
    },
    "and": both,
    "or": either,
    "not": negate,
    "select": select,
    "bit_and": bit_and,
    "bit_or": bit_or,
    "shift_left": shift_left,
    "shift_right": shift_right,
    "mul_low": mul_low,
    "ones": ones,
}


def rebuilt(expr: Expr, change: Callable[[Expr], Expr], reader: Reader) -> Expr:
    """An expression with what is directly inside it changed, folded again if anything was."""
    if isinstance(expr, Op):
        args = [change(each) for each in expr.args]
        if all(new is old for new, old in zip(args, expr.args, strict=True)):
            return expr
        return OPERATORS[expr.name](*args)
    if isinstance(expr, Cell | Item | Entry):
        index = change(expr.index)
        return expr if index is expr.index else moved(expr, index, reader)
    if isinstance(expr, Trusted):
        value = change(expr.value)
        return expr if value is expr.value else trusted(value, expr.low, expr.high, expr.reason)
    return expr


def moved(expr: Cell | Item | Entry, index: Expr, reader: Reader) -> Expr:
    """A read of the same memory at another index."""
    if isinstance(expr, Cell):
        return reader.cell(expr.first, expr.last, index)
    if isinstance(expr, Item):
        return reader.item(expr.array, index)
    return reader.entry(expr.table, index)


def again(expr: Expr, reader: Reader) -> Expr:
    """An expression as its parts make it now: what its range should be."""
    if isinstance(expr, Op):
        return OPERATORS[expr.name](*expr.args)
    if isinstance(expr, Cell | Item | Entry):
        return moved(expr, expr.index, reader)
    return expr


def inner(expr: Expr) -> Sequence[Expr]:
    """The expressions directly inside one."""
    if isinstance(expr, Op):
        return expr.args
    if isinstance(expr, Cell | Item | Entry):
        return (expr.index,)
    return (expr.value,) if isinstance(expr, Trusted) else ()


def reads(expr: Expr) -> set[str]:
    """The names of the variables in an expression."""
    if isinstance(expr, Var):
        return {expr.name}
    found: set[str] = set()
    for each in inner(expr):
        found |= reads(each)
    return found
