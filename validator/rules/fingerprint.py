"""A name for what a game does: equal for games that play alike, whatever options made them so."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Final

from gemwright.dsl.model import game as m

_PASSED_OVER: Final = frozenset(
    {"span", "elements", "element", "clauses", "text", "sight", "seen_by", "decreases"}
)
"""Where things stand in a file, what they are for in the rulebook, and who sees them."""


def fingerprint(game: m.Game) -> str:
    """SHA-256 over all that decides how play can go; results and who sees what do not."""
    found = hashlib.sha256()
    parts = (game.players, game.faces, game.zones, game.variables, game.actions, game.points)
    for text in _texts((*parts, game.start)):
        found.update(text.encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def text_of(root: object) -> str:
    """A text that is equal for parts of a model that mean the same, wherever they stand."""
    return "".join(_texts(root))


def _texts(root: object) -> Iterator[str]:
    todo: list[object] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, tuple):
            yield f"({len(value)}"
            todo.extend(reversed(value))
        elif isinstance(value, Enum):
            yield f"|{value.value}"
        elif is_dataclass(value):
            names = [each.name for each in fields(value) if each.name not in _PASSED_OVER]
            yield f"|{type(value).__name__}"
            todo.extend(getattr(value, name) for name in reversed(names))
        else:
            yield f"|{value!r}"
