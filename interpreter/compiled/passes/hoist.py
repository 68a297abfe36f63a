"""Hoisting: what is the same in every round of a loop is worked out once, before it.

A variable that is set in one place only, in a block around, has its value for sure and keeps it.
What is worked out before a loop that has no round does no harm: an expression whose ranges need no
reason reads nothing outside of memory.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from operator import is_
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Cell,
    Const,
    Expr,
    For,
    Function,
    Item,
    Loop,
    Program,
    Set,
    Stmt,
    Trusted,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import (
    blocks,
    changed,
    expressions,
    same_var,
    target,
    with_blocks,
)
from gemwright.interpreter.compiled.passes.effects import Effects, effects
from gemwright.interpreter.compiled.passes.names import times_set
from gemwright.interpreter.compiled.passes.size import is_small

WORTH: Final = 12
"""Nodes of an expression that is worth a variable."""


def hoist(program: Program) -> Program:
    """The program with what loops repeat in front of them, outer loops first."""
    called: dict[str, Effects] = {}
    functions: list[Function] = []
    for function in program.functions:
        functions.append(_Hoister(program, function, called).function())
        called[function.name] = effects(function.body, program, called)
    return replace(program, functions=tuple(functions))


class _Hoister:
    """Goes through one function.

    Attributes:
        once: the variables that are set in one place.
        known: those of them that have their value where the hoister stands.
    """

    def __init__(self, program: Program, function: Function, called: dict[str, Effects]) -> None:
        self.program = program
        self.called = called
        self.reader = Reader(program)
        self.once = {name for name, n in times_set(function.body).items() if n == 1}
        self.known = {var.name for var in function.params}
        self._function = function
        self._made = 0

    def fresh(self, value: Expr) -> Var:
        """A new variable for a value."""
        self._made += 1
        return Var(value.low, value.high, f"kept_h{self._made}")

    def function(self) -> Function:
        """The function with everything in its place."""
        body = self._block(self._function.body)
        return self._function if body is self._function.body else replace(self._function, body=body)

    def _block(self, block: Block) -> Block:
        found: list[Stmt] = []
        before = set(self.known)
        for each in block:
            if isinstance(each, For | Bits | Loop):
                loop = _Round(self, each)
                found += loop.before
                each = loop.rest()
            if blocks(each):
                each = self._inside(each)
            else:
                self.learn(each)
            found.append(each)
        self.known = before
        same = len(found) == len(block) and all(map(is_, found, block))
        return block if same else tuple(found)

    def _inside(self, each: Stmt) -> Stmt:
        outside = set(self.known)
        self.learn(each)
        found = with_blocks(each, self._block)
        self.known = outside
        return found

    def learn(self, each: Stmt) -> None:
        """Note that a statement was run."""
        var = target(each)
        if var is not None and var.name in self.once:
            self.known.add(var.name)


class _Round:
    """Finds what can go before one loop.

    Attributes:
        before: what goes before it.
    """

    def __init__(self, owner: _Hoister, loop: For | Bits | Loop) -> None:
        self._owner = owner
        self._loop = loop
        self.before: list[Stmt] = []
        self._values: dict[Expr, Var] = {}
        self._moved: set[str] = set()
        self._look(loop.body)

    @cached_property
    def _writes(self) -> Effects:
        return effects(self._loop.body, self._owner.program, self._owner.called)

    def _look(self, block: Block) -> None:
        """Look at what runs in each round, or in those of loops within."""
        for each in block:
            if self._can_move(each):
                continue
            for expr in expressions(each):
                self._gather(expr)
            if isinstance(each, For | Bits | Loop):
                self._look(each.body)

    def _can_move(self, each: Stmt) -> bool:
        """Move a statement before the loop, if it gives a variable the same value in all rounds."""
        if not (isinstance(each, Set) and each.var.name in self._owner.once):
            return False
        if not self._stays(each.value):
            return False
        self._moved.add(each.var.name)
        self._put(each)
        if not is_small(each.value, WORTH):
            self._values.setdefault(each.value, each.var)
        return True

    def _put(self, statement: Set) -> None:
        self.before.append(statement)
        self._owner.known.add(statement.var.name)

    def _stays(self, expr: Expr) -> bool:
        """Whether an expression has a value before the loop, and the same one in all rounds."""
        if isinstance(expr, Var):
            return expr.name in self._owner.known
        if isinstance(expr, Trusted):
            return False
        if not all(map(self._stays, ops.inner(expr))):
            return False
        return not (isinstance(expr, Cell | Item) and self._writes.may_change(expr))

    def _gather(self, expr: Expr) -> None:
        if isinstance(expr, Const | Var) or is_small(expr, WORTH) or expr in self._values:
            return
        if self._stays(expr):
            var = self._values[expr] = self._owner.fresh(expr)
            self._put(Set(var, expr))
            return
        for each in ops.inner(expr):
            self._gather(each)

    def rest(self) -> Stmt:
        """What is left of the loop."""
        if not self.before:
            return self._loop
        return replace(self._loop, body=self._left(self._loop.body))

    def _left(self, block: Block) -> Block:
        return tuple(
            changed(each, self._read, self._left, same_var)
            for each in block
            if not (isinstance(each, Set) and each.var.name in self._moved)
        )

    def _read(self, each: Expr) -> Expr:
        if isinstance(each, Const | Var):
            return each
        return self._values.get(each) or ops.rebuilt(each, self._read, self._owner.reader)
