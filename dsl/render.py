"""Findings as text for people and as values for programs."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from gemwright.dsl.codes.registry import CODES
from gemwright.dsl.diagnostics import ECHO_LIMIT, Diagnostic, cleaned
from gemwright.dsl.source import Span

_TAB: Final = "    "
_ELLIPSIS: Final = "..."
#: How many characters before the finding a cut line still shows.
_LEAD: Final = 24


def render(diagnostic: Diagnostic, lookup: Callable[[str], str | None]) -> str:
    """One finding as lines of text, without a line end after the last.

    `lookup` gives the text of the file of a path, or None where it is not at hand: then the lines
    with the source are left out. No line repeats more than 80 characters of the file.
    """
    span = diagnostic.span
    name = CODES[diagnostic.code].name
    head = f"{diagnostic.severity}[{diagnostic.code}] {name}: {diagnostic.message}"
    lines = [f"{_where(span)}: {head}", *_excerpt(span, lookup(span.path))]
    lines += [f"  = note: {_where(place)}: {text}" for place, text in diagnostic.notes]
    if diagnostic.help:
        lines.append(f"  = help: {diagnostic.help}")
    return "\n".join(lines)


def to_json(diagnostic: Diagnostic) -> dict[str, object]:
    """One finding as a JSON object; notes are objects with a place and a message."""
    return {
        "code": diagnostic.code,
        "name": CODES[diagnostic.code].name,
        "severity": diagnostic.severity.value,
        **_place_json(diagnostic.span),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "notes": [{**_place_json(place), "message": text} for place, text in diagnostic.notes],
    }


def _place_json(span: Span) -> dict[str, object]:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _where(span: Span) -> str:
    return f"{cleaned(span.path)}:{span.line}:{span.column}"


def _excerpt(span: Span, text: str | None) -> list[str]:
    if text is None:
        return []
    line = _line(text, span.line)
    if line is None:
        return []
    start = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    end = max(start, min(end, len(line)))
    before, marked, after = _window(line, start, end)
    gutter = f"{span.line} | "
    under = " " * _cells(before) + "^" * max(1, _cells(marked))
    return [
        (gutter + before + marked + after).rstrip(),
        " " * (len(gutter) - 2) + "| " + under,
    ]


def _line(text: str, number: int) -> str | None:
    """Line `number` of a text, without building a list of all of them."""
    start = 0
    for _ in range(number - 1):
        start = text.find("\n", start) + 1
        if start == 0:
            return None
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]


def _window(line: str, start: int, end: int) -> tuple[str, str, str]:
    """The text before, at and after the finding, safe to print, 80 characters in all."""
    first = 0 if len(line) <= ECHO_LIMIT else max(0, min(start - _LEAD, len(line) - ECHO_LIMIT))
    last = min(len(line), first + ECHO_LIMIT)
    before = (_ELLIPSIS if first else "") + _printable(line[first:start])
    after = _printable(line[min(end, last) : last]) + (_ELLIPSIS if last < len(line) else "")
    return before, _printable(line[start : min(end, last)]), after


def _printable(text: str) -> str:
    return cleaned(text.replace("\t", _TAB))


def _cells(text: str) -> int:
    """Cells of a terminal that a text takes: wide characters two, combining marks none."""
    return sum(map(_cell, text))


def _cell(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
