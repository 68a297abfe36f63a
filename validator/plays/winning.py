"""Who can win: seats that win some play, found by playing.

That no play was found in which somebody wins proves nothing: it is told, and is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.compiled.machine import TooLong
from gemwright.interpreter.compiled.selecting import PYTHON
from gemwright.interpreter.game import Game
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.simulation.players import RANDOM
from gemwright.interpreter.simulation.playing import REFERENCE, Work, table
from gemwright.interpreter.simulation.simulate import with_engine
from gemwright.validator.plays.favouring import Favouring

SEED: Final = 0
MOST_GAMES: Final = 40
MOST_MOVES: Final = 1_000
"""Moves of one game."""
FIRST_MOVES: Final = 100
"""Moves of random games that the reference engine plays."""
RANDOM_MOVES: Final = 6_000
"""Moves of random games that a faster engine plays."""
HELPED_MOVES: Final = 60
"""Moves of all games in which the others help, for each player who won none before."""


def seen_to_win(model: m.Game) -> tuple[int, ...]:
    """The seats that win some play that was tried: games between random players, then games in
    which everybody helps one player."""
    won: set[int] = set()
    for outcome in _random_games(model):
        won.update(outcome.winners)
        if len(won) == model.players:
            break
    for seat in range(model.players):
        if seat not in won and any(seat in each.winners for each in _helped_games(model, seat)):
            won.add(seat)
    return tuple(sorted(won))


def _random_games(model: m.Game) -> Iterator[Outcome]:
    """Those that `simulate` plays with the same seed: short ones before an engine is made ready."""
    work = Work(model, (RANDOM,) * model.players, SEED, False, MOST_MOVES)
    begun = 0
    for engine, left in ((REFERENCE, FIRST_MOVES), (PYTHON, RANDOM_MOVES)):
        ready = table(Game(model), with_engine(work, engine))
        try:
            for played in ready.play(range(begun, MOST_GAMES)):
                (record,) = played.games
                begun, left = begun + 1, left - record.moves
                if record.outcome is not None:
                    yield record.outcome
                if left <= 0:
                    break
        except TooLong:
            return


def _helped_games(model: m.Game, seat: int) -> Iterator[Outcome]:
    game, helping = Game(model), Favouring(model, seat)
    left = HELPED_MOVES
    for index in range(MOST_GAMES):
        state, stream = game.start(SEED, index), Stream(SEED, index, 1)
        while left > 0 and not state.is_over:
            decision = state.pending[0]
            state.apply(helping.choose(state, decision, stream), decision.player)
            left -= 1
        if state.result is not None:
            yield state.result
        if left <= 0:
            return
