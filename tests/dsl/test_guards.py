"""A value that may be missing is used only under a condition that says it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import load

RULES = """\
language: 1
game: guarded
players: 3
kinds:
  stone: {members: [agate, flint], count: 5}
  card:
    columns: {worth: 1..2, tint: stone, good: flag}
    rows: [[a, 1, agate, true], [b, 2, flint, false], [c, 2, agate, true]]
  side: {one per: player, named: [north, south, east]}
zones:
  bank: {holds: stone}
  hand: {holds: stone + card, per: player}
  deck: {holds: card, order: stack}
  pile: {holds: card, order: stack}
  own: {holds: card, per: player, order: stack}
  spot: {holds: side + stone}
state:
  buyer: player or nobody
  other: player or nobody
  first: player
  owner_of: {type: player or nobody, per: stone}
  score: {per: player, range: 0..99}
  sum_: 0..99
  shown: card
define:
  luck(p): score[p] if p is somebody else 0
  top_worth: deck.top.worth
setup: |
  move every stone to bank
  SETUP
phases:
  start: turn
  turn:
    each: player as mover
    steps: [asked]
    next: after
  asked:
    by: mover
    IF
    actions: [act]
    otherwise: pass
  after:
    do: |
      sum_ += 0
      AFTER
    next: |
      to late when NEXT
      to turn when sum_ > 50
      to end
    cap: {times: 5, to: end}
  late:
    do: |
      sum_ += 0
      LATE
    next: end
actions:
  act:
    choose:
      n: 1..2
      CHOOSE
    where: |
      n > 0
      WHERE
    do: |
      sum_ += 0
      DO
result: {score: score, winner: ["highest SCORE"]}
"""
PLAIN = {
    "SETUP": "sum_ += 0", "IF": "if: sum_ >= 0", "AFTER": "sum_ += 0", "NEXT": "sum_ > 60",
    "LATE": "sum_ += 0", "CHOOSE": "m: 1..2", "WHERE": "n > 0", "DO": "sum_ += 0", "SCORE": "score",
}  # fmt: skip


def rules(**changed: str) -> str:
    """The rules with some places changed."""
    text = RULES
    for key, plain in PLAIN.items():
        value = changed.get(key.lower(), plain)
        line = next(line for line in RULES.split("\n") if key in line)
        text = text.replace(key, value.replace("\n", "\n" + " " * (len(line) - len(line.lstrip()))))
    return text


def findings(folder: Path, **changed: str) -> tuple[Diagnostic, ...]:
    """What is found in the rules with some places changed."""
    (folder / "guarded.gem.yaml").write_text(rules(**changed), encoding="utf-8")
    reporter = Reporter()
    ruleset = open_ruleset(str(folder / "guarded.gem.yaml"), reporter)
    if ruleset is not None:
        ruleset.instantiate(3, {}, reporter)
    return reporter.diagnostics


FINE = [
    {},
    # the tests that are always allowed, and what takes nobody as it is
    {"where": "buyer is me or buyer is other\ndeck.top is a or deck.top is card"},
    {"do": "other := buyer\ntell buyer to all\nlet it = buyer\nif it is somebody: score[it] += 1"},
    {"do": "let t = deck.top\nif t is card: sum_ += t.worth"},
    # a condition before, in the same list, sentence or expression
    {"where": "buyer is somebody\nscore[buyer] > 0"},
    {"where": "buyer is somebody and score[buyer] > 0"},
    {"where": "buyer is nobody or score[buyer] > 0"},
    {"where": "buyer is somebody implies score[buyer] > 0"},
    {"where": "not (buyer is nobody or deck is empty)\nscore[buyer] > deck.top.worth"},
    {"where": "not (buyer is nobody) and (other is somebody and score[buyer] > score[other])"},
    {"where": "(score[buyer] if buyer is somebody else 3) > 0"},
    {"where": "(3 if buyer is nobody else score[buyer]) > 0"},
    {"where": "buyer is me\nscore[buyer] > 0"},
    {"where": "first is buyer\nscore[left of buyer] > 0"},
    {"where": "luck(buyer) > 0\nluck(me) > 0"},
    {"where": "every stone s has (owner_of[s] is somebody implies score[owner_of[s]] > 0)"},
    {"where": "(count of stone s with (owner_of[s] is somebody and score[owner_of[s]] > 0)) = 1"},
    {"where": "deck is not empty\ntop_worth > 1"},
    {"where": "size of deck > 0\ntop of deck before c"},
    {"where": "1 <= size of deck and deck.top.good"},
    {"where": "size of deck != 0\ndeck.top.worth > 1"},
    {"where": "size of deck >= n\nspot[deck.top.tint] >= 0"},
    {"where": "some card k in deck has deck.top.worth > k.worth"},
    {"where": "count of cards in deck >= 1\ndeck.top is not pile.top"},
    {"where": "deck.top is a or deck.top is b\ndeck.top.worth > 1"},
    {"where": "count of stones in spot >= 1\n(the stone in spot) is agate"},
    {"where": "spot[north] = 1\nscore[owner of (the side in spot)] > 0"},
    {"where": "my own is not empty", "do": "sum_ += my own.top.worth"},
    {"choose": "x: card from deck", "do": "sum_ += deck.top.worth\nmove x to my hand"},
    {"do": "if buyer is nobody:\n  sum_ += 1\nelse:\n  score[buyer] += 1"},
    {"do": "if buyer is nobody: leave turn\nscore[buyer] += 1"},
    {"do": "buyer := me\nscore[buyer] += 1\nbuyer := left of buyer\neliminate buyer"},
    {"do": "owner_of[flint] := me\nscore[owner_of[flint]] += 1"},
    {"do": "if deck is not empty:\n  move top of deck to pile\n  sum_ += pile.top.worth"},
    {"do": "if size of deck >= 2:\n  move top 2 of deck to own[first]\n  shuffle own[first]\n"
           "  sum_ += own[first].top.worth"},
    {"do": "for each card k in deck: sum_ += deck.top.worth"},
    {"do": "if buyer is somebody:\n  for each player p: score[buyer] += 1"},
    {"do": "if openly (deck is not empty): shown := deck.top"},
    # from phase to phase
    {"if": "if: buyer is somebody", "where": "score[buyer] > 0", "do": "score[buyer] += 1"},
    {"if": "if: own[mover] is not empty", "where": "my own.top.worth = 1"},
    {"next": "buyer is somebody and deck is not empty", "late": "score[buyer] += deck.top.worth"},
    {"setup": "move every card to deck, shuffled\nsum_ += deck.top.worth",
     "do": "sum_ += top_worth"},
    {"setup": "buyer := first", "score": "score[buyer]"},
    # of every player and member, once a loop has seen to all of them
    {"setup": "for each player p: move 1 agate from bank to hand[p]",
     "where": "(the stone in hand[left of me]) is agate\n(the stone in my hand) before flint"},
    {"setup": "for each stone s: owner_of[s] := first", "do": "score[owner_of[agate]] += 1"},
    {"setup": "for each side s: move 1 flint from bank to hand[owner of s]",
     "where": "(the stone in hand[first]) before flint or true"},
]  # fmt: skip


@pytest.mark.parametrize("changed", FINE, ids=str)
def test_uses_with_a_guard(tmp_path: Path, changed: dict[str, str]) -> None:
    assert findings(tmp_path, **changed) == ()


@pytest.mark.parametrize("changed", FINE, ids=str)
def test_what_has_a_guard_never_stops_a_game(tmp_path: Path, changed: dict[str, str]) -> None:
    """Games may stop at a range, which is another promise, but not at somebody who is nobody."""
    (tmp_path / "guarded.gem.yaml").write_text(rules(**changed), encoding="utf-8")
    game = load(tmp_path / "guarded.gem.yaml")
    for seed in range(20):
        state, stream = game.start(seed), Stream(seed, 1)
        for _ in range(40):
            if not state.pending:
                break
            state.apply(state.pending[0].sample(stream))
        assert state.problem is None or "declared 0..99" in state.problem.message, state.problem


AT_ONCE = """\
language: 1
game: sealed
players: 2
kinds:
  stone: {members: [agate, flint], count: 4}
zones:
  hand: {holds: stone, per: player, order: stack}
  pile: {holds: stone, order: stack}
  spent: {holds: stone, per: player}
state: {score: {per: player, range: 0..9}}
setup: |
  for each player p: move 1 of each stone to hand[p]
phases:
  start: choice
  choice: {at once: true, actions: [act]}
actions:
  act:
    where: WHERE
    do: |
      move top of my hand to my spent
      if TOP is agate: my score := 1
result: {score: score}
"""


@pytest.mark.parametrize(
    ("where", "used", "code"),
    [
        ("size of my hand >= 2", "my hand.top", None),
        ("my hand is not empty", "my hand.top", None),
        ("my hand is not empty", "(agate if my hand.top before flint else flint)", "E017"),
        ("hand[left of me] is not empty", "hand[left of me].top", None),
        ("pile is not empty", "(agate if pile.top before flint else flint)", None),
        (
            "hand[left of me] is not empty",
            "(agate if hand[left of me].top before flint else flint)",
            "E017",
        ),
    ],
)
def test_what_others_do_at_once_comes_in_between(
    tmp_path: Path, where: str, used: str, code: str | None
) -> None:
    text = AT_ONCE.replace("WHERE", where).replace("TOP", used)
    (tmp_path / "sealed.gem.yaml").write_text(text, encoding="utf-8")
    reporter = Reporter()
    ruleset = open_ruleset(str(tmp_path / "sealed.gem.yaml"), reporter)
    assert ruleset is not None
    ruleset.instantiate(2, {}, reporter)
    assert [each.code for each in reporter.diagnostics] == ([] if code is None else [code])


WRONG = [
    # players
    ("buyer", "E016", {"where": "score[buyer] > 0"}),
    ("buyer", "E016", {"where": "score[buyer] > 0\nbuyer is somebody"}),
    ("buyer", "E016", {"where": "buyer is somebody or score[buyer] > 0"}),
    ("buyer", "E016", {"where": "buyer is nobody and score[buyer] > 0"}),
    ("buyer", "E016", {"where": "(buyer is somebody or n = 1) and score[buyer] > 0"}),
    ("buyer", "E016", {"where": "buyer is other\nscore[buyer] > 0"}),
    ("buyer", "E016", {"where": "other is somebody\nscore[buyer] > 0"}),
    ("buyer", "E016", {"where": "left of buyer is me"}),
    ("buyer", "E016", {"where": "buyer is out"}),
    ("buyer", "E016", {"where": "some player p clockwise from buyer has score[p] > 1"}),
    ("nobody", "E016", {"where": "score[nobody] > 0"}),
    ("buyer", "E016", {"do": "first := buyer"}),
    ("buyer", "E016", {"do": "show my own to buyer"}),
    ("buyer", "E016", {"do": "eliminate buyer"}),
    ("buyer", "E016", {"do": "move 1 agate from bank to hand[buyer]"}),
    ("buyer", "E016", {"do": "if buyer is somebody: sum_ += 1\nscore[buyer] += 1"}),
    ("buyer", "E016", {"do": "if buyer is somebody:\n  buyer := other\n  score[buyer] += 1"}),
    ("buyer", "E016", {"do": "if buyer is somebody:\n  for each stone s:\n    score[buyer] += 1\n"
                             "    buyer := nobody"}),
    ("buyer", "E016", {"do": "if n = 1: buyer := me\nscore[buyer] += 1"}),
    ("buyer", "E016", {"do": "let it = buyer\nscore[it] += 1"}),
    ("owner_of[s]", "E016", {"where": "every stone s has score[owner_of[s]] > 0"}),
    ("owner_of[flint]", "E016",
        {"where": "owner_of[agate] is somebody\nscore[owner_of[flint]] > 0"}),
    # phases: the guard does not hold on every way
    ("buyer", "E016", {"setup": "buyer := first", "do": "score[buyer] += 1\nbuyer := nobody"}),
    ("buyer", "E016", {"next": "buyer is nobody", "late": "score[buyer] += 1"}),
    ("buyer", "E016", {"score": "score[buyer]"}),
    ("buyer", "E016", {"if": "if: score[buyer] > 0"}),
    # not of all of them
    ("owner_of[agate]", "E016", {
        "setup": "for each stone s:\n  if s is flint: owner_of[s] := first",
        "do": "score[owner_of[agate]] += 1"}),
    ("the stone in my hand", "E017", {
        "setup": "for each player p:\n  move 1 agate from bank to hand[p]\n"
                 "  move all stone in hand[first] to bank",
        "where": "(the stone in my hand) before flint"}),
    ("the stone in my hand", "E017", {
        "setup": "for each player p: move 1 agate from bank to hand[p]",
        "where": "(the stone in my hand) before flint", "do": "move my hand to hand[first]"}),
    ("the stone in my hand", "E017", {
        "setup": "for each side s: move 1 flint from bank to hand[first]",
        "where": "(the stone in my hand) before flint"}),
    # pieces
    ("deck.top", "E017", {"where": "deck.top.worth > 1"}),
    ("deck.top", "E017", {"where": "top_worth > 1"}),
    ("top of deck", "E017", {"where": "hand[me][top of deck] > 1"}),
    ("deck.top", "E017", {"where": "deck.top before c"}),
    ("deck.top", "E017", {"where": "deck.top is pile.top"}),
    ("deck.top", "E017", {"where": "size of deck >= 0\ndeck.top.good"}),
    ("deck.top", "E017", {"where": "size of deck < 2\ndeck.top.good"}),
    ("deck.top", "E017", {"where": "deck.top is not a\ndeck.top.good"}),
    ("deck.top", "E017", {"where": "pile is not empty\ndeck.top.good"}),
    ("deck.top", "E017", {"where": "every card k in deck has k.good\ndeck.top.good"}),
    ("own[first].top", "E017", {"where": "my own is not empty\nown[first].top.good"}),
    ("the side in spot", "E017", {"where": "spot is not empty\n(the side in spot) before south"}),
    ("deck.top", "E017", {"do": "shown := deck.top"}),
    ("deck.top", "E017",
        {"do": "if deck is not empty:\n  move top of deck to pile\n  shown := deck.top"}),
    ("deck.top", "E017",
        {"do": "if deck is not empty:\n  move every card to pile\n  shown := deck.top"}),
    ("deck.top", "E017", {"do": "let t = deck.top\nshown := t"}),
    ("deck.top", "E017", {"do": "for each card k in deck:\n  sum_ += deck.top.worth\n"
                                "  move top of deck to pile"}),
    ("deck.top", "E017",
        {"choose": "x: card from deck", "do": "move x to my hand\nshown := deck.top"}),
    ("deck.top", "E017", {"choose": "x: card from deck or pile", "do": "shown := deck.top"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "changed"), WRONG, ids=str)
def test_uses_without_a_guard(
    tmp_path: Path, text: str, code: str, changed: dict[str, str]
) -> None:
    found = findings(tmp_path, **changed)
    assert [each.code for each in found] == [code]
    lines = (tmp_path / "guarded.gem.yaml").read_text(encoding="utf-8").split("\n")
    span = found[0].span
    places = [span, *(note[0] for note in found[0].notes)]
    shown = [lines[p.line - 1][p.column - 1 : p.end_column - 1] for p in places]
    assert any(text in each for each in shown), shown
    assert found[0].help
