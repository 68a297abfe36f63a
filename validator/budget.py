"""Deterministic budgets: work is counted in steps, never in seconds, so that a verdict does not
depend on the machine."""

from __future__ import annotations


class BudgetSpent(Exception):
    """The work was not done within its budget; the verdict is then unknown."""


class Budget:
    """So many steps may be spent, by whoever holds it."""

    __slots__ = ("left", "most")

    def __init__(self, most: int) -> None:
        self.most = most
        self.left = most

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
