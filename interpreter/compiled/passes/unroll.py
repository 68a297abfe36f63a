"""Unrolling: short loops with known bounds are written out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import leaves
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import Block, Const, For, Function, Program, Stmt
from gemwright.interpreter.compiled.flat.visit import with_blocks
from gemwright.interpreter.compiled.passes.names import Renamer, times_set
from gemwright.interpreter.compiled.passes.size import is_larger

ROUNDS: Final = 10
"""Loops with more rounds stay."""

GROWTH: Final = 400
"""Nodes that a loop may become."""


def unroll(program: Program) -> Program:
    """The program with short loops written out, inner ones first."""
    renamer = Renamer(Reader(program))

    return replace(program, functions=tuple(_unrolled(each, renamer) for each in program.functions))


def _unrolled(function: Function, renamer: Renamer) -> Function:
    total: Counter[str] = times_set(function.body)
    changed = False

    def block(body: Block) -> Block:
        nonlocal changed
        found: list[Stmt] = []
        for each in body:
            after = with_blocks(each, block)
            if isinstance(each, For) and isinstance(after, For) and _is_short(after):
                # What is set outside as well keeps its name: it outlives the rounds.
                inside = times_set(each.body)
                outer = {name for name, n in inside.items() if total[name] > n}
                found.extend(_written_out(after, renamer, outer))
                changed = True
            else:
                found.append(after)
        return tuple(found)

    body = block(function.body)
    return replace(function, body=body) if changed else function


def _is_short(loop: For) -> bool:
    if not isinstance(loop.low, Const) or not isinstance(loop.high, Const):
        return False
    rounds = loop.high.low - loop.low.low + 1
    if not 0 < rounds <= ROUNDS or leaves(loop.body):
        return False
    return not is_larger(loop.body, GROWTH // rounds)


def _written_out(loop: For, renamer: Renamer, outer: set[str]) -> Block:
    found: list[Stmt] = []
    for value in range(loop.low.low, loop.high.low + 1):
        found.extend(renamer.copy(loop.body, {loop.var.name: ops.const(value)}, "r", outer))
    return tuple(found)
