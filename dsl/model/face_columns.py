"""What is printed on pieces: the columns of kinds, gathered from where the rules read them."""

from __future__ import annotations

from gemwright.dsl.model import game as m
from gemwright.dsl.model.nodes import nodes_of
from gemwright.dsl.model.terms import Base, Lookup, Type

FaceColumns = dict[int, dict[str, tuple[Type, int | tuple[int, ...]]]]
"""For each face the value of each column that the rules read, with its type."""


def columns_of(model: m.Game) -> FaceColumns:
    """The columns of every face. What no rule reads is not in the game model, and not here."""
    found: FaceColumns = {}
    kinds = {kind.name for kind in model.kinds}
    for lookup in nodes_of(model):
        if not isinstance(lookup, Lookup) or _is_position(lookup, kinds):
            continue
        if lookup.argument.type.base not in (Base.FACE, Base.PIECE) or " " in lookup.name:
            continue
        for face in lookup.argument.type.faces:
            position = face - lookup.base
            if 0 <= position < len(lookup.values):
                value = lookup.values[position]
                found.setdefault(face, {}).setdefault(lookup.name, (lookup.type, value))
    return found


def _is_position(lookup: Lookup, kinds: set[str]) -> bool:
    """Whether it only tells which member of a kind something is: nothing that is printed."""
    return lookup.name in kinds and lookup.type.base is Base.INT
