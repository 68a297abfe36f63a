"""Elimination of unknowns: what is left holds exactly where the unknowns exist."""

from __future__ import annotations

from itertools import product

import pytest

from gemwright.validator.linear.affine import Constraint, at_least, at_most, equal, number, unknown
from gemwright.validator.linear.elimination import eliminated

X, Y = unknown(0), unknown(1)
U, V = unknown(-1), unknown(-2)
VALUES = range(-2, 8)


@pytest.mark.parametrize(
    "rows",
    [
        (at_least(U, number(1)), at_most(U, X)),
        (at_least(U, number(1)), at_most(U, X), at_most(U * 2, Y)),
        (equal(U, X - 2), at_least(U, number(0)), at_most(U + Y, number(4))),
        (at_least(U, number(0)), at_least(V, number(0)), equal(U + V, X), at_most(V, Y)),
        (at_least(U * 3, X), at_most(U, Y)),
        (at_least(X, number(2)), at_least(U, Y)),
    ],
    ids=["between", "halved", "solved", "two", "thirds", "free"],
)
def test_what_is_left_is_exact(rows: tuple[Constraint, ...]) -> None:
    left = eliminated(rows, [-1, -2])
    assert left is not None
    for x, y in product(range(-1, 6), repeat=2):
        exists = any(
            all(row.holds({0: x, 1: y, -1: u, -2: v}) for row in rows)
            for u, v in product(VALUES, repeat=2)
        )
        assert all(row.holds({0: x, 1: y}) for row in left) is exists, (x, y)


def test_what_cannot_be_said_simply_is_not_said() -> None:
    # Between x/2 and y/3 there need not be a whole number.
    assert eliminated((at_least(U * 2, X), at_most(U * 3, Y)), [-1]) is None


def test_impossible_rows_stay() -> None:
    left = eliminated((at_least(U, number(3)), at_most(U, number(1))), [-1])
    assert left is not None and not all(row.holds({}) for row in left)
