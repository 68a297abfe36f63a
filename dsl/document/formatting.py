"""The canonical layout of rules files: one way to indent, space and align, comments kept.

Only blanks and line breaks change, never a word, so the meaning stays; `formatted` checks that.

* Fields of an element are indented by two spaces, items of a list too, and so is the text of a
  block below its field, and each of its levels. Lines that go on with a text are indented
  like that, those that go on with a list in brackets begin behind its bracket.
* A comment on a line of its own is indented like the line it speaks of, the next one.
* There is one blank after the colon of a field, at least two before a comment, one after its `#`.
* Clause marks at the end of a sentence begin at `MARK_COLUMN`, or one blank after longer ones.
* At most one blank line stands between others, and one stands before each section of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.builder import Builder
from gemwright.dsl.document.reader import read_yaml
from gemwright.dsl.document.textmap import Lines
from gemwright.dsl.document.tree import Entry, Map, Node, Plain, Scalar, Seq, plain
from gemwright.dsl.source import Span

MARK_COLUMN: Final = 80
"""Where clause marks begin, from 1."""

_STEP: Final = 2
_MARKS: Final = re.compile(r"^(?P<text>\s*\S.*?)\s+(?P<marks>@[A-Z]+-\d+(?:\s+@[A-Z]+-\d+)*)$")
_BLOCKS: Final = ("literal", "folded")


@dataclass(frozen=True, slots=True)
class Formatted:
    """A file before and after."""

    before: str
    after: str


def format_file(path: Path, shown: str, reporter: Reporter) -> Formatted | None:
    """Read a file and lay it out; None after findings that keep it from being read."""
    found = read_yaml(path, shown, reporter)
    if found is None or reporter.has_errors:
        return None
    tree, source = found
    return Formatted(source.text, formatted(tree, source.text))


def formatted(tree: Map, text: str) -> str:
    """The text of `tree` in canonical layout."""
    layout = _Layout(text)
    layout.map(tree, 0, len(layout.lines))
    after = "\n".join(_spaced(tree, layout)).rstrip("\n") + "\n"
    assert _meaning(_read(after)) == _meaning(tree), "the layout changed what the file says"
    assert after.count("#") == text.count("#"), "the layout lost a comment"
    return after


def _read(text: str) -> Map | None:
    builder = Builder("", Lines(text), Reporter())
    stop = builder.run(text)
    return None if stop is not None else builder.root()


def _meaning(tree: Map | None) -> Plain:
    """What a tree says, whatever the blanks in its texts."""
    return None if tree is None else _collapsed(plain(tree))


def _collapsed(value: Plain) -> Plain:
    match value:
        case str():
            return " ".join(value.split())
        case list():
            return [_collapsed(item) for item in value]
        case dict():
            return {key: _collapsed(item) for key, item in value.items()}
        case _:
            return value


class _Layout:
    """The lines of a text with their new indents; `blocks` are the lines inside of blocks."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.moves: dict[int, int] = {}
        self.anchors: set[int] = set()
        self.dashes: dict[int, tuple[int, int]] = {}
        self.blocks: set[int] = set()

    def map(self, node: Map, indent: int, end: int) -> None:
        """Lay out the fields of a map in block form; `end` is the line after it."""
        ends = _ends([entry.key_span for entry in node.entries], end)
        for entry, after in zip(node.entries, ends, strict=True):
            line = entry.key_span.line - 1
            if line not in self.anchors:
                self._anchor(line, entry.key_span.column - 1, indent)
            self._value(entry, indent, after)

    def _value(self, entry: Entry, indent: int, end: int) -> None:
        value, line = entry.value, entry.key_span.line - 1
        colon = entry.key_span.end_column - 1
        if isinstance(value, Scalar) and value.style in _BLOCKS:
            self._one_blank(line, colon)
            self._block(line, entry.key_span.column - 1, indent, end)
        elif isinstance(value, Scalar) or self._is_flow(value):
            start = indent + colon - entry.key_span.column + 3
            self._continue(line, end, self._inner(value, start, indent))
            if value.span.line - 1 == line and value.span.end_column > value.span.column:
                self._comment_after(value.span)
                self._one_blank(line, colon)
        elif isinstance(value, Map):
            self.map(value, indent + _STEP, end)
        else:
            self._seq(value, indent + _STEP, end)

    def _seq(self, node: Seq, indent: int, end: int) -> None:
        ends = _ends([item.span for item in node.items], end)
        for item, after in zip(node.items, ends, strict=True):
            line, column = item.span.line - 1, item.span.column - 1
            dash = self.lines[line].rfind("-", 0, column)
            assert dash >= 0, "an item of a list stands behind its dash"
            self._dash(line, dash, column, indent)
            if isinstance(item, Map) and not self._is_flow(item):
                self.map(item, indent + _STEP, after)
            elif isinstance(item, Scalar) and item.style in _BLOCKS:
                self._block(line, dash, indent, after)
            else:
                self._continue(line, after, self._inner(item, indent + _STEP, indent))
                self._comment_after(item.span)

    def _dash(self, line: int, dash: int, column: int, indent: int) -> None:
        """An item begins; of `- - x` only the first dash moves the line."""
        if line not in self.anchors:
            self.dashes[line] = (dash, column)
            self._anchor(line, dash, indent)

    def _block(self, line: int, old: int, indent: int, end: int) -> None:
        """The lines of a `|` or `>` block; it ends at a line indented as little as its field."""
        inside = []
        for number in range(line + 1, end):
            text = self.lines[number]
            if text.strip() and _indent(text) <= old:
                break
            inside.append(number)
        while inside and not self.lines[inside[-1]].strip():
            inside.pop()
        filled = [number for number in inside if self.lines[number].strip()]
        if not filled:
            return
        self.blocks.update(inside)
        levels: list[int] = []
        for number in filled:
            at = _indent(self.lines[number])
            while levels and levels[-1] > at:
                levels.pop()
            if not levels or levels[-1] < at:
                levels.append(at)
            self.moves[number] = indent + _STEP * len(levels) - at

    def _inner(self, value: Node, start: int, indent: int) -> int:
        """Where the further lines of a value begin: inside its bracket, or below its field."""
        flow = not isinstance(value, Scalar) and self._is_flow(value)
        return start + 1 if flow else indent + _STEP

    def _continue(self, line: int, end: int, target: int) -> None:
        """Lines that go on with a value: the first begins at `target`, others move with it."""
        further = [
            number
            for number in range(line + 1, end)
            if self.lines[number].strip() and not self._is_comment(number)
        ]
        for number in further:
            self.moves[number] = target - _indent(self.lines[further[0]])

    def _anchor(self, line: int, old: int, new: int) -> None:
        self.anchors.add(line)
        self.moves[line] = new - old

    def _one_blank(self, line: int, colon: int) -> None:
        text = self.lines[line]
        head, rest = text[: colon + 1], text[colon + 1 :]
        if head.endswith(":"):
            self.lines[line] = f"{head} {rest.lstrip()}"

    def _comment_after(self, span: Span) -> None:
        line = span.end_line - 1
        text, rest = (
            self.lines[line][: span.end_column - 1],
            self.lines[line][span.end_column - 1 :],
        )
        if rest.lstrip().startswith("#"):
            blanks = max(2, len(rest) - len(rest.lstrip()))
            self.lines[line] = text + " " * blanks + _comment(rest.strip())

    def _is_flow(self, node: Map | Seq) -> bool:
        text = self.lines[node.span.line - 1]
        return text[node.span.column - 1 : node.span.column] in ("{", "[") or not _size(node)

    def _is_comment(self, line: int) -> bool:
        return line not in self.blocks and self.lines[line].lstrip().startswith("#")

    def _tight(self, line: int) -> str:
        """A line with one blank behind the dash of an item."""
        text = self.lines[line]
        if line not in self.dashes:
            return text
        dash, column = self.dashes[line]
        return text[: dash + 1] + " " + text[column:]

    def indented(self) -> Iterator[str]:
        """The lines with their new indents."""
        following = 0
        answer = []
        for number in reversed(range(len(self.lines))):
            text = self._tight(number).strip()
            if not text:
                answer.append("")
            elif self._is_comment(number):
                answer.append(" " * following + _comment(text))
            else:
                following = max(0, _indent(self.lines[number]) + self.moves.get(number, 0))
                answer.append(" " * following + text)
                if number in self.blocks:
                    answer[-1] = _marks_aligned(answer[-1])
        yield from reversed(answer)


def _size(node: Map | Seq) -> int:
    return len(node.entries) if isinstance(node, Map) else len(node.items)


def _ends(spans: list[Span], end: int) -> list[int]:
    """For each of several nodes the line where the next begins."""
    return [*(span.line - 1 for span in spans[1:]), end]


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _comment(text: str) -> str:
    """A comment with one blank after its sign; lines of signs stay."""
    rest = text.lstrip("#")
    signs = text[: len(text) - len(rest)]
    return text if not rest or rest[0] in " !" or len(signs) > 1 else f"{signs} {rest}"


def _marks_aligned(text: str) -> str:
    found = _MARKS.match(text)
    if found is None:
        return text
    marks = " ".join(found.group("marks").split())
    head = found.group("text")
    return f"{head.ljust(MARK_COLUMN - 2)} {marks}"


def _spaced(tree: Map, layout: _Layout) -> Iterator[str]:
    """The lines with at most one blank line in a row, and one before each section."""
    sections = {
        _with_comments(layout, entry.key_span.line - 1)
        for entry in tree.entries
        if _is_section(entry)
    }
    blank = True
    for number, text in enumerate(layout.indented()):
        if number in sections and not blank:
            yield ""
        elif not text and (blank and number not in layout.blocks):
            continue
        yield text
        blank = not text


def _is_section(entry: Entry) -> bool:
    value = entry.value
    if isinstance(value, Scalar):
        return value.style in _BLOCKS
    return value.span.line > entry.key_span.line


def _with_comments(layout: _Layout, line: int) -> int:
    """The first line of the comments right above a line, or the line itself."""
    while line > 0 and layout.lines[line - 1].lstrip().startswith("#"):
        line -= 1
    return line
