"""What was found of a pick is known later on, as long as nothing of it changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.model import terms as t
from gemwright.interpreter.game import Game, load
from gemwright.validator.abstraction.implying import implies
from gemwright.validator.abstraction.lowering import lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.certificate.checker import check
from gemwright.validator.plays.monitor import Monitor
from gemwright.validator.proving import prove
from gemwright.validator.rules.walking import normal_form
from tests.validator.small_games import model_of

STALL = """
language: 1
game: stall
players: 2
kinds:
  stone: {members: [red, blue], count: 6}
  card:
    columns: {wants: test(lot)}
    rows:
      - [pair, "lot[red] >= 2"]
      - [twins, "lot[blue] >= 2"]
      - [mix, "lot[red] >= 1 and lot[blue] >= 1"]
    count: 2
zones:
  screen: {holds: stone, per: player}
  aside: {holds: stone}
  spent: {holds: stone}
  hand: {holds: card, per: player, seen_by: owner}
  shown: {holds: card, limit: 1}
  gone: {holds: card}
setup: |
  for each player p: move 3 of each stone to screen[p]
  for each player p: move 1 of each card to hand[p]
phases:
  start: sales
  sales:
    each: player as seller
    anytime: {seller: [look]}
    decreases: size of screen[seller]
    start: choose
    phases:
      choose:
        by: seller
        actions: [show_card]
        otherwise: end_of_sale
        next: form
        decreases: size of screen[seller]
      form: {by: seller, actions: [propose], otherwise: take_back, next: end_of_sale}
      take_back:
        do: move shown to hand[seller]
        next: choose
      end_of_sale:
        do: move shown to gone
actions:
  show_card:
    choose: {t: card from my hand}
    where: some lot x within my screen has (size of x <= 3 and t.wants(x))
    do: move t to shown
  propose:
    choose: {lot: stones from my screen}
    where: |
      size of lot <= 3
      (the card in shown).wants(lot)
    do: move lot to spent
  look:
    where: size of my screen >= 1
    do: move 1 random stones from my screen to spent
result: {score: size of screen}
"""

WHERE = "    where: some lot x within my screen has (size of x <= 3 and t.wants(x))\n"
SHOW = "    do: move t to shown\n"
ASIDE = """    do: |
      move t to shown
      move my screen to aside
"""
BACK = "        do: move shown to hand[seller]\n"
BACK_ALL = """        do: |
          move shown to hand[seller]
          move aside to screen[seller]
"""
FORM = "form: {by: seller,"
ENDLESS = {
    "any card may be shown": [(WHERE, "")],
    "stones go aside when a card is shown": [(SHOW, ASIDE), (BACK, BACK_ALL)],
    "the lot must pass another test": [("      size of lot <= 3\n", "      size of lot = 3\n")],
    "another player forms the lot": [(FORM, "form: {by: left of seller,")],
    "another screen is looked at": [("within my screen", "within screen[left of seller]")],
}


def _text(changes: list[tuple[str, str]]) -> str:
    text = STALL
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("precision", [Precision(), Precision(seats=True, laps=True)])
def test_a_card_that_is_shown_is_taken_back_only_after_a_loss(
    tmp_path: Path, precision: Precision
) -> None:
    model = model_of(tmp_path, STALL)
    lowered = lower(model, precision)
    ending = prove(lowered.system).termination
    assert ending.verdict == "proved"
    assert check(ending.certificate) == ending.moves
    monitor = Monitor(Game(model), lowered)
    assert all(monitor.play(3, index).problem is None for index in range(3))


def test_a_pick_that_passes_fewer_tests_is_there_as_well(tmp_path: Path) -> None:
    model = model_of(tmp_path, _text([("      size of lot <= 3\n", "")]))
    assert prove(lower(model, Precision()).system).termination.verdict == "proved"


@pytest.mark.parametrize("name", sorted(ENDLESS))
def test_without_the_fact_nothing_is_proved(tmp_path: Path, name: str) -> None:
    model = model_of(tmp_path, _text(ENDLESS[name]))
    lowered = lower(model, Precision())
    assert prove(lowered.system).termination.verdict == "unknown"
    assert Monitor(Game(model), lowered).play(3, 0, 30).problem is None


def test_every_play_of_30_carats_ends() -> None:
    """At three players; `python -m tests.verdicts thirty_carats` proves it at all counts."""
    ending = prove(lower(load("thirty_carats", 3).model, Precision()).system).termination
    assert ending.verdict == "proved"
    assert check(ending.certificate) == ending.moves
    assert ending.moves is not None and ending.moves < 1_000


FACE = t.Type(t.Base.FACE, faces=(0, 1))


def _some(slot: int, *tests: str) -> t.Term:
    """`some member has` these columns, as one finds it in the rules."""
    element = t.Local(FACE, None, slot, "x")
    parts = tuple(t.Lookup(t.FLAG, None, (0, 1), element, 0, name) for name in tests)
    body = parts[0] if len(parts) == 1 else t.And(t.FLAG, None, parts)
    return t.Fold(t.FLAG, None, "some", slot, t.Faces((0, 1)), None, body)


def test_what_passes_more_tests_passes_fewer() -> None:
    one, both = normal_form(_some(2, "good")), normal_form(_some(5, "good", "red"))
    assert implies(both, one)
    assert not implies(one, both)
    assert implies(both, normal_form(_some(7, "red", "good")))
    assert not implies(both, normal_form(_some(1, "blue")))


def test_slots_are_named_by_their_depth() -> None:
    beside = t.Or(t.FLAG, None, (_some(1, "good"), _some(2, "red")))
    same = t.Or(t.FLAG, None, (_some(3, "good"), _some(3, "red")))
    assert normal_form(beside) == normal_form(same)
