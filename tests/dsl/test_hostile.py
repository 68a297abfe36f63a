"""Strangers' files: each gets its finding at its place, in bounded work and memory."""

from __future__ import annotations

import os
import random
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.dsl.diagnostics import ECHO_LIMIT, UNSAFE, Reporter
from gemwright.dsl.document.compose import load_document
from gemwright.dsl.document.schema import check_shape
from gemwright.dsl.render import render

HOSTILE = Path(__file__).parent.parent / "data" / "hostile"

Places = list[tuple[str, int, int]]

EXPECTED: dict[str, Places] = {
    "alias_tower": [("Y007", 1, 5)],
    "anchors_only": [("Y007", 1, 4)],
    "bidi": [("Y012", 1, 9), ("Y012", 2, 3)],
    "braces": [("Y009", 1, 164)],
    "brackets_closed": [("Y009", 1, 47)],
    "brackets_open": [("Y009", 1, 408)],
    "comment": [("Y011", 1, 1)],
    "dashes": [("Y009", 2, 81)],
    "dates": [("Y006", 1, 10), ("Y006", 2, 8)],
    "directive": [("Y010", 1, 1)],
    "duplicate": [("Y001", 4, 3)],
    "empty": [("Y011", 1, 1)],
    "escape_sequence": [("Y012", 1, 4)],
    "escaped_bidi": [("Y012", 1, 8), ("Y012", 2, 7)],
    "floats": [("Y005", line, 4) for line in (1, 2, 3, 4, 6)],
    "indents": [("Y009", 41, 41)],
    "latin1": [("Y012", 1, 11)],
    "lone_return": [("Y012", 1, 5)],
    "long_key": [("Y009", 1, 1)],
    "long_number": [("Y004", 1, 4)],
    "long_scalar": [("Y009", 1, 4)],
    "merge_bomb": [("Y007", 1, 5), *(("Y008", line, 10) for line in range(2, 10))],
    "merge_key": [("Y008", 4, 5)],
    "next_line": [("Y012", 1, 5)],
    "nul": [("Y012", 1, 9)],
    "number_keys": [*(("Y016", line, 1) for line in range(1, 5)), ("Y016", 5, 3)],
    "odd_numbers": [("Y004", line, 4) for line in range(1, 7)],
    "old_words": [("Y002", 1, 1), ("Y002", 3, 17)],
    "raw_surrogate": [("Y012", 1, 8)],
    "self_reference": [("Y007", 1, 4)],
    "sexagesimal": [("Y003", 1, 7), ("Y003", 2, 8)],
    "surrogate": [("Y018", 1, 11)],
    "tabs": [("Y012", 2, 1), ("Y012", 3, 3)],
    "tags": [("Y010", line, 4) for line in range(1, 6)],
    "two": [("Y011", 2, 1)],
    "utf16": [("Y012", 1, 1)],
    "workflow_command": [],
}

GENERATED: dict[str, tuple[Callable[[], str], Places]] = {
    "ten megabytes": (lambda: "[" * 10_000_000, [("Y009", 1, 1)]),
    "many nodes": (lambda: "a: [" + "x," * 21_000 + "]\n", [("Y009", 1, 39_999)]),
    "many bare words": (
        lambda: "a:\n" + "- no\n" * 5000,
        [("Y002", line, 3) for line in range(2, 202)] + [("Y009", 201, 3)],
    ),
    "valueless keys": (
        lambda: "a: {" + "".join(f"k{n}," for n in range(9000)) + "}\n",
        [("Y015", 1, 5)],
    ),
    "wide gaps": (lambda: "a: {" + "k:" + " " * 200_000 + "," + "}\n", []),
    "many colons": (
        lambda: "setup: x\n" + " y: z\n" * 2000,
        [("Y015", 2, 3)],
    ),
    "many bare sentences": (
        lambda: "".join(f"a{line}: b: c\n" for line in range(1000, 3000)),
        [("Y015", line, 9) for line in range(1, 10)],
    ),
    "folded blanks": (lambda: "a: >\n" + "  x\n\n" * 6000, []),
    "quotes": (lambda: "a: '" + "''" * 4000 + "'\n", []),
}


def load(path: Path) -> Reporter:
    reporter = Reporter()
    load_document(path, path.name, reporter)
    return reporter


def places(reporter: Reporter) -> Places:
    return [(d.code, d.span.line, d.span.column) for d in reporter.diagnostics]


def check_everything(path: Path) -> Reporter:
    """Load, check and print; nothing of it may raise, and no print may repeat unsafe text."""
    reporter = Reporter()
    document = load_document(path, path.name, reporter)
    if document is not None:
        check_shape(document.tree, reporter)
    for found in reporter.diagnostics:
        for line in render(found, document.text_of if document else lambda _: None).split("\n"):
            assert not UNSAFE.search(line)
    return reporter


class Steps:
    """Counts calls of Python functions: a measure of work that no other process disturbs."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> Steps:
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _count(self, frame: FrameType, event: str, argument: object) -> None:
        self.calls += event == "call"


def test_every_file_is_in_the_table() -> None:
    assert {path.stem for path in HOSTILE.glob("*.yaml")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_hostile_file_is_refused_at_its_place(name: str) -> None:
    assert places(load(HOSTILE / f"{name}.yaml")) == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_large_file_is_refused_at_its_place(name: str, tmp_path: Path) -> None:
    make, expected = GENERATED[name]
    path = tmp_path / "large.gem.yaml"
    path.write_text(make())
    assert places(load(path)) == expected


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_small_hostile_file_costs_little(name: str) -> None:
    path = HOSTILE / f"{name}.yaml"
    load(path)
    with Steps() as steps:
        load(path)
    assert steps.calls < 20_000


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_large_hostile_file_costs_bounded_work(name: str, tmp_path: Path) -> None:
    path = tmp_path / "large.gem.yaml"
    path.write_text(GENERATED[name][0]())
    load(path)
    with Steps() as steps:
        load(path)
    assert steps.calls < 400_000


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_large_hostile_file_costs_bounded_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "large.gem.yaml"
    path.write_text(GENERATED[name][0]())
    tracemalloc.start()
    try:
        load(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60 * 2**20


def test_a_wall_of_brackets_never_meets_the_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the parser was called")

    monkeypatch.setattr("gemwright.dsl.document.builder._events", refuse)
    path = tmp_path / "wall.gem.yaml"
    for text in ("[" * 4096, "[" * 10_000_000):
        path.write_text(text)
        assert [d.code for d in load(path).diagnostics] == ["Y009"]


def test_budget_findings_name_budget_and_value(tmp_path: Path) -> None:
    path = tmp_path / "large.gem.yaml"
    path.write_text("x" * 300_000)
    (found,) = load(path).diagnostics
    assert "300000 bytes" in found.message and "262144" in found.message


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_messages_are_our_own(name: str) -> None:
    theirs = ("did not find", "while parsing", "while scanning", "token", "expected <", "could not")
    for found in check_everything(HOSTILE / f"{name}.yaml").diagnostics:
        assert not any(words in found.message + found.help for words in theirs)
        assert max((len(part) for part in found.message.split("`")), default=0) <= 2 * ECHO_LIMIT


def test_a_directory_a_pipe_and_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.gem.yaml"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, tmp_path / "absent.gem.yaml", Path("/dev/zero")):
        assert places(load(path)) == [("Y017", 1, 1)]


VALID = """\
language: 1
game: market
players: 2..4
kinds:
  stone: [red, green]
  token: stone + [gold]
zones:
  bank: {holds: token}
  shelf: {holds: stone, per: player}
define:
  "full(p)": size of shelf[p] >= 4
phases:
  start: turn
  turn: {by: active, actions: [take], next: turn}
actions:
  take:
    choose: {s: stone}
    where: |
      bank[s] >= 1   # at least one
    do: |
      move 1 s from bank to my shelf
result: {score: points, winner: [highest points]}
"""


def test_the_valid_file_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "valid.gem.yaml"
    path.write_text(VALID)
    assert check_everything(path).diagnostics == ()


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=400))
def test_no_bytes_make_it_raise(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "random.gem.yaml"
    path.write_bytes(data)
    check_everything(path)


@settings(max_examples=300, deadline=None)
@given(text=st.text(alphabet="ab:-?|>'\"[]{},#&*!%@` \n\\0x1_.~<", max_size=80))
def test_no_punctuation_makes_it_raise(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "random.gem.yaml"
    path.write_text(text)
    check_everything(path)


PIECES = ["\t", "\0", "[", "]", "{", "}", ": ", "- ", "&a ", "*a", "!!x ", "<<: ", "|\n", "'", '"']
PIECES += ["no", "0x1", "1:30", "\u202e", "\ud7ff", "---\n", "null", "9" * 4000, "x: " * 50]


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_mutation_makes_it_raise(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    chance = random.Random(seed)
    text = VALID
    for _ in range(chance.randint(1, 4)):
        at, length = chance.randrange(len(text) + 1), chance.choice((0, 0, 1, 5, 40))
        text = text[:at] + chance.choice([*PIECES, ""]) + text[at + length :]
    path = tmp_path_factory.getbasetemp() / "mutated.gem.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    check_everything(path)
