"""The shape of a ruleset: what is accepted, and the one finding for each thing that is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.document.compose import load_document
from gemwright.dsl.document.schema import MAX_REPORTED, check_shape, ruleset_schema

WHOLE = """\
language: 1
game: market
title: {en: Market, uk: Ринок}
players: 2..5
default_players: 3
rulebook: clauses.csv
options:
  open: {values: [false, true], clause: [A-1, A-2]}
  size: {values: [10], range: 1..99, clause: A-3, label: how many}
  turns: {values: [once, twice], needs: once or players >= 3}
kinds:
  stone: [red, green]
  token: stone + coin
  coin: [coin]
  day: 1..10
  card:
    columns: {cost: {per: stone, range: 0..3}, worth: 0..5, wild: flag}
    every combination: 1
    plural: cards
  screen: {one per: player, named: [blue, black]}
  deed:
    columns: {test: test(lot)}
    rows: [[first, "size of lot >= 1"], [second, true]]
  prize: {table: prizes.csv, columns: {points: 0..9}, clause: A-9}
  token_of_day: {members: 1..3, count: 2}
tables:
  worth: {file: worth.csv, by: [stone, 3..5], range: 0..20, default: 0}
zones:
  bank: {holds: token}
  hand: {holds: card, per: player, seen_by: owner, limit: 4, clause: A-4}
  deck: {holds: card, order: stack, seen_by: nobody}
  row:
    holds: card
    order: row of 4
    refill: deck
    seen_by: {cost: all, worth: all if open else owner}
state:
  first: player
  buyer: player or nobody
  money: {per: player, range: 0..99, start: 30, seen_by: owner}
  ending: {type: flag, start: false}
define:
  "full(p)": size of hand[p] >= 4
  limit: 5
  worth_of(c): {is: c.worth, clause: A-5}
setup: |
  move 4 of each stone to bank   @A-1
effects:
  "pay(n)": move n coin from my purse to bank
  close: {do: "ending := yes", clause: A-6}
phases:
  start: round
  round:
    each: player clockwise from first as active
    if: not ending
    by: active
    actions: [take, trade]
    otherwise: {actions: [rest]}
    anytime: {active: [rest]}
    repeat: until pass, at most 3
    next: |
      to closing when ending
      to round
    cap: {times: 100, to: closing}
    decreases: [size of deck, "10"]
    clause: A-7
  closing: {do: "first := left of first", next: end}
  offers:
    each: opponent of first
    at once: true
    actions: [take]
    otherwise: pass
  group:
    start: inner
    phases:
      inner: {steps: [closing]}
    decreases: size of deck
actions:
  take:
    choose: {n: stone, lot: stones from bank}
    where: |
      bank[n] >= 1
    do: move 1 n from bank to my hand
    clause: A-8
  trade: {where: true}
  rest: {}
result: {score: money, winner: [highest money, lowest seat], nobody: false, ties: shared}
match: {games: 3, points: 'money[p]', first: left of first, winner: [highest money], ties: shared}
expect:
  - {id: terminates, players: [2, 3], expect: proved, decreases: [size of deck]}
  - {id: terminates, players: 4, expect: unknown, options: {size: 3, open: true}, because: x}
  - {id: terminates, expect: refuted, trace: traces/loop.json}
"""

SMALL = """\
language: 1
game: market
players: 2
phases: {start: turn, turn: {do: pass}}
result: {score: points}
"""


def check(tmp_path: Path, text: str) -> tuple[Diagnostic, ...]:
    path = tmp_path / "a.gem.yaml"
    path.write_text(text)
    reporter = Reporter()
    document = load_document(path, "a.gem.yaml", reporter)
    if document is None:
        return reporter.diagnostics  # in a later language, which is found before the shape
    before = reporter.diagnostics
    fine = check_shape(document.tree, reporter)
    assert fine == (reporter.diagnostics == before) or before
    return reporter.diagnostics


def places(findings: tuple[Diagnostic, ...]) -> list[tuple[str, int, int]]:
    return [(d.code, d.span.line, d.span.column) for d in findings]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    for name in ("prizes", "worth", "clauses"):
        (tmp_path / f"{name}.csv").write_text("name\nx\n")
    return tmp_path


def test_whole_ruleset_is_accepted(whole: Path) -> None:
    assert check(whole, WHOLE) == ()


def test_small_ruleset_is_accepted(tmp_path: Path) -> None:
    assert check(tmp_path, SMALL) == ()


ROWS: list[tuple[str, str, int, int, str]] = [
    # what is added to the small ruleset (it begins at line 6), code, line, column, words
    ("phasess: {}\n", "S001", 6, 1, "its fields are"),
    ("zonse: {}\n", "S001", 6, 1, "did you mean `zones`?"),
    ("extra: {}\n", "S001", 6, 1, "its fields are"),
    ("zones:\n  bank: {holds: x, limt: 3}\n", "S001", 7, 20, "did you mean `limit`?"),
    ("actions: {take: {effect: x}}\n", "S001", 6, 18, "a field of an action"),
    (
        "kinds: {card: {columns: {a: {per: b, range: 1..2, x: y}}, members: [q]}}\n",
        "S001",
        6,
        51,
        "",
    ),
    ("zones: [a]\n", "S002", 6, 8, "is a list"),
    ("zones: {bank: x}\n", "S002", 6, 15, "the text `x`"),
    ("zones: {bank: }\n", "S002", 6, 9, "nothing"),
    ("zones: {bank: {holds: x, order: heap}}\n", "S002", 6, 33, "`stack` or `row of 4`"),
    ("zones: {bank: {holds: [x]}}\n", "S002", 6, 23, "a list"),
    ("kinds: {stone: 5}\n", "S002", 6, 16, "the number 5"),
    ("kinds: {stone: []}\n", "S002", 6, 16, "empty"),
    ("kinds: {stone: {members: x}}\n", "S002", 6, 26, "a list of names or a range"),
    ("kinds: {stone: {one per: card}}\n", "S002", 6, 26, "`player`"),
    ("setup:\n  if a: b\n", "S002", 7, 3, "| block"),
    ("setup: [a]\n", "S002", 6, 8, "sentences"),
    ("setup: 5\n", "S002", 6, 8, "quote it"),
    ("define: {a: [b]}\n", "S002", 6, 13, "an expression"),
    ("define:\n  a:\n    b c: d\n", "S002", 8, 5, "| block"),
    ("options: {a: {values: x}}\n", "S002", 6, 23, "[a, b]"),
    ("options: {a: {values: [x], range: 3}}\n", "S002", 6, 35, "a range"),
    ("default_players: true\n", "S002", 6, 18, "is true"),
    ("default_players: 0\n", "S002", 6, 18, "from 1 on"),
    ("match: {games: {a: b}, points: x}\n", "S002", 6, 16, "a map"),
    ("expect: [{id: terminates, expect: proven}]\n", "S002", 6, 35, "did you mean `proved`?"),
    ("expect: [x]\n", "S002", 6, 10, "item 1 of `expect`"),
    ("title: {}\n", "S002", 6, 8, "empty"),
    ("zones: {bank: {per: player}}\n", "S003", 6, 9, "`bank` needs the field `holds`"),
    ("options: {a: {}}\n", "S003", 6, 11, "`values`"),
    ("tables: {a: {by: [x]}}\n", "S003", 6, 10, "`file`"),
    ("state: {a: {per: player}}\n", "S003", 6, 9, "`type` or `range`"),
    ("kinds: {stone: {plural: x}}\n", "S003", 6, 9, "`members`, `table`"),
    ("kinds: {stone: {members: [a], named: [b]}}\n", "S003", 6, 31, "`one per`"),
    ("effects: {a: {clause: A-1}}\n", "S003", 6, 11, "`do`"),
    ("match: {games: 3}\n", "S003", 6, 1, "`points`"),
    ("kinds: {stone: {members: [a], rows: [[b]]}}\n", "S004", 6, 31, "`members` and `rows`"),
    ("zones: {Bank: {holds: x}}\n", "S006", 6, 9, "write `bank`"),
    ("zones: {my bank: {holds: x}}\n", "S006", 6, 9, "write `my_bank`"),
    ("zones: {камінь: {holds: x}}\n", "S006", 6, 9, "label files"),
    ("zones: {2nd: {holds: x}}\n", "S006", 6, 9, "begins with a letter"),
    ('zones: {"a\u00a0b": {holds: x}}\n', "S006", 6, 9, ""),
    ('zones: {"a\\n": {holds: x}}\n', "S006", 6, 9, ""),
    ("kinds: {stone: [Red]}\n", "S006", 6, 17, "write `red`"),
    ("actions: {Take: {}}\n", "S006", 6, 11, "write `take`"),
    ("actions: {take: {choose: {N: stone}}}\n", "S006", 6, 27, "write `n`"),
    ("options: {Big: {values: [a]}}\n", "S006", 6, 11, "write `big`"),
    ("state: {First: player}\n", "S006", 6, 9, ""),
    ('define: {"Full(p)": x}\n', "S006", 6, 10, "write `full`"),
    ('define: {"full(p": x}\n', "S006", 6, 10, "`name(a, b)`"),
    ("options: {a: {values: [1], range: 9..1}}\n", "S007", 6, 35, "write 1..9"),
    ("state: {a: {range: 5..-5}}\n", "S007", 6, 20, "write -5..5"),
]


@pytest.mark.parametrize(("addition", "code", "line", "column", "words"), ROWS)
def test_one_defect_is_one_finding(
    addition: str, code: str, line: int, column: int, words: str, tmp_path: Path
) -> None:
    findings = check(tmp_path, SMALL + addition)
    assert places(findings) == [(code, line, column)]
    assert words in findings[0].message + findings[0].help


REPLACED: list[tuple[str, str, str, int, int, str]] = [
    ("players: 2\n", 'players: "2-4"\n', "S002", 3, 10, "a number or a range such as `2..5`, but"),
    ("players: 2\n", "players: [2]\n", "S002", 3, 10, "is a list"),
    ("players: 2\n", "players: 5..2\n", "S007", 3, 10, "write 2..5"),
    ("players: 2\n", "playres: 2\n", "S001", 3, 1, "did you mean `players`?"),
    ("players: 2\n", "", "S003", 1, 1, "needs the field `players`"),
    ("language: 1\n", "", "S003", 1, 1, "`language`"),
    ("language: 1\n", "language: 2\n", "S005", 1, 11, "language 2"),
    ("language: 1\n", "language: 0\n", "S002", 1, 11, "should be `1`"),
    ("language: 1\n", "language: true\n", "S002", 1, 11, "is true"),
    ("language: 1\n", "language: '1'\n", "S002", 1, 11, "the text `1`"),
    ("game: market\n", "game: The Market\n", "S006", 2, 7, "write `the_market`"),
    ("{do: pass}", "{}", "S003", 4, 23, "needs one of `do`, `actions`, `steps` or `phases`"),
    ("{do: pass}", "{next: end}", "S003", 4, 23, "`turn`"),
    ("{do: pass}", "{do: x, by: p, actions: [a]}", "S004", 4, 44, "`do` and `actions`"),
    ("{do: pass}", "{do: x, steps: [a]}", "S004", 4, 37, "`do` and `steps`"),
    ("{do: pass}", "{by: active}", "S003", 4, 30, "`actions`"),
    ("{do: pass}", "{start: a}", "S003", 4, 30, "`phases`"),
    ("{do: pass}", "{phases: {a: {do: x}}}", "S003", 4, 30, "`start`"),
    ("{do: pass}", "{dos: pass}", "S001", 4, 30, "did you mean `do`?"),
    ("{do: pass}", "{by: p, action: [a]}", "S001", 4, 37, "did you mean `actions`?"),
    ("{do: pass}", "{by: p, actions: []}", "S002", 4, 46, "empty"),
    ("{do: pass}", "{by: p, actions: [Take]}", "S006", 4, 47, "write `take`"),
    ("{do: pass}", "{do: x, cap: {times: 3}}", "S003", 4, 37, "`to`"),
    ("{do: pass}", "{start: a, phases: {a: {do: [x]}}}", "S002", 4, 57, "sentences"),
    ("start: turn, ", "", "S003", 4, 1, "`start`"),
    ("start: turn, ", "start: [turn], ", "S002", 4, 17, "a name"),
    ("{score: points}", "{}", "S003", 5, 1, "`score` or `winner`"),
    ("{score: points}", "{winner: x}", "S002", 5, 18, "[a, b]"),
]


@pytest.mark.parametrize(("old", "new", "code", "line", "column", "words"), REPLACED)
def test_one_change_is_one_finding(
    old: str, new: str, code: str, line: int, column: int, words: str, tmp_path: Path
) -> None:
    assert old in SMALL
    findings = check(tmp_path, SMALL.replace(old, new))
    assert places(findings) == [(code, line, column)]
    assert words in findings[0].message + findings[0].help


def test_both_forms_are_pointed_at(tmp_path: Path) -> None:
    text = SMALL.replace("{do: pass}", "{do: x, steps: [a]}")
    (found,) = check(tmp_path, text)
    assert [(span.line, span.column) for span, _ in found.notes] == [(4, 30)]


def test_newer_language_is_the_only_finding(tmp_path: Path) -> None:
    assert places(check(tmp_path, "language: 7\nnews: [1]\n")) == [("S005", 1, 11)]


def test_value_reported_by_the_reader_is_not_reported_again(tmp_path: Path) -> None:
    text = SMALL.replace("players: 2\n", "players: 2.0\n") + "on: x\ndefault_players: 010\n"
    assert places(check(tmp_path, text)) == [("Y005", 3, 10), ("Y002", 6, 1), ("Y004", 7, 18)]


def test_finding_in_an_overlay_is_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "base.gem.yaml").write_text(SMALL)
    findings = check(tmp_path, "extends: base\nphases:\n  turn: {steps: [a]}\n")
    assert [(d.code, d.span.path, d.span.line, d.span.column) for d in findings] == [
        ("S004", "a.gem.yaml", 3, 10)
    ]
    assert findings[0].notes[0][0].path == "base.gem.yaml"
    assert check(tmp_path, "extends: base\nphases:\n  turn: {do: null, steps: [a]}\n") == ()


def test_many_findings_are_cut(tmp_path: Path) -> None:
    text = SMALL + "".join(f"key{n}: x\n" for n in range(1000))
    assert len(check(tmp_path, text)) == MAX_REPORTED


def test_findings_do_not_depend_on_hashes(tmp_path: Path) -> None:
    text = SMALL + "zones:\n" + "".join(f"  z{n}: [x]\n" for n in range(300))
    path = tmp_path / "a.gem.yaml"
    path.write_text(text)
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from gemwright.dsl.document.compose import load_document\n"
        "from gemwright.dsl.diagnostics import Reporter\n"
        "from gemwright.dsl.document.schema import check_shape\n"
        "r = Reporter()\nd = load_document(Path(sys.argv[1]), 'a', r)\ncheck_shape(d.tree, r)\n"
        "print([(x.code, x.span.line) for x in r.diagnostics])\n"
    )
    outputs = set()
    for seed in ("1", "2", "3"):
        run = subprocess.run(
            [sys.executable, "-c", program, str(path)],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert run.returncode == 0, run.stderr
        outputs.add(run.stdout)
    assert outputs == {str([("S002", line) for line in range(7, 107)]) + "\n"}


def test_messages_never_speak_of_schemas(tmp_path: Path) -> None:
    for addition, *_ in ROWS:
        for found in check(tmp_path, SMALL + addition):
            text = found.message + found.help
            assert "schema" not in text and "valid" not in text and "property" not in text


# -- the published schema ----------------------------------------------------------------------


def accepts(text: str) -> bool:
    return bool(Draft202012Validator(ruleset_schema()).is_valid(yaml.safe_load(text)))


def test_published_schema_is_a_schema() -> None:
    schema = ruleset_schema()
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(json.dumps(schema)) == schema


def test_published_schema_accepts_what_the_check_accepts() -> None:
    assert accepts(WHOLE) and accepts(SMALL)
    assert not accepts(SMALL.replace("players: 2\n", ""))
    assert not accepts(SMALL + "extra: x\n")


def test_published_schema_lets_overlays_leave_out_and_remove() -> None:
    assert accepts("extends: base\n")
    assert accepts("extends: base\nzones: {bank: null, shelf: {limit: 3}}\n")
    assert accepts(
        "extends: base\nphases: {turn: {do: null, steps: [a]}, group: {phases: {a: null}}}"
    )
    assert not accepts("extends: base\nzones: {shelf: {limt: 3}}\n")
    assert not accepts("extends: base\nphases: {turn: {steps: 5}}\n")


def test_no_schema_takes_patterns_or_floats_from_authors() -> None:
    text = json.dumps(ruleset_schema())
    assert '"number"' not in text and "uniqueItems" not in text and "multipleOf" not in text


def test_importing_the_check_does_not_import_jsonschema() -> None:
    program = "import sys, gemwright.dsl.document.schema\nprint('jsonschema' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr
