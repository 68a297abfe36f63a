"""Trying one measure on the steps of a component."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gemwright.validator.linear.affine import Affine, Constraint, number
from gemwright.validator.linear.simplex import Reason
from gemwright.validator.proof.live import Ground, Live, alive
from gemwright.validator.proof.ranking_proof import Measure, Order, Path


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure that never rises and can fall; `lives` are the steps restricted to change = 0."""

    points: tuple[int, ...]
    measure: Affine
    offsets: Mapping[int, int]
    low: int
    kept: Mapping[Path, Reason]
    still: Mapping[Path, Reason]
    dropped: Mapping[Path, Reason]
    lives: tuple[Live, ...]

    def stage(self, ground: Ground, then: Order) -> Measure:
        """The stage of a proof."""
        lows, highs = {}, {}
        for point in self.points:
            simplex, value = ground.at(point), self.measure + self.offsets.get(point, 0)
            lows[point] = _sure(simplex.claim(value - self.low))
            if not simplex.feasible:
                highs[point] = self.low, _sure(simplex.conflict)
                continue
            most = simplex.minimum(-value)
            if most is not None:
                highs[point] = -most.floor, _sure(simplex.claim(-value - most.floor))
        return Measure(
            self.measure,
            self.offsets,
            self.low,
            lows,
            highs,
            self.kept,
            self.still,
            self.dropped,
            then,
        )


def measured(
    points: tuple[int, ...],
    lives: Sequence[Live],
    measure: Affine,
    offsets: Mapping[int, int],
    ground: Ground,
) -> Measured | None:
    """Try a measure; None if it may rise, cannot fall, or has no lower bound."""
    changes = {live.step.path: change_of(live, measure, offsets) for live in lives}
    kept: dict[Path, Reason] = {}
    still: dict[Path, Reason] = {}
    for live in lives:
        path = live.step.path
        reason = live.never_rises(changes[path])
        if reason is None:
            return None
        kept[path] = reason
    for live in lives:
        same = live.simplex.claim(changes[live.step.path])
        if same is not None:
            still[live.step.path] = same
    low = None if len(still) == len(lives) else _floor(ground, points, measure, offsets)
    if low is None:
        return None
    left, dropped = alive(
        live.with_guard(Constraint(changes[live.step.path], True)) for live in lives
    )
    return Measured(points, measure, offsets, low, kept, still, dropped, tuple(left))


def no_measure(
    points: tuple[int, ...],
    lives: Sequence[Live],
    kept: Iterable[Live],
    dropped: Mapping[Path, Reason],
) -> Measured:
    """The measure 0, which only drops impossible steps."""
    free = Reason(1, (), 0)
    same = {live.step.path: free for live in lives}
    zero = number(0)
    left = tuple(live.with_guard(Constraint(zero, True)) for live in kept)
    return Measured(points, zero, {}, 0, same, same, dropped, left)


def change_of(live: Live, measure: Affine, offsets: Mapping[int, int]) -> Affine:
    """By how much a measure with offsets changes on a step."""
    step = live.step
    return step.change(measure) + (offsets.get(step.target, 0) - offsets.get(step.source, 0))


def _floor(
    ground: Ground, points: Iterable[int], measure: Affine, offsets: Mapping[int, int]
) -> int | None:
    """The least value at any of the points that can be reached, None if there is none."""
    floors = []
    for point in points:
        simplex = ground.at(point)
        if simplex.feasible:
            least = simplex.minimum(measure + offsets.get(point, 0))
            if least is None:
                return None
            floors.append(least.floor)
    return min(floors, default=0)


def _sure(reason: Reason | None) -> Reason:
    assert reason is not None, "the bound is a minimum"
    return reason
