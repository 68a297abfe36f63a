"""Every node of a game model: statements, terms and what they hold, in the order of reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from gemwright.dsl.model import game as m


def nodes_of(model: m.Game) -> Iterator[object]:
    """The dataclass nodes of all rules of a model, each once, parents before children."""
    todo: list[object] = [model.match, model.result, model.points, model.actions]
    visited: set[int] = set()
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(reversed(node))
        elif is_dataclass(node) and id(node) not in visited:
            visited.add(id(node))
            yield node
            todo.extend(getattr(node, each.name) for each in reversed(fields(node)))
