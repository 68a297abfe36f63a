"""Games on a compiled engine: many at a time, or move by move.

A compiled engine knows states, legal moves, chance and results, all equal to the reference's, byte
for byte. What players may know, events and explanations stay with the reference: give it the bytes
of a state (`Game.restore`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

from gemwright.interpreter.compiled.flat.program import CellRange
from gemwright.interpreter.compiled.line import Line
from gemwright.interpreter.compiled.lower.leaves import PICK
from gemwright.interpreter.compiled.machine import (
    MOST_WORK,
    GivenUp,
    Machine,
    OutOfWork,
    PlayedGame,
    TooLong,
)
from gemwright.interpreter.compiled.selecting import AUTO, fastest, machine
from gemwright.interpreter.game import Game
from gemwright.interpreter.machine import decode_values
from gemwright.interpreter.moves import PASS, Move

_AT_ONCE: Final = 0.1
"""Seconds that one call into a machine should take: so long nobody can interrupt it."""

_LARGEST: Final = 1 << 14
_PATIENCE: Final = 16
"""A game that ran out of work may have so many times more at the next try."""


class CompiledGame:
    """A game on a compiled engine. Use one in one thread at a time.

    Args:
        game: as `load` gave it.
        engine: `python`, `wasm`, or `auto` for the fastest that is installed; or a machine that
            runs the program of the game.

    States are bytes as the reference writes them; others are refused by their length only
    (`ValueError`), so check bytes from elsewhere with `Game.restore`.

    Raises:
        ModuleNotFoundError: the engine is not installed.
    """

    def __init__(self, game: Game, engine: str | Machine = AUTO) -> None:
        self.game = game
        if isinstance(engine, str):
            engine = machine(game.model, fastest() if engine == AUTO else engine)
        self._machine = engine
        self.engine = engine.name
        ranges = zip(game.model.low, game.model.high, strict=True)
        self._length = sum(CellRange(low, high).width for low, high in ranges)

    # -- many games

    def play(
        self, seed: int, first: int, games: int, most_moves: int
    ) -> Iterator[PlayedGame | None]:
        """Play games `first` .. of a seed between players who pick uniformly among all moves.

        Yields:
            The games in order; None for one that only the reference can play, since a rule breaks.

        Raises:
            TooLong: a game needs more work than any game may have.
        """
        chunk, done = 1, 0
        while done < games:
            begun = time.perf_counter()
            number = min(chunk, games - done)
            played = self._played(seed, first + done, number, most_moves)
            yield from played
            done += len(played)
            seconds = time.perf_counter() - begun
            chunk = _next_chunk(number, seconds / max(len(played), 1))

    def _played(self, seed: int, first: int, games: int, most: int) -> list[PlayedGame | None]:
        try:
            return self._machine.batch(seed, first, games, most)
        except OutOfWork:
            return self._patiently(seed, first, most)

    def _patiently(self, seed: int, first: int, most: int) -> list[PlayedGame | None]:
        work = MOST_WORK // _PATIENCE
        while work <= MOST_WORK:
            try:
                return self._machine.batch(seed, first, 1, most, work)
            except OutOfWork:
                work *= _PATIENCE
        raise TooLong(first)

    def roll_outs(
        self, state: bytes, seed: int, first: int, games: int, most_moves: int
    ) -> list[PlayedGame | None]:
        """Play a state to its end again and again, with the chance of games `first` .. of a seed.

        The key of chance in the state is replaced; else the state is played on as it is.
        """
        self._check(state)
        played: list[PlayedGame | None] = []
        while len(played) < games:
            more = games - len(played)
            try:
                played += self._machine.roll_outs(
                    state, seed, first + len(played), more, most_moves
                )
            except OutOfWork:
                raise TooLong(first + len(played)) from None
        return played

    # -- move by move

    def line(self, state: bytes) -> Line:
        """A line of play from a state, move by move and faster than by `steps`. See `Line`."""
        self._check(state)
        return Line(self._machine, state)

    def count(self, state: bytes) -> int:
        """The number of legal moves of the first decision of a state; 0 at an end."""
        self._check(state)
        machine = self._machine
        machine.load(state)
        return 0 if machine.call("resume") else machine.array("total")[0]

    def move(self, state: bytes, number: int) -> Move:
        """Legal move number `number` of the first decision, as `Decision.nth` counts them.

        Raises:
            IndexError: there are not so many.
        """
        if not 0 <= number < self.count(state):
            raise IndexError(f"no move number {number}")
        machine, model = self._machine, self.game.model
        action = machine.call("find", machine.array("actor")[0], number)
        if action == len(model.actions):
            return PASS
        found = model.actions[action]
        return Move(found.name, decode_values(found, machine.array(PICK)))

    def steps(self, states: Sequence[bytes], moves: Sequence[int]) -> list[bytes]:
        """The states after legal move number `moves[i]` of the first decision of each state.

        Raises:
            GivenUp: a rule breaks; play that state on with the reference to see which.
        """
        self._check(*states)
        found: list[bytes] = []
        while len(found) < len(states):
            done = len(found)
            for each in self._machine.steps(states[done:], moves[done:]):
                if each is None:
                    raise GivenUp(f"state {len(found)} cannot go on by move {moves[len(found)]}")
                found.append(each.state)
        return found

    def _check(self, *states: bytes) -> None:
        """Refuse what cannot be a state of this game; whether it is one, `Game.restore` knows."""
        for state in states:
            if len(state) != self._length:
                raise ValueError(f"a state of this game has {self._length} bytes, not {len(state)}")


def _next_chunk(games: int, seconds_each: float) -> int:
    wanted = int(_AT_ONCE / max(seconds_each, 1e-9))
    return max(1, min(wanted, 2 * games, _LARGEST))
