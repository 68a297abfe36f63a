"""Reading zone instances: sizes, counts, tops. An instance is a zone family and a place in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower.memory import SMALL, WORD, Memory

NO_FACE: Final = ops.const(-1)


class Zones:
    """Reads zone instances in one function."""

    def __init__(self, memory: Memory, writer: Writer) -> None:
        self.memory = memory
        self.w = writer

    def size(self, zone: m.Zone, place: Expr) -> Expr:
        """How many pieces lie there."""
        cell = self.memory.zone_cell
        if zone.order == "stack":
            return self.memory.stack_size(zone, place)
        if self.memory.is_large(zone):
            return self.memory.size(zone, place)
        cells = [cell(zone, place, ops.const(at)) for at in range(zone.stride)]
        if zone.order == "row":
            return ops.total(ops.compare("!=", each, ops.FALSE) for each in cells)
        return ops.trusted(
            ops.total(cells), 0, self.memory.most(zone), "no more pieces than there are"
        )

    def count(self, zone: m.Zone, place: Expr, face: Expr) -> Expr:
        """How many pieces of a face lie there."""
        if zone.order == "counts":
            position = self.memory.position(zone, face)
            return self.or_none(position, lambda at: self.memory.zone_cell(zone, place, at))
        wanted = self.w.let(ops.add(face, ops.const(1)))
        if zone.order == "row" and zone.slots <= SMALL:
            return ops.total(
                ops.equal(self.memory.zone_cell(zone, place, ops.const(at)), wanted)
                for at in range(zone.slots)
            )
        found = self.w.changing("count", ops.FALSE, 0, zone.slots)
        with self.slots(zone, place) as cell:
            self.w.gain(found, ops.equal(cell, wanted))
        return self.w.settled(found)

    @contextmanager
    def slots(self, zone: m.Zone, place: Expr) -> Iterator[Expr]:
        """A loop over the cells of a stack that hold pieces, or of a row."""
        if zone.order == "stack":
            low, high = ops.const(1), self.memory.stack_size(zone, place)
        else:
            low, high = ops.const(0), ops.const(zone.slots - 1)
        with self.w.each("slot", low, high) as at:
            yield self.memory.zone_cell(zone, place, at)

    def top(self, zone: m.Zone, place: Expr) -> Expr:
        """The face on top of a stack; -1 if it is empty."""
        size = self.w.let(self.size(zone, place))
        at = ops.larger(size, ops.const(1))
        if zone.slots == 0:
            return NO_FACE
        face = ops.add(self.memory.zone_cell(zone, place, at), NO_FACE)
        face = ops.trusted(face, 0, max(zone.faces), "the cells below the top hold faces")
        return self.w.let(ops.select(ops.compare(">", size, ops.FALSE), face, NO_FACE))

    @contextmanager
    def present(self, zone: m.Zone, place: Expr) -> Iterator[Expr]:
        """A loop over the positions of the faces that lie there, in order; once per face."""
        if self.memory.is_large(zone):
            with self._kept(zone, place) as position:
                yield position
        elif zone.order == "counts":
            with self.w.each("position", ops.const(0), ops.const(len(zone.faces) - 1)) as at:
                there = ops.compare(">", self.memory.zone_cell(zone, place, at), ops.FALSE)
                with self.w.when(there):
                    yield at
        else:
            with self._seen(zone, place) as position:
                yield position

    @contextmanager
    def _kept(self, zone: m.Zone, place: Expr) -> Iterator[Expr]:
        """Over presence bits that are kept."""
        words = self.memory.words(zone)
        with self.w.each("word", ops.FALSE, ops.const(words - 1)) as var:
            word: Expr = ops.FALSE if words == 1 else var
            with self.w.bits("bit", self.memory.presence(zone, place, word)) as bit:
                yield self._position(zone, word, bit)

    @contextmanager
    def _seen(self, zone: m.Zone, place: Expr) -> Iterator[Expr]:
        """Over presence bits that are gathered from the pieces of a stack or row."""
        words = self.memory.words(zone)
        every = (1 << WORD) - 1
        seen = [self.w.changing("seen", ops.FALSE, 0, every) for _ in range(words)]
        with self.slots(zone, place) as cell:
            cell = self.w.let(cell)
            for word, bits in enumerate(seen):
                self.w.set(bits, ops.bit_or(bits, self._bit(zone, word, cell)))
        with self.w.each("word", ops.FALSE, ops.const(words - 1)) as at:
            here: Expr = ops.FALSE
            for word, bits in enumerate(seen):
                here = ops.select(ops.equal(at, ops.const(word)), self.w.settled(bits), here)
            with self.w.bits("bit", here) as bit:
                yield self._position(zone, at, bit)

    def _bit(self, zone: m.Zone, word: int, cell: Expr) -> Expr:
        """The bit of a word that stands for what a cell holds; 0 if it is empty or in another."""
        number = {face: at - word * WORD for at, face in enumerate(zone.faces)}
        faces = [number.get(value - 1, -1) for value in range(cell.high + 1)]
        bits = [1 << at if 0 <= at < WORD else 0 for at in faces]
        return self.memory.entry("bits", bits, cell)

    def _position(self, zone: m.Zone, word: Expr, bit: Expr) -> Expr:
        position = ops.add(ops.mul(word, ops.const(WORD)), bit)
        return self.w.let(ops.trusted(position, 0, len(zone.faces) - 1, "bits stand for faces"))

    # -- counts of all faces

    def counts(self, zone: m.Zone, place: Expr) -> Counts:
        """The counts of an instance; those of a stack or row are gathered now."""
        if zone.order == "counts":
            return Counts(self, zone, place, "")
        most = max(zone.slots, 1)
        array = self.memory.scratch("counts", len(zone.faces), 0, most)
        last = ops.const(len(zone.faces) - 1)
        with self.w.each("at", ops.FALSE, last) as at:
            self.w.put(array, at, ops.FALSE)
        with self.slots(zone, place) as cell, self.w.when(ops.compare(">", cell, ops.FALSE)):
            face = ops.trusted(ops.add(cell, NO_FACE), 0, max(zone.faces), "the cell holds a face")
            position = ops.trusted(
                self.memory.position(zone, face), 0, len(zone.faces) - 1, "it lies there"
            )
            at = self.w.let(position)
            more = ops.add(self.memory.reader.item(array, at), ops.const(1))
            self.w.put(array, at, ops.trusted(more, 0, most, "no more than slots"))
        return Counts(self, zone, place, array)

    def or_none(self, position: Expr, read: Callable[[Expr], Expr]) -> Expr:
        """What stands at a position; 0 where the position is -1."""
        if position.high < 0:
            return ops.FALSE
        if position.low >= 0:
            return read(position)
        position = self.w.let(position)
        there = ops.compare(">=", position, ops.FALSE)
        return ops.select(there, read(ops.larger(position, ops.FALSE)), ops.FALSE)


class Counts:
    """The counts of a zone instance over all its faces, by position."""

    def __init__(self, zones: Zones, zone: m.Zone, place: Expr, array: str) -> None:
        self._zones = zones
        self.zone = zone
        self.place = place
        self._array = array

    def at(self, position: Expr) -> Expr:
        """The count at a position."""
        if self._array:
            return self._zones.memory.reader.item(self._array, position)
        return self._zones.memory.zone_cell(self.zone, self.place, position)
