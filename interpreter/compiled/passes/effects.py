"""What a piece of a program may write beside its variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemwright.interpreter.compiled.flat.program import (
    Begin,
    Block,
    Call,
    Cell,
    Draw,
    Item,
    Program,
    Put,
    Store,
)
from gemwright.interpreter.compiled.flat.visit import everything


@dataclass(frozen=True, slots=True)
class Effects:
    """Arrays that are written, and spans of cells that are."""

    arrays: frozenset[str] = frozenset()
    cells: frozenset[tuple[int, int]] = frozenset()

    def may_change(self, read: Cell | Item) -> bool:
        """Whether a read may have another value afterwards, at the same index."""
        if isinstance(read, Item):
            return read.array in self.arrays
        return any(first <= read.last and read.first <= last for first, last in self.cells)


def effects(block: Block, program: Program, called: Mapping[str, Effects]) -> Effects:
    """What a block may write; `called` are the functions that stand before."""
    arrays: set[str] = set()
    cells: set[tuple[int, int]] = set()
    for each in everything(block):
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
    return Effects(frozenset(arrays), frozenset(cells))
