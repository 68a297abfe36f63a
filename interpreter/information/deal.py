"""Dealing hidden pieces anew: which of them may lie where, and a uniform choice among all ways.

A group is what looks the same to a player in one zone instance: so many places, each of which may
hold a piece of some faces. If of two groups one always allows all that the other allows, or they
share nothing, dealing the narrow ones first is exactly uniform. Other groups overlap crosswise;
there pieces are exchanged at random for a while, starting from where they lie, which is uniform
only in the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from gemwright.interpreter.chance import Stream

EXCHANGES: Final = 30
"""Exchanges tried per piece where groups overlap crosswise."""


@dataclass(frozen=True, slots=True)
class Group:
    """Places that may hold pieces of `faces`; `pieces` lie there, `kept` of them are known to."""

    faces: tuple[int, ...]
    pieces: dict[int, int]
    kept: dict[int, int]

    def free(self) -> list[int]:
        """The faces of the pieces that may be dealt, one by one."""
        return [face for face, n in self.pieces.items() for _ in range(n - self.kept.get(face, 0))]


def deal(groups: Sequence[Group], stream: Stream) -> list[list[int]]:
    """New pieces for each group, one face per piece.

    Each group gets as many as before, all groups together the same pieces. Every group keeps what
    is kept, and gets only faces that it allows.
    """
    dealt = [[face for face, n in group.kept.items() for _ in range(n)] for group in groups]
    free = [group.free() for group in groups]
    there = {face for pieces in free for face in pieces}
    allowed = [frozenset(group.faces) & there for group in groups]
    for part in _parts(allowed):
        share = _deal_nested if _is_nested({allowed[each] for each in part}) else _exchange
        share([allowed[each] for each in part], [free[each] for each in part], stream)
    for pieces, new in zip(dealt, free, strict=True):
        pieces.extend(new)
    return dealt


def _parts(allowed: Sequence[frozenset[int]]) -> list[list[int]]:
    """The groups, as numbers, in parts that share no face."""
    parts: list[tuple[set[int], list[int]]] = []
    for number, faces in enumerate(allowed):
        joined = [part for part in parts if part[0] & faces]
        parts = [part for part in parts if not part[0] & faces]
        union = set(faces).union(*[part[0] for part in joined])
        members = [each for part in joined for each in part[1]]
        parts.append((union, [*members, number]))
    return [sorted(members) for _, members in parts]


def _is_nested(sets: set[frozenset[int]]) -> bool:
    """Whether of any two sets one contains the other or they share nothing."""
    return all(not a & b or a <= b or b <= a for a, b in combinations(sets, 2))


def _deal_nested(
    allowed: Sequence[frozenset[int]], free: Sequence[list[int]], stream: Stream
) -> None:
    """Narrow groups first, each from all that is left for it.

    However the narrow places are filled, the rest can be completed in equally many ways.
    """
    left = sorted(face for pieces in free for face in pieces)
    order = sorted(range(len(free)), key=lambda each: (len(allowed[each]), each))
    for number in order:
        fitting = [at for at, face in enumerate(left) if face in allowed[number]]
        drawn = []
        for slot in range(len(free[number])):
            fitting, at = _take(fitting, stream)
            drawn.append(at)
            free[number][slot] = left[at]
        gone = set(drawn)
        left = [face for at, face in enumerate(left) if at not in gone]


def _take(items: list[int], stream: Stream) -> tuple[list[int], int]:
    """Draw one item; the rest in any order."""
    at = stream.below(len(items))
    item, items[at] = items[at], items[-1]
    items.pop()
    return items, item


def _exchange(allowed: Sequence[frozenset[int]], free: Sequence[list[int]], stream: Stream) -> None:
    """Exchange two random pieces wherever both fit, many times."""
    slots = [(group, at) for group, pieces in enumerate(free) for at in range(len(pieces))]
    for _ in range(EXCHANGES * len(slots)):
        one, here = slots[stream.below(len(slots))]
        other, there = slots[stream.below(len(slots))]
        first, second = free[one][here], free[other][there]
        if first in allowed[other] and second in allowed[one]:
            free[one][here], free[other][there] = second, first
