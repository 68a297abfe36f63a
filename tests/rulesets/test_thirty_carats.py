"""30 Carats against an oracle of its own: what each card allows, and what may be offered.

The oracle knows nothing of conditions that are walked. It tries every lot, and where nuggets may
stand for gems it tries every way to turn some of them into gems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import prod

import pytest

from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision

from .carats_table import Lot, Table

AT_START = {
    # Legal combinations of each card at the start, with 3 and with 6 players.
    "T01": (35, 120), "T02": (29, 71), "T04": (15, 36), "T05": (15, 120), "T06": (30, 180),
    "T07": (55, 461), "T08": (15, 36), "T09": (15, 36), "T10": (35, 120), "T11": (35, 120),
    "T12": (35, 120), "T13": (15, 396), "T14": (12, 24), "T15": (35, 120), "T16": (46, 434),
    "T17": (55, 461), "T18": (15, 36),
}  # fmt: skip

Demand = Callable[["Seen"], bool]


class Seen:
    """A lot as a card sees it: gems by colour from the seller's own clockwise, and nuggets."""

    def __init__(self, gems: Lot, nuggets: int, exactly: bool) -> None:
        self.gems, self.nuggets = gems, nuggets
        self.own, self.left, self.right = gems[0], gems[1], gems[-1]
        self.exactly = exactly

    def is_(self, have: int, want: int) -> bool:
        """Whether a demand of a card is met as it is read."""
        return have == want if self.exactly else have >= want

    @property
    def colours(self) -> int:
        return sum(count > 0 for count in self.gems)


def _beside(seen: Seen) -> bool:
    return seen.is_(seen.own, 1) and (seen.is_(seen.left, 2) or seen.is_(seen.right, 2))


PLAIN: dict[str, Demand] = {
    "T14": lambda s: s.colours == 1 and s.is_(sum(s.gems), 2) and not s.nuggets,
    "T15": lambda s: s.is_(s.own, 1) and s.is_(s.nuggets, 1),
    "T16": lambda s: s.is_(sum(s.gems) + s.nuggets, 3) and not s.nuggets,
    "T17": lambda s: s.is_(sum(s.gems), 1) and not s.nuggets,
}
"""Cards that say something of nuggets themselves."""

OF_GEMS: dict[str, Demand] = {
    "T01": lambda s: s.is_(s.own, 2),
    "T02": _beside,
    "T04": lambda s: s.is_(s.own, 2) and s.is_(s.right, 1),
    "T05": lambda s: sum(s.is_(count, 2) for count in s.gems) >= 2,
    "T06": lambda s: any(s.is_(count, 3) for count in s.gems[1:]),
    "T07": lambda s: s.own == 0,
    "T08": lambda s: s.is_(s.own, 2) and s.is_(s.left, 1),
    "T09": lambda s: s.is_(s.own, 3),
    "T10": lambda s: s.is_(s.left, 1) and s.is_(s.right, 1),
    "T11": lambda s: s.is_(s.left, 2),
    "T12": lambda s: s.is_(s.right, 2),
    "T13": lambda s: s.is_(s.colours, 3),
    "T18": lambda s: s.is_(s.own, 1),
}
"""Cards that speak of gems only; nuggets may be read as gems there."""


def allowed(card: str, lot: Lot, seller: int, exactly: bool = False, joker: bool = False) -> bool:
    """Whether the seller may lay this combination."""
    *gems, nuggets = lot
    turned = (*gems[seller:], *gems[:seller])
    if not 1 <= sum(lot) <= 5 or (card == "T18" and sum(lot) > 3):
        return False
    if card in PLAIN:
        return PLAIN[card](Seen(turned, nuggets, exactly))
    ways = _stand_ins(len(gems), nuggets if joker else 0)
    return any(
        OF_GEMS[card](Seen(tuple(map(sum, zip(turned, way, strict=True))), nuggets, exactly))
        for way in ways
    )


@cache
def _stand_ins(colours: int, nuggets: int) -> tuple[Lot, ...]:
    """Every way to count some nuggets as gems."""
    ways = product(range(nuggets + 1), repeat=colours)
    return tuple(way for way in ways if sum(way) <= nuggets)


def lots(holding: Lot, most: int) -> Iterator[Lot]:
    """Every lot of at most so many stones."""
    if not holding:
        yield ()
        return
    for count in range(min(holding[0], most) + 1):
        for rest in lots(holding[1:], most - count):
            yield (count, *rest)


def picked(decision: Decision) -> list[Lot]:
    """The lots of all moves of a decision, each of which picks one lot."""
    found = []
    for move in decision.moves():
        if move.action in ("propose", "make_offer"):
            (lot,) = move.values
            assert isinstance(lot, tuple)
            found.append(lot)
    return found


@cache
def table(
    players: int, reading: str = "at_least", joker: bool = False, **more: int | str | bool
) -> Table:
    options: dict[str, int | str | bool] = {
        "card_threshold_reading": reading,
        "gold_counts_as_gem": joker,
    }
    return Table(players, {**options, **more})


def a_holding(stream: Stream, players: int, most: int) -> Lot:
    return tuple(stream.below(most + 1) for _ in range(players + 1))


@pytest.mark.parametrize(("players", "column"), [(3, 0), (6, 1)])
@pytest.mark.parametrize("card", AT_START)
def test_each_card_can_be_followed_at_the_start(card: str, players: int, column: int) -> None:
    of = table(players)
    start = (5,) * (players + 1)
    decision = of.decision("form_lot", start, card)
    found = picked(decision)
    seller = of.seat("form_lot")
    assert len(found) == len(set(found)) == AT_START[card][column]
    assert set(found) == {lot for lot in lots(start, 5) if allowed(card, lot, seller)}


READINGS = [("at_least", False), ("exactly", False), ("at_least", True), ("exactly", True)]


@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize(("reading", "joker"), READINGS)
def test_combinations_equal_brute_force(players: int, reading: str, joker: bool) -> None:
    of = table(players, reading, joker)
    seller, stream = of.seat("form_lot"), Stream(players, 0, 0)
    for card in AT_START:
        for _ in range(4):
            holding = a_holding(stream, players, 4)
            expected = {
                lot
                for lot in lots(holding, 5)
                if allowed(card, lot, seller, reading == "exactly", joker)
            }
            decision = of.find("form_lot", holding, card)
            if decision is None:
                assert not expected, (card, holding)
            else:
                assert set(picked(decision)) == expected, (card, holding)
                assert decision.count() == len(expected) + _inspections(of, holding)


def _inspections(of: Table, holding: Lot) -> int:
    """In the morning an inspection costs four nuggets; with three players there is none."""
    return of.players - 1 if of.players >= 4 and holding[-1] >= 4 else 0


@pytest.mark.parametrize(("side", "beside"), [("left", 1), ("right", -1)])
def test_the_neighbour_may_be_fixed(side: str, beside: int) -> None:
    of = table(4, adjacent_player=side)
    seller = of.seat("form_lot")
    neighbour = (seller + beside) % 4
    start = (5,) * 5
    found = picked(of.decision("form_lot", start, "T02"))
    expected = {lot for lot in lots(start, 5) if sum(lot) and lot[seller] and lot[neighbour] >= 2}
    assert set(found) == expected


@pytest.mark.parametrize(("players", "count"), [(3, 1_294), (6, 279_934)])
def test_offers_at_the_start_are_counted(players: int, count: int) -> None:
    of = table(players)
    start = (5,) * (players + 1)
    assert of.decision("one_offer", start, "T02", (2, 2, *(0,) * (players - 2), 1)).count() == count


def test_offers_of_all_stones_are_counted_and_reached() -> None:
    of = table(6)
    decision = of.decision("one_offer", (35,) * 7, "T02", (2, 2, 0, 0, 0, 0, 1))
    assert decision.count() == 36**7 - 2
    assert decision.nth(0).values == ((0, 0, 0, 0, 0, 0, 1),)
    assert decision.nth(36**7 - 3).values == ((35,) * 7,)


def test_five_at_most_leaves_790_offers() -> None:
    of = table(6, opponent_offer_cap=5)
    decision = of.decision("one_offer", (5,) * 7, "T02", (2, 2, 0, 0, 0, 0, 1))
    assert decision.count() == 790


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("distinct", [False, True])
def test_offers_equal_brute_force(players: int, distinct: bool) -> None:
    of = table(players, offers_pairwise_distinct=distinct)
    stream = Stream(players, 0, 5)
    for card, nuggets, most in (("T02", True, 99), ("T17", False, 99), ("T18", True, 3)):
        for _ in range(6):
            holding = a_holding(stream, players, 3)
            lot, one, two = (a_holding(stream, players, 1) for _ in range(3))
            decision = of.find("one_offer", holding, card, lot, (one, two))
            expected = {
                offer
                for offer in product(*(range(count + 1) for count in holding))
                if 1 <= sum(offer) <= most
                and offer != lot
                and (nuggets or not offer[-1])
                and not (distinct and offer in (one, two))
            }
            found = [] if decision is None else picked(decision)
            assert sorted(found) == sorted(expected), (card, holding, lot)
            assert decision is None or decision.count() == len(expected)


def test_distinct_offers_are_counted_for_six() -> None:
    of = table(6, offers_pairwise_distinct=True)
    earlier = [(1, 0, 0, 0, 0, 0, number) for number in range(4)]
    decision = of.decision("one_offer", (5,) * 7, "T02", (2, 2, 0, 0, 0, 0, 1), earlier)
    assert decision.count() == prod([6] * 7) - 2 - 4
