"""Programs that play the same game at random, uniformly among complete moves."""

from __future__ import annotations

from random import Random

from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.records import Records
from gemwright.interpreter.game import Game
from gemwright.interpreter.simulation.players import RANDOM
from gemwright.interpreter.simulation.playing import MOST_MOVES, REFERENCE, Work, table
from tests.bench import c_twin
from tests.bench import splendor_twin as twin
from tests.bench.checking import cards, nobles
from tests.bench.timing import Contestant

SEED = 2026


def engine(game: Game, name: str) -> Contestant:
    """An engine of gemwright, as simulations use it; compiled before it is measured."""
    if name == REFERENCE:
        return _reference(game)
    compiled, records = CompiledGame(game, name), Records(game.model)

    def run(first: int, times: int) -> int:
        moves = 0
        for played in compiled.play(SEED, first, times, MOST_MOVES):
            assert played is not None, "only the reference can play this game"
            moves += records.moves(played.record)
        return moves

    return Contestant(name, run)


def _reference(game: Game) -> Contestant:
    ready = table(game, Work(game.model, (RANDOM,) * game.players, SEED, False, MOST_MOVES))

    def run(first: int, times: int) -> int:
        played = ready.play(range(first, first + times))
        return sum(record.moves for each in played for record in each.games)

    return Contestant(REFERENCE, run)


def python_twin(players: int) -> Contestant:
    """Splendor written by hand in Python."""
    all_cards, all_nobles = cards(), nobles()

    def run(first: int, times: int) -> int:
        moves = 0
        for number in range(first, first + times):
            below = Random(number).randrange
            game = twin.Splendor(players, all_cards, all_nobles, below)
            while game.moves:
                game.play(game.moves[below(len(game.moves))])
                moves += 1
        return moves

    return Contestant("Python by hand", run)


def hand_written_c(players: int) -> Contestant:
    """Splendor written by hand in C."""
    c_twin.library()
    return Contestant(
        "C by hand", lambda first, times: c_twin.play_games(players, SEED, first, times)
    )
