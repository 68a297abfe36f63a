"""Splendor written by hand in Python, the way one would without a rules language.

It plays the default rules of rulesets/splendor and nothing else: payments with gold, returns and
nobles are decisions. Objects and lists, no tricks, no needless copies. tests/bench/checking.py
compares it with the reference state for state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

GEMS = 5
GOLD = 5
LEVELS = 3
ROW = 4
TOKENS_OF_A_GEM = 7
TOKENS_OF_GOLD = 5
MOST_TOKENS = 10
MOST_RESERVED = 3
ENOUGH_POINTS = 15
MOST_ROUNDS = 200

Below = Callable[[int], int]
"""A random number from 0 to one less than the argument."""

Tokens = list[int] | tuple[int, ...]
"""How many of each gem, and of gold at the end."""


@dataclass(frozen=True, slots=True)
class Card:
    number: int
    level: int
    bonus: int
    points: int
    price: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Noble:
    number: int
    points: int
    demand: tuple[int, ...]


@dataclass(slots=True)
class Player:
    tokens: list[int] = field(default_factory=lambda: [0] * (GEMS + 1))
    bonuses: list[int] = field(default_factory=lambda: [0] * GEMS)
    bought: list[Card] = field(default_factory=list)
    reserved: list[Card] = field(default_factory=list)
    reserved_unseen: list[Card] = field(default_factory=list)
    nobles: list[Noble] = field(default_factory=list)
    points: int = 0

    def due(self, card: Card) -> list[int]:
        """What is left to pay of each gem."""
        return [max(0, card.price[gem] - self.bonuses[gem]) for gem in range(GEMS)]

    def pleases(self, noble: Noble) -> bool:
        return all(self.bonuses[gem] >= noble.demand[gem] for gem in range(GEMS))


# -- moves


@dataclass(slots=True)
class TakeDifferent:
    gems: tuple[int, ...]


@dataclass(slots=True)
class TakePair:
    gem: int


@dataclass(slots=True)
class Reserve:
    card: Card


@dataclass(slots=True)
class ReserveUnseen:
    level: int


@dataclass(slots=True)
class Buy:
    card: Card
    paid: tuple[int, ...]


@dataclass(slots=True)
class Return:
    tokens: tuple[int, ...]


@dataclass(slots=True)
class Receive:
    noble: Noble


Move = TakeDifferent | TakePair | Reserve | ReserveUnseen | Buy | Return | Receive


# -- the game


class Splendor:
    """A game in progress: `moves` are the legal moves of `active`, none once it has ended."""

    def __init__(self, players: int, cards: list[Card], nobles: list[Noble], below: Below) -> None:
        self.bank = [TOKENS_OF_A_GEM] * GEMS + [TOKENS_OF_GOLD]
        self.players = [Player() for _ in range(players)]
        self.decks = [[card for card in cards if card.level == level] for level in range(LEVELS)]
        self.rows: list[list[Card | None]] = []
        for deck in self.decks:
            shuffle(deck, below)
            self.rows.append([deck.pop() for _ in range(ROW)])
        left = list(nobles)
        self.nobles = [left.pop(below(len(left))) for _ in range(players + 1)]
        self.first = self.active = below(players)
        self.last_round = False
        self.idle = 0
        self.rounds = 1
        self.ended = ""
        self.moves: list[Move] = []
        self.begin_turn()

    def play(self, move: Move) -> None:
        """Make a legal move and go on to the next decision."""
        player = self.players[self.active]
        match move:
            case TakeDifferent(gems):
                for gem in gems:
                    self.bank[gem] -= 1
                    player.tokens[gem] += 1
            case TakePair(gem):
                self.bank[gem] -= 2
                player.tokens[gem] += 2
            case Reserve(card):
                self.take_from_row(card)
                player.reserved.append(card)
                self.give_gold(player)
            case ReserveUnseen(level):
                player.reserved_unseen.append(self.decks[level].pop())
                self.give_gold(player)
            case Buy(card, paid):
                self.buy(player, card, paid)
            case Return(tokens):
                self.pay(player, tokens)
                self.welcome_nobles()
                return
            case Receive(noble):
                self.nobles.remove(noble)
                player.nobles.append(noble)
                player.points += noble.points
                self.end_turn()
                return
        self.idle = 0
        excess = sum(player.tokens) - MOST_TOKENS
        if excess > 0:
            self.moves = [Return(tokens) for tokens in returns(player.tokens, excess)]
        else:
            self.welcome_nobles()

    # -- from turn to turn

    def begin_turn(self) -> None:
        self.moves = self.actions()
        if not self.moves:
            self.idle += 1
            self.welcome_nobles()

    def welcome_nobles(self) -> None:
        player = self.players[self.active]
        self.moves = [Receive(noble) for noble in self.nobles if player.pleases(noble)]
        if not self.moves:
            self.end_turn()

    def end_turn(self) -> None:
        self.moves = []
        if self.players[self.active].points >= ENOUGH_POINTS:
            self.last_round = True
        if self.idle == len(self.players) and not self.last_round:
            self.ended = "stalemate"
            return
        self.active = (self.active + 1) % len(self.players)
        if self.active == self.first:
            if self.last_round:
                self.ended = "finished"
                return
            if self.rounds == MOST_ROUNDS:
                self.ended = "capped"
                return
            self.rounds += 1
        self.begin_turn()

    # -- what a player may do

    def actions(self) -> list[Move]:
        player = self.players[self.active]
        there = [gem for gem in range(GEMS) if self.bank[gem]]
        moves: list[Move] = []
        if there:
            moves += [TakeDifferent(gems) for gems in combinations(there, min(3, len(there)))]
        moves += [TakePair(gem) for gem in there if self.bank[gem] >= 4]
        on_table = [card for row in self.rows for card in row if card]
        if len(player.reserved) + len(player.reserved_unseen) < MOST_RESERVED:
            moves += [Reserve(card) for card in on_table]
            moves += [ReserveUnseen(level) for level in range(LEVELS) if self.decks[level]]
        for card in on_table + player.reserved + player.reserved_unseen:
            moves += [Buy(card, paid) for paid in payments(player.due(card), player.tokens)]
        return moves

    # -- what moves do

    def give_gold(self, player: Player) -> None:
        if self.bank[GOLD]:
            self.bank[GOLD] -= 1
            player.tokens[GOLD] += 1

    def pay(self, player: Player, tokens: Tokens) -> None:
        for token, number in enumerate(tokens):
            player.tokens[token] -= number
            self.bank[token] += number

    def buy(self, player: Player, card: Card, paid: Tokens) -> None:
        self.pay(player, paid)
        if card in player.reserved:
            player.reserved.remove(card)
        elif card in player.reserved_unseen:
            player.reserved_unseen.remove(card)
        else:
            self.take_from_row(card)
        player.bought.append(card)
        player.bonuses[card.bonus] += 1
        player.points += card.points

    def take_from_row(self, card: Card) -> None:
        deck, row = self.decks[card.level], self.rows[card.level]
        row[row.index(card)] = deck.pop() if deck else None

    # -- the end

    def winners(self) -> list[int]:
        """Most points win, then fewest cards; a tie after that is shared."""
        merits = [(player.points, -len(player.bought)) for player in self.players]
        return [seat for seat, merit in enumerate(merits) if merit == max(merits)]


def shuffle(cards: list[Card], below: Below) -> None:
    for place in range(len(cards) - 1, 0, -1):
        other = below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]


def payments(due: list[int], tokens: list[int]) -> list[tuple[int, ...]]:
    """Every way to pay: gold stands for any gem."""
    gold, short = tokens[GOLD], 0
    for gem in range(GEMS):
        if due[gem] > tokens[gem]:
            short += due[gem] - tokens[gem]
    if short > gold:
        return []
    ways: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for gem in range(GEMS):
        need, most = due[gem], min(due[gem], tokens[gem])
        ways = [
            ((*paid, number), used + need - number)
            for paid, used in ways
            for number in range(most + 1)
            if used + need - number <= gold
        ]
    return [(*paid, used) for paid, used in ways]


def returns(tokens: list[int], excess: int) -> list[tuple[int, ...]]:
    """Every way to give so many tokens back."""
    ways: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for have in tokens:
        ways = [
            ((*back, number), total + number)
            for back, total in ways
            for number in range(min(have, excess - total) + 1)
        ]
    return [back for back, total in ways if total == excess]
