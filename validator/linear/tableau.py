"""The tableau of the simplex method: bounded variables, some of them sums of the others.

It is that of the general simplex method of Dutertre and de Moura ("A fast linear-arithmetic solver
for DPLL(T)", CAV 2006): basic variables are sums of the others, the others stand at integers (a
bound, or 0). Rows are integers over a positive denominator, so nothing is rounded. Bland's rule
makes it stop and makes it deterministic.

Reasons are Farkas multipliers: `scale * claim = sum of multiplier * premise + rest`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gemwright.validator.linear.budget import Budget
from gemwright.validator.linear.simplex_rows import Row, put, put_row, replace_by, shrink

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


class Tableau:
    """Variables with bounds, and rows for those that are sums of others."""

    __slots__ = (
        "_budget",
        "_high_why",
        "_low_why",
        "conflict",
        "high",
        "low",
        "moves",
        "rows",
        "value",
    )

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.low: list[int | None] = []
        self.high: list[int | None] = []
        self._low_why: list[tuple[Key, int]] = []
        self._high_why: list[tuple[Key, int]] = []
        self.value: list[int] = []
        """Where variables stand that are no sums."""
        self.rows: dict[int, Row] = {}
        self.moves = 0
        """How often bounds or the place where it stands were changed."""
        self.conflict: Reason | None = None
        """Why there is no solution, once that is known; it is vacuous."""

    def copy(self) -> Tableau:
        """Another tableau with the same bounds and basis."""
        other = Tableau(self._budget)
        other.low, other.high = list(self.low), list(self.high)
        other._low_why, other._high_why = list(self._low_why), list(self._high_why)
        other.value = list(self.value)
        self._budget.touch(len(self.value) + sum(len(r.coefficients) for r in self.rows.values()))
        other.rows = {
            basic: Row(row.denominator, dict(row.coefficients)) for basic, row in self.rows.items()
        }
        other.moves, other.conflict = self.moves, self.conflict
        return other

    # -- variables and bounds

    def variable(self, row: Row | None = None) -> int:
        """A new variable without bounds; with a row it is that sum."""
        for bounds in (self.low, self.high):
            bounds.append(None)
        for reasons in (self._low_why, self._high_why):
            reasons.append(("", 1))
        self.value.append(0)
        number = len(self.value) - 1
        if row is not None:
            self.rows[number] = row
        return number

    def form(self, terms: Iterable[tuple[int, int]]) -> Row:
        """A sum of (variable, coefficient) over variables that are no sums."""
        row = Row(1, {})
        for column, coefficient in terms:
            basic = self.rows.get(column)
            if basic is None:
                put(row, {column: coefficient * row.denominator})
            else:
                put_row(row, coefficient, basic)
        return row

    def raise_low(self, column: int, bound: int, why: tuple[Key, int]) -> bool:
        """Whether it bounds the variable more than before.

        Args:
            why: a premise and its factor in `variable - bound >= 0`.
        """
        low, high = self.low[column], self.high[column]
        if self.conflict is not None or (low is not None and low >= bound):
            return False
        self.low[column], self._low_why[column] = bound, why
        self._bounded(column, high is not None and high < bound)
        if column not in self.rows and self.value[column] < bound:
            self.value[column] = bound
        return True

    def lower_high(self, column: int, bound: int, why: tuple[Key, int]) -> bool:
        """Whether it bounds the variable more than before.

        Args:
            why: a premise and its factor in `bound - variable >= 0`.
        """
        low, high = self.low[column], self.high[column]
        if self.conflict is not None or (high is not None and high <= bound):
            return False
        self.high[column], self._high_why[column] = bound, why
        self._bounded(column, low is not None and low > bound)
        if column not in self.rows and self.value[column] > bound:
            self.value[column] = bound
        return True

    def _bounded(self, column: int, clash: bool) -> None:
        self.moves += 1
        if clash:
            low, high = self.low[column], self.high[column]
            assert low is not None and high is not None
            used = (self.premise(column, 1), self.premise(column, -1))
            self.conflict = Reason(1, merged(used), low - high - 1, True)

    # -- the method

    def total(self, row: Row) -> int:
        """What a row sums up to where the tableau stands, times its denominator."""
        value = self.value
        return sum(c * value[v] for v, c in row.coefficients.items())

    def repair(self) -> None:
        """Bring basic variables within their bounds, or find the conflict."""
        while True:
            broken = self._broken()
            if broken is None:
                return
            leaving, bound, short = broken
            row = self.rows[leaving]
            entering = self._helper(row, short)
            if entering is None:
                self.conflict = self._row_conflict(leaving, bound, short)
                return
            self._pivot(leaving, entering)
            self.value[leaving] = bound

    def _broken(self) -> tuple[int, int, bool] | None:
        """The first basic variable outside its bounds, the bound, and whether it is too small."""
        for basic in sorted(self.rows):
            low, high = self.low[basic], self.high[basic]
            if low is None and high is None:
                continue
            row = self.rows[basic]
            self._budget.touch(len(row.coefficients))
            value = self.total(row)
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
        bound = self.high[variable] if up else self.low[variable]
        return bound is None or (
            self.value[variable] < bound if up else self.value[variable] > bound
        )

    def descent(self, goal: Row) -> int | None:
        """The first variable whose change lowers the goal."""
        best = None
        for variable, coefficient in goal.coefficients.items():
            if (best is None or variable < best) and self._movable(variable, coefficient < 0):
                best = variable
        return best

    def advance(self, entering: int, goal: Row) -> bool:
        """Move a variable as far as it lowers the goal; False when nothing stops it."""
        up = goal.coefficients[entering] < 0
        own = self.high[entering] if up else self.low[entering]
        step = None if own is None else (abs(own - self.value[entering]), 1)
        leaving, target = -1, 0
        for basic in sorted(self.rows):
            row = self.rows[basic]
            coefficient = row.coefficients.get(entering, 0)
            if not coefficient:
                continue
            bound = self.high[basic] if (coefficient > 0) is up else self.low[basic]
            if bound is None:
                continue
            room = (abs(bound * row.denominator - self.total(row)), abs(coefficient))
            if step is None or room[0] * step[1] < step[0] * room[1]:
                step, leaving, target = room, basic, bound
        if step is None:
            return False
        if leaving < 0:
            assert own is not None
            self.value[entering] = own
            self.moves += 1
            return True
        self._pivot(leaving, entering)
        self.value[leaving] = target
        replace_by(goal, entering, self.rows[entering])
        return True

    def _pivot(self, leaving: int, entering: int) -> None:
        """Exchange a basic variable with another one."""
        self._budget.spend()
        self.moves += 1
        row = self.rows.pop(leaving)
        pivot = row.coefficients.pop(entering)
        sign = 1 if pivot > 0 else -1
        solved = {v: -sign * c for v, c in row.coefficients.items()}
        solved[leaving] = sign * row.denominator
        new = Row(abs(pivot), solved)
        shrink(new)
        touched = len(new.coefficients)
        for other in self.rows.values():
            if entering in other.coefficients:
                touched += len(new.coefficients) + len(other.coefficients)
                replace_by(other, entering, new)
        self.rows[entering] = new
        self._budget.touch(touched, new.denominator)

    # -- reasons

    def premise(self, variable: int, weight: int) -> tuple[Key, int]:
        """The premise of the bound that stops `weight * variable` from becoming less, with its
        multiplier."""
        key, factor = (self._low_why if weight > 0 else self._high_why)[variable]
        return key, abs(weight) * factor

    def reason(self, goal: Row, constant: int) -> Reason:
        """Why the goal, now at its minimum, is not less."""
        used = [self.premise(variable, weight) for variable, weight in goal.coefficients.items()]
        rest = self.total(goal) + constant * goal.denominator
        return Reason(goal.denominator, merged(used), rest)

    def _row_conflict(self, basic: int, bound: int, short: bool) -> Reason:
        """Why a basic variable cannot reach its bound."""
        row = self.rows[basic]
        sign = 1 if short else -1
        used = [self.premise(basic, sign * row.denominator)]
        used += [self.premise(v, -sign * weight) for v, weight in row.coefficients.items()]
        gap = abs(bound * row.denominator - self.total(row))
        return Reason(1, merged(used), gap - 1, True)


def merged(used: Iterable[tuple[Key, int]]) -> tuple[tuple[Key, int], ...]:
    """Multipliers of premises, each premise once."""
    totals: dict[Key, int] = {}
    for key, multiplier in used:
        totals[key] = totals.get(key, 0) + multiplier
    return tuple(sorted((key, value) for key, value in totals.items() if value))
