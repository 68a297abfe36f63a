"""Whole games on two engines, compared state for state."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import bundled, open_ruleset
from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.python_machine import PythonMachine
from gemwright.interpreter.compiled.selecting import PYTHON, WASM
from gemwright.interpreter.compiled.simulating import CompiledTable
from gemwright.interpreter.compiled.translate import ROOTS, flat_program
from gemwright.interpreter.compiled.wasm_engine import machine_of
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.simulation.players import RANDOM
from gemwright.interpreter.simulation.playing import MOST_MOVES, REFERENCE, GameRecord, Work, table

from .c_machine import CMachine

C = "c"

ENGINES = (PYTHON, WASM)
"""The engines that a user can ask for."""

COMPILED = (*ENGINES, C)
"""Everything that runs flat programs."""

ALL = Path(__file__).parent / "data" / "bench_of_all.gem.yaml"
"""A game that uses every kind of term, sentence and decision."""


def configurations() -> list[tuple[str, int]]:
    """Every bundled ruleset at every player count, and each variant of one at one of them.

    All counts of the variants, and a thousand games of everything, are what the soak plays.
    """
    found: list[tuple[str, int]] = []
    for number, name in enumerate(sorted(bundled())):
        rules = open_ruleset(name, Reporter())
        assert rules is not None
        low, high = rules.players
        counts = range(low, high + 1)
        found += [(name, n) for n in (counts if is_base(name) else [low + number % len(counts)])]
    return found


def is_base(name: str) -> bool:
    """Whether a bundled ruleset is no variant of another one."""
    return "variants" not in bundled()[name].parts


class Compiled(dict[str, CompiledGame]):
    """A game on compiled engines, each made when it is first asked for."""

    def __init__(self, here: Game, program: Program) -> None:
        super().__init__()
        self._game = here
        self._program = program

    def __missing__(self, engine: str) -> CompiledGame:
        program = self._program
        make = {
            PYTHON: lambda: PythonMachine(program),
            WASM: lambda: machine_of(program),
            C: lambda: CMachine(program, sorted(ROOTS)),
        }
        self[engine] = found = CompiledGame(self._game, make[engine]())
        return found


class Engines:
    """One game on all engines; it is compiled once."""

    def __init__(self, here: Game) -> None:
        self.game = here
        self.program = flat_program(here.model)
        self.compiled = Compiled(here, self.program)

    def records(
        self, engine: str, games: int, seed: int, most_moves: int = MOST_MOVES, first: int = 0
    ) -> list[GameRecord]:
        """Games between random players, from number `first` of the seed on."""
        here, seats = self.game, (RANDOM,) * self.game.players
        work = Work(here.model, seats, seed, False, most_moves, engine)
        if engine == REFERENCE:
            played = table(here, work)
        else:
            played = CompiledTable(here, work, self.compiled[engine])
        return [each.games[0] for each in played.play(range(first, first + games))]

    def compare(
        self, engines: tuple[str, ...], games: int, seed: int, first: int = 0
    ) -> list[GameRecord]:
        """Assert that engines play the same games, and give them. A message says what differs."""
        wanted = self.records(engines[0], games, seed, first=first)
        for engine in engines[1:]:
            found = self.records(engine, games, seed, first=first)
            for number, (one, other) in enumerate(zip(wanted, found, strict=True), first):
                where = f"game {number} of seed {seed} on {engine}: {self.game.options}"
                assert one == other, where
        return wanted

    def with_reference(self, games: int, seed: int) -> None:
        """Compare all engines."""
        self.compare((REFERENCE, *COMPILED), games, seed)


@cache
def engines(name: str, players: int) -> Engines:
    """A bundled game with its default options, for all tests that ask for it."""
    return Engines(load(name, players))


@cache
def of_all(players: int = 3) -> Engines:
    """The game that uses every kind of term, sentence and decision."""
    return Engines(load(ALL, players))
