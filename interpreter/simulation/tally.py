"""Adds games up to the statistics of a simulation."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, fields
from fractions import Fraction
from math import inf
from statistics import median
from typing import Any

from gemwright.interpreter.simulation.players import sampler_of
from gemwright.interpreter.simulation.playing import GameRecord, Played, Work

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


class Counts:
    """What games add up to; parts of a simulation are counted apart and added in any order."""

    def __init__(self, players: int) -> None:
        self._wins = [Fraction()] * players
        self._match_wins = [Fraction()] * players
        self._points = [0] * players
        self.lengths: Counter[int] = Counter()
        self.reasons: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.actions: Counter[str] = Counter()
        self.games = self.moves = self.unfinished = self.nobody = self.matches = 0
        self.least: int | None = None
        self.choices = self.most = 0
        self.begun = inf
        self.ended = 0.0
        self.units = 0

    def add(self, played: Played) -> None:
        """Add one game, or the games of one match."""
        self.units += 1
        for game in played.games:
            self._add_game(game)
        if played.match is not None:
            self.matches += 1
            _split(self._match_wins, played.match.winners)
            for seat, points in enumerate(played.match.points):
                self._points[seat] += points
        self.begun, self.ended = min(self.begun, played.begun), max(self.ended, played.ended)

    def _add_game(self, game: GameRecord) -> None:
        self.games += 1
        self.moves += game.moves
        self.actions.update(game.actions)
        if game.branching is not None:
            low, total, high = game.branching
            self._widen(low, high)
            self.choices += total
        if game.outcome is None:
            self.problems.update([game.problem] if game.problem else [])
            self.unfinished += not game.problem
            return
        self.lengths[game.moves] += 1
        self.reasons[game.outcome.reason] += 1
        self.nobody += not game.outcome.winners
        _split(self._wins, game.outcome.winners)

    def _widen(self, least: int, most: int) -> None:
        self.least = least if self.least is None else min(self.least, least)
        self.most = max(self.most, most)

    def merge(self, other: Counts) -> None:
        """Add what was counted elsewhere."""
        for name in ("lengths", "reasons", "problems", "actions"):
            getattr(self, name).update(getattr(other, name))
        for name in ("games", "moves", "unfinished", "nobody", "matches", "choices", "units"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("_wins", "_match_wins", "_points"):
            pairs = zip(getattr(self, name), getattr(other, name), strict=True)
            setattr(self, name, [one + two for one, two in pairs])
        if other.least is not None:
            self._widen(other.least, other.most)
        self.begun, self.ended = min(self.begun, other.begun), max(self.ended, other.ended)

    @property
    def finished(self) -> int:
        """Games that reached a result."""
        return self.reasons.total()

    @property
    def seconds(self) -> float:
        """Wall time from the first game to the last; 0 without any."""
        return max(self.ended - self.begun, 1e-9) if self.units else 0.0

    @property
    def wins(self) -> tuple[Number, ...]:
        """Victories in seat order; shared ones are split."""
        return _numbers(self._wins)

    @property
    def length(self) -> Spread:
        """Moves of finished games, with the median."""
        if not self.lengths:
            return Spread(None, None, None)
        middle = median(sorted(self.lengths.elements()))
        return Spread(min(self.lengths), middle, max(self.lengths))

    @property
    def branching(self) -> Spread:
        """Legal moves per decision, with the mean."""
        if self.least is None:
            return Spread(None, None, None)
        return Spread(self.least, round(self.choices / self.moves, 3), self.most)

    @property
    def match(self) -> MatchTally:
        """The matches."""
        wins = _numbers(self._match_wins)
        return MatchTally(self.units, self.matches, wins, tuple(self._points))


class Tally:
    """Takes games in the order of their numbers, or parts of a simulation in theirs."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._digest = hashlib.sha256()
        self._counts = Counts(players)

    @property
    def units(self) -> int:
        """Games or matches so far."""
        return self._counts.units

    def add(self, played: Played) -> None:
        """Add one game, or the games of one match."""
        self._counts.add(played)
        for game in played.games:
            self._digest.update(game.final)

    def merge(self, counts: Counts, finals: bytes) -> None:
        """Add a part of the simulation: what it counted, and the final states one after another."""
        self._counts.merge(counts)
        self._digest.update(finals)

    def result(self, work: Work, setup_seconds: float, jobs: int) -> SimulationResult:
        """The statistics of what was added."""
        counts, seconds = self._counts, self._counts.seconds
        samplers = [sampler_of(strategy) for strategy in work.seats]
        names = (*(action.name for action in work.model.actions), "pass")
        return SimulationResult(
            ruleset=work.model.name,
            players=self._players,
            options=dict(work.model.options),
            seed=work.seed,
            engine=work.engine,
            seats=work.seats,
            sampler=samplers[0] if len(set(samplers)) == 1 else ",".join(samplers),
            jobs=jobs,
            games=counts.games,
            finished=counts.finished,
            unfinished=counts.unfinished,
            capped=counts.reasons["capped"],
            stalemates=counts.reasons["stalemate"],
            problems=dict(counts.problems),
            moves=counts.moves,
            wins=counts.wins,
            nobody=counts.nobody,
            length=counts.length,
            branching=counts.branching,
            actions={name: counts.actions[name] for name in names if name in counts.actions},
            seconds=round(seconds, 6),
            setup_seconds=round(setup_seconds, 6),
            games_per_second=round(counts.games / seconds, 3) if seconds else 0.0,
            moves_per_second=round(counts.moves / seconds, 3) if seconds else 0.0,
            digest=self._digest.hexdigest(),
            match=counts.match if work.match else None,
        )


def _split(wins: list[Fraction], winners: tuple[int, ...]) -> None:
    """Give each winner his part of one victory."""
    for seat in winners:
        wins[seat] += Fraction(1, len(winners))


def _numbers(wins: list[Fraction]) -> tuple[Number, ...]:
    """Whole numbers where they are, else rounded to six places."""
    return tuple(won.numerator if won.denominator == 1 else round(float(won), 6) for won in wins)
