"""Outlining: a large branch within a loop becomes a function of its own.

Compilers share out registers over whole functions, and give loops within loops the first choice.
A long branch that is seldom taken would have the short loop around it run from memory. In loops
within loops branches stay: most of what such loops do is done there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import replace
from operator import is_
from typing import Final

from gemwright.interpreter.compiled.flat.build import leaves
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Call,
    For,
    Function,
    If,
    Loop,
    Program,
    Return,
    Set,
    Stmt,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import (
    all_expressions,
    everything,
    target,
    with_blocks,
)
from gemwright.interpreter.compiled.passes.names import times_set
from gemwright.interpreter.compiled.passes.size import is_larger

LARGE: Final = 200
"""Nodes of a branch that is worth a call."""


def outline(program: Program) -> Program:
    """The program with large branches of loops moved out."""
    functions: list[Function] = []
    for function in program.functions:
        outliner = _Outliner(function)
        changed = outliner.function()
        functions += [*outliner.made, changed]
    return replace(program, functions=tuple(functions))


class _Outliner:
    """Goes through one function; `made` are those that were cut out of it."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._uses = _uses(function.body)
        self.made: list[Function] = []

    def function(self) -> Function:
        """The function with calls in place of what was cut out."""
        body = self._block(self._function.body, 0)
        return self._function if body is self._function.body else replace(self._function, body=body)

    def _block(self, block: Block, loops: int) -> Block:
        found = tuple(self._statement(each, loops) for each in block)
        return block if all(map(is_, found, block)) else found

    def _statement(self, each: Stmt, loops: int) -> Stmt:
        if isinstance(each, If) and loops == 1:
            return with_blocks(each, self._branch)
        inside = loops + isinstance(each, For | Bits | Loop)
        return with_blocks(each, lambda block: self._block(block, inside))

    def _branch(self, block: Block) -> Block:
        """A call of a new function that does what a block does; the block if it is to stay."""
        has_loop = any(isinstance(each, For | Bits | Loop) for each in everything(block))
        if has_loop and is_larger(block, LARGE) and not _may_leave(block):
            set_here = {var.name: var for each in everything(block) if (var := target(each))}
            here = _uses(block)
            outer = [var for name, var in set_here.items() if here[name] < self._uses[name]]
            if len(outer) <= 1:
                return (self._cut(block, set_here.keys(), outer[0] if outer else None),)
        return self._block(block, 1)

    def _cut(self, block: Block, set_here: AbstractSet[str], result: Var | None) -> Call:
        given = {name: var for name, var in _read(block).items() if name not in set_here}
        name = f"{self._function.name}_part{len(self.made) + 1}"
        args = tuple(given.values())
        if result is None:
            self.made.append(Function(name, args, None, block))
            return Call(None, name, args)
        start = Var(result.low, result.high, f"{result.name}_o")
        body = (Set(result, start), *block, Return(result))
        self.made.append(Function(name, (*args, start), (result.low, result.high), body))
        return Call(result, name, (*args, result))


def _may_leave(block: Block) -> bool:
    return leaves(block) or any(isinstance(each, Return) for each in everything(block))


def _uses(block: Block) -> Counter[str]:
    """How often each variable is read or set."""
    found = times_set(block)
    for each in all_expressions(block):
        if isinstance(each, Var):
            found[each.name] += 1
    return found


def _read(block: Block) -> dict[str, Var]:
    """The variables that are read, each with all that it can be."""
    found: dict[str, Var] = {}
    for each in all_expressions(block):
        if isinstance(each, Var):
            known = found.get(each.name, each)
            low, high = min(known.low, each.low), max(known.high, each.high)
            found[each.name] = Var(low, high, each.name)
    return found
