"""Place invariants: sums of cells that no step changes.

They are the integer left null space of the incidence matrix whose rows are cells and whose columns
are the changes of the steps, one column per unknown that a change depends on. What a guard says by
equalities counts: a step that is taken only with an empty zone may use that it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd

from gemwright.validator.abstraction.transitions import Cell
from gemwright.validator.linear.affine import Affine, affine, parameter
from gemwright.validator.proof.steps import Step

_ONE = None
"""The key of the constant in a combination."""

Combination = dict[int | None, Fraction]


def place_invariants(cells: Sequence[Cell], steps: Iterable[Step]) -> list[Affine]:
    """A basis of the sums of cells that every step leaves as they are.

    Cells that no step changes are one each. Coefficients are integers without a common factor, the
    first is positive; sorted by the last cell that occurs.
    """
    columns: list[dict[int, Fraction]] = []
    changed: set[int] = set()
    for step in steps:
        changed.update(cell for cell, _ in step.changes)
        columns.extend(_columns(cells, step))
    basis = [affine([(cell, 1)]) for cell in range(len(cells)) if cell not in changed]
    basis.extend(_null_space(sorted(changed), columns))
    return sorted(basis, key=lambda each: (each.terms[-1][0], each.terms))


def _columns(cells: Sequence[Cell], step: Step) -> list[dict[int, Fraction]]:
    """For each unknown how much the change of each cell depends on it."""
    if not step.changes:
        return []
    known = _equalities(cells, step)
    found: dict[int | None, dict[int, Fraction]] = {}
    for cell, change in step.changes:
        for key, value in _reduced(change, known).items():
            found.setdefault(key, {})[cell] = value
    return [found[key] for key in sorted(found, key=lambda k: (k is not None, k or 0))]


def _equalities(cells: Sequence[Cell], step: Step) -> list[tuple[int, Combination]]:
    """What the guard says by equalities, solved: `unknown = combination`, one after the other."""
    solved: list[tuple[int, Combination]] = []
    for expression in (*_pinned(cells, step), *_equal(step)):
        rest = _reduced(expression, solved)
        unknowns = sorted(key for key, value in rest.items() if key is not None and value)
        if unknowns:
            pivot = unknowns[0]
            factor = -1 / rest.pop(pivot)
            solved.append((pivot, {key: value * factor for key, value in rest.items()}))
    return solved


def _equal(step: Step) -> Iterable[Affine]:
    return (each.expression for each in step.guard if each.equality)


def _pinned(cells: Sequence[Cell], step: Step) -> Iterable[Affine]:
    """Unknowns whose bounds leave one value."""
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    ranges = [(cell, each.low, each.high) for cell, each in enumerate(cells)]
    ranges += [(parameter(k), *each) for k, each in enumerate(step.ranges)]
    for name, least, most in ranges:
        if least is not None:
            low[name] = least
        if most is not None:
            high[name] = most
    for constraint in step.guard:
        terms = constraint.expression.terms
        if len(terms) == 1 and not constraint.equality and abs(terms[0][1]) == 1:
            name, sign = terms[0]
            bound = -constraint.expression.constant * sign
            if sign > 0:
                low[name] = max(low.get(name, bound), bound)
            else:
                high[name] = min(high.get(name, bound), bound)
    for name in sorted(low):
        if high.get(name) == low[name]:
            yield affine([(name, 1)], -low[name])


def _reduced(expression: Affine, solved: list[tuple[int, Combination]]) -> Combination:
    """An expression with what is solved put in."""
    rest: Combination = {name: Fraction(value) for name, value in expression.terms}
    rest[_ONE] = Fraction(expression.constant)
    for name, combination in solved:
        factor = rest.pop(name, None)
        if factor:
            for key, value in combination.items():
                rest[key] = rest.get(key, Fraction(0)) + factor * value
    return {key: value for key, value in rest.items() if value}


def _null_space(rows: Sequence[int], columns: Sequence[dict[int, Fraction]]) -> list[Affine]:
    """All `y` with `sum of y[row] * column[row] = 0` for every column, as a basis."""
    pivots: list[tuple[int, dict[int, Fraction]]] = []
    for column in columns:
        left = dict(column)
        for pivot, equation in pivots:
            factor = left.pop(pivot, None)
            if factor:
                for row, value in equation.items():
                    total = left.get(row, Fraction(0)) - factor * value
                    if total:
                        left[row] = total
                    else:
                        left.pop(row, None)
        if left:
            pivot = min(left)
            scale = left.pop(pivot)
            pivots.append((pivot, {row: value / scale for row, value in left.items()}))
    fixed = {pivot for pivot, _ in pivots}
    return [_vector(free, pivots) for free in rows if free not in fixed]


def _vector(free: int, pivots: list[tuple[int, dict[int, Fraction]]]) -> Affine:
    """The vector with 1 in a free row and 0 in the other free rows."""
    values: dict[int, Fraction] = {free: Fraction(1)}
    for pivot, equation in reversed(pivots):
        total = sum(
            (value * values.get(row, Fraction(0)) for row, value in equation.items()), Fraction(0)
        )
        values[pivot] = -total
    scale = 1
    for value in values.values():
        scale = scale * value.denominator // gcd(scale, value.denominator)
    whole = {row: int(value * scale) for row, value in values.items() if value}
    common = gcd(*whole.values())
    sign = 1 if whole[min(whole)] > 0 else -1
    return affine((row, sign * value // common) for row, value in whole.items())
