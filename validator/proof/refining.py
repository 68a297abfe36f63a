"""Refinements of a proof when no measure is left: facts about quantities that no step changes, and
splits on their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.validator.abstraction.transitions import Cell
from gemwright.validator.linear.affine import Affine, Constraint, number, unknown
from gemwright.validator.linear.simplex import Reason
from gemwright.validator.proof.components import components
from gemwright.validator.proof.live import Live, steps_of
from gemwright.validator.proof.ranking_proof import Bound, Facts, Half, Order, Path, Split
from gemwright.validator.proof.steps import Range
from gemwright.validator.proof.templates import place_totals

MOST_SPLITS: Final = 4
"""Ways to split that are tried at one place."""

Still = Mapping[Path, tuple[Reason, Reason]]


@dataclass(frozen=True, slots=True)
class FactsFound:
    """Facts, and the steps restricted by them."""

    bounds: tuple[Bound, ...]
    constant: tuple[Still, ...]
    lives: tuple[Live, ...]

    def stage(self, dropped: Mapping[Path, Reason], then: Order) -> Facts:
        """The stage of a proof."""
        return Facts(self.bounds, self.constant, dropped, then)


def find_facts(
    points: Sequence[int], lives: Sequence[Live], cells: Sequence[Cell]
) -> FactsFound | None:
    """All bounds that tell something new on some step; None if there are none."""
    cuts = [point for point in points if _cuts(point, points, lives)]
    bounds: list[Bound] = []
    constant: list[Still] = []
    for quantity, still in _constants(lives, cells) if cuts else ():
        ranges = [live.extent(quantity) for live in lives]
        for constraint, point in _news(quantity, lives, ranges, cuts):
            reasons: dict[Path, Reason] = {}
            for live in lives:
                if live.step.source == point:
                    reason = live.simplex.claim(constraint.expression)
                    assert reason is not None
                    reasons[live.step.path] = reason
            bounds.append(Bound(point, constraint, reasons))
            constant.append(still)
    if not bounds:
        return None
    added = [bound.constraint for bound in bounds]
    restricted = tuple(live.with_guard(*added) for live in lives)
    return FactsFound(tuple(bounds), tuple(constant), restricted)


def _news(
    quantity: Affine, lives: Sequence[Live], ranges: Sequence[Range], cuts: Sequence[int]
) -> Iterable[tuple[Constraint, int]]:
    """Bounds of a quantity that hold on all steps out of some cut point and not on all others."""
    lows = [low for low, _ in ranges]
    highs = [high for _, high in ranges]
    best_low = _best(lives, lows, cuts, largest=True)
    if best_low is not None and any(low is None or low < best_low[0] for low in lows):
        yield Constraint(quantity - best_low[0]), best_low[1]
    best_high = _best(lives, highs, cuts, largest=False)
    if best_high is not None and any(high is None or high > best_high[0] for high in highs):
        yield Constraint(-quantity + best_high[0]), best_high[1]


def _best(
    lives: Sequence[Live], ends: Sequence[int | None], cuts: Sequence[int], *, largest: bool
) -> tuple[int, int] | None:
    """The strongest bound over cut points, and the first point that gives it."""
    best: tuple[int, int] | None = None
    for point in cuts:
        there = [end for live, end in zip(lives, ends, strict=True) if live.step.source == point]
        known = [end for end in there if end is not None]
        if not known or len(known) < len(there):
            continue
        bound = min(known) if largest else max(known)
        if best is None or (bound > best[0] if largest else bound < best[0]):
            best = bound, point
    return best


def _cuts(point: int, points: Sequence[int], lives: Sequence[Live]) -> bool:
    """Whether no cycle avoids a point."""
    others = [each for each in points if each != point]
    steps = [step for step in steps_of(lives) if point not in (step.source, step.target)]
    if any(step.source == step.target for step in steps):
        return False
    return all(len(component) == 1 for component in components(others, steps))


def _constants(lives: Sequence[Live], cells: Sequence[Cell]) -> Iterable[tuple[Affine, Still]]:
    """Cells that some guard speaks of, and the sizes of their places, if no step changes them, and
    why."""
    tested = {
        name
        for live in lives
        for constraint in live.step.guard
        for name, _ in constraint.expression.terms
    }
    single = [unknown(cell) for cell in range(len(cells)) if cell in tested]
    for quantity in (*single, *place_totals(cells, tested)):
        still: dict[Path, tuple[Reason, Reason]] = {}
        for live in lives:
            change = live.step.change(quantity)
            same = _SAME if change == number(0) else live.constant(change)
            if same is None:
                break
            still[live.step.path] = same
        else:
            yield quantity, still


_SAME = (Reason(1, (), 0), Reason(1, (), 0))


@dataclass(frozen=True, slots=True)
class Splitting:
    """A way to split, and the steps in each half."""

    quantity: Affine
    most: int
    constant: Still
    low: tuple[Live, ...]
    high: tuple[Live, ...]

    def stage(
        self,
        low: tuple[Mapping[Path, Reason], Order],
        high: tuple[Mapping[Path, Reason], Order],
    ) -> Split:
        """The stage of a proof."""
        return Split(self.quantity, self.most, self.constant, Half(*low), Half(*high))


def find_splits(lives: Sequence[Live], cells: Sequence[Cell]) -> Iterable[Splitting]:
    """Splits that make some step impossible in each half, those that drop most first."""
    found: list[tuple[int, Affine, int, Still]] = []
    for quantity, still in _constants(lives, cells):
        ranges = [live.extent(quantity) for live in lives]
        lows = sorted({low for low, _ in ranges if low is not None})
        best: tuple[int, int] | None = None
        for low in lows:
            most = low - 1
            above = sum(1 for least, _ in ranges if least is not None and least > most)
            below = sum(1 for _, high in ranges if high is not None and high <= most)
            worth = min(above, below)
            if worth and (best is None or worth > best[0]):
                best = worth, most
        if best is not None:
            found.append((best[0], quantity, best[1], still))
    for _, quantity, most, still in sorted(found, key=lambda each: -each[0])[:MOST_SPLITS]:
        low_half = tuple(live.with_guard(Constraint(-quantity + most)) for live in lives)
        high_half = tuple(live.with_guard(Constraint(quantity - most - 1)) for live in lives)
        yield Splitting(quantity, most, still, low_half, high_half)
