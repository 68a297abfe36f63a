"""Rows of a tableau: one variable as a sum of others, in integers over a positive denominator."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd


class Row:
    """`denominator * basic variable = sum of coefficient * other variable`, denominator > 0."""

    __slots__ = ("coefficients", "denominator")

    def __init__(self, denominator: int, coefficients: dict[int, int]) -> None:
        self.denominator = denominator
        self.coefficients = coefficients


def put(row: Row, coefficients: Mapping[int, int]) -> None:
    """Add multiples of variables, over the denominator of the row."""
    for variable, coefficient in coefficients.items():
        total = row.coefficients.get(variable, 0) + coefficient
        if total:
            row.coefficients[variable] = total
        else:
            row.coefficients.pop(variable, None)


def put_row(row: Row, factor: int, other: Row) -> None:
    """Add `factor * (what other stands for)`; factor is over row's denominator 1."""
    common = other.denominator // gcd(other.denominator, row.denominator)
    if common != 1:
        row.denominator *= common
        for variable in row.coefficients:
            row.coefficients[variable] *= common
    times = factor * (row.denominator // other.denominator)
    put(row, {v: c * times for v, c in other.coefficients.items()})
    shrink(row)


def replace_by(row: Row, variable: int, solved: Row) -> None:
    """Put in what a variable stands for."""
    coefficient = row.coefficients.pop(variable, 0)
    if not coefficient:
        return
    if solved.denominator != 1:
        shared = gcd(coefficient, solved.denominator)
        common = solved.denominator // shared
        coefficient //= shared
        if common != 1:
            row.denominator *= common
            for each in row.coefficients:
                row.coefficients[each] *= common
    put(row, {v: c * coefficient for v, c in solved.coefficients.items()})
    if row.denominator != 1:
        shrink(row)


def shrink(row: Row) -> None:
    """Take out what all numbers of a row share."""
    if row.denominator != 1:
        common = gcd(row.denominator, *row.coefficients.values())
        if common > 1:
            row.denominator //= common
            for variable in row.coefficients:
                row.coefficients[variable] //= common
