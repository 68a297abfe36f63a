"""Names of members and seats that are only partly known: terms over the state that are the same.

On a path a pick may be any of several pieces, and whoever is in turn any player. Where the state
says who or which it is (a variable holds the seat, the piece lies alone in a zone), what is found
of the pick is a condition over the state, and stays true until something of that changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.symbols import Path, Piece, Some, TermKey
from gemwright.validator.abstraction.term_keys import Keys
from gemwright.validator.rules.doing import possible_actions
from gemwright.validator.rules.walking import free_slots, nodes, normal_form, replaced

Names = Mapping[int, t.Term]
"""By the number of a value that is only partly known, a term that means the same now."""

_NAMED_BASES: Final = (t.Base.PLAYER, t.Base.FACE)


class Naming:
    """Names on the paths of one game."""

    def __init__(self, game: m.Game, keys: Keys) -> None:
        self._keys = keys
        self._single = _single_pieces(game)
        self._terms: tuple[t.Term, ...] = (*_variables(game), *self._single.values())
        self._closed: dict[tuple[TermKey, tuple[t.Term | None, ...]], t.Term | None] = {}

    def on(self, path: Path) -> Names:
        """The names that hold at the end of a path."""
        found: dict[int, t.Term] = {}
        for term in self._terms:
            kept = path.memo.get(self._keys.key(term, path))
            if kept is not None and isinstance(kept[0], Some | Piece):
                found.setdefault(kept[0].number, term)
        return found

    def alone(self, zone: int, piece: Piece, path: Path) -> None:
        """A piece lies in a zone now in which nothing else can lie."""
        term = self._single.get(zone)
        if term is not None:
            path.memo[self._keys.key(term, path)] = (piece, self._keys.tokens(term))

    def closed(self, key: TermKey, names: Names) -> t.Term | None:
        """The condition over the state alone that a condition with this key is; None if it depends
        on what has no name."""
        numbers = (each.number if isinstance(each, Some | Piece) else None for each in key.slots)
        held = tuple(None if number is None else names.get(number) for number in numbers)
        if (key, held) not in self._closed:
            self._closed[key, held] = self._said(key, held)
        return self._closed[key, held]

    def _said(self, key: TermKey, held: tuple[t.Term | None, ...]) -> t.Term | None:
        form = self._keys.form(key)
        values: dict[int, int | t.Term] = {}
        for slot, value, name in zip(form.slots, key.slots, held, strict=True):
            if isinstance(value, int):
                values[slot] = value
            elif name is not None:
                values[slot] = name
        explicit = zip(form.variables, key.explicit, strict=True)
        known = {variable: value for variable, value in explicit if value is not None}
        found = replaced(form.term, values, known)
        return None if free_slots(found) else normal_form(found)


def _variables(game: m.Game) -> list[t.Term]:
    """The single variables that hold a member or a seat."""
    return [
        t.ReadVariable(each.type, None, each.id, None)
        for each in game.variables
        if each.size == 1 and each.type.base in _NAMED_BASES
    ]


def _single_pieces(game: m.Game) -> dict[int, t.Term]:
    """By zone that never holds more than one piece, the term that is this piece."""
    found: dict[int, t.Term] = {}
    for node in nodes((game.points, possible_actions(game))):
        if isinstance(node, t.Fold) and isinstance(node.domain, t.Pieces):
            zone = _only_zone(node, node.domain)
            if zone is not None and _holds_one(game.zones[zone], node.domain):
                found.setdefault(zone, normal_form(node))
    return found


def _only_zone(term: t.Fold, domain: t.Pieces) -> int | None:
    """The zone of which a term is the greatest piece, None if it is anything else."""
    itself = isinstance(term.body, t.Local) and term.body.slot == term.slot
    if term.op != "max" or term.filter is not None or not itself:
        return None
    vector = domain.vector
    return vector.zone if isinstance(vector, t.ZoneVector) and vector.index is None else None


def _holds_one(zone: m.Zone, domain: t.Pieces) -> bool:
    return zone.limit == 1 and zone.size == 1 and set(domain.faces) >= set(zone.faces)
