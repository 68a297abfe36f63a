"""Walks that leave out what is not there, and what they keep from one decision for the next."""

from __future__ import annotations

import pytest

from gemwright.dsl.model import terms as t
from gemwright.interpreter.walk.passes import Pass
from gemwright.interpreter.walk.spread import Spread

from .lots import Market, at, column, fold, kind, number, size, times, vec
from .models import ME, compare, read
from .walk_agrees import agrees

K = 11


def spread() -> Spread:
    """One or two stones of kinds 1 and 3 of four; kind 3 has two cells."""
    ones = [(0,), (1,)]
    twos = [(0, 0), (0, 1), (1, 0)]
    return Spread(Pass([ones, twos], [], lambda finals: 1), [1, 3], [[0], [0], [0], [0, 0]])


FREE: list[dict[int, int]] = [{}, {}, {}, {}]


def test_kinds_that_are_left_out_are_zeros() -> None:
    picks = spread()
    assert picks.any() and picks.count(FREE) == 6
    assert picks.by_value() == {1: 6}
    listed = list(picks.walks(FREE))
    assert listed[1] == [(0,), (0,), (0,), (0, 1)]
    assert [picks.descend(FREE, i) for i in range(6)] == listed
    assert picks.offers(FREE, 0, 0) == {0: 6}
    assert picks.offers(FREE, 3, 1) == {0: 4, 1: 2}
    assert picks.only(2).count(FREE) == 0


def test_what_is_fixed_counts_over_all_kinds() -> None:
    picks = spread()
    assert picks.count([{0: 0}, {0: 1}, {0: 0}, {}]) == 3
    assert picks.best([{}, {0: 1}, {}, {1: 1}]) == 1
    absent: list[dict[int, int]] = [{0: 1}, {}, {}, {}]
    assert picks.count(absent) == 0 and picks.best(absent) == -1
    assert picks.offers(absent, 1, 0) == {} and list(picks.walks(absent)) == []
    with pytest.raises(IndexError):
        picks.descend(absent, 0)


def test_a_walk_over_kinds_of_which_most_are_not_there() -> None:
    market = Market(3, 3, 3, 3, 3)
    lot = market.lot("lot", 1, market.hand, market.shelf)
    market.lay(market.hand, 0, 2, 0, 0, 1)
    market.lay(market.shelf, 0, 1, 0, 0, 0)
    agrees(market.table([lot], [compare(size(vec(lot)), "<=", number(2))]))


def test_a_term_over_the_state_is_valued_anew_at_each_decision() -> None:
    """A column and counts are the same at every decision; a price is not."""
    market = Market(2, 2, 2)
    lot = market.lot("lot", 1, market.hand)
    market.lay(market.hand, 2, 1, 0)
    each = kind(K, market.faces)
    printed = column((1, 3, 2), each)
    kinds = t.Faces(market.faces)
    by_column = fold("sum", K, kinds, times(at(vec(lot), each), printed))
    by_price = fold("sum", K, kinds, times(at(vec(lot), each), read(market.price, ME)))
    money = read(market.coins, ME)
    table = market.table([lot], [compare(by_column, "<=", money), compare(by_price, "<=", money)])
    counts = set()
    for price in (1, 4, 2, 9):
        table.block[market.price.offset] = price
        for coins in (0, 3, 5, 8):
            table.block[market.coins.offset] = coins
            legal = list(table.listing().moves())
            assert list(table.moves()) == legal
            assert table.count() == len(legal)
            counts.add(len(legal))
    assert len(counts) >= 3
