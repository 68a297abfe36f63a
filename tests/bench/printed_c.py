"""The C of the same flat program that wasm runs, compiled by the compiler of this machine."""

from __future__ import annotations

import ctypes

from gemwright.interpreter.compiled.passes.meter import WORK
from gemwright.interpreter.compiled.printers.c import c_source
from gemwright.interpreter.compiled.printers.layout import Layout, unpacked
from gemwright.interpreter.compiled.records import Records
from gemwright.interpreter.compiled.translate import ROOTS, flat_program
from gemwright.interpreter.game import Game
from gemwright.interpreter.simulation.playing import MOST_MOVES
from tests.bench.c_compiler import library
from tests.bench.timing import Contestant

AT_ONCE = 512
"""Games that one call plays."""

ENDLESS = 1 << 62
"""Work that a call may do: as good as no limit."""


def printed_c(game: Game, seed: int) -> Contestant:
    """The C printer's program; it pays for its work as wasm does, and keeps the same results."""
    program = flat_program(game.model)
    layout, records = Layout(program), Records(game.model)
    built = library(c_source(program, sorted(ROOTS)))
    where = getattr(built, f"gw_array_{WORK}")
    where.restype = ctypes.POINTER(ctypes.c_int64)
    size = layout.state_bytes + layout.record_bytes
    results = ctypes.create_string_buffer(AT_ONCE * size)

    def run(first: int, times: int) -> int:
        moves = 0
        for start in range(first, first + times, AT_ONCE):
            games = min(AT_ONCE, first + times - start)
            where()[0] = ENDLESS
            done = built.gw_batch(
                ctypes.c_uint64(seed), ctypes.c_int64(start), games, MOST_MOVES, results
            )
            assert done == games, "a game was given up"
            data = results.raw[: games * size]
            for end in range(size, len(data) + 1, size):
                record = unpacked(layout.arrays["record"], data[end - layout.record_bytes : end])
                moves += records.moves(record)
        return moves

    return Contestant("C, printed", run)
