"""Tables in CSV files, cell by cell with their places.

Strict, so that no cell can slip into another column: every row has as many cells as the first one,
no column stands twice, and a quoted cell ends on its line. Spaces around a bare cell do not count.
A column `source` is for people; later passes leave it out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter, quoted
from gemwright.dsl.document.compose import Document
from gemwright.dsl.document.paths import locate_table
from gemwright.dsl.document.textfile import read_text
from gemwright.dsl.document.tree import Scalar
from gemwright.dsl.source import SourceFile, Span

MAX_CELLS: Final = 20_000
MAX_COLUMNS: Final = 128
MAX_CELL: Final = 8 * 1024

_MOST_REPORTED: Final = 20
_QUOTED: Final = re.compile(r'[ \t]*"((?:[^"]|"")*)"[ \t]*')
_BARE: Final = re.compile(r"[^,]*")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text without quotes and outer spaces, and where that text stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the names of the columns, and rows of as many cells each."""

    columns: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    source: SourceFile


class _Broken(Exception):
    """A line cannot be split into cells."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span, self.message = span, message


def read_table(document: Document, scalar: Scalar, reporter: Reporter) -> Table | None:
    """The table that `scalar` (the value of `table`, `file` or `rulebook`) names.

    A table that the digest covers is read when the document is; others are read here, and their
    path starts in the folder of the file that `scalar` was read from. Gives None after reporting
    whatever is wrong with the path, the file or its rows.
    """
    source = document.table_at(scalar)
    if source is None:
        folder = document.folder_of(scalar.span)
        place = locate_table(folder, scalar.span.path, scalar, reporter)
        if place is None:
            return None
        source = read_text(place.real, place.shown, reporter, scalar.span)
    if source is None:
        return None
    table, problems = _parsed(source)
    for problem in problems:
        reporter.add(problem)
    return table


@lru_cache(maxsize=64)
def _parsed(source: SourceFile) -> tuple[Table | None, tuple[Diagnostic, ...]]:
    """What is parsed is remembered: a file is read for all its player counts and options."""
    reporter = Reporter()
    return parse_table(source, reporter), reporter.diagnostics


def parse_table(source: SourceFile, reporter: Reporter) -> Table | None:
    """The table in a text, or None after reporting what is wrong with it."""
    rows: list[tuple[Cell, ...]] = []
    problems = cells = 0
    lines = source.text.rstrip("\n").split("\n")
    for number, line in enumerate(lines, 1):
        try:
            row = _row(source.path, number, line)
            if number > 1 and rows:
                _check_width(source.path, number, line, row, rows[0])
            rows.append(row)
            cells += len(row)
        except _Broken as broken:
            reporter.error("Y020", broken.span, broken.message)
            problems += 1
        if cells > MAX_CELLS or problems == _MOST_REPORTED:
            span = Span(source.path, number, 1, number, 1)
            message = f"reading stops here: the table has more than {MAX_CELLS} cells or is broken"
            reporter.error("Y009", span, message)
            return None
        if number == 1 and (problems or not _header_is_sane(rows[0], reporter)):
            return None
    return None if problems else Table(rows[0], tuple(rows[1:]), source)


def _header_is_sane(header: tuple[Cell, ...], reporter: Reporter) -> bool:
    sane, seen = True, dict[str, Cell]()
    for cell in header[: MAX_COLUMNS + 1]:
        if cell.text in seen:
            message = f"the column {quoted(cell.text)} stands twice"
            notes = ((seen[cell.text].span, "first here"),)
            reporter.error("Y020", cell.span, message, "", notes)
            sane = False
        elif not _NAME.fullmatch(cell.text):
            message = f"{quoted(cell.text)} is not a name of a column"
            help = "use small letters, digits and underscores, beginning with a letter"
            reporter.error("S006", cell.span, message, help)
            sane = False
        seen.setdefault(cell.text, cell)
    if len(header) > MAX_COLUMNS:
        message = f"the table has more than {MAX_COLUMNS} columns"
        reporter.error("Y009", header[MAX_COLUMNS].span, message)
        sane = False
    return sane


def _check_width(
    path: str, number: int, line: str, row: tuple[Cell, ...], header: tuple[Cell, ...]
) -> None:
    if len(row) == len(header):
        return
    if not line.strip():
        raise _Broken(Span(path, number, 1, number, 1), "a table has no empty lines")
    end = Span(path, number, len(line) + 1, number, len(line) + 1)
    span = row[len(header)].span if len(row) > len(header) else end
    count = len(row) if len(row) <= MAX_COLUMNS else f"more than {MAX_COLUMNS}"
    raise _Broken(span, f"the row has {count} cells, the table has {len(header)} columns")


def _row(path: str, number: int, line: str) -> tuple[Cell, ...]:
    """The cells of one line. Linear."""
    cells: list[Cell] = []
    at = 0
    while True:
        found = _QUOTED.match(line, at)
        if found is not None:
            text, start, end = found[1].replace('""', '"'), found.start(1), found.end(1)
            at = found.end()
        else:
            text, start, end, at = _bare(path, number, line, at)
        span = Span(path, number, start + 1, number, end + 1)
        if len(text) > MAX_CELL:
            raise _Broken(span, f"a cell has more than {MAX_CELL} characters")
        cells.append(Cell(text, span))
        # One cell too many says enough; a line of nothing but commas is not worth its time.
        if at == len(line) or len(cells) > MAX_COLUMNS:
            return tuple(cells)
        if line[at] != ",":
            here = Span(path, number, at + 1, number, at + 2)
            raise _Broken(here, "text goes on after the closing quote")
        at += 1


def _bare(path: str, number: int, line: str, at: int) -> tuple[str, int, int, int]:
    """A cell without quotes: its text, where that starts and ends, and where the cell ends."""
    found = _BARE.match(line, at)
    assert found is not None
    raw = found.group()
    text = raw.strip(" \t")
    start = at + len(raw) - len(raw.lstrip(" \t")) if text else at
    if '"' in text:
        place = line.index('"', at)
        here = Span(path, number, place + 1, number, place + 2)
        opened = "this quote is not closed on its line"
        raise _Broken(here, opened if text[0] == '"' else "a quote stands inside a bare cell")
    return text, start, start + len(text), found.end()
