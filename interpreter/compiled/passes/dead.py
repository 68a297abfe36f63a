"""Dead code: values that nobody reads, functions that nobody calls, tables and arrays unused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
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
from gemwright.interpreter.compiled.flat.visit import everything, expressions, with_blocks


def remove_dead(program: Program, roots: frozenset[str], read: frozenset[str]) -> Program:
    """The program without what has no effect.

    Args:
        roots: the functions that are called from outside.
        read: the arrays that are read from outside.
    """
    living = [_Living(each) for each in _called(program, roots)]
    while True:
        items = read.union(*(each.uses.items() for each in living))
        # A list, for all of them have to be asked.
        if not any([each.drop_puts(items) for each in living]):
            return _trimmed(program, living, items)


def _called(program: Program, roots: frozenset[str]) -> tuple[Function, ...]:
    wanted = set(roots)
    for function in reversed(program.functions):
        if function.name in wanted:
            wanted |= set(calls(function))
    return tuple(each for each in program.functions if each.name in wanted)


class _Uses:
    """How often the variables, arrays and tables of a function are read."""

    def __init__(self, body: Block) -> None:
        self.variables: Counter[str] = Counter()
        self._items: Counter[str] = Counter()
        self._tables: Counter[str] = Counter()
        for statement in everything(body):
            for expr in expressions(statement):
                self._count(expr, 1)

    def _count(self, expr: Expr, by: int) -> None:
        if isinstance(expr, Var):
            self.variables[expr.name] += by
            return
        if isinstance(expr, Item):
            self._items[expr.array] += by
        elif isinstance(expr, Entry):
            self._tables[expr.table] += by
        for each in ops.inner(expr):
            self._count(each, by)

    def items(self) -> set[str]:
        """The arrays that are read."""
        return {name for name, times in self._items.items() if times}

    def tables(self) -> set[str]:
        """The tables that are read."""
        return {name for name, times in self._tables.items() if times}

    def drop(self, statement: Stmt) -> None:
        """Say that a statement and all inside it is gone."""
        for each in everything((statement,)):
            for expr in expressions(each):
                self._count(expr, -1)


class _Living:
    """A function without variables that nobody reads; writes to arrays go when asked."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._body = function.body
        self.uses = _Uses(function.body)
        self._shorten()

    def function(self) -> Function:
        """What is left of the function; itself if that is all."""
        before = self._function
        return before if self._body is before.body else replace(before, body=self._body)

    def _shorten(self) -> None:
        while True:
            shorter = _without(self._body, self.uses)
            if shorter is self._body:
                return
            self._body = shorter

    def drop_puts(self, items: AbstractSet[str]) -> bool:
        """Drop writes to arrays that are none of `items`; whether there was any."""

        def block(body: Block) -> Block:
            kept: list[Stmt] = []
            for each in body:
                if isinstance(each, Put) and each.array not in items:
                    self.uses.drop(each)
                else:
                    kept.append(with_blocks(each, block))
            return _as_before(body, kept)

        body = block(self._body)
        if body is self._body:
            return False
        self._body = body
        self._shorten()
        return True


def _without(block: Block, uses: _Uses) -> Block:
    """A block without dead statements, from the back: what a dead one reads may be dead too."""
    found: list[Stmt] = []
    for each in reversed(block):
        if isinstance(each, Set | Gain) and not uses.variables[each.var.name]:
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


def _trimmed(program: Program, living: list[_Living], items: AbstractSet[str]) -> Program:
    """The program of what lives. All arrays that are still written are read, too."""
    tables = set[str]().union(*(each.uses.tables() for each in living))
    return replace(
        program,
        functions=tuple(each.function() for each in living),
        tables=tuple(each for each in program.tables if each.name in tables),
        arrays=tuple(each for each in program.arrays if each.name in items),
    )
