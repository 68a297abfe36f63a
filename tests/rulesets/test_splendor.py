"""Splendor against counts and facts that were worked out without its rules file."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.moves import Move
from gemwright.interpreter.replay import replay
from gemwright.interpreter.saves import Header, Recorder, read_save
from gemwright.interpreter.state import State

GEMS = ("white", "blue", "green", "red", "black")
GOLD = "gold"
HOLDINGS = 1_000
DEALS = 8
"""So many holdings stand before the same table."""


def cards() -> list[dict[str, str]]:
    table = bundled()["splendor"].with_name("developments.csv")
    with table.open(encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def price(card: dict[str, str]) -> tuple[int, ...]:
    return tuple(int(card[gem]) for gem in GEMS)


# -- the deck: the sums are those of the published cards


@pytest.mark.parametrize(("level", "each", "demand", "points"), [
    ("1", 8, 33, 5), ("2", 6, 41, 55), ("3", 4, 43, 80),
])  # fmt: skip
def test_the_deck_adds_up(level: str, each: int, demand: int, points: int) -> None:
    found = [card for card in cards() if card["level"] == level]
    assert Counter(card["bonus"] for card in found) == dict.fromkeys(GEMS, each)
    assert [sum(column) for column in zip(*map(price, found), strict=True)] == [demand] * 5
    assert sum(int(card["points"]) for card in found) == points


def test_a_card_is_called_by_its_bonus_and_price() -> None:
    letters = "wugrk"
    for card in cards():
        costs = [f"{letters[at]}{n}" for at, n in enumerate(price(card)) if n]
        assert card["name"] == f"{card['bonus']}_{''.join(costs)}"
    assert max(sum(price(card)) for card in cards()) == 14


# -- the opening


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chips", ["seven", "by_players"])
def test_the_opening_has_thirty_moves(players: int, chips: str) -> None:
    (decision,) = load("splendor", players, {"chips_each": chips}).start(5).pending
    moves = list(decision.moves())
    assert len(set(moves)) == len(moves) == decision.count()
    kinds = Counter(move.action for move in moves)
    assert kinds == {
        "take_different": 10, "take_pair": 5, "reserve": 12, "reserve_unseen_card": 3,
    }  # fmt: skip
    assert not decision.can_pass


# -- payments


class Holdings:
    """Random hands in front of a random table, and what they can buy by brute force."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = Random(seed)
        self.table, self.dealt = game.start(0), 0
        self.faces = {face.name: face.id for face in game.model.faces}
        labels = game.machine.layout.instance_label
        self.at = {label: number for number, label in enumerate(labels)}
        self.prices = {card["name"]: price(card) for card in cards()}
        self.bonus = {card["name"]: card["bonus"] for card in cards()}

    def deal(self) -> State:
        """A state at P1's action with chips, bonuses and reserved cards."""
        if self.dealt % DEALS == 0:
            self.table = self.game.start(self.dealt)
        self.dealt += 1
        block = self.table.block.copy()
        for token in (*GEMS, GOLD):
            count = self.random.choice((0, 0, 1, 1, 2, 2, 3, 4, 5))
            self._move(token, "bank", "purse[P1]", count, block)
        for level in ("1", "2", "3"):
            pile = self._names(f"deck[{level}]", block)
            self.random.shuffle(pile)
            for name in pile[: self.random.randrange(6)]:
                self._move(name, f"deck[{level}]", "bought[P1]", 1, block)
            for name in pile[6 : 6 + self.random.randrange(2)]:
                target = self.random.choice(("reserved[P1]", "reserved_unseen[P1]"))
                self._move(name, f"deck[{level}]", target, 1, block)
        return State.resting(self.game.machine, block)

    def _move(self, name: str, source: str, target: str, count: int, block: list[int]) -> None:
        places, face = self.game.machine.places, self.faces[name]
        places.take(self.at[source], face, count, block)
        for _ in range(count):
            places.put(self.at[target], face, 1, block)

    def _names(self, zone: str, block: list[int]) -> list[str]:
        pieces = self.game.machine.places.pieces(self.at[zone], block)
        return [self.game.model.faces[face].name for face in pieces]

    def payments(self, state: State, thrifty: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Every card with every heap of chips in hand that pays for it exactly."""
        block = state.block
        held = Counter(self._names("purse[P1]", block))
        bonuses = Counter(self.bonus[name] for name in self._names("bought[P1]", block))
        zones = ["row[1]", "row[2]", "row[3]", "reserved[P1]", "reserved_unseen[P1]"]
        for name in [each for zone in zones for each in self._names(zone, block)]:
            due = [max(0, n - bonuses[gem]) for gem, n in zip(GEMS, self.prices[name], strict=True)]
            heaps = product(*[range(held[token] + 1) for token in (*GEMS, GOLD)])
            for heap in heaps if sum(due) <= sum(held.values()) else ():
                short = [n - paid for n, paid in zip(due, heap, strict=False)]
                if min(short) < 0 or sum(short) != heap[-1]:
                    continue
                most = [min(n, held[gem]) for gem, n in zip(GEMS, due, strict=True)]
                if not thrifty or list(heap[:-1]) == most:
                    yield name, heap


@pytest.mark.parametrize("how", ["any_payment", "only_where_needed"])
def test_payments_are_those_of_brute_force(how: str) -> None:
    game = load("splendor", 2, {"pay_gold_first": how, "first_player": "given"})
    holdings = Holdings(game, seed=17)
    several = 0
    for _ in range(HOLDINGS // 2):
        state = holdings.deal()
        (decision,) = state.pending
        bought = [move for move in decision.moves() if move.action == "buy"]
        found = sorted((_card(game, move), move.values[1]) for move in bought)
        wanted = sorted(holdings.payments(state, how == "only_where_needed"))
        assert found == wanted
        several += len(wanted) > len({name for name, _ in wanted})
    assert (several > HOLDINGS // 10) == (how == "any_payment")


def _card(game: Game, move: Move) -> str:
    picked = move.values[0]
    assert isinstance(picked, tuple)
    return game.model.faces[picked[1]].name


# -- why the variant without returns ends


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_declared_to_fall_falls(players: int) -> None:
    game = load("splendor_as_printed", players)
    evaluator, layout = game.machine.evaluator, game.machine.layout
    state, stream = game.start(3), Stream(3, 0, 1)
    first = next(each for each in game.model.variables if each.name == "first")
    measured: list[list[int]] = []
    while not state.is_over:
        (decision,) = state.pending
        if decision.phase.endswith("act") and decision.player == state.block[first.offset]:
            frame = layout.frame()
            falling = game.model.decreases
            measured.append([evaluator.value(term, state.block, frame) for term in falling])
        state.apply(decision.sample(stream), decision.player)
    assert len(measured) > 10
    assert all(after < before for before, after in pairwise(measured))


# -- a saved game keeps what each player knows


def test_a_saved_game_keeps_who_knows_what(tmp_path: Path) -> None:
    game = load("splendor", 3, {"first_player": "given"})
    state = game.start(8)
    path = tmp_path / "game.jsonl"
    lines: list[str] = []
    recorder = Recorder(lines.append)
    options = dict(game.model.options)
    recorder.header(Header("", 1, "splendor", game.model.digest, 3, options, 8, ("human",) * 3))
    for action in ("reserve", "reserve_unseen_card"):
        decision = state.pending[0]
        move = next(move for move in decision.moves() if move.action == action)
        state.apply(move, decision.player)
        recorder.decision(state, decision.player, move)
    path.write_text("".join(lines), encoding="utf-8")
    again = replay(game, read_save(path))
    assert again.difference is None
    for viewer in (0, 1, 2, None):
        assert again.match.state.view(viewer) == state.view(viewer)
    others, own = (
        [zone for zone in state.view(seat).zones if zone.zone.startswith("reserved") and zone.size]
        for seat in (2, 1)
    )
    assert [zone.seen for zone in others] == ["full", "hidden"]
    assert others[1].known == ()
    assert [zone.seen for zone in own] == ["full", "full"]
