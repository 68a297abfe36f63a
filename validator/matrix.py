"""Which games of a ruleset are looked at: player counts times option sets.

All player counts with the defaults, every single value by itself, and pairs of values, each with
one number of players in turn: all of them up to 256, else as many, evenly spread over the list.
Besides, every option set that an expectation of the file names, with all player counts.
What was left out is said, never hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gemwright.dsl.elaboration.expectations import expected_options
from gemwright.dsl.ruleset import Ruleset
from gemwright.interpreter.option_sets import OptionSet, pairs, singles

MOST_PAIRS: Final = 256
"""So many pairs of option values are looked at per ruleset."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """`sets` in order:

    the defaults first, then single values, then pairs, then what only `expect` names. `named` are
    all sets that it names; `asked`: the only set is one that a person asked for. `note` tells what
    was sampled.
    """

    players: tuple[int, ...]
    sets: tuple[OptionSet, ...]
    pairs: int
    pairs_taken: int
    named: tuple[OptionSet, ...] = ()
    added: int = 0
    """How many of `sets` are there only because `expect` names them."""
    asked: bool = False

    @property
    def note(self) -> str:
        """What was looked at, in one sentence."""
        counts = (
            f"{self.players[0]}"
            if len(self.players) == 1
            else (f"{self.players[0]} to {self.players[-1]}")
        )
        if self.asked:
            given = " and ".join(f"{name} = {text_of(each)}" for name, each in self.sets[0].items())
            return f"players {counts}; options as given: {given or 'the defaults'}"
        single = len(self.sets) - 1 - self.pairs_taken - self.added
        if len(self.sets) == 1:
            return f"players {counts}; there are no options"
        text = f"players {counts}: defaults, {single} single option value{'s' * (single != 1)}"
        if self.pairs:
            taken = "all" if self.pairs_taken == self.pairs else f"{self.pairs_taken} of"
            text += f", {taken} {self.pairs} pairs of values"
        if self.added:
            text += f", {self.added} more that `expect` names"
        return text


def text_of(value: int | str | bool) -> str:
    """A value of an option as the file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def matrix(ruleset: Ruleset) -> Matrix:
    """The games to look at."""
    low, high = ruleset.players
    every = list(pairs(ruleset))
    taken = every
    if len(every) > MOST_PAIRS:
        taken = [every[number * len(every) // MOST_PAIRS] for number in range(MOST_PAIRS)]
    sets: tuple[OptionSet, ...] = ({}, *singles(ruleset), *taken)
    named = expected_options(ruleset.document.tree, ruleset.options)
    added = tuple(each for each in named if each not in sets)
    counts = tuple(range(low, high + 1))
    return Matrix(counts, (*sets, *added), len(every), len(taken), named, len(added))
