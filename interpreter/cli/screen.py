"""What a person reads and types: a plain stream of lines, or a terminal with colour.

Both show the same lines; only `Rich` colours and clears. Plain output is for pipes and screen
readers: no cursor control, no colour, a prompt on a line of its own.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gemwright.interpreter.cli.lines import clean

if TYPE_CHECKING:
    from rich.console import Console

NARROWEST = 40
WIDEST = 100
_PLAIN_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Line:
    """One line of output. `style` is '', 'title', 'mine', 'dim', 'good' or 'bad'."""

    text: str
    style: str = ""


class EndOfInput(Exception):
    """There is nothing more to read."""


class Screen(Protocol):
    """Where lines go to and answers come from."""

    @property
    def width(self) -> int:
        """Cells per line."""

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines."""

    def ask(self, prompt: str) -> str:
        """One line that a person types, without blanks around it.

        Raises:
            EndOfInput: there is no more input.
        """

    def clear(self) -> None:
        """Take what was shown away from the eyes of the next reader, as far as possible."""


class Plain:
    """Prints lines and reads lines."""

    width = _PLAIN_WIDTH

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines as they are."""
        for line in lines:
            print(clean(line.text))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """Print the prompt and read a line from stdin."""
        print(prompt, end=" ", flush=True)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            # What was typed is not echoed by a pipe; the prompt's line must still end.
            print(line.rstrip("\n"), flush=True)
        if not line:
            raise EndOfInput
        return line.strip()

    def clear(self) -> None:
        """Empty lines: plain output has no other way to hide what was shown."""
        print("\n" * 40)


_STYLES = {"title": "bold", "mine": "cyan", "dim": "dim", "good": "green", "bad": "yellow"}


class Rich:
    """A terminal with colour, or with unstyled text where NO_COLOR asks for it."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console: Console = Console(highlight=False, soft_wrap=True)
        self._styles = {} if os.environ.get("NO_COLOR") else _STYLES

    @property
    def width(self) -> int:
        """The width of the terminal now, within what is pleasant to read."""
        return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines in their styles."""
        for line in lines:
            style = self._styles.get(line.style)
            self._console.print(clean(line.text), style=style, markup=False, emoji=False)

    def ask(self, prompt: str) -> str:
        """Read a line with the editing keys of the terminal."""
        try:
            return input(f"{prompt} ").strip()
        except EOFError:
            print()
            raise EndOfInput from None

    def clear(self) -> None:
        """Clear the screen and what can be scrolled back to."""
        self._console.clear()
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            sys.stdout.write("\x1b[3J")
            sys.stdout.flush()


def make_screen(plain: bool) -> Screen:
    """The screen of this process: plain if asked for, or where there is no terminal."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if plain or not terminal or os.environ.get("TERM") == "dumb":
        return Plain()
    return Rich()
