"""Runs a flat program as WebAssembly by the package `wasmtime`, which the extra `fast` brings."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final

import wasmtime

from gemwright.interpreter.compiled.machine import CALL_WORK, GivenUp, OutOfWork, PlayedGame
from gemwright.interpreter.compiled.passes.meter import OUT_OF_WORK, WORK
from gemwright.interpreter.compiled.printers.layout import MemoryMap, packed, unpacked

_FORMATS: Final = {
    (1, False): "B",
    (1, True): "b",
    (2, False): "H",
    (2, True): "h",
    (4, False): "I",
    (4, True): "i",
    (8, True): "q",
}
"""(width, signed) of numbers -> their letter in `struct`."""


class WasmMachine:
    """One instance of a module.

    Args:
        engine: shared by all machines of a process.
        module: as `wasmtime` compiled it.
        map: of the memory of the module.
        reasons: why games are given up, by number.
    """

    name = "wasm"

    def __init__(
        self,
        engine: wasmtime.Engine,
        module: wasmtime.Module,
        map: MemoryMap,
        reasons: Sequence[str],
    ) -> None:
        self._map = map
        self._reasons = reasons
        self._store = wasmtime.Store(engine)
        exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        size = memory.data_len(self._store)
        address = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value or 0
        # The memory never grows, so it stays where it is. It lives as long as the store.
        self._bytes = (ctypes.c_ubyte * size).from_address(address)
        self._memory = memoryview(self._bytes).cast("B")
        self._stop: Exception | None = None
        work = address + map.arrays[WORK].address
        self._work = ctypes.c_int64.from_address(work)
        self._functions: dict[str, Callable[..., int]] = {}
        for export in module.exports:
            found = exports[export.name]
            if isinstance(found, wasmtime.Func):
                self._functions[export.name] = raw_call(self._store, found)

    # -- states

    def load(self, state: bytes) -> None:
        """See `Machine`."""
        self._memory[: self._map.state_bytes] = state

    def save(self) -> bytes:
        """See `Machine`."""
        return bytes(self._memory[: self._map.state_bytes])

    def array(self, name: str) -> Sequence[int]:
        """See `Machine`."""
        numbers = self._map.arrays.get(name)
        if numbers is None:
            return ()
        return unpacked(numbers, bytes(self._memory[numbers.address : numbers.end]))

    def put(self, name: str, values: Sequence[int]) -> None:
        """See `Machine`."""
        numbers = self._map.arrays[name]
        data = packed(numbers, values)
        self._memory[numbers.address : numbers.address + len(data)] = data

    # -- calls

    def call(self, function: str, *args: int) -> int:
        """See `Machine`."""
        self._work.value = CALL_WORK
        return self._call(function, *args)

    def _call(self, function: str, *args: int) -> int:
        try:
            return self._functions[function](*args)
        except wasmtime.Trap as trap:
            raise self._stopped(trap) from None

    def _stopped(self, trap: wasmtime.Trap) -> Exception:
        if trap.trap_code != wasmtime.TrapCode.UNREACHABLE:
            return trap
        reason = self._reasons[self._number(self._map.failed)]
        return OutOfWork() if reason == OUT_OF_WORK else GivenUp(reason)

    def _number(self, address: int) -> int:
        return int.from_bytes(self._memory[address : address + 4], "little")

    def _start(self, seed: int, work: int) -> None:
        at = self._map.seed
        self._memory[at : at + 8] = (seed & (1 << 64) - 1).to_bytes(8, "little")
        self._work.value = work

    def batch(
        self, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`."""
        self._start(seed, work)
        games = min(games, self._room(self._map.game_bytes))
        return self._results(lambda: self._call("batch", first, games, most), games)

    def roll_outs(
        self, state: bytes, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`."""
        self._start(seed, work)
        self.load(state)
        games = min(games, self._room(self._map.game_bytes))
        return self._results(lambda: self._call("rolls", first, games, most), games)

    def steps(
        self, states: Sequence[bytes], moves: Sequence[int], work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`."""
        self._work.value = work
        size = self._map.state_bytes + 8
        games = min(len(states), self._room(size))
        first = self._map.results
        self._memory[first : first + games * size] = b"".join(
            state + move.to_bytes(8, "little")
            for state, move in zip(states[:games], moves[:games], strict=True)
        )
        done = self._done(lambda: self._call("steps", games), games)
        data = bytes(self._memory[first : first + done * size])
        played: list[PlayedGame | None] = []
        for at in range(0, len(data), size):
            middle = at + self._map.state_bytes
            played.append(PlayedGame(data[at:middle], (data[middle],)))
        return self._closed(played, games)

    def _room(self, size: int) -> int:
        """How many results of a size there is room for."""
        return max(1, (len(self._memory) - self._map.results) // size)

    def _done(self, run: Callable[[], int], games: int) -> int:
        """Run a function over many games: how many were done before one was given up."""
        self._stop = None
        try:
            run()
        except (GivenUp, OutOfWork) as stop:
            self._stop = stop
            return self._number(self._map.done)
        return games

    def _closed(self, played: list[PlayedGame | None], games: int) -> list[PlayedGame | None]:
        """The games with the one that was given up."""
        if isinstance(self._stop, GivenUp):
            played.append(None)
        elif self._stop is not None and not played:
            raise self._stop
        return played

    def _results(self, run: Callable[[], int], games: int) -> list[PlayedGame | None]:
        map, played = self._map, []
        done = self._done(run, games)
        data = bytes(self._memory[map.results : map.results + done * map.game_bytes])
        numbers = map.arrays["record"]
        letter = _FORMATS[numbers.width, numbers.signed]
        record = struct.Struct(f"<{numbers.length}{letter}")
        for at in range(0, len(data), map.game_bytes):
            middle = at + map.state_bytes
            played.append(PlayedGame(data[at:middle], record.unpack_from(data, middle)))
        return self._closed([*played], games)


def raw_call(store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., int]:
    """A function of whole numbers as a Python function.

    The public call takes 50 microseconds, so this one goes to the C interface below it, whose
    values are not checked: they are numbers, and as many as the function takes. Where that
    interface is not as expected, the public call is used.
    """
    type = function.type(store)
    params, results = type.params, type.results
    width = max(len(params), len(results), 1)
    try:
        from wasmtime import _bindings as c

        values = (c.wasmtime_val_raw_t * width)()
        wide = [str(each) == "i64" for each in params]
        result = None if not results else ("i64" if str(results[0]) == "i64" else "i32")
        return _unchecked(c, store, function, values, wide, result)
    except (ImportError, AttributeError):
        return _checked(store, function)


def _checked(store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., int]:
    def call(*args: int) -> int:
        return int(function(store, *args) or 0)

    return call


def _unchecked(
    c: Any,
    store: wasmtime.Store,
    function: wasmtime.Func,
    values: Any,
    wide: list[bool],
    result: str | None,
) -> Callable[..., int]:
    run = c._wasmtime_func_call_unchecked
    context, pointer, width = store._context(), ctypes.byref(function._func), len(values)
    no_trap = ctypes.POINTER(c.wasm_trap_t)

    def call(*args: int) -> int:
        for number, value in enumerate(args):
            if wide[number]:
                values[number].i64 = value
            else:
                values[number].i32 = value
        trap = no_trap()
        error = run(context, pointer, values, width, ctypes.byref(trap))
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        if result is None:
            return 0
        return int(values[0].i64 if result == "i64" else values[0].i32)

    return call
