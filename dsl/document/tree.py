"""The positioned tree: what a rules file says, before anything of it has a meaning.

Every node knows the file and the place it was read from, also after overlays were merged, so that
any later pass can point at it. Trees are immutable; depth is at most the budget of the reader.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from gemwright.dsl.source import Span, TextMap

#: What `plain` gives: the tree as ordinary Python values.
Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain] | None"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. `map` maps offsets of `text` to the file.

    `style` is how it was written: `plain`, `single` or `double` quotes, `literal` (`|`) or
    `folded` (`>`) block. Only a plain scalar can be other than a string.
    """

    value: str | int | bool | None
    span: Span
    map: TextMap
    style: str = "plain"

    @property
    def text(self) -> str:
        """The value as the text of the file: `5`, `true`; empty for nothing."""
        match self.value:
            case None:
                return ""
            case bool():
                return "true" if self.value else "false"
            case int():
                return str(self.value)
            case str():
                return self.value


@dataclass(frozen=True, slots=True)
class Seq:
    """A list."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Entry:
    """A key of a map and its value. `key_map` maps offsets of `key` to the file."""

    key: str
    key_span: Span
    value: Node
    key_map: TextMap


@dataclass(frozen=True, slots=True)
class Map:
    """A map in the order of the file; no key occurs twice."""

    entries: tuple[Entry, ...]
    span: Span
    _by_key: dict[str, Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {entry.key: entry for entry in self.entries})

    def get(self, key: str) -> Node | None:
        """The value of `key`, or None."""
        entry = self.entry(key)
        return None if entry is None else entry.value

    def entry(self, key: str) -> Entry | None:
        """The entry of `key`, or None."""
        return self._by_key.get(key)


Node: TypeAlias = Scalar | Seq | Map


def plain(node: Node) -> Plain:
    """The tree as lists, dicts and scalars, for the JSON Schema."""
    match node:
        case Scalar():
            return node.value
        case Seq():
            return [plain(item) for item in node.items]
        case Map():
            return {entry.key: plain(entry.value) for entry in node.entries}
