"""When a player surely has something to choose, and when perhaps not.

For each action conditions on the cells are found that suffice for a complete pick. Where the rules
look for something else, when nothing can be chosen, at least one row of each of them fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.boxes import Boxes
from gemwright.validator.abstraction.picking import Picking
from gemwright.validator.abstraction.symbols import Path, Value, total
from gemwright.validator.linear.affine import ONE, Constraint, at_least
from gemwright.validator.linear.elimination import eliminated
from gemwright.validator.linear.feasible import possible
from gemwright.validator.rules.walking import exchanged

Alternatives = tuple[tuple[Constraint, ...], ...]
"""Conjunctions, any of which suffices; () if none is known, a conjunction of nothing: always."""

MOST_CASES: Final = 12


class Completion:
    """Completability of the actions of one game."""

    def __init__(self, picking: Picking) -> None:
        self.picking = picking
        self.game = picking.game
        self.terms = picking.terms
        self._boxes = Boxes(picking)

    def stuck(self, actions: Sequence[int], seat: Value, path: Path) -> list[Path]:
        """Paths that together have every state in which no action has a complete pick."""
        going = [path]
        for number in actions:
            for conjunction in self.sufficient(number, seat, path):
                going = self._failing(conjunction, going)
        return going

    def _failing(self, conjunction: tuple[Constraint, ...], ways: list[Path]) -> list[Path]:
        cases = [negation for row in conjunction for negation in row.negation]
        if len(ways) * len(cases) > MOST_CASES:
            # All of them stay: there may be more states than really are stuck.
            return ways
        found = []
        for way in ways:
            for case in cases:
                last = way.fork()
                last.builder.assume(case)
                if last.possible():
                    found.append(last)
        return found

    def sufficient(self, number: int, seat: Value, path: Path) -> Alternatives:
        """Conditions under which a player surely has a pick for an action, wherever the path is.

        The path must be at the decision, nothing changed on it yet. The conditions are on the cells
        and on what was unknown on the path before.
        """
        action = self.game.actions[number]
        found = list(self._exact(action, seat, path))
        if () not in found:
            found += self._any_piece(action, seat, path)
        if () not in found:
            found += self._by_condition(action, seat, path)
        if () not in found:
            found += self._boxes.sufficient(action, seat, path)
        return ((),) if () in found else tuple(dict.fromkeys(found))

    def _exact(self, action: m.Action, seat: Value, path: Path) -> list[tuple[Constraint, ...]]:
        """What is left of the conditions when the pick is eliminated from them."""
        fresh = path.fork()
        fresh.exact = True
        before = frozenset(fresh.builder.guard)
        found = []
        for way in self.picking.act(action, seat, fresh):
            if not way.exact:
                continue
            rows = [row for row in way.builder.guard if row not in before]
            rows += way.builder.parameter_ranges()
            unknowns = [-1 - n for n in range(path.builder.parameters, way.builder.parameters)]
            left = eliminated(rows, unknowns)
            if left is not None:
                found.append(self._tidy(left, path))
        return found

    def _tidy(self, rows: Sequence[Constraint], path: Path) -> tuple[Constraint, ...]:
        """Without rows that ranges alone make true."""
        range_of = path.builder.range_of
        return tuple(
            row for row in rows if any(possible([negation], range_of) for negation in row.negation)
        )

    def _any_piece(self, action: m.Action, seat: Value, path: Path) -> list[tuple[Constraint, ...]]:
        """The only pick is a piece, and any will do."""
        domains = [parameter.domain for parameter in action.parameters]
        if len(domains) != 1 or not isinstance(domains[0], m.PieceDomain) or action.where:
            return []
        way = path.fork()
        way.frame = {0: seat}
        way.exact = True
        wanted = frozenset(face for _, face in domains[0].options)
        found = []
        for last, spots in self.picking.spots(domains[0].sources, way):
            parts = [part for spot in spots for part in self.picking.places.contents(spot, last)]
            held = [part for part in parts if self._is_inside(part.family, wanted)]
            rows = last.builder.guard[len(path.builder.guard) :]
            if last.exact:
                found.append((*rows, at_least(total(part.amount for part in held), ONE)))
        return found

    def _is_inside(self, family: int, faces: frozenset[int]) -> bool:
        return faces.issuperset(self.terms.vocabulary.families[family].faces)

    def _by_condition(
        self, action: m.Action, seat: Value, path: Path
    ) -> list[tuple[Constraint, ...]]:
        """The only pick is a piece or a lot, and the rules ask elsewhere whether one like it, or
        one that passes even more tests, is there."""
        asked = self._asked(action)
        if asked is None:
            return []
        way = path.fork()
        way.frame = {0: seat}
        return self.terms.known_conditions.sufficient(asked, way)

    def _asked(self, action: m.Action) -> t.Term | None:
        """`some PIECE in ZONE has CONDITION`, or the same of a lot, as rules would write it."""
        if len(action.parameters) != 1 or not action.where:
            return None
        parameter = action.parameters[0]
        domain = parameter.domain
        if isinstance(domain, m.ValueDomain) or len(domain.sources) != 1:
            return None
        source = domain.sources[0]
        if isinstance(domain, m.LotDomain):
            return self._some_lot(action, parameter.slot, domain, source)
        return _some_piece(action, parameter.slot, domain, source)

    def _some_lot(
        self, action: m.Action, slot: int, domain: m.LotDomain, source: m.Source
    ) -> t.Term | None:
        """None if the lot is one of some pieces of the zone only."""
        faces = self.game.zones[source.zone].faces
        if set(domain.faces) != set(faces):
            return None
        type = t.Type(t.Base.VECTOR, 0, 0, faces)
        lot = t.Local(type, None, slot, "")
        within = t.ZoneVector(type, None, source.zone, source.index)
        return t.SomeLot(t.FLAG, None, slot, within, _tests(action, slot, t.LotVector, lot))


def _some_piece(action: m.Action, slot: int, domain: m.PieceDomain, source: m.Source) -> t.Term:
    faces = tuple(dict.fromkeys(face for _, face in domain.options))
    vector = t.ZoneVector(t.Type(t.Base.VECTOR, 0, 0, faces), None, source.zone, source.index)
    element = t.Local(t.Type(t.Base.FACE, faces=faces), None, slot, "")
    body = _tests(action, slot, t.PieceFace, element)
    return t.Fold(t.FLAG, None, "some", slot, t.Pieces(vector, faces), None, body)


def _tests(action: m.Action, slot: int, kind: type[t.Term], instead: t.Local) -> t.Term:
    """The conditions of an action, its pick read as another thing."""

    def is_pick(part: Any) -> bool:
        return isinstance(part, kind) and _picked(part) == slot

    lines = [exchanged(line.condition, is_pick, instead) for line in action.where]
    return lines[0] if len(lines) == 1 else t.And(t.FLAG, None, tuple(lines))


def _picked(part: t.Term) -> int | None:
    match part:
        case t.PieceFace():
            return part.piece.slot
        case t.LotVector():
            return part.lot.slot
    return None
