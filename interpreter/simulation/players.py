"""Who sits at the table: seat strategies by name.

A strategy is asked for one move of one decision, and sees nothing but that decision: what its
player may choose. Each seat draws from a stream of its own, so that what one seat does never
changes the luck of the game or of another seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from gemwright.dsl.suggest import did_you_mean
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.moves import Move

HUMAN: Final = "human"
"""The strategy of a person, who is asked by a front end."""

RANDOM: Final = "random"

_SAMPLERS: Final[Mapping[str, str]] = MappingProxyType(
    {"random": "uniform", "random:walk": "walk", "random:small_first": "small_first"}
)


class Player(Protocol):
    """A strategy that needs no person."""

    def choose(self, decision: Decision, count: int) -> Move:
        """A legal move; `count` is the number of legal moves of the decision, at least 1."""


class RandomPlayer:
    """Chooses by a named sampler of `Decision.sample`."""

    __slots__ = ("_sampler", "_stream")

    def __init__(self, sampler: str, stream: Stream) -> None:
        self._sampler = sampler
        self._stream = stream

    def choose(self, decision: Decision, count: int) -> Move:
        """One draw and then the n-th move when uniform, else as the sampler says."""
        if self._sampler == "uniform":
            return decision.nth(self._stream.below(count))
        return decision.sample(self._stream, self._sampler)


def strategy_names() -> tuple[str, ...]:
    """Every name that a seat may have."""
    return (HUMAN, *_SAMPLERS)


def sampler_of(strategy: str) -> str:
    """The sampler behind a strategy; '' for a person.

    Raises:
        ValueError: there is no such strategy.
    """
    if strategy == HUMAN:
        return ""
    if strategy in _SAMPLERS:
        return _SAMPLERS[strategy]
    hint = did_you_mean(strategy, strategy_names())
    known = ", ".join(strategy_names())
    raise ValueError(f"no player is called `{strategy}`; {hint or f'there are {known}'}")


def make_players(seats: Sequence[str], seed: int, game_index: int) -> tuple[Player | None, ...]:
    """The strategies of a game in seat order; None where a person sits.

    Raises:
        ValueError: there is no such strategy.
    """
    players: list[Player | None] = []
    for seat, strategy in enumerate(seats):
        sampler = sampler_of(strategy)
        stream = Stream(seed, game_index, seat + 1)
        players.append(RandomPlayer(sampler, stream) if sampler else None)
    return tuple(players)
