"""Random plays of transition systems: what the abstraction allows, step by step."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import parameter
from gemwright.validator.proof.steps import Step, steps_of

Place = tuple[int, tuple[int, ...]]


def begin(system: TransitionSystem) -> Place:
    """Where a play begins; every cell has one value there."""
    cells = {}
    for constraint in system.initial:
        ((cell, coefficient),) = constraint.expression.terms
        assert constraint.equality and coefficient == 1
        cells[cell] = -constraint.expression.constant
    return system.start, tuple(cells[cell] for cell in range(len(system.cells)))


def walk(system: TransitionSystem, seed: int, most: int) -> Iterator[tuple[Place, Step]]:
    """The places of a random play and the steps taken from them, at most so many."""
    rng, steps = random.Random(seed), steps_of(system)
    point, cells = begin(system)
    for _ in range(most):
        open_steps = [step for step in steps if step.source == point]
        rng.shuffle(open_steps)
        taken = next(
            (found for step in open_steps if (found := _taken(step, cells, rng)) is not None), None
        )
        if taken is None:
            return
        step, after = taken
        yield (point, cells), step
        point, cells = step.target, after


def _taken(
    step: Step, cells: tuple[int, ...], rng: random.Random
) -> tuple[Step, tuple[int, ...]] | None:
    for _ in range(25):
        values = dict(enumerate(cells))
        for position, (low, high) in enumerate(step.ranges):
            least = -5 if low is None else low
            values[parameter(position)] = rng.randint(least, least + 9 if high is None else high)
        if all(each.holds(values) for each in step.guard):
            changes = dict(step.changes)
            return step, tuple(
                value + (changes[cell].value(values) if cell in changes else 0)
                for cell, value in enumerate(cells)
            )
    return None
