"""Budgets count work as it is: large tables and large numbers cost more than small ones."""

from __future__ import annotations

import pytest

from gemwright.validator.linear.affine import Constraint, affine
from gemwright.validator.linear.budget import CELLS, Budget, BudgetSpent
from gemwright.validator.linear.simplex import Simplex


def test_numbers_that_are_touched_make_steps() -> None:
    budget = Budget(10)
    for _ in range(CELLS):
        budget.touch(2)
    assert budget.spent == 2
    budget.touch(CELLS, 1 << 63)
    assert budget.spent == 3 + 1  # a number of 64 bits counts twice
    with pytest.raises(BudgetSpent):
        budget.touch(7 * CELLS)


class _Counted(Budget):
    """A budget that knows how many numbers were told to it."""

    cells = 0

    def touch(self, cells: int, largest: int = 0) -> None:
        self.cells += cells
        super().touch(cells, largest)


def test_a_share_counts_for_the_whole_as_well() -> None:
    whole = Budget(10)
    share = whole.share(4)
    share.spend(3)
    assert (share.spent, whole.spent) == (3, 3)
    with pytest.raises(BudgetSpent):
        share.touch(2 * CELLS)
    assert whole.spent == 5
    with pytest.raises(BudgetSpent):
        whole.share(100).spend(6)


def _spent(size: int, width: int, factor: int) -> _Counted:
    """What the greatest sum costs of unknowns of which `size` sums of `width` are bounded."""
    budget = _Counted(1_000_000)
    simplex = Simplex(budget)
    for name in range(size):
        simplex.bound(name, 0, None, (f"low{name}", ""))
    for row in range(size):
        terms = [((row + k) % size, -factor * (k + 2) - row) for k in range(width)]
        simplex.add(f"row{row}", Constraint(affine(terms, 10 * factor * (row + 1))))
    assert simplex.minimum(affine((name, -1) for name in range(size))) is not None
    return budget


def test_dense_tables_and_long_numbers_cost_more() -> None:
    sparse, dense, long = _spent(24, 2, 1), _spent(24, 20, 1), _spent(24, 20, 10**9)
    assert dense.spent > sparse.spent and dense.cells > 2 * sparse.cells
    assert dense.spent > dense.cells // CELLS
    # Of long numbers fewer are touched here, and they cost more each.
    assert long.spent * CELLS / long.cells > dense.spent * CELLS / dense.cells
