"""What a scenario says of zones: pieces by count or in order, with what may be left open.

| written | means |
|---|---|
| `{red: 2, blue: 1}` | so many of each, nothing else |
| `[red, blue]` | these pieces; a stack from the top down, a row from the left (`empty` = gap) |
| `[red, rest]`, `{red: 2, rest: any}` | these (on top), and others |
| `rest` | in `given` what no other zone takes |
| `empty` | nothing |
| `{size: 4}` | in `expect` so many pieces of any kind |

An indexed family is a mapping from label to one of these; `empty` and `{size: n}` may stand for
all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.scenario.names import Names, text_of

GAP = -1


@dataclass(frozen=True, slots=True)
class Content:
    """What one zone instance holds.

    `pieces` are faces as the block stores them: bottom to top, left to right (`GAP` = nothing
    there), or in any order. With `more` there may be others (below them in a stack); with `size`
    only that is said. `listed` tells whether the order was written.
    """

    zone: m.Zone
    instance: int
    pieces: tuple[int, ...]
    more: bool
    size: int | None
    listed: bool
    span: Span

    @property
    def label(self) -> str:
        """`shelf`, or `hand[P1]` in a family."""
        label = self.zone.labels[self.instance - self.zone.first]
        return f"{self.zone.name}[{label}]" if label else self.zone.name


def read_contents(entries: tuple[Entry, ...], names: Names) -> list[Content]:
    """The contents that a `zones` mapping describes; what is wrong is reported."""
    found: list[Content] = []
    for entry in entries:
        zone = names.zone(entry)
        if zone is not None:
            found.extend(zone_contents(zone, entry.value, names))
    return found


def zone_contents(zone: m.Zone, node: Node, names: Names) -> Iterator[Content]:
    """The contents of one family."""
    if not zone.index:
        found = _content(zone, 0, node, names)
        if found is not None:
            yield found
        return
    if _is_size(node) or text_of(node)[0] == "empty":
        for position in range(zone.size):
            found = _content(zone, position, node, names)
            if found is not None:
                yield found
        return
    if not isinstance(node, Map):
        labels = ", ".join(zone.labels)
        names.wrong("X001", node.span, f"`{zone.name}` has a place for each of {labels}: say which")
        return
    for entry in node.entries:
        where = names.position(zone, entry)
        if where is not None:
            found = _content(zone, where, entry.value, names)
            if found is not None:
                yield found


def _is_size(node: Node) -> bool:
    return isinstance(node, Map) and [entry.key for entry in node.entries] == ["size"]


def _content(zone: m.Zone, position: int, node: Node, names: Names) -> Content | None:
    instance = zone.first + position
    if _is_size(node):
        assert isinstance(node, Map)
        size = _count(node.entries[0].value, names)
        return None if size is None else Content(zone, instance, (), True, size, False, node.span)
    if isinstance(node, Scalar):
        if text_of(node)[0] in ("rest", "empty"):
            more = text_of(node)[0] == "rest"
            return Content(zone, instance, (), more, None, False, node.span)
        text = f"say what lies in `{zone.name}`: counts, a list, `rest` or `empty`"
        names.wrong("X001", node.span, text)
        return None
    listed = isinstance(node, Seq)
    pieces, more = (
        _listed(zone, node, names) if isinstance(node, Seq) else _counted(zone, node, names)
    )
    return Content(zone, instance, tuple(pieces), more, None, listed, node.span)


def _listed(zone: m.Zone, node: Seq, names: Names) -> tuple[list[int], bool]:
    items = list(node.items)
    more = bool(items) and text_of(items[-1])[0] == "rest"
    if more:
        items.pop()
    pieces = []
    for item in items:
        if text_of(item)[0] == "empty" and zone.order == "row":
            pieces.append(GAP)
            continue
        face = names.face(item, zone.faces)
        if face is not None:
            pieces.append(face)
    if zone.order == "stack":
        pieces.reverse()
    return pieces, more


def _counted(zone: m.Zone, node: Map, names: Names) -> tuple[list[int], bool]:
    pieces: list[int] = []
    more = False
    for entry in node.entries:
        if entry.key == "rest":
            more = True
            continue
        face = names.face(entry, zone.faces)
        count = _count(entry.value, names)
        if face is not None and count is not None:
            pieces.extend([face] * count)
    return pieces, more


def _count(node: Node, names: Names) -> int | None:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    names.wrong("X001", node.span, "say how many: 0 or more")
    return None
