"""The hand-written C program for Splendor, compiled and called from Python."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CDLL, Structure, byref, c_int8, c_int16, c_int32, c_int64, c_uint64
from functools import cache
from pathlib import Path

from tests.bench.c_compiler import library as compiled
from tests.bench.facts import (
    EMPTY,
    GEMS,
    Choice,
    Facts,
    Numbers,
    card_table,
    noble_table,
    per_gem,
)

SOURCE = Path(__file__).with_name("splendor_twin.c")

CARDS, NOBLES, MOST_PLAYERS = 90, 10, 4
OFFERS = 15
PHASES = ("", "", "", "finished", "stalemate", "capped")
ACTIONS = (
    "take_different", "take_pair", "reserve", "reserve_unseen_card", "buy", "return_tokens",
    "receive",
)  # fmt: skip


class CCard(Structure):
    _fields_ = (("level", c_int8), ("bonus", c_int8), ("points", c_int8), ("price", c_int8 * 5))


class CNoble(Structure):
    _fields_ = (("points", c_int8), ("demand", c_int8 * 5))


class CMove(Structure):
    _fields_ = (("action", c_int32), ("thing", c_int32), ("tokens", c_int32 * 6))


class CPlayer(Structure):
    _fields_ = (
        ("tokens", c_int8 * 6), ("bonuses", c_int8 * 5), ("points", c_int8), ("bought", c_int8),
        ("reserved", c_int8), ("unseen", c_int8), ("nobles", c_int8),
        ("bought_cards", c_int8 * CARDS), ("reserved_cards", c_int8 * 3),
        ("unseen_cards", c_int8 * 3), ("noble_cards", c_int8 * (MOST_PLAYERS + 1)),
    )  # fmt: skip


class CGame(Structure):
    _fields_ = (
        ("key", c_uint64), ("tick", c_uint64),
        ("players", c_int8), ("first", c_int8), ("active", c_int8), ("last_round", c_int8),
        ("idle", c_int8), ("phase", c_int8), ("court", c_int8), ("rounds", c_int16),
        ("bank", c_int8 * 6), ("decks", c_int8 * CARDS * 3), ("deck_size", c_int8 * 3),
        ("rows", c_int8 * 4 * 3), ("nobles", c_int8 * NOBLES),
        ("player", CPlayer * MOST_PLAYERS),
        ("total", c_int32), ("takes", c_int32), ("pairs", c_int32), ("reserves", c_int32),
        ("blind", c_int32), ("offers", c_int32), ("ways", c_int32 * OFFERS),
        ("offered", c_int8 * OFFERS),
    )  # fmt: skip


@cache
def library() -> CDLL:
    """The compiled program, with the tables of cards and nobles.

    Raises:
        RuntimeError: there is no C compiler.
    """
    found = compiled(SOURCE.read_text("utf-8"))
    found.play_games.restype = c_int64
    cards = [
        CCard(int(row["level"]) - 1, GEMS.index(row["bonus"]), int(row["points"]), per_gem(row))
        for row in card_table()
    ]
    nobles = [CNoble(int(row["points"]), per_gem(row)) for row in noble_table()]
    found.set_tables((CCard * CARDS)(*cards), (CNoble * NOBLES)(*nobles))
    return found


def play_games(players: int, seed: int, first: int, games: int) -> int:
    """Play games `first` .. of a seed at random; how many moves they had."""
    return int(library().play_games(players, c_uint64(seed), c_int64(first), c_int64(games)))


class CTwin:
    """A game in progress in the C program; see `checking.Twin`."""

    def __init__(self, players: int, seed: int, number: int) -> None:
        self._game = CGame()
        library().start(byref(self._game), players, c_uint64(seed), c_uint64(number))

    def facts(self) -> Facts:
        """See `Twin`."""
        game = self._game
        players = game.player[: game.players]
        ended = PHASES[game.phase]
        merits = [(player.points, -player.bought) for player in players]
        return Facts(
            bank=tuple(game.bank),
            tokens=tuple(tuple(player.tokens) for player in players),
            decks=tuple(
                tuple(deck[:size]) for deck, size in zip(game.decks, game.deck_size, strict=True)
            ),
            rows=tuple(tuple(row) for row in game.rows),
            reserved=tuple(_sorted(each.reserved_cards, each.reserved) for each in players),
            reserved_unseen=tuple(_sorted(each.unseen_cards, each.unseen) for each in players),
            bought=tuple(_sorted(each.bought_cards, each.bought) for each in players),
            court=_sorted(game.nobles, game.court),
            nobles=tuple(_sorted(each.noble_cards, each.nobles) for each in players),
            first=game.first,
            active=EMPTY if ended else game.active,
            last_round=bool(game.last_round),
            idle=game.idle,
            rounds=game.rounds,
            draws=game.tick,
            moves=tuple(sorted(choice(move) for move in self._moves())),
            ended=ended,
            scores=tuple(points for points, _ in merits) if ended else (),
            winners=tuple(seat for seat, merit in enumerate(merits) if merit == max(merits))
            if ended
            else (),
        )

    def play(self, wanted: Choice) -> None:
        """See `Twin`."""
        (move,) = [move for move in self._moves() if choice(move) == wanted]
        library().play(byref(self._game), byref(move))

    def _moves(self) -> list[CMove]:
        moves = [CMove() for _ in range(self._game.total)]
        for number, move in enumerate(moves):
            library().find(byref(self._game), number, byref(move))
        return moves


def choice(move: CMove) -> Choice:
    """A move of the C program."""
    action = ACTIONS[move.action]
    if action == "take_different":
        return action, EMPTY, tuple(move.tokens[:5])
    has_tokens = action in ("buy", "return_tokens")
    return action, move.thing, tuple(move.tokens) if has_tokens else ()


def _sorted(list_: Sequence[int], size: int) -> Numbers:
    return tuple(sorted(list_[:size]))
