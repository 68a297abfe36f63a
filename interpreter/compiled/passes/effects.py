"""What a piece of a program may write, and which variables surely have a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import (
    Begin,
    Block,
    Break,
    Call,
    Cell,
    Draw,
    Expr,
    Fail,
    If,
    Item,
    Next,
    Program,
    Put,
    Return,
    Stmt,
    Store,
    Switch,
    Trusted,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import blocks, everything, target

_LAST = (Return, Fail, Break, Next)


@dataclass(frozen=True, slots=True)
class Effects:
    """Variables that are set, arrays that are written, and spans of cells that are."""

    names: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()
    cells: frozenset[tuple[int, int]] = frozenset()

    def without(self, name: str) -> Effects:
        """The same but for one variable."""
        return replace(self, names=self.names - {name})

    def may_change(self, expr: Expr) -> bool:
        """Whether an expression may have another value afterwards."""
        if isinstance(expr, Var):
            return expr.name in self.names
        if isinstance(expr, Item) and expr.array in self.arrays:
            return True
        if isinstance(expr, Cell) and any(
            first <= expr.last and expr.first <= last for first, last in self.cells
        ):
            return True
        return any(map(self.may_change, ops.inner(expr)))


def effects(block: Block, program: Program, called: Mapping[str, Effects]) -> Effects:
    """What a block may write; `called` are the functions that stand before."""
    names: set[str] = set()
    arrays: set[str] = set()
    cells: set[tuple[int, int]] = set()
    for each in everything(block):
        var = target(each)
        if var is not None:
            names.add(var.name)
        if isinstance(each, Put):
            arrays.add(each.array)
        elif isinstance(each, Store):
            cells.add((each.first, each.last))
        elif isinstance(each, Draw):
            cells.add((program.chance, program.chance + 1))
        elif isinstance(each, Begin):
            cells.add((0, len(program.cells) - 1))
            arrays.update(array.name for array in program.arrays)
        elif isinstance(each, Call):
            arrays |= called[each.function].arrays
            cells |= called[each.function].cells
    return Effects(frozenset(names), frozenset(arrays), frozenset(cells))


def certain(statement: Stmt, before: frozenset[str]) -> frozenset[str]:
    """The variables that have a value after a statement, on every way through it.

    A loop may have no round, so what it sets does not count.
    """
    if isinstance(statement, If | Switch):
        ways = [_after(block, before) for block in blocks(statement)]
        open = [way for way in ways if way is not None]
        return frozenset.intersection(*open) if open else before
    var = None if blocks(statement) else target(statement)
    return before if var is None else before | {var.name}


def _after(block: Block, before: frozenset[str]) -> frozenset[str] | None:
    """The same after a block; None if nothing comes after it."""
    for each in block:
        before = certain(each, before)
    return None if block and isinstance(block[-1], _LAST) else before


def is_safe(expr: Expr) -> bool:
    """Whether an expression has a value wherever its variables have: its ranges need no reason."""
    return not isinstance(expr, Trusted) and all(map(is_safe, ops.inner(expr)))
