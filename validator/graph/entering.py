"""What is known when play comes to a control point, because of the conditions on the way to it."""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.graph.phase_graph import Guard, ways
from gemwright.validator.rules.walking import normal_form

_Facts = dict[t.Term, t.Term]
"""Conditions by their normal form."""


def on_entry(game: m.Game, point: int) -> tuple[t.Term, ...]:
    """Conditions that hold whenever play comes to a control point.

    They are those that every way to it has tested and after which nothing was done.
    """
    return tuple(_Entering(game).facts(point, frozenset()).values())


class _Entering:
    def __init__(self, game: m.Game) -> None:
        self._game = game
        self._into: dict[int, list[tuple[int, Guard | None]]] = {game.start: [(-1, None)]}
        for point in game.points:
            for source, (kind, target), way in ways(game, point):
                if kind == "point":
                    quiet = isinstance(point, m.Branch | m.Count) and source[0] == "point"
                    guard = way.guard if quiet else None
                    self._into.setdefault(target, []).append((point.id, guard))

    def facts(self, point: int, above: frozenset[int]) -> _Facts:
        """What holds at a point; those `above` are being asked already."""
        found: _Facts | None = None
        for source, guard in self._into.get(point, ()):
            here: _Facts = {}
            if guard is not None and source not in above:
                here = {**self.facts(source, above | {point}), **_tested(guard)}
            found = here if found is None else {key: found[key] for key in found if key in here}
        return found or {}


def _tested(guard: Guard) -> _Facts:
    conditions = [] if guard.holds is None else list(_parts(guard.holds))
    conditions += [t.Not(t.FLAG, None, each) for each in guard.fails]
    return {normal_form(each): each for each in conditions}


def _parts(term: t.Term) -> Iterator[t.Term]:
    if isinstance(term, t.And):
        for each in term.terms:
            yield from _parts(each)
    else:
        yield term
