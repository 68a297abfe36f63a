"""Sealed picks: nothing is seen or run before the last is in."""

from __future__ import annotations

from typing import Any

import pytest

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.events import (
    Chosen,
    Passed,
)
from gemwright.interpreter.machine import Machine, decode_values, encode_values
from gemwright.interpreter.moves import PASS, Move
from gemwright.interpreter.state import IllegalMove, State

from .models import (
    INT,
    ME,
    SPAN,
    BruteWalker,
    Builder,
    assign,
    compare,
    face,
    lot,
    lot_vector,
    move_picked,
    num,
    numbers,
    piece,
    place,
    scalar,
    seat,
    size_of,
    source,
    start,
)

RED, GREEN, BLUE = 0, 1, 2


def total(vector: t.Term) -> t.Term:
    return t.VectorSum(INT, SPAN, vector)


def size_is(zone: m.Zone, op: str, count: int, index: t.Term | None = None) -> t.Term:
    return compare(size_of(zone, index), op, num(count))


# -- together


class Together:
    """Three players put 0 to 2 of their stones on the table at once; who holds none has no pick."""

    def __init__(self, holdings: tuple[int, ...] = (2, 1, 2), **decide: Any) -> None:
        build = Builder(3, red=9)
        self.hand = build.zone("hand", per=True)
        self.table = build.zone("table", order="stack")
        self.last = build.variable("last", t.Type(t.Base.PLAYER, optional=True), start=-1)
        sold = lot("sold", 1, (self.hand, ME), high=2)
        some = compare(total(lot_vector(sold)), ">=", num(1))
        build.action(
            "put",
            move_picked(1, place(self.table), lot=True),
            assign(self.last, ":=", ME),
            choose=(sold,),
            where=(some,),
        )
        deal = [
            m.MoveFace(
                SPAN, (), num(n), face(RED), source(build.box), place(self.hand, seat(p)), False
            )
            for p, n in enumerate(holdings)
        ]
        build.do(*deal, next=1)
        build.decide(
            None,
            0,
            next=2,
            others=t.Players(),
            together=True,
            **decide,
        )
        build.end()
        build.end("stalemate")
        self.model = build.game()


def test_sealed_picks_run_in_seat_order_when_the_last_is_in() -> None:
    game = Together()
    state = start(game.model)
    assert [each.player for each in state.pending] == [0, 1, 2]
    hands = state.block[game.hand.offset : game.hand.offset + 3]
    assert state.apply(Move("put", ((2,),)), player=2) == ()
    assert state.apply(Move("put", ((1,),)), player=0) == ()
    assert state.block[game.hand.offset : game.hand.offset + 3] == hands
    assert [each.player for each in state.pending] == [1]
    with pytest.raises(IllegalMove):
        state.apply(Move("put", ((1,),)), player=2)
    twin = State.resting(Machine(game.model, BruteWalker), state.block.copy())
    assert [each.player for each in twin.pending] == [1]
    events = state.apply(Move("put", ((1,),)))
    assert [each for each in events if isinstance(each, Chosen)] == [
        Chosen(0, 0, ((1,),), (False,)),
        Chosen(1, 0, ((1,),), (False,)),
        Chosen(2, 0, ((2,),), (False,)),
    ]
    assert state.is_over and state.block[game.last.offset] == 2
    assert not any(state.block[game.model.sealed_offset :])


def test_who_has_no_pick_passes_sealed() -> None:
    state = start(Together((0, 1, 0), fallback_pass=True).model)
    assert [each.player for each in state.pending] == [1]
    assert Passed(0, True) not in state.events
    events = state.apply(Move("put", ((1,),)))
    assert [each for each in events if isinstance(each, Chosen | Passed)] == [
        Passed(0, True),
        Chosen(1, 0, ((1,),), (False,)),
        Passed(2, True),
    ]


def test_nobody_has_a_pick_together() -> None:
    passed = start(Together((0, 0, 0), fallback_pass=True).model)
    assert [each.player for each in passed.events if isinstance(each, Passed)] == [0, 1, 2]
    other = start(Together((0, 0, 0), otherwise=3).model)
    assert other.result is not None and other.result.reason == "stalemate"
    stuck = start(Together((0, 1, 0)).model)
    assert stuck.problem is not None and stuck.problem.code == "R006"


def test_pass_is_sealed_like_a_move() -> None:
    state = start(Together(can_pass=True).model)
    assert state.apply(PASS, player=1) == ()
    state.apply(PASS, player=0)
    events = state.apply(PASS, player=2)
    assert events[:3] == (Passed(0), Passed(1), Passed(2))


def test_sealed_cells_hold_every_kind_of_value() -> None:
    build = Builder(2, red=2, green=1)
    picks = (
        scalar("n", 1, numbers(0, 3)),
        piece("which", 2, build.box),
        lot("sold", 3, (build.box, None)),
    )
    build.action("all", choose=picks)
    values = (3, (build.box.first, GREEN), (2, 1))
    cells = encode_values(build.actions[0], values)
    assert cells == [3, 1, 2, 1]
    assert decode_values(build.actions[0], [*cells, 0, 0]) == values
