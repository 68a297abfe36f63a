"""What a declaration may be called and what it may say; the rest is refused, not guessed at."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.elaboration.names import RESERVED
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.game import Game
from gemwright.interpreter.state import State

RULES = """\
language: 1
game: declared
players: 2
options:
  opt: {values: [1, 2]}
kinds:
  stone: {members: [red, green], count: 6}
  day: [morning, noon]
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
state:
  n_: 0..99
  first: player
define:
  twice(x): x + x
effects:
  give(p): move 1 red from bank to hand[p]
setup: move every stone to bank
phases:
  start: turn
  turn:
    each: player as active
    actions: [take]
    otherwise: pass
    next: end
actions:
  take:
    choose: {c: stone}
    where: bank[c] >= 1 and twice(n_) = 0
    do: |
      for each stone s: n_ += 0
      let m_ = n_
      if some lot part within bank has part[red] >= 1: give(me)
result:
  score: size of hand
"""


def loaded(folder: Path, *changes: tuple[str, str]) -> tuple[State | None, list[Diagnostic]]:
    text = RULES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "declared.gem.yaml"
    path.write_text(text, encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    model = None if rules is None else rules.instantiate(2, {}, reporter)
    state = None if model is None else Game(model, rules).start(1)
    return state, list(reporter.diagnostics)


def test_the_rules_load(tmp_path: Path) -> None:
    state, found = loaded(tmp_path)
    assert state is not None
    assert not found


# Where a name is declared: what stands there, and the same with another name.
PLACES = {
    "option": ("  opt:", "  NAME:"),
    "kind": ("  day: [", "  NAME: ["),
    "member": ("noon]", "NAME]"),
    "zone": ("zones:\n", "zones:\n  NAME: {holds: stone}\n"),
    "state": ("state:\n", "state:\n  NAME: 0..3\n"),
    "define": ("define:\n", "define:\n  NAME(x): x\n"),
    "parameter of a define": ("twice(x): x + x", "twice(NAME): 0"),
    "parameter of an effect": ("give(p): move 1 red from bank to hand[p]", "give(NAME): n_ += 0"),
    "effect": ("effects:\n", "effects:\n  NAME: n_ += 0\n"),
    "phase": ("  start: turn\n", "  start: turn\n  NAME: {do: n_ += 0}\n"),
    "role": ("as active", "as NAME"),
    "pick": ("{c: stone}", "{c: stone, NAME: 0..1}"),
    "bound": ("for each stone s:", "for each stone NAME:"),
    "bound number": ("for each stone s:", "for each number NAME in 0..1:"),
    "let": ("let m_", "let NAME"),
    "lot": ("some lot part within bank has part[red] >= 1", "some lot NAME within bank has true"),
}


@pytest.mark.parametrize("place", PLACES)
def test_other_names_are_free(tmp_path: Path, place: str) -> None:
    old, new = PLACES[place]
    state, found = loaded(tmp_path, (old, new.replace("NAME", "other_")))
    assert state is not None, found


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("word", ["me", "player", "end", "if", "seat"])
def test_words_of_the_language_are_no_names(tmp_path: Path, place: str, word: str) -> None:
    assert word in RESERVED
    old, new = PLACES[place]
    state, found = loaded(tmp_path, (old, new.replace("NAME", word)))
    assert state is None
    codes = {each.code for each in found}
    assert codes & {"E010", "E001"}, found
    assert not any("Traceback" in each.message for each in found)


@pytest.mark.parametrize(
    "place", ["pick", "bound", "bound number", "let", "lot", "parameter of a define",
              "parameter of an effect"]
)  # fmt: skip
def test_nothing_that_is_bound_hides_a_declaration(tmp_path: Path, place: str) -> None:
    old, new = PLACES[place]
    state, found = loaded(tmp_path, (old, new.replace("NAME", "day")))
    assert state is None
    assert "E008" in {each.code for each in found}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("  day: [", "  box: ["), "E010"),
        (("state:\n", "state:\n  box: 0..3\n"), "E010"),
        (("  day: [morning, noon]", "  day: {members: [noon], plural: stones}"), "E010"),
        (("  day: [morning, noon]", "  day: {members: [noon], plural: bank}"), "E010"),
        (("  take:", "  pass: {}\n  take:"), "E010"),
        (("bank: {holds: stone}", "bank: {holds: stone, limit: 0}"), "E006"),
        (("zones:\n", "zones:\n  box: {holds: day}\n"), "E003"),
        (("zones:\n", "zones:\n  box: {holds: stone, order: stack}\n"), "E003"),
        (("zones:\n", "zones:\n  box: {holds: stone, per: player}\n"), "E003"),
        (("zones:\n", "zones:\n  box: {holds: stone, limit: 9}\n"), "E003"),
        (("first: player", "first: {type: player, start: 2}"), "E003"),
        (("first: player", "first: player\n  hue: {type: stone, start: noon}"), "E002"),
        (("first: player", "first: player\n  hue: {type: stone, start: gren}"), "E002"),
    ],
)
def test_what_is_refused(tmp_path: Path, change: tuple[str, str], code: str) -> None:
    state, found = loaded(tmp_path, change)
    assert state is None
    assert code in {each.code for each in found}, found


def test_values_that_state_starts_with(tmp_path: Path) -> None:
    more = "first: player\n  hue: {type: stone, start: green}\n  up: {type: flag, start: true}"
    state, found = loaded(tmp_path, ("first: player", more))
    assert state is not None, found
    cells = {each.name: state.block[each.offset] for each in state.model.variables}
    assert state.model.faces[cells["hue"]].name == "green"
    assert cells["up"] == 1


def test_a_declared_box_holds_everything_and_may_be_seen(tmp_path: Path) -> None:
    change = ("zones:\n", "zones:\n  box: {holds: stone, seen_by: all}\n")
    state, found = loaded(tmp_path, change)
    assert state is not None, found
