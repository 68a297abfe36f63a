"""Steps with what is known on them, as a proof goes on restricting them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import Affine, Constraint
from gemwright.validator.linear.budget import Budget
from gemwright.validator.linear.simplex import Reason, Simplex
from gemwright.validator.proof.intervals import extent
from gemwright.validator.proof.invariants import Known
from gemwright.validator.proof.premises import add_guard, at_point, on_step
from gemwright.validator.proof.ranking_proof import Path
from gemwright.validator.proof.steps import Range, Step


@dataclass(frozen=True, slots=True)
class Live:
    """A step and its problem; the problem is only asked, never added to."""

    step: Step
    simplex: Simplex
    _extents: dict[Affine, Range] = field(default_factory=dict, compare=False, repr=False)

    def extent(self, expression: Affine) -> Range:
        """The least and the greatest value of an expression on the step; asked once."""
        if expression not in self._extents:
            self._extents[expression] = extent(self.simplex, expression)
        return self._extents[expression]

    def with_guard(self, *more: Constraint) -> Live:
        """The step restricted further."""
        step = self.step.with_guard(*more)
        simplex = self.simplex.copy()
        add_guard(simplex, step, len(self.step.guard))
        return Live(step, simplex)

    def never_rises(self, change: Affine) -> Reason | None:
        """Why a change is at most 0."""
        return self.simplex.claim(-change)

    def constant(self, change: Affine) -> tuple[Reason, Reason] | None:
        """Why a change is 0: at least 0, and at most 0."""
        up = self.simplex.claim(change)
        down = None if up is None else self.simplex.claim(-change)
        return None if up is None or down is None else (up, down)


class Ground:
    """The system with its invariants: makes live steps and answers what holds at points."""

    def __init__(self, system: TransitionSystem, known: Known, budget: Budget) -> None:
        self.system = system
        self.known = known
        self.budget = budget
        self._at: dict[int, Simplex] = {}

    def at(self, point: int) -> Simplex:
        """What is known at a point."""
        if point not in self._at:
            invariants = enumerate(self.known[point])
            self._at[point] = at_point(self.system, invariants, self.budget)
        return self._at[point]

    def live(self, step: Step) -> Live:
        """A step with all that is known on it."""
        return Live(step, on_step(self.at(step.source), step))


def alive(lives: Iterable[Live]) -> tuple[list[Live], dict[Path, Reason]]:
    """Steps that are possible, and why the others are not."""
    kept, dropped = [], {}
    for live in lives:
        if live.simplex.feasible:
            kept.append(live)
        else:
            assert live.simplex.conflict is not None
            dropped[live.step.path] = live.simplex.conflict
    return kept, dropped


def steps_of(lives: Sequence[Live]) -> list[Step]:
    """The steps alone."""
    return [live.step for live in lives]
