"""Runs a flat program as WebAssembly by the package `wasmtime`, which the extra `fast` brings."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal

import wasmtime

from gemwright.interpreter.compiled.machine import CALL_WORK, GivenUp, OutOfWork, PlayedGame
from gemwright.interpreter.compiled.passes.meter import OUT_OF_WORK, WORK
from gemwright.interpreter.compiled.printers.layout import MemoryMap, packed, unpacked

_FORMATS: Final[Mapping[tuple[int, bool], Literal["B", "b", "H", "h", "I", "i", "q"]]] = {
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

    def first(self, name: str) -> Callable[[], int]:
        """See `Machine`."""
        numbers = self._map.arrays[name]
        items = self._memory[numbers.address : numbers.end]
        return partial(items.cast(_FORMATS[numbers.width, numbers.signed]).__getitem__, 0)

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

    def function(self, name: str) -> Callable[..., int]:
        """See `Machine`."""
        run, work = self._functions[name], self._work

        def call(*args: int) -> int:
            work.value = CALL_WORK
            try:
                return run(*args)
            except wasmtime.Trap as trap:
                raise self._stopped(trap) from None

        return call

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
        return self._results(lambda: self._call("batch", _wrapped(first), games, most), games)

    def roll_outs(
        self, state: bytes, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`."""
        self._start(seed, work)
        self.load(state)
        games = min(games, self._room(self._map.game_bytes))
        return self._results(lambda: self._call("rolls", _wrapped(first), games, most), games)

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


def _wrapped(number: int) -> int:
    """A number of 64 bits with a sign, as machines count games."""
    return ctypes.c_int64(number).value


def raw_call(store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., int]:
    """A function of whole numbers as a Python function.

    The public call takes 50 microseconds, so this one goes to the C interface below it, whose
    values are not checked: they are numbers, and as many as the function takes. Where that
    interface is not as expected, the public call is used.
    """
    try:
        from wasmtime import _bindings as c

        return _unchecked(c, store, function)
    except (ImportError, AttributeError):
        return _checked(store, function)


def _checked(store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., int]:
    def call(*args: int) -> int:
        return int(function(store, *args) or 0)

    return call


def _unchecked(c: Any, store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., int]:
    """The C function, called with what is made here once; that is most of the time of a call."""
    type = function.type(store)
    width = max(len(type.params), len(type.results), 1)
    values = (c.wasmtime_val_raw_t * width)()
    size = ctypes.sizeof(c.wasmtime_val_raw_t)
    put = struct.Struct("<" + f"q{size - 8}x" * len(type.params)).pack_into
    result = _number(type.results[0]).from_buffer(values) if type.results else ctypes.c_int32()
    trap = ctypes.POINTER(c.wasm_trap_t)()
    run = ctypes.cast(c._wasmtime_func_call_unchecked, _PROTOTYPE)
    told = (
        ctypes.cast(store._context(), ctypes.c_void_p),
        _address(function._func),
        _address(values),
        ctypes.c_size_t(width),
        _address(trap),
    )

    def call(*args: int) -> int:
        put(values, 0, *args)
        error = run(*told)
        if error or trap:
            raise _stop_of(ctypes.cast(error, ctypes.POINTER(c.wasmtime_error_t)), trap)
        return int(result.value)

    return call


_PROTOTYPE: Final = ctypes.CFUNCTYPE(
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
)
"""Plain addresses: to make pointers with types of them would take as long as the call."""


def _address(thing: Any) -> ctypes.c_void_p:
    """Where it lies; it lives as long as this."""
    return ctypes.cast(ctypes.pointer(thing), ctypes.c_void_p)


def _number(type: wasmtime.ValType) -> Any:
    return ctypes.c_int64 if str(type) == "i64" else ctypes.c_int32


def _stop_of(error: Any, trap: Any) -> Exception:
    """What stopped a call; the library lets go of it."""
    if error:
        return wasmtime.WasmtimeError._from_ptr(error)
    stopped = wasmtime.Trap._from_ptr(type(trap).from_buffer_copy(trap))
    ctypes.memset(ctypes.byref(trap), 0, ctypes.sizeof(trap))
    return stopped
