"""How many statements a block runs at most: what the budget between two decisions counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable.ranges import interval

MOST: Final = 1 << 24
"""More is counted as so many."""


def most_steps(body: Sequence[m.Statement], players: int) -> int:
    """The greatest number of statements that a block can run."""
    total = 0
    for each in body:
        total += 1
        if isinstance(each, m.IfDo):
            total += max(most_steps(each.then, players), most_steps(each.otherwise, players))
        elif isinstance(each, m.ForEach):
            total += _most_rounds(each.domain, players) * most_steps(each.body, players)
    return min(total, MOST)


def _most_rounds(domain: t.Domain, players: int) -> int:
    if isinstance(domain, t.Players):
        return players
    if isinstance(domain, t.Numbers):
        low, high = interval(domain.low, {})[0], interval(domain.high, {})[1]
        return max(0, min(high - low + 1, MOST))
    return len(domain.faces)
