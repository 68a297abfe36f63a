"""What a player picks, on a path: lots, pieces and values as parameters of the edge."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.conditions import Conditions
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Lot, Part, Path, Piece, Spot, Value, total
from gemwright.validator.linear.affine import ONE, at_least, at_most
from gemwright.validator.linear.affine import number as constant
from gemwright.validator.rules.sealing import others_changed
from gemwright.validator.rules.walking import Token

MOST_FACES: Final = 6
"""Members that are picked are told apart, where kinds are, if there are no more."""


class Picking:
    """Picks of one game on paths. The pick itself is no loss of exactness."""

    def __init__(self, terms: Conditions, places: Places) -> None:
        self.terms = terms
        self.places = places
        self.game = terms.game
        self.vocabulary = terms.vocabulary
        self._changed = frozenset[Token]()

    def act(
        self,
        action: m.Action,
        seat: Value,
        path: Path,
        changed: frozenset[Token] = frozenset(),
    ) -> list[Path]:
        """The paths on which a player has picked; the conditions of the action hold.

        Args:
            changed: what others may have changed since he did.
        """
        self._changed = changed
        path.frame = {0: seat}
        path.picked, path.thinned = _sources(action), frozenset()
        going = [path]
        for parameter in action.parameters:
            going = [last for way in going for last in self._pick(parameter, way)]
            if any(isinstance(way.frame[parameter.slot], Lot | Piece) for way in going):
                self._share_out(action.parameters, parameter, going)
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

    def _share_out(
        self, parameters: tuple[m.Parameter, ...], last: m.Parameter, ways: list[Path]
    ) -> None:
        """Picks take different pieces: the last one has what earlier ones left."""
        for way in ways:
            own = way.frame[last.slot]
            assert isinstance(own, Lot | Piece), "one kind of pick is the same on all ways"
            others = [way.frame[each.slot] for each in parameters if each.slot in way.frame]
            parts = [
                part
                for other in others
                if isinstance(other, Lot | Piece) and other is not own
                for part in other.parts
            ]
            for part in own.parts:
                self._leave_room(part, parts, way)

    def _leave_room(self, own: Part, others: list[Part], path: Path) -> None:
        spot = own.spot
        assert spot is not None, "what is picked lies somewhere"
        near = [part for part in others if part.family == own.family and _may_meet(part, spot)]
        same = [part for part in near if part.spot == spot and spot.is_one]
        if same:
            taken = total(part.amount for part in (own, *same))
            path.builder.assume(at_most(taken, self.places.amount(spot, own.family, path)))
        if len(same) < len(near):
            path.exact = False

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

    def _there(self, spot: Spot, sources: tuple[m.Source, ...], path: Path) -> tuple[Part, ...]:
        """What may be picked at a spot: all there is of a family, if others have changed it."""
        zone = self.vocabulary.places[spot.place].zone
        parts = self.places.contents(spot, path)
        if not any(each.zone == zone and others_changed(each, self._changed) for each in sources):
            return parts
        families = self.vocabulary.families
        return tuple(
            Part(spot, part.family, constant(families[part.family].count)) for part in parts
        )

    def _lot(self, parameter: m.Parameter, domain: m.LotDomain, path: Path) -> list[Path]:
        found = []
        wanted = frozenset(domain.faces)
        for way, spots in self.spots(domain.sources, path):
            there = [part for spot in spots for part in self._there(spot, domain.sources, way)]
            # What a player has may not be known; how much of it he takes is his choice.
            exact, parts = way.exact, list[Part]()
            for part in there:
                if self.places.members(part.family, wanted):
                    amount = way.builder.parameter(0, None, parameter.name)
                    way.builder.assume(at_most(amount, part.amount))
                    parts.append(Part(part.spot, part.family, amount))
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
            options = [part for spot in spots for part in self._there(spot, domain.sources, way)]
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
            # Who is out cannot be picked, and it is not known who is.
            path.exact = path.exact and not self.vocabulary.outs
            return [path]
        found = []
        for way, elements in self.terms.elements(domain, path):
            for seat, there in elements or ():
                last = way.fork()
                last.builder.assume(at_least(there, ONE))
                last.frame[parameter.slot] = seat
                found.append(last)
        return [way for way in found if way.possible()]


def _may_meet(part: Part, spot: Spot) -> bool:
    assert part.spot is not None, "what is picked lies somewhere"
    return not frozenset(part.spot.instances).isdisjoint(spot.instances)


def _sources(action: m.Action) -> tuple[m.Source, ...]:
    return tuple(
        source
        for parameter in action.parameters
        if isinstance(parameter.domain, m.LotDomain | m.PieceDomain)
        for source in parameter.domain.sources
    )
