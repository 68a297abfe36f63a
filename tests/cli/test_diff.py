"""`diff`: what a variant changes for a player, in words and as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gemwright.dsl.comparison.elements import compare
from gemwright.dsl.comparison.words import HEADINGS
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.bundled import bundled_rulesets

from .conftest import Command

HEAD = "language: 1\ngame: mine\nextends: stall\n"

CHANGES = [
    ("players: 2\n", ["for 2 players (before: 2 to 3)"]),
    ("default_players: 3\n", ["new: 3 play unless another number is asked for"]),
    (
        "options: {rounds: {values: [3, 2]}}\n",
        [
            "`rounds` is 3 unless something else is chosen (before: 2)",
            "`rounds` can no longer be 4",
        ],
    ),
    ("options: {rounds: {values: [2, 4, 6]}}\n", ["`rounds` may also be 6"]),
    (
        "options: {games: {range: 1..9}}\n",
        ["`games` may be any number in 1 to 9 (before: 1 to 5)"],
    ),
    (
        "options: {games: {values: [3]}}\n",
        ["`games` is 3 unless something else is chosen (before: 1)"],
    ),
    (
        "options: {games: {values: [3], range: 2..5}}\n",
        [
            "`games` is 3 unless something else is chosen (before: 1)",
            "`games` can no longer be 1",
            "`games` may be any number in 2 to 5 (before: 1 to 5)",
        ],
    ),
    (
        "options: {fast: {values: [false, true]}}\n",
        ["`fast` is new", "  values: false, true"],
    ),
    (
        "kinds: {stone: {count: 9}}\n",
        [
            "there are 27 pieces of the kind `stone` (before: 18)",
            "there are 9 of each `stone` (before: 6)",
        ],
    ),
    (
        "kinds: {stone: {count: 6 if players = 2 else 5}}\n",
        [
            "`stone`, pieces with 3 players: 15 (before: 18)",
            "there are 6 if players = 2 else 5 of each `stone` (before: 6)",
        ],
    ),
    ("zones: {purse: {limit: 8}}\n", ["`purse` holds at most 8 (before: at most 6)"]),
    ("zones: {purse: {limit: null}}\n", ["`purse` holds any number (before: at most 6)"]),
    ("zones: {hand: {seen_by: all}}\n", ["`hand` is seen by all (before: owner)"]),
    ("zones: {hand: {seen_by: null}}\n", ["`hand` is seen by all (before: owner)"]),
    ("zones: {shelf: {seen_by: all}}\n", []),
    ("zones: {heap: {holds: stone}}\n", ["`heap` is new", "  holds: stone"]),
    ("state: {score: {start: 5}}\n", ["`score` begins at 5 (before: its lowest value or 0)"]),
    ("state: {moves: 0..60}\n", []),
    (
        "actions: {give: null}\nphases: {play: {phases: {turns: {actions: [take, buy]}}}}\n",
        ["in `turns` one may take, buy (before: take, buy, give, pass)", "`give` is gone"],
    ),
    (
        "actions:\n  take:\n    where: |\n      size of lot >= 1       # a comment\n"
        "      size of   lot <= 2\n",
        [
            "`take` is possible only if `size of lot <= 2` (before: `size of lot <= 3`)",
            "`take` is possible also without `size of my purse + size of lot <= 6`",
        ],
    ),
    (
        "actions:\n  give:\n    where: |\n      to != me\n      size of my hand >= 2\n",
        ["`give` is possible only if `size of my hand >= 2`"],
    ),
    (
        "actions:\n  take: {choose: {lot: stones from shelf or my purse}}\n",
        ["`take`, choose lot: stones from shelf or my purse (before: stones from shelf)"],
    ),
    (
        "actions:\n  give:\n    do: |\n      move given to hand[to]\n      moves += 2\n",
        ["`give`: `moves += 2` (before: `moves += 1`)"],
    ),
    (
        "setup: |\n  move every stone to shelf\n  move every card to deck, shuffled\n"
        "  move top 2 of deck to row\n  first := random player\n",
        ["no longer: `for each player p: move 2 random tickets from box to hand[p]`"],
    ),
    (
        "result: {winner: [highest score, lowest size of hand]}\n",
        ["the winner is who has highest score, lowest size of hand (before: highest score)"],
    ),
    ("result: {ties: null}\n", []),
    ("match: null\n", ["no longer: a match has games games"]),
    ("title: {en: Another stall}\n", []),
]


def told(answer: str) -> list[str]:
    """The lines below the headings."""
    lines = answer.splitlines()[1:]
    return [line.removeprefix("  ") for line in lines if line.startswith("  ")]


@pytest.mark.parametrize(("overlay", "lines"), CHANGES)
def test_a_change_is_told(command: Command, overlay: str, lines: list[str]) -> None:
    Path("mine.gem.yaml").write_text(HEAD + overlay, encoding="utf-8")
    answer = command("diff", "mine.gem.yaml")
    assert answer.code == exits.CLEAN, answer.err
    found = told(answer.out)
    if overlay == "match: null\n":
        assert set(lines) <= set(found)
    else:
        assert found == lines
    assert ("nothing changes" in answer.out) == (not lines)
    both = command("diff", "stall.gem.yaml", "mine.gem.yaml")
    assert both.out == answer.out


def test_rows_of_tables_and_clauses(command: Command) -> None:
    cards = Path("cards.csv").read_text(encoding="utf-8")
    cards = cards.replace("card_b,1,0,1,0", "card_x,3,0,0,0").replace("card_c,1,", "card_c,2,")
    Path("mine.csv").write_text(cards, encoding="utf-8")
    Path("clauses.csv").write_text("id,kind,text\nC-1,rule,Take one.\n", encoding="utf-8")
    overlay = (
        "rulebook: clauses.csv\nkinds: {card: {table: mine.csv}}\nactions: {take: {clause: C-1}}\n"
    )
    Path("mine.gem.yaml").write_text(HEAD + overlay, encoding="utf-8")
    found = told(command("diff", "mine.gem.yaml").out)
    costs = "cost_red 0, cost_green 0, cost_blue 0"
    assert "`card`, card_c: points 2 (before: points 1)" in found
    assert f"`card`, card_x: points 3, {costs} (before: nothing)" in found
    lost = costs.replace("green 0", "green 1")
    assert f"`card`, card_b: nothing (before: points 1, {lost})" in found
    assert "C-1 is carried out: Take one." in found


def test_names_are_those_of_the_labels(command: Command) -> None:
    Path("mine.gem.yaml").write_text(HEAD + "zones: {purse: {limit: 8}}\n", encoding="utf-8")
    Path("stall.en.yaml").write_text("zones: {purse: bag}\n", encoding="utf-8")
    assert told(command("diff", "mine.gem.yaml").out) == [
        '"bag" holds at most 8 (before: at most 6)'
    ]


def test_as_data(command: Command) -> None:
    Path("mine.gem.yaml").write_text(HEAD + "zones: {purse: {limit: 8}}\n", encoding="utf-8")
    data = json.loads(command("diff", "mine.gem.yaml", "--format", "json").out)
    assert (data["a"]["name"], data["b"]["name"]) == ("stall", "mine")
    (change,) = data["changes"]
    assert change == {
        "section": "zones",
        "element": "purse",
        "what": "limit",
        "kind": "changed",
        "before": "6",
        "after": "8",
        "clauses": [],
        "path": "mine.gem.yaml",
        "line": 4,
        "text": "`purse` holds at most 8 (before: at most 6)",
    }


VARIANTS = [each for each in bundled_rulesets().values() if each.is_variant]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.name)
def test_every_bundled_variant_changes_something(command: Command, variant: object) -> None:
    name = getattr(variant, "name", "")
    answer = command("diff", name, "--format", "json")
    assert answer.code == exits.CLEAN, answer.err
    changes = json.loads(answer.out)["changes"]
    assert changes and all(change["text"] for change in changes)
    order = [list(HEADINGS).index(change["section"]) for change in changes]
    assert order == sorted(order)
    text = command("diff", name).out
    assert max(map(len, text.splitlines())) <= 100
    shown = [line.strip() for line in text.splitlines()]
    assert all(HEADINGS[change["section"]] in shown for change in changes)


@pytest.mark.parametrize("name", bundled_rulesets())
def test_a_ruleset_does_not_differ_from_itself(name: str) -> None:
    rules = open_ruleset(name, Reporter())
    assert rules is not None
    assert compare(rules, rules) == ()


def test_the_way_back_turns_every_change_around() -> None:
    sides = [open_ruleset(name, Reporter()) for name in ("grand_bazaar", "grand_bazaar_stepwise")]
    assert sides[0] is not None and sides[1] is not None
    there = {(c.section, c.element, c.what, c.before, c.after) for c in compare(*sides)}
    back = {(c.section, c.element, c.what, c.after, c.before) for c in compare(*reversed(sides))}
    assert there == back


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("stall.gem.yaml",), exits.USAGE, "extends nothing"),
        (("stall.gem.yaml", "nowhere"), exits.USAGE, "nowhere"),
        (("stall.gem.yaml", "nowhere.gem.yaml"), exits.FAILED, "no such file"),
        (("stall.gem.yaml", "stall.gem.yaml", "--option", "x=1"), exits.USAGE, "`x`"),
        (("stall.gem.yaml", "stall.gem.yaml", "--option", "x"), exits.USAGE, "NAME=VALUE"),
        (("stall.gem.yaml", "stall.gem.yaml", "--players", "9"), exits.USAGE, "2 to 3"),
        (("stall.gem.yaml", "broken.gem.yaml"), exits.FINDINGS, "S0"),
    ],
)
def test_what_cannot_be_compared(
    command: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    Path("broken.gem.yaml").write_text("language: 1\ngame: broken\n", encoding="utf-8")
    answer = command("diff", *words)
    assert answer.code == code
    assert said in answer.err and not answer.out


def test_pieces_are_counted_with_options(command: Command) -> None:
    overlay = "kinds: {stone: {count: 6 + rounds}}\n"
    Path("mine.gem.yaml").write_text(HEAD + overlay, encoding="utf-8")
    words = ("diff", "mine.gem.yaml", "--players", "2", "--option", "rounds=4")
    assert "there are 30 pieces of the kind `stone` (before: 18)" in command(*words).out
