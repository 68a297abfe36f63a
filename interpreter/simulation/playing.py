"""Plays games between strategies, one after another."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from gemwright.dsl.model import game as m
from gemwright.interpreter.game import Game
from gemwright.interpreter.match import Match, MatchOutcome
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.saves import canonical, outcome_to_json
from gemwright.interpreter.simulation.players import Player, make_players
from gemwright.interpreter.state import State

MOST_MOVES: Final = 100_000
"""A game that is not over after so many decisions is given up."""

REFERENCE: Final = "reference"
"""The engine that is the meaning of the rules."""

_GAMES_OF_A_MATCH: Final = 1 << 16
"""Match number k takes game indices from k times this number on."""


@dataclass(frozen=True, slots=True)
class Work:
    """What every process needs to know."""

    model: m.Game
    seats: tuple[str, ...]
    seed: int
    match: bool
    most_moves: int
    engine: str = REFERENCE


@dataclass(slots=True)
class GameRecord:
    """What is kept of a game. `branching` is the least, sum and greatest number of legal moves."""

    moves: int = 0
    branching: tuple[int, int, int] | None = None
    actions: dict[str, int] = field(default_factory=dict)
    outcome: Outcome | None = None
    problem: str = ""
    final: bytes = b""
    """The final state in canonical form and the result: what the digest of a simulation reads."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game, or the games of one match; times are of `time.monotonic`."""

    games: tuple[GameRecord, ...]
    match: MatchOutcome | None
    begun: float
    ended: float


class Table(Protocol):
    """Where games are played, made ready before the first."""

    def play(self, indices: range) -> Iterator[Played]:
        """Play the games or matches of these numbers, one after another."""


class ReferenceTable:
    """Plays by the reference engine."""

    def __init__(self, game: Game, work: Work) -> None:
        self._game = game
        self._work = work

    def play(self, indices: range) -> Iterator[Played]:
        """See `Table`."""
        for index in indices:
            yield play_one(self._game, self._work, index)


def table(game: Game, work: Work) -> Table:
    """A table for the engine that the work names."""
    if work.engine == REFERENCE:
        return ReferenceTable(game, work)
    from gemwright.interpreter.compiled.simulating import CompiledTable

    return CompiledTable(game, work)


def play_one(game: Game, work: Work, index: int) -> Played:
    """Play one game or match with the reference engine."""
    begun = time.monotonic()
    first = index * _GAMES_OF_A_MATCH if work.match else index
    match = Match(game, work.seed, first, several=work.match)
    games: list[GameRecord] = []
    while not match.is_over:
        games.append(_play_game(match, work))
        if games[-1].outcome is None:
            break
        match.close_game()
    # A setup that breaks a rule leaves a match without a single game.
    if not games:
        games.append(_closed(GameRecord(), match.state))
    return Played(tuple(games), match.outcome, begun, time.monotonic())


def _play_game(match: Match, work: Work) -> GameRecord:
    """Play the current game of a match to its end, its problem, or the greatest number of moves."""
    state = match.state
    players = make_players(work.seats, work.seed, match.index)
    game = GameRecord()
    try:
        while not state.is_over and game.moves < work.most_moves:
            _move(state, players, game)
    except RuntimeProblem as problem:
        game.problem = problem.message
    return _closed(game, state)


def _move(state: State, players: tuple[Player | None, ...], game: GameRecord) -> None:
    decision = state.pending[0]
    player = players[decision.player]
    assert player is not None, "a person takes no part in a simulation"
    count = decision.count()
    move = player.choose(decision, count)
    state.apply(move, decision.player)
    game.moves += 1
    game.actions[move.action] = game.actions.get(move.action, 0) + 1
    low, total, high = game.branching or (count, 0, count)
    game.branching = (min(low, count), total + count, max(high, count))


def _closed(game: GameRecord, state: State) -> GameRecord:
    if state.problem is not None:
        span = state.problem.span
        game.problem = f"{span.path}:{span.line}:{span.column}: {state.problem.message}"
    game.outcome = state.result
    game.final = state.to_bytes() + canonical(outcome_to_json(state.result))
    return game
