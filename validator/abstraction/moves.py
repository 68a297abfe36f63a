"""Sentences that move pieces, on a path."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.conditions import Conditions
from gemwright.validator.abstraction.move_needs import MoveNeeds
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Lot, Part, Path, Piece, Spot, Value, total
from gemwright.validator.linear.affine import ONE, ZERO, Affine, at_least, at_most, equal, number
from gemwright.validator.rules.face_functions import function_of

Movement = m.MovePicked | m.MoveEnd | m.MoveFace | m.MoveVector | m.MoveAll | m.MoveRandom


class Moves:
    """Moves pieces of one game on paths."""

    def __init__(self, terms: Conditions, places: Places) -> None:
        self.terms = terms
        self.places = places
        self.game = terms.game
        self.vocabulary = terms.vocabulary
        self.needs = MoveNeeds(terms, places)
        self._tops: dict[tuple[int, int], t.ZoneTop] = {}
        self._held: dict[int, tuple[m.MoveFace, t.ZoneCount]] = {}

    def run(self, move: Movement, path: Path) -> list[Path]:
        """The paths after a moving sentence."""
        ways = self.needs.a_place(move.to, path, move.span)
        return [last for way in ways for last in self._run(move, way)]

    def _run(self, move: Movement, path: Path) -> list[Path]:
        match move:
            case m.MovePicked():
                return self._picked(move, path)
            case m.MoveEnd():
                return self._end(move, path)
            case m.MoveFace():
                return self._face(move, path)
            case m.MoveVector():
                return self._vector(move, path)
            case m.MoveAll():
                return self._all(move, path)
            case m.MoveRandom():
                return self._random(move, path)

    def spots(self, named: m.Source | m.Place, path: Path) -> list[tuple[Path, Spot]]:
        """The places that a sentence names."""
        return self.terms.spots(named.zone, named.index, path)

    def _ends(self, source: m.Source, target: m.Place, path: Path) -> list[tuple[Path, Spot, Spot]]:
        return [
            (way, start, goal)
            for first, start in self.spots(source, path)
            for way, goal in self.spots(target, first)
        ]

    # -- kinds of sentences

    def _picked(self, move: m.MovePicked, path: Path) -> list[Path]:
        found: list[Path] = []
        for way, goal in self.spots(move.to, path):
            picked = way.frame[move.slot]
            assert isinstance(picked, Lot | Piece)
            for part in picked.parts:
                assert part.spot is not None
                there = self.places.amount(part.spot, part.family, way)
                self.needs.enough(there, part.amount, part.spot, way, move.span)
                self.needs.still_there(part, part.spot, way, move.span)
            thinned = way.thinned
            for last in self._carry(picked.parts, goal, way, move, picked.columns):
                # Picks of one move take different pieces: those that are left lie there still.
                last.thinned = thinned | self._refilling(picked.parts)
                if isinstance(picked, Piece):
                    self._remember_single(move.to, _lying(picked, goal), last)
                found.append(last)
        return found

    def _refilling(self, parts: Sequence[Part]) -> frozenset[int]:
        """The stacks that fill the rows that pieces leave."""
        zones = [
            self.game.zones[self.vocabulary.places[part.spot.place].zone]
            for part in parts
            if part.spot is not None
        ]
        return frozenset(zone.refill for zone in zones if zone.refill is not None)

    def _end(self, move: m.MoveEnd, path: Path) -> list[Path]:
        found: list[Path] = []
        for first, source, goal in self._ends(move.source, move.to, path):
            for way, count in self.terms.number(move.count, first):
                self.needs.not_negative(count, way, move.span)
                size = self.places.size(source, way)
                if move.exact:
                    self.needs.enough(size, count, source, way, move.span)
                else:
                    less = way.fork()
                    less.builder.assume(at_most(size + 1, count))
                    if less.possible():
                        found.extend(self._drawn(move, source, goal, size, less))
                    way.builder.assume(at_least(size, count))
                if way.possible():
                    found.extend(self._drawn(move, source, goal, count, way))
        return found

    def _drawn(
        self, move: m.MoveEnd, source: Spot, goal: Spot, count: Affine, path: Path
    ) -> list[Path]:
        if count == ZERO and not move.shuffled:
            return [path]
        there = self.places.contents(source, path)
        if count != ONE or move.end != "top":
            return self._carry(self._share(there, count, path), goal, path, move)
        piece = self._on_top(move.source, there, path)
        if piece is None:
            return []
        ways = self._carry(piece.parts, goal, path, move, piece.columns)
        lying = _lying(piece, goal)
        lies_on_top = move.to.at in ("any", "top") and not move.shuffled
        stacked = lies_on_top and self.game.zones[move.to.zone].order == "stack"
        for way in ways:
            self._remember_single(move.to, lying, way)
            if stacked:
                self._remember_top(move.to, lying, way)
        return ways

    def _remember_single(self, named: m.Place, piece: Piece, path: Path) -> None:
        self.terms.known_conditions.naming.alone(named.zone, piece, path)

    def _on_top(self, named: m.Source, there: Sequence[Part], path: Path) -> Piece | None:
        """The piece on top of a stack that is not empty: the one that was read, if it was."""
        kept = path.memo.get(self.terms.keys.key(self._top_term(named), path))
        if kept is not None and isinstance(kept[0], Piece):
            return kept[0]
        return self.places.piece(there, frozenset(self.game.zones[named.zone].faces), path)

    def _remember_top(self, named: m.Place, piece: Piece, path: Path) -> None:
        """What was put on a stack is what a look at its top will see."""
        term = self._top_term(named)
        path.memo[self.terms.keys.key(term, path)] = (piece, self.terms.keys.tokens(term))

    def _top_term(self, named: m.Source | m.Place) -> t.ZoneTop:
        key = (named.zone, id(named.index))
        if key not in self._tops:
            type = t.Type(t.Base.FACE, faces=self.game.zones[named.zone].faces)
            self._tops[key] = t.ZoneTop(type, None, named.zone, named.index)
        return self._tops[key]

    def _face(self, move: m.MoveFace, path: Path) -> list[Path]:
        found: list[Path] = []
        for first, source, goal in self._ends(move.source, move.to, path):
            for second, count in self.terms.number(move.count, first):
                self.needs.not_negative(count, second, move.span)
                for third, there in self.terms.number(self._held_term(move), second):
                    self.needs.enough(there, count, source, third, move.span)
                    for way, face in self.terms.read(move.face, third):
                        for last, part in self._of_face(source, face, count, way):
                            columns = self._columns(face, count)
                            parts = () if part is None else (part,)
                            found.extend(self._carry(parts, goal, last, move, columns))
        return found

    def _held_term(self, move: m.MoveFace) -> t.ZoneCount:
        """How many pieces of the face lie there, as rules write it."""
        kept = self._held.get(id(move))
        if kept is None:
            faces = self.game.zones[move.source.zone].faces
            type = t.Type(t.Base.INT, 0, sum(self.game.faces[face].count for face in faces))
            term = t.ZoneCount(type, None, move.source.zone, move.source.index, move.face)
            kept = self._held[id(move)] = (move, term)
        return kept[1]

    def _of_face(
        self, source: Spot, face: Value, count: Affine, path: Path
    ) -> list[tuple[Path, Part | None]]:
        """The pieces of a face that may not be known: one path for each family, and one without
        pieces for faces of which none ever lies there."""
        faces = self.terms.faces_of(face)
        families = {self.vocabulary.family_of.get(each) for each in faces}
        able = [f for f in self.vocabulary.families_at(source.place) if f in families]
        found: list[tuple[Path, Part | None]] = []
        if len(able) < len(families):
            way = path.fork()
            way.builder.assume(equal(count, ZERO))
            if way.possible():
                found.append((way, None))
        for family in able:
            way = path.fork() if len(able) > 1 else path
            if isinstance(face, Piece):
                share = total(part.amount for part in face.parts if part.family == family)
                way.builder.assume(at_least(share, ONE))
            if way.possible():
                found.append((way, Part(source, family, count)))
        return found

    def _columns(self, face: Value, count: Affine) -> list[Affine] | None:
        columns = self.vocabulary.precision.columns
        if isinstance(face, int):
            return [count * column.weights[face] for column in columns]
        if isinstance(face, Piece) and count == ONE:
            return list(face.columns)
        return None

    def _vector(self, move: m.MoveVector, path: Path) -> list[Path]:
        found: list[Path] = []
        for first, source, goal in self._ends(move.source, move.to, path):
            for way, vector in self.terms.vector(move.vector, first):
                parts = []
                for part in vector.parts:
                    there = self.places.amount(source, part.family, way)
                    self.needs.not_negative(part.amount, way, move.span)
                    self.needs.enough(there, part.amount, source, way, move.span)
                    self.needs.members(part, move, source, way)
                    if self.vocabulary.count(source.place, part.family) is not None:
                        parts.append(Part(source, part.family, part.amount))
                found.extend(self._carry(parts, goal, way, move))
        return found

    def _all(self, move: m.MoveAll, path: Path) -> list[Path]:
        found: list[Path] = []
        for first, goal in self.spots(move.to, path):
            if move.source is not None:
                for way, source in self.spots(move.source, first):
                    parts = self.places.contents(source, way)
                    found.extend(self._filtered(move, parts, goal, way))
            else:
                parts = self._everywhere(first, goal)
                found.extend(self._filtered(move, parts, goal, first))
        return found

    def _everywhere(self, path: Path, goal: Spot) -> tuple[Part, ...]:
        """All pieces wherever they lie, but those at the goal.

        As no piece is ever made or lost, the last place has what all others have not.
        """
        found: list[Part] = []
        for family, kept in enumerate(self.vocabulary.families):
            there = [
                Part(spot, family, path.builder.value(cell))
                for spot in self.places.spots()
                if (cell := self.vocabulary.count(spot.place, family)) is not None
                and (spot.place != goal.place or self.vocabulary.is_pooled(spot.place))
            ]
            held = self.vocabulary.count(goal.place, family)
            if there and held is not None and not self.vocabulary.is_pooled(goal.place):
                last = there.pop()
                rest = number(kept.count) - path.builder.value(held)
                rest = rest - total(part.amount for part in there)
                there.append(Part(last.spot, family, rest))
            found.extend(there)
        return tuple(found)

    def _filtered(
        self, move: m.MoveAll, parts: Sequence[Part], goal: Spot, path: Path
    ) -> list[Path]:
        wanted = frozenset(move.faces)
        kept: list[Part] = []
        for part in parts:
            faces = self.vocabulary.families[part.family].faces
            inside = [self._passes(move, face) for face in faces if face in wanted]
            if len(inside) == len(faces) and all(each is True for each in inside):
                kept.append(part)
            elif any(each is not False for each in inside):
                share = self.places.fresh(path, 0, None, "some of them")
                path.builder.assume(at_most(share, part.amount))
                kept.append(Part(part.spot, part.family, share))
        return self._carry(kept, goal, path, move, self._whole_sums(kept, parts, path))

    @staticmethod
    def _passes(move: m.MoveAll, face: int) -> bool | None:
        if move.filter is None:
            return True
        values = function_of(move.filter, move.slot, (face,))
        return None if values is None else bool(values[0])

    def _whole_sums(
        self, kept: Sequence[Part], parts: Sequence[Part], path: Path
    ) -> list[Affine] | None:
        """The column sums of a place that is emptied."""
        spots = {part.spot for part in parts}
        spot = next(iter(spots)) if len(spots) == 1 else None
        if spot is None or list(kept) != list(parts) or self.vocabulary.is_pooled(spot.place):
            return None
        cells = [
            self.vocabulary.sum_of(spot.place, column)
            for column in range(len(self.vocabulary.precision.columns))
        ]
        return [path.builder.value(cell) if cell is not None else ZERO for cell in cells]

    def _random(self, move: m.MoveRandom, path: Path) -> list[Path]:
        found: list[Path] = []
        wanted = frozenset(move.faces)
        for first, source, goal in self._ends(move.source, move.to, path):
            for way, count in self.terms.number(move.count, first):
                self.needs.not_negative(count, way, move.span)
                there = [
                    part
                    for part in self.places.contents(source, way)
                    if self.places.members(part.family, wanted)
                ]
                whole = total(part.amount for part in there)
                self.needs.enough(whole, count, source, way, move.span)
                found.extend(self._carry(self._share(there, count, way), goal, way, move))
        return found

    def _share(self, there: Sequence[Part], count: Affine, path: Path) -> list[Part]:
        """So many pieces out of those that lie there, of whichever families."""
        if len(there) == 1:
            return [Part(there[0].spot, there[0].family, count)]
        shares = []
        for part in there:
            share = path.builder.parameter(0, None, "drawn")
            path.builder.assume(at_most(share, part.amount))
            shares.append(Part(part.spot, part.family, share))
        path.builder.assume(equal(total(part.amount for part in shares), count))
        return shares

    # -- what all have in common

    def _carry(
        self,
        parts: Sequence[Part],
        goal: Spot,
        path: Path,
        move: Movement,
        columns: Sequence[Affine] | None = None,
    ) -> list[Path]:
        if not self.places.move(parts, goal, path, columns, move.span):
            return []
        if move.shuffled:
            self.places.mix(goal, path)
        ways = [path]
        for spot in dict.fromkeys(part.spot for part in parts):
            assert spot is not None
            zone = self.game.zones[self.vocabulary.places[spot.place].zone]
            if zone.refill is not None:
                gone = total(part.amount for part in parts if part.spot == spot)
                ways = [last for way in ways for last in self._refill(zone, spot, gone, way)]
        return ways

    def _refill(self, zone: m.Zone, spot: Spot, gone: Affine, path: Path) -> list[Path]:
        """Fill the gaps of a row that pieces have left from its stack."""
        assert zone.refill is not None
        if gone == ZERO:
            return [path]
        stack = self._refilled_from(zone, self.game.zones[zone.refill], spot)
        gaps = number(zone.slots) - self.places.size(spot, path)
        if not gone.is_number or self.vocabulary.is_pooled(stack.place):
            return self._refill_perhaps(zone, spot, stack, gone, path)
        empty = path.fork()
        size = self.places.size(stack, path)
        empty.builder.assume(at_most(size + 1, gaps))
        path.builder.assume(at_least(size, gaps))
        return [
            way
            for way, drawn in ((path, gaps), (empty, size))
            if way.possible() and self._fill(spot, stack, drawn, way)
        ]

    def _refilled_from(self, zone: m.Zone, family: m.Zone, spot: Spot) -> Spot:
        """The stack behind a row: the only one, or the one of the same player or member."""
        if not family.index or family.index != zone.index:
            return self.places.zone_spot(family.first)
        stacks = tuple(family.first + instance - zone.first for instance in spot.instances)
        return Spot(self.vocabulary.place_of[stacks[0]], stacks, spot.number)

    def _refill_perhaps(
        self, zone: m.Zone, spot: Spot, stack: Spot, gone: Affine, path: Path
    ) -> list[Path]:
        """The same where it is not known whether any piece has left."""
        drawn = path.builder.parameter(0, zone.slots, "refilled")
        size = self.places.size(spot, path)
        path.builder.assume(
            at_most(drawn + size, number(zone.slots)),
            at_most(drawn, self.places.size(stack, path)),
            at_most(drawn, gone * zone.slots),
        )
        return [path] if self._fill(spot, stack, drawn, path) else []

    def _fill(self, spot: Spot, stack: Spot, drawn: Affine, path: Path) -> bool:
        there = self.places.contents(stack, path)
        return self.places.move(self._share(there, drawn, path), spot, path)


def _lying(piece: Piece, spot: Spot) -> Piece:
    """The same piece where it lies now."""
    parts = tuple(Part(spot, part.family, part.amount) for part in piece.parts)
    return Piece(parts, piece.columns, piece.faces, piece.number)
