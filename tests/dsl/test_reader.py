"""The reader: values, places of every character, and a finding for each thing that YAML allows."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.document.reader import read_yaml
from gemwright.dsl.document.tree import Map, Node, Scalar, Seq, plain


def read(tmp_path: Path, text: str | bytes) -> tuple[Map | None, tuple[Diagnostic, ...]]:
    path = tmp_path / "rules.gem.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    reporter = Reporter()
    found = read_yaml(path, "rules.gem.yaml", reporter)
    return (None if found is None else found[0]), reporter.diagnostics


def tree_of(tmp_path: Path, text: str) -> Map:
    tree, findings = read(tmp_path, text)
    assert findings == () and tree is not None
    return tree


def places(findings: tuple[Diagnostic, ...]) -> list[tuple[str, int, int]]:
    return [(found.code, found.span.line, found.span.column) for found in findings]


# -- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-30", -30),
        ("0", 0),
        ("999999999", 999999999),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("2..5", "2..5"),
        ("-30..30", "-30..30"),
        ("stone + coin", "stone + coin"),
        ("'5'", "5"),
        ('"no"', "no"),
        ("y", "y"),
        ("n", "n"),
        ("1.2.3", "1.2.3"),
        ("5 - 3", "5 - 3"),
        ("x := 1", "x := 1"),
        ("size of shelf >= 4", "size of shelf >= 4"),
        ("-x", "-x"),
        ("10:30 o'clock", "10:30 o'clock"),
        ("no stone s has lot[s] >= 1", "no stone s has lot[s] >= 1"),
    ],
)
def test_scalar_value(tmp_path: Path, text: str, value: object) -> None:
    node = tree_of(tmp_path, f"key: {text}\n").get("key")
    assert isinstance(node, Scalar)
    assert node.value == value and type(node.value) is type(value)


def test_lists_and_maps_keep_order(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, "b: [z, 1, {x: y}]\na:\n  - true\n  - q: {}\n")
    assert plain(tree) == {"b": ["z", 1, {"x": "y"}], "a": [True, {"q": {}}]}
    assert [entry.key for entry in tree.entries] == ["b", "a"]


def test_union_in_plain_text_stays_text_in_block_layout(tmp_path: Path) -> None:
    assert plain(tree_of(tmp_path, "kinds:\n  token: stone + [gold]\n")) == {
        "kinds": {"token": "stone + [gold]"}
    }


def test_utf8_mark_and_windows_line_ends(tmp_path: Path) -> None:
    tree, findings = read(tmp_path, b"\xef\xbb\xbfa: |\r\n  x\r\n  y\r\nb: 1\r\n")
    assert findings == () and tree is not None
    assert plain(tree) == {"a": "x\ny\n", "b": 1}
    entry = tree.entry("b")
    assert entry is not None and (entry.key_span.line, entry.key_span.column) == (4, 1)


# -- places ------------------------------------------------------------------------------------


def test_columns_count_code_points(tmp_path: Path) -> None:
    node = tree_of(tmp_path, "a: {ключ: 宝石, b: 7}\n").get("a")
    assert isinstance(node, Map)
    span = node.entries[1].value.span
    assert (span.line, span.column, span.end_column) == (1, 18, 19)


def test_spans_of_lists_and_maps(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, "a:\n  - x\n  - [1,\n     2]\n\n# end\nb: 1\n")
    node = tree.get("a")
    assert isinstance(node, Seq)
    assert (node.span.line, node.span.column) == (2, 3)
    assert (node.span.end_line, node.span.end_column) == (4, 8)
    inner = node.items[1].span
    assert (inner.line, inner.column, inner.end_line, inner.end_column) == (3, 5, 4, 8)


SENTENCES = [
    ("a: move one to bank\n", "one"),
    ("a: 'it''s one here'\n", "one"),
    ('a: "tab\\t and \\u00e9 one"\n', "one"),
    ('a: "begins\n    on one line"\n', "one"),
    ('a: "no break\\\n    here: one"\n', "one"),
    ("a: first\n  then one more\n", "one"),
    ("a: first\n\n  then one more\n", "one"),
    ("a: |\n  first: x\n    if one: y\n  last\n", "one"),
    ("a: |2\n    kept one\n  less\n", "one"),
    ("a: |-\n\n  after a gap one\n", "one"),
    ("a: >\n  folded text\n  with one in it\n", "one"),
    ("a: >\n  folded\n\n  after a gap one\n", "one"),
    ("a: >\n  folded\n    deeper\n\n    one deep\n  back\n", "one"),
    ("a: >-\n  x\n\n\n  one\n\nb: c\n", "one"),
    ("- |\n one\n", "one"),
    ("a:\n    b: |\n      two\n      one\n", "one"),
    ("a: | # remark\n  one\n", "one"),
]


@pytest.mark.parametrize(("text", "word"), SENTENCES)
def test_word_in_a_scalar_maps_to_its_place(tmp_path: Path, text: str, word: str) -> None:
    tree, findings = read(tmp_path, text if text.startswith("a") else f"a:\n{text}")
    assert findings == () and tree is not None
    source = (tmp_path / "rules.gem.yaml").read_text().split("\n")
    scalar = first_scalar(tree, word)
    assert isinstance(scalar.value, str)
    at = scalar.value.index(word)
    span = scalar.map.span(at, at + len(word))
    assert span.line == span.end_line
    assert source[span.line - 1][span.column - 1 : span.end_column - 1] == word


def first_scalar(node: Node, word: str) -> Scalar:
    nodes = [node]
    while nodes:
        match nodes.pop(0):
            case Scalar() as scalar if word in scalar.text:
                return scalar
            case Map() as found:
                nodes += [entry.value for entry in found.entries]
            case Seq() as found:
                nodes += found.items
            case _:
                pass
    raise AssertionError(f"no scalar with {word}")


@pytest.mark.parametrize("style", ["|", ">", '"', "'", None])
@settings(max_examples=80, deadline=None)
@given(words=st.lists(st.text(alphabet="ab é宝'\n", max_size=9), min_size=1, max_size=5))
def test_every_letter_maps_to_itself(
    style: str | None, words: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    value = "q" + "\n".join(words).strip() + "q"
    document = yaml.dump({"key": {"k": value}}, default_style=style, width=12, allow_unicode=True)
    tree, findings = read(tmp_path_factory.getbasetemp(), document)
    assert findings == () and tree is not None
    inner = tree.get("key")
    scalar = inner.get("k") if isinstance(inner, Map) else None
    assert isinstance(scalar, Scalar) and scalar.value == value
    assert len(scalar.map.places) == len(value) + 1
    lines = document.split("\n")
    for offset, letter in enumerate(value):
        span = scalar.map.span(offset, offset + 1)
        if letter in "abqé宝":
            source = lines[span.line - 1][span.column - 1 : span.end_column - 1]
            assert source == letter or source.startswith("\\")


def test_map_of_an_escape_covers_all_of_it(tmp_path: Path) -> None:
    node = tree_of(tmp_path, 'a: "x\\u0041y"\n').get("a")
    assert isinstance(node, Scalar)
    span = node.map.span(1, 2)
    assert (span.column, span.end_column) == (6, 12)
    whole = node.map.span(0, 3)
    assert (whole.column, whole.end_column) == (5, 13)


# -- findings ----------------------------------------------------------------------------------


def test_duplicate_key_points_at_both(tmp_path: Path) -> None:
    tree, (found,) = read(tmp_path, "zones:\n  bank: {a: b}\n  bank: {c: d}\n")
    assert places((found,)) == [("Y001", 3, 3)]
    assert [(span.line, span.column) for span, _ in found.notes] == [(2, 3)]
    assert tree is not None and plain(tree) == {"zones": {"bank": {"a": "b"}}}


@pytest.mark.parametrize("word", ["yes", "No", "ON", "off", "True", "FALSE", "Null"])
def test_words_of_old_yaml_must_be_quoted(tmp_path: Path, word: str) -> None:
    _, findings = read(tmp_path, f"a: {word}\nb: [{word}]\n{word}: c\n")
    assert places(findings) == [("Y002", 1, 4), ("Y002", 2, 5), ("Y002", 3, 1)]
    assert all("quote it" in found.help for found in findings)


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        ("1:30", "Y003", "quote it"),
        ("-1:30:00", "Y003", "quote it"),
        ("010", "Y004", "write 10 or 8"),
        ("1_000", "Y004", "write 1000"),
        ("0x1F", "Y004", "write 31"),
        ("0o17", "Y004", "write 15"),
        ("+5", "Y004", "write 5"),
        ("-0", "Y004", "write 0"),
        ("1234567890", "Y004", "smaller"),
        ("15.0", "Y005", "whole"),
        ("1.", "Y005", "whole"),
        (".5", "Y005", "whole"),
        ("1e3", "Y005", "whole"),
        (".nan", "Y005", "whole"),
        ("-.INF", "Y005", "whole"),
        ("2024-01-02", "Y006", "quote it"),
        ("2024-01-02 10:00:00", "Y006", "quote it"),
    ],
)
def test_numbers_that_are_none(tmp_path: Path, text: str, code: str, help: str) -> None:
    tree, (found,) = read(tmp_path, f"key: {text}\n")
    assert places((found,)) == [(code, 1, 6)]
    assert help in found.help
    assert tree is not None and plain(tree) == {"key": text}


def test_sexagesimal_says_what_it_would_be(tmp_path: Path) -> None:
    _, (found,) = read(tmp_path, "cost: 1:30\n")
    assert "90" in found.message


BARE = [
    ("setup: if a: move b\n", "Y015", 1, 12),
    ("setup: move a\n  if b: c\n", "Y015", 2, 7),
    ("zones: {bank: {holds: a + [b]}}\n", "Y015", 1, 27),
    ("zones: {bank: {limit: hand[p]}}\n", "Y015", 1, 27),
    ("list: [max(a, b)]\n", "Y015", 1, 8),
    ("map: {next: min(a, b), x: y}\n", "Y015", 1, 13),
    ("map: {do: move a to b, shuffled}\n", "Y015", 1, 24),
    ("map: {do: if a: b}\n", "Y015", 1, 15),
    ("where: >= 3\n", "Y015", 1, 8),
    ("where: | x\n", "Y015", 1, 8),
    ("where: @A-1\n", "Y015", 1, 8),
    ("where: `x`\n", "Y015", 1, 8),
    ("where: %x\n", "Y015", 1, 8),
    ("where: * 2\n", "Y015", 1, 8),
    ("where: [a] + b\n", "Y015", 1, 12),
    ('where: "a" is b\n', "Y015", 1, 12),
    ("map: {a}\n", "Y015", 1, 7),
    ("where: }\n", "Y015", 1, 8),
    ("map: {a: [b, c}\n", "Y018", 1, 15),
    ("list: [a, {b: c]\n", "Y018", 1, 16),
    ("phases:\n  two:\n   each: a\n    do: b\n    next: c\n", "Y015", 4, 7),
    ("list: [a, b\nnext: c\n", "Y018", 1, 7),
    ("map: {a: b\n", "Y018", 1, 6),
    ("text: 'open\nnext: c\n", "Y018", 1, 7),
    ('text: "open\nnext: c\n', "Y018", 1, 7),
    ('text: "\\q"\n', "Y018", 1, 8),
    ("a:\n  b: 1\n c: 2\n", "Y018", 3, 2),
    ("a: 1\nbare words\nb: 2\n", "Y018", 2, 1),
    ("a: - b\n", "Y018", 1, 4),
    ("- a\nb: c\n", "Y018", 2, 1),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), BARE)
def test_layout_finding(tmp_path: Path, text: str, code: str, line: int, column: int) -> None:
    tree, findings = read(tmp_path, text)
    assert tree is None
    assert (code, line, column) in places(findings)
    assert len([found for found in findings if found.code == code]) == 1
    if code == "Y015":
        assert any("quotes" in found.help for found in findings)


def test_several_bare_colons_are_all_found(tmp_path: Path) -> None:
    text = "a: if x: y\nb: no\nc: if z: w\n"
    _, findings = read(tmp_path, text)
    assert places(findings) == [("Y015", 1, 8), ("Y002", 2, 4), ("Y015", 3, 8)]


def test_block_with_colons_is_fine(tmp_path: Path) -> None:
    assert plain(tree_of(tmp_path, "a: |\n  if x: y\n")) == {"a": "if x: y\n"}


def test_alias_tower_is_one_finding(tmp_path: Path) -> None:
    tree, findings = read(tmp_path, "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n")
    assert tree is None and places(findings) == [("Y007", 1, 4)]
    assert "budget" in findings[0].message


def test_merge_key_is_one_finding(tmp_path: Path) -> None:
    tree, findings = read(tmp_path, "b:\n  <<: [*a, {c: no}]\n")
    assert tree is None and places(findings) == [("Y008", 2, 3)]
    assert "extends" in findings[0].help


def test_quoted_merge_key_is_a_key(tmp_path: Path) -> None:
    assert plain(tree_of(tmp_path, "'<<': x\n")) == {"<<": "x"}


def test_depth_of_forty_is_allowed(tmp_path: Path) -> None:
    tree_of(tmp_path, "a: " + "[" * 39 + "x" + "]" * 39 + "\n")
    tree, findings = read(tmp_path, "a: " + "[" * 40 + "x" + "]" * 40 + "\n")
    assert tree is None and places(findings) == [("Y009", 1, 43)]


def test_blocks_may_be_longer_than_lines(tmp_path: Path) -> None:
    tree_of(tmp_path, "a: |\n" + "  move x to y\n" * 1000)
    _, findings = read(tmp_path, "a: |\n" + "  move x to y\n" * 3000)
    assert places(findings) == [("Y009", 1, 4)]


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n", "---\n", "null\n", "~\n"])
def test_file_without_a_ruleset(tmp_path: Path, text: str) -> None:
    tree, findings = read(tmp_path, text)
    assert tree is None and places(findings) == [("Y011", 1, 1)]


def test_one_document_may_be_marked(tmp_path: Path) -> None:
    assert plain(tree_of(tmp_path, "# x\n---\na: b\n...\n")) == {"a": "b"}


@pytest.mark.parametrize("text", ["- a\n", "word\n", "[1]\n"])
def test_top_must_be_a_map(tmp_path: Path, text: str) -> None:
    tree, findings = read(tmp_path, text)
    assert tree is None and places(findings) == [("S002", 1, 1)]


def test_code_points_are_named_and_not_echoed(tmp_path: Path) -> None:
    _, (found,) = read(tmp_path, "a: \u202exyz\n")
    assert "U+202E" in found.message and "\u202e" not in found.message


def test_tabs_inside_lines_are_fine(tmp_path: Path) -> None:
    tree_of(tmp_path, "a: b\t# remark\nc: d\n")
