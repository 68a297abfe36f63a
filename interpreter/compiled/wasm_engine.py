"""Makes WebAssembly machines: lowers, prints and compiles, or takes all of it from the cache."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Final

import wasmtime

from gemwright import __version__
from gemwright.dsl.cache import Cache, cache_folder
from gemwright.dsl.model import game as m
from gemwright.interpreter import compiled
from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.flat.text import digest
from gemwright.interpreter.compiled.printers.layout import MemoryMap
from gemwright.interpreter.compiled.printers.wasm_module import WasmModule
from gemwright.interpreter.compiled.translate import ROOTS, flat_program
from gemwright.interpreter.compiled.wasm_machine import WasmMachine

RESULTS: Final = 1 << 22
"""Bytes for the results of one call."""


def wasm_machine(model: m.Game, kept: Cache | None = None) -> WasmMachine:
    """A machine for a game model.

    Args:
        kept: by default the cache of the user.
    """
    known = Cache(cache_folder(os.environ)) if kept is None else kept
    key = _game_key(model)
    found = None if key is None else _from_cache(known, key)
    if found is None:
        found = _made(model, known, key)
    module, map, reasons = found
    return WasmMachine(_engine(), module, map, reasons)


def machine_of(program: Program) -> WasmMachine:
    """A machine for a program, compiled here and now."""
    module, printed = _compiled(program)
    return WasmMachine(_engine(), module, printed.layout.memory_map(), printed.reasons)


def _compiled(program: Program) -> tuple[wasmtime.Module, WasmModule]:
    printed = WasmModule(program, ROOTS, RESULTS)
    return wasmtime.Module(_engine(), printed.binary), printed


_Found = tuple[wasmtime.Module, MemoryMap, tuple[str, ...]]


@cache
def _engine() -> wasmtime.Engine:
    """The engine of this process. Programs meter themselves, so it does not."""
    # The library cannot let go of an engine when the interpreter is half gone.
    atexit.register(_engine.cache_clear)
    return wasmtime.Engine(wasmtime.Config())


def _made(model: m.Game, known: Cache, key: str | None) -> _Found:
    program = flat_program(model)
    module, printed = _compiled(program)
    map, reasons = printed.layout.memory_map(), printed.reasons
    if key is not None:
        name = digest(program)
        head = json.dumps({"map": map.to_json(), "reasons": reasons}).encode()
        content = len(head).to_bytes(4, "little") + head + bytes(module.serialize())
        known.put(_module_name(name), content)
        known.put(f"{key}.game", name.encode())
    return module, map, reasons


def _from_cache(known: Cache, key: str) -> _Found | None:
    name = known.get(f"{key}.game")
    content = None if name is None else known.get(_module_name(name.decode()))
    if content is None:
        return None
    end = 4 + int.from_bytes(content[:4], "little")
    head = json.loads(content[4:end])
    try:
        module = wasmtime.Module.deserialize(_engine(), content[end:])
    except wasmtime.WasmtimeError:
        return None  # made by another version, or for another machine
    return module, MemoryMap.from_json(head["map"]), tuple(head["reasons"])


def _module_name(program: str) -> str:
    return f"{program}.module"


def _game_key(model: m.Game) -> str | None:
    """What names a game and everything that compiles it; None for a model made by hand."""
    if not model.digest:
        return None
    parts = (model.digest, str(model.players), repr(model.options), __version__, _sources())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def _sources() -> str:
    """What changes when the sources of language and compiler do."""
    package = Path(compiled.__file__).parent
    files = sorted([*package.rglob("*.py"), *(package.parents[1] / "dsl").rglob("*.py")])
    found = [f"{each.name} {each.stat().st_size} {each.stat().st_mtime_ns}" for each in files]
    return hashlib.sha256("\n".join(found).encode()).hexdigest()
