"""Deterministic budgets: work is counted in steps, never in seconds, so that a verdict does not
depend on the machine."""

from __future__ import annotations

from typing import Final

CELLS: Final = 128
"""So many numbers of a table, read or written, count as one step."""
_WORD: Final = 64
"""Bits up to which a number counts as one."""


class BudgetSpent(Exception):
    """The work was not done within its budget; the verdict is then unknown."""


class Budget:
    """So many steps may be spent, by whoever holds it."""

    __slots__ = ("_cells", "left", "most")

    def __init__(self, most: int) -> None:
        self.most = most
        self.left = most
        self._cells = 0

    @property
    def spent(self) -> int:
        """Steps spent by now."""
        return self.most - self.left

    def spend(self, steps: int = 1) -> None:
        """Count steps.

        Raises:
            BudgetSpent: there were fewer left.
        """
        self.left -= steps
        if self.left < 0:
            raise BudgetSpent

    def share(self, most: int) -> Budget:
        """A budget of its own whose steps count here, too."""
        return _Share(most, self)

    def touch(self, cells: int, largest: int = 0) -> None:
        """Count numbers that were read or written; `largest` is one of the largest of them, or 0.

        Raises:
            BudgetSpent: they make more steps than were left.
        """
        self._cells += cells * (1 + largest.bit_length() // _WORD)
        if self._cells >= CELLS:
            steps, self._cells = divmod(self._cells, CELLS)
            self.spend(steps)


class _Share(Budget):
    """Part of another budget."""

    __slots__ = ("_whole",)

    def __init__(self, most: int, whole: Budget) -> None:
        super().__init__(most)
        self._whole = whole

    def spend(self, steps: int = 1) -> None:
        self._whole.spend(steps)
        super().spend(steps)
