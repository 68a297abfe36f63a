"""From the text of a YAML scalar in its file to a `TextMap` for its value.

The YAML parser gives the value and where the scalar starts and ends. The walk here goes through
both texts side by side, as the parser did: over escapes, doubled quotes, folded lines and
indentation. It is linear.
"""

from __future__ import annotations

import re
from typing import Final

from gemwright.dsl.source import Span, TextMap

#: Line and column.
Place = tuple[int, int]

_FOLD: Final = re.compile(r"[ \t]*\n[ \t\n]*")
_ESCAPED_FOLD: Final = re.compile(r"\\\n[ \t\n]*")
_ESCAPE: Final = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^\n])")


class Lines:
    """A text by lines, with the offsets at which they start."""

    __slots__ = ("lines", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        starts, at = list[int](), 0
        for line in self.lines:
            starts.append(at)
            at += len(line) + 1
        self.starts = starts


def scalar_map(
    path: str, lines: Lines, value: str, style: str, start: Place, end: Place
) -> tuple[TextMap, Span]:
    """The map of a scalar and its span.

    `style` is as in `Scalar`; `start` and `end` are the parser's marks, from 0: at the first
    character (a quote or a block sign, if any) and after the last.
    """
    if style in ("literal", "folded"):
        return _block_map(path, lines, value, style, start)
    quote = 0 if style == "plain" else 1
    line, column = start[0] + 1, start[1] + 1 + quote
    if start[0] == end[0] and end[1] - start[1] == len(value) + 2 * quote:
        places = tuple((line, column + n) for n in range(len(value) + 1))
    else:
        stop = lines.starts[end[0]] + end[1] - quote
        at = lines.starts[start[0]] + start[1] + quote
        places = _FlowWalk(lines.text, style, at, stop, (line, column)).places()
    span = Span(path, start[0] + 1, start[1] + 1, end[0] + 1, end[1] + 1)
    return TextMap(path, places), span


class _FlowWalk:
    """The walk through a plain or quoted scalar that is more than its bare text."""

    def __init__(self, text: str, style: str, at: int, stop: int, first: Place) -> None:
        self.text, self.style, self.at, self.stop = text, style, at, stop
        self.line, self.column = first
        self.found: list[Place] = []

    def places(self) -> tuple[Place, ...]:
        while self.at < self.stop:
            char = self.text[self.at]
            if char in " \t\n" and (fold := _FOLD.match(self.text, self.at, self.stop)):
                self._fold(fold.group(), escaped=False)
            elif char == "\\" and self.style == "double":
                self._escape()
            else:
                self._one(2 if char == "'" and self.style == "single" else 1)
        self.found.append((self.line, self.column))
        return tuple(self.found)

    def _one(self, width: int) -> None:
        """Go over source text of some width that is one character of the value."""
        self.found.append((self.line, self.column))
        self.at += width
        self.column += width

    def _fold(self, source: str, *, escaped: bool) -> None:
        """Go over line ends: the first is a space, or nothing if escaped or if others follow."""
        count = source.count("\n")
        made = count - 1 if escaped else max(1, count - 1)
        self.found += [(self.line, self.column)] * made
        self.at += len(source)
        self.line += count
        self.column = len(source) - source.rfind("\n")

    def _escape(self) -> None:
        if fold := _ESCAPED_FOLD.match(self.text, self.at, self.stop):
            self._fold(fold.group(), escaped=True)
        else:
            found = _ESCAPE.match(self.text, self.at, self.stop)
            self._one(len(found.group()) if found else 1)


def _block_map(
    path: str, lines: Lines, value: str, style: str, start: Place
) -> tuple[TextMap, Span]:
    """The map of a `|` or `>` block, line by line below its sign."""
    indent = _block_indent(lines, value, start[0] + 1)
    walk = _BlockWalk(lines.lines, indent, style == "folded", start[0])
    walk.go(start[0] + 1)
    end = (walk.last + 1, len(lines.lines[walk.last]) + 1)
    places = walk.places[: len(value)]
    places += [end] * (len(value) + 1 - len(places))
    span = Span(path, start[0] + 1, start[1] + 1, *end)
    return TextMap(path, tuple(places)), span


class _BlockWalk:
    """The walk through the lines of a block. Line ends wait until it is known what they become."""

    def __init__(self, lines: list[str], indent: int, folded: bool, last: int) -> None:
        self.lines, self.indent, self.folded = lines, indent, folded
        self.places: list[Place] = []
        self.last = last
        self.line_end: Place | None = None
        self.empty: list[Place] = []
        self.deep = False

    def go(self, number: int) -> None:
        for at in range(number, len(self.lines)):
            line = self.lines[at]
            if not line.strip(" ") and len(line) <= self.indent:
                self.empty.append((at + 1, len(line) + 1))
            elif line[: self.indent].strip(" "):
                break
            else:
                self._text(at, line[self.indent :])
        self._flush(True)

    def _text(self, at: int, text: str) -> None:
        deep = text[0] in " \t"
        # Between two lines of running text a folded block has a space, or only its empty lines.
        running = self.folded and not deep and not self.deep
        self._flush(not running or not self.empty)
        self.places += [(at + 1, self.indent + 1 + n) for n in range(len(text))]
        self.line_end, self.deep = (at + 1, self.indent + 1 + len(text)), deep
        self.last = at

    def _flush(self, with_end: bool) -> None:
        if self.line_end is not None and with_end:
            self.places.append(self.line_end)
        self.places += self.empty
        self.line_end, self.empty = None, []


def _block_indent(lines: Lines, value: str, number: int) -> int:
    """Columns before the text of a block: those of its first line with text, less its own."""
    first = next((line for line in value.split("\n") if line.strip(" ")), "")
    own = len(first) - len(first.lstrip(" "))
    for line in lines.lines[number:]:
        if line.strip(" "):
            return max(0, len(line) - len(line.lstrip(" ")) - own)
    return 0
