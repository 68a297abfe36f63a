"""Many games between strategies, and what they add up to.

Game number k takes its chance from game index k of the seed, and each seat its luck from a stream
of its own, so that a simulation is the same for any number of processes. `digest` tells whether
two engines or machines agree; see `SimulationResult`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gemwright.interpreter.compiled.selecting import (
    AUTO,
    ENGINES,
    cannot_play,
    fastest,
    missing,
)
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.players import RANDOM, sampler_of
from gemwright.interpreter.playing import (
    MOST_MOVES,
    REFERENCE,
    Work,
    play_in_processes,
    table,
)
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
    engine: str = AUTO,
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
        engine: `reference`, `python`, `wasm`, or `auto` for the fastest that can play this. All
            play the same games.

    Raises:
        RulesetError: the rules cannot be used.
        ValueError: an argument is out of its range, there is no such strategy, or the engine
            cannot play this.
        TooLong: a game would go on for longer than anybody waits.
    """
    if games < 0 or jobs < 1 or most_moves < 1:
        raise ValueError("games >= 0, jobs >= 1 and most_moves >= 1 are needed")
    begun = time.perf_counter()
    game = _game(ruleset, players or (len(seats) if seats else None), options)
    chosen = tuple(seats or [RANDOM] * game.players)
    _check_seats(chosen, game)
    if match and game.model.match is None:
        raise ValueError(f"the rules of `{game.name}` declare no match")
    work = with_engine(Work(game.model, chosen, seed, match, most_moves), engine)
    alone = jobs == 1 or games < 2
    here = table(game, work) if alone else None
    setup = time.perf_counter() - begun
    tally = Tally(game.players)
    results = play_in_processes(work, games, jobs) if here is None else here.play(range(games))
    for played in results:
        tally.add(played)
        if progress is not None:
            progress(tally.units)
    return tally.result(work, setup, jobs)


def with_engine(work: Work, engine: str) -> Work:
    """The work for the engine that is to play it.

    Raises:
        ValueError: it cannot, or is not installed.
    """
    if engine not in ENGINES:
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    if engine == REFERENCE:
        return work
    unfit = cannot_play(work)
    if engine == AUTO:
        return replace(work, engine=REFERENCE if unfit else fastest())
    reason = missing(engine) or (unfit and f"the engine `{engine}` {unfit}")
    if reason:
        raise ValueError(reason)
    return replace(work, engine=engine)


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
