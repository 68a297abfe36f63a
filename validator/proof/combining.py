"""Sums of cells as measures, found by linear programming.

Weights of cells and offsets of points are sought such that no step raises the sum and as many as
possible lower it (Alias, Darte, Feautrier, Gonnord: "Multi-dimensional rankings, program
termination, and complexity bounds of flowchart programs", SAS 2010). Instead of dualising every
step, weights are guessed from sample changes and each guess is checked on the steps; a step that
refutes it gives the next sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

from gemwright.validator.linear.affine import Affine, Constraint, affine, number, unknown
from gemwright.validator.linear.budget import BudgetSpent
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.live import Ground, Live

ROUNDS: Final = 60
"""Guesses before giving up."""
STEPS: Final = 20_000
"""Steps for the guesses at one place of a proof."""
HEAVIEST: Final = 12
"""Weights lie in -HEAVIEST..HEAVIEST times that of the least."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A measure with the offsets of points."""

    measure: Affine
    offsets: dict[int, int]


def combined(points: Sequence[int], lives: Sequence[Live], ground: Ground) -> Weights | None:
    """A sum that no step raises and some step lowers, bounded from below; None if none is found."""
    try:
        search = _Search(points, lives, ground)
        for _ in range(ROUNDS):
            weights = search.guess()
            if weights is None:
                return None
            if not search.refute(weights):
                return weights
    except BudgetSpent:
        # Guesses have a budget of their own, so that another argument can be looked for.
        if ground.budget.left < 0:
            raise
    return None


class _Search:
    """Unknowns of the master problem: weights of `cells`, offsets of `points`, a drop in 0..1 per
    step, numbered one after the other."""

    def __init__(self, points: Sequence[int], lives: Sequence[Live], ground: Ground) -> None:
        self._ground = ground
        self._lives = lives
        self._points = points
        self._cells = sorted({cell for live in lives for cell, _ in live.step.changes})
        self._master = Simplex(ground.budget.share(STEPS))
        self._samples = 0
        for place, cell in enumerate(self._cells):
            least = -HEAVIEST if self._bounded(cell, above=True) else 0
            most = HEAVIEST if self._bounded(cell, above=False) else 0
            self._master.bound(place, least, most, ("", ""))
        for place in range(len(points)):
            bound = HEAVIEST if place else 0
            self._master.bound(len(self._cells) + place, -bound, bound, ("", ""))
        for place in range(len(lives)):
            self._master.bound(self._drop(place), 0, 1, ("", ""))
        for live in lives:
            self._sample(live)

    def _bounded(self, cell: int, *, above: bool) -> bool:
        kept = self._ground.system.cells[cell]
        return (kept.high if above else kept.low) is not None

    def _drop(self, place: int) -> int:
        return len(self._cells) + len(self._points) + place

    def _sample(self, live: Live) -> None:
        """Ask that the change at the solution at which a step's problem stands be a drop."""
        changes = [live.step.change(unknown(cell)) for cell in self._cells]
        names = sorted({name for change in changes for name, _ in change.terms})
        values, scale = live.simplex.point(names)
        terms = [
            (place, change.constant * scale + sum(c * values[u] for u, c in change.terms))
            for place, change in enumerate(changes)
        ]
        base = len(self._cells)
        terms.append((base + self._points.index(live.step.target), scale))
        terms.append((base + self._points.index(live.step.source), -scale))
        terms.append((self._drop(self._lives.index(live)), scale))
        self._samples += 1
        self._master.add(f"s{self._samples}", Constraint(-affine(terms)))

    def guess(self) -> Weights | None:
        """The weights that lower the sum on most steps, as far as samples tell."""
        if not self._master.feasible:
            return None
        goal = affine((self._drop(place), -1) for place in range(len(self._lives)))
        best = self._master.minimum(goal)
        if best is None or best.rest >= 0:
            return None
        values, _ = self._master.point(range(self._drop(0)))
        common = gcd(*values.values())
        if common == 0:
            return None
        whole = [values[place] // common for place in range(self._drop(0))]
        measure = affine(zip(self._cells, whole, strict=False))
        offsets = dict(zip(self._points, whole[len(self._cells) :], strict=True))
        return Weights(measure, {point: value for point, value in offsets.items() if value})

    def refute(self, weights: Weights) -> bool:
        """Take samples from steps that may raise the sum; False if there are none."""
        found = False
        for live in self._lives:
            change = self._change(live, weights)
            if live.never_rises(change) is None:
                self._sample(live)
                found = True
        return found

    def _change(self, live: Live, weights: Weights) -> Affine:
        step, offsets = live.step, weights.offsets
        shift = offsets.get(step.target, 0) - offsets.get(step.source, 0)
        return step.change(weights.measure) + number(shift)
