"""Ways through the steps of a certificate: orders, circles, and the longest ways.

Standard library only; see `gemwright.validator.certificate.checker`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gemwright.validator.certificate.system import Step, a_list, a_number, need

Steps = dict[str, Step]
Visits = list[tuple[int, frozenset[int]]]
"""How often a part is entered, each time at one of some points."""
Weight = Callable[[str, Step], int]


def placed(groups: list[Any]) -> dict[int, int]:
    """The group of each point; no point is in two."""
    places: dict[int, int] = {}
    for at, points in enumerate(groups):
        for point in a_list(points):
            need(a_number(point) not in places, "a point is in two groups")
            places[point] = at
    return places


def not_leaving(steps: Steps, point: int) -> Steps:
    """The steps that do not leave a point."""
    return {name: step for name, step in steps.items() if step.source != point}


def acyclic(steps: Steps) -> bool:
    """Kahn's algorithm."""
    into: dict[int, int] = {}
    for step in steps.values():
        into.setdefault(step.source, 0)
        into[step.target] = into.get(step.target, 0) + 1
    ready = [point for point, count in into.items() if not count]
    for point in ready:
        for step in steps.values():
            if step.source == point:
                into[step.target] -= 1
                if not into[step.target]:
                    ready.append(step.target)
    return len(ready) == len(into)


def heaviest(
    places: Mapping[int, int], passing: Steps, starts: Iterable[int], weight: Weight
) -> int:
    """The heaviest way along steps that lead to later groups, free within a group."""
    best = {places[point]: 0 for point in starts}
    for name, step in sorted(passing.items(), key=lambda each: places[each[1].source]):
        here, there = places[step.source], places[step.target]
        if here in best:
            best[there] = max(best.get(there, 0), best[here] + weight(name, step))
    return max(best.values(), default=0)


def visits_of(places: Mapping[int, int], passing: Steps, visits: Visits, group: int) -> Visits:
    """The visits of one group: those that may come to it, and where they may."""
    found = []
    for k, starts in visits:
        reached = {places[point] for point in starts}
        points = {point for point in starts if places[point] == group}
        for step in sorted(passing.values(), key=lambda each: places[each.source]):
            if places[step.source] in reached:
                reached.add(places[step.target])
                if places[step.target] == group:
                    points.add(step.target)
        if points:
            found.append((k, frozenset(points)))
    return found


def through(steps: Steps, starts: Iterable[int], through: frozenset[int], weight: Weight) -> int:
    """The heaviest way that goes on only from its first point and from points in `through`; the
    steps between these make no circle."""
    inner = {n: s for n, s in steps.items() if s.source in through and s.target in through}
    need(acyclic(inner), "a way may go in circles")
    best: dict[int, int] = {}
    for _ in range(len(through) + 1):
        fresh: dict[int, int] = {}
        for name, step in steps.items():
            onward = best.get(step.target, 0) if step.target in through else 0
            fresh[step.source] = max(fresh.get(step.source, 0), weight(name, step) + onward)
        if fresh == best:
            break
        best = fresh
    return max((best.get(point, 0) for point in starts), default=0)


def heaviest_step(weight: Weight, steps: Steps) -> int:
    """The greatest weight of a step, 0 if there are none."""
    return max((weight(name, step) for name, step in steps.items()), default=0)


def moves_of(_: str, step: Step) -> int:
    """The moves of players on a step."""
    return step.moves


def length_of(_: str, step: Step) -> int:
    """The edges on a step."""
    return step.length


def longest_begin(onward: Mapping[int, list[Step]], starts: Iterable[int], weight: Weight) -> int:
    """The heaviest way from one of `starts` through points that were taken out in this order: the
    steps from each, when it was taken out, lead to later ones and to others."""
    best: dict[int, int] = {}
    for point in reversed(list(onward)):
        ways = (weight("", step) + best.get(step.target, 0) for step in onward[point])
        best[point] = max(ways, default=0)
    return max((best.get(point, 0) for point in starts), default=0)


def longest_end(into: Mapping[int, list[Step]], weight: Weight) -> int:
    """The heaviest way to one of these points, likewise."""
    best: dict[int, int] = {}
    for point in reversed(list(into)):
        ways = (weight("", step) + best.get(step.source, 0) for step in into[point])
        best[point] = max(ways, default=0)
    return max(best.values(), default=0)
