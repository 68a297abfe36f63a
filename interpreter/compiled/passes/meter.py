"""Metering: loops that may go on for long pay for their rounds out of a budget.

The budget is the array `WORK`; whoever calls fills it. A loop that nothing leaves pays for all
rounds before the first, any other one pays round by round. A loop whose bounds keep it short pays
nothing, so the work of a program is at most what it pays times `SHORT`, and the same program
always pays the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import is_
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import leaves
from gemwright.interpreter.compiled.flat.program import (
    Array,
    Bits,
    Block,
    Call,
    Expr,
    Fail,
    For,
    Function,
    If,
    Item,
    Loop,
    Program,
    Put,
    Return,
    Stmt,
    Trusted,
)
from gemwright.interpreter.compiled.flat.visit import (
    blocks,
    everything,
    expressions,
    with_blocks,
)
from gemwright.interpreter.compiled.passes.size import expression_size

WORK: Final = "work"
"""One item: nodes that may still be run."""

MOST_WORK: Final = 1 << 62
OUT_OF_WORK: Final = "the budget of work is used up"

SHORT: Final = 10_000
"""Nodes that a loop may run without paying."""

AT_ONCE: Final = 1 << 40
"""The greatest price of a loop that is paid before it."""

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
            payment, after, cost = self._statement(each)
            found += [*payment, after]
            total += cost
        same = len(found) == len(block) and all(map(is_, found, block))
        return block if same else tuple(found), total

    def _statement(self, each: Stmt) -> tuple[Block, Stmt, _Cost]:
        """What is paid before a statement, the statement, and what it costs."""
        own = 1 + sum(expression_size(expr) for expr in expressions(each))
        cost = _Cost(own, own)
        if isinstance(each, Call):
            return (), each, cost + self._costs[each.function]
        inner = [self._block(block) for block in blocks(each)]
        if not inner:
            return (), each, cost
        bodies = iter([block for block, _ in inner])
        after = with_blocks(each, lambda _: next(bodies))
        if isinstance(each, For | Bits | Loop):
            return self._loop(each, after, own, inner[0][1])
        most = max(found.most for _, found in inner)
        return (), after, cost + _Cost(most, max(found.straight for _, found in inner))

    def _loop(
        self, each: For | Bits | Loop, after: Stmt, own: int, body: _Cost
    ) -> tuple[Block, Stmt, _Cost]:
        rounds, price = _rounds(each), 1 + body.straight
        most = own + rounds * (1 + body.most)
        cost = _Cost(most, own)
        if most <= SHORT:
            return (), after, cost
        if not isinstance(each, Loop) and rounds * price <= AT_ONCE and not _is_left(each.body):
            return _payment(ops.mul(_counted(each), ops.const(price))), after, cost
        assert isinstance(after, For | Bits | Loop)
        return (), replace(after, body=(*_payment(ops.const(price)), *after.body)), cost


def _rounds(each: For | Bits | Loop) -> int:
    """How many rounds a loop can have."""
    if isinstance(each, Loop):
        return each.cap
    if isinstance(each, Bits):
        return each.mask.high.bit_length()
    return max(each.high.high - each.low.low + 1, 0)


def _counted(each: For | Bits) -> Expr:
    """How many rounds a loop that nothing leaves will have."""
    if isinstance(each, Bits):
        return ops.ones(each.mask)
    return ops.larger(ops.add(ops.sub(each.high, each.low), ops.TRUE), ops.FALSE)


def _is_left(body: Block) -> bool:
    """Whether something in the body of a loop ends the loop or one of its rounds."""
    return leaves(body) or any(isinstance(each, Return) for each in everything(body))


def _payment(price: Expr) -> Block:
    left = Item(0, MOST_WORK, WORK, ops.FALSE)
    rest = Trusted(0, MOST_WORK, ops.sub(left, price), "there is enough")
    return (
        If(ops.compare("<", left, price), (Fail(OUT_OF_WORK),)),
        Put(WORK, ops.FALSE, rest),
    )
