"""Text in a terminal: how wide it is, where it breaks, and what it must not contain.

Labels come from strangers' files, so everything shown goes through `clean`: no control character of
theirs reaches the terminal. Widths are cells of the terminal, not letters (wcwidth).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from unicodedata import category

from wcwidth import wcswidth, wcwidth


def clean(text: str) -> str:
    """The text without control and direction characters; blanks of any kind become spaces."""
    letters = []
    for letter in text:
        if letter.isspace():
            letters.append(" ")
        elif category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn"):
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

    It breaks at spaces, between wide letters (East Asian text has no spaces) but not before closing
    or after opening signs, and inside a word only if the word is wider than a line.
    """
    lines: list[str] = []
    line, blank = first, True
    for gap, unit in _units(text):
        for part in _parts(unit, max(1, width - cells(rest))):
            before = "" if blank else gap
            if not blank and cells(line + before + part) > width:
                lines.append(line.rstrip())
                line, before = rest, ""
            line += before + part
            blank, gap = False, ""
    return [*lines, line.rstrip()]


def _units(text: str) -> Iterator[tuple[str, str]]:
    """What must stay in one line, each with the space before it, if any."""
    for word in text.split():
        gap, unit = " ", ""
        for letter in word:
            if unit and _may_break(unit[-1], letter):
                yield gap, unit
                gap, unit = "", ""
            unit += letter
        yield gap, unit


_OPENING = ("Ps", "Pi")
_CLOSING = ("Pe", "Pf", "Po", "Lm")
"""Categories of letters that a line must not end or begin with."""


def _may_break(before: str, after: str) -> bool:
    wide = wcwidth(before) == 2 or wcwidth(after) == 2
    apart = category(before) not in _OPENING and category(after) not in _CLOSING
    return wide and apart and wcwidth(after) > 0


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
