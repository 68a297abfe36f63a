"""Option sets that a ruleset can be played with: the defaults, every single value, pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from gemwright.dsl.elaboration.options import OptionSpec
from gemwright.dsl.ruleset import Ruleset

OptionSet = Mapping[str, int | str | bool]
"""The values that differ from the defaults."""


def other_values(spec: OptionSpec) -> tuple[int | str | bool, ...]:
    """The values of an option but its default: those listed, and both ends of its range."""
    ends = [end for end in (spec.low, spec.high) if end is not None]
    found: list[int | str | bool] = []
    for value in (*spec.values[1:], *ends):
        if value != spec.values[0] and not any(_same(value, each) for each in found):
            found.append(value)
    return tuple(found)


def _same(one: int | str | bool, other: int | str | bool) -> bool:
    return type(one) is type(other) and one == other


def singles(ruleset: Ruleset) -> Iterator[OptionSet]:
    """Every value that is no default, by itself, in declared order."""
    for spec in ruleset.options:
        for value in other_values(spec):
            yield {spec.name: value}


def pairs(ruleset: Ruleset) -> Iterator[OptionSet]:
    """Every two values of different options that are no defaults, in declared order."""
    for one, other in combinations(ruleset.options, 2):
        for first in other_values(one):
            for second in other_values(other):
                yield {one.name: first, other.name: second}
