"""A pass over some of the kinds of a walk, seen over all of them.

Most kinds of a walk are often not there to be picked. Passes leave those out, since time goes with
the number of kinds; the walk of a player still has an entry for each of their cells, always 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gemwright.interpreter.walk.passes import Fixed, Pass, Vector


class Spread:
    """The picks of a pass with zero vectors at the kinds that it leaves out.

    Args:
        inner: a pass over the kinds `open` alone.
        open: their numbers among all kinds, rising.
        cells: per kind of the walk its coordinates.
    """

    __slots__ = ("_closed", "_empty", "_inner", "_open")

    def __init__(self, inner: Pass, open: Sequence[int], cells: Sequence[Sequence[object]]) -> None:
        self._inner = inner
        self._open = open
        self._closed = [kind for kind in range(len(cells)) if kind not in open]
        self._empty: list[Vector] = [(0,) * len(each) for each in cells]

    def any(self) -> bool:
        """See `Pass`, as for all that follows: what is fixed is given over all kinds."""
        return self._inner.any()

    def count(self, fixed: Fixed) -> int:
        """The number of picks that agree with what is fixed."""
        return self._inner.count(self._inside(fixed)) if self._fits(fixed) else 0

    def best(self, fixed: Fixed) -> int:
        """The greatest value of a pick that agrees with what is fixed; -1 if there is none."""
        return self._inner.best(self._inside(fixed)) if self._fits(fixed) else -1

    def by_value(self) -> dict[int, int]:
        """The number of picks by their value, small first; value 0 is left out."""
        return self._inner.by_value()

    def only(self, value: int) -> Spread:
        """The same picks without those of another value."""
        return Spread(self._inner.only(value), self._open, self._empty)

    def offers(self, fixed: Fixed, kind: int, coordinate: int) -> dict[int, int]:
        """The number of picks by the value of one coordinate that is not fixed."""
        if not self._fits(fixed):
            return {}
        if kind in self._open:
            return self._inner.offers(self._inside(fixed), self._open.index(kind), coordinate)
        count = self._inner.count(self._inside(fixed))
        return {0: count} if count else {}

    def descend(self, fixed: Fixed, i: int) -> list[Vector]:
        """The i-th pick that agrees with what is fixed, in lexicographic order of its vectors.

        Raises:
            IndexError: there are not so many.
        """
        if not self._fits(fixed):
            raise IndexError(f"no pick number {i}")
        return self._whole(self._inner.descend(self._inside(fixed), i))

    def walks(self, fixed: Fixed) -> Iterator[list[Vector]]:
        """All picks that agree with what is fixed, in the order of `descend`."""
        if self._fits(fixed):
            yield from map(self._whole, self._inner.walks(self._inside(fixed)))

    def _inside(self, fixed: Fixed) -> Fixed:
        return [fixed[kind] for kind in self._open]

    def _fits(self, fixed: Fixed) -> bool:
        """Whether nothing is fixed to be picked of a kind of which nothing can be."""
        return not any(any(fixed[kind].values()) for kind in self._closed)

    def _whole(self, vectors: Sequence[Vector]) -> list[Vector]:
        found = list(self._empty)
        for kind, vector in zip(self._open, vectors, strict=True):
            found[kind] = vector
        return found
