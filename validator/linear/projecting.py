"""Taking unknowns out of constraints: what is left holds just where some values of them exist.

Unknowns that an equation gives are put in; then others are projected away (Fourier and Motzkin)
where all their factors are 1 or -1, so that integers stay exact, and where few rows arise.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import Final

from gemwright.validator.linear.affine import Constraint, affine

_GROWTH: Final = 8
"""An unknown is projected away where that makes at most so many rows more."""

Terms = dict[int, int]


class _Row:
    """`sum of terms + constant >= 0`, or `= 0`."""

    __slots__ = ("constant", "is_equal", "terms")

    def __init__(self, terms: Terms, constant: int, is_equal: bool) -> None:
        self.terms = terms
        self.constant = constant
        self.is_equal = is_equal

    def put(self, name: int, value: _Row, sign: int) -> None:
        """Put in what an unknown is: `value` is 0 and has `sign` times the unknown."""
        factor = -sign * self.terms[name]
        for other, share in value.terms.items():
            total = self.terms.get(other, 0) + factor * share
            if total:
                self.terms[other] = total
            else:
                del self.terms[other]
        self.constant += factor * value.constant

    def plus(self, other: _Row) -> _Row:
        """The sum of two rows."""
        terms = dict(self.terms)
        for name, factor in other.terms.items():
            total = terms.get(name, 0) + factor
            if total:
                terms[name] = total
            else:
                del terms[name]
        return _Row(terms, self.constant + other.constant, False)

    def tidy(self) -> None:
        """Divide by what all factors share; the constant of an inequality is rounded down."""
        shared = gcd(*self.terms.values()) if self.terms else 1
        if shared > 1 and not (self.is_equal and self.constant % shared):
            self.terms = {name: factor // shared for name, factor in self.terms.items()}
            self.constant //= shared


def project(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Rows with as few negative unknowns as may be. Each term is met once; sure rows are gone."""
    rows = [_Row(dict(c.expression.terms), c.expression.constant, c.equality) for c in constraints]
    rows = _strongest(_solved(rows))
    while (fewer := _without_one(rows)) is not None:
        rows = fewer
    return [Constraint(affine(row.terms.items(), row.constant), row.is_equal) for row in rows]


def _solved(rows: list[_Row]) -> list[_Row]:
    """Rows without the unknowns that equations give, short equations first."""
    while True:
        equations = sorted((row for row in rows if row.is_equal), key=lambda row: len(row.terms))
        found = next(((row, name) for row in equations if (name := _given(row)) is not None), None)
        if found is None:
            return rows
        value, name = found
        sign = value.terms[name]
        rows = [row for row in rows if row is not value]
        for row in rows:
            if name in row.terms:
                row.put(name, value, sign)


def _given(row: _Row) -> int | None:
    """An unknown that an equation gives by the others."""
    return next((n for n, factor in row.terms.items() if n < 0 and abs(factor) == 1), None)


def _strongest(rows: Iterable[_Row]) -> list[_Row]:
    """Of inequalities with the same terms the strongest one; no row twice, none that is sure."""
    least: dict[tuple[frozenset[tuple[int, int]], int | None], _Row] = {}
    for row in rows:
        row.tidy()
        if not row.terms and (row.constant == 0 or (row.constant > 0 and not row.is_equal)):
            continue
        name = frozenset(row.terms.items()), row.constant if row.is_equal else None
        if name not in least or row.constant < least[name].constant:
            least[name] = row
    return list(least.values())


def _without_one(rows: list[_Row]) -> list[_Row] | None:
    """The rows without the unknown that is cheapest to project away; None if none is cheap."""
    sides: dict[int, list[int]] = {}
    for row in rows:
        for name, factor in row.terms.items():
            if name < 0:
                counted = sides.setdefault(name, [0, 0, 0])
                exact = abs(factor) == 1 and not row.is_equal
                counted[(0 if factor > 0 else 1) if exact else 2] += 1
    best: tuple[int, int] | None = None
    for name, (above, below, inexact) in sorted(sides.items(), reverse=True):
        growth = above * below - above - below
        if not inexact and growth <= _GROWTH and (best is None or growth < best[0]):
            best = growth, name
    if best is None:
        return None
    kept, lows, highs = list[_Row](), list[_Row](), list[_Row]()
    for row in rows:
        factor = row.terms.get(best[1], 0)
        (lows if factor > 0 else highs if factor else kept).append(row)
    return _strongest([*kept, *(low.plus(high) for low in lows for high in highs)])
