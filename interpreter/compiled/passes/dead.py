"""Dead code: values that nobody reads, functions that nobody calls, tables and arrays unused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.order import calls
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Entry,
    Expr,
    For,
    Function,
    Gain,
    If,
    Item,
    Program,
    Put,
    Set,
    Stmt,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import (
    all_expressions,
    everything,
    expressions,
    with_blocks,
)


def remove_dead(program: Program, roots: frozenset[str], read: frozenset[str]) -> Program:
    """The program without what has no effect.

    Args:
        roots: the functions that are called from outside.
        read: the arrays that are read from outside.
    """
    functions = _called(program, roots)
    while True:
        functions = tuple(_live(each) for each in functions)
        items = read | {
            expr.array
            for function in functions
            for expr in all_expressions(function.body)
            if isinstance(expr, Item)
        }
        after = tuple(_without_puts(each, items) for each in functions)
        if all(new is old for new, old in zip(after, functions, strict=True)):
            return _trimmed(replace(program, functions=functions), read)
        functions = after


def _called(program: Program, roots: frozenset[str]) -> tuple[Function, ...]:
    wanted = set(roots)
    for function in reversed(program.functions):
        if function.name in wanted:
            wanted |= set(calls(function))
    return tuple(each for each in program.functions if each.name in wanted)


class _Uses:
    """How often the variables of a function are read."""

    def __init__(self, body: Block) -> None:
        self.reads: Counter[str] = Counter()
        for statement in everything(body):
            for expr in expressions(statement):
                self._count(expr, 1)

    def _count(self, expr: Expr, by: int) -> None:
        if isinstance(expr, Var):
            self.reads[expr.name] += by
        for each in ops.inner(expr):
            self._count(each, by)

    def drop(self, statement: Stmt) -> None:
        """Say that a statement and all inside it is gone."""
        for each in everything((statement,)):
            for expr in expressions(each):
                self._count(expr, -1)


def _live(function: Function) -> Function:
    """The function without variables that nobody reads."""
    uses, body = _Uses(function.body), function.body
    while True:
        shorter = _without(body, uses)
        if shorter is body:
            return function if body is function.body else replace(function, body=body)
        body = shorter


def _without(block: Block, uses: _Uses) -> Block:
    """A block without dead statements, from the back: what a dead one reads may be dead too."""
    found: list[Stmt] = []
    for each in reversed(block):
        if isinstance(each, Set | Gain) and not uses.reads[each.var.name]:
            uses.drop(each)
            continue
        after = with_blocks(each, lambda inner: _without(inner, uses))
        if isinstance(after, For | Bits) and not after.body:
            uses.drop(after)
            continue
        if isinstance(after, If) and not after.then:
            if not after.otherwise:
                uses.drop(after)
                continue
            after = If(ops.negate(after.condition), after.otherwise)
        found.append(after)
    return _as_before(block, found[::-1])


def _as_before(block: Block, found: list[Stmt]) -> Block:
    """The statements as a block; the same block if they are its own."""
    same = len(found) == len(block) and all(a is b for a, b in zip(found, block, strict=True))
    return block if same else tuple(found)


def _without_puts(function: Function, items: frozenset[str]) -> Function:
    """The function without writes to arrays that nobody reads."""

    def block(body: Block) -> Block:
        kept = [each for each in body if not (isinstance(each, Put) and each.array not in items)]
        return _as_before(body, [with_blocks(each, block) for each in kept])

    body = block(function.body)
    return function if body is function.body else replace(function, body=body)


def _trimmed(program: Program, read: frozenset[str]) -> Program:
    tables: set[str] = set()
    arrays = set(read)
    for function in program.functions:
        for expr in all_expressions(function.body):
            if isinstance(expr, Entry):
                tables.add(expr.table)
            elif isinstance(expr, Item):
                arrays.add(expr.array)
        arrays |= {each.array for each in everything(function.body) if isinstance(each, Put)}
    return replace(
        program,
        tables=tuple(each for each in program.tables if each.name in tables),
        arrays=tuple(each for each in program.arrays if each.name in arrays),
    )
