"""What every machine that runs flat programs offers, and what it needs to know of a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

MOST_MOVES: Final = 1 << 20
"""Moves that a game may have before it is given up, at most."""

CALL_WORK: Final = 1 << 33
"""Nodes that one call may run, as far as it pays for them: some seconds of a fast machine."""

MOST_WORK: Final = 1 << 40
"""Nodes that one game may run before nobody waits for it any longer."""


class GivenUp(Exception):
    """A flat program gave a game up: a rule is broken, or only the reference can tell."""


class OutOfWork(Exception):
    """A call ran for so long that it was stopped."""


class TooLong(Exception):
    """A game needs more work than any game may have: `game` is its number."""

    def __init__(self, game: int) -> None:
        super().__init__(game)
        self.game = game

    def __str__(self) -> str:
        return f"game {self.game} of this seed goes on for too long"


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as a machine played it: its final state in canonical bytes, and its record."""

    state: bytes
    record: Sequence[int]


class Machine(Protocol):
    """Runs one flat program. It holds one state, and is used by one thread at a time.

    Lists of games hold None for those that were given up. A list may be shorter than asked: what
    one call does is limited.
    """

    name: str
    """What `--engine` calls it."""

    def load(self, state: bytes) -> None:
        """Put a state in canonical bytes into the cells; `resume` must follow."""

    def save(self) -> bytes:
        """The state in canonical bytes."""

    def call(self, function: str, *args: int) -> int:
        """Call a function; 0 if it has no value.

        Raises:
            GivenUp: the program gave the game up; what the state is then means nothing.
            OutOfWork: it ran for too long; the same holds.
        """

    def function(self, name: str) -> Callable[..., int]:
        """What calls a function again and again, as `call` does."""

    def array(self, name: str) -> Sequence[int]:
        """An array as it is now; () if the program has none of that name."""

    def first(self, name: str) -> Callable[[], int]:
        """What reads the first item of an array that the program has, again and again."""

    def put(self, name: str, values: Sequence[int]) -> None:
        """Give the first items of an array values that lie in its range."""

    def batch(
        self, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """Play games `first` .. of a seed at random, `most` moves each at most.

        Raises:
            OutOfWork: not one game could be finished with so much work.
        """

    def roll_outs(
        self, state: bytes, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """Play a state to its end again and again; chance is that of games `first` .. of a seed.

        Raises:
            OutOfWork: not one game could be finished with so much work.
        """

    def steps(
        self, states: Sequence[bytes], moves: Sequence[int], work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """Make move number `moves[i]` in each state; the record is whether the game ended.

        Raises:
            OutOfWork: not one step could be made with so much work.
        """
