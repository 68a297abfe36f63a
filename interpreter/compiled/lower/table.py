"""One static pass over the kinds of a lot: picks that leave all sums alike are counted together.

A state is what `Account`s have gained, clamped to what anybody still asks, and the counts of open
groups. `ways` of level k holds, for each state before kind k, how many picks of the kinds from k on
meet the condition. It is filled from the back, one kind after another, and read from the front to
find the n-th pick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import prod
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Break, Expr, Var
from gemwright.interpreter.compiled.lower.constraints import Opaque, instance
from gemwright.interpreter.compiled.lower.formula import Late
from gemwright.interpreter.compiled.lower.levels import Levels
from gemwright.interpreter.compiled.lower.sums import Account
from gemwright.interpreter.compiled.lower.terms import Terms

STATES: Final = 1 << 15
"""States of one level."""

_FITS: Final = "clamped to the states of the level"

_Gains = tuple[tuple[int, Expr], ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """What can be picked of one kind: counts `low..high` for which `tests` hold.

    Tests read the placeholder of the lot.
    """

    low: Expr
    high: Expr
    tests: tuple[Expr, ...]


class Table:
    """Writes the pass over one lot into one function.

    Args:
        var: the placeholder of the lot.
        good: whether a pick is legal, by the totals of the accounts.
        most: no more picks than that.

    Raises:
        Opaque: there could be too many states.
    """

    def __init__(
        self,
        terms: Terms,
        var: Var,
        kinds: Sequence[Kind],
        accounts: Sequence[Account],
        good: Late,
        most: int,
    ) -> None:
        self._terms = terms
        self._w = terms.w
        self._var = var
        self._kinds = kinds
        self._good = good
        self._most = most
        self._levels = [Levels(terms, var.name, kinds, each) for each in accounts]
        self._counters = self._counted(accounts)
        self._counter_of = [
            None if not each.groups else self._counters.index(_sequence(each)) for each in accounts
        ]
        self._widths = [self._level_widths(level) for level in range(len(kinds) + 1)]
        if max(prod(each) for each in self._widths) > STATES:
            raise Opaque
        self._ways = [terms.memory.scratch("ways", prod(each), 0, most) for each in self._widths]

    def _counted(self, accounts: Sequence[Account]) -> list[tuple[_Gains, ...]]:
        """The counters: groups with the same gains are followed by the same one."""
        return list(dict.fromkeys(_sequence(each) for each in accounts if each.groups))

    # -- states

    def _level_widths(self, level: int) -> list[int]:
        """How many values each part of a state has before a kind, as load time knows it."""
        sums = [levels.most[level].high + 1 for levels in self._levels]
        return [*sums, *(self._counter_most(each, level) + 1 for each in self._counters)]

    def _counter_most(self, counter: tuple[_Gains, ...], level: int) -> int:
        """The greatest count of a group that is open before a kind."""
        for gains in counter:
            kinds = [kind for kind, _ in gains]
            if min(kinds) < level <= max(kinds):
                return sum(max(gain.high, 0) for kind, gain in gains if kind < level)
        return 0

    @contextmanager
    def _states(self, level: int) -> Iterator[list[Expr]]:
        """Loops over the states before a kind."""
        with ExitStack() as stack:
            state: list[Expr] = []
            for levels in self._levels:
                low, high = levels.least[level], levels.most[level]
                state.append(stack.enter_context(self._w.each("sum", low, high)))
            for counter in self._counters:
                high = ops.const(self._counter_most(counter, level))
                state.append(stack.enter_context(self._w.each("of", ops.FALSE, high)))
            yield state

    def _index(self, level: int, state: Sequence[Expr]) -> Expr:
        index: Expr = ops.FALSE
        for width, part in zip(self._widths[level], state, strict=True):
            fits = ops.trusted(part, 0, width - 1, _FITS)
            index = ops.add(ops.mul(index, ops.const(width)), fits)
        return index

    def _ways_at(self, level: int, state: Sequence[Expr]) -> Expr:
        return self._terms.memory.reader.item(self._ways[level], self._index(level, state))

    def _after(self, kind: int, state: Sequence[Expr], count: Expr) -> list[Expr]:
        """The state after so many of a kind."""
        counts: list[Expr] = []
        for number, counter in enumerate(self._counters):
            counts.append(
                self._count_after(kind, counter, state[len(self._levels) + number], count)
            )
        sums = [
            levels.after(kind, old, count, None if counter is None else counts[counter])
            for levels, old, counter in zip(self._levels, state, self._counter_of, strict=False)
        ]
        closed = [
            ops.FALSE if self._closes(kind, counter) else each
            for counter, each in zip(self._counters, counts, strict=True)
        ]
        return [self._w.let(each) for each in (*sums, *closed)]

    def _count_after(self, kind: int, counter: tuple[_Gains, ...], old: Expr, count: Expr) -> Expr:
        for gains in counter:
            for at, gain in gains:
                if at == kind:
                    more = instance(gain, {self._var.name: count}, self._terms)
                    return self._w.let(ops.add(old, more))
        return old

    def _closes(self, kind: int, counter: tuple[_Gains, ...]) -> bool:
        return any(max(at for at, _ in gains) == kind for gains in counter)

    # -- counting

    def count(self) -> Expr:
        """Fill all levels; the number of legal picks."""
        last = len(self._kinds)
        with self._states(last) as state:
            totals = [levels.total(part) for levels, part in zip(self._levels, state, strict=False)]
            self._w.put(self._ways[last], self._index(last, state), self._good(totals))
        for kind in reversed(range(last)):
            with self._states(kind) as state:
                ways = self._w.changing("ways", ops.FALSE, 0, self._most)
                with self._counts(kind) as count:
                    after = self._after(kind, state, count)
                    self._w.gain(ways, self._ways_at(kind + 1, after), "load time bounds picks")
                self._w.put(self._ways[kind], self._index(kind, state), self._w.settled(ways))
        return self._w.let(self._ways_at(0, self._start()))

    def _start(self) -> list[Expr]:
        return [levels.least[0] for levels in self._levels] + [ops.FALSE] * len(self._counters)

    @contextmanager
    def _counts(self, kind: int) -> Iterator[Expr]:
        """A loop over the counts that can be picked of a kind."""
        here = self._kinds[kind]
        with self._w.each("n", here.low, here.high) as count:
            good: Expr = ops.TRUE
            for test in here.tests:
                good = ops.both(good, instance(test, {self._var.name: count}, self._terms))
            with self._w.when(good):
                yield count

    # -- finding

    def descend(self, number: Expr) -> list[Expr]:
        """The counts of legal pick `number`, which is below what `count` gave."""
        w = self._w
        left = w.changing("left", number, 0, max(self._most - 1, 0))
        state: list[Expr] = [w.let(each) for each in self._start()]
        picked: list[Expr] = []
        for kind, here in enumerate(self._kinds):
            found = w.changing("picked", here.low, 0, max(here.high.high, here.low.high))
            parts = [
                w.changing("part", ops.FALSE, 0, width - 1) for width in self._widths[kind + 1]
            ]
            with self._counts(kind) as count:
                after = self._after(kind, state, count)
                ways = w.let(self._ways_at(kind + 1, after))
                with w.when(ops.compare("<", left, ways)):
                    w.set(found, count)
                    for part, value, width in zip(
                        parts, after, self._widths[kind + 1], strict=True
                    ):
                        w.set(part, ops.trusted(value, 0, width - 1, _FITS))
                    w.emit(Break())
                rest = ops.trusted(ops.sub(left, ways), 0, left.high, "not below the ways")
                w.set(left, rest)
            picked.append(w.settled(found))
            state = [w.settled(each) for each in parts]
        return picked


def _sequence(account: Account) -> tuple[_Gains, ...]:
    """What the groups of an account count."""
    return tuple(group.gains for group in account.groups)
