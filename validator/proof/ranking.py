"""The search for a proof of termination: measures first, refinements when none is left.

Measures are tried in a fixed order: the author's hints, positions of loops, counters, zones, what
is missing in zones. A measure is taken when it never rises and can fall somewhere; steps that can
only lower it are gone then, the others are restricted to where it stays. Taking one never spoils
the proof, so there is no backtracking except in splits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gemwright.validator.abstraction.transitions import CellKind
from gemwright.validator.linear.affine import Affine, unknown
from gemwright.validator.proof.combining import combined
from gemwright.validator.proof.components import components
from gemwright.validator.proof.contracting import Contracted, contract
from gemwright.validator.proof.live import Ground, Live, alive, steps_of
from gemwright.validator.proof.measuring import Measured, measured, no_measure
from gemwright.validator.proof.ranking_proof import Contraction, Group, Order, Stage
from gemwright.validator.proof.refining import Splitting, find_facts, find_splits
from gemwright.validator.proof.templates import place_totals

NARROW: Final = 0
"""A point is taken out at once if that makes at most so many steps more."""
WIDE: Final = 24
"""The same, when nothing else helps."""

Proof = tuple[Order, list[Live]]
"""A proof and the steps for which it has a gap; none when it is whole."""
Found = tuple[Stage, list[Live]]


@dataclass(frozen=True, slots=True)
class Effort:
    """What may still be tried: splits within splits, and contractions that make many steps."""

    splits: int = 3
    wide: bool = True


class Ranking:
    """Searches proofs on one system."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._cells = ground.system.cells
        self.contracted: dict[Stage, Contracted] = {}
        """What each contraction did."""

    def prove(
        self, points: Iterable[int], lives: Sequence[Live], effort: Effort | None = None
    ) -> Proof:
        """A proof that no play stays among these steps for ever."""
        effort = effort or Effort()
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
                found = self._stage(component, within, effort)
                stage, gap = (None, within) if found is None else found
                gaps.extend(gap)
            groups.append(Group(component, stage))
        return Order(tuple(groups)), gaps

    def _stage(self, points: tuple[int, ...], lives: list[Live], effort: Effort) -> Found | None:
        """The first stage that helps, with the proof of the rest."""
        kept, dropped = alive(lives)
        if dropped:
            return self._measure(no_measure(points, lives, kept, dropped), effort)
        for measure in self._measures(lives):
            found = measured(points, lives, measure, {}, self._ground)
            if found is not None:
                return self._measure(found, effort)
        return (
            self._contraction(points, lives, NARROW, effort)
            or self._facts(points, lives, effort)
            or self._combination(points, lives, effort)
            or self._split(points, lives, effort)
            or (self._contraction(points, lives, WIDE, effort) if effort.wide else None)
        )

    def _measures(self, lives: Sequence[Live]) -> Iterator[Affine]:
        """Candidates in the order in which they are tried."""
        yield from (hint.measure for hint in self._ground.system.hints)
        changed = sorted({cell for live in lives for cell, _ in live.step.changes})
        missing: list[Affine] = []
        for kind in CellKind:
            cells = [unknown(cell) for cell in changed if self._cells[cell].kind is kind]
            if kind is CellKind.ZONE:
                cells = [*place_totals(self._cells, changed), *cells]
            if kind in (CellKind.LOOP, CellKind.COUNTER):
                yield from (-cell for cell in cells)
            else:
                missing += [-cell for cell in cells]
            yield from cells
        yield from missing

    def _measure(self, found: Measured, effort: Effort) -> Found:
        then, gaps = self.prove(found.points, found.lives, effort)
        return found.stage(self._ground, then), gaps

    def _combination(
        self, points: tuple[int, ...], lives: list[Live], effort: Effort
    ) -> Found | None:
        weights = combined(points, lives, self._ground)
        if weights is None:
            return None
        found = measured(points, lives, weights.measure, weights.offsets, self._ground)
        return None if found is None else self._measure(found, effort)

    def _contraction(
        self, points: tuple[int, ...], lives: list[Live], growth: int, effort: Effort
    ) -> Found | None:
        found = contract(points, lives, self._ground, growth)
        if found is None:
            return None
        left = [point for point in points if point not in found.points]
        then, gaps = self.prove(left, found.lives, effort)
        stage = Contraction(found.points, found.dropped, found.merged, then)
        self.contracted[stage] = found
        return stage, gaps

    def _facts(self, points: tuple[int, ...], lives: list[Live], effort: Effort) -> Found | None:
        found = find_facts(points, lives, self._cells)
        if found is None:
            return None
        kept, dropped = alive(found.lives)
        then, gaps = self.prove(points, kept, effort)
        return found.stage(dropped, then), gaps

    def _split(self, points: tuple[int, ...], lives: list[Live], effort: Effort) -> Found | None:
        """The first split both halves of which are proved."""
        if not effort.splits:
            return None
        inner = replace(effort, splits=effort.splits - 1, wide=False)
        for splitting in find_splits(lives, self._cells):
            stage = self._halves(points, splitting, inner)
            if stage is not None:
                return stage, []
        return None

    def _halves(
        self, points: tuple[int, ...], splitting: Splitting, effort: Effort
    ) -> Stage | None:
        halves = []
        for lives in (splitting.low, splitting.high):
            kept, dropped = alive(lives)
            then, gaps = self.prove(points, kept, effort)
            if gaps:
                return None
            halves.append((dropped, then))
        return splitting.stage(*halves)
