"""Walks by passes equal walks by listing, class by class, and count what was counted by hand."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.walk.some_lot import SomeLots

from .lots import (
    Market,
    Table,
    at,
    both,
    column,
    either,
    fold,
    highest,
    kind,
    lack,
    minus,
    no,
    number,
    plus,
    size,
    times,
    vec,
    when,
)
from .models import ME, SPAN, all_in, compare, count_in, face, local, piece, read, scalar, seat
from .walk_agrees import agrees

Line = Callable[[Market, t.Term], t.Term]
"""A condition on a lot that is picked from a hand."""

K, L, Q, N = 11, 12, 13, 14


def faces(market: Market) -> t.Faces:
    return t.Faces(market.faces)


def cost(market: Market) -> t.Term:
    """A column of the kind in slot K."""
    return column((1, 3, 2, 5, 4), kind(K, market.faces))


# -- one line per class of the normal form -----------------------------------------------


def kinds_with(market: Market, lot: t.Term, least: int) -> t.Term:
    here = compare(at(lot, kind(K, market.faces)), ">=", number(least))
    return fold("count", K, faces(market), None, here)


def worth(market: Market, lot: t.Term) -> t.Term:
    return fold(
        "sum",
        K,
        faces(market),
        times(at(lot, kind(K, market.faces)), cost(market)),
    )


def of_colour(market: Market, lot: t.Term, slot: int = K) -> t.Term:
    """How many picked stones share the colour in slot Q; colours go 0 0 1 1 2."""
    here = t.Local(t.Type(t.Base.INT, 0, 2), None, Q, "q")
    same = compare(column((0, 0, 1, 1, 2), kind(slot, market.faces)), "=", here)
    return fold("count", slot, t.Pieces(lot, market.faces), None, same)


def some_pair(
    market: Market, lot: t.Term, body: Callable[[t.Term], t.Term], jokers: t.Term
) -> t.Term:
    a, b = kind(K, market.faces), kind(L, market.faces)
    needed = compare(plus(body(at(lot, a)), body(at(lot, b))), "<=", jokers)
    inner = fold("some", L, faces(market), both(compare(a, "<", b), needed))
    return fold("some", K, faces(market), inner)


def colours() -> t.Domain:
    return t.Numbers(number(0), number(2))


CLASSES: dict[str, Line] = {
    "fixed": lambda m, v: compare(read(m.coins, ME), ">=", number(2)),
    "size": lambda m, v: both(compare(size(v), ">=", number(1)), compare(size(v), "<=", number(3))),
    "size is": lambda m, v: compare(size(v), "=", number(2)),
    "size is not": lambda m, v: compare(size(v), "!=", number(1)),
    "constant test": lambda m, v: compare(size(v), "<=", number(999)),
    "cell": lambda m, v: compare(at(v, face(1)), ">", number(0)),
    "cells": lambda m, v: compare(
        plus(lack(at(v, face(0)), 2), lack(at(v, face(2)), 1)), "<=", at(v, face(1))
    ),
    "cell is a choice": lambda m, v: compare(
        when(compare(at(v, face(0)), ">=", number(1)), number(5), number(0)), ">=", size(v)
    ),
    "weighted": lambda m, v: compare(worth(m, v), "<=", read(m.coins, ME)),
    "weighted, exactly": lambda m, v: compare(worth(m, v), "=", read(m.coins, ME)),
    "fixed times sum": lambda m, v: compare(
        times(read(m.price, ME), size(v)), "<=", plus(read(m.coins, ME), at(v, face(0)))
    ),
    "kinds": lambda m, v: compare(kinds_with(m, v, 1), ">=", number(2)),
    "total": lambda m, v: compare(lack(kinds_with(m, v, 1), 3), "<=", at(v, face(0))),
    "sum times sum": lambda m, v: compare(times(size(v), at(v, face(1))), ">=", number(3)),
    "if over totals": lambda m, v: compare(
        when(compare(size(v), ">=", number(3)), at(v, face(0)), size(v)), ">=", number(1)
    ),
    "some": lambda m, v: fold(
        "some", K, faces(m), compare(at(v, kind(K, m.faces)), ">=", number(2))
    ),
    "every": lambda m, v: fold(
        "every", K, faces(m),
        compare(at(v, kind(K, m.faces)), "<=", count_in(m.store, kind(K, m.faces))),
    ),
    "no, with a column": lambda m, v: no(
        fold("some", K, faces(m), both(
            compare(cost(m), "<=", number(2)),
            compare(at(v, kind(K, m.faces)), ">=", number(1)),
        ))
    ),
    "pieces": lambda m, v: fold(
        "every", K, t.Pieces(v, m.faces), compare(cost(m), "<", number(4))
    ),
    "pieces, sum": lambda m, v: compare(
        fold("sum", K, t.Pieces(v, m.faces), cost(m)), "=", number(6)
    ),
    "max": lambda m, v: compare(
        fold("max", K, t.Pieces(v, m.faces), cost(m)), "=", number(3)
    ),
    "vectors": lambda m, v: t.VectorCompare(t.FLAG, None, "<=", v, all_in(m.store)),
    "vectors differ": lambda m, v: t.VectorCompare(t.FLAG, None, "!=", v, all_in(m.store)),
    "vectors agree": lambda m, v: t.VectorCompare(
        t.FLAG, None, "=",
        t.VectorOp(v.type, None, "less", all_in(m.hand, ME), v), all_in(m.store),
    ),
    "mixed": lambda m, v: fold("some", K, faces(m), both(
        compare(kind(K, m.faces), "!=", face(1)),
        compare(lack(at(v, kind(K, m.faces)), 2), "<=", at(v, face(1))),
    )),
    "mixed, every": lambda m, v: fold("every", K, faces(m), either(
        compare(at(v, kind(K, m.faces)), "=", number(0)),
        compare(times(number(2), at(v, kind(K, m.faces))), ">=", size(v)),
    )),
    "mixed, count": lambda m, v: compare(
        fold("count", K, faces(m), None, compare(
            times(number(3), at(v, kind(K, m.faces))), ">=", size(v))),
        "<=", number(2),
    ),
    "mixed, max": lambda m, v: compare(
        fold("max", K, faces(m), minus(at(v, kind(K, m.faces)), size(v))), ">=", number(-1)
    ),
    "pair": lambda m, v: some_pair(m, v, lambda x: lack(x, 2), number(0)),
    "pair with jokers": lambda m, v: some_pair(m, v, lambda x: lack(x, 2), at(v, face(0))),
    "group": lambda m, v: fold("every", Q, colours(), either(
        compare(of_colour(m, v), "=", number(0)), compare(of_colour(m, v), ">=", number(2)),
    )),
    "group, some": lambda m, v: fold(
        "some", Q, colours(), compare(of_colour(m, v), ">=", number(3))
    ),
    "group, count": lambda m, v: compare(
        fold("count", Q, colours(), None, compare(of_colour(m, v), ">=", number(1))), "=", number(1)
    ),
    "group, sum": lambda m, v: compare(
        fold("sum", Q, colours(), highest(number(0), minus(of_colour(m, v), number(1)))),
        "<=", number(1),
    ),
    "group, never nothing": lambda m, v: compare(
        fold("sum", Q, colours(), highest(number(1), minus(number(4), of_colour(m, v)))),
        "<=", plus(number(8), at(v, face(4))),
    ),
    "two groups": lambda m, v: compare(
        fold("count", Q, colours(), None, compare(of_colour(m, v), ">=", number(1))),
        "<", fold("sum", Q, colours(), highest(number(0), minus(of_colour(m, v), number(1)))),
    ),
    "no player has the same": lambda m, v: no(fold("some", N, t.Players(), t.VectorCompare(
        t.FLAG, None, "=", v, all_in(m.hand, t.Local(t.PLAYER, None, N, "p"))))),
    "sum over players": lambda m, v: compare(fold("sum", N, t.Players(), times(
        read(m.price, t.Local(t.PLAYER, None, N, "p")), at(v, face(0)))), "<=", number(4)),
    "numbers": lambda m, v: fold("some", N, t.Numbers(number(1), number(2)), compare(
        size(v), "=", times(number(2), t.Local(t.Type(t.Base.INT, 1, 2), None, N, "n")))),
    "implies": lambda m, v: either(
        compare(at(v, face(0)), "=", number(0)), compare(size(v), ">=", number(3))
    ),
    "neighbours": lambda m, v: fold("every", K, t.Faces(m.faces[:2]), compare(
        at(v, kind(K, m.faces[:2])), "<=",
        at(v, t.Lookup(t.Type(t.Base.FACE, faces=m.faces), None, (1, 2),
                       kind(K, m.faces[:2]), 0, "next")))),
    "some lot inside": lambda m, v: t.SomeLot(t.FLAG, None, 40, all_in(m.store), compare(
        size(t.Local(t.Type(t.Base.VECTOR, 0, 4, m.faces), None, 40, "x")), ">=", number(2))),
}  # fmt: skip


def one_lot(
    names: list[str], hand: tuple[int, ...], store: tuple[int, ...], coins: int, price: int
) -> Table:
    market = Market(4, 4, 4, 4, 4)
    taken = market.lot("taken", 1, market.hand)
    market.lay(market.hand, *hand)
    market.lay(market.hand, *store, seat=1)
    market.lay(market.store, *store)
    table = market.table([taken], [CLASSES[name](market, vec(taken)) for name in names])
    for seat_number in range(2):
        table.block[market.coins.offset + seat_number] = coins
        table.block[market.price.offset + seat_number] = price + seat_number
    return table


def counts(most: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(0, most)] * 5)


@pytest.mark.parametrize("name", CLASSES)
def test_each_class_is_walked_by_a_pass(name: str) -> None:
    """No class falls back to listing, and its picks are those of the listing."""
    table = one_lot([name], (2, 1, 2, 0, 1), (1, 1, 0, 2, 0), 6, 1)
    assert table.plan.walk == "pass"
    agrees(table)


@settings(max_examples=150, deadline=None)
@given(
    names=st.lists(st.sampled_from(list(CLASSES)), min_size=1, max_size=3),
    hand=counts(2),
    store=counts(2),
    coins=st.integers(0, 12),
    price=st.integers(0, 3),
)
def test_conditions_together_equal_the_listing(
    names: list[str], hand: tuple[int, ...], store: tuple[int, ...], coins: int, price: int
) -> None:
    """Any few classes together are counted, listed, offered, ranked and explained as listed."""
    agrees(one_lot(names, hand, store, coins, price), most=8)


# -- counts that were measured elsewhere --------------------------------------------------


def trade(
    hand: tuple[int, ...], shelf: tuple[int, ...], money: int, prices: tuple[int, ...]
) -> Table:
    """Sell some, buy at least one of other kinds, hold at most four, pay the difference."""
    market = Market(6, 6, 6)
    sold, bought = market.lot("sold", 1, market.hand), market.lot("bought", 2, market.shelf)
    market.lay(market.hand, *hand)
    market.lay(market.shelf, *shelf)
    a, b, k = vec(sold), vec(bought), kind(K, market.faces)

    def price(lot: t.Term) -> t.Term:
        return fold("sum", K, faces(market), times(at(lot, k), column(prices, k)))

    bought_and_sold = both(compare(at(a, k), ">=", number(1)), compare(at(b, k), ">=", number(1)))
    where = [
        compare(size(b), ">=", number(1)),
        no(fold("some", K, faces(market), bought_and_sold)),
        compare(plus(minus(number(sum(hand)), size(a)), size(b)), "<=", number(4)),
        compare(price(b), "<=", plus(number(money), price(a))),
    ]
    return market.table([sold, bought], where)


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ((0, 0, 0), 34),
        ((1, 0, 0), 33),
        ((1, 1, 0), 31),
        ((4, 0, 0), 30),
        ((2, 2, 0), 26),
        ((2, 1, 1), 23),
    ],
)
def test_plans_of_a_market_of_three_stones(hand: tuple[int, ...], count: int) -> None:
    """Who can pay everything has as many plans as were counted by hand."""
    table = trade(hand, (6, 6, 6), 999, (1, 1, 1))
    assert table.count() == count
    agrees(table)


@settings(max_examples=40, deadline=None)
@given(
    hand=st.tuples(*[st.integers(0, 2)] * 3),
    shelf=st.tuples(*[st.integers(0, 3)] * 3),
    money=st.integers(0, 30),
    prices=st.tuples(*[st.integers(1, 19)] * 3),
)
def test_two_lots_are_walked_lot_by_lot(
    hand: tuple[int, ...], shelf: tuple[int, ...], money: int, prices: tuple[int, ...]
) -> None:
    """Conditions that meet kind by kind do not change the order of the walk."""
    agrees(trade(hand, shelf, money, prices), most=10)


def offer(counts: tuple[int, ...], *lines: Line, others: tuple[tuple[int, ...], ...] = ()) -> Table:
    market = Market(*[36] * 7, players=6)
    taken = market.lot("taken", 1, market.hand)
    market.lay(market.hand, *counts)
    for seat_number, other in enumerate(others):
        market.lay(market.hand, *other, seat=seat_number + 1)
    return market.table([taken], [line(market, vec(taken)) for line in lines])


def something(market: Market, lot: t.Term) -> t.Term:
    return compare(size(lot), ">=", number(1))


def another(market: Market, lot: t.Term) -> t.Term:
    wanted = t.Const(lot.type, None, (1, 0, 2, 0, 0, 0, 0))
    return t.VectorCompare(t.FLAG, None, "!=", lot, wanted)


def unlike_the_others(market: Market, lot: t.Term) -> t.Term:
    theirs = all_in(market.hand, t.Local(t.PLAYER, None, N, "p"))
    same = t.VectorCompare(t.FLAG, None, "=", lot, theirs)
    return no(fold("some", N, t.Players(None, seat(0)), same))


def test_offers_are_counted_without_listing_them() -> None:
    """Seven kinds of five, and of thirty-five, without nothing and without one lot."""
    five, many = (5,) * 7, (35,) * 7
    assert offer(five, something, another).count() == 6**7 - 2 == 279_934
    others = ((1, 0, 2, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0), (5,) * 7, (0, 0, 0, 0, 0, 0, 5))
    spare = ((0, 0, 3, 0, 0, 0, 1),)
    distinct = offer(five, something, unlike_the_others, others=others + spare)
    assert distinct.count() == 279_930
    table = offer(many, something, another)
    assert table.count() == 36**7 - 2
    last = table.nth(36**7 - 3)
    assert last == (35,) * 7
    assert table.walker.rank(table.block, 0, table.action, last) == 36**7 - 3


def test_sums_of_groups_by_a_number() -> None:
    """Stones of numbers 1..10 that sum to ten, two or more: 36 with five of each; 290 by 3 + 2."""
    for counts_of, numbers_of, count in (
        ((5,) * 10, tuple(range(1, 11)), 36),
        ((3, 2) * 10, tuple(n for n in range(1, 11) for _ in range(2)), 290),
    ):
        market = Market(*counts_of)
        taken = market.lot("taken", 1, market.shelf)
        market.lay(market.shelf, *counts_of)
        lot = vec(taken)
        total = fold(
            "sum", K, t.Pieces(lot, market.faces), column(numbers_of, kind(K, market.faces))
        )
        table = market.table(
            [taken], [compare(size(lot), ">=", number(2)), compare(total, "=", number(10))]
        )
        assert table.count() == count


def test_groups_of_ten_colours_keep_few_states() -> None:
    """Any colour not at all or three times and more: seven ways each, whatever the others do."""
    market = Market(*(3, 2) * 10)
    taken = market.lot("taken", 1, market.shelf)
    market.lay(market.shelf, *(3, 2) * 10)
    q = t.Local(t.Type(t.Base.INT, 0, 9), None, Q, "q")
    colour = column(tuple(n for n in range(10) for _ in range(2)), kind(K, market.faces))
    here = fold("count", K, t.Pieces(vec(taken), market.faces), None, compare(colour, "=", q))
    line = fold("every", Q, t.Numbers(number(0), number(9)), either(
        compare(here, "=", number(0)), compare(here, ">=", number(3))))  # fmt: skip
    table = market.table([taken], [compare(size(vec(taken)), ">=", number(1)), line])
    assert table.plan.lots.states <= 64
    assert table.count() == 7**10 - 1


# -- single picks ---------------------------------------------------------------------------


def paid(market: Market) -> tuple[list[m.Parameter], t.Term]:
    """A player, a piece from the store, then a lot of his size from my hand."""
    who = scalar("who", 1, t.Players(None, ME), type=t.PLAYER)
    what = piece("what", 2, market.store)
    taken = market.lot("taken", 3, market.hand)
    cost = t.PieceFace(t.Type(t.Base.FACE, faces=market.faces), None, local(2, what.type))
    who_coins = read(market.coins, local(1, t.PLAYER))
    line = compare(size(vec(taken)), "=", plus(column((1, 2, 0), cost), who_coins))
    return [who, what, taken], line


def test_single_picks_are_an_outer_loop() -> None:
    """Players and pieces come first; each has its own pass."""
    market = Market(3, 3, 3, players=3)
    market.lay(market.hand, 2, 1, 1)
    market.lay(market.store, 1, 0, 2)
    choose, line = paid(market)
    table = market.table(choose, [line])
    assert table.plan.walk == "pass"
    agrees(table)
    assert table.options() == (1, 2)
    assert [x[1] for x in table.options(1) if isinstance(x, tuple)] == [0, 2]


def test_a_single_pick_after_a_lot() -> None:
    """Its options are those that the lot leaves; the lot's are those that some such pick allows."""
    market = Market(2, 2, 2, players=3)
    market.lay(market.hand, 2, 1, 0)
    taken = market.lot("taken", 1, market.hand)
    who = scalar("who", 2, t.Players(None, ME), type=t.PLAYER)
    n = scalar("n", 3, t.Numbers(number(1), number(2)), 1, 2)
    lot = vec(taken)
    line = compare(size(lot), "=", plus(local(3), local(2, t.PLAYER)))
    table = market.table([n, taken, who], [line])
    assert table.plan.walk == "pass"
    agrees(table)


def test_lots_from_one_zone_share_its_pieces() -> None:
    """Two lots from one hand never hold more than lies there; nor do two sources of one lot."""
    market = Market(2, 2)
    one, two = market.lot("one", 1, market.hand), market.lot("two", 2, market.hand, market.shelf)
    market.lay(market.hand, 2, 1)
    market.lay(market.shelf, 1, 1)
    line = compare(size(vec(two)), ">=", number(1))
    table = market.table([one, two], [line])
    agrees(table)
    assert (2, 1, 1, 0, 0, 0) not in list(table.moves())
    refusal = table.walker.check(table.block, 0, table.action, (2, 1, 1, 0, 0, 0))
    assert refusal is not None and refusal.kind == "domain" and refusal.available == 0


def test_without_lots_only_single_picks_are_walked() -> None:
    """Lines are read as soon as their picks are made."""
    market = Market(2, 2, players=3)
    a = scalar("a", 1, t.Numbers(number(0), number(9)), 0, 9)
    b = scalar("b", 2, t.Numbers(number(0), local(1)), 0, 9)
    table = market.table(
        [a, b], [compare(local(1), ">=", number(3)), compare(local(2), "<", number(2))]
    )
    agrees(table)
    assert table.options() == tuple(range(3, 10))


def test_another_form_is_listed_while_picks_are_few() -> None:
    """A condition without normal form falls back to listing, never silently beyond the limit."""
    market = Market(2, 2, 2)
    taken = market.lot("taken", 1, market.hand)
    market.lay(market.hand, 2, 1, 2)
    lot = vec(taken)
    first = fold("max", K, t.Pieces(lot, market.faces), kind(K, market.faces), empty=-1)
    table = market.table([taken], [compare(at(lot, first), "=", number(1))])
    assert table.plan.walk == "list"
    agrees(table)


# -- reasons ----------------------------------------------------------------------------------


def test_a_refusal_names_the_first_broken_line_and_its_values() -> None:
    """Line, clause and both sides of the comparison that fails."""
    table = trade((2, 1, 1), (6, 6, 0), 5, (3, 4, 5))
    refusal = table.walker.check(table.block, 0, table.action, (0, 0, 1, 1, 1, 0))
    assert refusal is not None
    assert (refusal.kind, refusal.line, refusal.clauses) == ("where", 2, ("C-2",))
    assert refusal.rule == table.action.where[2]
    assert ("size of bought", 2) in refusal.values and ("size of sold", 1) in refusal.values


def test_a_refusal_of_a_fold_names_the_element() -> None:
    """The first kind that breaks the line."""
    table = trade((2, 1, 1), (6, 6, 0), 99, (1, 1, 1))
    refusal = table.walker.check(table.block, 0, table.action, (2, 1, 0, 0, 1, 0))
    assert refusal is not None and refusal.line == 1
    assert refusal.values == (("sold[stone_1]", 1), ("bought[stone_1]", 1))


def test_a_refusal_of_a_domain_says_how_many_there_are() -> None:
    """Before any line."""
    table = trade((2, 1, 1), (6, 6, 0), 99, (1, 1, 1))
    refusal = table.walker.check(table.block, 0, table.action, (0, 0, 2, 1, 0, 0))
    assert refusal is not None
    assert (refusal.kind, refusal.parameter, refusal.available) == ("domain", "sold", 1)


def test_an_option_that_is_not_offered_is_explained() -> None:
    """How many leading lines can be kept with it, and which cannot."""
    table = trade((0, 0, 0), (6, 6, 6), 99, (1, 1, 1))
    explain = table.walker.explain_option
    refusal = explain(table.block, 0, table.action, (0, 0, 0), 5)
    assert (refusal.kind, refusal.kept, refusal.line) == ("where", 2, 2)
    refusal = explain(table.block, 0, table.action, (0, 0, 0), 7)
    assert (refusal.kind, refusal.available) == ("domain", 6)
    with pytest.raises(ValueError, match="offered"):
        explain(table.block, 0, table.action, (0, 0, 0), 4)


def test_an_action_without_a_pick_is_explained() -> None:
    """The line that no pick keeps beside the lines before it."""
    table = trade((2, 2, 0), (0, 0, 0), 99, (1, 1, 1))
    assert not table.walker.completable(table.block, 0, table.action)
    refusal = table.walker.explain_option(table.block, 0, table.action, (), 0)
    assert (refusal.kind, refusal.kept) == ("stuck", 0)


# -- samplers ---------------------------------------------------------------------------------


class Script(Stream):
    """A stream that answers from a list and remembers what was asked."""

    def __init__(self, *answers: int) -> None:
        super().__init__(0)
        self.answers = list(answers)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.answers.pop(0)


def test_uniform_is_one_draw_below_the_count() -> None:
    """Each draw gives another pick, so all are equally likely."""
    table = trade((2, 1, 1), (6, 6, 0), 9, (3, 1, 2))
    legal = list(table.moves())
    drawn = []
    for i in range(len(legal)):
        stream = Script(i)
        drawn.append(table.walker.sample(table.block, 0, table.action, stream, "uniform"))
        assert stream.asked == [len(legal)]
    assert drawn == legal


def test_small_first_draws_a_size_then_a_pick_of_it() -> None:
    """All sizes that occur are equally likely, and all picks of one size."""
    table = trade((2, 1, 1), (6, 6, 0), 9, (3, 1, 2))
    legal = list(table.moves())
    sizes = sorted({sum(each) for each in legal if isinstance(each[0], int)})
    found = []
    for order, wanted in enumerate(sizes):
        alike = [each for each in legal if sum(each) == wanted]
        for i in range(len(alike)):
            stream = Script(order, i)
            found.append(table.walker.sample(table.block, 0, table.action, stream, "small_first"))
            assert stream.asked == [len(sizes), len(alike)]
    assert sorted(found) == sorted(legal)


def test_walk_draws_among_the_options_of_each_step() -> None:
    """One draw per entry, below the number of options; it always ends in a legal pick."""
    table = trade((2, 1, 1), (6, 6, 0), 9, (3, 1, 2))
    stream = Stream(7)
    legal = set(table.moves())
    for _ in range(50):
        assert table.walker.sample(table.block, 0, table.action, stream, "walk") in legal
    script = Script(*[0] * 6)
    first = table.walker.sample(table.block, 0, table.action, script, "walk")
    assert first == next(iter(table.moves()))
    assert script.asked == [len(table.options(*first[:at])) for at in range(6)]


def test_an_unknown_sampler_is_refused() -> None:
    """By name."""
    table = trade((2, 1, 1), (6, 6, 0), 9, (3, 1, 2))
    with pytest.raises(ValueError, match="no sampler"):
        table.walker.sample(table.block, 0, table.action, Stream(1), "lucky")


# -- some lot ---------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(sorted(CLASSES)),
    within=counts(2),
    store=counts(2),
    coins=st.integers(0, 12),
)
def test_some_lot_is_decided_by_a_pass(
    name: str, within: tuple[int, ...], store: tuple[int, ...], coins: int
) -> None:
    """Equal to trying every lot."""
    market = Market(4, 4, 4, 4, 4)
    market.lay(market.hand, *within)
    market.lay(market.store, *store)
    lot = t.Local(t.Type(t.Base.VECTOR, 0, 4, market.faces), None, 45, "x")
    term = t.SomeLot(t.FLAG, SPAN, 45, all_in(market.hand, ME), CLASSES[name](market, lot))
    table = market.table([], [term])
    table.block[market.coins.offset] = coins
    frame = [0] * 60
    wanted = table.evaluator.value(term, table.block, frame.copy())
    found = SomeLots(table.evaluator, 2).holds(term, table.block, frame)
    assert found == bool(wanted)
    assert table.count() == int(bool(wanted))


def test_some_lot_does_not_try_every_lot() -> None:
    """Thirty-five of each of seven kinds."""
    market = Market(*[35] * 7)
    market.lay(market.hand, *[35] * 7)
    lot = t.Local(t.Type(t.Base.VECTOR, 0, 35, market.faces), None, 45, "x")
    line = t.SomeLot(
        t.FLAG, SPAN, 45, all_in(market.hand, ME), compare(size(lot), "=", number(200))
    )
    table = market.table([], [line])
    assert table.count() == 1


# -- speed ------------------------------------------------------------------------------------


def test_a_step_stays_quick_with_many_stones_of_seven_kinds() -> None:
    """Far below what a person notices: 5 ms on a quiet machine, with room for a busy one."""
    table = offer((35,) * 7, something, another)
    best = 1.0
    for _ in range(5):
        fresh = offer((35,) * 7, something, another)
        started = perf_counter()
        fresh.options(0, 0)
        best = min(best, perf_counter() - started)
    assert best < 0.05
    assert table.options(0, 0)[-1] == 35
