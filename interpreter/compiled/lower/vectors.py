"""Vectors while they are lowered: never laid out, but asked cell by cell.

A vector knows its faces. `at(position)` gives one cell; the position may be known or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower.memory import Memory
from gemwright.interpreter.compiled.lower.zones import Zones


class Vector(Protocol):
    """Counts over some faces, by position."""

    def at(self, position: Expr) -> Expr:
        """One cell."""


class Row:
    """A row of a constant table of vectors, or one constant vector."""

    def __init__(self, memory: Memory, values: tuple[int, ...], width: int, row: Expr) -> None:
        self._memory = memory
        self.values = values
        self._width = width
        self.row = row

    def at(self, position: Expr) -> Expr:
        """See `Vector`."""
        index = ops.add(ops.mul(self.row, ops.const(self._width)), position)
        return self._memory.entry("row", self.values, index)


class Listed:
    """Cells that are expressions."""

    def __init__(self, zones: Zones, cells: tuple[Expr, ...]) -> None:
        self._zones = zones
        self._cells = cells

    def at(self, position: Expr) -> Expr:
        """See `Vector`; for a position that is not known the cells are looked through."""
        number = ops.known(position)
        if number is not None:
            return self._cells[number]
        found: Expr = ops.FALSE
        for at, cell in enumerate(self._cells):
            found = ops.select(ops.equal(position, ops.const(at)), cell, found)
        return self._zones.w.let(found)


class Gathered:
    """Cells in an array that nothing else writes."""

    def __init__(self, memory: Memory, array: str) -> None:
        self._memory = memory
        self._array = array

    def at(self, position: Expr) -> Expr:
        """See `Vector`."""
        return self._memory.reader.item(self._array, position)


class Combined:
    """`+`, `-` or `less` of two vectors."""

    def __init__(self, op: str, left: Vector, right: Vector) -> None:
        self.op = op
        self.left = left
        self.right = right

    def at(self, position: Expr) -> Expr:
        """See `Vector`."""
        left, right = self.left.at(position), self.right.at(position)
        if self.op == "+":
            return ops.add(left, right)
        difference = ops.sub(left, right)
        return difference if self.op == "-" else ops.larger(difference, ops.FALSE)


class Relaid:
    """A vector over other faces; `positions` of the argument, -1 for cells that are 0."""

    def __init__(self, zones: Zones, inner: Vector, positions: tuple[int, ...]) -> None:
        self._zones = zones
        self.inner = inner
        self.positions = positions

    def at(self, position: Expr) -> Expr:
        """See `Vector`."""
        place = self._zones.memory.entry("lay", self.positions, position)
        return self._zones.or_none(place, self.inner.at)


class Chosen:
    """One of two vectors, by a condition that is worked out."""

    def __init__(self, condition: Expr, then: Vector, otherwise: Vector) -> None:
        self._condition = condition
        self._then = then
        self._otherwise = otherwise

    def at(self, position: Expr) -> Expr:
        """See `Vector`."""
        return ops.select(self._condition, self._then.at(position), self._otherwise.at(position))


class Built:
    """A cell is what a body says of a position; the body cannot fail."""

    def __init__(self, body: Callable[[Expr], Expr]) -> None:
        self._body = body

    def at(self, position: Expr) -> Expr:
        """See `Vector`."""
        return self._body(position)
