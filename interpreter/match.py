"""Games in a row: a match as the rules declare it, or one single game.

A match plays game after game of one game model, adds the points of the players up, and ranks them.
Without a `match` in the rules, or when none is wanted, it is one game and the result is that of
the game. The final states of its games are all that a match knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemwright.dsl.diagnostics import Diagnostic
from gemwright.interpreter.block import initial_block
from gemwright.interpreter.chance import BlockChance, key
from gemwright.interpreter.game import Game
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.state import State

MOST_EXTRA_GAMES = 100
"""So often a tie may be played off; then the victory is shared."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game of a match; `points` in seat order, 0 without a match. Public."""

    outcome: Outcome
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The result of a match, in seat order: total points, shared 1-based ranks, winners."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]


class Match:
    """A match in progress. `state` is the game that is being played, or the last one.

    Game number k of the match (from 0) takes its chance from `game_index + k` of the seed.
    """

    def __init__(
        self, game: Game, seed: int, game_index: int = 0, *, several: bool = False
    ) -> None:
        """Start the first game.

        Args:
            several: play all games that the rules declare; otherwise one game.

        Raises:
            ValueError: several games are wanted, but the rules declare no match.
        """
        if several and game.model.match is None:
            raise ValueError(f"the rules of `{game.name}` declare no match")
        self.game = game
        self.seed = seed
        self.first_index = game_index
        self._rules = game.model.match if several else None
        self.played: tuple[PlayedGame, ...] = ()
        self._open = True
        self.state = game.start(seed, game_index)
        self.starter = self._who_starts()

    @property
    def several(self) -> bool:
        """Whether this is a match and not one single game."""
        return self._rules is not None

    @property
    def index(self) -> int:
        """The game index of `state`."""
        return self.first_index + len(self.played) - (0 if self._open else 1)

    @property
    def games(self) -> int:
        """How many games the match has, without play-offs."""
        return self._rules.games if self._rules else 1

    @property
    def problem(self) -> Diagnostic | None:
        """What stopped the current game, and with it the match."""
        return self.state.problem

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self.state.problem is not None or not self._open

    @property
    def outcome(self) -> MatchOutcome | None:
        """The result of a match that is over; None for a single game and before the end."""
        if not self.several or self.problem is not None or not self.is_over:
            return None
        return self._standing()

    @property
    def totals(self) -> tuple[int, ...]:
        """The points so far, in seat order."""
        seats = range(self.game.players)
        return tuple(sum(game.points[seat] for game in self.played) for seat in seats)

    def close_game(self) -> PlayedGame:
        """Count the game that has just ended, and start the next one if there is one.

        Raises:
            ValueError: the current game has no result, or was counted already.
        """
        outcome = self.state.result
        if outcome is None or not self._open:
            raise ValueError("no game has just ended")
        done = PlayedGame(outcome, self._points(self.state))
        self.played = (*self.played, done)
        self._open = len(self.played) < self.games or self._plays_off()
        if self._open:
            starter = self._next_starter(outcome)
            self.state = self._start(self.first_index + len(self.played), starter)
            self.starter = self._who_starts()
        return done

    # -- points and ranks

    def _points(self, state: State) -> tuple[int, ...]:
        if self._rules is None:
            return (0,) * self.game.players
        machine = self.game.machine
        return tuple(
            int(machine.evaluator.value(self._rules.points, state.block, machine.layout.frame(p)))
            for p in range(self.game.players)
        )

    def _standing(self) -> MatchOutcome:
        """Ranks by total points, then by the keys that the rules give, read in the last state."""
        assert self._rules is not None
        machine = self.game.machine
        totals = self.totals
        merits: list[tuple[int, ...]] = []
        for seat in range(self.game.players):
            merit = [totals[seat]]
            for each in self._rules.keys:
                frame = machine.layout.frame(seat)
                value = int(machine.evaluator.value(each.term, self.state.block, frame))
                merit.append(value if each.highest else -value)
            merits.append(tuple(merit))
        ranks = tuple(1 + sum(other > merit for other in merits) for merit in merits)
        return MatchOutcome(totals, ranks, tuple(s for s, rank in enumerate(ranks) if rank == 1))

    def _plays_off(self) -> bool:
        """Whether the games of the match are over and a tie is to be played off."""
        if self._rules is None or not self._rules.extra_game_on_tie:
            return False
        extra = len(self.played) - self._rules.games
        return extra < MOST_EXTRA_GAMES and len(self._standing().winners) > 1

    # -- who starts

    def _next_starter(self, outcome: Outcome) -> int | None:
        """The seat that starts the next game; None leaves it to the setup."""
        if self._rules is None or self.starter is None:
            return None
        if self._rules.start_option == "left":
            return (self.starter + 1) % self.game.players
        if self._rules.start_option == "winner" and len(outcome.winners) == 1:
            return outcome.winners[0]
        return None

    def _who_starts(self) -> int | None:
        """The seat that starts the current game, as its state says after the setup."""
        if self._rules is None or self._rules.start_variable is None:
            return None
        variable = self.game.model.variables[self._rules.start_variable]
        return self.state.block[variable.offset]

    def _start(self, index: int, starter: int | None) -> State:
        if starter is None:
            return self.game.start(self.seed, index)
        model = self.game.model
        block = initial_block(model, key(self.seed, index))
        chance = _StartChance(BlockChance(block, model.chance_offset), starter)
        state = State.started(self.game.machine, block, chance, None)
        # From here on the chance of the game is its own again.
        state.chance = None
        return state


class _StartChance:
    """The chance of a setup whose first random player is already known; it still costs its tick."""

    def __init__(self, base: BlockChance, starter: int) -> None:
        self._base = base
        self._starter: int | None = starter

    def piece(self, zone: int, faces: Sequence[int], counts: Sequence[int]) -> int:
        return self._base.piece(zone, faces, counts)

    def shuffle(self, zone: int, faces: list[int]) -> list[int]:
        return self._base.shuffle(zone, faces)

    def player(self, seats: Sequence[int]) -> int:
        drawn = self._base.player(seats)
        starter, self._starter = self._starter, None
        return drawn if starter is None or starter not in seats else starter

    def value(self, values: Sequence[int]) -> int:
        return self._base.value(values)

    def place(self, zone: int, n: int) -> int:
        return self._base.place(zone, n)
