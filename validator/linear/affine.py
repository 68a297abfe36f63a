"""Integer affine expressions and constraints over numbered unknowns.

An unknown is an integer: `0, 1, 2, ...` are the cells of a transition system, `-1, -2, ...` the
parameters of the edge at hand (`parameter(0)` is -1). Expressions are canonical: terms sorted by
unknown, no zero coefficient, so that equal expressions are equal values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import gcd


def parameter(position: int) -> int:
    """The unknown that stands for the parameter at a position of an edge."""
    return -1 - position


@dataclass(frozen=True, slots=True)
class Affine:
    """`constant + sum of coefficient * unknown`, all integers.

    Build it with `affine`, `unknown` and `number`, and with `+`, `-` and `*`.
    """

    terms: tuple[tuple[int, int], ...]
    constant: int

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        if not other.terms:
            return Affine(self.terms, self.constant + other.constant)
        return affine([*self.terms, *other.terms], self.constant + other.constant)

    def __sub__(self, other: Affine | int) -> Affine:
        return self + (-other)

    def __neg__(self) -> Affine:
        return self * -1

    def __mul__(self, factor: int) -> Affine:
        if factor == 0:
            return ZERO
        return Affine(tuple((u, c * factor) for u, c in self.terms), self.constant * factor)

    @property
    def is_number(self) -> bool:
        """Whether no unknown is left."""
        return not self.terms

    def coefficient(self, of: int) -> int:
        """The coefficient of an unknown, 0 if it does not occur."""
        return next((c for u, c in self.terms if u == of), 0)

    def substitute(self, values: Mapping[int, Affine]) -> Affine:
        """The expression with some unknowns replaced."""
        if all(u not in values for u, _ in self.terms):
            return self
        terms: list[tuple[int, int]] = []
        constant = self.constant
        for u, c in self.terms:
            value = values.get(u)
            if value is None:
                terms.append((u, c))
            else:
                terms.extend((v, c * d) for v, d in value.terms)
                constant += c * value.constant
        return affine(terms, constant)

    def value(self, of: Callable[[int], int] | Mapping[int, int]) -> int:
        """The number that it is when the unknowns have these values."""
        read = of.__getitem__ if isinstance(of, Mapping) else of
        return self.constant + sum(c * read(u) for u, c in self.terms)


def affine(terms: Iterable[tuple[int, int]], constant: int = 0) -> Affine:
    """An expression from terms in any order, unknowns possibly several times."""
    found: dict[int, int] = {}
    for u, c in terms:
        found[u] = found.get(u, 0) + c
    return Affine(tuple(sorted((u, c) for u, c in found.items() if c)), constant)


def unknown(number: int) -> Affine:
    """The expression that is one unknown."""
    return Affine(((number, 1),), 0)


def number(value: int) -> Affine:
    """The expression that is a number."""
    return Affine((), value)


ZERO = Affine((), 0)
ONE = Affine((), 1)


@dataclass(frozen=True, slots=True)
class Constraint:
    """`expression >= 0`, or `expression = 0` when `equality`. All unknowns are integers.

    Build it with `at_least`, `at_most` and `equal`; these divide by the common factor of the
    coefficients and round the constant of an inequality down, which loses no integer point.
    """

    expression: Affine
    equality: bool = False

    def holds(self, of: Callable[[int], int] | Mapping[int, int]) -> bool:
        """Whether it holds for these values."""
        value = self.expression.value(of)
        return value == 0 if self.equality else value >= 0

    def substitute(self, values: Mapping[int, Affine]) -> Constraint:
        """The constraint with some unknowns replaced, otherwise as it is."""
        return Constraint(self.expression.substitute(values), self.equality)

    @property
    def negation(self) -> tuple[Constraint, ...]:
        """Alternatives that together are its negation over the integers."""
        below = _tidy(-self.expression - 1, False)
        return (below, _tidy(self.expression - 1, False)) if self.equality else (below,)


def at_least(left: Affine, right: Affine | int) -> Constraint:
    """`left >= right`."""
    return _tidy(left - right, False)


def at_most(left: Affine, right: Affine | int) -> Constraint:
    """`left <= right`."""
    return _tidy((-left) + right, False)


def equal(left: Affine, right: Affine | int) -> Constraint:
    """`left = right`."""
    return _tidy(left - right, True)


def _tidy(expression: Affine, equality: bool) -> Constraint:
    factor = gcd(*(c for _, c in expression.terms)) if expression.terms else 0
    if equality and expression.terms and expression.terms[0][1] < 0:
        expression = -expression
    if factor > 1 and not (equality and expression.constant % factor):
        terms = tuple((u, c // factor) for u, c in expression.terms)
        return Constraint(Affine(terms, expression.constant // factor), equality)
    return Constraint(expression, equality)
