"""Counting without going round: loops and branches that only add become one addition."""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Expr,
    For,
    Function,
    If,
    Op,
    Program,
    Set,
    Stmt,
    Trusted,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import with_blocks

_ADDED = "the counter has room for all rounds"


def count_at_once(program: Program) -> Program:
    """The program with `if C: n := n + 1` and loops of that kind as one addition."""
    return replace(program, functions=tuple(map(_function, program.functions)))


def _function(function: Function) -> Function:
    body = _block(function.body)
    return function if body is function.body else replace(function, body=body)


def _block(block: Block) -> Block:
    found = tuple(_statement(with_blocks(each, _block)) for each in block)
    return block if all(map(is_, found, block)) else found


def _statement(each: Stmt) -> Stmt:
    if isinstance(each, If) and not each.otherwise:
        return _added(each, each.then, each.condition)
    if isinstance(each, Bits):
        return _added(each, each.body, ops.ones(each.mask))
    if isinstance(each, For):
        rounds = ops.add(ops.sub(each.high, each.low), ops.TRUE)
        return _added(each, each.body, ops.larger(rounds, ops.FALSE))
    return each


def _added(whole: Stmt, body: Block, times: Expr) -> Stmt:
    """`n := n + c` so many times, if that is all that is done; else the statement as it is.

    The value stays in the range of the counter, which holds before the first round and after
    each one.
    """
    step = body[0] if len(body) == 1 else None
    if not isinstance(step, Set):
        return whole
    value = step.value.value if isinstance(step.value, Trusted) else step.value
    if not (isinstance(value, Op) and value.name == "add"):
        return whole
    before, more = value.args
    if not (isinstance(before, Var) and before.name == step.var.name and ops.known(more)):
        return whole
    # A counter is set elsewhere, too, so its variable has the whole range.
    after = ops.add(before, ops.mul(times, more))
    return Set(step.var, ops.trusted(after, step.var.low, step.var.high, _ADDED))
