"""Text in a terminal: how wide it is, where it breaks, and what it must not contain.

Labels come from strangers' files, so everything shown goes through `clean`: no control character of
theirs reaches the terminal. Widths are cells of the terminal, not letters (wcwidth).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from wcwidth import wcswidth, wcwidth


def clean(text: str) -> str:
    """The text without control and direction characters; blanks of any kind become spaces."""
    letters = []
    for letter in text:
        if letter.isspace():
            letters.append(" ")
        elif unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn"):
            letters.append(letter)
    return "".join(letters)


def cells(text: str) -> int:
    """How many cells of the terminal a text takes."""
    width = wcswidth(text)
    return width if width >= 0 else sum(max(0, wcwidth(letter)) for letter in text)


def pad(text: str, width: int) -> str:
    """The text, filled with spaces to at least a width."""
    return text + " " * max(0, width - cells(text))


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The text as lines of at most `width` cells, led by `first` and then by `rest`.

    It breaks at spaces, and inside a word only if the word is wider than a line.
    """
    lines: list[str] = []
    line, blank = first, True
    for word in text.split():
        for part in _parts(word, max(1, width - cells(rest))):
            gap = "" if blank else " "
            if not blank and cells(line) + len(gap) + cells(part) > width:
                lines.append(line)
                line, gap = rest, ""
            line += gap + part
            blank = False
    return [*lines, line.rstrip()]


def _parts(word: str, width: int) -> list[str]:
    """A word, cut where it is wider than a line."""
    if cells(word) <= width:
        return [word]
    parts, part = [], ""
    for letter in word:
        if part and cells(part + letter) > width:
            parts.append(part)
            part = ""
        part += letter
    return [*parts, part]


def columns(rows: Sequence[Sequence[str]], width: int, indent: str = "  ") -> list[str]:
    """Rows of (label, text): labels in one column, texts beside it with a hanging indent."""
    if not rows:
        return []
    widest = min(max(cells(row[0]) for row in rows), width * 2 // 5)
    lines: list[str] = []
    for label, text in rows:
        head = indent + pad(label, widest) + "  "
        rest = " " * min(cells(indent) + widest + 2, width // 2)
        if cells(head) > cells(rest):
            lines.append(head.rstrip())
            head = rest
        lines.extend(wrap(text, width, head, rest))
    return lines


def grid(rows: Sequence[Sequence[str]], gap: str = "  ") -> list[str]:
    """Rows of cells in aligned columns; the last column is not filled."""
    if not rows:
        return []
    widths = [max(cells(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    return [
        gap.join([*(pad(cell, w) for cell, w in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
