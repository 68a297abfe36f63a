"""Metering: loops that may go on for long pay for each round out of a budget.

The budget is the array `WORK`; whoever calls fills it. A loop whose bounds keep it short pays
nothing, so the work of a program is at most what it pays times `SHORT`, and the same program
always pays the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import (
    Array,
    Bits,
    Block,
    Call,
    Fail,
    For,
    Function,
    If,
    Item,
    Loop,
    Program,
    Put,
    Stmt,
    Switch,
    Trusted,
)
from gemwright.interpreter.compiled.flat.visit import blocks, changed, expressions
from gemwright.interpreter.compiled.passes.size import expression_size

WORK: Final = "work"
"""One item: nodes that may still be run."""

MOST_WORK: Final = 1 << 62
OUT_OF_WORK: Final = "the budget of work is used up"

SHORT: Final = 10_000
"""Nodes that a loop may run without paying."""

_HUGE: Final = 1 << 80


def meter(program: Program) -> Program:
    """The program with loops that pay."""
    meters = _Meters()
    functions = tuple(meters.function(each) for each in program.functions)
    budget = Array(WORK, 1, 0, MOST_WORK)
    return replace(program, functions=functions, arrays=(*program.arrays, budget))


class _Meters:
    """Knows what functions cost: at most, and outside of all loops."""

    def __init__(self) -> None:
        self._most: dict[str, int] = {}
        self._straight: dict[str, int] = {}

    def function(self, function: Function) -> Function:
        self._most[function.name] = min(self.most(function.body), _HUGE)
        self._straight[function.name] = self.straight(function.body)
        return replace(function, body=self._metered(function.body))

    def most(self, block: Block) -> int:
        """Nodes that a block runs at most."""
        return sum(self._most_of(each) for each in block)

    def _most_of(self, each: Stmt) -> int:
        own = 1 + sum(expression_size(expr) for expr in expressions(each))
        if isinstance(each, Call):
            return own + self._most[each.function]
        if isinstance(each, For | Bits | Loop):
            return own + _rounds(each) * (1 + self.most(each.body))
        if isinstance(each, If | Switch):
            return own + max(self.most(block) for block in blocks(each))
        return own

    def straight(self, block: Block) -> int:
        """Nodes of a block outside of all loops; of branches the longest."""
        total = 0
        for each in block:
            total += 1 + sum(expression_size(expr) for expr in expressions(each))
            if isinstance(each, Call):
                total += self._straight[each.function]
            elif isinstance(each, If | Switch):
                total += max(self.straight(inner) for inner in blocks(each))
        return total

    def _metered(self, block: Block) -> Block:
        return tuple(self._paying(each) for each in block)

    def _paying(self, each: Stmt) -> Stmt:
        after = changed(each, lambda e: e, self._metered, lambda v: v)
        if isinstance(each, For | Bits | Loop) and self._most_of(each) > SHORT:
            assert isinstance(after, For | Bits | Loop)
            return replace(after, body=(*_payment(1 + self.straight(each.body)), *after.body))
        return after


def _rounds(each: For | Bits | Loop) -> int:
    if isinstance(each, Loop):
        return each.cap
    if isinstance(each, Bits):
        return each.mask.high.bit_length()
    return max(each.high.high - each.low.low + 1, 0)


def _payment(price: int) -> Block:
    left = Item(0, MOST_WORK, WORK, ops.FALSE)
    enough = ops.compare(">=", left, ops.const(price))
    rest = Trusted(0, MOST_WORK, ops.sub(left, ops.const(price)), "there is enough")
    return (
        If(ops.negate(enough), (Fail(OUT_OF_WORK),)),
        Put(WORK, ops.FALSE, rest),
    )
