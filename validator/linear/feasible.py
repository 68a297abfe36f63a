"""Whether constraints can hold together, as far as ranges tell.

Ranges of single unknowns are narrowed by one constraint after another. What is found impossible is
impossible; what is not may still be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gemwright.validator.linear.affine import Constraint

Range = tuple[int | None, int | None]

ROUNDS: Final = 3


class Ranges:
    """Ranges of unknowns, narrowed by more and more constraints. `range_of` gives those to start
    from."""

    __slots__ = ("_impossible", "_known", "_range_of", "_seen")

    def __init__(self, range_of: Callable[[int], Range]) -> None:
        self._range_of = range_of
        self._known: dict[int, Range] = {}
        self._seen = 0
        self._impossible = False

    def copy(self, range_of: Callable[[int], Range]) -> Ranges:
        """Ranges that are narrowed by themselves from here on."""
        other = Ranges(range_of)
        other._known, other._seen = dict(self._known), self._seen
        other._impossible = self._impossible
        return other

    def possible(self, constraints: Sequence[Constraint]) -> bool:
        """Whether room is left for all constraints; those of earlier calls must come first."""
        rows = [row for each in constraints[self._seen :] for row in _rows(each)]
        self._seen = len(constraints)
        for _ in range(ROUNDS):
            if self._impossible or not self._narrowed(rows):
                break
        return not self._impossible

    def _narrowed(self, rows: list[Row]) -> bool:
        """Whether a round over some rows changed anything."""
        changed = False
        for terms, constant in rows:
            for u, _ in terms:
                if u not in self._known:
                    self._known[u] = self._range_of(u)
            outcome = _narrow(terms, constant, self._known)
            if outcome is None:
                self._impossible = True
                return False
            changed = changed or outcome
        return changed


def possible(constraints: Sequence[Constraint], range_of: Callable[[int], Range]) -> bool:
    """Whether ranges leave room for all constraints together."""
    return Ranges(range_of).possible(constraints)


Row = tuple[tuple[tuple[int, int], ...], int]
"""`sum of coefficient * unknown + constant >= 0`."""


def _rows(constraint: Constraint) -> list[Row]:
    terms, constant = constraint.expression.terms, constraint.expression.constant
    rows: list[Row] = [(terms, constant)]
    if constraint.equality:
        rows.append((tuple((u, -c) for u, c in terms), -constant))
    return rows


def _narrow(
    terms: tuple[tuple[int, int], ...], constant: int, ranges: dict[int, Range]
) -> bool | None:
    """Narrow the ranges by one row: None when it cannot hold, else whether anything changed."""
    finite, open_at = constant, list[int]()
    for u, c in terms:
        end = ranges[u][1 if c > 0 else 0]
        if end is None:
            open_at.append(u)
        else:
            finite += c * end
    if open_at:
        return _narrow_one(terms, finite, open_at[0], ranges) if len(open_at) == 1 else False
    if finite < 0:
        return None
    changed = False
    for u, c in terms:
        end = ranges[u][1 if c > 0 else 0]
        assert end is not None
        changed = _bound(u, c, finite - c * end, ranges) or changed
    if not changed:
        return False
    return None if any(_empty(ranges[u]) for u, _ in terms) else True


def _narrow_one(
    terms: tuple[tuple[int, int], ...], others: int, open_at: int, ranges: dict[int, Range]
) -> bool | None:
    c = next(c for u, c in terms if u == open_at)
    changed = _bound(open_at, c, others, ranges)
    return None if _empty(ranges[open_at]) else changed


def _bound(u: int, c: int, others: int, ranges: dict[int, Range]) -> bool:
    """From `c * u + others >= 0`, where `others` is the most that the rest can be."""
    low, high = ranges[u]
    if c > 0:
        least = -(others // c)
        if low is None or least > low:
            ranges[u] = (least, high)
            return True
    else:
        most = others // -c
        if high is None or most < high:
            ranges[u] = (low, most)
            return True
    return False


def _empty(found: Range) -> bool:
    return found[0] is not None and found[1] is not None and found[0] > found[1]
