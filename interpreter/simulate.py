"""Many games between strategies, and what they add up to.

Game number k takes its chance from game index k of the seed, and each seat its luck from a stream
of its own, so that a simulation is the same for any number of processes. `digest` tells whether
two engines or machines agree; see `SimulationResult`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gemwright.interpreter.game import Game, load
from gemwright.interpreter.players import RANDOM, sampler_of
from gemwright.interpreter.playing import MOST_MOVES, Work, play_here, play_in_processes
from gemwright.interpreter.tally import SimulationResult, Tally

Progress = Callable[[int], None]
"""Told how many games or matches are done."""


def simulate(
    ruleset: str | Path | Game,
    players: int | None = None,
    options: Mapping[str, int | str | bool] | None = None,
    games: int = 100,
    seed: int = 0,
    seats: Sequence[str] | None = None,
    jobs: int = 1,
    *,
    match: bool = False,
    most_moves: int = MOST_MOVES,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play games and count.

    Args:
        ruleset: a bundled name, a path, or a loaded game (then without players and options).
        players: by default the number of seats, else what the file says.
        games: how many, 0 or more.
        seats: one strategy per player; by default all `random`.
        jobs: processes that play at once, 1 or more.
        match: play so many matches of several games instead.
        most_moves: a game that is not over after so many decisions is given up, unfinished.

    Raises:
        RulesetError: the rules cannot be used.
        ValueError: an argument is out of its range, or there is no such strategy.
    """
    if games < 0 or jobs < 1 or most_moves < 1:
        raise ValueError("games >= 0, jobs >= 1 and most_moves >= 1 are needed")
    begun = time.perf_counter()
    game = _game(ruleset, players or (len(seats) if seats else None), options)
    chosen = tuple(seats or [RANDOM] * game.players)
    _check_seats(chosen, game)
    if match and game.model.match is None:
        raise ValueError(f"the rules of `{game.name}` declare no match")
    work = Work(game.model, chosen, seed, match, most_moves)
    setup = time.perf_counter() - begun
    tally = Tally(game.players)
    if jobs > 1 and games > 1:
        results = play_in_processes(work, games, jobs)
    else:
        results = play_here(game, work, games)
    for played in results:
        tally.add(played)
        if progress is not None:
            progress(tally.units)
    return tally.result(work, setup, jobs)


def _game(
    ruleset: str | Path | Game,
    players: int | None,
    options: Mapping[str, int | str | bool] | None,
) -> Game:
    return ruleset if isinstance(ruleset, Game) else load(ruleset, players, options)


def _check_seats(seats: Sequence[str], game: Game) -> None:
    if len(seats) != game.players:
        raise ValueError(f"{len(seats)} seats for {game.players} players")
    for strategy in seats:
        if not sampler_of(strategy):
            raise ValueError(f"`{strategy}` cannot take part in a simulation")
