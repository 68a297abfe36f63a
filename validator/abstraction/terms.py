"""Terms on a path: what is known of their values.

A term may be read along several paths, when what it is depends on what is not known: then `read`
gives each path with its value. A number that cannot be followed becomes a parameter within the
range of the term's type, so every value that it can have is among those that are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import (
    Lot,
    Part,
    Path,
    Piece,
    Some,
    Spot,
    Value,
    Vector,
    as_affine,
    tidy,
    total,
)
from gemwright.validator.abstraction.term_keys import Keys
from gemwright.validator.abstraction.vocabulary import Vocabulary
from gemwright.validator.linear.affine import ZERO, Affine, at_least, at_most, equal, number

Read = list[tuple[Path, Value]]
Numbers = list[tuple[Path, Affine]]

MOST_FORKS: Final = 24
"""Of more ways than these to a value only its range is kept."""

Branches = tuple[list[Path], list[Path]]
Reader = Callable[[Any, Path], Read]


class Terms:
    """Reads terms of one game at one precision. `branch` is set by whoever reads conditions."""

    def __init__(self, vocabulary: Vocabulary, places: Places) -> None:
        self.vocabulary = vocabulary
        self.game: m.Game = vocabulary.game
        self.places = places
        self.keys = Keys()
        self.readers = self._readers()
        self._cells: dict[tuple[int, int], tuple[t.Lookup, t.Lookup]] = {}
        sizes = [zone.size for zone in self.game.zones]
        sizes += [variable.size for variable in self.game.variables]
        self._longest = max(self.game.players, *sizes)
        """No index is as large: the engine stops at those that are."""

    def branch(self, term: t.Term, path: Path) -> Branches:
        """The paths on which a condition holds, and those on which it does not."""
        raise NotImplementedError

    def _readers(self) -> Mapping[type[t.Term], Reader]:
        return {
            t.ReadVariable: self._variable,
            t.ZoneSize: self._zone_size,
            t.ZoneVector: self._zone_vector,
            t.ZoneCount: self._zone_count,
            t.ZoneTop: self._zone_top,
            t.PieceFace: self._piece_face,
            t.LotVector: self._lot_vector,
            t.Widen: self._widen,
            t.VectorOp: self._vector_op,
            t.VectorSum: self._vector_sum,
            t.VectorIndex: self._vector_index,
        }

    # -- any value

    def read(self, term: t.Term, path: Path) -> Read:
        """The values of a term, each with its path; where the engine stops there is none."""
        if isinstance(term, t.Const):
            return [(path, self._const(term))]
        if isinstance(term, t.Local):
            return [(path, path.frame[term.slot])]
        key = self.keys.key(term, path)
        kept = path.memo.get(key)
        if kept is not None:
            return [(path, kept[0])]
        found = self.readers.get(type(term), self._unknown)(term, path)
        tokens = self.keys.tokens(term)
        for way, value in found:
            way.memo[key] = (value, tokens)
        return found

    def number(self, term: t.Term, path: Path) -> Numbers:
        """The values of a number or flag."""
        found: Numbers = []
        for way, value in self.read(term, path):
            if isinstance(value, int | Affine):
                found.append((way, as_affine(value)))
            elif isinstance(value, Some):
                low, high = min(value.values), max(value.values)
                found.append((way, self.places.fresh(way, low, high)))
            else:
                found.append((way, self._in_type(term, way)))
        return found

    def known(self, term: t.Term | None, path: Path) -> list[tuple[Path, int]]:
        """The values of a member, seat or position, one path for each that it may be."""
        if term is None:
            return [(path, 0)]
        found: list[tuple[Path, int]] = []
        for way, value in self.read(term, path):
            if isinstance(value, int):
                found.append((way, value))
            elif isinstance(value, Some):
                found.extend(self._each(term, value.values, way))
            elif isinstance(value, Piece):
                found.extend((way.fork(), face) for face in value.faces)
            elif isinstance(value, Affine):
                found.extend(self._each_number(value, term, way))
        return found

    def _each(self, term: t.Term, values: Sequence[int], path: Path) -> list[tuple[Path, int]]:
        if isinstance(term, t.Lookup) and not isinstance(term.argument, t.Const):
            inner = self.known(term.argument, path)
            ways = [(way, term.values[value - term.base]) for way, value in inner]
            return [(way, value) for way, value in ways if isinstance(value, int)]
        found = []
        for value in values:
            way = path.fork()
            self.bind(term, value, way)
            found.append((way, value))
        return found

    def _each_number(self, value: Affine, term: t.Term, path: Path) -> list[tuple[Path, int]]:
        found = []
        for choice in range(max(term.type.low, 0), min(term.type.high + 1, self._longest)):
            way = path.fork()
            way.builder.assume(equal(value, number(choice)))
            found.append((way, choice))
        return found

    def bind(self, term: t.Term, value: int, path: Path) -> None:
        """From here on what names a member or seat is known to be this one."""
        if isinstance(term, t.Local):
            path.frame[term.slot] = value
        elif isinstance(term, t.ReadVariable) and term.index is None:
            path.explicit[term.variable] = value

    def _const(self, term: t.Const) -> Value:
        if isinstance(term.value, int):
            return term.value
        return self._vector_of(term.type.faces, term.value)

    def _vector_of(self, faces: Sequence[int], values: Sequence[int]) -> Vector:
        sums: dict[int, int] = {}
        for face, value in zip(faces, values, strict=True):
            family = self.vocabulary.family_of.get(face)
            if family is not None:
                sums[family] = sums.get(family, 0) + value
        parts = tuple(Part(None, family, number(value)) for family, value in sums.items())
        return Vector(parts, all(self._is_single(family) for family in sums))

    def _is_single(self, family: int) -> bool:
        return len(self.vocabulary.families[family].faces) == 1

    def _in_type(self, term: t.Term, path: Path) -> Affine:
        return self.places.fresh(path, term.type.low, term.type.high)

    def _unknown(self, term: Any, path: Path) -> Read:
        """What cannot be followed: anything of its type."""
        base = term.type.base
        if base in (t.Base.INT, t.Base.FLAG):
            return [(path, tidy(self._in_type(term, path)))]
        if base is t.Base.PLAYER:
            seats = range(-1 if term.type.optional else 0, self.game.players)
            return [(path, self.places.some(tuple(seats)))]
        if base is t.Base.VECTOR:
            return [(path, self._free_vector(term.type, path))]
        return [(path, self.places.some(term.type.faces))]

    def _free_vector(self, type: t.Type, path: Path) -> Vector:
        sizes: dict[int, int] = {}
        for face in type.faces:
            family = self.vocabulary.family_of.get(face)
            if family is not None:
                sizes[family] = sizes.get(family, 0) + 1
        parts = tuple(
            Part(None, family, self.places.fresh(path, type.low * size, type.high * size))
            for family, size in sizes.items()
        )
        return Vector(parts, exact=False)

    # -- state

    def spots(self, zone: int, index: t.Term | None, path: Path) -> list[tuple[Path, Spot]]:
        """The places that a zone and an index name."""
        family = self.game.zones[zone]
        if index is None:
            return [(path, self.places.zone_spot(family.first))]
        if not (self.vocabulary.pooled and family.index == "player"):
            inside = [(w, n) for w, n in self.known(index, path) if 0 <= n < family.size]
            return [(way, self.places.zone_spot(family.first + n)) for way, n in inside]
        found = []
        place = self.vocabulary.place_of[family.first]
        for way, value in self.read(index, path):
            positions = value.values if isinstance(value, Some) else (value,)
            good = [n for n in positions if isinstance(n, int) and 0 <= n < family.size]
            if good:
                number_ = value.number if isinstance(value, Some) else -1
                spot = Spot(place, tuple(family.first + n for n in good), number_)
                found.append((way, spot))
        return found

    def _variable(self, term: t.ReadVariable, path: Path) -> Read:
        variable = self.game.variables[term.variable]
        if term.index is None and term.variable in path.explicit:
            return [(path, path.explicit[term.variable])]
        if variable.type.base not in (t.Base.INT, t.Base.FLAG):
            return self._unknown(term, path)
        if term.index is None or not (self.vocabulary.pooled and variable.index == "player"):
            found: Read = []
            for way, position in self.known(term.index, path):
                cell = self.vocabulary.variable(variable.id, position)
                if cell is not None and 0 <= position < variable.size:
                    found.append((way, tidy(way.builder.value(cell))))
                elif cell is None:
                    found.extend(self._unknown(term, way))
            return found
        return [(path, self._pooled(variable.id, variable.type, path))]

    def _pooled(self, variable: int, type: t.Type, path: Path) -> Affine:
        """One player's share of a pooled counter."""
        cell = self.vocabulary.variable(variable, 0)
        assert cell is not None
        share, others = self.places.fresh(path, type.low, type.high), self.game.players - 1
        rest = path.builder.value(cell) - share
        path.builder.assume(at_least(rest, number(type.low * others)))
        path.builder.assume(at_most(rest, number(type.high * others)))
        return share

    def is_out(self, seat: int | Some, path: Path) -> Affine:
        """Whether a player is out, as 0 or 1."""
        if not self.vocabulary.outs:
            return ZERO
        if not self.vocabulary.pooled:
            assert isinstance(seat, int), "where seats are apart each is looked at by itself"
            return path.builder.value(self.vocabulary.out(seat))
        value = path.builder.value(self.vocabulary.out(0))
        if value.is_number and value.constant in (0, self.game.players):
            return number(int(value.constant > 0))
        key = ("out", seat)
        if key not in path.memo:
            share = self.places.fresh(path, 0, 1)
            path.builder.assume(at_most(share, value))
            path.builder.assume(at_most(value - share, number(self.game.players - 1)))
            path.memo[key] = (share, frozenset((("out", 0),)))
        kept = path.memo[key][0]
        assert isinstance(kept, Affine)
        return kept

    # -- pieces

    def _zone_size(self, term: t.ZoneSize, path: Path) -> Read:
        ways = self.spots(term.zone, term.index, path)
        return [(way, tidy(self.places.size(spot, way))) for way, spot in ways]

    def _zone_vector(self, term: t.ZoneVector, path: Path) -> Read:
        found: Read = []
        for way, spot in self.spots(term.zone, term.index, path):
            found.append((way, self._narrowed(self._lying(spot, way), term.type, way)))
        return found

    def _lying(self, spot: Spot, path: Path) -> Vector:
        """What lies at a spot now."""
        parts = self.places.contents(spot, path)
        return Vector(parts, True, self.places.sums(spot, path), self._number(parts))

    def _number(self, parts: Iterable[Part]) -> int:
        single = all(self._is_single(part.family) for part in parts)
        return -1 if single else self.places.number()

    def _zone_count(self, term: t.ZoneCount, path: Path) -> Read:
        found: Read = []
        for way, spot in self.spots(term.zone, term.index, path):
            whole = Vector(self.places.contents(spot, way))
            for last, value in self.read(term.face, way):
                found.append((last, tidy(self.cell(whole, value, last))))
        return found

    def cell(self, vector: Vector, face: Value, path: Path) -> Affine:
        """One cell of a vector of counts or amounts >= 0."""
        faces = self.faces_of(face)
        if not faces:
            return self.places.fresh(path, 0, None)
        concerned = {self.vocabulary.family_of.get(each, -1) for each in faces}
        parts = [part for part in vector.parts if part.family in concerned]
        if not parts:
            return ZERO
        if len(faces) == 1 and self._is_single(parts[0].family):
            return total(part.amount for part in parts)
        whole = total(part.amount for part in parts)
        share = self.places.fresh(path, 0, whole.constant if whole.is_number else None)
        path.builder.assume(at_most(share, whole))
        return share

    def _zone_top(self, term: t.ZoneTop, path: Path) -> Read:
        """The top of a stack: a piece, or -1 when it is empty."""
        found: Read = []
        for way, spot in self.spots(term.zone, term.index, path):
            size = self.places.size(spot, way)
            empty = way.fork()
            empty.builder.assume(at_most(size, ZERO))
            if empty.possible():
                found.append((empty, -1))
            way.builder.assume(at_least(size, number(1)))
            zone = self.game.zones[term.zone]
            piece = self.places.piece(self.places.contents(spot, way), frozenset(zone.faces), way)
            if piece is not None and way.possible():
                # Which piece it is is nobody's choice.
                way.exact = way.exact and len(piece.parts) == 1
                found.append((way, piece))
        return found

    def _piece_face(self, term: t.PieceFace, path: Path) -> Read:
        return [(path, path.frame[term.piece.slot])]

    # -- vectors

    def vector(self, term: t.Term, path: Path) -> list[tuple[Path, Vector]]:
        """The values of a vector."""
        return [(w, v) for w, v in self.read(term, path) if isinstance(v, Vector)]

    def _narrowed(self, vector: Vector, type: t.Type, path: Path) -> Vector:
        """Only the cells of a type's faces."""
        wanted, kept, exact = frozenset(type.faces), list[Part](), vector.exact
        for part in vector.parts:
            inside = self.places.members(part.family, wanted)
            if len(inside) == len(self.vocabulary.families[part.family].faces):
                kept.append(part)
            elif inside:
                share = self.places.fresh(path, 0, None)
                path.builder.assume(at_most(share, part.amount))
                kept.append(Part(part.spot, part.family, share))
                exact = False
        columns = vector.columns if tuple(kept) == vector.parts else ()
        return Vector(tuple(kept), exact, columns, vector.number)

    def _lot_vector(self, term: t.LotVector, path: Path) -> Read:
        value = path.frame[term.lot.slot]
        assert isinstance(value, Lot)
        return [(path, Vector(value.parts, True, value.columns))]

    def _widen(self, term: t.Widen, path: Path) -> Read:
        ways = self.vector(term.vector, path)
        return [(way, self._narrowed(value, term.type, way)) for way, value in ways]

    def _vector_op(self, term: t.VectorOp, path: Path) -> Read:
        found: Read = []
        for first, left in self.vector(term.left, path):
            for way, right in self.vector(term.right, first):
                found.append((way, self._combined(term, left, right, way)))
        return found

    def _combined(self, term: t.VectorOp, left: Vector, right: Vector, path: Path) -> Vector:
        parts: list[Part] = []
        for family in dict.fromkeys(p.family for p in (*left.parts, *right.parts)):
            a = total(part.amount for part in left.parts if part.family == family)
            b = total(part.amount for part in right.parts if part.family == family)
            if term.op == "+":
                value = a + b
            elif term.op == "-":
                value = a - b
            else:
                value = self._less(a, b, term, path)
            parts.append(Part(None, family, value))
        exact = left.exact and right.exact and term.op != "less"
        return Vector(tuple(parts), exact, (), self._number(parts))

    def _less(self, a: Affine, b: Affine, term: t.VectorOp, path: Path) -> Affine:
        """The sum of differences that are never below 0, cell by cell."""
        found = self.places.fresh(path, 0, None)
        path.builder.assume(at_least(found, a - b))
        if term.right.type.low >= 0 and term.left.type.low >= 0:
            path.builder.assume(at_most(found, a))
        return found

    def _vector_sum(self, term: t.VectorSum, path: Path) -> Read:
        return [(way, tidy(value.total)) for way, value in self.vector(term.vector, path)]

    def _vector_index(self, term: t.VectorIndex, path: Path) -> Read:
        if isinstance(term.vector, t.Lookup):
            return self._column_cell(term, term.vector, path)
        return self._any_index(term, path)

    def _column_cell(self, term: t.VectorIndex, column: t.Lookup, path: Path) -> Read:
        """One cell of a column with a cell per member: once it is known which, a plain column."""
        found: Read = []
        for way, face in self.read(term.face, path):
            if not isinstance(face, int):
                found.extend(self._any_index(term, way))
                continue
            key = (id(column), face)
            if key not in self._cells:
                faces = column.type.faces
                at = faces.index(face) if face in faces else -1
                cells = tuple(
                    value[at] if at >= 0 and isinstance(value, tuple) else 0
                    for value in column.values
                )
                single = t.Lookup(term.type, None, cells, column.argument, column.base, column.name)
                self._cells[key] = (column, single)
            found.extend(self.read(self._cells[key][1], way))
        return found

    def _any_index(self, term: t.VectorIndex, path: Path) -> Read:
        found: Read = []
        for first, vector in self.vector(term.vector, path):
            for way, face in self.read(term.face, first):
                if vector.exact and term.vector.type.low >= 0:
                    value = self.cell(vector, face, way)
                else:
                    value = self._in_type(term, way)
                found.append((way, tidy(value)))
        return found

    @staticmethod
    def faces_of(value: Value) -> tuple[int, ...]:
        """The members that a value may be; () if it is no member."""
        if isinstance(value, int):
            return (value,)
        return value.values if isinstance(value, Some) else getattr(value, "faces", ())
