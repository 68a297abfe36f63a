"""Numbers on a path that are computed: tables, arithmetic, aggregates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.symbols import (
    Part,
    Path,
    Piece,
    Some,
    Value,
    Vector,
    tidy,
    total,
)
from gemwright.validator.abstraction.terms import MOST_FORKS, Numbers, Read, Reader, Terms
from gemwright.validator.linear.affine import ONE, ZERO, Affine, at_least, at_most
from gemwright.validator.rules.face_functions import function_of

MOST_UNROLLED: Final = 12
"""Domains with more elements are not gone through one by one."""

Element = tuple[Value, Affine]
"""An element of a domain, and 1 if it is there for certain, else how much it is there."""


class Arithmetic(Terms):
    """Reads computed numbers, beside what `Terms` reads."""

    def _readers(self) -> Mapping[type[t.Term], Reader]:
        return {
            **super()._readers(),
            t.Lookup: self._lookup,
            t.Table: self._table,
            t.Arithmetic: self._arithmetic,
            t.Extreme: self._extreme,
            t.If: self._if,
            t.Openly: self._openly,
            t.Fold: self._fold,
            t.Compare: self._flag,
            t.VectorCompare: self._flag,
            t.And: self._flag,
            t.Or: self._flag,
            t.Not: self._flag,
            t.IsOut: self._flag,
            t.PieceFrom: self._flag,
            t.SomeLot: self._flag,
        }

    # -- tables

    def _lookup(self, term: t.Lookup, path: Path) -> Read:
        found: Read = []
        for way, argument in self.read(term.argument, path):
            if isinstance(argument, int):
                place = argument - term.base
                if 0 <= place < len(term.values):
                    found.append((way, self._constant(term, term.values[place])))
            elif isinstance(argument, Piece):
                found.append((way, self._of_piece(term, argument, way)))
            else:
                found.append((way, self._of_some(term, argument, way)))
        return found

    def _constant(self, term: t.Term, value: int | tuple[int, ...]) -> Value:
        return value if isinstance(value, int) else self._vector_of(term.type.faces, value)

    def _of_some(self, term: t.Lookup, argument: Value, path: Path) -> Value:
        places = range(len(term.values))
        if isinstance(argument, Some):
            inside = (value - term.base for value in argument.values)
            places_of = [place for place in inside if place in places]
        else:
            places_of = list(places)
        values = [term.values[place] for place in places_of]
        numbers = sorted({value for value in values if isinstance(value, int)})
        if not numbers:
            return self._free_vector(term.type, path)
        if term.type.base in (t.Base.INT, t.Base.FLAG):
            return tidy(self.places.fresh(path, numbers[0], numbers[-1], term.name))
        return self.places.some(numbers)

    def _of_piece(self, term: t.Lookup, piece: Piece, path: Path) -> Value:
        values = {face: term.values[face - term.base] for face in self._inside(term, piece)}
        if not values:
            return self._of_some(term, ZERO, path)
        if term.type.base is t.Base.VECTOR:
            return self._vector_of_piece(term, piece, path)
        scalars = {face: value for face, value in values.items() if isinstance(value, int)}
        if term.type.base in (t.Base.INT, t.Base.FLAG):
            return tidy(self._weight(scalars, piece, path, term.name))
        return self.places.some(sorted(set(scalars.values())))

    def _inside(self, term: t.Lookup, piece: Piece) -> list[int]:
        return [face for face in piece.faces if 0 <= face - term.base < len(term.values)]

    def _vector_of_piece(self, term: t.Lookup, piece: Piece, path: Path) -> Vector:
        """A column with a cell per member, added up by families."""
        parts = []
        for family in sorted({self.vocabulary.family_of.get(f, -1) for f in term.type.faces}):
            at = [n for n, f in enumerate(term.type.faces) if self._in(f, family)]
            weights: dict[int, int] = {}
            for face in self._inside(term, piece):
                cells = term.values[face - term.base]
                if isinstance(cells, tuple):
                    weights[face] = sum(cells[n] for n in at)
            if family >= 0 and weights:
                parts.append(Part(None, family, self._weight(weights, piece, path, term.name)))
        return Vector(tuple(parts), exact=False)

    def _in(self, face: int, family: int) -> bool:
        return self.vocabulary.family_of.get(face, -1) == family

    def _weight(self, weights: dict[int, int], piece: Piece, path: Path, name: str) -> Affine:
        """A number that each face of a piece has: exact if it is a column that is added up."""
        for column, kept in enumerate(self.vocabulary.precision.columns):
            if all(kept.weights[face] == weight for face, weight in weights.items()):
                return piece.columns[column]
        return self._bounded(piece.parts, weights, path, name)

    def _bounded(
        self, parts: tuple[Part, ...], weights: dict[int, int], path: Path, name: str
    ) -> Affine:
        """The sum over pieces of a number of their faces, of which only families are known."""
        low, high = ZERO, ZERO
        for part in parts:
            faces = self.vocabulary.families[part.family].faces
            inside = [weights[face] for face in faces if face in weights] or [0]
            low, high = low + part.amount * min(inside), high + part.amount * max(inside)
        if low == high:
            return low
        found = self.places.fresh(path, None, None, name)
        path.builder.assume(at_least(found, low), at_most(found, high))
        return found

    def _table(self, term: t.Table, path: Path) -> Read:
        found: Read = []
        for way, places in self._arguments(term, path):
            if places is None:
                values = (*term.values, term.default)
                value: Value = tidy(self.places.fresh(way, min(values), max(values), term.name))
            else:
                value = _entry(term, places)
            found.append((way, value))
        return found

    def _arguments(self, term: t.Table, path: Path) -> list[tuple[Path, list[int] | None]]:
        ways: list[tuple[Path, list[int] | None]] = [(path, [])]
        for argument, base in zip(term.arguments, term.bases, strict=True):
            following: list[tuple[Path, list[int] | None]] = []
            for way, places in ways:
                for last, value in self.read(argument, way):
                    if places is not None and isinstance(value, int):
                        following.append((last, [*places, value - base]))
                    else:
                        following.append((last, None))
            ways = following
        return ways

    # -- arithmetic

    def _arithmetic(self, term: t.Arithmetic, path: Path) -> Read:
        found: Read = []
        for first, left in self.number(term.left, path):
            for way, right in self.number(term.right, first):
                found.append((way, tidy(self._computed(term, left, right, way))))
        return found

    def _computed(self, term: t.Arithmetic, left: Affine, right: Affine, path: Path) -> Affine:
        if term.op == "+":
            return left + right
        if term.op == "-":
            return left - right
        if left.is_number:
            return right * left.constant
        if right.is_number:
            return left * right.constant
        return self._in_type(term, path)

    def _extreme(self, term: t.Extreme, path: Path) -> Read:
        ways: list[tuple[Path, list[Affine]]] = [(path, [])]
        for argument in term.arguments:
            ways = [
                (last, [*values, value])
                for way, values in ways
                for last, value in self.number(argument, way)
            ]
        return [each for way, values in ways for each in self._chosen(term, values, way)]

    def _chosen(self, term: t.Extreme, values: list[Affine], path: Path) -> Read:
        """One path for each argument that may be the least, or the greatest."""
        found: Read = []
        for position, value in enumerate(values):
            way = path.fork() if position < len(values) - 1 else path
            for other_position, other in enumerate(values):
                if other_position == position:
                    continue
                # The first of equal ones is taken, so that the paths exclude each other.
                gap = 1 if other_position < position else 0
                if term.op == "min":
                    way.builder.assume(at_most(value + gap, other))
                else:
                    way.builder.assume(at_least(value - gap, other))
            if way.possible():
                found.append((way, tidy(value)))
        return found

    def _if(self, term: t.If, path: Path) -> Read:
        yes, no = self.branch(term.condition, path)
        found = [each for way in yes for each in self.read(term.then, way)]
        return found + [each for way in no for each in self.read(term.otherwise, way)]

    def _openly(self, term: t.Openly, path: Path) -> Read:
        return self.read(term.term, path)

    def _flag(self, term: t.Term, path: Path) -> Read:
        """A condition as a value: one that cannot be spelt out is no reason to fork."""
        probe = path.fork()
        probe.exact = True
        yes, no = self.branch(term, probe)
        if all(way.exact for way in (*yes, *no)):
            for way in (*yes, *no):
                way.exact = path.exact
            found: Read = [(way, 1) for way in yes]
            return [*found, *((way, 0) for way in no)]
        return [(path, tidy(self.places.fresh(path, 0, 1)))]

    # -- aggregates

    def _fold(self, term: t.Fold, path: Path) -> Read:
        if term.op in ("some", "every"):
            return self._flag(term, path)
        if isinstance(term.domain, t.Pieces):
            return self._over_pieces(term, term.domain, path)
        if term.op in ("max", "min"):
            return self._unknown(term, path)
        found: Read = []
        for way, elements in self.elements(term.domain, path):
            if elements is None:
                found.extend(self._unknown(term, way))
            else:
                found.extend(self._added(term, elements, way))
        return found

    def elements(
        self, domain: t.Domain, path: Path, *, ordered: bool = False
    ) -> list[tuple[Path, list[Element] | None]]:
        """The elements of a domain, None if they cannot be gone through one by one; `ordered`: as
        the engine comes to them."""
        if isinstance(domain, t.Faces):
            few = len(domain.faces) <= MOST_UNROLLED
            return [(path, [(face, ONE) for face in domain.faces] if few else None)]
        if isinstance(domain, t.Numbers):
            return self._range(domain, path)
        if isinstance(domain, t.Players):
            return self._in_order(domain, path) if ordered else self._seats(domain, path)
        return [(path, None)]

    def _range(self, domain: t.Numbers, path: Path) -> list[tuple[Path, list[Element] | None]]:
        found: list[tuple[Path, list[Element] | None]] = []
        for first, low in self.number(domain.low, path):
            for way, high in self.number(domain.high, first):
                few = low.is_number and high.is_number
                if few and high.constant - low.constant < MOST_UNROLLED:
                    numbers = range(low.constant, high.constant + 1)
                    found.append((way, [(each, ONE) for each in numbers]))
                else:
                    found.append((way, None))
        return found

    def _seats(self, domain: t.Players, path: Path) -> list[tuple[Path, list[Element] | None]]:
        n = self.game.players
        if self.vocabulary.pooled:
            size = n if domain.other is None else n - 1
            seats: list[Value] = [self.places.some(tuple(range(n))) for _ in range(size)]
            return [(path, [(seat, self._inside_game(seat, path)) for seat in seats])]
        found: list[tuple[Path, list[Element] | None]] = []
        ways = [(path, -1)] if domain.other is None else self.known(domain.other, path)
        for way, other in ways:
            kept = [seat for seat in range(n) if seat != other]
            found.append((way, [(seat, self._inside_game(seat, way)) for seat in kept]))
        return found

    def _in_order(self, domain: t.Players, path: Path) -> list[tuple[Path, list[Element] | None]]:
        """Players from the one with whom the domain begins; where they are pooled each may be
        anybody."""
        if domain.start is None or self.vocabulary.pooled:
            return self._seats(domain, path)
        found: list[tuple[Path, list[Element] | None]] = []
        for first, start in self.known(domain.start, path):
            for way, seats in self._seats(domain, first):
                assert seats is not None, "players are gone through one by one"
                turned = [each for each in seats if _seat(each) >= start]
                found.append((way, [*turned, *(each for each in seats if _seat(each) < start)]))
        return found

    def _inside_game(self, seat: Value, path: Path) -> Affine:
        assert isinstance(seat, int | Some)
        return ONE - self.is_out(seat, path)

    def _added(self, term: t.Fold, elements: list[Element], path: Path) -> Read:
        spare = path.fork()
        ways: Numbers = [(path, ZERO)]
        for element, there in elements:
            following: Numbers = []
            for way, so_far in ways:
                way.frame[term.slot] = element
                for last, value in self._contribution(term, there, way):
                    following.append((last, so_far + value))
            ways = following
            if len(ways) > MOST_FORKS:
                return self._unknown(term, spare)
        return [(way, tidy(value)) for way, value in ways]

    def _contribution(self, term: t.Fold, there: Affine, path: Path) -> Numbers:
        kept = [(path, ONE)] if term.filter is None else self._indicator(term.filter, path)
        found: Numbers = []
        for way, holds in kept:
            values = [(way, ONE)] if term.body is None else self.number(term.body, way)
            for last, value in values:
                found.append((last, self._product(self._product(there, holds, last), value, last)))
        return found

    def _product(self, left: Affine, right: Affine, path: Path) -> Affine:
        """A 0 or 1 times a number."""
        if left.is_number:
            return right * left.constant
        if right.is_number:
            return left * right.constant
        return self.places.fresh(path, None, None)

    def _indicator(self, term: t.Term, path: Path) -> Numbers:
        """A condition as 0 or 1; one that is no flag of the state may be either."""
        if isinstance(term, t.Const | t.Local) or (
            isinstance(term, t.ReadVariable) and term.type.base is t.Base.FLAG
        ):
            return self.number(term, path)
        if isinstance(term, t.Not):
            return [(way, ONE - value) for way, value in self._indicator(term.term, path)]
        yes, no = self.branch(term, path.fork())
        if not yes or not no:
            return [(way, ONE) for way in yes] + [(way, ZERO) for way in no]
        return [(path, self.places.fresh(path, 0, 1))]

    # -- aggregates over pieces

    def _over_pieces(self, term: t.Fold, domain: t.Pieces, path: Path) -> Read:
        if term.op not in ("sum", "count") or domain.vector.type.low < 0:
            return self._best(term, path)
        found: Read = []
        for way, vector in self.vector(domain.vector, path):
            wanted = t.Type(t.Base.VECTOR, faces=domain.faces)
            inside = self._narrowed(vector, wanted, way)
            found.append((way, tidy(self._weighed(term, inside, way))))
        return found

    def _best(self, term: t.Fold, path: Path) -> Read:
        if term.type.base in (t.Base.INT, t.Base.FLAG):
            return self._unknown(term, path)
        return [(path, self.places.some((*term.type.faces, term.empty)))]

    def _weighed(self, term: t.Fold, vector: Vector, path: Path) -> Affine:
        weights: dict[int, int] = {}
        for part in vector.parts:
            for face in self.vocabulary.families[part.family].faces:
                value = self._face_weight(term, face)
                if value is None:
                    return self._loosely(term, vector, path)
                weights[face] = value
        kept = self._kept_sum(vector, weights)
        return self._bounded(vector.parts, weights, path, "") if kept is None else kept

    def _face_weight(self, term: t.Fold, face: int) -> int | None:
        found = 1
        for inner in (term.filter, term.body):
            values = (1,) if inner is None else function_of(inner, term.slot, (face,))
            if values is None:
                return None
            found = found * values[0] if inner is not term.filter else int(bool(values[0]))
        return found

    def _kept_sum(self, vector: Vector, weights: dict[int, int]) -> Affine | None:
        """The sum over the vector, if it is a column that is added up."""
        columns = self.vocabulary.precision.columns
        for kept, known in zip(columns, vector.columns, strict=False):
            if all(kept.weights[face] == weight for face, weight in weights.items()):
                return known
        return None

    def _loosely(self, term: t.Fold, vector: Vector, path: Path) -> Affine:
        """A sum or count of which only the number of pieces is known."""
        whole = total(part.amount for part in vector.parts)
        low, high = (0, 1) if term.body is None else (term.body.type.low, term.body.type.high)
        found = self.places.fresh(path, None, None)
        path.builder.assume(at_least(found, whole * min(low, 0)))
        path.builder.assume(at_most(found, whole * max(high, 0)))
        return found


def _seat(element: Element) -> int:
    seat = element[0]
    assert isinstance(seat, int), "seats are known where players are apart"
    return seat


def _entry(term: t.Table, places: list[int]) -> int:
    at = 0
    for place, size in zip(places, term.sizes, strict=True):
        if not 0 <= place < size:
            return term.default
        at = at * size + place
    return term.values[at]
