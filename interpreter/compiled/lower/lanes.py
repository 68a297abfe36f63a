"""Vectors of few small numbers as one number: a byte per cell, all cells reckoned with at once.

The highest bit of each byte stays free, so a borrow shows there and goes no further (see Warren,
"Hacker's Delight", section 2-18). That pays where one side is a row of a constant table, which is
packed at load time, and the other does not change from row to row: the loop over rows then has a
handful of operations instead of some for each cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import LOW_BITS, Expr
from gemwright.interpreter.compiled.lower.vectors import Combined, Relaid, Row, Vector

if TYPE_CHECKING:
    from gemwright.interpreter.compiled.lower.terms import Terms

BYTE: Final = 8
CELLS: Final = LOW_BITS // BYTE
"""Cells that one number holds."""

HIGHEST: Final = (1 << BYTE - 1) - 1
"""The greatest number in a cell."""

_BORROWS: Final = "a bit of each byte, less the lower bits of it"
_CELL: Final = "the greatest number in this cell"
_ADDED: Final = "the sum of the greatest numbers"


@dataclass(frozen=True, slots=True)
class Lanes:
    """Cells in one number, the first one lowest; `most` are the greatest values of each."""

    packed: Expr
    most: tuple[int, ...]


def size(terms: Terms, vector: Vector, cells: int) -> Expr | None:
    """The sum of the cells; None if it is better reckoned cell by cell."""
    if not (isinstance(vector, Combined) and vector.op == "less" and _has_row(vector)):
        return None
    lanes = _lanes(terms, vector, cells)
    if lanes is None or sum(lanes.most) >= 1 << BYTE:
        return None
    total = ops.mul_low(lanes.packed, ops.const(_every(cells, 1)))
    top = ops.shift_right(total, ops.const(BYTE * (cells - 1)))
    low = ops.bit_and(top, ops.const((1 << BYTE) - 1))
    return ops.trusted(low, 0, sum(lanes.most), _ADDED)


def cell(terms: Terms, vector: Vector, cells: int, position: int) -> Expr | None:
    """One cell; None if it is better reckoned by itself."""
    if not (isinstance(vector, Combined) and vector.op == "less" and _has_row(vector)):
        return None
    lanes = _lanes(terms, vector, cells)
    if lanes is None:
        return None
    lane = ops.shift_right(lanes.packed, ops.const(BYTE * position))
    return ops.trusted(ops.bit_and(lane, ops.const(HIGHEST)), 0, lanes.most[position], _CELL)


def within(terms: Terms, left: Vector, right: Vector, cells: int) -> Expr | None:
    """Whether left <= right in every cell; None if it is better asked cell by cell."""
    if not (_has_row(left) or _has_row(right)):
        return None
    one, other = _lanes(terms, left, cells), _lanes(terms, right, cells)
    if one is None or other is None:
        return None
    free = ops.const(_every(cells, HIGHEST + 1))
    return ops.equal(ops.bit_and(ops.sub(ops.bit_or(other.packed, free), one.packed), free), free)


def _has_row(vector: Vector) -> bool:
    """Whether a part of a vector is a row of a table, known only at run time."""
    if isinstance(vector, Combined):
        return _has_row(vector.left) or _has_row(vector.right)
    if isinstance(vector, Relaid):
        return _has_row(vector.inner)
    return isinstance(vector, Row) and ops.known(vector.row) is None


def _lanes(terms: Terms, vector: Vector, cells: int) -> Lanes | None:
    """A vector packed; None if it does not fit."""
    if not 1 < cells <= CELLS:
        return None
    if isinstance(vector, Combined) and vector.op == "less":
        return _less(terms, vector, cells)
    if isinstance(vector, Row):
        return _row(terms, vector, cells)
    if isinstance(vector, Relaid) and _is_start(vector.positions):
        return _start(terms, vector)
    values = [vector.at(ops.const(at)) for at in range(cells)]
    if any(each.low < 0 or each.high > HIGHEST for each in values):
        return None
    shifted = [ops.shift_left(each, ops.const(BYTE * at)) for at, each in enumerate(values)]
    return Lanes(terms.w.shared(ops.total(shifted)), tuple(each.high for each in values))


def _row(terms: Terms, row: Row, cells: int) -> Lanes | None:
    rows = [row.values[at : at + cells] for at in range(0, len(row.values), cells)]
    if any(not 0 <= each <= HIGHEST for each in row.values):
        return None
    most = tuple(max(column) for column in zip(*rows, strict=True))
    return Lanes(
        terms.w.shared(terms.memory.entry("bytes", [_pack(each) for each in rows], row.row)), most
    )


def _is_start(positions: tuple[int, ...]) -> bool:
    """Whether cells stay where they are, with zeros after them."""
    cells = sum(at >= 0 for at in positions)
    return positions == (*range(cells), *(-1,) * (len(positions) - cells))


def _start(terms: Terms, vector: Relaid) -> Lanes | None:
    zeros = vector.positions.count(-1)
    lanes = _lanes(terms, vector.inner, len(vector.positions) - zeros)
    return None if lanes is None else _longer(lanes, zeros)


def _less(terms: Terms, vector: Combined, cells: int) -> Lanes | None:
    """Subtraction that stops at 0: a byte whose free bit is borrowed from becomes 0."""
    left, right = _taken_at_once(terms, vector, cells)
    if left is None or right is None:
        return None
    free = ops.const(_every(cells, HIGHEST + 1))
    difference = terms.w.shared(ops.sub(ops.bit_or(left.packed, free), right.packed))
    kept = terms.w.shared(ops.bit_and(difference, free))
    mask = ops.sub(kept, ops.shift_right(kept, ops.const(BYTE - 1)))
    mask = ops.trusted(mask, 0, _every(cells, HIGHEST), _BORROWS)
    found = ops.trusted(ops.bit_and(difference, mask), 0, _pack(left.most), "no more than before")
    return Lanes(terms.w.shared(found), left.most)


def _taken_at_once(terms: Terms, vector: Combined, cells: int) -> tuple[Lanes | None, Lanes | None]:
    """Both sides of a subtraction that stops at 0; (a less b) less c is a less (b + c)."""
    right = _lanes(terms, vector.right, cells)
    inner = vector.left
    zeros = 0
    if isinstance(inner, Relaid) and _is_start(inner.positions):
        zeros = inner.positions.count(-1)
        inner = inner.inner
    if isinstance(inner, Combined) and inner.op == "less" and right is not None:
        left, more = _taken_at_once(terms, inner, cells - zeros)
        both = None if more is None else _sum(terms, _longer(more, zeros), right)
        if left is not None and both is not None:
            return _longer(left, zeros), both
    return _lanes(terms, vector.left, cells), right


def _longer(lanes: Lanes, zeros: int) -> Lanes:
    """The same with zeros after it."""
    return Lanes(lanes.packed, (*lanes.most, *(0,) * zeros))


def _sum(terms: Terms, one: Lanes, other: Lanes) -> Lanes | None:
    """The sum of two vectors; None if a byte is too small for it."""
    most = tuple(a + b for a, b in zip(one.most, other.most, strict=True))
    if max(most) > HIGHEST:
        return None
    return Lanes(terms.w.shared(ops.add(one.packed, other.packed)), most)


def _pack(cells: Sequence[int]) -> int:
    return sum(cell << BYTE * at for at, cell in enumerate(cells))


def _every(cells: int, value: int) -> int:
    return _pack([value] * cells)
