"""Which engine plays: by name, or the fastest one there is."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.machine import MOST_MOVES, Machine
from gemwright.interpreter.simulation.players import RANDOM
from gemwright.interpreter.simulation.playing import REFERENCE, Work

AUTO: Final = "auto"
PYTHON: Final = "python"
WASM: Final = "wasm"

ENGINES: Final = (AUTO, REFERENCE, PYTHON, WASM)


def missing(engine: str) -> str:
    """Why an engine cannot be used here, naming the extra that brings it; '' if it can."""
    if engine == WASM and find_spec("wasmtime") is None:
        return "the engine `wasm` needs the extra `fast`: pip install 'gemwright[fast]'"
    return ""


def fastest() -> str:
    """The fastest engine that is installed."""
    return PYTHON if missing(WASM) else WASM


def cannot_play(work: Work) -> str:
    """Why compiled engines cannot play this; '' if they can."""
    if any(seat != RANDOM for seat in work.seats):
        return "plays seats that are `random` only"
    if work.match:
        return "plays single games, no matches"
    if work.most_moves > MOST_MOVES:
        return f"plays at most {MOST_MOVES} moves a game"
    return ""


def machine(model: m.Game, engine: str) -> Machine:
    """A machine of a game model; `engine` is `python` or `wasm`."""
    if engine == WASM:
        from gemwright.interpreter.compiled.wasm_engine import wasm_machine

        return wasm_machine(model)
    from gemwright.interpreter.compiled.python_machine import PythonMachine
    from gemwright.interpreter.compiled.translate import flat_program

    return PythonMachine(flat_program(model))
