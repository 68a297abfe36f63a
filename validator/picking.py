"""What a player picks, on a path: lots, pieces and values as parameters of the edge."""

from __future__ import annotations

from typing import Final

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.validator.abstract_conditions import Conditions
from gemwright.validator.abstract_places import Places
from gemwright.validator.affine import ONE, at_least, at_most
from gemwright.validator.symbols import Lot, Part, Path, Spot, Value

MOST_FACES: Final = 6
"""Members that are picked are told apart, where kinds are, if there are no more."""


class Picking:
    """Picks of one game on paths. The pick itself is no loss of exactness."""

    def __init__(self, terms: Conditions, places: Places) -> None:
        self.terms = terms
        self.places = places
        self.game = terms.game
        self.vocabulary = terms.vocabulary

    def act(self, action: m.Action, seat: Value, path: Path) -> list[Path]:
        """The paths on which a player has picked; the conditions of the action hold."""
        path.frame = {0: seat}
        path.picked = _sources(action)
        going = [path]
        for parameter in action.parameters:
            going = [last for way in going for last in self._pick(parameter, way)]
        for line in action.where:
            going = [last for way in going for last in self.terms.holds(line.condition, way)]
        return going

    def _pick(self, parameter: m.Parameter, path: Path) -> list[Path]:
        match parameter.domain:
            case m.LotDomain():
                return self._lot(parameter, parameter.domain, path)
            case m.PieceDomain():
                return self._piece(parameter, parameter.domain, path)
            case m.ValueDomain():
                return self._value(parameter, parameter.domain, path)

    def spots(
        self, sources: tuple[m.Source, ...], path: Path
    ) -> list[tuple[Path, tuple[Spot, ...]]]:
        """The zone instances that are picked from; without an index any instance of a family."""
        ways: list[tuple[Path, tuple[Spot, ...]]] = [(path, ())]
        for source in sources:
            zone = self.game.zones[source.zone]
            if source.index is None and zone.size > 1:
                places = {self.vocabulary.place_of[zone.first + n] for n in range(zone.size)}
                every = tuple(
                    Spot(place, self.vocabulary.places[place].instances) for place in sorted(places)
                )
                ways = [(way, (*spots, *every)) for way, spots in ways]
                continue
            ways = [
                (last, (*spots, spot))
                for way, spots in ways
                for last, spot in self.terms.spots(source.zone, source.index, way)
            ]
        return ways

    def _lot(self, parameter: m.Parameter, domain: m.LotDomain, path: Path) -> list[Path]:
        found = []
        wanted = frozenset(domain.faces)
        for way, spots in self.spots(domain.sources, path):
            exact, parts = way.exact, list[Part]()
            for spot in spots:
                for part in self.places.contents(spot, way):
                    if self.places.members(part.family, wanted):
                        amount = way.builder.parameter(0, None, parameter.name)
                        way.builder.assume(at_most(amount, part.amount))
                        parts.append(Part(spot, part.family, amount))
            columns = tuple(
                self.places.weighed(parts, column, way)
                for column in range(len(self.vocabulary.precision.columns))
            )
            way.frame[parameter.slot] = Lot(tuple(parts), columns)
            way.exact = exact and not columns
            found.append(way)
        return found

    def _piece(self, parameter: m.Parameter, domain: m.PieceDomain, path: Path) -> list[Path]:
        found = []
        wanted = frozenset(face for _, face in domain.options)
        for way, spots in self.spots(domain.sources, path):
            options = [part for spot in spots for part in self.places.contents(spot, way)]
            piece = self.places.piece(options, wanted, way)
            if piece is not None:
                way.frame[parameter.slot] = piece
                found.append(way)
        return [way for way in found if way.possible()]

    def _value(self, parameter: m.Parameter, domain: m.ValueDomain, path: Path) -> list[Path]:
        inner = domain.domain
        if isinstance(inner, t.Players):
            return self._player(parameter, inner, path)
        if isinstance(inner, t.Faces) and self._is_told_apart(inner.faces):
            return [self._with(path.fork(), parameter, face) for face in inner.faces]
        if isinstance(inner, t.Faces | t.Pieces):
            path.frame[parameter.slot] = self.places.some(inner.faces)
            return [path]
        found = []
        for first, low in self.terms.number(inner.low, path):
            for way, high in self.terms.number(inner.high, first):
                picked = way.builder.parameter(None, None, parameter.name)
                way.builder.assume(at_least(picked, low), at_most(picked, high))
                way.frame[parameter.slot] = picked
                found.append(way)
        return found

    def _is_told_apart(self, faces: tuple[int, ...]) -> bool:
        return self.vocabulary.precision.members and len(faces) <= MOST_FACES

    @staticmethod
    def _with(path: Path, parameter: m.Parameter, value: int) -> Path:
        path.frame[parameter.slot] = value
        return path

    def _player(self, parameter: m.Parameter, domain: t.Players, path: Path) -> list[Path]:
        if self.vocabulary.pooled:
            path.frame[parameter.slot] = self.places.some(range(self.game.players))
            return [path]
        found = []
        for way, elements in self.terms.elements(domain, path):
            for seat, there in elements or ():
                last = way.fork()
                last.builder.assume(at_least(there, ONE))
                last.frame[parameter.slot] = seat
                found.append(last)
        return [way for way in found if way.possible()]


def _sources(action: m.Action) -> tuple[m.Source, ...]:
    return tuple(
        source
        for parameter in action.parameters
        if isinstance(parameter.domain, m.LotDomain | m.PieceDomain)
        for source in parameter.domain.sources
    )
