"""Strongly connected components of points joined by steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemwright.validator.proof.steps import Step


def components(points: Iterable[int], steps: Sequence[Step]) -> list[tuple[int, ...]]:
    """Components in topological order, points ascending within each.

    Steps lead within a component or to a later one. Steps that touch other points do not count.
    """
    onward: dict[int, list[int]] = {point: [] for point in sorted(points)}
    for step in steps:
        if step.source in onward and step.target in onward:
            onward[step.source].append(step.target)
    found = _tarjan(onward)
    found.reverse()
    return found


def _tarjan(onward: dict[int, list[int]]) -> list[tuple[int, ...]]:
    """Tarjan's algorithm without recursion; components come out last first."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    waiting: list[int] = []
    on_stack: set[int] = set()
    found: list[tuple[int, ...]] = []
    for root in onward:
        if root in number:
            continue
        work = [(root, iter(onward[root]))]
        number[root] = low[root] = len(number)
        waiting.append(root)
        on_stack.add(root)
        while work:
            point, rest = work[-1]
            for target in rest:
                if target not in number:
                    number[target] = low[target] = len(number)
                    waiting.append(target)
                    on_stack.add(target)
                    work.append((target, iter(onward[target])))
                    break
                if target in on_stack:
                    low[point] = min(low[point], number[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[point])
                if low[point] == number[point]:
                    place = waiting.index(point)
                    found.append(tuple(sorted(waiting[place:])))
                    on_stack.difference_update(waiting[place:])
                    del waiting[place:]
    return found


def inside(component: Iterable[int], steps: Iterable[Step]) -> list[Step]:
    """The steps from and to points of a component."""
    points = set(component)
    return [step for step in steps if step.source in points and step.target in points]
