"""What to say when the YAML parser stops.

Its own words speak of tokens and contexts; they are used here only to recognise the case, never
shown. Two cases matter most: a sentence whose `: ` YAML takes for a map, and an expression inside
`{ }` or `[ ]` whose punctuation YAML takes for its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gemwright.dsl.diagnostics import quoted
from gemwright.dsl.document.textmap import Lines, Place
from gemwright.dsl.source import Span

_QUOTE: Final = "put the sentence in a | block or in quotes"
_CLOSED_BY: Final = {"[": "]", "{": "}"}
_EXPRESSION: Final = "put the expression in quotes, or give each field a line of its own"


@dataclass(frozen=True, slots=True)
class Stop:
    """Why and where the parser stopped: marks from 0, and its words for the case."""

    problem: str
    place: Place
    context: str
    context_place: Place


@dataclass(frozen=True, slots=True)
class Finding:
    """What to report instead."""

    code: str
    span: Span
    message: str
    help: str = ""
    notes: tuple[tuple[Span, str], ...] = ()


def explain(stop: Stop, path: str, lines: Lines) -> Finding:
    """The finding for a stop of the parser."""
    here = _span(path, lines, stop.place)
    began = _span(path, lines, stop.context_place)
    if "mapping values" in stop.problem:
        if continues_text(stop, lines):
            message = "YAML reads this line as more of the text above it, not as a field"
            help = f"indent a field like the fields around it; {_QUOTE}"
            return Finding("Y015", here, message, help)
        return Finding(
            "Y015",
            here,
            "YAML takes the colon in this text as the end of a key",
            f"{_QUOTE}; a new field must be indented like the fields around it",
        )
    if "flow" in stop.context:
        return _in_brackets(stop, here, began, lines)
    if "quoted" in stop.context:
        return _in_quotes(stop, here, began)
    if "block scalar" in stop.context:
        return Finding(
            "Y015",
            began,
            "YAML takes `|` or `>` at the start of this text as the sign of a block",
            f"{_QUOTE}; the text of a block begins on the line below its sign",
        )
    if "alias" in stop.context or "anchor" in stop.context:
        message = "YAML takes `*` or `&` at the start of this text as an alias or an anchor"
        return Finding("Y015", began, message, _QUOTE)
    if "tag" in stop.context or "directive" in stop.context or "YAML document" in stop.problem:
        message = "YAML tags and directives are not part of the language"
        return Finding("Y010", began if stop.context else here, message, "remove it")
    return _on_a_line(stop, here, began, lines)


def continues_text(stop: Stop, lines: Lines) -> bool:
    """Whether the colon that stopped the parser is the first of its line.

    Then the line above was taken for the begin of a text, mostly since this one is indented
    otherwise; the lines after it would stop the parser for the same reason.
    """
    before = lines.lines[stop.place[0]][: stop.place[1]] if _inside(lines, stop) else ""
    return ":" not in before


def _in_brackets(stop: Stop, here: Span, began: Span, lines: Lines) -> Finding:
    sign = _char(lines, stop.context_place)
    closing = _char(lines, stop.place)
    if sign in _CLOSED_BY and closing in "]}" and closing not in ("", _CLOSED_BY[sign]):
        message = f"this `{closing}` does not close the `{sign}` before it"
        return Finding("Y018", here, message, f"write `{_CLOSED_BY[sign]}` first")
    if stop.place[0] != stop.context_place[0]:
        message = f"this `{sign}` is not closed, or a comma is missing in it"
        notes = ((here, "here the list or map ends at the latest"),)
        return Finding("Y018", began, message, "close it before the next field", notes)
    shape = "a map in { }" if sign == "{" else "a list in [ ]"
    message = f"an expression or a sentence cannot stand bare inside {shape}"
    return Finding("Y015", here, message, _EXPRESSION)


def _in_quotes(stop: Stop, here: Span, began: Span) -> Finding:
    if "escape" in stop.problem:
        message = "this is not a character escape that double quotes know"
        return Finding("Y018", here, message, "write \\\\ for a backslash, or use single quotes")
    return Finding("Y018", began, "this quote is not closed", "close it on the same line")


def _on_a_line(stop: Stop, here: Span, began: Span, lines: Lines) -> Finding:
    """Stops in block layout, where only the line around the place tells the cases apart."""
    before = lines.lines[stop.place[0]][: stop.place[1]].rstrip() if _inside(lines, stop) else ""
    if before[-1:] in ("]", "}", '"', "'") and ":" in before:
        message = "text goes on after the closing bracket or quote"
        return Finding("Y015", here, message, _QUOTE)
    if "start any token" in stop.problem or "node content" in stop.problem:
        sign = _char(lines, stop.place)
        message = f"a text cannot begin with {quoted(sign)} in YAML"
        return Finding("Y015", here, message, _QUOTE)
    if "simple key" in stop.context:
        message = "this line is neither `field: value` nor an item of a list"
        help = "indent the lines of a sentence below its field, in a | block"
        return Finding("Y018", began, message, help)
    if "block sequence" in stop.problem:
        message = "a list item cannot begin here"
        return Finding("Y018", here, message, "put each `- item` on a line of its own")
    message = "the indentation of this line fits none of the lines above"
    return Finding("Y018", here, message, "indent the fields of one element by the same spaces")


def _inside(lines: Lines, stop: Stop) -> bool:
    return stop.place[0] < len(lines.lines)


def _char(lines: Lines, place: Place) -> str:
    line = lines.lines[place[0]] if place[0] < len(lines.lines) else ""
    return line[place[1] : place[1] + 1]


def _span(path: str, lines: Lines, place: Place) -> Span:
    """One character at a place; the end of the text for a place beyond it."""
    line, column = place
    if line >= len(lines.lines) or (line == len(lines.lines) - 1 and not lines.lines[line]):
        line = max(0, len(lines.lines) - 2)
        column = len(lines.lines[line])
    width = 1 if column < len(lines.lines[line]) else 0
    return Span(path, line + 1, column + 1, line + 1, column + 1 + width)
