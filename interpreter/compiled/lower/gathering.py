"""Pieces as lists: what is drawn from, moved together, or shuffled."""

from __future__ import annotations

from collections.abc import Callable

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Break, Expr, Var
from gemwright.interpreter.compiled.lower import shapes
from gemwright.interpreter.compiled.lower.handling import Handling
from gemwright.interpreter.compiled.lower.memory import CONSERVED
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.terms import Terms
from gemwright.interpreter.compiled.lower.zones import NO_FACE


class Gathering:
    """Gathers pieces of zone instances in one function."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._w = terms.w
        self._memory = terms.memory

    # -- drawing

    def counts(self, zone: m.Zone, place: Expr, faces: tuple[int, ...]) -> tuple[str, Expr]:
        """An array of the counts of some faces, and their sum."""
        most = self._memory.most(zone)
        array = self._memory.scratch("counts", len(faces), 0, most)
        found = self._terms.zones.counts(zone, place)
        total = self._w.changing("total", ops.FALSE, 0, most * len(faces))
        with self._w.each("at", ops.FALSE, ops.const(len(faces) - 1)) as at:
            position = self._memory.position(zone, shapes.face_at(self._terms, faces, at))
            count = self._w.let(self._terms.zones.or_none(position, found.at))
            self._w.put(array, at, ops.trusted(count, 0, most, CONSERVED))
            self._w.gain(total, count, CONSERVED)
        return array, ops.trusted(self._w.settled(total), 0, most, CONSERVED)

    def draw(self, array: str, faces: tuple[int, ...], number: Expr) -> Expr:
        """The face of piece `number` of an array of counts; it is taken out of the array."""
        left = self._w.changing("left", number, number.low, number.high)
        found = self._w.changing("found", ops.const(faces[0]), min(faces), max(faces))
        with self._w.each("at", ops.FALSE, ops.const(len(faces) - 1)) as at:
            count = self._w.let(self._memory.reader.item(array, at))
            with self._w.when(ops.compare("<", left, count)):
                fewer = ops.add(count, ops.const(-1))
                self._w.put(array, at, ops.trusted(fewer, 0, count.high, "there was one"))
                self._w.set(found, shapes.face_at(self._terms, faces, at))
                self._w.emit(Break())
            self._w.set(
                left, ops.trusted(ops.sub(left, count), 0, number.high, "not below the count")
            )
        return self._w.settled(found)

    # -- moving all

    def wanted(self, move: m.MoveAll, scope: Scope) -> Callable[[Expr], Expr]:
        """Which faces are to move, decided before any of them does."""
        lowest, highest = min(move.faces), max(move.faces)
        with self._w.apart():
            flags = [self._kept(move, ops.const(face), scope) for face in move.faces]
        if all(flag.low == flag.high for flag in flags):
            good = {face for face, flag in zip(move.faces, flags, strict=True) if flag.low}
            return lambda face: self._among(good, face)
        array = self._memory.scratch("wanted", highest - lowest + 1, 0, 1)
        with self._w.each("face", ops.const(lowest), ops.const(highest)) as face:
            kept = ops.both(self._among(set(move.faces), face), self._kept(move, face, scope))
            self._w.put(array, ops.add(face, ops.const(-lowest)), kept)

        def flag(face: Expr) -> Expr:
            inside = ops.inside(face, lowest, highest)
            at = ops.smaller(ops.larger(face, ops.const(lowest)), ops.const(highest))
            at = ops.add(at, ops.const(-lowest))
            return ops.both(inside, self._memory.reader.item(array, at))

        return flag

    def _kept(self, move: m.MoveAll, face: Expr, scope: Scope) -> Expr:
        if move.filter is None:
            return ops.TRUE
        return self._terms.value(move.filter, scope.bind(move.slot, face))

    def _among(self, faces: set[int], face: Expr) -> Expr:
        values = [int(each in faces) for each in range(face.low, face.high + 1)]
        if all(values):
            return ops.TRUE
        return self._memory.entry("among", values, ops.add(face, ops.const(-face.low)))

    def take_all(
        self, zone: m.Zone, place: Expr, wanted: Callable[[Expr], Expr], handling: Handling
    ) -> tuple[str, Expr]:
        """Take all wanted pieces out: an array of their faces in order, and how many they are."""
        most = self._memory.most(zone)
        array = self._memory.scratch("pieces", most, 0, max(zone.faces))
        many = self._w.changing("many", ops.FALSE, 0, most)
        if zone.order == "counts":
            self._from_counts(zone, place, wanted, handling, array, many)
        else:
            self._from_slots(zone, place, wanted, array, many)
        return array, self._w.settled(many)

    def _append(self, array: str, many: Expr, face: Expr, most: int) -> None:
        at = ops.trusted(many, 0, max(most - 1, 0), "no more than there are")
        self._w.put(array, at, face)

    def _from_counts(
        self,
        zone: m.Zone,
        place: Expr,
        wanted: Callable[[Expr], Expr],
        handling: Handling,
        array: str,
        many: Var,
    ) -> None:
        with self._terms.zones.present(zone, place) as position:
            face = self._w.let(shapes.face_at(self._terms, zone.faces, position))
            with self._w.when(wanted(face)):
                count = self._w.let(self._memory.zone_cell(zone, place, position))
                handling.take(self._w, zone, place, face, count)
                with self._w.each("piece", ops.TRUE, count):
                    self._append(array, many, face, many.high)
                    self._w.gain(many, ops.TRUE, CONSERVED)

    def _from_slots(
        self, zone: m.Zone, place: Expr, wanted: Callable[[Expr], Expr], array: str, many: Var
    ) -> None:
        """Out of a stack or row; what stays in a stack closes up."""
        memory, w = self._memory, self._w
        extent = memory.extent(zone)
        stays = w.changing("stays", ops.FALSE, 0, zone.slots)
        stack = zone.order == "stack"
        first = ops.TRUE if stack else ops.FALSE
        size = w.let(memory.stack_size(zone, place)) if stack else ops.const(zone.slots - 1)
        with w.each("slot", first, size) as slot:
            cell = w.let(memory.zone_cell(zone, place, slot))
            index = memory.zone_index(zone, place, slot)
            with w.when(ops.compare(">", cell, ops.FALSE)):
                face = ops.trusted(
                    ops.add(cell, NO_FACE), 0, max(zone.faces), "the cell holds a face"
                )
                branch = w.branch(w.let(wanted(face)))
                with branch.then():
                    self._append(array, many, face, many.high)
                    w.gain(many, ops.TRUE, CONSERVED)
                    w.store(*extent, index, ops.FALSE)
                with branch.otherwise():
                    if stack:
                        w.store(*extent, index, ops.FALSE)
                        w.gain(stays, ops.TRUE, CONSERVED)
                        at = ops.trusted(stays, 1, zone.slots, "no more than before")
                        w.store(*extent, memory.zone_index(zone, place, at), cell)
        if stack:
            w.store(*extent, memory.zone_index(zone, place, ops.FALSE), stays)

    # -- shuffling

    def shuffle(self, zone: m.Zone, place: Expr, draw: Callable[[Expr], Expr]) -> None:
        """Lay the pieces of a stack in the order of faces, then exchange from the top down."""
        memory, w = self._memory, self._w
        if zone.slots < 1:
            return
        extent = memory.extent(zone)
        counts = self._terms.zones.counts(zone, place)
        at = w.changing("at", ops.FALSE, 0, zone.slots)
        with w.each("position", ops.FALSE, ops.const(len(zone.faces) - 1)) as position:
            face = w.let(shapes.face_at(self._terms, zone.faces, position))
            with w.each("piece", ops.TRUE, w.let(counts.at(position))):
                w.gain(at, ops.TRUE, CONSERVED)
                to = ops.trusted(at, 1, zone.slots, "no more than there are")
                w.store(*extent, memory.zone_index(zone, place, to), ops.add(face, ops.TRUE))
        size = w.let(memory.stack_size(zone, place))
        with w.each("done", ops.TRUE, ops.add(size, ops.const(-1))) as done:
            last = w.let(
                ops.trusted(ops.sub(ops.add(size, ops.TRUE), done), 2, zone.slots, "places to fill")
            )
            self._exchange(zone, place, last, ops.add(draw(last), ops.TRUE))

    def _exchange(self, zone: m.Zone, place: Expr, one: Expr, other: Expr) -> None:
        memory, w = self._memory, self._w
        extent = memory.extent(zone)
        other = w.let(ops.trusted(other, 1, zone.slots, "a place of the stack"))
        first = w.let(memory.zone_cell(zone, place, one))
        second = w.let(memory.zone_cell(zone, place, other))
        w.store(*extent, memory.zone_index(zone, place, one), second)
        w.store(*extent, memory.zone_index(zone, place, other), first)
