"""Taking out points: each step into a point is joined with each step out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.validator.linear.simplex import Reason
from gemwright.validator.proof.live import Ground, Live
from gemwright.validator.proof.ranking_proof import Path
from gemwright.validator.proof.steps import Step, compose

MOST_STEPS: Final = 400
"""No more steps than this."""


@dataclass(frozen=True, slots=True)
class Contracted:
    """What was taken out, and the steps that are left."""

    points: tuple[int, ...]
    dropped: Mapping[Path, Reason]
    merged: Mapping[Path, Path]
    lives: tuple[Live, ...]
    into: Mapping[int, tuple[Step, ...]]
    """The steps to each point when it was taken out."""
    out: Mapping[int, tuple[Step, ...]]
    """The steps from it."""


def contract(
    points: Sequence[int], lives: Sequence[Live], ground: Ground, growth: int
) -> Contracted | None:
    """Take out points that make at most `growth` steps more, cheapest first; None if there are
    none."""
    work = _Contracting(lives, ground)
    while True:
        point = work.cheapest(points, growth)
        if point is None:
            break
        work.take_out(point)
    if not work.taken:
        return None
    return Contracted(
        tuple(work.taken), work.dropped, work.merged, tuple(work.lives), work.into, work.out
    )


class _Contracting:
    def __init__(self, lives: Sequence[Live], ground: Ground) -> None:
        self.lives = list(lives)
        self.taken: list[int] = []
        self.dropped: dict[Path, Reason] = {}
        self.merged: dict[Path, Path] = {}
        self.into: dict[int, tuple[Step, ...]] = {}
        self.out: dict[int, tuple[Step, ...]] = {}
        self._ground = ground

    def cheapest(self, points: Sequence[int], most: int) -> int | None:
        """The point whose removal adds the fewest steps; None if none may go."""
        best: tuple[int, int] | None = None
        left = [point for point in points if point not in self.taken]
        for point in left if len(left) > 1 else ():
            into = sum(live.step.target == point for live in self.lives)
            out = sum(live.step.source == point for live in self.lives)
            loops = any(live.step.source == live.step.target == point for live in self.lives)
            growth = into * out - into - out
            if loops or growth > most or len(self.lives) + growth > MOST_STEPS:
                continue
            if best is None or growth < best[0]:
                best = growth, point
        return None if best is None else best[1]

    def take_out(self, point: int) -> None:
        """Join the steps through a point."""
        into = [live for live in self.lives if live.step.target == point]
        out = [live for live in self.lives if live.step.source == point]
        self.lives = [live for live in self.lives if point not in _ends(live.step)]
        self.taken.append(point)
        self.into[point] = tuple(live.step for live in into)
        self.out[point] = tuple(live.step for live in out)
        before = set(self.merged)
        for first in into:
            for second in out:
                self._add(self._ground.live(compose(first.step, second.step)))
        for path in self.merged.keys() - before:
            while self.merged[path] in self.merged:
                self.merged[path] = self.merged[self.merged[path]]

    def _add(self, live: Live) -> None:
        path = live.step.path
        if not live.simplex.feasible:
            assert live.simplex.conflict is not None
            self.dropped[path] = live.simplex.conflict
            return
        for place, other in enumerate(self.lives):
            if allows(other.step, live.step):
                self.merged[path] = other.step.path
                return
            if allows(live.step, other.step):
                self.merged[other.step.path] = path
                self.lives[place] = live
                return
        self.lives.append(live)


def _ends(step: Step) -> tuple[int, int]:
    return step.source, step.target


def allows(wide: Step, narrow: Step) -> bool:
    """Whether a step plainly allows all that another does: the same, with fewer conditions."""
    return (
        _ends(wide) == _ends(narrow)
        and wide.ranges == narrow.ranges
        and wide.changes == narrow.changes
        and wide.moves >= narrow.moves
        and len(wide.path) >= len(narrow.path)
        and set(wide.guard) <= set(narrow.guard)
    )
