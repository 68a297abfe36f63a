"""Files and positions: where a piece of a ruleset was read.

A position is a line and a column, both counted from 1; a column counts code points, not bytes and
not cells of a terminal. `TextMap` answers the question that every message about a sentence asks:
which place of the file is character number n of this text, after YAML has removed quotes, escapes,
indentation and folded lines?
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file.

    `path` is the path as the user gave it (for files reached from there: as it reads from the same
    place). `line`, `column` are the first character, `end_line`, `end_column` the place just after
    the last one. An empty stretch has equal ends.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def start(self) -> Span:
        """The empty span at the first character."""
        return Span(self.path, self.line, self.column, self.line, self.column)

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of `other`, which lies in the same file."""
        return Span(self.path, self.line, self.column, other.end_line, other.end_column)


@dataclass(frozen=True, slots=True)
class TextMap:
    """Maps offsets in the value of a scalar to places in its file.

    `places[n]` is the line and column of character `n`; one more place follows, the end. A line
    break that YAML folded to a space lies just after the text before it.
    """

    path: str
    places: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> Span:
        """The span of `value[start:end]`; offsets beyond the text count as its end."""
        line, column = self._place(start)
        if end <= start:
            return Span(self.path, line, column, line, column)
        last_line, last_column = self._place(end - 1)
        end_line, end_column = self._place(end)
        if end_line != last_line or end_column <= last_column:
            end_column = last_column + 1
        return Span(self.path, line, column, last_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        return self.places[min(max(offset, 0), len(self.places) - 1)]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A text file that was read.

    `path` is how it is shown, `real` where it lies, `text` its content with line ends as `\\n` and
    without a byte order mark.
    """

    path: str
    real: Path
    text: str


def excerpt(text: str, span: Span) -> str:
    """What stands at a place of a file, in one line; '' if the file has no such place.

    Blanks at the breaks of lines become one space.
    """
    lines = text.splitlines()[span.line - 1 : span.end_line]
    if not 1 <= len(lines) == span.end_line - span.line + 1:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(line.strip() for line in lines)
