"""Lower bounds of quantities at every point, found by following them along the steps.

Ranges of single cells say little of what is used up once in a round, or of what everybody has who
is not out. What a decision asks for tells which quantities are worth following: what it asks of,
and that with the rounds of a loop counted in; for each way that flags may stand which change
together with it, and for each round of a short loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Final

from gemwright.validator.abstraction.transitions import CellKind, TransitionSystem
from gemwright.validator.linear.affine import (
    ONE,
    Affine,
    Constraint,
    affine,
    equal,
    number,
    unknown,
)
from gemwright.validator.linear.budget import Budget, BudgetSpent
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.invariants import Known
from gemwright.validator.proof.premises import at_point, on_step
from gemwright.validator.proof.steps import Step, steps_of

PATIENCE: Final = 6
"""So often a bound may sink at a point before it is given up."""
STEPS: Final = 60_000
"""Pivots that all bounds of one system may cost."""
MOST_FLAGS: Final = 3
MOST_VALUES: Final = 8
"""A loop of more rounds is not looked at round by round."""

Case = tuple[int, tuple[int, ...]]
"""A point, and how flags stand there, or which round it is."""
Bounds = dict[Case, int | None]
"""The bound in each case that a play may come to; None: nothing is known."""


def strengthened(system: TransitionSystem, known: Known, asked: Iterable[Affine]) -> Known:
    """What is known at each point, with bounds of quantities that have to do with those asked for.

    Args:
        known: holds whenever a play is at a point.
        asked: sums over cells that some rules need to be large.
    """
    following = _Following(system, known, Budget(STEPS))
    try:
        for expression in dict.fromkeys(asked):
            following.add(expression)
    except BudgetSpent:
        # What was found until then holds all the same.
        pass
    return following.known


class _Following:
    """Follows one quantity after another; later ones use what was found of earlier ones."""

    def __init__(self, system: TransitionSystem, known: Known, budget: Budget) -> None:
        self.known: Known = dict(known)
        self._system = system
        self._onward: dict[int, list[Step]] = {}
        for step in steps_of(system):
            self._onward.setdefault(step.source, []).append(step)
        self._budget = budget
        self._done: set[Affine] = set()

    def add(self, expression: Affine) -> None:
        """Follow an expression, and those that belong to it."""
        flags = self._linked(expression)[:MOST_FLAGS]
        loops = [n for n, cell in enumerate(self._system.cells) if cell.kind is CellKind.LOOP]
        for each in (expression, *(expression + unknown(loop) for loop in loops)):
            if each not in self._done:
                self._done.add(each)
                self._keep(each, flags, self._course(each, flags).bounds())
                for loop in loops if each == expression else ():
                    self._keep_line(each, loop, self._course(each, (loop,)).bounds())

    def _course(self, expression: Affine, cells: Sequence[int]) -> _Course:
        ranges = [(self._system.cells[cell].low, self._system.cells[cell].high) for cell in cells]
        kept = [
            (cell, range(low, high + 1))
            for cell, (low, high) in zip(cells, ranges, strict=True)
            if low is not None and high is not None and high - low < MOST_VALUES
        ]
        return _Course(self, expression, dict(kept))

    def _linked(self, expression: Affine) -> list[int]:
        """Flags that change together with the cells of an expression."""
        cells = {cell for cell, _ in expression.terms}
        steps = (step for onward in self._onward.values() for step in onward)
        together = [{cell for cell, _ in step.changes} for step in steps]
        linked = {cell for changed in together if changed & cells for cell in changed - cells}
        kept = ((cell, self._system.cells[cell]) for cell in sorted(linked))
        return [
            cell
            for cell, each in kept
            if each.kind is CellKind.COUNTER and (each.low, each.high) == (0, 1)
        ]

    def _keep(self, expression: Affine, flags: Sequence[int], bounds: Bounds) -> None:
        """Bounds become constraints: a case that the flags are not in asks for nothing."""
        points: dict[int, dict[tuple[int, ...], int | None]] = {}
        for (point, values), bound in bounds.items():
            points.setdefault(point, {})[values] = bound
        for point, cases in points.items():
            low = self._least(expression, cases.values())
            found = [
                Constraint(_distance(flags, values) - 1)
                for values in product((0, 1), repeat=len(flags))
                if values not in cases
            ]
            for values, bound in cases.items():
                if bound is not None and low is not None:
                    slack = _distance(flags, values) * (bound - low)
                    found.append(Constraint(expression - bound + slack))
            self.known[point] = (*self.known[point], *found)

    def _keep_line(self, expression: Affine, cell: int, bounds: Bounds) -> None:
        """Bounds for each value of a cell become lines below all of them."""
        points: dict[int, dict[int, int]] = {}
        for (point, values), bound in bounds.items():
            least = self._lowest(expression) if bound is None else bound
            if not values or least is None:
                return
            points.setdefault(point, {})[values[0]] = least
        for point, cases in points.items():
            ends = (unknown(cell) - min(cases), number(max(cases)) - unknown(cell))
            lines = [
                (expression - first[1]) * (last[0] - first[0])
                - (unknown(cell) - first[0]) * (last[1] - first[1])
                for first, last in pairwise(_hull(cases))
            ]
            rows = (Constraint(each) for each in (*ends, *lines))
            self.known[point] = (*self.known[point], *rows)

    def _least(self, expression: Affine, bounds: Iterable[int | None]) -> int | None:
        """What an expression is at least, whatever the case."""
        found = [self._lowest(expression) if bound is None else bound for bound in bounds]
        values = [each for each in found if each is not None]
        return min(values) if len(values) == len(found) else None

    def _lowest(self, expression: Affine) -> int | None:
        total = expression.constant
        for cell, factor in expression.terms:
            kept = self._system.cells[cell]
            end = kept.low if factor > 0 else kept.high
            if end is None:
                return None
            total += factor * end
        return total

    def start(self) -> tuple[int, Simplex]:
        """Where plays start, and what is known there."""
        simplex = self.at(self._system.start)
        for which, constraint in enumerate(self._system.initial):
            simplex.add(f"s{which}", constraint)
        return self._system.start, simplex

    def at(self, point: int) -> Simplex:
        """What is known at a point."""
        return at_point(self._system, enumerate(self.known[point]), self._budget)

    def onward(self, point: int) -> Sequence[Step]:
        """The steps from a point."""
        return self._onward.get(point, ())


class _Course:
    """One expression on all plays."""

    def __init__(
        self, following: _Following, expression: Affine, flags: Mapping[int, range]
    ) -> None:
        self._following = following
        self._expression = expression
        self._flags = tuple(flags)
        self._values = tuple(flags.values())
        self._cells = {cell for cell, _ in expression.terms}

    def bounds(self) -> Bounds:
        """The least value in each case; sinking bounds are given up after a while."""
        start, simplex = self._following.start()
        bounds: Bounds = {(start, values): least for values, least in self._split(simplex, None)}
        sunk: dict[Case, int] = {}
        waiting = set(bounds)
        while waiting:
            case = min(waiting)
            waiting.discard(case)
            for target, least in self._after(case, bounds[case]):
                if target in bounds and not _is_less(least, bounds[target]):
                    continue
                sunk[target] = sunk.get(target, 0) + (target in bounds)
                bounds[target] = None if sunk[target] > PATIENCE else least
                waiting.add(target)
        return bounds

    def _after(self, case: Case, bound: int | None) -> Iterator[tuple[Case, int | None]]:
        """The cases after each step, and the least value in them."""
        point, values = case
        given = {flag: number(value) for flag, value in zip(self._flags, values, strict=True)}
        before: Simplex | None = None
        for step in self._following.onward(point):
            rows = [row.substitute(given) for row in step.guard]
            if any(not row.expression.terms and not row.holds({}) for row in rows):
                continue
            plain = self._plainly(step, given, rows)
            if plain is not None and bound is not None:
                yield (step.target, plain[0]), bound + plain[1]
                continue
            if before is None:
                before = self._before(point, given, bound)
            problem = on_step(before, step)
            for after, least in self._split(problem, step) if problem.feasible else ():
                yield (step.target, after), least

    def _plainly(
        self, step: Step, given: Mapping[int, Affine], guard: Sequence[Constraint]
    ) -> tuple[tuple[int, ...], int] | None:
        """How flags stand after a step and by how much the expression changes, if no more than the
        step is needed to tell."""
        change = step.change(self._expression).substitute(given)
        after = [step.after(unknown(flag)).substitute(given) for flag in self._flags]
        asked = any(name in self._cells for row in guard for name, _ in row.expression.terms)
        if asked or not change.is_number or not all(each.is_number for each in after):
            return None
        values = tuple(each.constant for each in after)
        fits = all(n in there for n, there in zip(values, self._values, strict=True))
        return (values, change.constant) if fits else None

    def _before(self, point: int, given: Mapping[int, Affine], bound: int | None) -> Simplex:
        simplex = self._following.at(point)
        for flag, value in given.items():
            simplex.add(f"v{flag}", equal(unknown(flag), value))
        if bound is not None:
            simplex.add("b", Constraint(self._expression - bound))
        return simplex

    def _split(
        self, problem: Simplex, step: Step | None
    ) -> Iterator[tuple[tuple[int, ...], int | None]]:
        """The ways that flags may stand, after a step if there is one, and the least value."""
        for values in product(*self._values):
            case = problem.copy()
            for flag, value in zip(self._flags, values, strict=True):
                after = unknown(flag) if step is None else step.after(unknown(flag))
                case.add(f"w{flag}", equal(after, number(value)))
            if case.feasible:
                last = self._expression if step is None else step.after(self._expression)
                found = case.minimum(last)
                yield values, None if found is None else found.floor


def _hull(cases: Mapping[int, int]) -> list[tuple[int, int]]:
    """The corners of the line from below around points, from left to right."""
    found: list[tuple[int, int]] = []
    for point in sorted(cases.items()):
        while len(found) > 1 and not _turns_up(found[-2], found[-1], point):
            found.pop()
        found.append(point)
    return found


def _turns_up(first: tuple[int, int], middle: tuple[int, int], last: tuple[int, int]) -> bool:
    run, rise = middle[0] - first[0], middle[1] - first[1]
    return rise * (last[0] - first[0]) < (last[1] - first[1]) * run


def _distance(flags: Sequence[int], values: Sequence[int]) -> Affine:
    """In how many flags a state differs from these values."""
    found = number(0)
    for flag, value in zip(flags, values, strict=True):
        found += ONE - unknown(flag) if value else unknown(flag)
    return found


def _is_less(one: int | None, other: int | None) -> bool:
    return other is not None and (one is None or one < other)


def asked_for(rows: Iterable[Constraint]) -> Iterator[Affine]:
    """The sums of cells that conditions ask to be large."""
    for row in rows:
        terms = [(name, value) for name, value in row.expression.terms if name >= 0]
        if terms:
            yield affine(terms)
            if row.equality:
                yield affine((name, -value) for name, value in terms)


def pooled(asked: Iterable[Affine], apart: Mapping[int, Affine]) -> Sequence[Affine]:
    """Sums over cells that were told apart, each cell by the sum that it is a part of."""
    whole = {cell: sum_ for sum_, parts in apart.items() for cell, _ in parts.terms}
    found: dict[Affine, None] = {}
    for expression in asked:
        if all(cell in whole for cell, _ in expression.terms):
            terms = {whole[cell]: value for cell, value in expression.terms}
            found[affine(terms.items())] = None
    return list(found)
