"""When a player surely has something to choose, and when perhaps not.

For each action conditions on the cells are found that suffice for a complete pick. Where the rules
look for something else, when nothing can be chosen, at least one row of each of them fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.validator.affine import ONE, Constraint, at_least
from gemwright.validator.boxes import Boxes
from gemwright.validator.elimination import eliminated
from gemwright.validator.feasible import possible
from gemwright.validator.picking import Picking
from gemwright.validator.symbols import Path, Value, total
from gemwright.validator.walking import exchanged

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
        """The only pick is a piece, and the rules ask elsewhere whether such a piece is there."""
        if len(action.parameters) != 1 or not isinstance(seat, int):
            return []
        parameter = action.parameters[0]
        domain = parameter.domain
        if not isinstance(domain, m.PieceDomain) or len(domain.sources) != 1:
            return []
        found = []
        for term in self._asked(action, parameter, domain):
            way = path.fork()
            way.frame = {0: seat}
            closed = self.terms.closed(term, way)
            cell = None if closed is None else self.terms.vocabulary.condition(closed)
            if closed is not None:
                self.terms.met[closed] = self.terms.met.get(closed, 0) + 1
            if cell is not None:
                way.builder.condition(cell, True)
                before = frozenset(path.builder.guard)
                found.append(tuple(row for row in way.builder.guard if row not in before))
        return found

    @staticmethod
    def _asked(action: m.Action, parameter: m.Parameter, domain: m.PieceDomain) -> list[t.Term]:
        """`some PIECE in ZONE has CONDITION`, as rules would write it."""
        source = domain.sources[0]
        faces = tuple(dict.fromkeys(face for _, face in domain.options))
        vector = t.ZoneVector(t.Type(t.Base.VECTOR, 0, 0, faces), None, source.zone, source.index)
        slot = parameter.slot
        element = t.Local(t.Type(t.Base.FACE, faces=faces), None, slot, "")
        lines = [_of_face(line.condition, slot, element) for line in action.where]
        if not lines:
            return []
        body = lines[0] if len(lines) == 1 else t.And(t.FLAG, None, tuple(lines))
        return [t.Fold(t.FLAG, None, "some", slot, t.Pieces(vector, faces), None, body)]


def _of_face(term: t.Term, slot: int, element: t.Local) -> t.Term:
    """A condition on a picked piece as one on a member."""
    return exchanged(
        term,
        lambda part: isinstance(part, t.PieceFace) and part.piece.slot == slot,
        element,
    )
