"""Candidates for invariants that come from the shape of steps.

Guards carried on: what a step tests still holds at the next point, in terms of the cells as they
are then. Flags: while a flag is up (or down), a zone holds at least (or at most) what it held when
the component was entered, as in `hand >= 4 * in`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gemwright.validator.affine import Affine, Constraint, affine, unknown
from gemwright.validator.intervals import Box
from gemwright.validator.steps import Step
from gemwright.validator.transitions import TransitionSystem

MOST_PUSHED: Final = 24
"""Guards carried on to one point, at most."""


def pushed_guards(entering: Iterable[Step], steps: Sequence[Step]) -> dict[int, list[Constraint]]:
    """Guards over several cells carried on along `steps`, from these and from the entering ones."""
    found: dict[int, list[Constraint]] = {}
    for step in (*entering, *steps):
        for constraint in step.guard:
            _add(found, step.target, _after(step, constraint))
    for _ in range(len(found)):
        before = sum(map(len, found.values()))
        for step in steps:
            for constraint in tuple(found.get(step.source, ())):
                _add(found, step.target, _after(step, constraint))
        if sum(map(len, found.values())) == before:
            break
    return found


def _add(found: dict[int, list[Constraint]], point: int, constraint: Constraint | None) -> None:
    if constraint is None:
        return
    there = found.setdefault(point, [])
    if constraint not in there and len(there) < MOST_PUSHED:
        there.append(constraint)


def _after(step: Step, constraint: Constraint) -> Constraint | None:
    """A constraint on the cells before a step, said of the cells after it; None if it speaks of
    parameters or of cells whose change is not a fixed number, or of one cell only."""
    terms = constraint.expression.terms
    if len(terms) < 2 or terms[0][0] < 0:
        return None
    changes = dict(step.changes)
    moved = constraint.expression
    for name, coefficient in terms:
        change = changes.get(name)
        if change is not None:
            if not change.is_number:
                return None
            moved -= change * coefficient
    return Constraint(moved, constraint.equality)


def flag_templates(
    system: TransitionSystem, entry: Box, steps: Sequence[Step]
) -> Iterable[Constraint]:
    """`entry` has the intervals of the cells when the component is entered."""
    for flag, cell in _linked(system, steps):
        low, high = entry[cell]
        on, off = unknown(flag), -unknown(flag) + 1
        for state in (on, off):
            if low is not None and low != system.cells[cell].low:
                least = low - (system.cells[cell].low or 0)
                yield Constraint(unknown(cell) - _floor(system, cell) - state * least)
            if high is not None and high != system.cells[cell].high:
                most = system.cells[cell].high
                if most is not None:
                    yield Constraint(-unknown(cell) + most - state * (most - high))


def _floor(system: TransitionSystem, cell: int) -> Affine:
    return affine((), system.cells[cell].low or 0)


def _linked(system: TransitionSystem, steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Pairs of a flag and another cell that one step changes together."""
    flags = {at for at, cell in enumerate(system.cells) if (cell.low, cell.high) == (0, 1)}
    pairs: dict[tuple[int, int], None] = {}
    for step in steps:
        cells = [cell for cell, _ in step.changes]
        for flag in cells:
            if flag in flags:
                pairs.update(((flag, cell), None) for cell in cells if cell != flag)
    return sorted(pairs)
