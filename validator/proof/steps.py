"""Edges in the normal form that proofs work on, and their composition.

A step says: from `source` to `target`, for some parameters within `ranges`, if `guard` holds, every
cell changes by what `changes` says. Its guard also has what is known of the cells afterwards:
ranges of cells that change and facts about them, written over the cells before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import ZERO, Affine, Constraint, number, parameter, unknown

Range = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Step:
    """An edge, or several taken one after the other: `path` has their positions.

    `changes` holds what is added to each cell that may change, sorted by cell.
    """

    path: tuple[int, ...]
    source: int
    target: int
    ranges: tuple[Range, ...]
    guard: tuple[Constraint, ...]
    changes: tuple[tuple[int, Affine], ...]
    moves: int

    def change(self, measure: Affine) -> Affine:
        """By how much an expression over cells changes."""
        changes = dict(self.changes)
        total = ZERO
        for cell, coefficient in measure.terms:
            if cell in changes:
                total += changes[cell] * coefficient
        return total

    def after(self, expression: Affine) -> Affine:
        """The value that an expression over cells has afterwards."""
        return expression + self.change(expression)

    def with_guard(self, *more: Constraint) -> Step:
        """The step restricted to where more constraints hold."""
        return replace(self, guard=(*self.guard, *more))


def steps_of(system: TransitionSystem) -> tuple[Step, ...]:
    """All edges in normal form, in their order."""
    return tuple(_step(system, position) for position in range(len(system.edges)))


def _step(system: TransitionSystem, position: int) -> Step:
    edge = system.edges[position]
    changes = tuple(edge.changes().items())
    ranges = tuple((each.low, each.high) for each in edge.parameters)
    step = Step((position,), edge.source, edge.target, ranges, edge.guard, changes, edge.moves)
    return step.with_guard(*_afterwards(system, step))


def _afterwards(system: TransitionSystem, step: Step) -> Iterable[Constraint]:
    """Ranges and facts after the step, left as they come out: a checker has to find the same."""
    for cell, change in step.changes:
        kept = system.cells[cell]
        if kept.low is not None:
            yield Constraint(unknown(cell) + change - kept.low)
        if kept.high is not None:
            yield Constraint(number(kept.high) - unknown(cell) - change)
    moved = {cell: unknown(cell) + change for cell, change in step.changes}
    for fact in system.facts:
        if any(cell in moved for cell, _ in fact.expression.terms):
            yield fact.substitute(moved)


def compose(first: Step, second: Step) -> Step:
    """One step after the other; the parameters and the guard of the first come first."""
    assert first.target == second.source
    shift = len(first.ranges)
    values = {parameter(k): unknown(parameter(k + shift)) for k in range(len(second.ranges))}
    values.update((cell, unknown(cell) + change) for cell, change in first.changes)
    changes = dict(first.changes)
    for cell, change in second.changes:
        changes[cell] = changes.get(cell, ZERO) + change.substitute(values)
    return Step(
        first.path + second.path,
        first.source,
        second.target,
        first.ranges + second.ranges,
        first.guard + tuple(each.substitute(values) for each in second.guard),
        tuple(sorted((cell, change) for cell, change in changes.items() if change != ZERO)),
        first.moves + second.moves,
    )
