"""Conditions over one lot as formulas of totals: what a table of states is asked at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower import folds
from gemwright.interpreter.compiled.lower.constraints import Analysis, Opaque, Shown
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.sums import Accounts

Totals = Sequence[Expr]
"""The total of each account."""

Late = Callable[[Totals], Expr]
"""A value that is read off totals."""

_TYPES: Final = 16
"""Types that kinds may show."""


class Formulas:
    """Makes formulas of nodes, and the accounts that they need.

    Raises (all methods):
        Opaque: a node has a form that no table decides.
    """

    def __init__(self, analysis: Analysis, accounts: Accounts) -> None:
        self._analysis = analysis
        self._terms = analysis.terms
        self._accounts = accounts

    def of(self, node: f.Node, scope: Scope) -> Late:
        """The value of a node."""
        return _NODES[type(node)](self, node, scope)

    def _kept(self, value: Expr) -> Late:
        kept = self._terms.w.let(value)
        return lambda totals: kept

    def _fixed(self, node: f.Fixed, scope: Scope) -> Late:
        return self._kept(self._terms.value(node.term, scope))

    def _all_of(self, node: f.AllOf, scope: Scope) -> Late:
        parts = [self.of(each, scope) for each in node.nodes]
        return lambda totals: _all(part(totals) for part in parts)

    def _any_of(self, node: f.AnyOf, scope: Scope) -> Late:
        parts = [self.of(each, scope) for each in node.nodes]
        return lambda totals: ops.negate(_all(ops.negate(part(totals)) for part in parts))

    def _negated(self, node: f.Negated, scope: Scope) -> Late:
        inner = self.of(node.node, scope)
        return lambda totals: ops.negate(inner(totals))

    def _choice(self, node: f.Choice, scope: Scope) -> Late:
        condition = self.of(node.condition, scope)
        then, otherwise = self.of(node.then, scope), self.of(node.otherwise, scope)
        return lambda totals: ops.select(condition(totals), then(totals), otherwise(totals))

    # -- sums

    def _account(self, total: f.Sum, scope: Scope) -> tuple[int, Expr]:
        """The account of a sum, and the constant beside it."""
        constant, gains, groups = self._analysis.total(total, scope)
        return self._accounts.number(gains, groups), self._terms.w.let(constant)

    def _test(self, node: f.Test, scope: Scope) -> Late:
        number, constant = self._account(node.sum, scope)
        self._accounts.compared(number, node.op, constant)
        return lambda totals: ops.compare(node.op, ops.add(totals[number], constant), ops.FALSE)

    def _sum(self, node: f.Sum, scope: Scope) -> Late:
        number, constant = self._account(node, scope)
        self._accounts.all[number].whole = True
        return lambda totals: ops.add(totals[number], constant)

    # -- read off totals

    def _derived(self, node: f.Derived, scope: Scope) -> Late:
        leaves = [(slot, self.of(leaf, scope)) for slot, leaf in node.leaves]
        return lambda totals: self._read(node.term, _bound(scope, leaves, totals))

    def _read(self, term: t.Term, scope: Scope) -> Expr:
        """A term of totals, which must be a mere expression."""
        before = self._terms.w.fails
        value = self._terms.value(term, scope)
        if self._terms.w.fails > before:
            raise Opaque
        return value

    def _unrolled(self, node: f.Unrolled, scope: Scope) -> Late:
        elements = folds.short(self._terms, node.domain, scope)
        if elements is None:
            raise Opaque
        parts: list[tuple[Expr, Late, Late]] = []
        for element, there in elements:
            inner = scope.bind(node.slot, element)
            kept = _always if node.filter is None else self.of(node.filter, inner)
            body = _always if node.body is None else self.of(node.body, inner)
            parts.append((self._terms.w.let(there), kept, body))

        def read(totals: Totals) -> Expr:
            pairs = [(ops.both(there, kept(totals)), body(totals)) for there, kept, body in parts]
            return folds.folded(node.op, node.empty, pairs)

        return read

    def _typed(self, node: f.Typed, scope: Scope) -> Late:
        """Each type that kinds can show has an account of how often it is shown."""
        ranges, shown = self._analysis.types(node, scope)
        if prod(high - low + 1 for low, high in ranges) > _TYPES:
            raise Opaque
        types = list(product(*[range(low, high + 1) for low, high in ranges]))
        numbers = [self._shown(node, shown, each) for each in types]
        leaves = [(slot, self.of(leaf, scope)) for slot, leaf in node.leaves]
        first = [slot for slot, _ in node.locals]

        def read(totals: Totals) -> Expr:
            inner = _bound(scope, leaves, totals)
            times = [ops.add(totals[number], constant) for number, constant in numbers]
            if node.other:
                return self._pairs(node, inner, first, types, times)
            parts: list[tuple[Expr, Expr]] = []
            for values, many in zip(types, times, strict=True):
                here = _with(inner, first, values)
                kept = ops.TRUE if node.filter is None else self._read(node.filter, here)
                value = self._read(node.body, here)
                if node.op == "sum":
                    value = ops.mul(value, many)
                parts.append((ops.both(ops.compare(">", many, ops.FALSE), kept), value))
            return folds.folded(node.op, node.empty, parts)

        return read

    def _shown(
        self,
        node: f.Typed,
        shown: Shown,
        values: tuple[int, ...],
    ) -> tuple[int, Expr]:
        """The account that counts kinds of one type, and those that are no kinds of the pick."""
        kinds, apart = shown
        gains = [(kind, ops.both(gate, _same(locals, values))) for kind, gate, locals in kinds]
        constant = ops.total(ops.both(gate, _same(locals, values)) for gate, locals in apart)
        constant = self._terms.w.let(constant)
        number = self._accounts.number([each for each in gains if each[1] != ops.FALSE])
        if node.op == "sum":
            self._accounts.all[number].whole = True
        for cut in range(1, node.cap + 1):
            self._accounts.compared(number, ">=", ops.add(constant, ops.const(-cut)))
        return number, constant

    def _pairs(
        self,
        node: f.Typed,
        scope: Scope,
        first: Sequence[int],
        types: Sequence[tuple[int, ...]],
        times: Sequence[Expr],
    ) -> Expr:
        found: Expr = ops.FALSE
        for number, values in enumerate(types):
            one = _with(scope, first, values)
            for other in range(number, len(types)):
                body = self._read(node.body, _with(one, node.other, types[other]))
                need = 2 if other == number else 1
                there = ops.both(
                    ops.compare(">=", times[number], ops.const(need)),
                    ops.compare(">=", times[other], ops.TRUE),
                )
                found = ops.either(found, ops.both(there, body))
        return found

    def _some_within(self, node: f.SomeWithin, scope: Scope) -> Late:
        raise Opaque


def _always(totals: Totals) -> Expr:
    return ops.TRUE


def _all(parts: Any) -> Expr:
    good: Expr = ops.TRUE
    for each in parts:
        good = ops.both(good, each)
    return good


def _bound(scope: Scope, leaves: Sequence[tuple[int, Late]], totals: Totals) -> Scope:
    for slot, leaf in leaves:
        scope = scope.bind(slot, leaf(totals))
    return scope


def _with(scope: Scope, slots: Sequence[int], values: Sequence[int]) -> Scope:
    for slot, value in zip(slots, values, strict=True):
        scope = scope.bind(slot, ops.const(value))
    return scope


def _same(locals: Sequence[Expr], values: Sequence[int]) -> Expr:
    return _all(
        ops.equal(local, ops.const(value)) for local, value in zip(locals, values, strict=True)
    )


_NODES: Final[dict[type, Callable[[Formulas, Any, Scope], Late]]] = {
    f.Fixed: Formulas._fixed,
    f.SomeWithin: Formulas._some_within,
    f.AllOf: Formulas._all_of,
    f.AnyOf: Formulas._any_of,
    f.Negated: Formulas._negated,
    f.Choice: Formulas._choice,
    f.Sum: Formulas._sum,
    f.Test: Formulas._test,
    f.Derived: Formulas._derived,
    f.Unrolled: Formulas._unrolled,
    f.Typed: Formulas._typed,
}
