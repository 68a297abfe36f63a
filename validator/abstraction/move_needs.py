"""What moving sentences need: pieces that lie where they are taken from, numbers that make
sense."""

from __future__ import annotations

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span
from gemwright.validator.abstraction.conditions import Conditions
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Part, Path, Spot
from gemwright.validator.linear.affine import ONE, ZERO, Affine, at_least, number


class MoveNeeds:
    """Writes down as obligations what sentences of one game need.

    Pieces are counted by families, and a sentence may need some member of one: that is shown only
    where a family has one member, or no others can have taken its place.
    """

    def __init__(self, terms: Conditions, places: Places) -> None:
        self.terms = terms
        self.places = places
        self.game = terms.game
        self.vocabulary = terms.vocabulary

    def enough(self, there: Affine, count: Affine, spot: Spot, path: Path, span: Span) -> None:
        """So many pieces are there."""
        path.builder.require(at_least(there, count), "R002", self._holding(spot), span)

    def not_negative(self, count: Affine, path: Path, span: Span) -> None:
        """The number of pieces is a number of pieces."""
        path.builder.require(at_least(count, ZERO), "R001", "the number is not negative", span)

    def still_there(self, part: Part, spot: Spot, path: Path, span: Span) -> None:
        """A picked piece lies there still, though others have gone."""
        if self.vocabulary.places[spot.place].zone in path.thinned:
            self._each_member(part, spot, path, span)

    def members(self, part: Part, move: m.MoveVector, source: Spot, path: Path) -> None:
        """Enough of each member of a family: of a constant vector it is known how many pieces of
        the family may lie elsewhere."""
        family = self.vocabulary.families[part.family]
        value = move.vector.value if isinstance(move.vector, t.Const) else None
        if not isinstance(value, tuple) or self.vocabulary.is_pooled(source.place):
            self._each_member(part, source, path, move.span)
            return
        wanted = {f: n for f, n in zip(move.vector.type.faces, value, strict=True) if n}
        spare = [self.game.faces[f].count - wanted[f] for f in family.faces if f in wanted]
        if spare and len(family.faces) > 1:
            there = self.places.amount(source, part.family, path)
            claim = at_least(there + min(spare), number(family.count))
            path.builder.ask(claim, "R002", self._holding(source), move.span)

    def a_place(self, target: m.Place, path: Path, span: Span) -> list[Path]:
        """There is a place among the bottom so many of a stack."""
        if target.at != "random" or target.among is None:
            return [path]
        found = []
        for way, among in self.terms.number(target.among, path):
            way.builder.require(at_least(among, ONE), "R001", "there is such a place", span)
            found.append(way)
        return found

    def _each_member(self, part: Part, spot: Spot, path: Path, span: Span) -> None:
        if len(self.vocabulary.families[part.family].faces) > 1 and part.amount != ZERO:
            path.builder.ask(at_least(ZERO, ONE), "R002", self._holding(spot), span)

    def _holding(self, spot: Spot) -> str:
        return f"{self.places.name(spot)} holds what is taken from it"
