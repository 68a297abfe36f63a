"""Many games between strategies, and what they add up to.

Game number k takes its chance from game index k of the seed, and each seat its luck from a stream
of its own, so that a simulation is the same for any number of processes. `digest` tells whether
two engines or machines agree; see `SimulationResult`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gemwright.interpreter.compiled.selecting import (
    AUTO,
    ENGINES,
    cannot_play,
    fastest,
    missing,
)
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.simulation import parallel
from gemwright.interpreter.simulation.game_rows import GameRow, rows_of
from gemwright.interpreter.simulation.players import RANDOM, sampler_of
from gemwright.interpreter.simulation.playing import MOST_MOVES, REFERENCE, Work, table
from gemwright.interpreter.simulation.tally import SimulationResult, Tally

Progress = Callable[[int], None]
"""Told how many games or matches are done."""

KeepRow = Callable[[GameRow], None]
"""Given the row of each game, in the order of games."""


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
    keep_row: KeepRow | None = None,
) -> SimulationResult:
    """Play games and count.

    Args:
        ruleset: a bundled name, a path, or a loaded game (then without players and options).
        players: by default the number of seats, else what the file says.
        games: how many, 0 or more.
        seats: one strategy per player; by default all `random`.
        jobs: processes that play at once, 1 or more. More than one need the extra `sim`.
        match: play so many matches of several games instead.
        most_moves: a game that is not over after so many decisions is given up, unfinished.
        engine: `reference`, `python`, `wasm`, or `auto` for the fastest that can play this. All
            play the same games.
        progress: called from time to time.
        keep_row: called for every game.

    Raises:
        RulesetError: the rules cannot be used.
        ValueError: an argument is out of its range, there is no such strategy, the engine cannot
            play this, or several processes are asked for without the extra.
        TooLong: a game would go on for longer than anybody waits.
    """
    if games < 0 or jobs < 1 or most_moves < 1:
        raise ValueError("games >= 0, jobs >= 1 and most_moves >= 1 are needed")
    lacking = parallel.missing() if jobs > 1 else ""
    if lacking:
        raise ValueError(lacking)
    begun = time.perf_counter()
    game = _game(ruleset, players or (len(seats) if seats else None), options)
    chosen = tuple(seats or [RANDOM] * game.players)
    _check_seats(chosen, game)
    if match and game.model.match is None:
        raise ValueError(f"the rules of `{game.name}` declare no match")
    work = with_engine(Work(game.model, chosen, seed, match, most_moves), engine)
    run = _Run(game, work, games, progress, keep_row)
    return run.in_processes(jobs, begun) if jobs > 1 and games > 1 else run.here(jobs, begun)


@dataclass(frozen=True, slots=True)
class _Run:
    """A simulation, and who is told of it."""

    game: Game
    work: Work
    games: int
    progress: Progress | None
    keep_row: KeepRow | None

    def here(self, jobs: int, begun: float) -> SimulationResult:
        """Play all games in this process."""
        ready, tally = table(self.game, self.work), Tally(self.game.players)
        setup = time.perf_counter() - begun
        for number, played in enumerate(ready.play(range(self.games))):
            tally.add(played)
            self._tell(tally, rows_of(number, played) if self.keep_row else ())
        return tally.result(self.work, setup, jobs)

    def in_processes(self, jobs: int, begun: float) -> SimulationResult:
        """Play the games in several processes."""
        setup, tally = time.perf_counter() - begun, Tally(self.game.players)
        rows = self.keep_row is not None
        for part in parallel.play_in_processes(self.work, self.games, jobs, rows=rows):
            tally.merge(part.counts, part.finals)
            self._tell(tally, part.rows)
        return tally.result(self.work, setup, jobs)

    def _tell(self, tally: Tally, rows: Sequence[GameRow]) -> None:
        if self.keep_row is not None:
            for row in rows:
                self.keep_row(row)
        if self.progress is not None:
            self.progress(tally.units)


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
