"""Exact counting of picks kind by kind: accumulators, the graph of their states, and passes over
it.

A pick is one vector per kind. An accumulator follows a sum, a sum over groups, or the set of types
that kinds show; two picks that leave all accumulators in equal states can be finished alike. Sums
are clamped to what the tests still distinguish. Each pick is one path, so weights are exact counts.
Vectors of a kind that do the same to every accumulator form one class and share their edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Final, Protocol

from gemwright.interpreter.problem import RuntimeProblem

BUDGET: Final = 200_000
"""States that one level of a pass may reach."""

Vector = tuple[int, ...]
Domains = list[list[Vector]]
"""Per kind the vectors that may be picked, in lexicographic order."""

Fixed = Sequence[dict[int, int]]
"""Per kind the coordinates that are picked already."""

Step = Callable[[int, int], int]
"""(state, what a vector does) -> state; below 0: this cannot be finished."""

DEAD: Final = -1


class WalkBudget(RuntimeProblem):
    """A pass reached more states than it may; load-time bounds keep rules files far below."""

    def __init__(self, states: int) -> None:
        text = f"counting the picks reached {states:,} states at one kind; {BUDGET:,} are allowed"
        super().__init__("K002", text)


class Accumulator(Protocol):
    """What a pass keeps of the kinds before."""

    def keep(self, kept: Sequence[Sequence[int]]) -> None:
        """Restrict the tables to the positions of the vectors that are left, per kind."""

    def finish(self) -> None:
        """Work out bounds; the tables are complete and stay as they are."""

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

    __slots__ = ("_after", "_cuts", "_low", "_top", "base", "cuts", "gains", "need", "whole")

    def __init__(self, gains: list[list[int]]) -> None:
        self.gains = gains
        self.cuts: set[int] = set()
        self.whole = False
        self.need: tuple[int | None, int | None] = (None, None)
        self.base = 0

    def require(self, low: int | None, high: int | None) -> None:
        """Say that no pick is good whose total lies outside."""
        lows = [each for each in (self.need[0], low) if each is not None]
        highs = [each for each in (self.need[1], high) if each is not None]
        self.need = (max(lows, default=None), min(highs, default=None))

    def spare(self) -> list[list[int]]:
        """Per kind the positions of the vectors that do not break a requirement by themselves."""
        low, high = self.need
        least = [min(row) for row in self.gains]
        most = [max(row) for row in self.gains]
        kept = []
        for kind, row in enumerate(self.gains):
            up = sum(most) - most[kind]
            down = sum(least) - least[kind]
            kept.append([
                at for at, gain in enumerate(row)
                if (low is None or gain + up >= low) and (high is None or gain + down <= high)
            ])  # fmt: skip
        return kept

    def keep(self, kept: Sequence[Sequence[int]]) -> None:
        """See `Accumulator`."""
        self.gains = [[row[at] for at in here] for row, here in zip(self.gains, kept, strict=True)]

    def finish(self) -> None:
        """See `Accumulator`."""
        least = [min(row) for row in self.gains]
        self.base = sum(least)
        self.gains = [[g - low for g in row] for row, low in zip(self.gains, least, strict=True)]
        self._bound([max(row) for row in self.gains])

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

    def __init__(self, first: int, last: int, gains: dict[int, list[int]], worth: list[int]) -> None:
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

    def spare(self) -> list[list[int]]:
        """Nothing is dropped: what a vector is worth depends on its group."""
        return [list(range(len(row))) for row in self.gains]

    def keep(self, kept: Sequence[Sequence[int]]) -> None:
        """See `Accumulator`."""
        super().keep(kept)
        for group in self.groups:
            for kind, row in group.gains.items():
                group.gains[kind] = [row[at] for at in kept[kind]]

    def finish(self) -> None:
        """See `Accumulator`."""
        least = [min(row) for row in self.gains]
        self.base = sum(least)
        self.gains = [[g - low for g in row] for row, low in zip(self.gains, least, strict=True)]
        most = [max(row) for row in self.gains]
        for group in self.groups:
            most[group.last] += max(group.worth)
        self._bound(most)

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

    def keep(self, kept: Sequence[Sequence[int]]) -> None:
        """See `Accumulator`."""
        self.types = [[row[at] for at in here] for row, here in zip(self.types, kept, strict=True)]

    def finish(self) -> None:
        """See `Accumulator`."""

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


class Pass:
    """The graph of all picks of some domains, and exact passes over it.

    Args:
        domains: per kind its vectors.
        accumulators: finished, over the same domains.
        value: of each tuple of final states; picks with value 0 are not counted.
    """

    __slots__ = ("_classes", "_edges", "_values", "domains")

    def __init__(
        self,
        domains: Domains,
        accumulators: Sequence[Accumulator],
        value: Callable[[tuple[int, ...]], int],
    ) -> None:
        self.domains = domains
        self._classes: list[list[list[int]]] = []
        self._edges: list[list[list[int]]] = []
        level: list[tuple[int, ...]] = [tuple(each.start() for each in accumulators)]
        for kind in range(len(domains)):
            level = self._forward(kind, level, accumulators)
        self._values = [value(state) for state in level]

    def _forward(
        self, kind: int, level: list[tuple[int, ...]], accumulators: Sequence[Accumulator]
    ) -> list[tuple[int, ...]]:
        """Add the edges of one kind; the states after it."""
        classes: dict[tuple[int, ...], list[int]] = {}
        rows = [each.does(kind) for each in accumulators]
        for at in range(len(self.domains[kind])):
            classes.setdefault(tuple([row[at] for row in rows]), []).append(at)
        steps = [each.step(kind) for each in accumulators]
        found: dict[tuple[int, ...], int] = {}
        edges = []
        for state in level:
            here = []
            for does in classes:
                after = tuple([
                    step(old, each) for step, old, each in zip(steps, state, does, strict=True)
                ])  # fmt: skip
                here.append(DEAD if DEAD in after else found.setdefault(after, len(found)))
            edges.append(here)
            if len(found) > BUDGET:
                raise WalkBudget(len(found))
        self._classes.append(list(classes.values()))
        self._edges.append(edges)
        return list(found)

    # -- counting

    def any(self) -> bool:
        """Whether there is a pick."""
        return any(self._values)

    def best(self, fixed: Fixed) -> int:
        """The greatest value of a pick that agrees with what is fixed; -1 if there is none."""
        best = list(self._values)
        for kind in reversed(range(len(self.domains))):
            open = [bool(each) for each in self._weights(kind, fixed[kind])]
            best = [
                max((best[to] for to, good in zip(row, open, strict=True) if good and to >= 0),
                    default=-1)
                for row in self._edges[kind]
            ]  # fmt: skip
        return best[0] if best else -1

    def count(self, fixed: Fixed) -> int:
        """The number of picks that agree with what is fixed."""
        return self._backward(fixed, 0)[0][0]

    def by_value(self) -> dict[int, int]:
        """The number of picks by their value, small first; value 0 is left out."""
        weights = [1]
        for kind in range(len(self.domains)):
            weights = self._pushed(kind, weights, self._weights(kind, {}))
        found: dict[int, int] = {}
        for value, weight in zip(self._values, weights, strict=True):
            if value and weight:
                found[value] = found.get(value, 0) + weight
        return dict(sorted(found.items()))

    def only(self, value: int) -> Pass:
        """The same picks without those of another value."""
        twin = copy(self)
        twin._values = [each if each == value else 0 for each in self._values]
        return twin

    def offers(self, fixed: Fixed, kind: int, coordinate: int) -> dict[int, int]:
        """The number of picks by the value of one coordinate that is not fixed."""
        counts = self._backward(fixed, kind + 1)[0]
        weights = [1]
        for before in range(kind):
            weights = self._pushed(before, weights, self._weights(before, fixed[before]))
        found: dict[int, int] = {}
        ways = [0] * len(self._classes[kind])
        for weight, row in zip(weights, self._edges[kind], strict=True):
            if weight:
                for number, to in enumerate(row):
                    if to >= 0:
                        ways[number] += weight * counts[to]
        for number, positions in enumerate(self._classes[kind]):
            if ways[number]:
                for at in self._matching(kind, positions, fixed[kind]):
                    value = self.domains[kind][at][coordinate]
                    found[value] = found.get(value, 0) + ways[number]
        return dict(sorted(found.items()))

    def _backward(self, fixed: Fixed, down_to: int) -> list[list[int]]:
        """Counts of finished picks per state, for the levels `down_to` .. K."""
        counts = [[int(bool(each)) for each in self._values]]
        for kind in range(len(self.domains) - 1, down_to - 1, -1):
            weights = self._weights(kind, fixed[kind])
            after = counts[0]
            counts.insert(0, [
                sum(weight * after[to] for weight, to in zip(weights, row, strict=True) if to >= 0)
                for row in self._edges[kind]
            ])  # fmt: skip
        return counts

    def _pushed(self, kind: int, weights: list[int], classes: list[int]) -> list[int]:
        """Weights of the states after a kind."""
        following = len(self._edges[kind + 1]) if kind + 1 < len(self._edges) else len(self._values)
        found = [0] * following
        for weight, row in zip(weights, self._edges[kind], strict=True):
            if weight:
                for ways, to in zip(classes, row, strict=True):
                    if to >= 0:
                        found[to] += weight * ways
        return found

    def _weights(self, kind: int, fixed: dict[int, int]) -> list[int]:
        """The number of vectors of each class that agree with what is fixed."""
        classes = self._classes[kind]
        if not fixed:
            return [len(each) for each in classes]
        return [len(self._matching(kind, each, fixed)) for each in classes]

    def _matching(self, kind: int, positions: list[int], fixed: dict[int, int]) -> list[int]:
        if not fixed:
            return positions
        domain = self.domains[kind]
        return [at for at in positions if all(domain[at][c] == n for c, n in fixed.items())]

    # -- kind by kind

    def descend(self, fixed: Fixed, i: int) -> list[Vector]:
        """The i-th pick that agrees with what is fixed, in lexicographic order of its vectors.

        Raises:
            IndexError: there are not so many.
        """
        counts = self._backward(fixed, 0)
        if not 0 <= i < counts[0][0]:
            raise IndexError(f"no pick number {i}")
        state, picked = 0, []
        for kind in range(len(self.domains)):
            for at, to in self._next(kind, state, fixed):
                if i < counts[kind + 1][to]:
                    picked.append(self.domains[kind][at])
                    state = to
                    break
                i -= counts[kind + 1][to]
        return picked

    def walks(self, fixed: Fixed) -> Iterator[list[Vector]]:
        """All picks that agree with what is fixed, in the order of `descend`."""
        counts = self._backward(fixed, 0)
        if not counts[0][0]:
            return
        last = len(self.domains)
        picked: list[Vector] = []
        todo = [self._open(0, 0, fixed, counts)] if last else []
        if not last:
            yield []
        while todo:
            step = next(todo[-1], None)
            if step is None:
                todo.pop()
                if picked:
                    picked.pop()
                continue
            at, to = step
            kind = len(todo) - 1
            if len(todo) == last:
                yield [*picked, self.domains[kind][at]]
            else:
                picked.append(self.domains[kind][at])
                todo.append(self._open(kind + 1, to, fixed, counts))

    def _open(
        self, kind: int, state: int, fixed: Fixed, counts: list[list[int]]
    ) -> Iterator[tuple[int, int]]:
        after = counts[kind + 1]
        return (each for each in self._next(kind, state, fixed) if after[each[1]])

    def _next(self, kind: int, state: int, fixed: Fixed) -> list[tuple[int, int]]:
        """(position, next state) of the vectors of a kind that go on, in their order."""
        row = self._edges[kind][state]
        found = [
            (at, to)
            for positions, to in zip(self._classes[kind], row, strict=True) if to >= 0
            for at in self._matching(kind, positions, fixed[kind])
        ]  # fmt: skip
        found.sort()
        return found
