"""Adds games up to the statistics of a simulation."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, fields
from fractions import Fraction
from statistics import median
from typing import Any

from gemwright.interpreter.players import sampler_of
from gemwright.interpreter.playing import GameRecord, Played, Work

Number = int | float


@dataclass(frozen=True, slots=True)
class Spread:
    """The least, middle and greatest of some numbers; None where there are none."""

    min: Number | None
    middle: Number | None
    max: Number | None


@dataclass(frozen=True, slots=True)
class MatchTally:
    """Matches of several games: wins and total points in seat order."""

    matches: int
    finished: int
    wins: tuple[Number, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """Many games, added up. Per-player lists stand in seat order.

    `finished` games reached a result, by stalemate or cap too; `unfinished` were given up after too
    many moves; `problems` says what stopped the others. `moves` are completed decisions. In `wins`
    a shared victory is split. `branching` counts the legal moves per decision (middle: the mean),
    `length` the moves per finished game (middle: the median). `seconds` is wall time of playing.
    `digest` is the SHA-256, in hex, over each game in order: its final state in canonical form,
    then its result as JSON with sorted keys and without spaces (`null` where there is none).
    """

    ruleset: str
    players: int
    options: dict[str, int | str]
    seed: int
    engine: str
    seats: tuple[str, ...]
    sampler: str
    jobs: int
    games: int
    finished: int
    unfinished: int
    capped: int
    stalemates: int
    problems: dict[str, int]
    moves: int
    wins: tuple[Number, ...]
    nobody: int
    length: Spread
    branching: Spread
    actions: dict[str, int]
    seconds: float
    setup_seconds: float
    games_per_second: float
    moves_per_second: float
    digest: str
    match: MatchTally | None

    def to_json(self) -> dict[str, Any]:
        """The object that `gemwright simulate --format json` prints."""
        data = {each.name: getattr(self, each.name) for each in fields(self)}
        data["seats"], data["wins"] = list(self.seats), list(self.wins)
        for name, middle in (("length", "median"), ("branching", "mean")):
            spread: Spread = getattr(self, name)
            data[name] = {"min": spread.min, middle: spread.middle, "max": spread.max}
        if self.match is None:
            del data["match"]
        else:
            data["match"] = {
                "matches": self.match.matches,
                "finished": self.match.finished,
                "wins": list(self.match.wins),
                "points": list(self.match.points),
            }
        return data


class Tally:
    """Takes games one after another, in the order of their numbers."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._digest = hashlib.sha256()
        self._lengths: list[int] = []
        self._reasons: Counter[str] = Counter()
        self._problems: Counter[str] = Counter()
        self._actions: Counter[str] = Counter()
        self._wins = [Fraction()] * players
        self._match_wins = [Fraction()] * players
        self._points = [0] * players
        self._games = self._moves = self._unfinished = self._nobody = self._matches = 0
        self._least: int | None = None
        self._choices = self._most = 0
        self._begun: float | None = None
        self._ended = 0.0
        self.units = 0

    def add(self, played: Played) -> None:
        """Add one game, or the games of one match."""
        self.units += 1
        for game in played.games:
            self._add_game(game)
        if played.match is not None:
            self._matches += 1
            _split(self._match_wins, played.match.winners)
            for seat, points in enumerate(played.match.points):
                self._points[seat] += points
        self._begun = played.begun if self._begun is None else min(self._begun, played.begun)
        self._ended = max(self._ended, played.ended)

    def _add_game(self, game: GameRecord) -> None:
        self._games += 1
        self._moves += game.moves
        self._digest.update(game.final)
        self._actions.update(game.actions)
        if game.branching is not None:
            low, total, high = game.branching
            self._least = low if self._least is None else min(self._least, low)
            self._choices += total
            self._most = max(self._most, high)
        if game.outcome is None:
            self._problems.update([game.problem] if game.problem else [])
            self._unfinished += not game.problem
            return
        self._lengths.append(game.moves)
        self._reasons[game.outcome.reason] += 1
        self._nobody += not game.outcome.winners
        _split(self._wins, game.outcome.winners)

    def result(self, work: Work, setup_seconds: float, jobs: int) -> SimulationResult:
        """The statistics of what was added."""
        seconds = 0.0 if self._begun is None else max(self._ended - self._begun, 1e-9)
        samplers = [sampler_of(strategy) for strategy in work.seats]
        return SimulationResult(
            ruleset=work.model.name,
            players=self._players,
            options=dict(work.model.options),
            seed=work.seed,
            engine=work.engine,
            seats=work.seats,
            sampler=samplers[0] if len(set(samplers)) == 1 else ",".join(samplers),
            jobs=jobs,
            games=self._games,
            finished=len(self._lengths),
            unfinished=self._unfinished,
            capped=self._reasons["capped"],
            stalemates=self._reasons["stalemate"],
            problems=dict(self._problems),
            moves=self._moves,
            wins=_numbers(self._wins),
            nobody=self._nobody,
            length=self._length(),
            branching=self._branching(),
            actions={
                name: self._actions[name]
                for name in (*(action.name for action in work.model.actions), "pass")
                if name in self._actions
            },
            seconds=round(seconds, 6),
            setup_seconds=round(setup_seconds, 6),
            games_per_second=round(self._games / seconds, 3) if seconds else 0.0,
            moves_per_second=round(self._moves / seconds, 3) if seconds else 0.0,
            digest=self._digest.hexdigest(),
            match=self._match() if work.match else None,
        )

    def _length(self) -> Spread:
        if not self._lengths:
            return Spread(None, None, None)
        return Spread(min(self._lengths), median(self._lengths), max(self._lengths))

    def _branching(self) -> Spread:
        if self._least is None:
            return Spread(None, None, None)
        return Spread(self._least, round(self._choices / self._moves, 3), self._most)

    def _match(self) -> MatchTally:
        wins = _numbers(self._match_wins)
        return MatchTally(self.units, self._matches, wins, tuple(self._points))


def _split(wins: list[Fraction], winners: tuple[int, ...]) -> None:
    """Give each winner his part of one victory."""
    for seat in winners:
        wins[seat] += Fraction(1, len(winners))


def _numbers(wins: list[Fraction]) -> tuple[Number, ...]:
    """Whole numbers where they are, else rounded to six places."""
    return tuple(won.numerator if won.denominator == 1 else round(float(won), 6) for won in wins)
