"""Where things lie: state cells of the model, and arrays that are kept beside them.

Sizes, column sums and presence of pieces in zones with many kinds of pieces are kept up to date by
every put and take, so that nothing has to add up a hundred cells. They are no part of the state:
`Memory.start` gives their first values, and `refresh` works them out again for a state from
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import Layout, initial_block
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Maker, Writer
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import CellRange, Const, Expr

SMALL: Final = 8
"""Zones of counts over more faces than this have their sizes and sums kept."""

WORD: Final = 60
"""Faces per word of presence bits."""

CONSERVED: Final = "pieces are neither made nor lost"


@dataclass(frozen=True, slots=True)
class Column:
    """Sums that are kept per instance of a zone: of `weights[k][position]`, for each k."""

    array: str
    weights: tuple[tuple[int, ...], ...]


class Memory:
    """The cells of a model and the arrays beside them; arrays come into being when asked for."""

    def __init__(self, model: m.Game) -> None:
        self.model = model
        self.layout = Layout(model)
        cells = tuple(CellRange(*each) for each in zip(model.low, model.high, strict=True))
        self.maker = Maker(model.name, model.players, cells, model.chance_offset)
        self.start_block = tuple(initial_block(model, 0))
        self._scratch = 0
        self.sizes: set[int] = set()
        self.present: set[int] = set()
        self.columns: dict[int, dict[tuple[tuple[int, ...], ...], Column]] = {}

    @property
    def reader(self) -> Reader:
        """Makes reads."""
        return self.maker.reader

    # -- cells

    def cell(self, number: int) -> Expr:
        """A cell by its number."""
        return self.reader.cell(number, number, ops.const(number))

    def variable_index(self, variable: m.Variable, position: Expr) -> Expr:
        """The cell number of a state variable."""
        return ops.add(position, ops.const(variable.offset))

    def variable(self, variable: m.Variable, position: Expr) -> Expr:
        """The value of a state variable."""
        index = self.variable_index(variable, position)
        return self.reader.cell(variable.offset, variable.offset + variable.size - 1, index)

    def zone_index(self, zone: m.Zone, place: Expr, within: Expr) -> Expr:
        """The cell number of cell `within` of the instance at `place` of a zone family."""
        base = ops.add(ops.mul(place, ops.const(zone.stride)), ops.const(zone.offset))
        return ops.add(base, within)

    def zone_cell(self, zone: m.Zone, place: Expr, within: Expr) -> Expr:
        """A cell of a zone instance."""
        index = self.zone_index(zone, place, within)
        return self.reader.cell(*self.extent(zone), index)

    def stack_size(self, zone: m.Zone, place: Expr) -> Expr:
        """How many pieces lie in a stack."""
        size = self.zone_cell(zone, place, ops.const(0))
        assert 0 <= size.low <= size.high <= zone.slots, "the first cell of a stack is its size"
        return size

    def extent(self, zone: m.Zone) -> tuple[int, int]:
        """The first and last cell of a zone family."""
        return zone.offset, zone.offset + zone.size * zone.stride - 1

    def most(self, zone: m.Zone) -> int:
        """How many pieces an instance can hold."""
        if zone.order != "counts":
            return zone.slots
        return sum(self.model.faces[face].count for face in zone.faces)

    # -- positions of faces

    def position(self, zone: m.Zone, face: Expr) -> Expr:
        """The position of a face in a zone; -1 if it cannot lie there."""
        return self.place_in(zone.faces, face)

    def place_in(self, faces: tuple[int, ...], face: Expr) -> Expr:
        """The position of a face in a list of faces; -1 if it is not in there."""
        if isinstance(face, Const):
            return ops.const(faces.index(face.low) if face.low in faces else -1)
        inside = [each for each in range(face.low, face.high + 1) if each in faces]
        if not inside:
            return ops.const(-1)
        wanted = tuple(range(face.low, face.high + 1))
        at = faces.index(inside[0])
        if faces[at : at + len(wanted)] == wanted:
            return ops.add(face, ops.const(at - face.low))
        number = {each: at for at, each in enumerate(faces)}
        values = [number.get(each, -1) for each in range(face.low, face.high + 1)]
        return self.entry("place", values, ops.add(face, ops.const(-face.low)))

    def entry(self, hint: str, values: Sequence[int], index: Expr) -> Expr:
        """An entry of a table that is made here."""
        number = ops.known(index)
        if number is not None:
            return ops.const(values[number])
        low = max(index.low, 0)
        here = values[low : index.high + 1]
        if all(value == here[0] + at for at, value in enumerate(here)):
            return ops.add(index, ops.const(here[0] - low))
        return self.reader.entry(self.maker.table(hint, values), index)

    # -- what is kept

    def is_large(self, zone: m.Zone) -> bool:
        """Whether sizes and sums of a zone are kept."""
        return zone.order == "counts" and len(zone.faces) > SMALL

    def size(self, zone: m.Zone, place: Expr) -> Expr:
        """How many pieces lie in an instance of a zone of counts whose sizes are kept."""
        name = f"size_{zone.id}"
        if zone.id not in self.sizes:
            self.sizes.add(zone.id)
            start = [sum(self._counts(zone, at)) for at in range(zone.size)]
            self.maker.array(name, zone.size, 0, self.most(zone), start)
        return self.reader.item(name, place)

    def words(self, zone: m.Zone) -> int:
        """Words of presence bits per instance."""
        return -(-len(zone.faces) // WORD)

    def scratch(self, hint: str, length: int, low: int, high: int) -> str:
        """An array of its own that is written before it is read."""
        self._scratch += 1
        return self.maker.array(f"{hint}_{self._scratch}", max(length, 1), low, high)

    def presence(self, zone: m.Zone, place: Expr, word: Expr) -> Expr:
        """Which positions of a word of positions hold pieces, as bits."""
        words, name = self.words(zone), f"present_{zone.id}"
        if zone.id not in self.present:
            self.present.add(zone.id)
            start = [bits for at in range(zone.size) for bits in self._bits(zone, at)]
            most = (1 << min(WORD, len(zone.faces))) - 1
            self.maker.array(name, zone.size * words, 0, most, start)
        return self.reader.item(name, ops.add(ops.mul(place, ops.const(words)), word))

    def column(self, zone: m.Zone, weights: tuple[tuple[int, ...], ...]) -> Column:
        """Sums that are kept from now on."""
        known = self.columns.setdefault(zone.id, {})
        found = known.get(weights)
        if found is None:
            found = known[weights] = Column(f"sum_{zone.id}_{len(known)}", weights)
            low, high = self._column_range(zone, weights)
            start = [
                sum(w * n for w, n in zip(row, self._counts(zone, at), strict=True))
                for at in range(zone.size) for row in weights
            ]  # fmt: skip
            self.maker.array(found.array, len(start), low, high, start)
        return found

    def column_sum(self, column: Column, place: Expr, number: Expr) -> Expr:
        """A sum that is kept."""
        index = ops.add(ops.mul(place, ops.const(len(column.weights))), number)
        return self.reader.item(column.array, index)

    def _column_range(self, zone: m.Zone, weights: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
        counts = [self.model.faces[face].count for face in zone.faces]
        totals = [[w * n for w, n in zip(row, counts, strict=True)] for row in weights]
        low = min(sum(min(each, 0) for each in row) for row in totals)
        high = max(sum(max(each, 0) for each in row) for row in totals)
        return low, high

    def _counts(self, zone: m.Zone, place: int) -> tuple[int, ...]:
        offset = zone.offset + place * zone.stride
        return self.start_block[offset : offset + len(zone.faces)]

    def _bits(self, zone: m.Zone, place: int) -> list[int]:
        counts = self._counts(zone, place)
        return [
            sum(1 << at for at, n in enumerate(counts[first : first + WORD]) if n)
            for first in range(0, len(counts), WORD)
        ]

    # -- keeping

    def changed(self, w: Writer, zone: m.Zone, place: Expr, position: Expr, n: Expr) -> None:
        """Write what follows from `n` more pieces (or -n fewer) at a position of counts."""
        if zone.id in self.sizes:
            old = self.size(zone, place)
            w.put(f"size_{zone.id}", place, self._moved(old, ops.add(old, n), f"size_{zone.id}"))
        for column in self.columns.get(zone.id, {}).values():
            for number, row in enumerate(column.weights):
                gain = ops.mul(self.entry("weight", row, position), n)
                if gain != ops.FALSE:
                    self._gain(w, column, place, number, gain)
        if zone.id in self.present:
            self._mark(w, zone, place, position)

    def _gain(self, w: Writer, column: Column, place: Expr, number: int, gain: Expr) -> None:
        old = self.column_sum(column, place, ops.const(number))
        index = ops.add(ops.mul(place, ops.const(len(column.weights))), ops.const(number))
        w.put(column.array, index, self._moved(old, ops.add(old, gain), column.array))

    def _moved(self, old: Expr, value: Expr, array: str) -> Expr:
        low, high = self.reader.arrays[array]
        return ops.trusted(value, low, high, CONSERVED)

    def _mark(self, w: Writer, zone: m.Zone, place: Expr, position: Expr) -> None:
        """Set or clear the presence bit of a position, as its cell says."""
        there = ops.compare(">", self.zone_cell(zone, place, position), ops.FALSE)
        words = self.words(zone)
        for word in range(words):
            first = word * WORD
            inside = ops.inside(position, first, min(first + WORD, len(zone.faces)) - 1)
            with w.when(inside):
                at = ops.trusted(
                    ops.add(position, ops.const(-first)), 0, WORD - 1, "a bit of this word"
                )
                bit = w.let(ops.shift_left(ops.TRUE, at))
                index = ops.add(ops.mul(place, ops.const(words)), ops.const(word))
                old = self.reader.item(f"present_{zone.id}", index)
                both = w.let(ops.bit_or(old, bit))
                most = self.reader.arrays[f"present_{zone.id}"][1]
                cleared = ops.trusted(ops.sub(both, bit), 0, most, "the bit was set")
                kept = ops.trusted(both, 0, most, "bits of a word")
                w.put(f"present_{zone.id}", index, ops.select(there, kept, cleared))

    def refresh(self, w: Writer) -> None:
        """Work out all that is kept from the cells."""
        for zone in self.model.zones:
            kept = zone.id in self.sizes or zone.id in self.present or zone.id in self.columns
            if not kept:
                continue
            self._clear(w, zone)
            with (
                w.each("place", ops.const(0), ops.const(zone.size - 1)) as place,
                w.each("position", ops.const(0), ops.const(len(zone.faces) - 1)) as position,
            ):
                count = w.let(self.zone_cell(zone, place, position))
                with w.when(ops.compare(">", count, ops.FALSE)):
                    self.changed(w, zone, place, position, count)

    def _clear(self, w: Writer, zone: m.Zone) -> None:
        lengths: dict[str, int] = {}
        if zone.id in self.sizes:
            lengths[f"size_{zone.id}"] = zone.size
        if zone.id in self.present:
            lengths[f"present_{zone.id}"] = zone.size * self.words(zone)
        for column in self.columns.get(zone.id, {}).values():
            lengths[column.array] = zone.size * len(column.weights)
        for array, length in lengths.items():
            with w.each("at", ops.const(0), ops.const(length - 1)) as at:
                w.put(array, at, ops.FALSE)
