"""The abstract systems of a game, the coarsest first: what one cannot show the next one may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemwright.dsl.model import game as m
from gemwright.validator.abstraction.columns import changing_columns, paid_columns
from gemwright.validator.abstraction.lowering import Lowered, TooLarge, lower
from gemwright.validator.abstraction.vocabulary import Precision


@dataclass(frozen=True, slots=True)
class Rung:
    """One precision, with a word on it for people. `for_bounds`: made for ranges rather than for
    termination."""

    name: str
    precision: Precision
    for_bounds: bool = False


def rungs(game: m.Game) -> tuple[Rung, ...]:
    """The precisions to try, in this order."""
    paid, changing = paid_columns(game), changing_columns(game)
    found = [Rung("all players together", Precision())]
    if game.players > 1:
        found.append(Rung("each seat by itself", Precision(seats=True, laps=True)))
    if paid:
        found.append(Rung("with prices added up", Precision(columns=paid)))
    found.append(Rung("member by member", Precision(members=True, columns=changing), True))
    if game.players > 1:
        every = Precision(seats=True, laps=True, members=True)
        found.append(Rung("each seat, member by member", every, True))
    return tuple(found)


def climb(game: m.Game, *, bounds: bool = False, with_cap: bool = False) -> Iterator[Lowered]:
    """The systems of all rungs, made one by one as they are asked for; those that are too large
    are left out."""
    for rung in rungs(game):
        if bounds or not rung.for_bounds:
            try:
                yield lower(game, rung.precision, with_cap=with_cap)
            except TooLarge:
                continue
