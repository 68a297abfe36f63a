"""Exact linear programming over bounded unknowns: feasibility and minima, with their reasons.

Every unknown and every constraint is a variable of a `Tableau`. Constraints over several unknowns
wait outside until they are broken where it stands: most of them never are.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

from gemwright.validator.linear.affine import Affine, Constraint
from gemwright.validator.linear.budget import Budget
from gemwright.validator.linear.simplex_rows import Row
from gemwright.validator.linear.tableau import Key, Reason, Tableau, merged

__all__ = ["Key", "Reason", "Simplex"]


class Simplex:
    """A conjunction of constraints. Add constraints, then ask; asking never changes the answer."""

    __slots__ = ("_budget", "_columns", "_pending", "_settled_at", "_slacks", "_sound", "_tableau")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._tableau = Tableau(budget)
        self._columns: dict[int, int] = {}
        self._slacks: dict[tuple[tuple[int, int], ...], int] = {}
        self._pending: list[tuple[Key, Constraint]] = []
        self._sound = True
        self._settled_at: int | None = None
        """The move of the tableau at which all constraints were known to hold."""

    @property
    def conflict(self) -> Reason | None:
        """Why there is no solution, once that is known; it is vacuous."""
        return self._tableau.conflict

    def copy(self) -> Simplex:
        """Another problem with the same constraints and basis."""
        other = Simplex(self._budget)
        other._tableau = self._tableau.copy()
        other._columns = dict(self._columns)
        other._slacks = dict(self._slacks)
        other._pending = list(self._pending)
        other._sound, other._settled_at = self._sound, self._settled_at
        return other

    # -- constraints

    def add(self, key: Key, constraint: Constraint) -> None:
        """Add a constraint; what is already known to have no solution stays so."""
        expression = constraint.expression
        if self.conflict is not None:
            return
        if not expression.terms:
            self._constant(key, expression.constant, constraint.equality)
            return
        if len(expression.terms) == 1 and abs(expression.terms[0][1]) == 1:
            unknown, sign = expression.terms[0]
            self._limit(self._column(unknown), sign, key, constraint)
        elif constraint.equality or not self._plain(expression):
            self._pending.append((key, constraint))
            self._sound, self._settled_at = False, None

    def _plain(self, expression: Affine) -> bool:
        """Whether the bounds of its unknowns alone make an expression at least 0."""
        total = expression.constant
        for unknown, coefficient in expression.terms:
            low, high = self.ends(unknown)
            bound = low if coefficient > 0 else high
            if bound is None:
                return False
            total += coefficient * bound
        return total >= 0

    def bound(self, unknown: int, low: int | None, high: int | None, keys: tuple[Key, Key]) -> None:
        """Bound an unknown from below and above; `keys` name the two premises."""
        column = self._column(unknown)
        if low is not None:
            self._raise_low(column, low, (keys[0], 1))
        if high is not None:
            self._lower_high(column, high, (keys[1], 1))

    def _constant(self, key: Key, value: int, equality: bool) -> None:
        if value < 0:
            self._tableau.conflict = Reason(1, ((key, 1),), -1 - value, True)
        elif equality and value > 0:
            self._tableau.conflict = Reason(1, ((key, -1),), -1 + value, True)

    def _column(self, unknown: int) -> int:
        column = self._columns.get(unknown)
        if column is None:
            column = self._columns[unknown] = self._tableau.variable()
        return column

    def _admit(self, chosen: Iterable[tuple[Key, Constraint]]) -> bool:
        """Take constraints that wait into the tableau; False if there are none."""
        entering = list(chosen)
        if not entering:
            return False
        names = {key for key, _ in entering}
        self._pending = [each for each in self._pending if each[0] not in names]
        for key, constraint in entering:
            terms = constraint.expression.terms
            sign = 1 if terms[0][1] > 0 else -1
            if sign < 0:
                terms = tuple((name, -value) for name, value in terms)
            self._limit(self._slack(terms), sign, key, constraint)
        self._sound = False
        return True

    def _slack(self, terms: tuple[tuple[int, int], ...]) -> int:
        """The basic variable that is a sum; constraints that differ in sign and constant share
        it."""
        column = self._slacks.get(terms)
        if column is None:
            column = self._slacks[terms] = self._tableau.variable(self._form(terms))
        return column

    def _limit(self, column: int, sign: int, key: Key, constraint: Constraint) -> None:
        """Bound a variable by a constraint that is `sign * variable + constant`."""
        bound = -constraint.expression.constant * sign
        if sign > 0 or constraint.equality:
            self._raise_low(column, bound, (key, sign))
        if sign < 0 or constraint.equality:
            self._lower_high(column, bound, (key, -sign))

    def _form(self, terms: Iterable[tuple[int, int]]) -> Row:
        """A sum of unknowns as a row."""
        return self._tableau.form((self._column(unknown), factor) for unknown, factor in terms)

    def _raise_low(self, column: int, bound: int, why: tuple[Key, int]) -> None:
        if self._tableau.raise_low(column, bound, why):
            self._sound = False

    def _lower_high(self, column: int, bound: int, why: tuple[Key, int]) -> None:
        if self._tableau.lower_high(column, bound, why):
            self._sound = False

    # -- questions

    @property
    def feasible(self) -> bool:
        """Whether some rational values satisfy all constraints."""
        while self.conflict is None and not self._sound:
            self._tableau.repair()
            if self.conflict is None:
                self._sound = not self._admit(self._violated())
        return self.conflict is None

    def minimum(self, expression: Affine, enough: int | None = None) -> Reason | None:
        """Why an expression is not less than its minimum `rest / scale`; None when it has none.

        With `enough` the search ends as soon as the answer is clear: None when a solution with a
        value of at most `enough` is known, and a reason when there is none, be it not of the least
        value. Only when feasible.
        """
        assert self.feasible
        self._budget.spend()
        goal = self._form(expression.terms)
        while True:
            value = self._tableau.total(goal) + expression.constant * goal.denominator
            if enough is not None and value <= enough * goal.denominator:
                if not self._admit(self._violated()):
                    return None
            else:
                entering = self._tableau.descent(goal)
                if entering is None:
                    if enough is not None or not self._admit(self._violated()):
                        return self._tableau.reason(goal, expression.constant)
                elif self._tableau.advance(entering, goal):
                    continue
                elif not self._admit(self._crossed(entering, goal)):
                    return None
            assert self.feasible, "what is admitted late was asked for before"
            goal = self._form(expression.terms)

    def claim(self, expression: Affine) -> Reason | None:
        """Why `expression >= 0` holds for all integer solutions; None if a rational solution
        with at most -1 exists."""
        if not self.feasible:
            return self.conflict
        self._budget.touch(len(expression.terms))
        quick = self.quick(expression)
        if quick is not None and quick.enough:
            return quick
        found = self.minimum(expression, -1)
        return found if found is not None and found.enough else None

    def ends(self, unknown: int) -> tuple[int | None, int | None]:
        """The bounds that constraints on one unknown alone give it."""
        column = self._columns.get(unknown)
        return (
            (None, None)
            if column is None
            else (self._tableau.low[column], self._tableau.high[column])
        )

    def quick(self, expression: Affine) -> Reason | None:
        """A lower bound by the bounds of the unknowns alone, None if they give none."""
        total, used = expression.constant, []
        for unknown, coefficient in expression.terms:
            low, high = self.ends(unknown)
            bound = low if coefficient > 0 else high
            if bound is None:
                return None
            total += coefficient * bound
            used.append(self._tableau.premise(self._columns[unknown], coefficient))
        return Reason(1, merged(used), total)

    def point(self, unknowns: Iterable[int]) -> tuple[dict[int, int], int]:
        """A solution: numerators per unknown and their common denominator. Only when feasible."""
        while self._admit(self._violated()):
            assert self.feasible
        return self._here(unknowns)

    def _here(self, unknowns: Iterable[int]) -> tuple[dict[int, int], int]:
        columns = [(unknown, self._columns.get(unknown)) for unknown in unknowns]
        scale = 1
        for _, column in columns:
            row = None if column is None else self._tableau.rows.get(column)
            if row is not None:
                scale = scale * row.denominator // gcd(scale, row.denominator)
        found = {}
        for unknown, column in columns:
            if column is None:
                found[unknown] = 0
                continue
            row = self._tableau.rows.get(column)
            if row is None:
                found[unknown] = self._tableau.value[column] * scale
            else:
                found[unknown] = self._tableau.total(row) * (scale // row.denominator)
        return found, scale

    def _violated(self) -> list[tuple[Key, Constraint]]:
        """The constraints outside of the tableau that do not hold where it stands."""
        if self._settled_at == self._tableau.moves or not self._pending:
            return []
        values, scale = self._here(
            {u for _, each in self._pending for u, _ in each.expression.terms}
        )
        found = []
        self._budget.touch(sum(len(each.expression.terms) for _, each in self._pending))
        for key, constraint in self._pending:
            total = constraint.expression.constant * scale
            for name, coefficient in constraint.expression.terms:
                total += coefficient * values[name]
            if total < 0 or (constraint.equality and total):
                found.append((key, constraint))
        self._settled_at = None if found else self._tableau.moves
        return found

    def _crossed(self, entering: int, goal: Row) -> list[tuple[Key, Constraint]]:
        """Those that do not hold for ever when a variable goes where it lowers the goal."""
        way = -1 if goal.coefficients[entering] > 0 else 1
        rates: dict[int, Fraction] = {}
        for name, column in self._columns.items():
            row = self._tableau.rows.get(column)
            if row is not None:
                rates[name] = Fraction(way * row.coefficients.get(entering, 0), row.denominator)
            elif column == entering:
                rates[name] = Fraction(way)
        found = []
        for key, constraint in self._pending:
            terms = constraint.expression.terms
            rate = sum((c * rates[name] for name, c in terms if name in rates), Fraction(0))
            if rate < 0 or (constraint.equality and rate):
                found.append((key, constraint))
        return found
