"""What a pass keeps of the kinds before: a sum, a sum over groups, or the types that kinds show.

A state is one number. Sums are clamped to what the tests still distinguish, from both sides: a
signed sum may saturate only where no later kind can bring it back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

Kept = Mapping[int, Sequence[int]]
"""The positions of the vectors that are left, for kinds that lose some."""

Step = Callable[[int, int], int]
"""(state, what a vector does) -> state; below 0: this cannot be finished."""

DEAD: Final = -1


class Accumulator(Protocol):
    """What a pass keeps of the kinds before."""

    def keep(self, kept: Kept) -> None:
        """Restrict the tables to the vectors that are left."""

    def finish(self) -> None:
        """Work out bounds; the tables are complete and stay as they are."""

    def idle(self) -> bool:
        """Whether no pick changes the state, which then is 0."""

    def start(self) -> int:
        """The state before the first kind."""

    def does(self, kind: int) -> list[int]:
        """What each vector of a kind does, as a number that `step` understands."""

    def step(self, kind: int) -> Step:
        """How a kind changes the state."""


class SumAccumulator:
    """A sum over kinds of a table. States are 0 or more: the total minus `base`, clamped.

    `cuts` are totals c such that somebody asks for `total >= c`; with `whole` the total itself is
    read.
    """

    __slots__ = ("_after", "_cuts", "_least", "_most", "base", "cuts", "gains", "need", "whole")

    def __init__(self, gains: list[list[int]]) -> None:
        self.gains = gains
        self._least = [min(row) for row in gains]
        self._most = [max(row) for row in gains]
        self.cuts: set[int] = set()
        self.whole = False
        self.need: tuple[int | None, int | None] = (None, None)
        self.base = 0

    def settled(self) -> int | None:
        """The sum, if it is the same for all picks."""
        return sum(self._least) if self._least == self._most else None

    def same(self, other: SumAccumulator) -> bool:
        """Whether another one has the same tables, before they are finished."""
        return type(self) is type(other) and self.gains == other.gains

    def require(self, low: int | None, high: int | None) -> None:
        """Say that no pick is good whose total lies outside."""
        lows = [each for each in (self.need[0], low) if each is not None]
        highs = [each for each in (self.need[1], high) if each is not None]
        self.need = (max(lows, default=None), min(highs, default=None))

    def spare(self) -> dict[int, list[int]]:
        """The vectors that do not break a requirement by themselves, of kinds where some do."""
        low, high = self.need
        least, most = sum(self._least), sum(self._most)
        kept: dict[int, list[int]] = {}
        for kind, row in enumerate(self.gains):
            up, down = most - self._most[kind], least - self._least[kind]
            weak = low is not None and self._least[kind] + up < low
            strong = high is not None and self._most[kind] + down > high
            if weak or strong:
                kept[kind] = [
                    at for at, gain in enumerate(row)
                    if (low is None or gain + up >= low) and (high is None or gain + down <= high)
                ]  # fmt: skip
        return kept

    def keep(self, kept: Kept) -> None:
        """See `Accumulator`."""
        for kind, positions in kept.items():
            row = self.gains[kind]
            self.gains[kind] = [row[at] for at in positions]
            self._least[kind] = min(self.gains[kind])
            self._most[kind] = max(self.gains[kind])

    def finish(self) -> None:
        """See `Accumulator`."""
        self._shift()
        self._bound([high - low for low, high in zip(self._least, self._most, strict=True)])

    def _shift(self) -> None:
        """Let each kind gain 0 or more."""
        self.base = sum(self._least)
        self.gains = [
            [gain - low for gain in row] if low else row
            for row, low in zip(self.gains, self._least, strict=True)
        ]

    def idle(self) -> bool:
        """See `Accumulator`."""
        return not self._after[0]

    def _bound(self, most: list[int]) -> None:
        self._after = [0]
        for high in reversed(most):
            self._after.insert(0, self._after[0] + high)
        inside = [cut - self.base for cut in self.cuts if 0 < cut - self.base <= self._after[0]]
        self._cuts = (min(inside), max(inside)) if inside else None

    def start(self) -> int:
        """See `Accumulator`."""
        return 0

    def does(self, kind: int) -> list[int]:
        """See `Accumulator`."""
        return self.gains[kind]

    def total(self, state: int) -> int:
        """What a final state says of the sum; right as far as it is asked for."""
        return self.base + state

    def limits(self, kind: int) -> tuple[int, int, int, int]:
        """After a kind: (dead below, clamped below, clamped above, dead above)."""
        after = self._after[kind + 1]
        huge = self._after[0]
        low, high = self.need
        dead_low = 0 if low is None else low - self.base - after
        dead_high = huge if high is None else high - self.base
        if self.whole:
            return dead_low, 0, huge, dead_high
        if self._cuts is None:
            return dead_low, 0, 0, dead_high
        return dead_low, max(0, self._cuts[0] - 1 - after), self._cuts[1], dead_high

    def step(self, kind: int) -> Step:
        """See `Accumulator`."""
        dead_low, low, high, dead_high = self.limits(kind)

        def step(state: int, gain: int) -> int:
            total = state + gain
            if total >= high:
                return high if total <= dead_high else DEAD
            if total < dead_low or total > dead_high:
                return DEAD
            return total if total > low else low

        return step


class Group:
    """Kinds `first..last` that are counted together: `gains` per vector, `worth` of each count."""

    __slots__ = ("first", "gains", "last", "worth")

    def __init__(
        self, first: int, last: int, gains: dict[int, list[int]], worth: list[int]
    ) -> None:
        self.first = first
        self.last = last
        self.gains = gains
        self.worth = worth

    def key(self) -> tuple[int, ...]:
        """Equal for groups that do the same."""
        flat = [gain for kind in sorted(self.gains) for gain in (-1, *self.gains[kind])]
        return (self.first, self.last, *flat, -2, *self.worth)

    def limit(self) -> int:
        """From this count on the worth stays the same."""
        last = len(self.worth) - 1
        while last and self.worth[last] == self.worth[last - 1]:
            last -= 1
        return last


class GroupAccumulator(SumAccumulator):
    """A sum that also gains the worth of each group when the group's last kind is done.

    A state is the total times `_width` plus the count of the group at hand. Counts and worths are 0
    or more: the binding shifts them.
    """

    __slots__ = ("_at", "_width", "groups")

    def __init__(self, gains: list[list[int]], groups: list[Group]) -> None:
        super().__init__(gains)
        self.groups = groups
        self._at: dict[int, Group] = {
            kind: group for group in groups for kind in range(group.first, group.last + 1)
        }
        self._width = 1 + max((group.limit() for group in groups), default=0)

    def same(self, other: SumAccumulator) -> bool:
        """See `SumAccumulator`."""
        if not isinstance(other, GroupAccumulator) or not super().same(other):
            return False
        return [group.key() for group in self.groups] == [group.key() for group in other.groups]

    def spare(self) -> dict[int, list[int]]:
        """Nothing is dropped: what a vector is worth depends on its group."""
        return {}

    def keep(self, kept: Kept) -> None:
        """See `Accumulator`."""
        super().keep(kept)
        for group in self.groups:
            for kind in kept:
                if kind in group.gains:
                    row = group.gains[kind]
                    group.gains[kind] = [row[at] for at in kept[kind]]

    def finish(self) -> None:
        """See `Accumulator`."""
        self._shift()
        most = [high - low for low, high in zip(self._least, self._most, strict=True)]
        for group in self.groups:
            most[group.last] += max(group.worth)
        self._bound(most)

    def idle(self) -> bool:
        """See `Accumulator`."""
        return False

    def does(self, kind: int) -> list[int]:
        """See `Accumulator`:

        the gain of the sum times the width of a count, plus that of the group.
        """
        group = self._at.get(kind)
        own = self.gains[kind]
        wide = self._wide()
        if group is None:
            return [gain * wide for gain in own]
        counted = group.gains[kind]
        return [gain * wide + count for gain, count in zip(own, counted, strict=True)]

    def _wide(self) -> int:
        highest = [max(row) for group in self.groups for row in group.gains.values() if row]
        return 1 + max(highest, default=0)

    def step(self, kind: int) -> Step:
        """See `Accumulator`."""
        clamp = super().step(kind)
        group, width, wide = self._at.get(kind), self._width, self._wide()
        limit = 0 if group is None else group.limit()
        worth = [] if group is None else group.worth
        closes = group is not None and group.last == kind

        def step(state: int, gain: int) -> int:
            total, count = divmod(state, width)
            own, more = divmod(gain, wide)
            count = min(count + more, limit)
            if closes:
                total += worth[count]
                count = 0
            total = clamp(total, own)
            return DEAD if total < 0 else total * width + count

        return step

    def total(self, state: int) -> int:
        """See `SumAccumulator`."""
        return self.base + state // self._width


class TypeAccumulator:
    """How often each type is shown, up to `cap`.

    `types[kind][position]` is a number or -1 for none.
    """

    __slots__ = ("_bits", "cap", "first", "types")

    def __init__(self, types: list[list[int]], cap: int, first: Sequence[int]) -> None:
        self.types = types
        self.cap = cap
        self.first = first
        self._bits = cap.bit_length()

    def keep(self, kept: Kept) -> None:
        """See `Accumulator`."""
        for kind, positions in kept.items():
            row = self.types[kind]
            self.types[kind] = [row[at] for at in positions]

    def finish(self) -> None:
        """See `Accumulator`."""

    def idle(self) -> bool:
        """See `Accumulator`."""
        return not self.start() and all(each < 0 for row in self.types for each in row)

    def start(self) -> int:
        """See `Accumulator`."""
        state = 0
        for each in self.first:
            state = self._shown(state, each)
        return state

    def does(self, kind: int) -> list[int]:
        """See `Accumulator`."""
        return self.types[kind]

    def step(self, kind: int) -> Step:
        """See `Accumulator`."""
        return self._shown

    def _shown(self, state: int, type: int) -> int:
        if type < 0:
            return state
        at = type * self._bits
        return state + (1 << at) if self.times(state, type) < self.cap else state

    def times(self, state: int, type: int) -> int:
        """How often a state says that a type is shown."""
        return (state >> (type * self._bits)) & ((1 << self._bits) - 1)
