"""Actions that a player can do as soon as something lies in a zone.

For a lot from one zone of few faces, every box "these faces are there, those are not" is tried with
picks of at most one piece of each face that is there. A pick whose conditions hold all over a box
is legal wherever the box holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.validator.abstraction.picking import Picking
from gemwright.validator.abstraction.symbols import Path, Value, total
from gemwright.validator.linear.affine import Constraint, at_least, number
from gemwright.validator.rules.term_ranges import Box, holds

MOST_FACES: Final = 6
_MANY: Final = 1 << 20


class Boxes:
    """Finds such actions in one game."""

    def __init__(self, picking: Picking) -> None:
        self.picking = picking
        self.places = picking.places
        self.vocabulary = picking.vocabulary
        self._open: dict[int, frozenset[tuple[int, ...]] | None] = {}

    def sufficient(self, action: m.Action, seat: Value, path: Path) -> list[tuple[Constraint, ...]]:
        """Conditions on the cells that each suffice for a complete pick."""
        if len(action.parameters) != 1:
            return []
        domain = action.parameters[0].domain
        if not isinstance(domain, m.LotDomain) or len(domain.sources) != 1:
            return []
        if action.id not in self._open:
            self._open[action.id] = self._closed_boxes(action, domain)
        closed = self._open[action.id]
        if closed is None:
            return []
        if not closed:
            return [()]
        nothing = (0,) * len(domain.faces)
        if closed != {nothing}:
            return []
        return list(self._something(domain, seat, path))

    def _something(
        self, domain: m.LotDomain, seat: Value, path: Path
    ) -> Iterator[tuple[Constraint, ...]]:
        """That any of the faces lies in the zone."""
        way = path.fork()
        way.frame = {0: seat}
        before = frozenset(path.builder.guard)
        wanted = frozenset(domain.faces)
        for last, spot in self.picking.terms.spots(
            domain.sources[0].zone, domain.sources[0].index, way
        ):
            parts = self.places.contents(spot, last)
            whole = [p for p in parts if wanted.issuperset(self._faces(p.family))]
            row = at_least(total(part.amount for part in whole), number(1))
            if frozenset(last.builder.guard) == before and whole:
                yield (row,)

    def _faces(self, family: int) -> tuple[int, ...]:
        return self.vocabulary.families[family].faces

    def _closed_boxes(
        self, action: m.Action, domain: m.LotDomain
    ) -> frozenset[tuple[int, ...]] | None:
        """The boxes in which no pick was found, None if boxes do not fit the action."""
        faces = tuple(cell.face for cell in domain.cells)
        if len(faces) > MOST_FACES or set(faces) != set(domain.faces):
            return None
        boxes = product((0, 1), repeat=len(faces))
        return frozenset(box for box in boxes if not self._has_pick(action, domain, box))

    def _has_pick(self, action: m.Action, domain: m.LotDomain, there: tuple[int, ...]) -> bool:
        faces = tuple(cell.face for cell in domain.cells)
        counts = {
            face: (1, _MANY) if some else (0, 0) for face, some in zip(faces, there, strict=True)
        }
        others = self.picking.game.zones[domain.sources[0].zone].faces
        counts |= {face: (0, _MANY) for face in others if face not in counts}
        slot = action.parameters[0].slot
        for pick in product(*(range(some + 1) for some in there)):
            source = domain.sources[0]
            box = Box(source.zone, source.index, counts, {slot: pick})
            if all(holds(line.condition, box) for line in action.where):
                return True
        return False
