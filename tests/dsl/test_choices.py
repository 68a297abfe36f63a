"""What phases say of their choices: what is refused, and loops that begin a phase anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.ruleset import open_ruleset

RULES = """\
language: 1
game: choices
players: 3
kinds:
  stone: {members: [red, green], count: 6}
  card: {members: [low, high]}
  day: [morning, noon]
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
  offer: {holds: stone, per: player, seen_by: all}
  deck: {holds: card, order: stack}
  own: {holds: card, per: player, order: stack}
state:
  n_: 0..99
  pts: {per: player, range: 0..99}
  chosen: player
setup: |
  for each player p: move 1 of each stone to hand[p]
  move every card to deck
phases:
  start: turn
  turn:
    EACH
    next: later
  later:
    do: n_ += 1
    next: end
actions:
  act:
    choose: {c: stone from my hand}
    do: |
      pts[me] += 1
      DO
  rest: {do: n_ += 1}
result:
  score: pts
"""


def found(folder: Path, each: str, do: str = "move c to my offer") -> list[Diagnostic]:
    text = RULES.replace("EACH", each.replace("\n", "\n    ")).replace("DO", do)
    (folder / "choices.gem.yaml").write_text(text, encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(folder / "choices.gem.yaml"), reporter)
    if rules is not None:
        rules.instantiate(3, {}, reporter)
    return list(reporter.diagnostics)


BY_TURNS = "each: player as active\nactions: [act]\notherwise: pass"
AT_ONCE = "at once: true\nactions: [act]\notherwise: pass"


@pytest.mark.parametrize(
    "each",
    [
        BY_TURNS,
        AT_ONCE,
        f"each: opponent of chosen\n{AT_ONCE}",
        BY_TURNS.replace("[act]", "[act, pass]\nrepeat: until pass, at most 2"),
        f"{BY_TURNS}\nanytime: {{active: [rest]}}\ndecreases: 99 - n_",
        BY_TURNS.replace("pass", "{actions: [rest]}"),
        BY_TURNS.replace("pass", "later"),
    ],
)
def test_what_loads(tmp_path: Path, each: str) -> None:
    assert found(tmp_path, each) == []


@pytest.mark.parametrize(
    ("each", "code"),
    [
        (BY_TURNS.replace("[act]", "[act, act]"), "G012"),
        (BY_TURNS.replace("[act]", "[pass, act, pass]"), "G012"),
        (BY_TURNS.replace("pass", "{actions: [rest, rest]}"), "G012"),
        (BY_TURNS.replace("pass", "{actions: [rest, pass]}"), "G012"),
        (f"{BY_TURNS}\nanytime: {{active: [pass]}}", "G012"),
        (f"{BY_TURNS}\nanytime: {{chosen: [rest]}}", "G012"),
        (f"{BY_TURNS}\nanytime: {{active: [rest, rest]}}\ndecreases: 99 - n_", "G012"),
        (f"{BY_TURNS}\nrepeat: until pass, at most 0", "S002"),
        (f"each: day as today\n{AT_ONCE}", "G012"),
        (f"each: 1..2 as k\n{AT_ONCE}", "G012"),
        (f"each: player clockwise from chosen as some_\n{AT_ONCE}", "G012"),
        (f"by: chosen\n{AT_ONCE}", "G012"),
        (f"{AT_ONCE}\nrepeat: until pass, at most 3", "G012"),
        # a phase that its own `otherwise` begins anew
        (BY_TURNS.replace("pass", "turn"), "G010"),
    ],
)
def test_what_is_refused(tmp_path: Path, each: str, code: str) -> None:
    assert [each.code for each in found(tmp_path, each)] == [code]


@pytest.mark.parametrize(
    "do",
    [
        "move c to my offer",
        "pts[me] := pts[me] + size of my hand",
        "my pts += 1",
        "move my offer to my hand",
        "move 1 red from my hand to my offer",
        "if hand[left of me] is empty: my pts += 1",
        "for each stone s in my offer: my pts += 1",
        "let k = 2",
        "eliminate me",
    ],
)
def test_what_is_only_of_the_player_may_be_done_at_once(tmp_path: Path, do: str) -> None:
    assert found(tmp_path, AT_ONCE, do) == []


@pytest.mark.parametrize(
    "do",
    [
        "move c to bank",
        "move c to offer[left of me]",
        "move 1 red from bank to my hand",
        "move bank to my hand",
        "move every stone to my hand",
        "move offer[left of me] to my hand",
        "move 1 random stone from my hand to my offer",
        "move c to my offer, shuffled",
        "shuffle my own",
        "n_ += 1",
        "pts[left of me] += 1",
        "chosen := me",
        "chosen := random player",
        "tell size of bank to all",
        "show my hand to all",
        "eliminate (left of me)",
        "leave turn",
        "end game",
        "if n_ = 0: chosen := me",
        "for each player p: pts[p] += 1",
        "move top of deck to my own",
    ],
)
def test_what_is_not_only_of_the_player_may_not(tmp_path: Path, do: str) -> None:
    codes = {each.code for each in found(tmp_path, AT_ONCE, do)}
    assert "G011" in codes, codes
    assert codes <= {"G011", "E003", "I001", "E010"}
    assert "G011" not in {each.code for each in found(tmp_path, BY_TURNS, do)}


@pytest.mark.parametrize(
    ("do", "codes"), [("leave turn", []), ("if n_ > 1: leave turn", []), ("leave later", ["G001"])]
)
def test_a_phase_is_left_from_inside(tmp_path: Path, do: str, codes: list[str]) -> None:
    assert [each.code for each in found(tmp_path, BY_TURNS, do)] == codes


def test_setup_is_no_phase(tmp_path: Path) -> None:
    text = RULES.replace("EACH", BY_TURNS.replace("\n", "\n    ")).replace("DO", "n_ += 1")
    text = text.replace("  move every card to deck\n", "  move every card to deck\n  leave turn\n")
    (tmp_path / "choices.gem.yaml").write_text(text, encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(tmp_path / "choices.gem.yaml"), reporter)
    assert rules is not None
    rules.instantiate(3, {}, reporter)
    assert [each.code for each in reporter.diagnostics] == ["G001"]
