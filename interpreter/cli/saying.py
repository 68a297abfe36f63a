"""How the runner speaks while it asks: lines that wrap, numbered choices, and excuses."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.interpreter.cli.lines import wrap
from gemwright.interpreter.cli.screen import Line, Screen


class Saying:
    """Says things on a screen."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def numbered(self, texts: Sequence[str]) -> list[Line]:
        """Choices with their numbers, from 1."""
        digits = len(str(len(texts)))
        lines = []
        for number, text in enumerate(texts, 1):
            head = f"  {number:>{digits}}) "
            for line in wrap(text, self._screen.width, head, " " * len(head)):
                lines.append(Line(line))
        return lines

    def tell(self, texts: Sequence[str], style: str = "") -> None:
        """Say something, indented below the prompt."""
        self._screen.show(
            Line(line, style)
            for text in texts
            for line in wrap(text, self._screen.width, "  ", "    ")
        )

    def sorry(self, text: str) -> None:
        """Say that what was typed cannot be followed."""
        self.tell([text], "bad")


def number_of(text: str) -> int | None:
    """The number that a line is, if it is one; wide digits count, too."""
    return int(text) if text.isdecimal() and len(text) < 10 else None
