"""Node plays the file that `gemwright compile --to wasm` writes, and plays the same games."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.printers.wasm_module import WasmModule
from gemwright.interpreter.compiled.selecting import WASM
from gemwright.interpreter.compiled.simulating import CompiledTable
from gemwright.interpreter.compiled.translate import ROOTS
from gemwright.interpreter.compiled.wasm_engine import RESULTS
from gemwright.interpreter.simulation.playing import MOST_MOVES, Table, Work
from gemwright.interpreter.simulation.tally import SimulationResult, Tally

from .agreement import engines, of_all
from .node_machine import NodeMachine

GAMES = 15
SEED = (1 << 64) - 5
"""More bits than a number of JavaScript holds."""


def simulated(work: Work, table: Table) -> SimulationResult:
    tally = Tally(len(work.seats))
    for played in table.play(range(GAMES)):
        tally.add(played)
    return tally.result(work, 0, 1)


@pytest.mark.parametrize("name", ["splendor", "thirty_points", ""])
def test_node_gives_the_same_digest(name: str, tmp_path: Path) -> None:
    """Of bundled games, and of the one that uses every part of the language."""
    here = engines(name, 3) if name else of_all()
    printed = WasmModule(here.program, ROOTS, RESULTS)
    file = tmp_path / "game.wasm"
    file.write_bytes(printed.binary)
    machine = NodeMachine(file, printed.layout.memory_map())
    model = here.game.model
    work = Work(model, ("random",) * model.players, SEED, False, MOST_MOVES, WASM)
    by_node = simulated(work, CompiledTable(here.game, work, CompiledGame(here.game, machine)))
    by_wasmtime = simulated(work, CompiledTable(here.game, work, here.compiled[WASM]))
    assert by_node.digest == by_wasmtime.digest
    assert (by_node.finished, by_node.moves) == (GAMES, by_wasmtime.moves)
