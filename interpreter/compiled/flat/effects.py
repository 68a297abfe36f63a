"""What memory is read and written: for passes that move or share reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import (
    Begin,
    Block,
    Call,
    Cell,
    Expr,
    Function,
    Item,
    Put,
    Stmt,
    Store,
)
from gemwright.interpreter.compiled.flat.visit import everything, target

Span = tuple[int, int]
"""Cells, the first and the last."""


@dataclass(frozen=True, slots=True)
class Touched:
    """Arrays by name, and spans of cells; `everything` stands for all of both."""

    arrays: frozenset[str] = frozenset()
    cells: frozenset[Span] = frozenset()
    everything: bool = False

    def meets(self, other: Touched) -> bool:
        """Whether both touch some place."""
        if self.everything or other.everything:
            return bool(self) and bool(other)
        if self.arrays & other.arrays:
            return True
        return any(
            first <= end and start <= last
            for first, last in self.cells
            for start, end in other.cells
        )

    def __or__(self, other: Touched) -> Touched:
        return Touched(
            self.arrays | other.arrays,
            self.cells | other.cells,
            self.everything or other.everything,
        )

    def __bool__(self) -> bool:
        return bool(self.arrays or self.cells or self.everything)


NOTHING = Touched()


def read_by(expr: Expr) -> Touched:
    """The memory that an expression reads itself, without its parts. Tables never change."""
    if isinstance(expr, Item):
        return Touched(frozenset((expr.array,)))
    if isinstance(expr, Cell):
        return Touched(frozenset(), frozenset(((expr.first, expr.last),)))
    return NOTHING


@dataclass(slots=True)
class Writes:
    """What statements write: memory, and variables by name."""

    memory: Touched = NOTHING
    variables: set[str] = field(default_factory=set)


class Effects:
    """Knows what the functions of a program write, in the order of their calls."""

    def __init__(self) -> None:
        self._functions: dict[str, Touched] = {}

    def add(self, function: Function) -> None:
        """Learn what a function writes."""
        self._functions[function.name] = self.of(function.body).memory

    @property
    def functions(self) -> Mapping[str, Touched]:
        """What each function writes."""
        return self._functions

    def of(self, block: Block) -> Writes:
        """What a block writes, however deep."""
        found = Writes()
        arrays: set[str] = set()
        cells: set[Span] = set()
        whole = NOTHING
        for each in everything(block):
            var = target(each)
            if var is not None:
                found.variables.add(var.name)
            if isinstance(each, Put):
                arrays.add(each.array)
            elif isinstance(each, Store):
                cells.add((each.first, each.last))
            elif isinstance(each, Call | Begin):
                whole |= self.by(each)
        found.memory = whole | Touched(frozenset(arrays), frozenset(cells))
        return found

    def by(self, each: Stmt) -> Touched:
        """The memory that one statement writes, without its blocks."""
        if isinstance(each, Put):
            return Touched(frozenset((each.array,)))
        if isinstance(each, Store):
            return Touched(frozenset(), frozenset(((each.first, each.last),)))
        if isinstance(each, Call):
            return self._functions[each.function]
        return Touched(everything=True) if isinstance(each, Begin) else NOTHING


def variables(exprs: Iterable[Expr]) -> set[str]:
    """The variables that expressions read."""
    found: set[str] = set()
    for each in exprs:
        found |= ops.reads(each)
    return found
