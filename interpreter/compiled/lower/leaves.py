"""What is done with the picks that loops come to: count them, find the n-th, see that there is one.

The loops call `one` for each pick, or `run` for all picks that differ in their last entry only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr, Return

PICK: Final = "pick"
"""The array of walk entries of the pick at hand; a piece is the number of its option."""

_BOUNDED: Final = "load time bounds the number of picks"
_NOT_YET: Final = "the pick comes later"


class Lots(Protocol):
    """Lots that are counted without going through them."""

    def count(self) -> Expr:
        """How many there are."""

    def descend(self, number: Expr) -> list[Expr]:
        """The counts of lot `number`, which is below what `count` gave."""


class Leaf(Protocol):
    """What is done with picks."""

    @property
    def ordered(self) -> bool:
        """Whether it matters in which order they come."""

    def one(self, entries: Sequence[Expr]) -> None:
        """A whole pick."""

    def run(self, entries: Sequence[Expr], low: Expr, high: Expr) -> None:
        """Picks whose last entry runs from `low` to `high`; none if high < low."""

    def lots(self, entries: Sequence[Expr], lots: Lots) -> None:
        """All picks whose last entries are the counts of one of some lots."""

    def under(self, kept: str, number: Expr) -> AbstractContextManager[None]:
        """What is done with the picks under one value of the first parameter, by its number.

        What is counted is kept in an array, and read from there to find a pick of the same count.
        """


class Count:
    """Counts picks.

    Args:
        most: no more than so many can come.
    """

    ordered = False

    def __init__(self, writer: Writer, most: int) -> None:
        self._w = writer
        self.total = writer.changing("count", ops.FALSE, 0, most)

    def one(self, entries: Sequence[Expr]) -> None:
        """See `Leaf`."""
        self._w.gain(self.total, ops.TRUE, _BOUNDED)

    def run(self, entries: Sequence[Expr], low: Expr, high: Expr) -> None:
        """See `Leaf`."""
        self._w.gain(self.total, width(low, high), _BOUNDED)

    def lots(self, entries: Sequence[Expr], lots: Lots) -> None:
        """See `Leaf`."""
        self._w.gain(self.total, lots.count(), _BOUNDED)

    @contextmanager
    def under(self, kept: str, number: Expr) -> Iterator[None]:
        """See `Leaf`."""
        before = self._w.let(self.total)
        yield
        more = ops.sub(self.total, before)
        self._w.put(kept, number, ops.trusted(more, 0, self.total.high, "it only grows"))

    def end(self) -> None:
        """Give the count."""
        self._w.emit(Return(self.total))


class Nth:
    """Finds the pick number `left` and leaves the function with it in `PICK`."""

    ordered = True

    def __init__(self, writer: Writer, left: Expr) -> None:
        self._w = writer
        self._left = writer.changing("left", left, left.low, left.high)

    def one(self, entries: Sequence[Expr]) -> None:
        """See `Leaf`."""
        with self._w.when(ops.equal(self._left, ops.FALSE)):
            self._keep(entries)
            self._w.emit(Return())
        self._w.gain(self._left, ops.const(-1), _NOT_YET)

    def run(self, entries: Sequence[Expr], low: Expr, high: Expr) -> None:
        """See `Leaf`."""
        many = self._w.let(width(low, high))
        with self._w.when(ops.compare("<", self._left, many)):
            last = ops.add(low, self._left)
            self._keep([*entries, ops.trusted(last, low.low, high.high, "below the number")])
            self._w.emit(Return())
        self._w.gain(self._left, ops.sub(ops.FALSE, many), _NOT_YET)

    def lots(self, entries: Sequence[Expr], lots: Lots) -> None:
        """See `Leaf`."""
        many = lots.count()
        with self._w.when(ops.compare("<", self._left, many)):
            self._keep([*entries, *lots.descend(self._left)])
            self._w.emit(Return())
        self._w.gain(self._left, ops.sub(ops.FALSE, many), _NOT_YET)

    @contextmanager
    def under(self, kept: str, number: Expr) -> Iterator[None]:
        """See `Leaf`."""
        many = self._w.let(self._w.reader.item(kept, number))
        with self._w.when(ops.compare("<", self._left, many)):
            yield
        self._w.gain(self._left, ops.sub(ops.FALSE, many), _NOT_YET)

    def _keep(self, entries: Sequence[Expr]) -> None:
        for number, entry in enumerate(entries):
            self._w.maker.array(PICK, number + 1, entry.low, entry.high)
            self._w.put(PICK, ops.const(number), entry)

    def end(self) -> None:
        """There is no such pick."""
        self._w.fail("no such pick")


class Some:
    """Leaves the function with 1 at the first pick."""

    ordered = False

    def __init__(self, writer: Writer) -> None:
        self._w = writer

    def one(self, entries: Sequence[Expr]) -> None:
        """See `Leaf`."""
        self._w.emit(Return(ops.TRUE))

    def run(self, entries: Sequence[Expr], low: Expr, high: Expr) -> None:
        """See `Leaf`."""
        with self._w.when(ops.compare("<=", low, high)):
            self._w.emit(Return(ops.TRUE))

    def lots(self, entries: Sequence[Expr], lots: Lots) -> None:
        """See `Leaf`."""
        with self._w.when(ops.compare(">", lots.count(), ops.FALSE)):
            self._w.emit(Return(ops.TRUE))

    @contextmanager
    def under(self, kept: str, number: Expr) -> Iterator[None]:
        """See `Leaf`."""
        yield

    def end(self) -> None:
        """There was none."""
        self._w.emit(Return(ops.FALSE))


def width(low: Expr, high: Expr) -> Expr:
    """How many numbers there are from `low` to `high`."""
    many = ops.larger(ops.add(ops.sub(high, low), ops.TRUE), ops.FALSE)
    return ops.trusted(many, 0, max(high.high - low.low + 1, 0), "numbers of the range")
