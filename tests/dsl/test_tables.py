"""Tables in CSV files: cells with their places, and what keeps a table from being a grid."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.document.compose import load_document
from gemwright.dsl.document.tables import Table, parse_table, read_table
from gemwright.dsl.document.tree import Map, Scalar
from gemwright.dsl.source import SourceFile


def parse(text: str) -> tuple[Table | None, list[tuple[str, int, int]], tuple[Diagnostic, ...]]:
    reporter = Reporter()
    table = parse_table(SourceFile("t.csv", Path("t.csv"), text), reporter)
    found = reporter.diagnostics
    return table, [(d.code, d.span.line, d.span.column) for d in found], found


def test_cells_have_places() -> None:
    table, found, _ = parse('name,cost\nred,  3\n"a ""b"", c",宝\n')
    assert found == [] and table is not None
    assert [cell.text for cell in table.columns] == ["name", "cost"]
    assert [[cell.text for cell in row] for row in table.rows] == [["red", "3"], ['a "b", c', "宝"]]
    spans = [cell.span for row in table.rows for cell in row]
    assert [(s.line, s.column, s.end_column) for s in spans] == [
        (2, 1, 4),
        (2, 7, 8),
        (3, 2, 12),
        (3, 14, 15),
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a\n", []),
        ("a", []),
        ("a,b\n,\n", [["", ""]]),
        ("a\nx\n\n\n", [["x"]]),
        ('a\n""\n', [[""]]),
        ("a,source\nx,page 3\n", [["x", "page 3"]]),
        ("a\n-3\n", [["-3"]]),
        ("a\n lot = 1 \n", [["lot = 1"]]),
    ],
)
def test_rows(text: str, rows: list[list[str]]) -> None:
    table, found, _ = parse(text)
    assert found == [] and table is not None
    assert [[cell.text for cell in row] for row in table.rows] == rows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1\n", ("Y020", 2, 2)),
        ("a,b\n1,2,3\n", ("Y020", 2, 5)),
        ("a,b\n1,2\n\n3,4\n", ("Y020", 3, 1)),
        ("a,b,a\n1,2,3\n", ("Y020", 1, 5)),
        ("a,b c\n1,2\n", ("S006", 1, 3)),
        ("a,\n1,2\n", ("S006", 1, 3)),
        ("", ("S006", 1, 1)),
        ('a\n"x\n', ("Y020", 2, 1)),
        ('a\nx"y\n', ("Y020", 2, 2)),
        ('a\n"x"y\n', ("Y020", 2, 4)),
        ("a\n" + "x" * 9000 + "\n", ("Y020", 2, 1)),
        ("a\n" + "x\n" * 20_000, ("Y009", 20_001, 1)),
        (",".join(f"c{n}" for n in range(200)) + "\n", ("Y009", 1, 531)),
    ],
)
def test_broken_table(text: str, expected: tuple[str, int, int]) -> None:
    table, found, _ = parse(text)
    assert table is None and found == [expected]


def test_double_column_points_at_the_first() -> None:
    _, _, (found,) = parse("a,b,a\n1,2,3\n")
    assert [(span.line, span.column) for span, _ in found.notes] == [(1, 1)]


def test_several_ragged_rows_are_all_found() -> None:
    _, found, _ = parse("a,b\n1\n2,3\n4\n")
    assert found == [("Y020", 2, 2), ("Y020", 4, 2)]


def read(folder: Path, name: str) -> tuple[Table | None, tuple[Diagnostic, ...]]:
    """The table that a ruleset names, and the findings of reading both."""
    path = folder / "a.gem.yaml"
    path.write_text(f"kinds:\n  card:\n    table: {name}\n")
    reporter = Reporter()
    document = load_document(path, "shown/a.gem.yaml", reporter)
    assert document is not None
    kinds = document.tree.get("kinds")
    card = kinds.get("card") if isinstance(kinds, Map) else None
    scalar = card.get("table") if isinstance(card, Map) else None
    assert isinstance(scalar, Scalar)
    return read_table(document, scalar, reporter), reporter.diagnostics


def test_table_is_shown_beside_its_ruleset(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "x.csv").write_bytes(b"\xef\xbb\xbfname\r\nred\r\n")
    table, found = read(tmp_path, "t/x.csv")
    assert found == () and table is not None
    assert table.source.path == "shown/t/x.csv"
    assert table.rows[0][0].span.path == "shown/t/x.csv"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("../x.csv", "Y013"),
        ("/etc/x.csv", "Y013"),
        ("https://example.org/x.csv", "Y013"),
        ("x.txt", "Y017"),
        ("absent.csv", "Y017"),
        ("folder.csv", "Y017"),
        ("link.csv", "Y013"),
    ],
)
def test_table_that_may_not_be_read(name: str, code: str, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    (inner / "folder.csv").mkdir(parents=True)
    (tmp_path / "x.csv").write_text("secret\nword\n")
    (inner / "link.csv").symlink_to(tmp_path / "x.csv")
    table, found = read(inner, name)
    assert table is None
    assert [(d.code, d.span.line, d.span.column) for d in found] == [(code, 3, 12)]


@pytest.mark.parametrize("data", [b"caf\xe9\n", b"a\x00\n", "a\n\u202e\n".encode(), b"\xff\xfea"])
def test_table_that_is_no_plain_text(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(data)
    table, found = read(tmp_path, "x.csv")
    assert table is None
    assert [(d.code, d.span.path) for d in found] == [("Y012", "shown/x.csv")]


def test_large_table(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n" + "x" * 300_000)
    table, found = read(tmp_path, "x.csv")
    assert table is None and [(d.code, d.span.line) for d in found] == [("Y009", 3)]
