"""Diam's: the groups that make the number of a diamond, against trying every group there is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

from gemwright.interpreter.block import Layout, initial_block
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.evaluation.places import Places
from gemwright.interpreter.game import load
from gemwright.interpreter.moves import find_action
from gemwright.interpreter.walk.walker import Walker

MARKETS = 1_000
MOST = 14
"""Cards on a market that is tried in full."""

Group = tuple[int, ...]
"""How many of each face, in the order of `Bench.diamonds`."""


class Bench:
    """Markets of the game, and what the walk of a sum says of them."""

    def __init__(self) -> None:
        self.model = load("diams", 2).model
        layout = Layout(self.model)
        self.places = Places(layout)
        self.walker = Walker(self.model, Evaluator(layout, self.places))
        action = find_action(self.model, "sell_sum")
        assert action is not None
        self.action = action
        self.faces = {face.name: face for face in self.model.faces}
        words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        self.numbers = {
            self.faces[f"{word}{end}"].id: number
            for number, word in enumerate(words, 1)
            for end in ("", "_pure")
        }
        self.diamonds = sorted(self.numbers)
        self.hand, self.market = (
            next(zone.first for zone in self.model.zones if zone.name == name)
            for name in ("hand", "market")
        )

    def walk(self, laid: int, market: Counter[int]) -> tuple[int, set[Group]]:
        """The number of groups for a diamond, and all of them, as the walk has them."""
        block = initial_block(self.model, 0)
        self.places.put(self.hand, laid, 1, block)
        for face, count in market.items():
            self.places.put(self.market, face, count, block)
        count = self.walker.count(block, 0, self.action)
        found = set()
        for flat in self.walker.moves(block, 0, self.action):
            assert flat[0] == (self.hand, laid)
            found.add(tuple(each for each in flat[1:] if isinstance(each, int)))
        return count, found

    def tried(self, laid: int, market: Counter[int]) -> Iterator[Group]:
        """Every group of two or more whose numbers make that of the diamond laid."""
        for group in product(*(range(market[face] + 1) for face in self.diamonds)):
            numbers = [self.numbers[face] * n for face, n in zip(self.diamonds, group, strict=True)]
            if sum(group) >= 2 and sum(numbers) == self.numbers[laid]:
                yield group


def test_sums_are_those_of_a_thousand_random_markets() -> None:
    bench = Bench()
    dice = random.Random(4)
    deck = [f for face in bench.model.faces for f in [face.id] * face.count]
    cards = [f for f in deck if f in bench.numbers or bench.model.faces[f].kind == "special"]
    groups = 0
    for _ in range(MARKETS):
        dice.shuffle(cards)
        laid = next(f for f in reversed(cards) if f in bench.numbers)
        market = Counter(cards[: dice.randint(0, MOST)])
        count, found = bench.walk(laid, market)
        wanted = set(bench.tried(laid, market))
        assert found == wanted
        assert count == len(wanted)
        groups += count
    assert groups > MARKETS


def test_a_ten_takes_one_of_290_groups_of_all_diamonds() -> None:
    """By number 36, since some differ in purity only."""
    bench = Bench()
    market = Counter({face: bench.model.faces[face].count for face in bench.diamonds})
    count, found = bench.walk(bench.faces["ten"].id, market)
    assert count == len(found) == 290
    sums = set()
    for group in found:
        held: Counter[int] = Counter()
        for face, n in zip(bench.diamonds, group, strict=True):
            held[bench.numbers[face]] += n
        sums.add(tuple(sorted((+held).items())))
    assert len(sums) == 36
