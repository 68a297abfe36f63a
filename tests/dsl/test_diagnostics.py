"""Findings: the registry, the reporter, suggestions, and how a finding is printed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gemwright.dsl.codes.registry import CODES
from gemwright.dsl.codes.shape import SHAPE_CODES
from gemwright.dsl.codes.text import TEXT_CODES
from gemwright.dsl.diagnostics import Diagnostic, Reporter, Severity, quoted
from gemwright.dsl.document.compose import load_document
from gemwright.dsl.document.schema import check_shape
from gemwright.dsl.render import render, to_json
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean, distance


def at(line: int, column: int, end_column: int, path: str = "a.gem.yaml") -> Span:
    return Span(path, line, column, line, end_column)


def found(span: Span, message: str = "a message", help: str = "") -> Diagnostic:
    return Diagnostic("S001", Severity.ERROR, span, message, help)


# -- codes -------------------------------------------------------------------------------------


def test_codes_are_well_formed() -> None:
    for code, info in CODES.items():
        assert info.code == code and re.fullmatch(r"[A-Z][0-9]{3}", code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", info.name), code
        assert info.summary and info.why and info.bad and info.good and info.decided, code
    assert len({info.name for info in CODES.values()}) == len(CODES)


def codes_of(text: str, folder: Path) -> set[str]:
    bases = folder / "bases"
    bases.mkdir(exist_ok=True)
    (bases / "base.gem.yaml").write_text("language: 1\nzones: {bank: {holds: stone}}\n")
    (bases / "ragged.csv").write_text("stone,worth\nred,1,2\n")
    (bases / "grid.csv").write_text("stone,worth\nred,1\n")
    path = folder / "example.gem.yaml"
    path.write_text(text)
    reporter = Reporter()
    document = load_document(path, "example.gem.yaml", reporter)
    if document is not None:
        check_shape(document.tree, reporter)
        read_tables(text, document, reporter)
    return {found.code for found in reporter.diagnostics}


def read_tables(text: str, document: object, reporter: Reporter) -> None:
    from gemwright.dsl.document.compose import Document
    from gemwright.dsl.document.tables import read_table
    from gemwright.dsl.document.tree import Map, Scalar

    assert isinstance(document, Document)
    tables = document.tree.get("tables")
    for entry in tables.entries if isinstance(tables, Map) else ():
        file = entry.value.get("file") if isinstance(entry.value, Map) else None
        if isinstance(file, Scalar):
            read_table(document, file, reporter)


@pytest.mark.parametrize("info", TEXT_CODES + SHAPE_CODES, ids=lambda info: info.code)
def test_examples_show_their_code(info: object, tmp_path: Path) -> None:
    code = getattr(info, "code", "")
    assert code in codes_of(CODES[code].bad, tmp_path)
    assert code not in codes_of(CODES[code].good, tmp_path)


# -- reporter ----------------------------------------------------------------------------------


def test_findings_are_sorted_and_single() -> None:
    reporter = Reporter()
    reporter.warning("Y019", at(3, 1, 2), "w")
    reporter.error("S001", at(2, 5, 6), "b")
    reporter.error("S001", at(2, 1, 6), "a")
    reporter.error("S001", at(2, 1, 6), "a")
    reporter.info("S002", at(9, 1, 2, "0.yaml"), "i")
    assert [d.message for d in reporter.diagnostics] == ["i", "a", "b", "w"]
    assert reporter.has_errors
    assert reporter.error_starts() == {("a.gem.yaml", 2, 5), ("a.gem.yaml", 2, 1)}


def test_a_warning_is_no_error() -> None:
    reporter = Reporter()
    reporter.warning("Y019", at(3, 1, 2), "w")
    assert not reporter.has_errors and reporter.error_starts() == frozenset()


def test_unknown_code_is_our_mistake() -> None:
    with pytest.raises(AssertionError):
        Reporter().error("Q999", at(1, 1, 1), "x")


def test_messages_are_cleaned_and_bounded() -> None:
    reporter = Reporter()
    note = (at(1, 1, 2), "n\x1b")
    reporter.error("S001", at(1, 1, 2), "a\x1b[31m\u202e\n" + "x" * 2000, "h\x00", (note,))
    (diagnostic,) = reporter.diagnostics
    assert diagnostic.message.startswith("a<U+001B>[31m<U+202E><U+000A>xx")
    assert len(diagnostic.message) <= 600
    assert diagnostic.help == "h<U+0000>" and diagnostic.notes[0][1] == "n<U+001B>"


def test_quoted_cuts_and_cleans() -> None:
    assert quoted("bank") == "`bank`"
    assert quoted("a`b\x07") == "`a'b<U+0007>`"
    assert len(quoted("x" * 500, 500)) <= 80 and quoted("x" * 500).endswith("...`")
    assert len(quoted("\u202e" * 500)) <= 80


# -- suggestions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "candidates", "answer"),
    [
        ("bnak", ["bank", "shelf"], "did you mean `bank`?"),
        ("phasess", ["phases", "players"], "did you mean `phases`?"),
        ("Bank", ["bank"], "did you mean `bank`?"),
        ("take", ["rake", "bake"], "did you mean `bake` or `rake`?"),
        ("take", ["rake", "bake", "lake"], ""),
        ("shelf", ["market"], ""),
        ("x", ["y"], "did you mean `y`?"),
        ("x" * 100, ["x" * 99], ""),
        ("bank", ["bank"], ""),
    ],
)
def test_did_you_mean(word: str, candidates: list[str], answer: str) -> None:
    assert did_you_mean(word, candidates) == answer


def test_distance_counts_a_swap_once() -> None:
    assert [distance(a, b) for a, b in (("ab", "ba"), ("abc", "ab"), ("kitten", "sitting"))] == [
        1,
        1,
        3,
    ]


# -- printing ----------------------------------------------------------------------------------


def test_render_points_with_a_caret() -> None:
    text = "one: 1\ntwo: {a: bnak}\n"
    note = ((at(1, 1, 4), "first here"),)
    diagnostic = Diagnostic("S001", Severity.ERROR, at(2, 10, 14), "no such field", "try", note)
    assert render(diagnostic, lambda _: text) == (
        "a.gem.yaml:2:10: error[S001] unknown-field: no such field\n"
        "2 | two: {a: bnak}\n"
        "  |          ^^^^\n"
        "  = note: a.gem.yaml:1:1: first here\n"
        "  = help: try"
    )


def test_caret_minds_wide_characters_and_tabs() -> None:
    lines = render(found(at(1, 6, 8)), lambda _: "宝石\té:ab\n").split("\n")
    assert lines[1] == "1 | 宝石    é:ab"
    assert lines[2] == "  |           ^^"


def test_finding_over_several_lines_underlines_the_first() -> None:
    span = Span("a", 1, 3, 2, 2)
    assert render(found(span), lambda _: "ab: c\nd\n").split("\n")[1:] == [
        "1 | ab: c",
        "  |   ^^^",
    ]


def test_long_line_is_cut_around_the_finding() -> None:
    text = "x" * 500 + "HERE" + "y" * 500
    lines = render(found(at(1, 501, 505)), lambda _: text).split("\n")
    assert "HERE" in lines[1] and len(lines[1]) <= 80 + len("1 | ") + 6
    assert lines[1].index("HERE") == lines[2].index("^") and lines[2].count("^") == 4


@pytest.mark.parametrize("text", [None, "", "a\n"])
def test_source_that_is_not_there(text: str | None) -> None:
    lines = render(found(at(7, 3, 4)), lambda _: text).split("\n")
    assert lines == ["a.gem.yaml:7:3: error[S001] unknown-field: a message"]


def test_hostile_path_and_line_are_cleaned() -> None:
    shown = render(found(at(1, 1, 2, "a\x1b[2J.yaml")), lambda _: "\x1b[31mred\n")
    assert "\x1b" not in shown


def test_json_form() -> None:
    diagnostic = Diagnostic("S001", Severity.WARNING, at(2, 1, 6), "m", "h", ((at(1, 1, 2), "n"),))
    value = to_json(diagnostic)
    assert list(value) == [
        *("code", "name", "severity", "path", "line", "column", "end_line", "end_column"),
        *("message", "help", "notes"),
    ]
    assert value["severity"] == "warning" and value["name"] == "unknown-field"
    assert json.loads(json.dumps(value))["notes"][0]["message"] == "n"


def test_printing_a_finding_needs_no_heavy_library() -> None:
    program = (
        "import sys, gemwright.dsl.diagnostics, gemwright.dsl.render\n"
        "print([m for m in ('yaml', 'lark', 'jsonschema', 'networkx') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.strip() == "[]", run.stderr
