"""Problems for the simplex: what is known at a point, and on a step.

Premises are named, so that reasons can be written down and checked again elsewhere:

* `i3` invariant 3 of the list kept for the point (the source of the step),
* `f0` fact 0 of the system, `g2` constraint 2 of the guard,
* `l5`, `h5` the lower and upper end of the range of cell 5, `l-1`, `h-1` those of parameter 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import Constraint, parameter
from gemwright.validator.linear.budget import Budget
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.steps import Step

Invariants = Iterable[tuple[int, Constraint]]
"""Numbered constraints that hold at a point."""


def at_point(system: TransitionSystem, invariants: Invariants, budget: Budget) -> Simplex:
    """What is known of the cells at a point."""
    simplex = Simplex(budget)
    for position, cell in enumerate(system.cells):
        if cell.low is not None or cell.high is not None:
            simplex.bound(position, cell.low, cell.high, (f"l{position}", f"h{position}"))
    for which, fact in enumerate(system.facts):
        simplex.add(f"f{which}", fact)
    for which, constraint in invariants:
        simplex.add(f"i{which}", constraint)
    return simplex


def on_step(before: Simplex, step: Step) -> Simplex:
    """What is known on a step; `before` is what is known at its source."""
    simplex = before.copy()
    for position, (low, high) in enumerate(step.ranges):
        if low is not None or high is not None:
            name = parameter(position)
            simplex.bound(name, low, high, (f"l{name}", f"h{name}"))
    add_guard(simplex, step, 0)
    return simplex


def add_guard(simplex: Simplex, step: Step, known: int) -> None:
    """Add the constraints of the guard after the first `known`, each once."""
    seen = set(step.guard[:known])
    for which in range(known, len(step.guard)):
        constraint = step.guard[which]
        if constraint not in seen:
            seen.add(constraint)
            simplex.add(f"g{which}", constraint)
