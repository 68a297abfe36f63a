"""One row for each game of a simulation, as tables and files of records have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gemwright.interpreter.simulation.playing import Played

GIVEN_UP: Final = "given_up"
PROBLEM: Final = "problem"


@dataclass(frozen=True, slots=True)
class GameRow:
    """What is told of one game. Players are numbered from 1 in seat order.

    `game` is the number of the game under the seed of the simulation, or that of its match.
    `ended` is the reason of the result, `given_up` after too many moves, or `problem` for a rule
    that broke; then there are neither scores nor ranks. A score is None where the rules have none.
    """

    game: int
    moves: int
    ended: str
    winners: tuple[int, ...]
    scores: tuple[int | None, ...]
    ranks: tuple[int, ...]

    def cells(self, seed: int, players: int) -> list[int | str]:
        """The row as cells of text files, in the order of `head`."""
        scores = ["" if score is None else score for score in self.scores]
        winners = " ".join(map(str, self.winners))
        empty = [""] * players
        return [
            seed, self.game, self.moves, self.ended, winners,
            *(scores or empty), *(self.ranks or empty),
        ]  # fmt: skip


def head(players: int) -> list[str]:
    """The names of the columns."""
    seats = range(1, players + 1)
    return [
        "seed", "game", "moves", "ended", "winners",
        *(f"score_{seat}" for seat in seats), *(f"rank_{seat}" for seat in seats),
    ]  # fmt: skip


def rows_of(number: int, played: Played) -> list[GameRow]:
    """The rows of game or match `number`; a match has one for each of its games, in order."""
    rows: list[GameRow] = []
    for game in played.games:
        outcome = game.outcome
        if outcome is None:
            ended = PROBLEM if game.problem else GIVEN_UP
            rows.append(GameRow(number, game.moves, ended, (), (), ()))
        else:
            winners = tuple(seat + 1 for seat in outcome.winners)
            scores, ranks = outcome.scores, outcome.ranks
            rows.append(GameRow(number, game.moves, outcome.reason, winners, scores, ranks))
    return rows
