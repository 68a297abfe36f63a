"""Intervals of cells at the points of a component, by iteration with widening and narrowing.

What comes out is a guess that is inductive nearly always; it is checked like every other candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import Affine, Constraint, unknown
from gemwright.validator.linear.budget import Budget
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.premises import at_point, on_step
from gemwright.validator.proof.steps import Range, Step

PATIENCE: Final = 3
"""So often an end of an interval may grow before it is moved to the next threshold; twice as often
before it is given up."""

Box = tuple[Range, ...]
"""One interval per cell."""


class Intervals:
    """Intervals at the points of one component."""

    def __init__(
        self,
        system: TransitionSystem,
        steps: Sequence[Step],
        shared: Sequence[Constraint],
        budget: Budget,
    ) -> None:
        """`steps` are those inside the component, `shared` what holds at all of its points."""
        self._system = system
        self._steps = steps
        self._known = at_point(system, enumerate(shared), budget)
        self._ranges: Box = tuple((cell.low, cell.high) for cell in system.cells)
        self._thresholds = _thresholds(system, steps)
        self._grown: dict[tuple[int, int, bool], int] = {}
        self._changed = {step.path: {cell for cell, _ in step.changes} for step in steps}
        self._done: dict[tuple[tuple[int, ...], Box], Box | None] = {}
        self.boxes: dict[int, Box] = {}

    def run(self, entries: Mapping[int, Sequence[Box]]) -> None:
        """Find the intervals, given those with which each point may be entered from outside."""
        for point in sorted(entries):
            for box in entries[point]:
                self._join(point, box, widen=False)
        places = _places(sorted(self.boxes), self._steps)
        waiting = set(self.boxes)
        while waiting:
            point = min(waiting, key=places.__getitem__)
            waiting.discard(point)
            for step in self._steps:
                if step.source != point:
                    continue
                after = self._after(step)
                if after is not None and self._join(step.target, after, widen=True):
                    waiting.add(step.target)
        for _ in range(2):
            self._narrow(entries)

    def _narrow(self, entries: Mapping[int, Sequence[Box]]) -> None:
        for point in sorted(self.boxes):
            arrivals = list(entries.get(point, ()))
            arrivals += [
                after
                for step in self._steps
                if step.target == point and (after := self._after(step)) is not None
            ]
            if arrivals:
                hull = tuple(
                    _hull([arrival[cell] for arrival in arrivals])
                    for cell in range(len(self._ranges))
                )
                self.boxes[point] = tuple(
                    _meet(old, new) for old, new in zip(self.boxes[point], hull, strict=True)
                )

    def _after(self, step: Step) -> Box | None:
        """The intervals after a step, None if it cannot be taken."""
        box = self.boxes.get(step.source)
        if box is None:
            return None
        key = (step.path, box)
        if key not in self._done:
            self._done[key] = self._moved(step, box)
        return self._done[key]

    def _moved(self, step: Step, box: Box) -> Box | None:
        simplex = self._known.copy()
        for cell, (low, high) in enumerate(box):
            simplex.bound(cell, low, high, ("low", "high"))
        simplex = on_step(simplex, step)
        if not simplex.feasible:
            return None
        changed = self._changed[step.path]
        return tuple(
            extent(simplex, step.after(unknown(cell))) if cell in changed else simplex.ends(cell)
            for cell in range(len(box))
        )

    def _join(self, point: int, new: Box, *, widen: bool) -> bool:
        old = self.boxes.get(point)
        if old is None:
            self.boxes[point] = tuple(map(_meet, self._ranges, new))
            return True
        joined = []
        for cell, (before, after) in enumerate(zip(old, new, strict=True)):
            low, high = _hull([before, after])
            if widen and low != before[0]:
                low = self._widened(point, cell, low, False)
            if widen and high != before[1]:
                high = self._widened(point, cell, high, True)
            joined.append(_meet(self._ranges[cell], (low, high)))
        self.boxes[point] = tuple(joined)
        return self.boxes[point] != old

    def _widened(self, point: int, cell: int, end: int | None, upper: bool) -> int | None:
        key = (point, cell, upper)
        self._grown[key] = times = self._grown.get(key, 0) + 1
        if end is None or times <= PATIENCE:
            return end
        if times > 2 * PATIENCE:
            return None
        marks = self._thresholds.get(cell, ())
        if upper:
            return min((mark for mark in marks if mark >= end), default=None)
        return max((mark for mark in marks if mark <= end), default=None)


def extent(simplex: Simplex, expression: Affine) -> Range:
    """The least and the greatest integer value of an expression. Only when feasible."""
    low, high = simplex.minimum(expression), simplex.minimum(-expression)
    return (None if low is None else low.floor, None if high is None else -high.floor)


def constraints_of(box: Box, ranges: Iterable[Range]) -> list[Constraint]:
    """What intervals say beyond the ranges of the cells."""
    found = []
    for cell, ((low, high), (least, most)) in enumerate(zip(box, ranges, strict=True)):
        if low is not None and low != least:
            found.append(Constraint(unknown(cell) - low))
        if high is not None and high != most:
            found.append(Constraint(-unknown(cell) + high))
    return found


def _places(starts: Iterable[int], steps: Sequence[Step]) -> dict[int, int]:
    """The points in reverse postorder: where ways meet comes after the ways."""
    onward: dict[int, list[int]] = {}
    for step in steps:
        onward.setdefault(step.source, []).append(step.target)
    done: dict[int, int] = {}
    seen: set[int] = set()
    for start in starts:
        work = [(start, iter(onward.get(start, ())))] if start not in seen else []
        seen.add(start)
        while work:
            point, rest = work[-1]
            target = next((each for each in rest if each not in seen), None)
            if target is None:
                work.pop()
                done[point] = len(done)
            else:
                seen.add(target)
                work.append((target, iter(onward.get(target, ()))))
    return {point: len(done) - place for point, place in done.items()}


def _thresholds(system: TransitionSystem, steps: Iterable[Step]) -> dict[int, tuple[int, ...]]:
    """Numbers that guards compare a cell with, and their neighbours."""
    marks: dict[int, set[int]] = {}
    constraints = [each for step in steps for each in step.guard]
    for constraint in (*constraints, *system.initial):
        terms = constraint.expression.terms
        if len(terms) == 1 and terms[0][0] >= 0 and abs(terms[0][1]) == 1:
            name, sign = terms[0]
            value = -constraint.expression.constant * sign
            marks.setdefault(name, set()).update((value - 1, value, value + 1))
    return {name: tuple(sorted(values)) for name, values in marks.items()}


def _hull(ranges: Sequence[Range]) -> Range:
    lows = [low for low, _ in ranges]
    highs = [high for _, high in ranges]
    return (
        None if None in lows else min(low for low in lows if low is not None),
        None if None in highs else max(high for high in highs if high is not None),
    )


def _meet(first: Range, second: Range) -> Range:
    lows = [low for low, _ in (first, second) if low is not None]
    highs = [high for _, high in (first, second) if high is not None]
    return max(lows, default=None), min(highs, default=None)
