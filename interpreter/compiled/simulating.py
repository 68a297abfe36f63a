"""Simulations on compiled engines: what a machine played, as the simulation keeps it."""

from __future__ import annotations

import time
from collections.abc import Iterator

from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.machine import PlayedGame
from gemwright.interpreter.compiled.records import Records
from gemwright.interpreter.game import Game
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.saves import canonical, outcome_to_json
from gemwright.interpreter.simulation.playing import GameRecord, Played, Work, play_one

_REMEMBERED = 4096
"""Results that are written out once, however often they come."""


class CompiledTable:
    """Plays by a compiled engine; games in which a rule breaks are told by the reference."""

    def __init__(self, game: Game, work: Work, played: CompiledGame | None = None) -> None:
        self._game = game
        self._work = work
        self._played = CompiledGame(game, work.engine) if played is None else played

    def play(self, indices: range) -> Iterator[Played]:
        """Play the games of these numbers. A chunk of games ends when its last one does."""
        work = self._work
        records = _GameRecords(self._game)
        games = self._played.play(work.seed, indices.start, len(indices), work.most_moves)
        begun = time.monotonic()
        for index, each in zip(indices, games, strict=True):
            if each is None:
                yield play_one(self._game, work, index)
            else:
                ended = time.monotonic()
                yield Played((records.of(each),), None, begun, ended)


class _GameRecords:
    """Makes records of games; equal results are worked out once."""

    def __init__(self, game: Game) -> None:
        self._records = Records(game.model)
        self._results: dict[tuple[int, ...], tuple[Outcome | None, bytes]] = {}

    def of(self, played: PlayedGame) -> GameRecord:
        """The record of a game."""
        records, record = self._records, played.record
        outcome, written = self._result(played)
        return GameRecord(
            records.moves(record),
            records.branching(record),
            records.actions(record),
            outcome,
            "",
            played.state + written,
        )

    def _result(self, played: PlayedGame) -> tuple[Outcome | None, bytes]:
        key = (self._records.point(played.state), *self._records.result(played.record))
        found = self._results.get(key)
        if found is None:
            outcome = self._records.outcome(played.state, played.record)
            found = outcome, canonical(outcome_to_json(outcome))
            if len(self._results) < _REMEMBERED:
                self._results[key] = found
        return found
