"""Reading and moving pieces on a path: where they lie, how many there are, what a piece may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from gemwright.dsl.source import Span
from gemwright.validator.abstraction.symbols import Key, Part, Path, Piece, Some, Spot, Value, total
from gemwright.validator.abstraction.vocabulary import Vocabulary
from gemwright.validator.linear.affine import ONE, ZERO, Affine, at_least, at_most, equal, number
from gemwright.validator.rules.walking import Token


class Places:
    """Pieces of one game at one precision."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.game = vocabulary.game
        self._numbers = count()

    # -- unknowns

    def number(self) -> int:
        """A number that nothing else has."""
        return next(self._numbers)

    def some(self, values: Sequence[int]) -> int | Some:
        """A new member or seat of which only this is known."""
        return values[0] if len(values) == 1 else Some(tuple(values), self.number())

    @staticmethod
    def fresh(path: Path, low: int | None, high: int | None, label: str = "") -> Affine:
        """A new number of which only this is known; what depends on it is not exact."""
        if low is not None and low == high:
            return number(low)
        path.exact = False
        return path.builder.parameter(low, high, label)

    # -- reading

    def token(self, spot: Spot) -> Token:
        """What to forget when the pieces at a spot change."""
        return ("zone", self.vocabulary.places[spot.place].zone)

    def zone_spot(self, instance: int) -> Spot:
        """The spot that is one zone instance."""
        return Spot(self.vocabulary.place_of[instance], (instance,))

    def amount(self, spot: Spot, family: int, path: Path) -> Affine:
        """How many pieces of a family lie there."""
        cell = self.vocabulary.count(spot.place, family)
        if cell is None:
            return ZERO
        whole = path.builder.value(cell)
        if not self.vocabulary.is_pooled(spot.place):
            return whole
        key = ("amount", spot, family)
        if key not in path.memo:
            room = self.room(spot)
            high = self.vocabulary.families[family].count
            part = self.fresh(path, 0, high if room is None else min(high, room), "a part")
            path.builder.assume(at_most(part, whole))
            path.memo[key] = (part, frozenset((self.token(spot),)))
        kept = path.memo[key][0]
        assert isinstance(kept, Affine)
        return kept

    def room(self, spot: Spot) -> int | None:
        """How many pieces one instance there can hold; None without limit."""
        zone = self.game.zones[self.vocabulary.places[spot.place].zone]
        if zone.order == "row":
            return zone.slots if zone.limit is None else min(zone.slots, zone.limit)
        return zone.limit

    def size(self, spot: Spot, path: Path) -> Affine:
        """How many pieces lie there."""
        return total(part.amount for part in self.contents(spot, path))

    def contents(self, spot: Spot, path: Path) -> tuple[Part, ...]:
        """All pieces there, by families."""
        return tuple(
            Part(spot, family, self.amount(spot, family, path))
            for family in self.vocabulary.families_at(spot.place)
        )

    def sums(self, spot: Spot, path: Path) -> tuple[Affine | None, ...]:
        """The sums of the columns over what lies there, () if no cells tell them."""
        if self.vocabulary.is_pooled(spot.place):
            return ()
        columns = range(len(self.vocabulary.precision.columns))
        cells = [self.vocabulary.sum_of(spot.place, column) for column in columns]
        return tuple(None if cell is None else path.builder.value(cell) for cell in cells)

    def members(self, family: int, faces: frozenset[int]) -> tuple[int, ...]:
        """The faces of a family that are among others."""
        return tuple(face for face in self.vocabulary.families[family].faces if face in faces)

    # -- one piece

    def piece(self, options: Sequence[Part], faces: frozenset[int], path: Path) -> Piece | None:
        """A piece that is one of those at the options (where `amount` lie); None if there is none.

        The choice itself is no loss of exactness: it is a pick, or chance.
        """
        there = [part for part in options if self.members(part.family, faces)]
        if not there:
            return None
        exact = path.exact
        chosen: list[Part] = []
        for part in there:
            share = ONE if len(there) == 1 else path.builder.parameter(0, 1, "the piece")
            path.builder.assume(at_most(share, part.amount))
            chosen.append(Part(part.spot, part.family, share))
        if len(chosen) > 1:
            path.builder.assume(equal(total(part.amount for part in chosen), ONE))
        faces_of = tuple(sorted({f for part in there for f in self.members(part.family, faces)}))
        columns = tuple(
            self.weighed(chosen, column, path)
            for column in range(len(self.vocabulary.precision.columns))
        )
        path.exact = exact and not columns
        return Piece(tuple(chosen), columns, faces_of, self.number())

    def weighed(self, parts: Sequence[Part], column: int, path: Path) -> Affine:
        """The sum of a column over pieces of which only the families are known."""
        low, high = ZERO, ZERO
        for part in parts:
            least, most = self.weights(part.family, column)
            low, high = low + part.amount * least, high + part.amount * most
        if low == high:
            return low
        name = self.vocabulary.precision.columns[column].name
        if low.is_number and high.is_number:
            return self.fresh(path, low.constant, high.constant, name)
        found = self.fresh(path, None, None, name)
        path.builder.assume(at_least(found, low), at_most(found, high))
        return found

    def weights(self, family: int, column: int) -> tuple[int, int]:
        """The least and the greatest value of a column in a family."""
        weights = self.vocabulary.precision.columns[column].weights
        values = [weights[face] for face in self.vocabulary.families[family].faces]
        return min(values), max(values)

    # -- moving

    def move(
        self,
        parts: Sequence[Part],
        target: Spot,
        path: Path,
        columns: Sequence[Affine] | None = None,
        span: Span | None = None,
    ) -> bool:
        """Move pieces by families; False if that can never be done.

        Args:
            columns: the sums of columns over what moves, if they are known and there is one source.
        """
        self._keep_room(parts, target, path, span)
        sources = dict.fromkeys(part.spot for part in parts if part.spot is not None)
        for spot in sources:
            moved = [part for part in parts if part.spot == spot]
            known = columns if len(sources) == 1 else None
            self._move_sums(moved, spot, target, known, path)
        for part in parts:
            assert part.spot is not None, "only pieces that lie somewhere can move"
            if not self._move_part(part, part.spot, target, path):
                return False
        left = self._left(parts, target, path)
        path.forget(self.token(target), *(self.token(spot) for spot in sources))
        path.memo.update(left)
        path.thinned |= {self.vocabulary.places[spot.place].zone for spot in sources}
        return True

    def mix(self, spot: Spot, path: Path) -> None:
        """The pieces of a stack lie in another order now."""
        for part in self.contents(spot, path):
            cell = self.vocabulary.count(spot.place, part.family)
            assert cell is not None, "a part lies where its family can lie"
            path.builder.touch(cell)
        path.forget(self.token(spot))

    def _move_part(self, part: Part, spot: Spot, target: Spot, path: Path) -> bool:
        builder = path.builder
        source = self.vocabulary.count(spot.place, part.family)
        goal = self.vocabulary.count(target.place, part.family)
        assert source is not None, "a part lies where its family can lie"
        if goal is None:
            # The engine refuses pieces that a zone cannot hold, so there are none.
            builder.assume(at_most(part.amount, ZERO))
            return not part.amount.is_number or part.amount.constant <= 0
        if source == goal:
            builder.touch(source)
        elif part.amount != ZERO:
            builder.move(source, goal, part.amount)
        return True

    def _move_sums(
        self,
        parts: Sequence[Part],
        spot: Spot,
        target: Spot,
        known: Sequence[Affine] | None,
        path: Path,
    ) -> None:
        for column in range(len(self.vocabulary.precision.columns)):
            source = self.vocabulary.sum_of(spot.place, column)
            goal = self.vocabulary.sum_of(target.place, column)
            if source == goal:
                continue
            moved = self.weighed(parts, column, path) if known is None else known[column]
            if source is not None:
                path.builder.add(source, -moved)
            if goal is not None:
                path.builder.add(goal, moved)

    def _keep_room(
        self, parts: Sequence[Part], target: Spot, path: Path, span: Span | None
    ) -> None:
        """Before pieces move: that they find room is what the engine insists on."""
        room = self.room(target)
        if room is None:
            return
        zone = self.vocabulary.places[target.place].zone
        # The zone without its seat or member: one need, however finely a system tells them apart.
        text = f"{self.game.zones[zone].name} holds at most {room}"
        if self.vocabulary.is_pooled(target.place):
            most = self._most_after(parts, target, path)
            path.builder.ask(at_most(most, number(room)), "R003", text, span)
            return
        coming = [
            part.amount
            for part in parts
            if part.spot is not None and part.spot.place != target.place
        ]
        claim = at_most(self.size(target, path) + total(coming), number(room))
        path.builder.require(claim, "R003", text, span)

    def _most_after(self, parts: Sequence[Part], target: Spot, path: Path) -> Affine:
        """No fewer pieces than lie in one of several instances once the parts have come.

        Where nothing was read of the instance it may hold all that the instances hold together;
        then what comes from another one of them is counted already.
        """
        most = ZERO
        for family in self.vocabulary.families_at(target.place):
            held = self._held(target, family, path)
            cell = self.vocabulary.count(target.place, family)
            assert cell is not None, "a family is counted where it can lie"
            most += path.builder.value(cell) if held is None else held
            most += total(
                part.amount
                for part in parts
                if part.family == family
                and part.spot is not None
                and part.spot != target
                and (held is not None or part.spot.place != target.place)
            )
        return most

    @staticmethod
    def _held(spot: Spot, family: int, path: Path) -> Affine | None:
        """No fewer pieces than one of several instances holds, None if it was not read."""
        for kind in ("left", "amount") if spot.is_one else ():
            kept = path.memo.get((kind, spot, family))
            if kept is not None:
                assert isinstance(kept[0], Affine)
                return kept[0]
        return None

    def _left(
        self, parts: Sequence[Part], target: Spot, path: Path
    ) -> dict[Key, tuple[Value, frozenset[Token]]]:
        """What is known of instances counted together once the parts have left them."""
        found: dict[Key, tuple[Value, frozenset[Token]]] = {}
        for spot in dict.fromkeys(part.spot for part in parts if part.spot is not None):
            if not self.vocabulary.is_pooled(spot.place) or self.token(spot) == self.token(target):
                continue
            for family in self.vocabulary.families_at(spot.place):
                held = self._held(spot, family, path)
                if held is not None:
                    gone = total(p.amount for p in parts if p.spot == spot and p.family == family)
                    found["left", spot, family] = (held - gone, frozenset((self.token(spot),)))
        return found

    def name(self, spot: Spot) -> str:
        """A place, for people."""
        place = self.vocabulary.places[spot.place]
        name = self.game.zones[place.zone].name
        return f"{name}[{place.label}]" if place.label else name

    def spots(self) -> Iterator[Spot]:
        """All places."""
        for number_, place in enumerate(self.vocabulary.places):
            yield Spot(number_, place.instances)
