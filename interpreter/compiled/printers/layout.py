"""Where a program lies in linear memory: for printers whose machine has one.

From the front: the state in canonical bytes and the arrays that begin with it, scratch arrays, the
image of a state before the setup, tables, streams of chance, and at last the results of a batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import repeat
from typing import Any, Final

from gemwright.interpreter.compiled.flat.program import Array, CellRange, Program, Table

_ALIGNED: Final = 16


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers in a row: each `width` bytes (1, 2, 4 or 8), with a sign or without."""

    address: int
    width: int
    signed: bool
    length: int

    @property
    def end(self) -> int:
        """The address behind them."""
        return self.address + self.width * self.length


@dataclass(frozen=True, slots=True)
class Run:
    """Cells `first..last` that are stored alike: `width` bytes each, minus `low`."""

    first: int
    last: int
    address: int
    width: int
    low: int


@dataclass(frozen=True, slots=True)
class MemoryMap:
    """What the caller of a machine with linear memory needs to know of it.

    The state lies at address 0. `seed` has 8 bytes, `done` (how many games of a batch were kept)
    and `failed` (the number of the reason why a game was given up) have 4. From `results` on a
    batch puts its games: the state, then the array `record`.
    """

    state_bytes: int
    record_bytes: int
    seed: int
    done: int
    failed: int
    results: int
    arrays: Mapping[str, Numbers]

    @property
    def game_bytes(self) -> int:
        """Bytes of one game in the results."""
        return self.state_bytes + self.record_bytes

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        data = {each.name: getattr(self, each.name) for each in fields(self)}
        return data | {"arrays": {name: astuple(each) for name, each in self.arrays.items()}}

    @staticmethod
    def from_json(data: dict[str, Any]) -> MemoryMap:
        """The inverse of `to_json`."""
        arrays = {name: Numbers(*each) for name, each in data["arrays"].items()}
        return MemoryMap(**{**data, "arrays": arrays})


class Layout:
    """Addresses of everything in a program.

    Attributes:
        state_bytes: the length of the state in canonical bytes; it lies at address 0.
        image: where the state before the setup lies, `begun` bytes with the arrays that begin so.
        keys, ticks: streams of chance outside the state, by their numbers from 0.
        rolled: where a state lies that is played to its end again and again.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.offsets = _offsets(program.cells)
        self.state_bytes = self.offsets[-1]
        self._runs = self.runs(0, len(program.cells) - 1)
        self.arrays: dict[str, Numbers] = {}
        at = _up(self.state_bytes)
        for array in sorted(program.arrays, key=lambda each: not each.start):
            self.arrays[array.name] = numbers = _numbers_of(array, at)
            at = _up(numbers.end)
            if array.start:
                self.begun = numbers.end
        self.begun = max(
            [self.state_bytes, *(self.arrays[a.name].end for a in program.arrays if a.start)]
        )
        self.image, at = at, _up(at + self.begun)
        self.tables: dict[str, Numbers] = {}
        for table in program.tables:
            self.tables[table.name] = numbers = _numbers_of(table, at)
            at = numbers.end
        self.keys = Numbers(_up(at), 8, True, program.players + 1)
        self.ticks = Numbers(self.keys.end, 8, True, program.players + 1)
        self.seed = self.ticks.end
        self.done = self.seed + 8
        self.failed = self.done + 4
        self.rolled = _up(self.failed + 4)
        self.results = _up(self.rolled + self.state_bytes)
        record = self.arrays.get("record")
        self.record_bytes = 0 if record is None else record.width * record.length

    def memory_map(self) -> MemoryMap:
        """What callers need to know."""
        return MemoryMap(
            self.state_bytes,
            self.record_bytes,
            self.seed,
            self.done,
            self.failed,
            self.results,
            dict(self.arrays),
        )

    def runs(self, first: int, last: int) -> list[Run]:
        """Cells as runs of cells that are stored alike."""
        found: list[Run] = []
        for number in range(first, last + 1):
            cell = self.program.cells[number]
            if found and (found[-1].width, found[-1].low) == (cell.width, cell.low):
                old = found[-1]
                found[-1] = Run(old.first, number, old.address, old.width, old.low)
            else:
                found.append(Run(number, number, self.offsets[number], cell.width, cell.low))
        return found

    # -- bytes

    def state(self, cells: Sequence[int]) -> bytes:
        """Cells in canonical bytes."""
        return b"".join(map(_bytes_of, self._runs, repeat(cells)))

    def begun_image(self) -> bytes:
        """The state before the setup, and the arrays that begin with it."""
        image = bytearray(self.begun)
        state = self.state(self.program.start)
        image[: len(state)] = state
        for array in self.program.arrays:
            if array.start:
                numbers = self.arrays[array.name]
                image[numbers.address : numbers.end] = packed(numbers, array.start)
        return bytes(image)

    def constants(self) -> list[tuple[int, bytes]]:
        """All bytes that lie in memory from the start, with their addresses."""
        found = [(self.image, self.begun_image())]
        found += [
            (self.tables[table.name].address, packed(self.tables[table.name], table.values))
            for table in self.program.tables
        ]
        return found


def _bytes_of(run: Run, cells: Sequence[int]) -> bytes:
    values: Iterable[int] = cells[run.first : run.last + 1]
    if run.low:
        values = (value - run.low for value in values)
    if run.width == 1:
        return bytes(values)
    return b"".join(value.to_bytes(run.width, "little") for value in values)


def packed(numbers: Numbers, values: Sequence[int]) -> bytes:
    """Numbers as bytes."""
    return b"".join(
        value.to_bytes(numbers.width, "little", signed=numbers.signed) for value in values
    )


def unpacked(numbers: Numbers, data: bytes) -> list[int]:
    """The numbers of bytes."""
    width = numbers.width
    return [
        int.from_bytes(data[at : at + width], "little", signed=numbers.signed)
        for at in range(0, len(data), width)
    ]


def _up(address: int) -> int:
    return -(-address // _ALIGNED) * _ALIGNED


def _offsets(cells: Sequence[CellRange]) -> list[int]:
    found = [0]
    for cell in cells:
        found.append(found[-1] + cell.width)
    return found


def _numbers_of(each: Array | Table, address: int) -> Numbers:
    if isinstance(each, Array):
        return numbers(address, each.low, each.high, each.length)
    return numbers(address, min(each.values), max(each.values), len(each.values))


def numbers(address: int, low: int, high: int, length: int) -> Numbers:
    """Numbers in `low..high`, as narrow as they can be."""
    for width in (1, 2, 4, 8):
        bits = 8 * width
        if low >= 0 and high < 1 << bits and width < 8:
            return Numbers(address, width, False, length)
        if -(1 << bits - 1) <= low and high < 1 << bits - 1:
            return Numbers(address, width, True, length)
    raise ValueError(f"{low}..{high} needs more than 64 bits")
