"""Invariants: constraints over cells that hold whenever a play is at a point.

They are found component by component, in the order in which plays enter them: sums that no step of
the component changes, with the values they have on entry; intervals; guards carried on to the next
point; a zone's size bound to a flag. Every candidate is then kept only if it is inductive
together with the others (the greatest such set, found by dropping what fails). `certificate`
writes down why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import Affine, Constraint, number, unknown
from gemwright.validator.linear.budget import Budget
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.components import components, inside
from gemwright.validator.proof.intervals import Box, Intervals, constraints_of, extent
from gemwright.validator.proof.null_space import place_invariants
from gemwright.validator.proof.premises import at_point, on_step
from gemwright.validator.proof.steps import Step
from gemwright.validator.proof.templates import flag_templates, pushed_guards

NEVER: Final = Constraint(number(-1))
"""Holds at points that no play reaches."""

Known = dict[int, tuple[Constraint, ...]]
Transform = Callable[[Affine], Affine]


@dataclass(frozen=True, slots=True)
class Entry:
    """A way into a component: what is known, and what each cell is then."""

    target: int
    simplex: Simplex
    step: Step | None
    """None for the beginning of the play."""

    def after(self, expression: Affine) -> Affine:
        """An expression over cells at the target, in terms of the entry."""
        return expression if self.step is None else self.step.after(expression)


def infer(system: TransitionSystem, steps: Sequence[Step], budget: Budget) -> Known:
    """Invariants of every point; a point that no play reaches has NEVER."""
    inference = _Inference(system, steps, budget)
    for component in components(range(len(system.points)), steps):
        inference.component(component)
    return inference.known


class _Inference:
    def __init__(self, system: TransitionSystem, steps: Sequence[Step], budget: Budget) -> None:
        self._system = system
        self._steps = steps
        self._budget = budget
        self._ranges = tuple((cell.low, cell.high) for cell in system.cells)
        self._everywhere = place_invariants(system.cells, steps)
        self.known: Known = {}

    def component(self, component: tuple[int, ...]) -> None:
        """Find the invariants of a component; those before it are known."""
        points = set(component)
        entries = [entry for entry in self._entries(points) if entry.simplex.feasible]
        if not entries:
            self.known.update((point, (NEVER,)) for point in component)
            return
        steps = inside(component, self._steps)
        shared = self._shared(entries, steps)
        boxes = self._boxes(entries, steps, shared)
        candidates = {
            point: [*shared, *_beyond(shared, constraints_of(boxes[point], self._ranges))]
            if point in boxes
            else [NEVER]
            for point in component
        }
        alive = [step for step in steps if step.source in boxes]
        pushed = pushed_guards(
            [(entry.step, self.known[entry.step.source]) for entry in entries if entry.step], alive
        )
        templates = list(
            flag_templates(self._system, lambda each: self._extent(entries, each)[0], alive)
        )
        for point in boxes:
            candidates[point] += self._news(candidates[point], pushed.get(point, ()), templates)
        self.known.update(self._inductive(candidates, entries, steps))

    def _news(self, known: Sequence[Constraint], *more: Iterable[Constraint]) -> list[Constraint]:
        """Candidates that do not follow from what is known."""
        simplex = at_point(self._system, enumerate(known), self._budget)
        if not simplex.feasible:
            return []
        found: dict[Constraint, None] = {}
        for constraint in (each for candidates in more for each in candidates):
            expression = constraint.expression
            sides = (expression, -expression) if constraint.equality else (expression,)
            if constraint not in found and any(simplex.claim(side) is None for side in sides):
                found[constraint] = None
        return list(found)

    def _entries(self, points: set[int]) -> Iterable[Entry]:
        if self._system.start in points:
            simplex = at_point(self._system, (), self._budget)
            for which, constraint in enumerate(self._system.initial):
                simplex.add(f"s{which}", constraint)
            yield Entry(self._system.start, simplex, None)
        for step in self._steps:
            if step.target in points and step.source not in points:
                before = at_point(self._system, enumerate(self.known[step.source]), self._budget)
                yield Entry(step.target, on_step(before, step), step)

    def _shared(self, entries: Sequence[Entry], steps: Sequence[Step]) -> list[Constraint]:
        """Sums that no step of the component changes, between their values on entry."""
        found = []
        own = place_invariants(self._system.cells, steps)
        for invariant in dict.fromkeys((*self._everywhere, *own)):
            low, high = self._extent(entries, invariant)
            if low is not None and low == high:
                found.append(Constraint(invariant - low, True))
                continue
            if low is not None:
                found.append(Constraint(invariant - low))
            if high is not None:
                found.append(Constraint(-invariant + high))
        ranges = set(constraints_of_ranges(self._ranges))
        return [each for each in found if each not in ranges]

    def _extent(
        self, entries: Sequence[Entry], expression: Affine
    ) -> tuple[int | None, int | None]:
        low: int | None = None
        high: int | None = None
        for place, entry in enumerate(entries):
            least, most = extent(entry.simplex, entry.after(expression))
            low = least if place == 0 else _least(low, least)
            high = most if place == 0 else _most(high, most)
        return low, high

    def _boxes(
        self, entries: Sequence[Entry], steps: Sequence[Step], shared: Sequence[Constraint]
    ) -> dict[int, Box]:
        intervals = Intervals(self._system, steps, shared, self._budget)
        arrivals: dict[int, list[Box]] = {}
        for entry in entries:
            box = tuple(
                extent(entry.simplex, entry.after(unknown(cell)))
                for cell in range(len(self._system.cells))
            )
            arrivals.setdefault(entry.target, []).append(box)
        intervals.run(arrivals)
        return intervals.boxes

    # -- keeping what is inductive

    def _inductive(
        self,
        candidates: dict[int, list[Constraint]],
        entries: Sequence[Entry],
        steps: Sequence[Step],
    ) -> Known:
        for entry in entries:
            left = candidates[entry.target]
            candidates[entry.target] = _kept(entry.simplex, entry.after, left)
        dirty = set(candidates)
        while dirty:
            point = min(dirty)
            dirty.discard(point)
            given = frozenset(candidates[point])
            before = at_point(self._system, enumerate(candidates[point]), self._budget)
            for step in steps:
                if step.source != point:
                    continue
                left = candidates[step.target]
                kept = _kept(on_step(before, step), step.after, left, given)
                if len(kept) < len(left):
                    candidates[step.target] = kept
                    dirty.add(step.target)
                    if step.target == point:
                        given = frozenset(kept)
                        before = at_point(self._system, enumerate(kept), self._budget)
        return {point: tuple(left) for point, left in candidates.items()}


def _kept(
    simplex: Simplex,
    after: Transform,
    candidates: list[Constraint],
    before: Collection[Constraint] = (),
) -> list[Constraint]:
    """The candidates that hold after a step on which `simplex` holds, and `before` did before."""
    if not simplex.feasible:
        return candidates
    left = [(each, after(each.expression)) for each in candidates]
    kept = []
    while left:
        candidate, expression = left.pop(0)
        sides = (expression, -expression) if candidate.equality else (expression,)
        same = expression == candidate.expression and candidate in before
        if same or all(simplex.claim(side) is not None for side in sides):
            kept.append(candidate)
        else:
            left = _hopeful(simplex, left)
    return kept


def _hopeful(
    simplex: Simplex, candidates: list[tuple[Constraint, Affine]]
) -> list[tuple[Constraint, Affine]]:
    """The candidates that the solution at which the simplex stands does not refute."""
    names = {name for _, expression in candidates for name, _ in expression.terms}
    values, scale = simplex.point(sorted(names))
    found = []
    for candidate, expression in candidates:
        value = expression.constant * scale + sum(c * values[u] for u, c in expression.terms)
        if value > -scale and not (candidate.equality and value >= scale):
            found.append((candidate, expression))
    return found


def _beyond(shared: Sequence[Constraint], found: Iterable[Constraint]) -> list[Constraint]:
    """Bounds of cells that are not fixed anyway."""
    fixed = {
        each.expression.terms[0][0]
        for each in shared
        if each.equality and len(each.expression.terms) == 1
    }
    return [each for each in found if each.expression.terms[0][0] not in fixed]


def constraints_of_ranges(ranges: Iterable[tuple[int | None, int | None]]) -> list[Constraint]:
    """The ranges of cells as constraints."""
    box = tuple(ranges)
    return constraints_of(box, ((None, None) for _ in box))


def _least(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else min(first, second)


def _most(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else max(first, second)
