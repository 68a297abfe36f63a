"""Hoisting: what is the same in every round of a loop is worked out once, before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import is_
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Const,
    Expr,
    For,
    Function,
    Loop,
    Program,
    Set,
    Stmt,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import (
    changed,
    expressions,
    same_var,
    target,
    with_blocks,
)
from gemwright.interpreter.compiled.passes.effects import Effects, certain, effects, is_safe
from gemwright.interpreter.compiled.passes.names import times_set
from gemwright.interpreter.compiled.passes.size import expression_size

WORTH: Final = 12
"""Nodes of an expression that is worth a variable."""


def hoist(program: Program) -> Program:
    """The program with what loops repeat in front of them, outer loops first."""
    known: dict[str, Effects] = {}
    functions: list[Function] = []
    for function in program.functions:
        functions.append(_Hoister(program, function, known).function())
        known[function.name] = effects(function.body, program, known)
    return replace(program, functions=tuple(functions))


class _Hoister:
    """Goes through one function."""

    def __init__(self, program: Program, function: Function, called: dict[str, Effects]) -> None:
        self.program = program
        self.called = called
        self.reader = Reader(program)
        self.once = {name for name, n in times_set(function.body).items() if n == 1}
        self._function = function
        self._made = 0

    def fresh(self, value: Expr) -> Var:
        """A new variable for a value."""
        self._made += 1
        return Var(value.low, value.high, f"kept_h{self._made}")

    def function(self) -> Function:
        given = frozenset(var.name for var in self._function.params)
        body = self._block(self._function.body, given)
        return self._function if body is self._function.body else replace(self._function, body=body)

    def _block(self, block: Block, known: frozenset[str]) -> Block:
        """A block; `known` are the variables that surely have a value before it."""
        found: list[Stmt] = []
        for each in block:
            if isinstance(each, For | Bits | Loop):
                loop = _LoopHoister(self, each, known)
                found += loop.before
                known, each = loop.known, loop.rest()
            inside = self._inside(each, known)
            found.append(with_blocks(each, inside))
            known = certain(each, known)
        same = len(found) == len(block) and all(map(is_, found, block))
        return block if same else tuple(found)

    def _inside(self, each: Stmt, known: frozenset[str]) -> Callable[[Block], Block]:
        """Goes through the blocks of a statement."""
        var = target(each) if isinstance(each, For | Bits) else None
        within = known if var is None else known | {var.name}
        return lambda block: self._block(block, within)


class _LoopHoister:
    """Finds what can go before one loop.

    Attributes:
        before: what goes before it.
        known: the variables that then surely have a value.
    """

    def __init__(self, owner: _Hoister, loop: For | Bits | Loop, known: frozenset[str]) -> None:
        self._owner = owner
        self._loop = loop
        self.known = known
        self.before: list[Stmt] = []
        self._writes = effects((loop,), owner.program, owner.called)
        self._values: dict[Expr, Var] = {}
        self._moved: set[Stmt] = set()
        for each in _certain_to_run(loop.body):
            self._statement(each)

    def _statement(self, each: Stmt) -> None:
        if isinstance(each, Set) and each.var.name in self._owner.once and self._stays(each.value):
            self._moved.add(each)
            if expression_size(each.value) >= WORTH:
                self._values.setdefault(each.value, each.var)
            self._writes = self._writes.without(each.var.name)
            self._put(each)
            return
        for expr in expressions(each):
            self._gather(expr)

    def _put(self, statement: Set) -> None:
        self.before.append(statement)
        self.known |= {statement.var.name}

    def _stays(self, expr: Expr) -> bool:
        """Whether an expression has a value before the loop, and the same one in all rounds."""
        read = ops.reads(expr)
        return read <= self.known and not self._writes.may_change(expr) and is_safe(expr)

    def _gather(self, expr: Expr) -> None:
        if isinstance(expr, Const | Var) or expr in self._values:
            return
        if expression_size(expr) >= WORTH and self._stays(expr):
            var = self._values[expr] = self._owner.fresh(expr)
            self._put(Set(var, expr))
            return
        for each in ops.inner(expr):
            self._gather(each)

    def rest(self) -> Stmt:
        """What is left of the loop."""
        if not self._values and not self._moved:
            return self._loop
        return replace(self._loop, body=self._left(self._loop.body))

    def _left(self, block: Block) -> Block:
        return tuple(
            changed(each, self._read, self._left, same_var)
            for each in block
            if each not in self._moved
        )

    def _read(self, each: Expr) -> Expr:
        if isinstance(each, Const | Var):
            return each
        return self._values.get(each) or ops.rebuilt(each, self._read, self._owner.reader)


def _certain_to_run(block: Block) -> list[Stmt]:
    """The statements of a loop that run in its rounds, or in those of loops within."""
    found: list[Stmt] = []
    for each in block:
        found.append(each)
        if isinstance(each, For | Bits | Loop):
            found += _certain_to_run(each.body)
    return found
