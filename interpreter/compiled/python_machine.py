"""Runs a flat program as Python: needs nothing, starts at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.machine import CALL_WORK, GivenUp, OutOfWork, PlayedGame
from gemwright.interpreter.compiled.passes.meter import OUT_OF_WORK, WORK
from gemwright.interpreter.compiled.printers.layout import Layout
from gemwright.interpreter.compiled.printers.python import function_name, python_source
from gemwright.interpreter.compiled.printers.python_values import array_name

_SLOWER = 64
"""Python runs so many times fewer nodes in the same time."""


class PythonMachine:
    """One program as a Python module of its own."""

    name = "python"

    def __init__(self, program: Program) -> None:
        self._layout = Layout(program)
        self._cells = program.cells
        self._chance = program.chance
        self._arrays = {array.name for array in program.arrays}
        self._space: dict[str, Any] = {}
        source = python_source(program)
        exec(compile(source, f"<{program.name}>", "exec"), self._space)
        self._failed: type[Exception] = self._space["Failed"]

    # -- states

    def load(self, state: bytes) -> None:
        """See `Machine`."""
        offsets = self._layout.offsets
        self._space["s"][:] = [
            cell.low + int.from_bytes(state[at : at + cell.width], "little")
            for cell, at in zip(self._cells, offsets, strict=False)
        ]

    def save(self) -> bytes:
        """See `Machine`."""
        return self._layout.state(self._space["s"])

    def array(self, name: str) -> Sequence[int]:
        """See `Machine`."""
        return tuple(self._space[array_name(name)]) if name in self._arrays else ()

    def first(self, name: str) -> Callable[[], int]:
        """See `Machine`."""
        items = self._space[array_name(name)]
        return lambda: int(items[0])

    def put(self, name: str, values: Sequence[int]) -> None:
        """See `Machine`."""
        self._space[array_name(name)][: len(values)] = values

    # -- calls

    def call(self, function: str, *args: int) -> int:
        """See `Machine`."""
        self._fill(CALL_WORK)
        return self._call(function, *args)

    def function(self, name: str) -> Callable[..., int]:
        """See `Machine`."""
        return partial(self.call, name)

    def _fill(self, work: int) -> None:
        self._space[array_name(WORK)][0] = work // _SLOWER

    def _call(self, function: str, *args: int) -> int:
        try:
            return int(self._space[function_name(function)](*args) or 0)
        except self._failed as reason:
            if str(reason) == OUT_OF_WORK:
                raise OutOfWork from None
            raise GivenUp(str(reason)) from None

    def batch(
        self, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`."""
        self._space["seed"] = seed
        return self._many(games, work, lambda at: self._play(first + at, most))

    def roll_outs(
        self, state: bytes, seed: int, first: int, games: int, most: int, work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`."""
        self._space["seed"] = seed
        return self._many(games, work, lambda at: self._roll(state, first + at, most))

    def steps(
        self, states: Sequence[bytes], moves: Sequence[int], work: int = CALL_WORK
    ) -> list[PlayedGame | None]:
        """See `Machine`."""
        return self._many(len(states), work, lambda at: self._step(states[at], moves[at]))

    def _many(
        self, games: int, work: int, play: Callable[[int], PlayedGame]
    ) -> list[PlayedGame | None]:
        self._fill(work)
        played: list[PlayedGame | None] = []
        for at in range(games):
            try:
                played.append(play(at))
            except GivenUp:
                played.append(None)
            except OutOfWork:
                if not played:
                    raise
                break
        return played

    def _play(self, number: int, most: int) -> PlayedGame:
        kept = self._space["results"]
        kept.clear()
        self._call("play", number, most)
        return self._played(*kept[0])

    def _played(self, cells: Sequence[int], record: Sequence[int]) -> PlayedGame:
        return PlayedGame(self._layout.state(cells), tuple(int(each) for each in record))

    def _roll(self, state: bytes, number: int, most: int) -> PlayedGame:
        space = self._space
        self.load(state)
        space["s"][self._chance] = space["key"](space["seed"], number, 0)
        space["s"][self._chance + 1] = 0
        space["streams"](number)
        self._call("roll", self._call("resume"), most)
        return self._played(space["s"], space[array_name("record")])

    def _step(self, state: bytes, move: int) -> PlayedGame:
        self.load(state)
        self._call("resume")
        ended = self._call("step", move)
        return PlayedGame(self.save(), (ended,))
