"""Exact linear programming over bounded unknowns: feasibility and minima, with their reasons.

The tableau is that of the general simplex method of Dutertre and de Moura ("A fast
linear-arithmetic solver for DPLL(T)", CAV 2006): every unknown and every constraint is a variable
with bounds, basic variables are sums of the others, the others stand at integers (a bound, or 0).
Rows are integers over a positive denominator, so nothing is rounded. Bland's rule makes it stop and
makes it deterministic.

Reasons are Farkas multipliers: `scale * claim = sum of multiplier * premise + rest`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from gemwright.validator.affine import Affine, Constraint
from gemwright.validator.budget import Budget
from gemwright.validator.simplex_rows import Row, put, put_row, replace_by, shrink

Key = str
"""Names a premise within the problem at hand."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why `claim >= 0`, or why nothing satisfies the premises (`vacuous`).

    `scale * claim = sum of multiplier * premise + rest`, with -1 in place of the claim if vacuous.
    `scale` >= 1; a premise is `expression >= 0` with a multiplier >= 0, or `expression = 0` with
    one of either sign. As unknowns are integers, rest > -scale suffices: the claim is > -1 then.
    """

    scale: int
    multipliers: tuple[tuple[Key, int], ...]
    rest: int
    vacuous: bool = False

    @property
    def floor(self) -> int:
        """The least integer that an expression may have whose minimum this is the reason of."""
        return -(-self.rest // self.scale)

    @property
    def enough(self) -> bool:
        """Whether the claim follows."""
        return self.rest > -self.scale


class Simplex:
    """A conjunction of constraints. Add constraints, then ask; asking never changes the answer."""

    __slots__ = (
        "_budget",
        "_columns",
        "_high",
        "_high_why",
        "_low",
        "_low_why",
        "_pending",
        "_rows",
        "_settled",
        "_slacks",
        "_sound",
        "_value",
        "conflict",
    )

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._columns: dict[int, int] = {}
        self._low: list[int | None] = []
        self._high: list[int | None] = []
        self._low_why: list[tuple[Key, int]] = []
        self._high_why: list[tuple[Key, int]] = []
        self._value: list[int] = []
        self._rows: dict[int, Row] = {}
        self._slacks: dict[tuple[tuple[int, int], ...], int] = {}
        self._pending: list[tuple[Key, Constraint]] = []
        self._sound = True
        self._settled = False
        """Whether all constraints are known to hold where the tableau stands."""
        self.conflict: Reason | None = None
        """Why there is no solution, once that is known; it is vacuous."""

    def copy(self) -> Simplex:
        """Another problem with the same constraints and basis."""
        other = Simplex(self._budget)
        other._columns = dict(self._columns)
        other._low, other._high = list(self._low), list(self._high)
        other._low_why, other._high_why = list(self._low_why), list(self._high_why)
        other._value = list(self._value)
        self._budget.touch(len(self._value) + sum(len(r.coefficients) for r in self._rows.values()))
        other._rows = {
            basic: Row(row.denominator, dict(row.coefficients)) for basic, row in self._rows.items()
        }
        other._slacks = dict(self._slacks)
        other._pending = list(self._pending)
        other._sound, other._settled = self._sound, self._settled
        other.conflict = self.conflict
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
            self._sound = self._settled = False

    def _plain(self, expression: Affine) -> bool:
        """Whether the bounds of its unknowns alone make an expression at least 0."""
        total = expression.constant
        for unknown, coefficient in expression.terms:
            column = self._columns.get(unknown)
            if column is None:
                return False
            bound = (self._low if coefficient > 0 else self._high)[column]
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
            self.conflict = Reason(1, ((key, 1),), -1 - value, True)
        elif equality and value > 0:
            self.conflict = Reason(1, ((key, -1),), -1 + value, True)

    def _column(self, unknown: int) -> int:
        column = self._columns.get(unknown)
        if column is None:
            column = self._columns[unknown] = self._variable()
        return column

    def _variable(self) -> int:
        for bounds in (self._low, self._high):
            bounds.append(None)
        for reasons in (self._low_why, self._high_why):
            reasons.append(("", 1))
        self._value.append(0)
        return len(self._value) - 1

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
            row = self._form(terms)
            column = self._slacks[terms] = self._variable()
            self._rows[column] = row
        return column

    def _limit(self, column: int, sign: int, key: Key, constraint: Constraint) -> None:
        """Bound a variable by a constraint that is `sign * variable + constant`."""
        bound = -constraint.expression.constant * sign
        if sign > 0 or constraint.equality:
            self._raise_low(column, bound, (key, sign))
        if sign < 0 or constraint.equality:
            self._lower_high(column, bound, (key, -sign))

    def _form(self, terms: Iterable[tuple[int, int]]) -> Row:
        """A sum of unknowns over non-basic variables."""
        row = Row(1, {})
        for unknown, coefficient in terms:
            column = self._column(unknown)
            basic = self._rows.get(column)
            if basic is None:
                put(row, {column: coefficient * row.denominator})
            else:
                put_row(row, coefficient, basic)
        return row

    def _raise_low(self, column: int, bound: int, why: tuple[Key, int]) -> None:
        """`why`: a premise and its factor in `variable - bound >= 0`."""
        low, high = self._low[column], self._high[column]
        if self.conflict is not None or (low is not None and low >= bound):
            return
        self._low[column], self._low_why[column] = bound, why
        self._bounded(column, high is not None and high < bound)
        if column not in self._rows and self._value[column] < bound:
            self._value[column] = bound

    def _lower_high(self, column: int, bound: int, why: tuple[Key, int]) -> None:
        """`why`: a premise and its factor in `bound - variable >= 0`."""
        low, high = self._low[column], self._high[column]
        if self.conflict is not None or (high is not None and high <= bound):
            return
        self._high[column], self._high_why[column] = bound, why
        self._bounded(column, low is not None and low > bound)
        if column not in self._rows and self._value[column] > bound:
            self._value[column] = bound

    def _bounded(self, column: int, clash: bool) -> None:
        self._sound = self._settled = False
        if clash:
            low, high = self._low[column], self._high[column]
            assert low is not None and high is not None
            used = (self._bound(column, 1), self._bound(column, -1))
            self.conflict = Reason(1, _merged(used), low - high - 1, True)

    # -- questions

    @property
    def feasible(self) -> bool:
        """Whether some rational values satisfy all constraints."""
        while self.conflict is None and not self._sound:
            self._repair()
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
            value = self._sum(goal) + expression.constant * goal.denominator
            if enough is not None and value <= enough * goal.denominator:
                if not self._admit(self._violated()):
                    return None
            else:
                entering = self._descent(goal)
                if entering is None:
                    if enough is not None or not self._admit(self._violated()):
                        return self._reason(goal, expression.constant)
                elif self._advance(entering, goal):
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
        return (None, None) if column is None else (self._low[column], self._high[column])

    def quick(self, expression: Affine) -> Reason | None:
        """A lower bound by the bounds of the unknowns alone, None if they give none."""
        total, used = expression.constant, []
        for unknown, coefficient in expression.terms:
            column = self._columns.get(unknown)
            bound = (
                None if column is None else (self._low if coefficient > 0 else self._high)[column]
            )
            if column is None or bound is None:
                return None
            total += coefficient * bound
            used.append(self._bound(column, coefficient))
        return Reason(1, _merged(used), total)

    def point(self, unknowns: Iterable[int]) -> tuple[dict[int, int], int]:
        """A solution: numerators per unknown and their common denominator. Only when feasible."""
        while self._admit(self._violated()):
            assert self.feasible
        return self._here(unknowns)

    def _here(self, unknowns: Iterable[int]) -> tuple[dict[int, int], int]:
        columns = [(unknown, self._columns.get(unknown)) for unknown in unknowns]
        scale = 1
        for _, column in columns:
            row = None if column is None else self._rows.get(column)
            if row is not None:
                scale = scale * row.denominator // gcd(scale, row.denominator)
        found = {}
        for unknown, column in columns:
            if column is None:
                found[unknown] = 0
                continue
            row = self._rows.get(column)
            if row is None:
                found[unknown] = self._value[column] * scale
            else:
                found[unknown] = self._sum(row) * (scale // row.denominator)
        return found, scale

    def _violated(self) -> list[tuple[Key, Constraint]]:
        """The constraints outside of the tableau that do not hold where it stands."""
        if self._settled or not self._pending:
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
        self._settled = not found
        return found

    def _crossed(self, entering: int, goal: Row) -> list[tuple[Key, Constraint]]:
        """Those that do not hold for ever when a variable goes where it lowers the goal."""
        way = -1 if goal.coefficients[entering] > 0 else 1
        rates: dict[int, Fraction] = {}
        for name, column in self._columns.items():
            row = self._rows.get(column)
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

    # -- the method

    def _sum(self, row: Row) -> int:
        value = self._value
        return sum(c * value[v] for v, c in row.coefficients.items())

    def _repair(self) -> None:
        """Bring basic variables within their bounds, or find the conflict."""
        while True:
            broken = self._broken()
            if broken is None:
                return
            leaving, bound, short = broken
            row = self._rows[leaving]
            entering = self._helper(row, short)
            if entering is None:
                self.conflict = self._row_conflict(leaving, bound, short)
                return
            self._pivot(leaving, entering)
            self._value[leaving] = bound

    def _broken(self) -> tuple[int, int, bool] | None:
        """The first basic variable outside its bounds, the bound, and whether it is too small."""
        for basic in sorted(self._rows):
            low, high = self._low[basic], self._high[basic]
            if low is None and high is None:
                continue
            row = self._rows[basic]
            self._budget.touch(len(row.coefficients))
            value = self._sum(row)
            if low is not None and value < low * row.denominator:
                return basic, low, True
            if high is not None and value > high * row.denominator:
                return basic, high, False
        return None

    def _helper(self, row: Row, short: bool) -> int | None:
        """The first variable whose change brings the row's variable nearer to its bounds."""
        best = None
        for variable, coefficient in row.coefficients.items():
            if (best is None or variable < best) and self._movable(
                variable, (coefficient > 0) is short
            ):
                best = variable
        return best

    def _movable(self, variable: int, up: bool) -> bool:
        bound = self._high[variable] if up else self._low[variable]
        return bound is None or (
            self._value[variable] < bound if up else self._value[variable] > bound
        )

    def _descent(self, goal: Row) -> int | None:
        """The first variable whose change lowers the goal."""
        best = None
        for variable, coefficient in goal.coefficients.items():
            if (best is None or variable < best) and self._movable(variable, coefficient < 0):
                best = variable
        return best

    def _advance(self, entering: int, goal: Row) -> bool:
        """Move a variable as far as it lowers the goal; False when nothing stops it."""
        up = goal.coefficients[entering] < 0
        own = self._high[entering] if up else self._low[entering]
        step = None if own is None else (abs(own - self._value[entering]), 1)
        leaving, target = -1, 0
        for basic in sorted(self._rows):
            row = self._rows[basic]
            coefficient = row.coefficients.get(entering, 0)
            if not coefficient:
                continue
            bound = self._high[basic] if (coefficient > 0) is up else self._low[basic]
            if bound is None:
                continue
            room = (abs(bound * row.denominator - self._sum(row)), abs(coefficient))
            if step is None or room[0] * step[1] < step[0] * room[1]:
                step, leaving, target = room, basic, bound
        if step is None:
            return False
        if leaving < 0:
            assert own is not None
            self._value[entering] = own
            self._settled = False
            return True
        self._pivot(leaving, entering)
        self._value[leaving] = target
        replace_by(goal, entering, self._rows[entering])
        return True

    def _pivot(self, leaving: int, entering: int) -> None:
        """Exchange a basic variable with another one."""
        self._budget.spend()
        self._settled = False
        row = self._rows.pop(leaving)
        pivot = row.coefficients.pop(entering)
        sign = 1 if pivot > 0 else -1
        solved = {v: -sign * c for v, c in row.coefficients.items()}
        solved[leaving] = sign * row.denominator
        new = Row(abs(pivot), solved)
        shrink(new)
        touched = len(new.coefficients)
        for other in self._rows.values():
            if entering in other.coefficients:
                touched += len(new.coefficients) + len(other.coefficients)
                replace_by(other, entering, new)
        self._rows[entering] = new
        self._budget.touch(touched, new.denominator)

    # -- reasons

    def _bound(self, variable: int, weight: int) -> tuple[Key, int]:
        """The premise of the bound that stops `weight * variable` from becoming less, with its
        multiplier."""
        key, factor = (self._low_why if weight > 0 else self._high_why)[variable]
        return key, abs(weight) * factor

    def _reason(self, goal: Row, constant: int) -> Reason:
        """Why the goal, now at its minimum, is not less."""
        used = [self._bound(variable, weight) for variable, weight in goal.coefficients.items()]
        rest = self._sum(goal) + constant * goal.denominator
        return Reason(goal.denominator, _merged(used), rest)

    def _row_conflict(self, basic: int, bound: int, short: bool) -> Reason:
        """Why a basic variable cannot reach its bound."""
        row = self._rows[basic]
        sign = 1 if short else -1
        used = [self._bound(basic, sign * row.denominator)]
        used += [self._bound(v, -sign * weight) for v, weight in row.coefficients.items()]
        gap = abs(bound * row.denominator - self._sum(row))
        return Reason(1, _merged(used), gap - 1, True)


def _merged(used: Iterable[tuple[Key, int]]) -> tuple[tuple[Key, int], ...]:
    totals: dict[Key, int] = {}
    for key, multiplier in used:
        totals[key] = totals.get(key, 0) + multiplier
    return tuple(sorted((key, value) for key, value in totals.items() if value))
