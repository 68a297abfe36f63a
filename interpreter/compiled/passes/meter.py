"""Metering: loops that may go on for long pay for each round out of a budget.

The budget is the array `WORK`; whoever calls fills it. A loop whose bounds keep it short pays
nothing, so the work of a program is at most what it pays times `SHORT`, and the same program
always pays the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    Trusted,
)
from gemwright.interpreter.compiled.flat.visit import blocks, expressions, with_blocks
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


@dataclass(frozen=True, slots=True)
class _Cost:
    """Nodes that are run at most, and those outside of all loops; of branches the longest."""

    most: int
    straight: int

    def __add__(self, other: _Cost) -> _Cost:
        return _Cost(self.most + other.most, self.straight + other.straight)


class _Meters:
    """Goes through functions in the order of their calls."""

    def __init__(self) -> None:
        self._costs: dict[str, _Cost] = {}

    def function(self, function: Function) -> Function:
        body, cost = self._block(function.body)
        self._costs[function.name] = _Cost(min(cost.most, _HUGE), cost.straight)
        return function if body is function.body else replace(function, body=body)

    def _block(self, block: Block) -> tuple[Block, _Cost]:
        """A block with what its loops pay, and what it cost before."""
        found: list[Stmt] = []
        total = _Cost(0, 0)
        for each in block:
            after, cost = self._statement(each)
            found.append(after)
            total += cost
        same = all(new is old for new, old in zip(found, block, strict=True))
        return block if same else tuple(found), total

    def _statement(self, each: Stmt) -> tuple[Stmt, _Cost]:
        own = 1 + sum(expression_size(expr) for expr in expressions(each))
        cost = _Cost(own, own)
        if isinstance(each, Call):
            return each, cost + self._costs[each.function]
        inner = [self._block(block) for block in blocks(each)]
        if not inner:
            return each, cost
        bodies = iter([block for block, _ in inner])
        after = with_blocks(each, lambda _: next(bodies))
        if isinstance(each, For | Bits | Loop):
            return self._loop(each, after, own, inner[0][1])
        most = max(found.most for _, found in inner)
        return after, cost + _Cost(most, max(found.straight for _, found in inner))

    def _loop(
        self, each: For | Bits | Loop, after: Stmt, own: int, body: _Cost
    ) -> tuple[Stmt, _Cost]:
        most = own + _rounds(each) * (1 + body.most)
        if most > SHORT:
            assert isinstance(after, For | Bits | Loop)
            after = replace(after, body=(*_payment(1 + body.straight), *after.body))
        return after, _Cost(most, own)


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
