"""Which games of a ruleset are looked at: player counts times option sets.

All player counts with the defaults, every single value by itself, and pairs of values, each with
one number of players in turn: all of them up to 256, else as many, evenly spread over the list.
What was left out is said, never hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gemwright.dsl.ruleset import Ruleset
from gemwright.interpreter.option_sets import OptionSet, pairs, singles

MOST_PAIRS: Final = 256
"""So many pairs of option values are looked at per ruleset."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """`sets` in order:

    the defaults first, then single values, then pairs. `note` tells what was sampled.
    """

    players: tuple[int, ...]
    sets: tuple[OptionSet, ...]
    pairs: int
    pairs_taken: int

    @property
    def note(self) -> str:
        """What was looked at, in one sentence."""
        counts = (
            f"{self.players[0]}"
            if len(self.players) == 1
            else (f"{self.players[0]} to {self.players[-1]}")
        )
        single = len(self.sets) - 1 - self.pairs_taken
        if not single:
            return f"players {counts}; there are no options"
        text = f"players {counts}: defaults, {single} single option value{'s' * (single > 1)}"
        if not self.pairs:
            return text
        if self.pairs_taken == self.pairs:
            return f"{text}, all {self.pairs} pairs of values"
        return f"{text}, {self.pairs_taken} of {self.pairs} pairs of values"


def matrix(ruleset: Ruleset) -> Matrix:
    """The games to look at."""
    low, high = ruleset.players
    every = list(pairs(ruleset))
    taken = every
    if len(every) > MOST_PAIRS:
        taken = [every[number * len(every) // MOST_PAIRS] for number in range(MOST_PAIRS)]
    sets: tuple[OptionSet, ...] = ({}, *singles(ruleset), *taken)
    return Matrix(tuple(range(low, high + 1)), sets, len(every), len(taken))
