"""Inlining: small functions, and those that are called once, are put in where they are called."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import (
    Block,
    Call,
    Expr,
    Function,
    Program,
    Return,
    Set,
    Stmt,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import everything, with_blocks
from gemwright.interpreter.compiled.passes.names import Renamer
from gemwright.interpreter.compiled.passes.size import is_larger

SMALL: Final = 40
"""Nodes of a function that is put in wherever it is called."""

ONCE: Final = 600
"""Nodes of a function that is put in if it is called from one place only."""


def inline(program: Program, kept: frozenset[str]) -> Program:
    """The program with functions put in; `kept` are called from outside and stay as they are."""
    reader = Reader(program)
    renamer = Renamer(reader)
    called = Counter(
        each.function
        for function in program.functions
        for each in everything(function.body)
        if isinstance(each, Call)
    )
    ready: dict[str, Function] = {}
    functions: list[Function] = []
    for function in program.functions:
        done = replace(function, body=_inlined(function.body, ready, renamer))
        functions.append(done)
        limit = ONCE if called[done.name] == 1 else SMALL
        if done.name not in kept and _straight(done) and not is_larger(done.body, limit):
            ready[done.name] = done
    return replace(program, functions=tuple(functions))


def _straight(function: Function) -> bool:
    """Whether a function returns at its end only."""
    returns = sum(isinstance(each, Return) for each in everything(function.body))
    if function.result is None:
        return returns == 0
    return returns == 1 and isinstance(function.body[-1], Return)


def _inlined(block: Block, ready: dict[str, Function], renamer: Renamer) -> Block:
    found: list[Stmt] = []
    for each in block:
        each = with_blocks(each, lambda inner: _inlined(inner, ready, renamer))
        if isinstance(each, Call) and each.function in ready:
            found.extend(_body(each, ready[each.function], renamer))
        else:
            found.append(each)
    return tuple(found)


def _body(call: Call, function: Function, renamer: Renamer) -> Block:
    given: dict[str, Expr] = {}
    binds: list[Stmt] = []
    for param, arg in zip(function.params, call.args, strict=True):
        value = ops.trusted(arg, param.low, param.high, "the range of a parameter")
        var = Var(value.low, value.high, param.name + renamer.suffix("p"))
        binds.append(Set(var, value))
        given[param.name] = var
    body = (*binds, *renamer.copy(function.body, given, "i"))
    if function.result is None:
        return body
    last = body[-1]
    assert isinstance(last, Return) and last.value is not None
    return body[:-1] if call.var is None else (*body[:-1], Set(call.var, last.value))
