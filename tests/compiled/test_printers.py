"""The printers say the same: random functions in every language, memory of every width."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import wasmtime
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.interpreter.chance import Stream, key
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.build import Maker, Writer
from gemwright.interpreter.compiled.machine import GivenUp
from gemwright.interpreter.compiled.printers.layout import MemoryMap, numbers, packed, unpacked
from gemwright.interpreter.compiled.printers.python import function_name, python_source
from gemwright.interpreter.compiled.printers.python_values import array_name
from gemwright.interpreter.compiled.printers.wasm_code import signed, unsigned
from gemwright.interpreter.compiled.printers.wasm_module import WasmModule

from .c_machine import CMachine
from .flat_runs import Left, Runs
from .random_programs import RandomFunction


@cache
def engine() -> Any:
    """One engine for all tests; it goes before the interpreter does."""
    atexit.register(engine.cache_clear)
    return wasmtime.Engine()


class Printed:
    """A program in Python, in WebAssembly and in C."""

    def __init__(self, program: p.Program) -> None:
        self.space: dict[str, Any] = {}
        exec(python_source(program), self.space)
        module = WasmModule(program, [each.name for each in program.functions], 0)
        self.layout = module.layout
        self.store = wasmtime.Store(engine())
        found = wasmtime.Instance(self.store, wasmtime.Module(engine(), module.binary), [])
        self.exports = found.exports(self.store)
        self.exports["memory"].write(self.store, self.layout.begun_image(), 0)
        self.library = CMachine(program)
        self.library.load(self.layout.state(program.start))
        for array in program.arrays:
            if array.start:
                self.library.put(array.name, array.start)

    def python(self, name: str, *args: int) -> int | str:
        try:
            return int(self.space[function_name(name)](*args) or 0)
        except self.space["Failed"]:
            return "fail"

    def wasm(self, name: str, *args: int) -> int | str:
        try:
            return self.exports[name](self.store, *args) or 0
        except wasmtime.Trap as trap:
            assert trap.trap_code == wasmtime.TrapCode.UNREACHABLE
            return "fail"

    def c(self, name: str, *args: int) -> int | str:
        try:
            return self.library.call(name, *args)
        except GivenUp:
            return "fail"

    def all(self, name: str, *args: int) -> set[int | str]:
        """What a function gives, in every language."""
        return {self.python(name, *args), self.wasm(name, *args), self.c(name, *args)}

    def states(self) -> set[bytes]:
        """The state in canonical bytes, of every language."""
        return {self.layout.state(self.space["s"]), self.state(), self.library.save()}

    def state(self) -> bytes:
        return bytes(self.exports["memory"].read(self.store, 0, self.layout.state_bytes))

    def array(self, name: str) -> Sequence[int]:
        found = self.layout.arrays[name]
        data = self.exports["memory"].read(self.store, found.address, found.end)
        return unpacked(found, bytes(data))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_random_functions_mean_the_same(data: st.DataObject) -> None:
    program = RandomFunction(data).program()
    a, b = data.draw(st.integers(-20, 300)), data.draw(st.integers(0, 5))
    runs = Runs(program)
    try:
        wanted: int | str = runs.call("f", a, b)
    except Left:
        wanted = "fail"
    printed = Printed(program)
    assert printed.all("f", a, b) == {wanted}
    if wanted != "fail":
        assert printed.states() == {printed.layout.state(runs.cells)}
        assert printed.space[array_name("numbers")] == runs.arrays["numbers"]
        assert printed.array("numbers") == runs.arrays["numbers"]
        assert printed.library.array("numbers") == runs.arrays["numbers"]


WIDE = (
    p.CellRange(5, 10),
    p.CellRange(-300, 300),
    p.CellRange(0, 1 << 20),
    p.CellRange(-7, 1 << 36),
    p.CellRange(0, 1 << 44),
    p.CellRange(-(1 << 50), 1 << 50),
    p.CellRange(0, (1 << 64) - 1),
    p.CellRange(0, (1 << 32) - 1),
)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_cells_of_every_width_are_read_and_written_through_one_index(data: st.DataObject) -> None:
    """Unlike cells side by side: 1 to 8 bytes, each with a lowest value of its own."""
    maker = Maker("wide", 2, WIDE, 6)
    w = Writer(maker)
    at, to = p.Var(0, 5, "at"), p.Var(0, 5, "to")
    found = w.let(w.reader.cell(0, 5, at))
    least = max(cell.low for cell in WIDE[:6])
    most = min(cell.high for cell in WIDE[:6])
    fits = ops.larger(ops.smaller(found, ops.const(most)), ops.const(least))
    w.store(0, 5, to, fits)
    w.emit(p.Return(found))
    maker.function(w.function("f", [at, to], (found.low, found.high)))
    start = tuple(data.draw(st.integers(cell.low, cell.high)) for cell in WIDE[:6])
    program = maker.program((*start, 0, 0))
    printed, runs = Printed(program), Runs(program)
    here, there = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))
    assert printed.all("f", here, there) == {runs.call("f", here, there)}
    assert printed.states() == {printed.layout.state(runs.cells)}


@pytest.mark.parametrize("most", [(1 << 31) - 1, (1 << 32) - 1])
def test_numbers_without_a_sign_are_subtracted_with_one(most: int) -> None:
    """From memory of 32 bits, whether or not a sign would have fitted in."""
    maker = Maker("large", 2, (p.CellRange(0, 9),), 0)
    maker.array("large", 2, 0, most, (1, most))
    table = maker.table("large", (2, most))
    w = Writer(maker)
    a, b = p.Var(0, 1, "a"), p.Var(0, 1, "b")
    difference = ops.sub(w.reader.item("large", a), w.reader.entry(table, b))
    w.emit(p.Return(ops.select(ops.compare("<", difference, ops.FALSE), difference, ops.FALSE)))
    maker.function(w.function("f", [a, b], (-most, most)))
    printed = Printed(maker.program((0,)))
    for one, other in ((0, 0), (0, 1), (1, 0), (1, 1)):
        wanted = min((1, most)[one] - (2, most)[other], 0)
        assert printed.all("f", one, other) == {wanted}


@pytest.mark.parametrize("most", [6, 1 << 32, (1 << 32) + 1, (1 << 62) + 12345])
def test_draws_are_those_of_the_language(most: int) -> None:
    maker = Maker("draws", 2, (p.CellRange(0, (1 << 64) - 1), p.CellRange(0, (1 << 32) - 1)), 0)
    w = Writer(maker)
    stream, n = p.Var(0, 2, "stream"), p.Var(1, most, "n")
    drawn = w.var("drawn", 0, most - 1)
    w.emit(p.Draw(drawn, stream, n))
    w.emit(p.Return(drawn))
    maker.function(w.function("f", [stream, n], (0, most - 1)))
    begin = Writer(maker)
    begin.emit(p.Begin(p.Var(0, 1 << 40, "number")))
    maker.function(begin.function("start", [p.Var(0, 1 << 40, "number")], None))
    printed = Printed(maker.program((0, 0)))
    seed, game = 99, 1234567
    printed.space["seed"] = seed
    memory = printed.exports["memory"]
    memory.write(printed.store, seed.to_bytes(8, "little"), printed.layout.seed)
    printed.library.seed(seed)
    printed.all("start", game)
    streams = [Stream(seed, game, number) for number in range(3)]
    for number in (0, 1, 1, 0, 2, 2, 0):
        for n in (most, 1, max(1, most // 3)):
            assert printed.all("f", number, n) == {streams[number].below(n)}
    (state,) = printed.states()
    assert int.from_bytes(state[:8], "little") == key(seed, game)


def test_a_function_without_a_result_gives_nothing_and_a_switch_finds_its_block() -> None:
    maker = Maker("switch", 2, (p.CellRange(0, 99),), 0)
    w = Writer(maker)
    case = p.Var(0, 6, "case")
    blocks: list[tuple[p.Stmt, ...]] = []
    for number in range(7):
        with w.block() as body:
            w.store(0, 0, ops.const(0), ops.const(10 + number))
        blocks.append(tuple(body))
    w.emit(p.Switch(case, tuple(blocks)))
    maker.function(w.function("f", [case], None))
    printed = Printed(maker.program((0,)))
    for number in range(7):
        assert printed.all("f", number) == {0}
        assert printed.states() == {bytes([10 + number])}


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_numbers_in_leb128(value: int) -> None:
    assert decoded(signed(value), True) == value
    assert decoded(unsigned(abs(value)), False) == abs(value)


def decoded(data: bytes, sign: bool) -> int:
    value = 0
    for place, byte in enumerate(data):
        value |= (byte & 0x7F) << 7 * place
        assert (byte & 0x80 != 0) == (place + 1 < len(data))
    negative = sign and data[-1] & 0x40
    return value - (1 << 7 * len(data)) if negative else value


@given(st.data())
def test_numbers_are_as_narrow_as_they_can_be_and_come_back(data: st.DataObject) -> None:
    low = data.draw(st.integers(-(1 << 62), 1 << 62))
    high = data.draw(st.integers(low, 1 << 62))
    found = numbers(0, low, high, 3)
    values = [low, high, data.draw(st.integers(low, high))]
    assert unpacked(found, packed(found, values)) == values
    if found.width > 1:
        narrower = 8 * found.width // 2
        assert low < -(1 << narrower - 1) or high >= 1 << narrower - (low < 0)


def test_a_map_of_memory_survives_as_json() -> None:
    maker = Maker("map", 2, WIDE, 6)
    maker.array("array", 3, -5, 5)
    found = WasmModule(maker.program((5, 0, 0, 0, 0, 0, 0, 0)), (), 0).layout.memory_map()
    assert MemoryMap.from_json(found.to_json()) == found
    assert replace(found, results=0) != found
