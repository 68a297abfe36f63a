"""Going through statements: their blocks, their expressions, the names in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import (
    Begin,
    Bits,
    Block,
    Call,
    Draw,
    Expr,
    For,
    Gain,
    If,
    Loop,
    Put,
    Return,
    Set,
    Stmt,
    Store,
    Switch,
    Var,
)


def expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions directly in a statement, in the order in which they are worked out."""
    if isinstance(statement, Set | Gain):
        return (statement.value,)
    if isinstance(statement, Store | Put):
        return (statement.index, statement.value)
    if isinstance(statement, If):
        return (statement.condition,)
    if isinstance(statement, For):
        return (statement.low, statement.high)
    if isinstance(statement, Bits):
        return (statement.mask,)
    if isinstance(statement, Switch):
        return (statement.value,)
    if isinstance(statement, Return):
        return () if statement.value is None else (statement.value,)
    if isinstance(statement, Call):
        return statement.args
    if isinstance(statement, Draw):
        return (statement.stream, statement.n)
    return (statement.number,) if isinstance(statement, Begin) else ()


def blocks(statement: Stmt) -> tuple[Block, ...]:
    """The blocks directly in a statement."""
    if isinstance(statement, If):
        return (statement.then, statement.otherwise)
    if isinstance(statement, For | Bits | Loop):
        return (statement.body,)
    return statement.blocks if isinstance(statement, Switch) else ()


def target(statement: Stmt) -> Var | None:
    """The variable that a statement gives a value."""
    if isinstance(statement, Set | Gain | For | Bits | Call | Draw):
        return statement.var
    return None


def everything(block: Block) -> Iterator[Stmt]:
    """All statements of a block, however deep, in order."""
    for each in block:
        yield each
        for inner in blocks(each):
            yield from everything(inner)


def all_expressions(block: Block) -> Iterator[Expr]:
    """All expressions of a block, however deep."""
    for statement in everything(block):
        todo = list(expressions(statement))
        while todo:
            each = todo.pop()
            yield each
            todo.extend(ops.inner(each))


def names_in(statement: Stmt) -> set[str]:
    """The names of all variables that a statement reads or sets, however deep."""
    found: set[str] = set()
    for each in everything((statement,)):
        var = target(each)
        if var is not None:
            found.add(var.name)
        for expr in expressions(each):
            found |= ops.reads(expr)
    return found


def changed(
    statement: Stmt,
    expr: Callable[[Expr], Expr],
    block: Callable[[Block], Block],
    var: Callable[[Var], Var],
) -> Stmt:
    """A statement with its expressions, blocks and the variable that it sets changed."""
    if isinstance(statement, Set | Gain):
        return replace(statement, var=var(statement.var), value=expr(statement.value))
    if isinstance(statement, Store | Put):
        return replace(statement, index=expr(statement.index), value=expr(statement.value))
    if isinstance(statement, If):
        return If(expr(statement.condition), block(statement.then), block(statement.otherwise))
    if isinstance(statement, For):
        low, high = expr(statement.low), expr(statement.high)
        return For(var(statement.var), low, high, block(statement.body))
    if isinstance(statement, Bits):
        return Bits(var(statement.var), expr(statement.mask), block(statement.body))
    if isinstance(statement, Loop):
        return Loop(statement.cap, block(statement.body))
    if isinstance(statement, Switch):
        return Switch(expr(statement.value), tuple(block(each) for each in statement.blocks))
    if isinstance(statement, Return):
        return Return(None if statement.value is None else expr(statement.value))
    if isinstance(statement, Call):
        to = None if statement.var is None else var(statement.var)
        return Call(to, statement.function, tuple(expr(each) for each in statement.args))
    if isinstance(statement, Draw):
        return Draw(var(statement.var), expr(statement.stream), expr(statement.n))
    return Begin(expr(statement.number)) if isinstance(statement, Begin) else statement
