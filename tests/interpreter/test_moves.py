"""Moves written as data and as text, and read back."""

from __future__ import annotations

import re

import pytest

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.moves import PASS, Move, move_from_json, move_to_json, move_to_text

from .models import (
    INT,
    ME,
    SPAN,
    Builder,
    compare,
    lot,
    num,
    numbers,
    piece,
    scalar,
    size_of,
)

RED, GREEN, BLUE = 0, 1, 2


def total(vector: t.Term) -> t.Term:
    return t.VectorSum(INT, SPAN, vector)


def size_is(zone: m.Zone, op: str, count: int, index: t.Term | None = None) -> t.Term:
    return compare(size_of(zone, index), op, num(count))


# -- moves as data and text


def trade_model() -> tuple[m.Game, m.Zone, m.Zone]:
    build = Builder(2, red=2, green=1)
    hand = build.zone("hand", per=True)
    shelf = build.zone("shelf")
    from_hand = piece("card", 4, hand, ME)
    anywhere = piece("other", 5, hand)
    picks = (
        lot("sold", 1, (shelf, None)),
        lot("paid", 2, (shelf, None), (hand, ME)),
        scalar("to", 3, t.Players(), type=t.PLAYER),
        from_hand,
        anywhere,
        scalar("n", 6, numbers(0, 3)),
        scalar("yes", 7, numbers(0, 1), type=t.FLAG),
        scalar("kind", 8, t.Faces((RED, GREEN)), type=t.Type(t.Base.FACE, faces=(RED, GREEN))),
    )
    build.action("trade", choose=picks)
    build.end()
    return build.game(), hand, shelf


def test_a_move_goes_to_json_and_back() -> None:
    model, hand, _ = trade_model()
    values = (
        (1, 0), (0, 1, 2, 0), 1, (hand.first + 1, RED), (hand.first, GREEN), 2, 1, GREEN,
    )  # fmt: skip
    move = Move("trade", values)
    data = move_to_json(model, move)
    assert data == {
        "action": "trade",
        "sold": {"red": 1},
        "paid": {"shelf": {"green": 1}, "hand": {"red": 2}},
        "to": "P2",
        "card": "red",
        "other": {"from": "hand[P1]", "piece": "green"},
        "n": 2,
        "yes": True,
        "kind": "green",
    }
    assert move_from_json(model, 1, data) == move
    assert move_to_text(model, move) == (
        "trade: sold 1 red, paid 1 green from shelf, 2 red from hand, to P2, card red, "
        "other green from hand[P1], n 2, yes yes, kind green"
    )
    assert move_to_json(model, PASS) == {"action": "pass"}
    assert move_from_json(model, 0, {"action": "pass"}) == PASS
    assert move_to_text(model, PASS) == "pass"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"action": "sing"}, "no action `sing`"),
        ({"extra": 1}, "has no parameter `extra`"),
        ({"sold": {"pink": 1}}, "`sold`: `pink` is not possible here"),
        ({"sold": {"red": -1}}, "no count"),
        ({"sold": 3}, "`3`|not possible|by name"),
        ({"paid": {"red": 1}}, "`red` is not possible"),
        ({"to": "P3"}, "no such player"),
        ({"other": "red"}, "say from where"),
        ({"other": {"from": "moon", "piece": "red"}}, "not possible"),
        ({"n": "two"}, "whole number"),
        ({"yes": 1}, "true or false"),
        ({"kind": "blue"}, "not possible"),
    ],
)
def test_what_is_wrong_with_data(change: dict[str, object], text: str) -> None:
    model, _, _ = trade_model()
    data = {
        "action": "trade", "sold": {}, "paid": {}, "to": "P1", "card": "red",
        "other": {"from": "hand[P2]", "piece": "red"}, "n": 0, "yes": False, "kind": "red",
    }  # fmt: skip
    assert isinstance(move_from_json(model, 0, data), Move)
    problem = move_from_json(model, 0, {**data, **change})
    assert isinstance(problem, str)
    assert re.search(text, problem)
