"""Candidates for invariants that come from the shape of steps.

Guards carried on: what a step tests still holds at the next point, in terms of the cells as they
are then. Flags: while a flag is up (or down), a zone, or a sum that some rule asks for, is at least
what it was when the component was entered, as in `hand >= 4 * in`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from gemwright.validator.abstraction.transitions import Cell, CellKind, TransitionSystem
from gemwright.validator.linear.affine import Affine, Constraint, affine, unknown
from gemwright.validator.proof.steps import Step

MOST_PUSHED: Final = 24
"""Guards carried on to one point, at most."""


def pushed_guards(
    entering: Iterable[tuple[Step, Iterable[Constraint]]], steps: Sequence[Step]
) -> dict[int, list[Constraint]]:
    """Guards over several cells carried on along `steps`, from these and from the entering ones,
    and what was known before the entering ones."""
    found: dict[int, list[Constraint]] = {}
    for step, known in entering:
        for constraint in (*known, *step.guard):
            _add(found, step.target, _after(step, constraint))
    for step in steps:
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
    system: TransitionSystem, least: Callable[[Affine], int | None], steps: Sequence[Step]
) -> Iterable[Constraint]:
    """`least` tells the least value of an expression when the component is entered."""
    flags = {at for at, cell in enumerate(system.cells) if (cell.low, cell.high) == (0, 1)}
    together = [frozenset(cell for cell, _ in step.changes) for step in steps]
    for amount in _amounts(system, steps):
        cells = {cell for cell, _ in amount.terms}
        linked = {flag for changed in together if changed & cells for flag in changed & flags}
        low = least(amount) if linked else None
        if low is not None and low > 0:
            for flag in sorted(linked - cells):
                yield Constraint(amount - unknown(flag) * low)
                yield Constraint(amount + unknown(flag) * low - low)


def _amounts(system: TransitionSystem, steps: Sequence[Step]) -> list[Affine]:
    """Zones that change, and sums of zones that rules ask for."""
    changed = {cell for step in steps for cell, _ in step.changes}
    found = dict.fromkeys(place_totals(system.cells, changed))
    zones = (cell for cell in sorted(changed) if system.cells[cell].kind is CellKind.ZONE)
    found.update((unknown(cell), None) for cell in zones)
    for constraint in _asked(system):
        terms = [(name, value) for name, value in constraint.expression.terms if name >= 0]
        fitting = all(
            value == 1 and name in changed and system.cells[name].kind is CellKind.ZONE
            for name, value in terms
        )
        if len(terms) > 1 and fitting:
            found[affine(terms)] = None
    return list(found)


def place_totals(cells: Sequence[Cell], changed: Collection[int]) -> list[Affine]:
    """The sizes of places that hold several families, some of which change."""
    places: dict[int, list[int]] = {}
    for position, cell in enumerate(cells):
        if cell.place >= 0:
            places.setdefault(cell.place, []).append(position)
    return [
        affine((cell, 1) for cell in there)
        for there in places.values()
        if len(there) > 1 and any(cell in changed for cell in there)
    ]


def _asked(system: TransitionSystem) -> Iterable[Constraint]:
    """What edges need."""
    for edge in system.edges:
        for alternative in edge.sufficient:
            yield from alternative
        yield from (obligation.claim for obligation in edge.obligations)
