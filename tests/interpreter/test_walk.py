"""Walks by passes equal walks by listing, class by class, and count what was counted by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.dsl import terms as t

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
from .models import ME, all_in, compare, count_in, face, local, piece, read, scalar, seat
from .walk_agrees import agrees

Line = Callable[[Market, t.Term], t.Term]
"""A condition on a lot that is picked from a hand."""

K, L, Q, N = 11, 12, 13, 14


def faces(market: Market) -> t.Faces:
    return t.Faces(market.faces)


def mine(market: Market, face_term: t.Term) -> t.Term:
    return read(market.coins, ME) if face_term is None else count_in(market.store, face_term)


# -- one line per class of the normal form ---------------------------------------------------------


def kinds_with(market: Market, lot: t.Term, least: int) -> t.Term:
    here = compare(at(lot, kind(K, market.faces)), ">=", number(least))
    return fold("count", K, faces(market), None, here)


def worth(market: Market, lot: t.Term) -> t.Term:
    return fold(
        "sum", K, faces(market), times(at(lot, kind(K, market.faces)), column((1, 3, 2, 5, 4), kind(K, market.faces)))
    )


def of_colour(market: Market, lot: t.Term, slot: int = K) -> t.Term:
    """How many picked stones share the colour in slot Q; colours go 0 0 1 1 2."""
    here = t.Local(t.Type(t.Base.INT, 0, 2), None, Q, "q")
    same = compare(column((0, 0, 1, 1, 2), kind(slot, market.faces)), "=", here)
    return fold("count", slot, t.Pieces(lot, market.faces), None, same)


def some_pair(market: Market, lot: t.Term, body: Callable[[t.Term], t.Term], jokers: t.Term) -> t.Term:
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
        "every", K, faces(m), compare(at(v, kind(K, m.faces)), "<=", count_in(m.store, kind(K, m.faces)))
    ),
    "no, with a column": lambda m, v: no(
        fold("some", K, faces(m), both(
            compare(column((1, 3, 2, 5, 4), kind(K, m.faces)), "<=", number(2)),
            compare(at(v, kind(K, m.faces)), ">=", number(1)),
        ))
    ),
    "pieces": lambda m, v: fold(
        "every", K, t.Pieces(v, m.faces), compare(column((1, 3, 2, 5, 4), kind(K, m.faces)), "<", number(4))
    ),
    "pieces, sum": lambda m, v: compare(
        fold("sum", K, t.Pieces(v, m.faces), column((1, 3, 2, 5, 4), kind(K, m.faces))), "=", number(6)
    ),
    "max": lambda m, v: compare(
        fold("max", K, t.Pieces(v, m.faces), column((1, 3, 2, 5, 4), kind(K, m.faces))), "=", number(3)
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
        at(v, t.Lookup(t.Type(t.Base.FACE, faces=m.faces), None, (1, 2), kind(K, m.faces[:2]), 0, "next")))),
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
