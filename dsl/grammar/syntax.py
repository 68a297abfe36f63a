"""Syntax nodes: what the parser builds from a sentence or an expression, before any name is
understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from gemwright.dsl.source import Span

Part = Union["Syntax", str, None]


@dataclass(frozen=True, slots=True)
class Syntax:
    """One construct of the grammar.

    `rule` is the grammar's name of it, `parts` its nodes and words in order (None for an
    optional part that
    was left out), `text` the words as written.
    """

    rule: str
    parts: tuple[Part, ...]
    span: Span
    text: str
    depth: int
    start: int
    end: int

    def node(self, position: int) -> Syntax:
        """The part at `position`, which the grammar promises to be a node."""
        part = self.parts[position]
        assert isinstance(part, Syntax)
        return part

    def word(self, position: int) -> str:
        """The part at `position`, which the grammar promises to be a word."""
        part = self.parts[position]
        assert isinstance(part, str)
        return part

    def nodes(self) -> tuple[Syntax, ...]:
        """All parts that are nodes."""
        return tuple(part for part in self.parts if isinstance(part, Syntax))

    def words(self) -> tuple[str, ...]:
        """All parts that are words."""
        return tuple(part for part in self.parts if isinstance(part, str))
