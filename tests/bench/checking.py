"""Holds hand-written programs for Splendor against the reference engine, state for state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import load
from tests.bench import splendor_twin as twin
from tests.bench.facts import (
    EMPTY,
    Choice,
    Facts,
    ReferenceFacts,
    card_table,
    noble_table,
    per_gem,
)
from tests.bench.facts import GEMS as names

GEMS = range(twin.GEMS)


class Twin(Protocol):
    """A game in progress in a hand-written program."""

    def facts(self) -> Facts:
        """Its state."""

    def play(self, choice: Choice) -> None:
        """Make a legal move."""


MakeTwin = Callable[[int, int, int], Twin]
"""Starts game number (third) of a seed (second) with so many players (first)."""


def check(makes: Sequence[MakeTwin], players: int, seed: int, games: range) -> int:
    """Play games at random and compare every state of every program; how many states there were.

    Raises:
        AssertionError: two states differ.
    """
    game = load("splendor", players)
    compared = 0
    for number in games:
        state = game.start(seed, number)
        twins = [make(players, seed, number) for make in makes]
        reader = ReferenceFacts(state)
        luck = Stream(seed, number, 1)
        while True:
            wanted = reader.facts(state)
            for one in twins:
                where = f"{type(one).__name__}, game {number} of seed {seed}, {players} players"
                assert one.facts() == wanted, where
            compared += 1
            if state.is_over:
                break
            decision = state.pending[0]
            move = decision.nth(luck.below(decision.count()))
            for one in twins:
                one.play(reader.choice(move))
            state.apply(move)
    return compared


# -- the twin in Python


def cards() -> list[twin.Card]:
    """The cards as the twin in Python has them."""
    return [
        twin.Card(
            at,
            int(row["level"]) - 1,
            names.index(row["bonus"]),
            int(row["points"]),
            per_gem(row),
        )
        for at, row in enumerate(card_table())
    ]


def nobles() -> list[twin.Noble]:
    """The nobles as the twin in Python has them."""
    return [
        twin.Noble(at, int(row["points"]), per_gem(row)) for at, row in enumerate(noble_table())
    ]


class PythonTwin:
    """The twin in Python, with the chance of the language."""

    def __init__(self, players: int, seed: int, number: int) -> None:
        self._luck = Stream(seed, number)
        self._game = twin.Splendor(players, cards(), nobles(), self._luck.below)

    def facts(self) -> Facts:
        """See `Twin`."""
        game, players = self._game, self._game.players
        return Facts(
            bank=tuple(game.bank),
            tokens=tuple(tuple(player.tokens) for player in players),
            decks=tuple(tuple(card.number for card in deck) for deck in game.decks),
            rows=tuple(tuple(card.number if card else EMPTY for card in row) for row in game.rows),
            reserved=tuple(_numbers(player.reserved) for player in players),
            reserved_unseen=tuple(_numbers(player.reserved_unseen) for player in players),
            bought=tuple(_numbers(player.bought) for player in players),
            court=_numbers(game.nobles),
            nobles=tuple(_numbers(player.nobles) for player in players),
            first=game.first,
            active=EMPTY if game.ended else game.active,
            last_round=game.last_round,
            idle=game.idle,
            rounds=game.rounds,
            draws=self._luck.tick,
            moves=tuple(sorted(map(choice, game.moves))),
            ended=game.ended,
            scores=tuple(player.points for player in players) if game.ended else (),
            winners=tuple(game.winners()) if game.ended else (),
        )

    def play(self, choice_: Choice) -> None:
        """See `Twin`."""
        (move,) = [move for move in self._game.moves if choice(move) == choice_]
        self._game.play(move)


def choice(move: twin.Move) -> Choice:
    """A move of the twin in Python."""
    match move:
        case twin.TakeDifferent(gems):
            return "take_different", EMPTY, tuple(int(gem in gems) for gem in GEMS)
        case twin.TakePair(gem):
            return "take_pair", gem, ()
        case twin.Reserve(card):
            return "reserve", card.number, ()
        case twin.ReserveUnseen(level):
            return "reserve_unseen_card", level, ()
        case twin.Buy(card, paid):
            return "buy", card.number, paid
        case twin.Return(tokens):
            return "return_tokens", EMPTY, tokens
        case twin.Receive(noble):
            return "receive", noble.number, ()


def _numbers(things: list[twin.Card] | list[twin.Noble]) -> tuple[int, ...]:
    return tuple(sorted(thing.number for thing in things))
