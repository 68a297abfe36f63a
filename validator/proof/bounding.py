"""Bounds on the number of moves of a play, from a proof of termination.

A proof is walked from the outside in, with the number of *visits*: maximal parts of the play that
stay among the steps at hand, each beginning at one of some points. A measure falls at most once per
unit between its greatest value on entry and its least value, per visit; or, over the whole play,
from its greatest value once plus all rises outside of the visits. What may happen outside, once the
part at hand was entered, is kept in a ledger: steps with the number of times that they are taken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gemwright.validator.linear.affine import Affine
from gemwright.validator.linear.simplex import Reason
from gemwright.validator.proof.contracting import Contracted
from gemwright.validator.proof.live import Live, steps_of
from gemwright.validator.proof.ranking_proof import (
    Contraction,
    Facts,
    Half,
    Measure,
    Order,
    Path,
    Split,
    Stage,
)
from gemwright.validator.proof.steps import Step
from gemwright.validator.proof.walks import (
    Weight,
    arrivals,
    heaviest,
    heaviest_through,
    length_of,
    longest_begin,
    longest_end,
    moves_of,
)

Visits = tuple[tuple[int, frozenset[int]], ...]
"""How often, and beginning at one of which points."""

Rises = Mapping[Path, tuple[int, Reason]]
"""The most by which a measure rises on a step, and why."""


@dataclass(frozen=True, slots=True)
class Total:
    """Moves and edges; None when no bound is known."""

    moves: int | None
    edges: int | None

    def __add__(self, other: Total) -> Total:
        return Total(_plus(self.moves, other.moves), _plus(self.edges, other.edges))


@dataclass(frozen=True, slots=True)
class Taken:
    """Steps outside of a stage: taken so often in all (None = not known), by anybody."""

    lives: tuple[Live, ...]
    count: int | None


@dataclass(frozen=True, slots=True)
class Passed:
    """Steps between groups: each visit goes along one way through them."""

    lives: tuple[Live, ...]
    places: Mapping[int, int]
    visits: Visits


Outside = Taken | Passed


@dataclass(frozen=True, slots=True)
class Falls:
    """How often a measure falls: at most `count` times. `begins` are the points whose greatest
    values count. `rises`, when the bound is over the whole play: for each entry of the ledger
    that matters, the rises of its steps."""

    count: int
    begins: frozenset[int]
    rises: Mapping[int, Rises] | None = None


NO_FALLS: Final = Falls(0, frozenset())


@dataclass(frozen=True, slots=True)
class Bounds:
    """`falls` has what is known of each measure."""

    total: Total
    falls: Mapping[Stage, Falls]


def bound(
    order: Order,
    lives: Sequence[Live],
    start: int,
    contracted: Mapping[Stage, Contracted],
) -> Bounds:
    """Bounds for a whole play from a proof without gaps; `contracted` tells what each contraction
    did."""
    work = _Bounding(contracted)
    total = work.order(order, tuple(lives), ((1, frozenset({start})),), ())
    return Bounds(total, work.falls)


@dataclass(slots=True)
class _Bounding:
    contracted: Mapping[Stage, Contracted]
    falls: dict[Stage, Falls] = field(default_factory=dict)
    rises: dict[tuple[Path, Affine], tuple[int, Reason] | None] = field(default_factory=dict)
    """Rises of measures on steps, as far as they were asked for."""

    def order(
        self, order: Order, lives: tuple[Live, ...], visits: Visits, ledger: tuple[Outside, ...]
    ) -> Total:
        places = {point: at for at, group in enumerate(order.groups) for point in group.points}
        lives = tuple(
            live for live in lives if live.step.source in places and live.step.target in places
        )
        passing = tuple(
            live for live in lives if places[live.step.source] != places[live.step.target]
        )
        steps = steps_of(passing)
        total = Total(
            sum(k * heaviest(places, steps, starts, moves_of) for k, starts in visits),
            sum(k * heaviest(places, steps, starts, length_of) for k, starts in visits),
        )
        parts = {
            at: tuple(
                live for live in lives if places[live.step.source] == places[live.step.target] == at
            )
            for at, group in enumerate(order.groups)
            if group.stage is not None
        }
        counts: dict[int, int | None] = dict.fromkeys(parts)
        for at, part in parts.items():
            stage = order.groups[at].stage
            assert stage is not None
            entering = tuple(
                (k, points)
                for k, starts in visits
                if (points := arrivals(places, steps, starts, at))
            )
            # In a single visit there is no way back to earlier groups.
            since = at if sum(k for k, _ in visits) <= 1 else 0
            later = tuple(live for live in passing if places[live.step.source] >= since)
            beside = [
                Taken(parts[other], counts[other])
                for other in parts
                if other != at and other >= since
            ]
            outside = (*ledger, Passed(later, places, visits), *beside)
            found = self._stage(stage, part, entering, outside)
            counts[at] = found.edges
            total += found
        return total

    def _stage(
        self, stage: Stage, lives: tuple[Live, ...], visits: Visits, ledger: tuple[Outside, ...]
    ) -> Total:
        if isinstance(stage, Measure):
            return self._measure(stage, lives, visits, ledger)
        if isinstance(stage, Facts):
            return self._facts(stage, lives, visits, ledger)
        if isinstance(stage, Split):
            return self._split(stage, lives, visits, ledger)
        return self._contraction(stage, lives, visits, ledger)

    # -- measures

    def _measure(
        self, stage: Measure, lives: tuple[Live, ...], visits: Visits, ledger: tuple[Outside, ...]
    ) -> Total:
        falling = tuple(live for live in lives if live.step.path not in stage.still)
        falls = self._falls(stage, visits, ledger) if falling else NO_FALLS
        if falls is None:
            return Total(None, None)
        self.falls[stage] = falls
        left = tuple(live for live in lives if live.step.path not in stage.dropped)
        again = frozenset(live.step.target for live in falling)
        more = ((falls.count, again),) if falls.count else ()
        own = Total(
            falls.count * max((moves_of(live.step) for live in falling), default=0),
            falls.count * max((length_of(live.step) for live in falling), default=0),
        )
        outside = (*ledger, Taken(falling, falls.count))
        return own + self.order(stage.then, left, visits + more, outside)

    def _falls(self, stage: Measure, visits: Visits, ledger: tuple[Outside, ...]) -> Falls | None:
        entry = [(k, _most(stage, points)) for k, points in visits]
        if not entry:
            return NO_FALLS
        known = [(k, high - stage.low) for k, high in entry if high is not None]
        if len(known) < len(entry):
            return None
        begins = frozenset(point for _, points in visits for point in points)
        each = Falls(sum(k * max(0, room) for k, room in known), begins)
        if sum(k for k, _ in entry) <= 1 or stage.offsets:
            return each
        rises: dict[int, Rises] = {}
        together = max(0, *(room for _, room in known))
        for at, outside in enumerate(ledger):
            rise = self._rise(stage.measure, outside)
            if rise is None or together + rise[0] >= each.count:
                return each
            if rise[1]:
                rises[at] = rise[1]
            together += rise[0]
        return Falls(together, begins, rises)

    def _rise(self, measure: Affine, outside: Outside) -> tuple[int, Rises] | None:
        """By how much a measure rises at most on all steps outside together, with the reasons
        that are needed; None if no bound is known."""
        if isinstance(outside, Taken) and outside.count == 0:
            return 0, {}
        rises: dict[Path, int] = {}
        reasons: dict[Path, tuple[int, Reason]] = {}
        for live in outside.lives:
            path, change = live.step.path, live.step.change(measure)
            if change.is_number:
                rises[path] = max(0, change.constant)
                continue
            key = path, measure
            if key not in self.rises:
                self.rises[key] = _greatest(live, change)
            found = self.rises[key]
            if found is None:
                return None
            rises[path] = max(0, found[0])
            reasons[path] = found
        return _together(outside, rises, reasons)

    # -- refinements

    def _facts(
        self, stage: Facts, lives: tuple[Live, ...], visits: Visits, ledger: tuple[Outside, ...]
    ) -> Total:
        left = tuple(live for live in lives if live.step.path not in stage.dropped)
        points = {live.step.source for live in lives}
        cuts = sorted({bound.point for bound in stage.bounds})

        def lost(starts: Collection[int], weight: Weight) -> int:
            return max(
                heaviest_through(_avoiding(lives, cut), starts, points, weight) for cut in cuts
            )

        own = Total(
            sum(k * lost(starts, moves_of) for k, starts in visits),
            sum(k * lost(starts, length_of) for k, starts in visits),
        )
        return own + self.order(stage.then, left, visits, (*ledger, Taken(lives, own.edges)))

    def _split(
        self, stage: Split, lives: tuple[Live, ...], visits: Visits, ledger: tuple[Outside, ...]
    ) -> Total:
        low = _half(lives, stage.low)
        high = _half(lives, stage.high)
        first = self.order(stage.low.then, low, visits, (*ledger, Taken(high, None)))
        second = self.order(stage.high.then, high, visits, (*ledger, Taken(low, first.edges)))
        return first + second

    def _contraction(
        self,
        stage: Contraction,
        lives: tuple[Live, ...],
        visits: Visits,
        ledger: tuple[Outside, ...],
    ) -> Total:
        found = self.contracted[stage]
        gone = frozenset(stage.points)
        kept = frozenset(live.step.source for live in lives) - gone
        own = Total(0, 0)
        for k, starts in visits:
            moves, edges = (
                longest_begin(found.out, starts & gone, weight) + longest_end(found.into, weight)
                for weight in (moves_of, length_of)
            )
            own += Total(k * moves, k * edges)
        inner = tuple((k, kept if starts & gone else starts) for k, starts in visits)
        return own + self.order(stage.then, found.lives, inner, (*ledger, Taken(lives, own.edges)))


def _half(lives: Sequence[Live], half: Half) -> tuple[Live, ...]:
    return tuple(live for live in lives if live.step.path not in half.dropped)


def _avoiding(lives: Sequence[Live], cut: int) -> list[Step]:
    return [live.step for live in lives if live.step.source != cut]


def _most(stage: Measure, points: Collection[int]) -> int | None:
    """The greatest value of the measure at any of the points."""
    highs = [stage.highs.get(point) for point in points]
    known = [high[0] for high in highs if high is not None]
    return max(known) if len(known) == len(highs) else None


def _greatest(live: Live, change: Affine) -> tuple[int, Reason] | None:
    if not live.simplex.feasible:
        assert live.simplex.conflict is not None
        return 0, live.simplex.conflict
    least = live.simplex.minimum(-change)
    if least is None:
        return None
    reason = live.simplex.claim(-change - least.floor)
    assert reason is not None
    return -least.floor, reason


def _together(
    outside: Outside, rises: Mapping[Path, int], reasons: Rises
) -> tuple[int, Rises] | None:
    if isinstance(outside, Passed):
        steps = steps_of(outside.lives)
        ways = (
            k * heaviest(outside.places, steps, starts, lambda step: rises[step.path])
            for k, starts in outside.visits
        )
        return sum(ways), reasons
    most = max(rises.values(), default=0)
    if most == 0:
        return 0, reasons
    return None if outside.count is None else (most * outside.count, reasons)


def _plus(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
