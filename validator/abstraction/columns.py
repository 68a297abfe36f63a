"""Columns of cards that are worth adding up over zones.

Two uses of a column make its sum over a zone matter: a counter changes by it (the prices that a
deck still holds in store), and what is paid for a card is bounded by it (the prices not yet paid).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.vocabulary import Column
from gemwright.validator.rules.doing import possible_actions
from gemwright.validator.rules.walking import nodes

MOST_COLUMNS: Final = 6
PLACED: Final = (t.ReadVariable, t.ZoneVector, t.ZoneCount, t.ZoneSize, t.ZoneTop)


def changing_columns(game: m.Game) -> tuple[Column, ...]:
    """Columns by which counters change."""
    found: dict[tuple[int, ...], Column] = {}
    for node in nodes((game.points, possible_actions(game))):
        if isinstance(node, m.Assign) and node.value.type.base is t.Base.INT:
            for column in _columns_in(game, node.value):
                found.setdefault(column.weights, column)
    return tuple(found.values())[:MOST_COLUMNS]


def paid_columns(game: m.Game) -> tuple[Column, ...]:
    """Totals of columns with a cell per member that conditions on picks read."""
    found: dict[tuple[int, ...], Column] = {}
    for action in possible_actions(game):
        for node in nodes(action.where):
            if isinstance(node, t.Lookup) and node.type.base is t.Base.VECTOR:
                cells = _by_face(game, node, range(len(node.type.faces)))
                if cells is not None:
                    found.setdefault(cells, Column(node.name, cells))
    return tuple(found.values())[:MOST_COLUMNS]


def _columns_in(game: m.Game, term: t.Term) -> Iterator[Column]:
    # Where something lies is no amount of it.
    indices = [
        node.index for node in nodes(term) if isinstance(node, PLACED) and node.index is not None
    ]
    places = {id(inner) for index in indices for inner in nodes(index)}
    for node in nodes(term):
        if id(node) in places:
            continue
        if isinstance(node, t.VectorIndex) and isinstance(node.vector, t.Lookup):
            for place, face in enumerate(node.vector.type.faces):
                cells = _by_face(game, node.vector, (place,))
                if cells is not None:
                    yield Column(f"{node.vector.name} {game.faces[face].name}", cells)
        elif isinstance(node, t.Lookup) and node.type.base is t.Base.INT:
            cells = _by_face(game, node, ())
            if cells is not None:
                yield Column(node.name, cells)


def _by_face(game: m.Game, table: t.Lookup, at: range | tuple[int, ...]) -> tuple[int, ...] | None:
    """The table, or the sum of some of its cells, for every face; None if it is not about pieces
    or the same for all."""
    if table.argument.type.base not in (t.Base.FACE, t.Base.PIECE):
        return None
    found = [0] * len(game.faces)
    for face in game.faces:
        place = face.id - table.base
        if face.count and 0 <= place < len(table.values):
            value = table.values[place]
            found[face.id] = sum(value[n] for n in at) if isinstance(value, tuple) else value
    return tuple(found) if any(found) else None
