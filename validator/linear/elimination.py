"""When do unknowns exist? Elimination of unknowns from constraints, exactly over the integers.

An unknown can be eliminated exactly if it has coefficient 1 or -1 in all of its lower bounds or in
all of its upper bounds: then an integer lies between two integer-valued ends whenever they are in
order. Where that is not so, the answer is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gemwright.validator.linear.affine import Affine, Constraint, affine

MOST_ROWS: Final = 400


def eliminated(
    constraints: Iterable[Constraint], unknowns: Sequence[int]
) -> tuple[Constraint, ...] | None:
    """Constraints on the other unknowns that hold exactly if these can be chosen; None if that
    cannot be said so simply."""
    rows = list(dict.fromkeys(constraints))
    left = [u for u in unknowns if any(row.expression.coefficient(u) for row in rows)]
    while left:
        choice = next((u for u in left if _solvable(u, rows)), None)
        if choice is None:
            choice = next((u for u in left if _projectable(u, rows)), None)
        if choice is None:
            return None
        rows = _without(choice, rows)
        if len(rows) > MOST_ROWS:
            return None
        left = [u for u in left if u != choice and any(r.expression.coefficient(u) for r in rows)]
    return tuple(row for row in rows if not _holds_always(row))


def _solvable(u: int, rows: list[Constraint]) -> bool:
    return any(row.equality and abs(row.expression.coefficient(u)) == 1 for row in rows)


def _projectable(u: int, rows: list[Constraint]) -> bool:
    """Whether all lower or all upper bounds are whole numbers."""
    if any(row.equality and row.expression.coefficient(u) for row in rows):
        return False
    coefficients = [row.expression.coefficient(u) for row in rows]
    lower = [c for c in coefficients if c > 0]
    upper = [c for c in coefficients if c < 0]
    return all(c == 1 for c in lower) or all(c == -1 for c in upper)


def _without(u: int, rows: list[Constraint]) -> list[Constraint]:
    for row in rows:
        factor = row.expression.coefficient(u)
        if row.equality and abs(factor) == 1:
            rest = affine((v, c) for v, c in row.expression.terms if v != u)
            value = (rest + row.expression.constant) * -factor
            others = (each for each in rows if each is not row)
            return list(dict.fromkeys(each.substitute({u: value}) for each in others))
    kept = [row for row in rows if not row.expression.coefficient(u)]
    lower = [row.expression for row in rows if row.expression.coefficient(u) > 0]
    upper = [row.expression for row in rows if row.expression.coefficient(u) < 0]
    kept += [_paired(u, low, high) for low in lower for high in upper]
    return list(dict.fromkeys(kept))


def _paired(u: int, low: Affine, high: Affine) -> Constraint:
    """From `a*u + low >= 0` and `-b*u + high >= 0`, a or b being 1: `b*low + a*high >= 0`."""
    a, b = low.coefficient(u), -high.coefficient(u)
    expression = low * b + high * a
    return Constraint(affine(expression.terms, expression.constant))


def _holds_always(row: Constraint) -> bool:
    if not row.expression.is_number:
        return False
    value = row.expression.constant
    return value == 0 if row.equality else value >= 0
