"""What is printed on pieces: the columns of kinds, gathered from where the rules read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from gemwright.dsl import model as m
from gemwright.dsl.terms import Base, Lookup, Type

Facts = dict[int, dict[str, tuple[Type, int | tuple[int, ...]]]]
"""For each face the value of each column that the rules read, with its type."""


def facts_of(model: m.Game) -> Facts:
    """The columns of every face. What no rule reads is not in the game model, and not here."""
    facts: Facts = {}
    for lookup in _lookups(model):
        if lookup.argument.type.base not in (Base.FACE, Base.PIECE):
            continue
        for face in lookup.argument.type.faces:
            position = face - lookup.base
            if 0 <= position < len(lookup.values):
                value = lookup.values[position]
                facts.setdefault(face, {}).setdefault(lookup.name, (lookup.type, value))
    return facts


def _lookups(model: m.Game) -> Iterator[Lookup]:
    """Every table of one argument in the rules, in the order of reading."""
    todo: list[object] = [model.match, model.result, model.points, model.actions]
    visited: set[int] = set()
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(reversed(node))
        elif is_dataclass(node) and id(node) not in visited:
            visited.add(id(node))
            if isinstance(node, Lookup):
                yield node
            todo.extend(getattr(node, each.name) for each in reversed(fields(node)))
