"""Ways through an abstract system as one question each: from these cells to those?

A passage is a sequence of edges. What it allows between the cells before it and the cells after it
is worked out once, without parameters as far as they can be taken out; what is left are rows over
cells, and seldom some with parameters in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import (
    Affine,
    Constraint,
    at_least,
    at_most,
    equal,
    number,
    parameter,
    unknown,
)
from gemwright.validator.linear.budget import Budget
from gemwright.validator.linear.feasible import possible
from gemwright.validator.linear.projecting import project
from gemwright.validator.linear.simplex import Simplex

_WORK: Final = 10_000_000

Row = tuple[tuple[tuple[int, int], ...], int, bool]
"""Terms, a constant, and whether the sum is 0 rather than at least 0."""
Ends = tuple[int | None, int | None]


class Passage:
    """The edges at the positions in `path`, taken one after another.

    Cells before it are the unknowns 0, 1, .., cells after it follow on these.
    """

    __slots__ = ("_open", "_ranges", "_rows", "_same", "path")

    def __init__(self, system: TransitionSystem, path: Sequence[int]) -> None:
        self.path = tuple(path)
        guard, cells, self._ranges = _composed(system, path)
        self._same = [cell for cell, value in enumerate(cells) if value == unknown(cell)]
        changed = [cell for cell in range(len(cells)) if cell not in self._same]
        guard += [equal(unknown(len(cells) + cell), cells[cell]) for cell in changed]
        limits = [(cell.low, cell.high) for cell in system.cells] * 2
        left = [row for row in project(_limited(guard, self._ranges)) if not _is_sure(row, limits)]
        self._rows = [_plain(row) for row in left if not _parameters(row)]
        self._open = [row for row in left if _parameters(row)]

    def allows(self, before: Sequence[int], after: Sequence[int]) -> bool:
        """Whether it leads from some cells to others; their ranges are taken for granted."""
        for cell in self._same:
            if before[cell] != after[cell]:
                return False
        cells = (*before, *after)
        for terms, total, is_equal in self._rows:
            for cell, factor in terms:
                total += factor * cells[cell]
            if total < 0 or (is_equal and total):
                return False
        return not self._open or self._has_parameters(cells)

    def _has_parameters(self, cells: Sequence[int]) -> bool:
        """Whether parameters exist that fit the rows that were left with some."""
        values = {cell: number(value) for cell, value in enumerate(cells)}
        rows = [row.substitute(values) for row in self._open]
        if not possible(rows, self._range):
            return False
        problem = Simplex(Budget(_WORK))
        for name in sorted({name for row in rows for name in _parameters(row)}):
            low, high = self._range(name)
            problem.bound(name, low, high, (f"low{name}", f"high{name}"))
        for position, row in enumerate(rows):
            problem.add(f"row{position}", row)
        return problem.feasible

    def _range(self, name: int) -> Ends:
        return self._ranges[-1 - name]


def _composed(
    system: TransitionSystem, path: Iterable[int]
) -> tuple[list[Constraint], list[Affine], list[Ends]]:
    """All that the edges ask, what the cells then hold, and the ranges of the parameters, which are
    numbered through."""
    cells = [unknown(cell) for cell in range(len(system.cells))]
    guard: list[Constraint] = []
    ranges: list[Ends] = []
    for edge in (system.edges[position] for position in path):
        values: dict[int, Affine] = dict(enumerate(cells))
        for own in range(len(edge.parameters)):
            values[parameter(own)] = unknown(parameter(own + len(ranges)))
        ranges += [(each.low, each.high) for each in edge.parameters]
        guard += [each.substitute(values) for each in edge.guard]
        for cell, change in edge.changes().items():
            cells[cell] = cells[cell] + change.substitute(values)
    return guard, cells, ranges


def _limited(guard: Iterable[Constraint], ranges: Sequence[Ends]) -> list[Constraint]:
    """With the ranges of parameters as rows."""
    rows = list(guard)
    for position, (low, high) in enumerate(ranges):
        own = unknown(parameter(position))
        rows += [] if low is None else [at_least(own, number(low))]
        rows += [] if high is None else [at_most(own, number(high))]
    return rows


def _parameters(row: Constraint) -> list[int]:
    return [name for name, _ in row.expression.terms if name < 0]


def _is_sure(row: Constraint, limits: Sequence[Ends]) -> bool:
    """Whether a row follows from the ranges of cells."""
    least = row.expression.constant
    for name, factor in row.expression.terms:
        end = None if name < 0 else limits[name][0 if factor > 0 else 1]
        if end is None:
            return False
        least += factor * end
    return least >= 0 and not row.equality


def _plain(row: Constraint) -> Row:
    return row.expression.terms, row.expression.constant, row.equality
