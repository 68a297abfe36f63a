"""The values of one account before each kind: gained so far, clamped to what is still asked.

Values count from the least that can be gained, so they are 0 or more. Between `least(k)` and
`most(k)` two of them are told apart before kind k; a sum may stay at either end only where no later
kind can bring it back over a cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower.constraints import instance
from gemwright.interpreter.compiled.lower.linear import linear
from gemwright.interpreter.compiled.lower.sums import Account, Group
from gemwright.interpreter.compiled.lower.terms import Terms


class Counts(Protocol):
    """What can be picked of one kind."""

    @property
    def low(self) -> Expr:
        """The least count."""

    @property
    def high(self) -> Expr:
        """The greatest count."""


class Levels:
    """One account over kinds.

    Args:
        name: of the placeholder of the lot.

    Attributes:
        least, most: per level 0 .. K the least and greatest value before that kind.
    """

    def __init__(self, terms: Terms, name: str, kinds: Sequence[Counts], account: Account) -> None:
        self._terms = terms
        self._w = terms.w
        self._name = name
        self._gains = dict(account.gains)
        self._closing: dict[int, Group] = {group.last: group for group in account.groups}
        reach = [self._reach(number, kind) for number, kind in enumerate(kinds)]
        self._least = [self._w.let(low) for low, _ in reach]
        # Where nothing can be picked of a kind the bounds cross; then no state is ever reached.
        spans = [self._w.let(ops.larger(ops.sub(high, low), ops.FALSE)) for low, high in reach]
        self._base = self._w.let(ops.total(self._least))
        self._before = self._sums(spans)
        self._rest = self._sums(spans[::-1])[::-1]
        self._low, self._top = self._between(account)
        levels = range(len(kinds) + 1)
        self.least = [self._lowest(level) for level in levels]
        self.most = [self._highest(level) for level in levels]

    def _sums(self, spans: Sequence[Expr]) -> list[Expr]:
        found: list[Expr] = [ops.FALSE]
        for span in spans:
            found.append(self._w.let(ops.add(found[-1], span)))
        return found

    def _reach(self, number: int, kind: Counts) -> tuple[Expr, Expr]:
        """Bounds of what a kind adds."""
        low: Expr = ops.FALSE
        high: Expr = ops.FALSE
        gain = self._gains.get(number)
        if gain is not None:
            low, high = self._gain_reach(gain, kind)
        group = self._closing.get(number)
        if group is not None:
            low = ops.add(low, ops.const(group.worth.low))
            high = ops.add(high, ops.const(group.worth.high))
        return low, high

    def _gain_reach(self, gain: Expr, kind: Counts) -> tuple[Expr, Expr]:
        form = linear(gain, frozenset((self._name,)))
        if form is None:
            return ops.const(gain.low), ops.const(gain.high)
        factor = form.factors.get(self._name, ops.FALSE)
        one = ops.add(form.constant, ops.mul(factor, kind.low))
        other = ops.add(form.constant, ops.mul(factor, kind.high))
        if factor.low >= 0:
            return one, other
        return (
            (other, one) if factor.high <= 0 else (ops.smaller(one, other), ops.larger(one, other))
        )

    def _between(self, account: Account) -> tuple[Expr, Expr]:
        """The least and the greatest cut that picks can still cross."""
        every = self._before[-1]
        if account.whole:
            return ops.FALSE, every
        lowest, top = every, ops.FALSE
        for cut in account.cuts:
            at = self._w.let(ops.sub(cut, self._base))
            inside = ops.both(ops.compare(">", at, ops.FALSE), ops.compare("<=", at, every))
            inside = self._w.let(inside)
            fits = ops.trusted(at, 0, max(every.high, 0), "checked beside")
            top = ops.larger(top, ops.select(inside, fits, ops.FALSE))
            lowest = ops.smaller(lowest, ops.select(inside, fits, every))
        top = self._w.let(top)
        return self._w.let(ops.smaller(lowest, top)), top

    def _lowest(self, level: int) -> Expr:
        low = ops.sub(ops.sub(self._low, ops.TRUE), self._rest[level])
        return self._w.let(ops.larger(low, ops.FALSE))

    def _highest(self, level: int) -> Expr:
        high = ops.smaller(self._top, self._before[level])
        return self._w.let(ops.larger(high, self.least[level]))

    def after(self, kind: int, value: Expr, count: Expr, group: Expr | None) -> Expr:
        """The value after so many of a kind; `group` is the count of the group at hand."""
        total = value
        gain = self._gains.get(kind)
        if gain is not None:
            total = ops.add(total, instance(gain, {self._name: count}, self._terms))
        closing = self._closing.get(kind)
        if closing is not None and group is not None:
            worth = instance(closing.worth, {closing.count.name: group}, self._terms)
            total = ops.add(total, worth)
        total = self._w.let(ops.sub(total, self._least[kind]))
        return ops.larger(ops.smaller(total, self._top), self.least[kind + 1])

    def total(self, value: Expr) -> Expr:
        """The total of the sum, right as far as anybody asks."""
        return ops.add(self._base, value)
