"""Sections of the report: what a program that uses engines waits for, and the memory it needs."""

from __future__ import annotations

import copy
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median

from gemwright.dsl.cache import FOLDER, Cache
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.lower.deciding import ACTOR
from gemwright.interpreter.compiled.lower.lowering import lower
from gemwright.interpreter.compiled.lower.playing import FIND, RESUME
from gemwright.interpreter.compiled.passes.pipeline import optimised
from gemwright.interpreter.compiled.printers.wasm_module import WasmModule
from gemwright.interpreter.compiled.selecting import WASM
from gemwright.interpreter.compiled.translate import READ, ROOTS
from gemwright.interpreter.compiled.wasm_engine import RESULTS, machine_of, wasm_machine
from gemwright.interpreter.game import load
from tests.bench import splendor_twin as twin
from tests.bench.checking import cards, nobles
from tests.bench.contestants import python_twin
from tests.bench.timing import Contestant, Plan, rounded, table

MOVES = 40
"""A state in the middle of a game comes after so many moves."""

MANY = 256
GAMES_FOR_JOBS = 40_000
GAMES_FOR_MEMORY = 100_000


def latency(plan: Plan) -> str:
    """From a rules file to a machine that plays, and where the time goes."""
    model = load("splendor", 2).model
    lowered = lower(model)
    program = optimised(lowered, ROOTS, READ)
    folder = Path(tempfile.mkdtemp())
    kept = Cache(folder)
    wasm_machine(model, kept)
    steps: list[tuple[str, Callable[[], object]]] = [
        ("read and check the rules file", lambda: load("splendor", 2)),
        ("machine from the cache", lambda: wasm_machine(model, kept)),
        ("rules file to running wasm, warm", lambda: wasm_machine(load("splendor", 2).model, kept)),
        ("lower to the flat program", lambda: lower(model)),
        ("passes", lambda: optimised(lowered, ROOTS, READ)),
        ("print the module", lambda: WasmModule(program, ROOTS, RESULTS)),
        ("print and compile the module", lambda: machine_of(program)),
        (
            "rules file to running wasm, no cache",
            lambda: wasm_machine(load("splendor", 2).model, Cache(None)),
        ),
    ]
    rows = [(name, rounded(1000 * plan.one(name, step))) for name, step in steps]
    for name, cache in (("warm", str(folder)), ("no cache", "")):
        times = [_first_in_a_process(cache) for _ in range(plan.rounds)]
        rows.append((f"the same, first in a new process, {name}", rounded(1000 * median(times))))
    shutil.rmtree(folder)
    binary = WasmModule(program, ROOTS, RESULTS).binary
    note = f"The module has {len(binary):,} bytes."
    return f"{table(('step', 'ms'), rows)}\n\n{note}"


_FIRST = """
import time
from gemwright.interpreter.compiled.wasm_engine import wasm_machine
from gemwright.interpreter.game import load
import wasmtime, yaml, lark
begun = time.process_time()
wasm_machine(load("splendor", 2).model)
print(time.process_time() - begun)
"""


def _first_in_a_process(cache: str) -> float:
    environment = {**os.environ, FOLDER: cache}
    return float(_run(_FIRST, environment))


def _run(code: str, environment: Mapping[str, str] = os.environ) -> str:
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return done.stdout


def single_steps(plan: Plan) -> str:
    """One move at a time, and copies of states."""
    game = load("splendor", 2)
    state, luck = game.start(1), Stream(1)
    for _ in range(MOVES):
        decision = state.pending[0]
        state.apply(decision.nth(luck.below(decision.count())))
    data, machine = state.to_bytes(), wasm_machine(game.model)
    fast = CompiledGame(game, machine)
    move = state.pending[0].nth(0)
    lines = plan.race([_along_lines(fast, game.start(1).to_bytes()), python_twin(2)])
    line, by_hand = (1e6 / each.moves_per_second for each in lines)
    machine.load(data)
    machine.call(RESUME)
    in_the_middle, player = _twin_state(), machine.array(ACTOR)[0]
    steps: list[tuple[str, int, Callable[[], object]]] = [
        ("wasm: a raw call that does little (`find`)", 1, lambda: machine.call(FIND, player, 0)),
        (f"wasm: `steps`, {MANY} states", MANY, lambda: fast.steps([data] * MANY, [0] * MANY)),
        ("wasm: `steps`, one state", 1, lambda: fast.steps([data], [0])),
        ("wasm: copy a state (bytes)", 1, lambda: bytearray(data)),
        ("reference: `clone`", 1, state.clone),
        ("reference: `clone` and `apply`", 1, lambda: state.clone().apply(move)),
        ("Python by hand: `copy.deepcopy`", 1, lambda: copy.deepcopy(in_the_middle)),
    ]
    rows = [(name, rounded(1e6 * plan.one(name, step) / often)) for name, often, step in steps]
    rows[1:1] = [("wasm: a move by `line`, a random number with it", rounded(line))]
    rows += [("Python by hand: a move of a whole game", rounded(by_hand))]
    return table(("what", "microseconds each"), rows)


def _along_lines(game: CompiledGame, begin: bytes) -> Contestant:
    """Plays from one state to the end, every move a call from Python."""

    def run(first: int, times: int) -> int:
        below, moves = Random(first).randrange, 0
        for _ in range(times):
            line = game.line(begin)
            count = line.count
            while count:
                count = line.step(below(count))
                moves += 1
        return moves

    return Contestant("line", run)


def _twin_state() -> twin.Splendor:
    below = Random(1).randrange
    game = twin.Splendor(2, cards(), nobles(), below)
    for _ in range(MOVES):
        game.play(game.moves[below(len(game.moves))])
    return game


def jobs(plan: Plan) -> str:
    """The whole command with one, two and more processes, by the time of day."""
    counts = sorted({1, 2, os.cpu_count() or 1})
    found: dict[int, list[tuple[float, float]]] = {each: [] for each in counts}
    for _ in range(plan.rounds):
        for each in counts:
            begun, used = time.perf_counter(), _used()
            _simulate("--games", str(GAMES_FOR_JOBS), "--jobs", str(each))
            found[each].append((time.perf_counter() - begun, _used() - used))
    rows: list[Sequence[object]] = []
    for each, runs in found.items():
        seconds, used = (median(column) for column in zip(*runs, strict=True))
        rows.append((each, rounded(seconds), rounded(GAMES_FOR_JOBS / seconds), rounded(used)))
    head = ("jobs", "seconds", "games/s", "processor seconds of all processes")
    what = f"{GAMES_FOR_JOBS:,} games of Splendor, two players, from start to end of the program."
    return f"{what}\n\n{table(head, rows)}"


def _used() -> float:
    """Processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_PEAK = """
import resource
from gemwright import simulate
result = simulate("splendor", players=2, games={games}, engine="wasm")
assert result.finished == {games}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory() -> str:
    """The most memory that a simulation of many games takes."""
    code = _PEAK.format(games=GAMES_FOR_MEMORY)
    unit = 1 if sys.platform == "darwin" else 1024
    most = int(_run(code)) * unit / 2**20
    return f"{GAMES_FOR_MEMORY:,} games of Splendor, two players: {most:.0f} MiB at most."


def _simulate(*words: str) -> None:
    command = [sys.executable, "-m", "gemwright", "simulate", "splendor", "--players", "2"]
    subprocess.run([*command, "--engine", WASM, *words], check=True, capture_output=True)
