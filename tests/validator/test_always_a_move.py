"""Whether somebody who has to choose always has a legal move: proved of rules and refused to rules
that differ a little."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.lowering import lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.analysing import Analyst
from gemwright.validator.decisions.turns import left_in_turn
from gemwright.validator.proving import prove
from tests.validator.small_games import model_of

HEAD = """\
language: 1
game: small
players: 2
kinds:
  stone: {members: [red, green], count: 4}
  stall: [left_one, right_one]
"""

AT_ONCE = (
    HEAD
    + """\
zones:
  bag: {holds: stone}
  hand: {holds: stone, per: player}
  gone: {holds: stone, per: player}
state: {at: stall per player}
setup: |
  move every stone to bag
  for each player p: move START red from bag to hand[p]
phases:
  start: rounds
  rounds:
    each: 1..2 as round
    steps: [visit]
    next: end
  visit:
    at once: true
    actions: [go]
actions:
  go:
    choose: {s: stall}
    where: WHERE
    do: |
      my at := s
      move COUNT red from my hand to my gone
result: {score: size of hand}
"""
)

FALLBACK = (
    HEAD
    + """\
zones:
  here: {holds: stone}
  there: {holds: stone}
setup: |
  move every stone to there
  move 1 red from there to here
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [both]
    otherwise: {actions: [one]}
    cap: {times: 4, to: over}
  over: {do: end game}
actions:
  both:
    where: |
      here[red] >= 1
      here[green] >= 1
    do: move 1 red from here to there
  one:
    where: WHERE
    do: move 1 green from there to here
result: {score: size of here}
"""
)

TURNS = (
    HEAD
    + """\
zones:
  bag: {holds: stone}
  hand: {holds: stone, per: player}
state: {tired: flag}
setup: |
  move every stone to bag
  for each player p: move 2 random stones from bag to hand[p]
phases:
  start: turns
  turns:
    each: player as active, again and again
    cap: {times: 9, to: over}
    steps: [draw, keep, give, rest]
  draw:
    do: DRAW
  keep:
    if: size of hand[active] > LIMIT
    by: active
    actions: [put_back]
  give:
    by: active
    actions: [give_one]
  rest:
    do: |
      if not tired: move 1 random stone from bag to hand[active]
  over: {do: end game}
actions:
  put_back:
    choose: {lot: stones from my hand}
    where: size of my hand - size of lot = 2
    do: move lot to bag
  give_one:
    choose: {s: stone from my hand}
    do: |
      move s to bag
      tired := s is red
      if tired: move REST random stone from bag to my hand
result: {score: size of hand}
"""
)

ONCE = (
    HEAD
    + """\
zones: {bag: {holds: stone}}
state:
  was_first: flag per player
  caller: player
setup: |
  move every stone to bag
  caller := random player
phases:
  start: rounds
  rounds:
    each: 1..ROUNDS as round
    steps: [call]
    next: end
  call: {by: caller, actions: [name]}
actions:
  name:
    choose: {who: player}
    where: not was_first[who]
    do: was_first[who] := true
result: {score: size of bag}
"""
)

DAYS = (
    HEAD.replace("count: 4", "count: 9")
    + """\
  day: [DAYS]
zones:
  bag: {holds: stone}
  hand: {holds: stone, per: player}
  shown: {holds: stone, limit: 1}
state:
  was_first: flag per player
  first: player
setup: |
  move every stone to bag
  for each player p: move HELD red from bag to hand[p]
  first := random player
  was_first[first] := true
phases:
  start: days
  days:
    each: day as today
    steps: [call, sales]
    next: end
  call: {if: today is not morning, by: first, actions: [call]}
  sales:
    each: player clockwise from first as seller
    steps: [offer, clear]
  offer: {by: seller, actions: [show]}
  clear:
    do: move shown to OWNER
actions:
  call:
    choose: {who: player}
    where: not was_first[who]
    do: |
      first := who
      was_first[who] := true
  show:
    choose: {s: stone from my hand}
    do: move s to shown
result: {score: size of hand}
"""
)


def verdict(folder: Path, text: str, **holes: str) -> str:
    """Whether there is always a move, of a text with its words in capitals filled in."""
    for name, word in holes.items():
        text = text.replace(name.upper(), word)
    return Analyst("small").analyse(model_of(folder, text), True).deadlock_free


@pytest.mark.parametrize(
    ("start", "count", "where", "found"),
    [
        ("0", "0", "size of bag >= 0", "proved"),
        ("2", "0", "size of bag >= 0 and my hand[red] >= 1", "proved"),
        ("1", "1", "size of bag >= 0 and my hand[red] >= 1", "unknown"),
        ("2", "1", "size of bag >= 0 and my hand[red] >= 2", "unknown"),
        ("0", "0", "s is left_one", "proved"),
        ("0", "0", "s is left_one and s is right_one", "unknown"),
        ("0", "0", "seat of me = 1", "unknown"),
    ],
)
def test_who_choose_at_once_all_have_a_move(
    tmp_path: Path, start: str, count: str, where: str, found: str
) -> None:
    assert verdict(tmp_path, AT_ONCE, start=start, count=count, where=where) == found


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("here[red] = 0 or here[green] = 0", "proved"),
        # Where one kind of stone lies here, both actions are refused.
        ("here[red] <= 0", "unknown"),
    ],
)
def test_another_action_helps_only_where_it_is_legal(
    tmp_path: Path, where: str, found: str
) -> None:
    assert verdict(tmp_path, FALLBACK, where=where) == found


@pytest.mark.parametrize(
    ("draw", "limit", "rest", "found"),
    [
        ("move 1 random stone from bag to hand[active]", "2", "1", "proved"),
        ("move 1 random stone from bag to hand[active]", "0", "1", "proved"),
        # Who has one stone cannot keep two.
        ("tired := false", "0", "0", "unknown"),
        # Every red stone that is given is one stone less.
        ("tired := false", "2", "0", "unknown"),
    ],
)
def test_what_everybody_has_is_followed_through_the_turns(
    tmp_path: Path, draw: str, limit: str, rest: str, found: str
) -> None:
    assert verdict(tmp_path, TURNS, draw=draw, limit=limit, rest=rest) == found


@pytest.mark.parametrize(("rounds", "found"), [("2", "proved"), ("3", "unknown")])
def test_everybody_is_named_once(tmp_path: Path, rounds: str, found: str) -> None:
    assert verdict(tmp_path, ONCE, rounds=rounds) == found


@pytest.mark.parametrize(
    ("days", "held", "owner", "found"),
    [
        ("morning, evening", "2", "bag", "proved"),
        ("morning, evening", "1", "hand[seller]", "proved"),
        # A stone is shown each day, and comes back to nobody.
        ("morning, evening", "1", "bag", "unknown"),
        # On the third day both have been first.
        ("morning, midday, evening", "3", "bag", "unknown"),
        # The morning is not the first day any more.
        ("midday, morning, evening", "3", "bag", "unknown"),
        ("midday, morning", "2", "bag", "proved"),
    ],
)
def test_days_use_up_what_everybody_has(
    tmp_path: Path, days: str, held: str, owner: str, found: str
) -> None:
    assert verdict(tmp_path, DAYS, days=days, held=held, owner=owner) == found


@pytest.mark.parametrize(
    ("owner", "left"), [("bag", 1), ("hand[seller]", 2), ("hand[left of seller]", 0)]
)
def test_what_is_left_in_a_turn(tmp_path: Path, owner: str, left: int) -> None:
    holes = {"DAYS": "morning, evening", "HELD": "2", "OWNER": owner}
    text = DAYS
    for name, word in holes.items():
        text = text.replace(name, word)
    game = model_of(tmp_path, text)
    lowered = lower(game, Precision())
    known = prove(lowered.system, ends=False).known
    points = [p for p in game.points if isinstance(p, m.Decide) and p.phase.endswith("offer")]
    facts = [fact for point in points for fact in left_in_turn(lowered, known, point)]
    numbers = [fact.right.value for fact in facts if isinstance(fact, t.Compare)]
    assert numbers == ([left] if left else [])
