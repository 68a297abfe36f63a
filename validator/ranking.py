"""The search for a proof of termination: measures first, refinements when none is left.

Measures are tried in a fixed order: positions of loops, counters, zones, what is missing in zones,
the author's hints, then sums found by linear programming. A measure is taken when it never rises
and can fall somewhere; steps that can only lower it are gone then, the others are restricted to
where it stays. Taking one never spoils the proof, so there is no backtracking except in splits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from gemwright.validator.affine import Affine, Constraint, number, unknown
from gemwright.validator.combining import combined
from gemwright.validator.components import components
from gemwright.validator.contracting import contract
from gemwright.validator.live import Ground, Live, alive, steps_of
from gemwright.validator.ranking_proof import (
    Contraction,
    Group,
    Measure,
    Order,
    Path,
    Stage,
)
from gemwright.validator.refining import Splitting, find_facts, find_splits
from gemwright.validator.simplex import Reason
from gemwright.validator.transitions import CellKind

MOST_SPLITS: Final = 3
"""Splits within splits."""

Proof = tuple[Order, list[Live]]
"""A proof and the steps for which it has a gap; none when it is whole."""


class Ranking:
    """Searches proofs on one system."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._cells = ground.system.cells
        self.composed: dict[Stage, tuple[Live, ...]] = {}
        """The steps that are left after each contraction."""

    def prove(self, points: Iterable[int], lives: Sequence[Live], splits: int = 0) -> Proof:
        """A proof that no play stays among these steps for ever."""
        groups: list[Group] = []
        gaps: list[Live] = []
        for component in components(points, steps_of(lives)):
            members = set(component)
            within = [
                live
                for live in lives
                if live.step.source in members and live.step.target in members
            ]
            stage = None
            if within:
                stage, gap = self._stage(component, within, splits)
                gaps.extend(gap)
            groups.append(Group(component, stage))
        return Order(tuple(groups)), gaps

    def _stage(
        self, points: tuple[int, ...], lives: list[Live], splits: int
    ) -> tuple[Stage | None, list[Live]]:
        kept, dropped = alive(lives)
        if dropped:
            zero = [live.with_guard(Constraint(number(0), True)) for live in kept]
            then, gaps = self.prove(points, zero, splits)
            return _nothing(points, lives, dropped, then), gaps
        for measure in self._measures(lives):
            found = self._measure(points, lives, measure, {}, splits)
            if found is not None:
                return found
        return self._refined(points, lives, splits)

    # -- measures

    def _measures(self, lives: Sequence[Live]) -> list[Affine]:
        """Candidates in the order in which they are tried."""
        changed = sorted({cell for live in lives for cell, _ in live.step.changes})
        plain, missing = [], []
        for kind in CellKind:
            cells = [unknown(cell) for cell in changed if self._cells[cell].kind is kind]
            if kind in (CellKind.LOOP, CellKind.COUNTER):
                plain += [-cell for cell in cells] + cells
            else:
                plain += cells
                missing += [-cell for cell in cells]
        hints = [hint.measure for hint in self._ground.system.hints]
        return plain + missing + hints

    def _measure(
        self,
        points: tuple[int, ...],
        lives: list[Live],
        measure: Affine,
        offsets: Mapping[int, int],
        splits: int,
    ) -> tuple[Stage, list[Live]] | None:
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
        if len(still) == len(lives):
            return None
        low = self._floor(points, measure, offsets)
        if low is None:
            return None
        zero = [live.with_guard(Constraint(changes[live.step.path], True)) for live in lives]
        left, dropped = alive(zero)
        then, gaps = self.prove(points, left, splits)
        lows = {
            point: _sure(self._ground.at(point).claim(measure + offsets.get(point, 0) - low))
            for point in points
        }
        highs = self._highs(points, measure, offsets, low)
        return Measure(measure, offsets, low, lows, highs, kept, still, dropped, then), gaps

    def _highs(
        self, points: Iterable[int], measure: Affine, offsets: Mapping[int, int], low: int
    ) -> dict[int, tuple[int, Reason]]:
        found = {}
        for point in points:
            simplex, value = self._ground.at(point), measure + offsets.get(point, 0)
            if not simplex.feasible:
                found[point] = low, _sure(simplex.conflict)
                continue
            most = simplex.minimum(-value)
            if most is not None:
                high = -most.floor
                found[point] = high, _sure(simplex.claim(-value + high))
        return found

    def _floor(
        self, points: Iterable[int], measure: Affine, offsets: Mapping[int, int]
    ) -> int | None:
        """The least value at any of the points that can be reached, None if there is none."""
        floors = []
        for point in points:
            simplex = self._ground.at(point)
            if simplex.feasible:
                least = simplex.minimum(measure + offsets.get(point, 0))
                if least is None:
                    return None
                floors.append(least.floor)
        return min(floors, default=0)

    # -- refinements

    def _refined(
        self, points: tuple[int, ...], lives: list[Live], splits: int
    ) -> tuple[Stage | None, list[Live]]:
        contracted = contract(points, lives, self._ground)
        if contracted is not None:
            left = [point for point in points if point not in contracted.points]
            then, gaps = self.prove(left, contracted.lives, splits)
            stage = Contraction(contracted.points, contracted.dropped, contracted.merged, then)
            self.composed[stage] = contracted.lives
            return stage, gaps
        facts = find_facts(points, lives, self._cells)
        if facts is not None:
            kept, dropped = alive(facts.lives)
            then, gaps = self.prove(points, kept, splits)
            return facts.stage(dropped, then), gaps
        weights = combined(points, lives, self._ground)
        if weights is not None:
            found = self._measure(points, lives, weights.measure, weights.offsets, splits)
            if found is not None:
                return found
        if splits < MOST_SPLITS:
            for splitting in find_splits(lives, self._cells):
                split = self._split(points, splitting, splits + 1)
                if split is not None:
                    return split, []
        return None, lives

    def _split(self, points: tuple[int, ...], splitting: Splitting, splits: int) -> Stage | None:
        halves = []
        for lives in (splitting.low, splitting.high):
            kept, dropped = alive(lives)
            then, gaps = self.prove(points, kept, splits)
            if gaps:
                return None
            halves.append((dropped, then))
        return splitting.stage(*halves)


def change_of(live: Live, measure: Affine, offsets: Mapping[int, int]) -> Affine:
    """By how much a measure with offsets changes on a step."""
    step = live.step
    return step.change(measure) + (offsets.get(step.target, 0) - offsets.get(step.source, 0))


def _sure(reason: Reason | None) -> Reason:
    assert reason is not None, "the bound is a minimum"
    return reason


def _nothing(
    points: Iterable[int],
    lives: Iterable[Live],
    dropped: Mapping[Path, Reason],
    then: Order,
) -> Measure:
    """The measure 0, which only drops impossible steps."""
    zero, free = number(0), Reason(1, (), 0)
    at = {point: free for point in points}
    kept: dict[Path, Reason] = {live.step.path: free for live in lives}
    highs = {point: (0, free) for point in points}
    return Measure(zero, {}, 0, at, highs, kept, kept, dropped, then)
