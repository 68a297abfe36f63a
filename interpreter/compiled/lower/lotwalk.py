"""Loops over the cells of lots, narrowed so that every step can still be finished.

All cells of all lots of an action stand in the order of the walk. For each limit on a sum the walk
knows what was gained before a cell and between which bounds the cells after it can still add.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import reduce

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr, Var
from gemwright.interpreter.compiled.lower.boxes import Sums
from gemwright.interpreter.compiled.lower.constraints import instance
from gemwright.interpreter.compiled.lower.limits import Asked, Filter, Gain, Limit, merged
from gemwright.interpreter.compiled.lower.linear import bounds
from gemwright.interpreter.compiled.lower.table import Kind
from gemwright.interpreter.compiled.lower.terms import Terms

_Span = tuple[Expr, Expr]
"""The least and the greatest of a number."""

_Ends = tuple[Expr | None, Expr | None]
"""The least and the greatest of a number, None for no bound."""


@dataclass(frozen=True, slots=True)
class LotCell:
    """A cell of a lot: `there` pieces can be picked, wherever they are shared with earlier cells.

    `shared` pairs earlier cells with whether they take from the same pieces.
    """

    lot: int
    kind: int
    there: Expr
    shared: tuple[tuple[int, Expr], ...] = ()


class LotWalk:
    """Loops over cells under what lines ask.

    Args:
        placeholders: per lot the variable that `asked` uses for its count at one kind.
    """

    def __init__(
        self, terms: Terms, cells: Sequence[LotCell], placeholders: Sequence[Var], asked: Asked
    ) -> None:
        self._terms = terms
        self._w = terms.w
        self._cells = cells
        self._vars = placeholders
        self._values: list[Expr] = []
        self._last: dict[tuple[int, int], int] = {}
        for number, cell in enumerate(cells):
            self._last[cell.lot, cell.kind] = number
        asked = replace(asked, limits=merged(asked.limits))
        self._asked = asked
        self._gains = [self._by_cell(limit) for limit in asked.limits]
        self._filters = self._filters_by_cell()
        self._bounds = [self._cell_bounds(number) for number in range(len(cells))]
        self._after = [self._suffixes(number) for number in range(len(asked.limits))]
        self._sums: list[Expr] = [limit.constant for limit in asked.limits]

    # -- before the walk

    def _completes(self, kind: int, lots: Sequence[int]) -> int:
        """The cell at which the counts of lots at a kind are all known; -1 if there are none."""
        return max((self._last.get((lot, kind), -1) for lot in lots), default=-1)

    def _by_cell(self, limit: Limit) -> dict[int, list[Gain]]:
        """The gains of a limit by the cell that brings them."""
        found: dict[int, list[Gain]] = {}
        for gain in limit.gains:
            if gain.opaque is not None:
                found.setdefault(self._completes(gain.kind, gain.lots), []).append(gain)
                continue
            for number, cell in enumerate(self._cells):
                factors = [each for each in gain.factors if each[0] == cell.lot]
                if cell.kind == gain.kind and factors:
                    found.setdefault(number, []).append(Gain(gain.kind, tuple(factors)))
        return found

    def _filters_by_cell(self) -> dict[int, list[Filter]]:
        found: dict[int, list[Filter]] = {}
        for each in self._asked.filters:
            found.setdefault(self._completes(each.kind, each.lots), []).append(each)
        return found

    def _cell_bounds(self, number: int) -> tuple[Expr, Expr]:
        """Bounds of a cell that hold whatever else is picked."""
        low, high = ops.FALSE, self._cells[number].there
        kept = []
        for each in self._filters.get(number, []):
            if self._alone(number, each):
                found = bounds(each.condition, self._vars[each.lots[0]])
                if found is not None:
                    low = low if found.low is None else ops.larger(low, found.low)
                    high = high if found.high is None else ops.smaller(high, found.high)
                    continue
            kept.append(each)
        self._filters[number] = kept
        return self._w.let(low), self._w.let(high)

    def _alone(self, number: int, each: Filter) -> bool:
        """Whether a filter reads this cell only."""
        same = [c for c in self._cells if (c.kind, c.lot) == (each.kind, each.lots[0])]
        return len(each.lots) == 1 and len(same) == 1

    def _suffixes(self, limit: int) -> list[tuple[Expr, Expr]]:
        """Per cell bounds of what it and the cells after it add to a sum."""
        found: list[tuple[Expr, Expr]] = [(ops.FALSE, ops.FALSE)]
        for number in reversed(range(len(self._cells))):
            low, high = found[0]
            for gain in self._gains[limit].get(number, []):
                least, most = self._reach(gain, number)
                low, high = ops.add(low, least), ops.add(high, most)
            found.insert(0, (self._w.let(low), self._w.let(high)))
        return found

    def _reach(self, gain: Gain, number: int) -> tuple[Expr, Expr]:
        """Bounds of what a cell adds by one gain."""
        if gain.opaque is not None:
            return ops.const(gain.opaque.low), ops.const(gain.opaque.high)
        low, high = self._bounds[number]
        factor = gain.factors[0][1]
        one, other = ops.mul(factor, low), ops.mul(factor, high)
        if factor.low >= 0:
            return one, other
        if factor.high <= 0:
            return other, one
        return ops.smaller(one, other), ops.larger(one, other)

    def fixed(self) -> Expr:
        """Whether what does not depend on counts holds."""
        good: Expr = ops.TRUE
        for each in self._asked.fixed:
            good = ops.both(good, each)
        return good

    def possible(self) -> Expr:
        """Whether the limits can be kept at all, as far as bounds tell."""
        good = self.fixed()
        for number in range(len(self._asked.limits)):
            good = ops.both(good, self._reachable(number, 0, self._sums[number]))
        return good

    def _reachable(self, limit: int, number: int, total: Expr) -> Expr:
        """Whether cells from `number` on can bring a sum between its bounds."""
        least, most = self._after[limit][number]
        asked, good = self._asked.limits[limit], ops.TRUE
        if asked.low is not None:
            good = ops.compare(">=", ops.add(total, most), ops.const(asked.low))
        if asked.high is not None:
            below = ops.compare("<=", ops.add(total, least), ops.const(asked.high))
            good = ops.both(good, below)
        return good

    # -- for other ways to count

    def sums(self) -> Sums | None:
        """What is asked, if it is no more than bounds of counts and of their number."""
        cells = range(len(self._cells))
        apart = not any(self._filters.get(at) or self._cells[at].shared for at in cells)
        if not self._asked.limits or not apart:
            return None
        kinds = [self._bounds[at] for at in cells]
        ends: list[_Ends] = []
        total: _Span | None = None
        for number, limit in enumerate(self._asked.limits):
            gains = self._gains[number]
            signs = {self._sign(each) for each in gains.values()}
            if signs not in ({1}, {-1}) or -1 in gains:
                return None
            found = self._ends(limit, signs == {-1})
            if len(gains) == len(kinds):
                ends.append(found)
                total = self._after[number][0] if signs == {1} else total
            elif len(gains) == 1:
                (at,) = gains
                kinds[at] = _narrower(kinds[at], found)
            else:
                return None
        if not ends:
            return None
        if total is None or kinds != self._bounds:
            kinds = [(self._w.let(low), self._w.let(high)) for low, high in kinds]
            total = (
                self._w.let(ops.total(low for low, _ in kinds)),
                self._w.let(ops.total(high for _, high in kinds)),
            )
        return Sums(tuple(kinds), total, *self._span(ends, total))

    def _ends(self, limit: Limit, turned: bool) -> _Ends:
        """The least and the greatest number of pieces, the same expression if there is but one."""
        ends = [
            None if end is None else self._w.let(ops.sub(ops.const(end), limit.constant))
            for end in (limit.low, limit.high)
        ]
        if turned:
            ends = [
                None if end is None else self._w.let(ops.sub(ops.FALSE, end))
                for end in reversed(ends)
            ]
        return ends[0], ends[0] if limit.low == limit.high else ends[1]

    def _span(self, ends: Sequence[_Ends], total: _Span) -> tuple[Expr, Expr, Expr]:
        """The least and the greatest number of pieces, and what must hold beside."""
        lows = [low for low, _ in ends if low is not None]
        highs = [high for _, high in ends if high is not None]
        one = next((low for low, high in ends if low is high and low is not None), None)
        if one is None:
            least = self._w.let(reduce(ops.larger, lows, total[0]))
            most = self._w.let(reduce(ops.smaller, highs, total[1]))
            return least, most, ops.compare("<=", least, most)
        holds: Expr = ops.TRUE
        for low in lows:
            holds = ops.both(holds, ops.compare("<=", low, one))
        for high in highs:
            holds = ops.both(holds, ops.compare("<=", one, high))
        return one, one, holds

    def _sign(self, gains: Sequence[Gain]) -> int | None:
        """1 or -1 for a cell that adds, or takes, its count; None for any other."""
        if any(gain.opaque is not None for gain in gains):
            return None
        factor = ops.known(ops.total(gain.factors[0][1] for gain in gains))
        return factor if factor in (1, -1) else None

    def kind(self, number: int) -> Kind:
        """What a cell may hold whatever else is picked."""
        low, high = self._bounds[number]
        tests = tuple(each.condition for each in self._filters.get(number, []))
        return Kind(low, high, tests)

    def picks(self, most: int) -> Expr:
        """How many combinations of counts the bounds leave; `most` for more than that."""
        found: Expr = ops.TRUE
        for low, high in self._bounds:
            width = ops.larger(ops.add(ops.sub(high, low), ops.TRUE), ops.FALSE)
            found = self._w.let(ops.smaller(ops.mul(found, width), ops.const(most)))
        return found

    def most_by_limits(self) -> int | None:
        """How many picks limits of the form `size <= n` leave at most, as load time knows it."""
        found: list[int] = []
        for number, limit in enumerate(self._asked.limits):
            factors = [
                gain.factors[0][1] if gain.opaque is None else ops.FALSE
                for at in range(len(self._cells))
                for gain in self._gains[number].get(at, [])
            ]
            every = len(factors) == len(self._cells) and all(each == ops.TRUE for each in factors)
            if every and limit.high is not None:
                room = max(limit.high - limit.constant.low, 0)
                found.append(_lots(len(self._cells), room))
        return min(found, default=None)

    # -- the walk

    @contextmanager
    def cells(self, first: int, last: int) -> Iterator[list[Expr]]:
        """Loops over cells `first` .. `last - 1`, one in the other: the counts that are picked."""
        with ExitStack() as stack:
            for number in range(first, last):
                stack.enter_context(self._loop(number))
            yield self._values[first:last]

    def run(self, number: int) -> tuple[Expr, Expr] | None:
        """The counts of a cell as a range, if within it none has to be tested."""
        low, high, tests = self._narrowed(number)
        return None if tests else (self._w.let(low), self._w.let(high))

    def _narrowed(self, number: int) -> tuple[Expr, Expr, list[Filter | int]]:
        """Bounds of a cell after the picks before, and what remains to be tested in the loop."""
        cell = self._cells[number]
        low, high = self._bounds[number]
        for earlier, same in cell.shared:
            taken = ops.select(same, self._values[earlier], ops.FALSE)
            high = ops.smaller(high, ops.sub(cell.there, taken)) if len(cell.shared) == 1 else high
        if len(cell.shared) > 1:
            taken = ops.total(
                ops.select(same, self._values[at], ops.FALSE) for at, same in cell.shared
            )
            high = ops.smaller(high, ops.sub(cell.there, taken))
        tests: list[Filter | int] = []
        for each in self._filters.get(number, []):
            var = Var(0, cell.there.high, "?cell")
            found = bounds(self._filled(each.kind, each.lots, each.condition, var), var)
            if found is None:
                tests.append(each)
                continue
            low = low if found.low is None else ops.larger(low, found.low)
            high = high if found.high is None else ops.smaller(high, found.high)
        for limit in range(len(self._asked.limits)):
            low, high, exact = self._by_limit(limit, number, low, high)
            if not exact:
                tests.append(limit)
        return low, high, tests

    def _by_limit(self, limit: int, number: int, low: Expr, high: Expr) -> tuple[Expr, Expr, bool]:
        """Bounds narrowed by a limit, and whether they say all that it asks of this cell."""
        gains = self._gains[limit].get(number, [])
        if not gains:
            return low, high, True
        opaque = any(each.opaque is not None for each in gains)
        factor = ops.total(each.factors[0][1] for each in gains if each.opaque is None)
        sign = None if opaque else ops.known(factor)
        if sign not in (1, -1):
            return low, high, False
        asked, total = self._asked.limits[limit], self._sums[limit]
        least, most = self._after[limit][number + 1]
        lowest = None if asked.low is None else ops.sub(ops.const(asked.low), ops.add(total, most))
        highest = (
            None if asked.high is None else ops.sub(ops.const(asked.high), ops.add(total, least))
        )
        if sign == -1:
            lowest, highest = (
                None if highest is None else ops.sub(ops.FALSE, highest),
                None if lowest is None else ops.sub(ops.FALSE, lowest),
            )
        low = low if lowest is None else ops.larger(low, lowest)
        high = high if highest is None else ops.smaller(high, highest)
        return low, high, True

    @contextmanager
    def _loop(self, number: int) -> Iterator[None]:
        low, high, tests = self._narrowed(number)
        before = list(self._sums)
        with self._w.each("n", self._w.let(low), self._w.let(high)) as count:
            self._values.append(count)
            self._advance(number, count)
            with self._w.when(self._tested(number, tests)):
                yield
        self._values.pop()
        self._sums = before

    def _advance(self, number: int, count: Expr) -> None:
        """Add what a cell gains."""
        for limit, gains in enumerate(self._gains):
            for gain in gains.get(number, []):
                if gain.opaque is None:
                    more = ops.mul(gain.factors[0][1], count)
                else:
                    more = self._filled(gain.kind, gain.lots, gain.opaque, count)
                self._sums[limit] = self._w.let(ops.add(self._sums[limit], more))

    def _tested(self, number: int, tests: Sequence[Filter | int]) -> Expr:
        good: Expr = ops.TRUE
        for each in tests:
            if isinstance(each, int):
                good = ops.both(good, self._reachable(each, number + 1, self._sums[each]))
            else:
                condition = self._filled(each.kind, each.lots, each.condition, self._values[-1])
                good = ops.both(good, condition)
        return good

    def _filled(self, kind: int, lots: Sequence[int], expr: Expr, count: Expr) -> Expr:
        """An expression over placeholders with the counts at a kind, the cell at hand included."""
        values: dict[str, Expr] = {}
        for lot in lots:
            here = [
                self._values[at] if at < len(self._values) else count
                for at, cell in enumerate(self._cells)
                if (cell.kind, cell.lot) == (kind, lot)
            ]
            values[self._vars[lot].name] = ops.total(here)
        return instance(expr, values, self._terms)


def _narrower(kind: tuple[Expr, Expr], ends: _Ends) -> tuple[Expr, Expr]:
    """Bounds of a count within others."""
    low, high = kind
    least, most = ends
    low = low if least is None else ops.larger(low, least)
    return low, high if most is None else ops.smaller(high, most)


def _lots(kinds: int, most: int) -> int:
    """How many lots of so many kinds have at most so many pieces: a binomial coefficient."""
    found = 1
    for pieces in range(1, most + 1):
        found = found * (kinds + pieces) // pieces
    return found
