"""Going through statements: their blocks, their expressions, the names in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

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
    todo = list(reversed(block))
    while todo:
        each = todo.pop()
        yield each
        for inner in reversed(blocks(each)):
            todo.extend(reversed(inner))


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
    return _CHANGES.get(type(statement), _unchanged)(statement, expr, block, var)


def same(expr: Expr) -> Expr:
    """The expression as it is."""
    return expr


def same_var(var: Var) -> Var:
    """The variable as it is."""
    return var


def with_blocks(statement: Stmt, block: Callable[[Block], Block]) -> Stmt:
    """A statement with its blocks changed; itself if that changes nothing."""
    old = blocks(statement)
    if not old:
        return statement
    new = tuple(block(each) for each in old)
    if all(one is other for one, other in zip(new, old, strict=True)):
        return statement
    made = iter(new)
    return changed(statement, same, lambda _: next(made), same_var)


_Change = Callable[
    [Any, Callable[[Expr], Expr], Callable[[Block], Block], Callable[[Var], Var]], Stmt
]


def _unchanged(s: Stmt, expr: object, block: object, var: object) -> Stmt:
    return s


_CHANGES: Final[Mapping[type, _Change]] = {
    Set: lambda s, expr, block, var: Set(var(s.var), expr(s.value)),
    Gain: lambda s, expr, block, var: Gain(var(s.var), expr(s.value)),
    Store: lambda s, expr, block, var: Store(s.first, s.last, expr(s.index), expr(s.value)),
    Put: lambda s, expr, block, var: Put(s.array, expr(s.index), expr(s.value)),
    If: lambda s, expr, block, var: If(expr(s.condition), block(s.then), block(s.otherwise)),
    For: lambda s, expr, block, var: For(var(s.var), expr(s.low), expr(s.high), block(s.body)),
    Bits: lambda s, expr, block, var: Bits(var(s.var), expr(s.mask), block(s.body)),
    Loop: lambda s, expr, block, var: Loop(s.cap, block(s.body)),
    Switch: lambda s, expr, block, var: Switch(expr(s.value), tuple(map(block, s.blocks))),
    Return: lambda s, expr, block, var: Return(None if s.value is None else expr(s.value)),
    Call: lambda s, expr, block, var: Call(
        None if s.var is None else var(s.var), s.function, tuple(map(expr, s.args))
    ),
    Draw: lambda s, expr, block, var: Draw(var(s.var), expr(s.stream), expr(s.n)),
    Begin: lambda s, expr, block, var: Begin(expr(s.number)),
}
