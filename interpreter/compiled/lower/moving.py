"""Moving sentences: pieces leave a zone instance, arrive at a goal, and rows are refilled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Draw, Expr, Return, Var
from gemwright.interpreter.compiled.lower import shapes
from gemwright.interpreter.compiled.lower.gathering import Gathering
from gemwright.interpreter.compiled.lower.handling import MISSING, Handling
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.terms import OUTSIDE, Terms


@dataclass(frozen=True, slots=True)
class Spot:
    """A zone instance: a family and a place in it."""

    zone: m.Zone
    place: Expr

    @property
    def instance(self) -> Expr:
        """Its number among all instances."""
        return ops.add(self.place, ops.const(self.zone.first))


@dataclass(frozen=True, slots=True)
class Goal:
    """Where pieces go, worked out before any of them moves; `at` as the reference has it."""

    spot: Spot
    at: str
    among: Expr


class Moving:
    """Lowers moving sentences into one function."""

    def __init__(self, terms: Terms, handling: Handling) -> None:
        self._terms = terms
        self._w = terms.w
        self._memory = terms.memory
        self._handling = handling
        self._gathering = Gathering(terms)

    # -- where

    def spot(self, zone: int, index: t.Term | None, scope: Scope) -> Spot:
        """A zone instance that a sentence names."""
        family, place = self._terms.zone(zone, index, scope)
        return Spot(family, self._w.let(place))

    def goal(self, to: m.Place, scope: Scope) -> Goal:
        """Where a sentence moves pieces."""
        spot = self.spot(to.zone, to.index, scope)
        if spot.zone.order != "stack":
            return Goal(spot, "", ops.FALSE)
        among: Expr = ops.FALSE
        if to.among is not None:
            among = self._terms.kept(to.among, scope)
        if to.at == "random":
            self._w.need(ops.compare(">=", among, ops.TRUE), OUTSIDE)
        return Goal(spot, "top" if to.at == "any" else to.at, among)

    def amount(self, term: t.Term, scope: Scope) -> Expr:
        """A number of pieces."""
        count = self._terms.kept(term, scope)
        self._w.need(ops.compare(">=", count, ops.FALSE), OUTSIDE)
        return ops.trusted(count, 0, max(count.high, 0), "checked before")

    # -- sentences

    def picked(self, move: m.MovePicked, spots: Sequence[Spot], cells: Sequence[Expr],
               domain: m.LotDomain, scope: Scope) -> None:  # fmt: skip
        """Move a picked lot; `spots` are its sources as they were when it was picked."""
        goal = self.goal(move.to, scope)
        moved: list[tuple[Spot, Expr]] = []
        for number, spot in enumerate(spots):
            pieces: list[tuple[Expr, Expr]] = [
                (ops.const(cell.face), count)
                for cell, count in zip(domain.cells, cells, strict=True)
                if cell.source == number
            ]
            self._carry(spot, pieces, goal)
            moved.append((spot, ops.total(count for _, count in pieces)))
        self.finish(move.shuffled, goal, moved)

    def piece(self, move: m.MovePicked, families: Sequence[m.Zone], instance: Expr, face: Expr,
              scope: Scope) -> None:  # fmt: skip
        """Move a picked piece."""
        goal = self.goal(move.to, scope)
        moved: list[tuple[Spot, Expr]] = []
        for zone in families:
            here = ops.inside(instance, zone.first, zone.first + zone.size - 1)
            if len(families) == 1:
                here = ops.TRUE
            with self._w.when(here):
                place = ops.add(instance, ops.const(-zone.first))
                place = ops.trusted(place, 0, zone.size - 1, "checked before")
                spot = Spot(zone, self._w.let(place))
                self._carry(spot, [(face, ops.TRUE)], goal)
            if here != ops.FALSE:
                moved.append((spot, here))
        self.finish(move.shuffled, goal, moved)

    def face(self, move: m.MoveFace, scope: Scope) -> None:
        """Move pieces of one face."""
        spot, goal = (
            self.spot(move.source.zone, move.source.index, scope),
            self.goal(move.to, scope),
        )
        count = self.amount(move.count, scope)
        face = self._terms.kept(move.face, scope)
        self._w.need(ops.compare(">=", face, ops.FALSE), "the top of an empty stack")
        face = ops.trusted(face, 0, max(face.high, 0), "checked before")
        self._carry(spot, [(face, self._at_most(count, spot.zone))], goal)
        self.finish(move.shuffled, goal, [(spot, count)])

    def vector(self, move: m.MoveVector, scope: Scope) -> None:
        """Move a computed lot."""
        spot, goal = (
            self.spot(move.source.zone, move.source.index, scope),
            self.goal(move.to, scope),
        )
        faces = move.vector.type.faces
        found = shapes.vector(self._terms, move.vector, scope)
        counts = [self._w.let(found.at(ops.const(at))) for at in range(len(faces))]
        for each in counts:
            self._w.need(ops.compare(">=", each, ops.FALSE), MISSING)
        pieces: list[tuple[Expr, Expr]] = [
            (ops.const(face), self._at_most(count, spot.zone))
            for face, count in zip(faces, counts, strict=True)
        ]
        self._carry(spot, pieces, goal)
        self.finish(move.shuffled, goal, [(spot, ops.total(count for _, count in pieces))])

    def _at_most(self, count: Expr, zone: m.Zone) -> Expr:
        """A count that lies in the zone; more give the game up."""
        most = max(self._memory.most(zone), 1)
        self._w.need(ops.compare("<=", count, ops.const(most)), MISSING)
        return self._w.let(ops.trusted(count, 0, most, "checked before"))

    def end(self, move: m.MoveEnd, scope: Scope) -> None:
        """Move pieces from an end of a stack, one by one."""
        spot, goal = (
            self.spot(move.source.zone, move.source.index, scope),
            self.goal(move.to, scope),
        )
        count = self.amount(move.count, scope)
        there = self._w.let(self._terms.zones.size(spot.zone, spot.place))
        if move.exact:
            self._w.need(ops.compare("<=", count, there), MISSING)
        many = self._w.let(ops.smaller(count, there))
        with self._w.each("piece", ops.TRUE, many):
            face = self._handling.take_end(self._w, spot.zone, spot.place, move.end)
            self._put(goal, face, ops.TRUE)
        self.finish(move.shuffled, goal, [(spot, many)])

    def random(self, move: m.MoveRandom, scope: Scope) -> None:
        """Move random pieces: all are drawn, then taken, then put."""
        spot, goal = (
            self.spot(move.source.zone, move.source.index, scope),
            self.goal(move.to, scope),
        )
        wanted = self.amount(move.count, scope)
        zone = spot.zone
        counts, total = self._gathering.counts(zone, spot.place, move.faces)
        self._w.need(ops.compare("<=", wanted, total), MISSING)
        most = max(self._memory.most(zone), 1)
        drawn = self._memory.scratch("drawn", most, 0, len(self._memory.model.faces) - 1)
        last = ops.smaller(ops.add(wanted, ops.const(-1)), ops.const(most - 1))
        with self._w.each("piece", ops.FALSE, self._w.let(last)) as at:
            left = ops.trusted(ops.sub(total, at), 1, most, "so many are left")
            face = self._gathering.draw(counts, move.faces, self._draw(left))
            self._w.put(drawn, at, face)
        self._each_listed(drawn, last, lambda face: self._handling.take(
            self._w, zone, spot.place, face, ops.TRUE))  # fmt: skip
        self._each_listed(drawn, last, lambda face: self._put(goal, face, ops.TRUE))
        self.finish(move.shuffled, goal, [(spot, wanted)])

    def _each_listed(self, array: str, last: Expr, do: Callable[[Expr], None]) -> None:
        with self._w.each("at", ops.FALSE, last) as at:
            do(self._w.let(self._memory.reader.item(array, at)))

    def all(self, move: m.MoveAll, scope: Scope) -> None:
        """Move every piece of some faces out of one zone instance, or from everywhere."""
        goal = self.goal(move.to, scope)
        wanted = self._gathering.wanted(move, scope)
        if move.source is not None:
            spot = self.spot(move.source.zone, move.source.index, scope)
            self.finish(move.shuffled, goal, [(spot, self._all_of(spot, wanted, goal))])
            return
        moved: list[tuple[Spot, Expr]] = []
        for zone in sorted(self._memory.model.zones, key=lambda each: each.first):
            if not set(zone.faces) & set(move.faces):
                continue
            for place in range(zone.size):
                spot = Spot(zone, ops.const(place))
                apart = ops.compare("!=", spot.instance, goal.spot.instance)
                many = self._w.changing("many", ops.FALSE, 0, self._memory.most(zone))
                with self._w.when(apart):
                    self._w.set(many, self._all_of(spot, wanted, goal))
                moved.append((spot, self._w.settled(many)))
        self.finish(move.shuffled, goal, moved)

    def _all_of(self, spot: Spot, wanted: Callable[[Expr], Expr], goal: Goal) -> Expr:
        """Move all wanted pieces of an instance; how many they are."""
        pieces, many = self._gathering.take_all(spot.zone, spot.place, wanted, self._handling)
        last = ops.add(many, ops.const(-1))
        with self._w.each("at", ops.FALSE, last) as at:
            # Each goes beneath the one before: the last first, so that the order is kept.
            index = ops.sub(last, at) if goal.at == "bottom" else at
            index = ops.trusted(index, 0, max(last.high, 0), "below the number of pieces")
            self._put(goal, self._w.let(self._memory.reader.item(pieces, index)), ops.TRUE)
        return many

    # -- carrying

    def _carry(self, spot: Spot, pieces: Sequence[tuple[Expr, Expr]], goal: Goal) -> None:
        """Take (face, count) pieces out, all of them, then put them in one after another."""
        for face, count in pieces:
            if count != ops.FALSE:
                self._handling.take(self._w, spot.zone, spot.place, face, count)
        for face, count in pieces:
            if count != ops.FALSE:
                self._put(goal, face, count)

    def _put(self, goal: Goal, face: Expr, count: Expr) -> None:
        zone, place = goal.spot.zone, goal.spot.place
        if goal.at != "random":
            at = ops.FALSE if goal.at == "bottom" else None
            self._handling.put(self._w, zone, place, face, count, at)
            return
        with self._w.each("piece", ops.TRUE, count):
            size = self._terms.zones.size(zone, place)
            places = ops.smaller(goal.among, ops.add(size, ops.TRUE))
            drawn = self._draw(ops.larger(places, ops.TRUE))
            # A full stack has no room at any place; the insertion says so.
            drawn = ops.smaller(drawn, ops.const(max(zone.slots - 1, 0)))
            self._handling.put(self._w, zone, place, face, ops.TRUE, drawn)

    def _draw(self, n: Expr) -> Expr:
        return draw(self._terms, n)

    def finish(self, shuffled: bool, goal: Goal, moved: Sequence[tuple[Spot, Expr]]) -> None:
        """End a sentence: shuffle the goal if it says so, refill rows that pieces left.

        `moved` are the sources with how many pieces left each; rows are refilled in the order of
        zones.
        """
        if shuffled:
            self._gathering.shuffle(goal.spot.zone, goal.spot.place, self._draw)
        for spot, many in sorted(moved, key=lambda each: each[0].zone.first):
            if spot.zone.refill is not None:
                with self._w.when(ops.compare(">", many, ops.FALSE)):
                    self._refill(spot, self._memory.model.zones[spot.zone.refill])

    def shuffle(self, spot: Spot) -> None:
        """Shuffle a stack."""
        self._gathering.shuffle(spot.zone, spot.place, self._draw)

    def _refill(self, spot: Spot, family: m.Zone) -> None:
        """Fill the gaps of a row from the top of a stack, left to right, while there are pieces."""
        same = bool(family.index) and family.index == spot.zone.index
        source = spot.place if same else ops.FALSE
        with self._w.each("slot", ops.FALSE, ops.const(spot.zone.slots - 1)) as slot:
            gap = ops.equal(self._memory.zone_cell(spot.zone, spot.place, slot), ops.FALSE)
            some = ops.compare(">", self._terms.zones.size(family, source), ops.FALSE)
            with self._w.when(ops.both(gap, some)):
                face = self._handling.take_end(self._w, family, source, "top")
                first, last = self._memory.extent(spot.zone)
                index = self._memory.zone_index(spot.zone, spot.place, slot)
                self._w.store(first, last, index, ops.add(face, ops.TRUE))


def draw(terms: Terms, n: Expr) -> Expr:
    """The next number below n, 1 or more, of the game's chance."""
    found = Var(0, max(n.high - 1, 0), terms.w.var("drawn", 0, 0).name)
    terms.w.emit(Draw(found, ops.FALSE, n))
    return terms.w.settled(found)


def leave(terms: Terms, target: int) -> None:
    """End the effect at once and go to a control point."""
    terms.w.emit(Return(ops.const(target)))
