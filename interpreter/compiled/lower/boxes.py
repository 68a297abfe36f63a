"""Counting lots of bounded counts with one sum: polynomials with coefficients in bits of a number.

What can be picked of one kind, 0 .. b pieces, is the polynomial 1 + x + .. + x^b; in the product
over kinds the coefficient of x^s is the number of lots with s pieces (generating functions; see
Wilf, "generatingfunctionology", chapter 3). Coefficients are lanes of equal width in one integer
of `LOW_BITS` bits, so a kind costs one multiplication. Lanes above the one that is read may
overflow into each other, never into one below.

A lot of s pieces is also one that leaves all the others, so the smaller of both numbers decides
how many lanes there must be.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import perm
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import LOW_BITS, Break, Expr, Var
from gemwright.interpreter.compiled.lower.terms import Terms

WIDE: Final = 3
"""Pieces for which there must be lanes, or nested loops do as well."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Lots with `low..high` of each kind and `least..most` pieces, if a condition `holds`.

    `total` are the sums of all lows and of all highs.
    """

    kinds: tuple[tuple[Expr, Expr], ...]
    total: tuple[Expr, Expr]
    least: Expr
    most: Expr
    holds: Expr


class Box:
    """Counts the lots of `Sums`, and finds one, in the order of their counts.

    Attributes:
        some: whether there is a lot at all.
        fits: whether there are lanes enough; the rest may be asked only if both hold.
    """

    def __init__(self, terms: Terms, sums: Sums) -> None:
        self._terms = terms
        self._w = w = terms.w
        self._lows = [low for low, _ in sums.kinds]
        self._room = [w.let(ops.sub(high, low)) for low, high in sums.kinds]
        # What is missing to the most is one kind more, picked last.
        spare = w.let(ops.sub(sums.most, sums.least))
        self._spare = () if spare == ops.FALSE else (spare,)
        self._all = w.let(ops.sub(sums.most, sums.total[0]))
        left = w.let(ops.sub(ops.add(sums.total[1], spare), sums.most))
        self._turned = w.let(ops.compare("<", left, self._all))
        few = w.let(ops.smaller(self._all, left))
        self._top = _top(len(self._room) + len(self._spare), max(few.high, 0))
        self._width = _width(len(self._room) + len(self._spare), self._top)
        self.fits = ops.compare("<=", few, ops.const(self._top))
        self.some = ops.both(sums.holds, ops.compare(">=", few, ops.FALSE))
        for each in self._room:
            self.some = ops.both(self.some, ops.compare(">=", each, ops.FALSE))
        self._many: Expr = ops.FALSE
        self._few = ops.trusted(few, 0, self._top, "asked before")

    @property
    def is_wide(self) -> bool:
        """Whether there are lanes for all lots, or for more than those of a few pieces."""
        return self.fits == ops.TRUE or (self._top >= WIDE and self.fits != ops.FALSE)

    def count(self) -> Expr:
        """How many lots there are."""
        product: Expr = ops.TRUE
        for room in (*self._spare, *reversed(self._room)):
            product = ops.mul_low(product, self._polynomial(room))
        self._many = self._w.let(self._ways(product, self._few))
        return self._many

    def descend(self, number: Expr) -> list[Expr]:
        """The counts of lot `number`, which is below what `count` gave before.

        What is left of each kind by the lots in their order are lots in the opposite order.
        """
        w = self._w
        last = ops.sub(ops.sub(self._many, ops.TRUE), number)
        turned = ops.trusted(last, 0, number.high, "the number is below the count")
        left = w.changing(
            "left", ops.select(self._turned, turned, number), 0, max(number.high, turned.high)
        )
        rest = w.changing("rest", self._few, 0, self._top)
        picked: list[Expr] = []
        for low, room, products in zip(self._lows, self._room, self._after(), strict=True):
            room = ops.trusted(room, 0, max(room.high, 0), "asked before")
            taken = self._taken(room, products, left, rest)
            count = ops.select(self._turned, ops.sub(room, taken), taken)
            count = ops.trusted(count, 0, max(room.high, 0), "no more is taken than there is")
            picked.append(w.let(ops.add(low, count)))
        return picked

    def _taken(self, room: Expr, products: Expr, left: Var, rest: Var) -> Expr:
        """How many of a kind are in the lot whose number is `left`; the rest goes to the others."""
        w = self._w
        if products == ops.TRUE:
            return ops.trusted(rest, 0, max(room.high, 0), "no other kind takes it")
        found = w.changing("found", ops.FALSE, 0, room.high)
        with w.each("n", ops.FALSE, w.let(ops.smaller(room, rest))) as count:
            open = w.let(ops.trusted(ops.sub(rest, count), 0, self._top, "no more than rest"))
            ways = w.let(self._ways(products, open))
            with w.when(ops.compare("<", left, ways)):
                w.set(found, count)
                w.set(rest, open)
                w.emit(Break())
            w.set(left, ops.trusted(ops.sub(left, ways), 0, left.high, "not below the ways"))
        return found

    def _after(self) -> list[Expr]:
        """Per kind the product of the polynomials of all kinds after it."""
        products: list[Expr] = [ops.TRUE]
        for room in (*self._spare, *reversed(self._room)):
            products.append(self._w.let(ops.mul_low(products[-1], self._polynomial(room))))
        return products[len(self._spare) : -1][::-1]

    def _polynomial(self, room: Expr) -> Expr:
        """1 + x + .. + x^room without the powers that have no lane."""
        powers = [
            sum(1 << self._width * at for at in range(most + 1)) for most in range(self._top + 1)
        ]
        most = ops.smaller(room, ops.const(self._top))
        most = ops.trusted(most, 0, self._top, "asked before")
        return self._terms.memory.entry("powers", powers, most)

    def _ways(self, products: Expr, pieces: Expr) -> Expr:
        """The coefficient of x^pieces."""
        lane = ops.shift_right(products, ops.mul(pieces, ops.const(self._width)))
        return ops.bit_and(lane, ops.const((1 << self._width) - 1))


def _width(kinds: int, top: int) -> int:
    """The bits of the greatest coefficient of x^top and less, whatever the bounds are."""
    return (perm(top + kinds - 1, top) // perm(top, top)).bit_length()


def _top(kinds: int, wanted: int) -> int:
    """The power up to which there is place for lanes, no more than is wanted."""
    top = 0
    while top < wanted and _width(kinds, top + 1) * (top + 2) <= LOW_BITS:
        top += 1
    return top
