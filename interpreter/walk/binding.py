"""Conditions at one decision: the normal form of `where` with everything fixed filled in.

`Binding` reads a plan in a block and a frame. What is fixed becomes a number at once, later lines
are not read after one that fails, and what depends on the pick becomes accumulators of a pass and
`Late` values, which are read off their final states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.walk.accumulators import (
    Accumulator,
    GroupAccumulator,
    SumAccumulator,
    TypeAccumulator,
)
from gemwright.interpreter.walk.late import FOLDS, Finals, Late, TypeReader, Value, now
from gemwright.interpreter.walk.passes import Domains, Pass, WalkBudget
from gemwright.interpreter.walk.sums import Total, bind_sum
from gemwright.interpreter.walk.tables import Here, Tables, boxes

_FLIPPED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


class Binding:
    """One plan in one block and frame.

    Args:
        kinds: the faces of which something may be picked, in the order of the plan.
        domains: per such kind its vectors; restricted as lines are read that must hold.
        lots_of: per such kind the lot of each coordinate.
    """

    def __init__(
        self,
        here: Here,
        kinds: Sequence[int],
        domains: Domains,
        lots_of: Sequence[Sequence[int]],
    ) -> None:
        self.here = here
        self.domains = domains
        self.tables = Tables(here, kinds, domains, lots_of)
        self._tested: dict[int, tuple[SumAccumulator, int]] = {}
        self.accumulators: list[Accumulator] = []

    # -- passes

    def legal(self, lines: Sequence[f.Node], sized: bool = False) -> Pass | None:
        """The pass over the picks that satisfy all lines; None if a line fails without looking.

        Values are 1 for a legal pick and 0 for others; with `sized` 1 + the number of its pieces.
        """
        late: list[Late] = []
        for line in lines:
            value = self.value(line)
            if isinstance(value, Late):
                late.append(value)
                if self._require(line):
                    self._narrow(1)
            elif not value:
                return None
            if not all(self.domains):
                return None
        size = self._size() if sized else None
        self._narrow(3)
        if not all(self.domains):
            return None
        for accumulator in self.accumulators:
            accumulator.finish()

        def value_of(finals: Finals) -> int:
            if not all(each.read(finals) for each in late):
                return 0
            return 1 if size is None else 1 + int(size.read(finals))

        return Pass(self.domains, self.accumulators, value_of)

    def _size(self) -> Late:
        """The number of picked pieces."""
        accumulator = SumAccumulator([[sum(v) for v in domain] for domain in self.domains])
        accumulator.whole = True
        number = len(self.accumulators)
        self.accumulators.append(accumulator)
        return Late(lambda finals: accumulator.total(finals[number]))

    def leading(self, lines: Sequence[f.Node]) -> Pass:
        """A pass whose value is the number of leading lines that hold; nothing is left out."""
        values: list[Value] = []
        for line in lines:
            value = self.value(line)
            values.append(value)
            if not isinstance(value, Late) and not value:
                break
        for accumulator in self.accumulators:
            accumulator.finish()

        def held(finals: Finals) -> int:
            for number, value in enumerate(values):
                if not now(value, finals):
                    return number
            return len(values)

        return Pass(self.domains, self.accumulators, held)

    def _require(self, node: f.Node, holds: bool = True) -> bool:
        """Tell accumulators what a line that must hold asks of them; whether any was told."""
        if isinstance(node, f.AllOf if holds else f.AnyOf):
            return any([self._require(each, holds) for each in node.nodes])
        if isinstance(node, f.Negated):
            return self._require(node.node, not holds)
        tested = self._tested.get(id(node)) if isinstance(node, f.Test) else None
        if tested is None or not isinstance(node, f.Test):
            return False
        accumulator, constant = tested
        low, high = _bounds(node.op if holds else _FLIPPED[node.op], -constant)
        accumulator.require(low, high)
        return True

    def _narrow(self, rounds: int) -> None:
        """Leave out the vectors that break a requirement by themselves.

        Later lines then need smaller tables. What is left out for one requirement may let another
        leave out more.
        """
        for _ in range(rounds):
            changed = False
            for accumulator in self.accumulators:
                if not isinstance(accumulator, SumAccumulator) or accumulator.need == (None, None):
                    continue
                kept = accumulator.spare()
                if kept:
                    changed = True
                    self.tables.keep(kept)
                    if not all(self.domains):
                        return
                    for each in self.accumulators:
                        each.keep(kept)
            if not changed:
                return

    # -- values

    def value(self, node: f.Node) -> Value:
        """The value of a node, or a `Late` one."""
        try:
            return _NODES[type(node)](self, node)
        except WalkBudget:
            raise
        except RuntimeProblem as problem:
            return _failing(problem)

    def fixed(self, node: f.Node) -> Any:
        """The value of a node that no picked lot changes."""
        value = self.value(node)
        return value.read(()) if isinstance(value, Late) else value

    def term(self, term: t.Term) -> Any:
        """The value of a fixed term."""
        return self.here.value(term)

    def _fixed(self, node: f.Fixed) -> Value:
        return self.term(node.term)

    def _some_within(self, node: f.SomeWithin) -> Value:
        return some_within(self.here, node.plan, node.within)

    def _all_of(self, node: f.AllOf) -> Value:
        late: list[Late] = []
        for each in node.nodes:
            value = self.value(each)
            if isinstance(value, Late):
                late.append(value)
            elif not value:
                if not late:
                    return False
                late.append(Late(lambda finals: False))
                break
        if not late:
            return True
        return Late(lambda finals: all(each.read(finals) for each in late))

    def _any_of(self, node: f.AnyOf) -> Value:
        late: list[Late] = []
        for each in node.nodes:
            value = self.value(each)
            if isinstance(value, Late):
                late.append(value)
            elif value:
                if not late:
                    return True
                late.append(Late(lambda finals: True))
                break
        if not late:
            return False
        return Late(lambda finals: any(each.read(finals) for each in late))

    def _negated(self, node: f.Negated) -> Value:
        value = self.value(node.node)
        if isinstance(value, Late):
            return Late(lambda finals: not value.read(finals))
        return not value

    def _choice(self, node: f.Choice) -> Value:
        condition = self.value(node.condition)
        if not isinstance(condition, Late):
            return self.value(node.then if condition else node.otherwise)
        then, otherwise = self.value(node.then), self.value(node.otherwise)
        return Late(lambda finals: now(then if condition.read(finals) else otherwise, finals))

    # -- sums

    def _test(self, node: f.Test) -> Value:
        total = bind_sum(self, node.sum)
        number = self._number(total)
        compare = _COMPARE[node.op]
        if number is None:
            return compare(total.constant)
        accumulator = self.accumulators[number]
        assert isinstance(accumulator, SumAccumulator)
        constant = total.constant
        self._tested[id(node)] = accumulator, constant
        accumulator.cuts |= {cut - constant for cut in _CUTS[node.op]}
        return Late(lambda finals: compare(constant + accumulator.total(finals[number])))

    def _sum(self, node: f.Sum) -> Value:
        total = bind_sum(self, node)
        number = self._number(total)
        constant = total.constant
        if number is None:
            return constant
        accumulator = self.accumulators[number]
        assert isinstance(accumulator, SumAccumulator)
        accumulator.whole = True
        return Late(lambda finals: constant + accumulator.total(finals[number]))

    def _number(self, total: Total) -> int | None:
        """The accumulator of a sum; None if no pick changes it (its constant is then all of it)."""
        rows = total.rows
        if total.groups:
            return self._known(GroupAccumulator(rows, total.groups))
        accumulator = SumAccumulator(rows)
        fixed = accumulator.settled()
        if fixed is not None:
            total.constant += fixed
            return None
        return self._known(accumulator)

    def _known(self, accumulator: SumAccumulator) -> int:
        """The number of an accumulator; one with the same tables is used again."""
        for number, each in enumerate(self.accumulators):
            if isinstance(each, SumAccumulator) and each.same(accumulator):
                return number
        self.accumulators.append(accumulator)
        return len(self.accumulators) - 1

    # -- read off totals

    def _derived(self, node: f.Derived) -> Value:
        leaves = [(slot, self.value(leaf)) for slot, leaf in node.leaves]
        there = self.here.copy()

        def read(finals: Finals) -> Any:
            for slot, value in leaves:
                there.frame[slot] = now(value, finals)
            return there.value(node.term)

        return Late(read)

    def _unrolled(self, node: f.Unrolled) -> Value:
        found: list[tuple[Value, Value]] = []
        frame = self.here.frame
        old = frame[node.slot]
        for element in self.here.elements(node.domain):
            frame[node.slot] = element
            kept: Value = True if node.filter is None else self.value(node.filter)
            if isinstance(kept, Late) or kept:
                body: Value = True if node.body is None else self.value(node.body)
                found.append((kept, body))
                if node.op == "some" and kept is True and body is True:
                    break  # whatever follows is not read
        frame[node.slot] = old
        fold, empty = FOLDS[node.op], node.empty

        def read(finals: Finals) -> Any:
            return fold((now(b, finals) for k, b in found if now(k, finals)), empty)

        if any(isinstance(each, Late) for pair in found for each in pair):
            return Late(read)
        return read(())

    def _typed(self, node: f.Typed) -> Value:
        names: dict[tuple[int, ...], int] = {}
        rows = [[-1] * len(domain) for domain in self.domains]
        first: list[int] = []
        for face in node.faces:
            place = self.tables.places.get(face)
            if place is None:
                if node.gate is None or self.tables.apart(node.gate, face):
                    values = tuple(self.tables.apart(local, face) for _, local in node.locals)
                    first.append(names.setdefault(values, len(names)))
            else:
                rows[place] = self._types(node, place, names)
        leaves = [(slot, self.value(leaf)) for slot, leaf in node.leaves]
        accumulator = TypeAccumulator(rows, node.cap, first)
        number = len(self.accumulators)
        self.accumulators.append(accumulator)
        reader = TypeReader(self.here.copy(), node, leaves, list(names), accumulator)
        return Late(lambda finals: reader.read(finals, finals[number]))

    def _types(self, node: f.Typed, kind: int, names: dict[tuple[int, ...], int]) -> list[int]:
        """The type of each vector of a kind."""
        columns = [self.tables.row(local, kind) for _, local in node.locals]
        count = len(self.domains[kind])
        shown = list(zip(*columns, strict=True)) if columns else [()] * count
        gate = [1] * count if node.gate is None else self.tables.row(node.gate, kind)
        return [
            names.setdefault(values, len(names)) if open else -1
            for values, open in zip(shown, gate, strict=True)
        ]


def some_within(here: Here, plan: f.LotPlan, within: t.Term) -> bool:
    """Whether some lot inside a fixed one satisfies a plan; the frame has room for the plan."""
    there = [(face, n) for face, n in zip(plan.kinds, here.value(within), strict=True) if n]
    kinds = [face for face, _ in there]
    domains = [boxes((count,)) for _, count in there]
    lots_of = [(0,)] * len(domains)
    found = Binding(replace(here, plan=plan), kinds, domains, lots_of).legal(plan.lines)
    return found is not None and found.any()


def _failing(problem: RuntimeProblem) -> Late:
    """A value that cannot be read; an earlier condition may keep every pick away from it."""

    def fail(finals: Finals) -> Any:
        raise problem

    return Late(fail)


def _bounds(op: str, limit: int) -> tuple[int | None, int | None]:
    """The totals that `total op limit` allows."""
    if op in (">", ">="):
        return limit + (op == ">"), None
    if op in ("<", "<="):
        return None, limit - (op == "<")
    return (limit, limit) if op == "=" else (None, None)


_COMPARE: Final[dict[str, Callable[[int], bool]]] = {
    "<": lambda x: x < 0,
    "<=": lambda x: x <= 0,
    ">": lambda x: x > 0,
    ">=": lambda x: x >= 0,
    "=": lambda x: x == 0,
    "!=": lambda x: x != 0,
}

_CUTS: Final = {
    "<": (0,),
    "<=": (1,),
    ">": (1,),
    ">=": (0,),
    "=": (0, 1),
    "!=": (0, 1),
}

_NODES: Final[dict[type, Callable[[Binding, Any], Value]]] = {
    f.Fixed: Binding._fixed,
    f.SomeWithin: Binding._some_within,
    f.AllOf: Binding._all_of,
    f.AnyOf: Binding._any_of,
    f.Negated: Binding._negated,
    f.Choice: Binding._choice,
    f.Sum: Binding._sum,
    f.Test: Binding._test,
    f.Derived: Binding._derived,
    f.Unrolled: Binding._unrolled,
    f.Typed: Binding._typed,
}
