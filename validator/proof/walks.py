"""Longest ways through parts of a system that cannot be walked in circles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from gemwright.validator.proof.steps import Step

Weight = Callable[[Step], int]


def heaviest(
    places: Mapping[int, int], passing: Iterable[Step], starts: Collection[int], weight: Weight
) -> int:
    """The greatest sum of weights on a way over passing steps.

    `places` gives the group of each point; steps lead to later groups, and within a group a way may
    go from any point to any other for nothing. A way begins at one of `starts`. Weights are >= 0.
    """
    best = {places[point]: 0 for point in starts if point in places}
    for step in sorted(passing, key=lambda each: places[each.source]):
        here = best.get(places[step.source])
        if here is not None:
            there = places[step.target]
            best[there] = max(best.get(there, 0), here + weight(step))
    return max(best.values(), default=0)


def arrivals(
    places: Mapping[int, int], passing: Sequence[Step], starts: Collection[int], group: int
) -> frozenset[int]:
    """The points of a group at which a way from `starts` may arrive, or begin."""
    reached = {places[point] for point in starts if point in places}
    found = {point for point in starts if places.get(point) == group}
    for step in sorted(passing, key=lambda each: places[each.source]):
        if places[step.source] in reached:
            reached.add(places[step.target])
            if places[step.target] == group:
                found.add(step.target)
    return frozenset(found)


def heaviest_through(
    steps: Iterable[Step], starts: Iterable[int], through: Collection[int], weight: Weight
) -> int:
    """The greatest sum of weights on a way from one of `starts` that goes on only from it and from
    points in `through`, which no cycle lies in."""
    out: dict[int, list[Step]] = {}
    for step in steps:
        out.setdefault(step.source, []).append(step)
    known: dict[int, int] = {}
    waiting = sorted(set(starts))
    while waiting:
        point = waiting[-1]
        targets = {step.target for step in out.get(point, ()) if step.target in through}
        missing = sorted(target for target in targets if target not in known)
        if missing and point not in known:
            waiting.extend(missing)
            continue
        waiting.pop()
        ways = (
            weight(step) + (known[step.target] if step.target in through else 0)
            for step in out.get(point, ())
        )
        known.setdefault(point, max(ways, default=0))
    return max((known[point] for point in starts), default=0)


def longest_begin(out: Mapping[int, Sequence[Step]], starts: Iterable[int], weight: Weight) -> int:
    """The greatest sum of weights on a way from one of `starts` through points that were taken
    out, in the order of `out`: a step from each leads to one taken out later, or to another."""
    best: dict[int, int] = {}
    for point in reversed(list(out)):
        best[point] = max(
            (weight(step) + best.get(step.target, 0) for step in out[point]), default=0
        )
    return max((best.get(point, 0) for point in starts), default=0)


def longest_end(into: Mapping[int, Sequence[Step]], weight: Weight) -> int:
    """The same for a way that ends at a point that was taken out."""
    best: dict[int, int] = {}
    for point in reversed(list(into)):
        best[point] = max(
            (weight(step) + best.get(step.source, 0) for step in into[point]), default=0
        )
    return max(best.values(), default=0)


def moves_of(step: Step) -> int:
    """Moves of players on a step."""
    return step.moves


def length_of(step: Step) -> int:
    """Edges on a step."""
    return len(step.path)
