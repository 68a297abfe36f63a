"""Prints a flat program as a WebAssembly module.

Exported are the functions that engines call, the memory, and three that do much at a call and
leave the results in memory: `batch(first, games, most)` plays games, `rolls(first, games, most)`
plays the state at hand to its end again and again, `steps(games)` makes a move in many states. The
module imports nothing and knows no time, so it runs alike everywhere. A game that is given up ends
in a trap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.printers.layout import Layout
from gemwright.interpreter.compiled.printers.wasm_chance import Chance
from gemwright.interpreter.compiled.printers.wasm_code import I32, I64, PAGE, Code, Module
from gemwright.interpreter.compiled.printers.wasm_function import FunctionPrinter
from gemwright.interpreter.compiled.printers.wasm_values import type_of

PLAY: Final = "play"
RESUME: Final = "resume"
ROLL: Final = "roll"
STEP: Final = "step"


class WasmModule:
    """One module; `binary` is made once.

    Args:
        exported: the functions that engines call.
        results: bytes of memory for the results of a batch.
    """

    def __init__(self, program: p.Program, exported: Iterable[str], results: int) -> None:
        self.layout = Layout(program)
        self._functions: dict[str, tuple[int, p.Function]] = {}
        self._reasons: dict[str, int] = {}
        self._module = Module()
        self._out = self._module.global_i32(0)
        self._chance = Chance(self._module, self.layout)
        self._begins, self._keeps = self._begin(), self._keep()
        self._restarts = self._restart()
        for function in program.functions:
            self._print(function)
        names = set(exported)
        for name, (number, _) in self.functions.items():
            if name in names:
                self._module.export(name, number)
        if {PLAY, RESUME, ROLL, STEP} <= set(self._functions):
            self._module.export("batch", self._batch())
            self._module.export("rolls", self._rolls())
            self._module.export("steps", self._steps())
        for address, data in self.layout.constants():
            self._module.data(address, data)
        pages = -(-(self.layout.results + results) // PAGE)
        self.binary = self._module.binary(pages, pages)

    def _print(self, function: p.Function) -> None:
        printer = FunctionPrinter(self, function)
        printer.print()
        number = self._module.function(
            printer.params, printer.results, printer.locals, printer.code
        )
        self._functions[function.name] = (number, function)

    # -- for functions

    @property
    def functions(self) -> Mapping[str, tuple[int, p.Function]]:
        """See `Machine`."""
        return self._functions

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why a game was given up, by the number at `Layout.failed`."""
        return tuple(self._reasons)

    def reason(self, text: str) -> int:
        """See `Machine`."""
        return self._reasons.setdefault(text, len(self._reasons))

    def draw(self, wide: bool) -> int:
        """See `Machine`."""
        return self._chance.draw_wide if wide else self._chance.draw

    def begin(self) -> int:
        """See `Machine`."""
        return self._begins

    def keep(self) -> int:
        """See `Machine`."""
        return self._keeps

    # -- games

    def _begin(self) -> int:
        """The state before the setup, and all streams at the start of a game: i64 ->."""
        layout, code = self.layout, Code()
        code.const(I32, 0)
        code.const(I32, layout.image)
        code.const(I32, layout.begun)
        code.copy_memory()
        self._chance.start_stream(code, 0, layout.offsets[layout.program.chance])
        code.get(0)
        code.call(self._chance.streams)
        return self._module.function([I64], [], [], code)

    def _keep(self) -> int:
        """Append state and record to the results."""
        layout, code = self.layout, Code()
        record = layout.arrays.get("record")
        for address, length in (
            (0, layout.state_bytes),
            (0 if record is None else record.address, layout.record_bytes),
        ):
            code.get_global(self._out)
            code.const(I32, address)
            code.const(I32, length)
            code.copy_memory()
            code.get_global(self._out)
            code.const(I32, length)
            code.plain("i32.add")
            code.set_global(self._out)
        return self._module.function([], [], [], code)

    def _many(
        self,
        params: list[int],
        locals: list[int],
        games: int,
        write: Callable[[Code, int], None],
    ) -> int:
        """A loop over games; `write` writes what is done for the game whose number is a local."""
        layout, code = self.layout, Code()
        at = len(params)
        code.const(I32, layout.results)
        code.set_global(self._out)
        outer = code.block()
        loop = code.loop()
        code.const(I32, 0)
        code.get(at)
        code.store(I32, 4, layout.done)
        code.get(at)
        code.get(games)
        code.plain("i32.ge")
        code.branch_if(outer)
        write(code, at)
        code.get(at)
        code.const(I32, 1)
        code.plain("i32.add")
        code.set(at)
        code.branch(loop)
        code.plain("end", "end")
        return self._module.function(params, [], [I32, *locals], code)

    def _batch(self) -> int:
        """Play games `first` .. `first + games - 1`: (first i64, games i32, most i32)."""

        def write(code: Code, at: int) -> None:
            self._game_number(code, at)
            code.get(2)
            code.call(self._functions[PLAY][0])

        return self._many([I64, I32, I32], [], 1, write)

    def _game_number(self, code: Code, at: int) -> None:
        code.get(0)
        code.get(at)
        code.plain("i64.extend_u", "i64.add")

    def _rolls(self) -> int:
        """Play the state at hand to its end again and again: (first i64, games i32, most i32)."""
        layout = self.layout
        begun = layout.rolled

        def write(code: Code, at: int) -> None:
            _copy(code, 0, begun, layout.state_bytes)
            self._game_number(code, at)
            code.call(self._restarts)
            code.call(self._functions[RESUME][0])
            code.get(2)
            code.call(self._functions[ROLL][0])
            code.call(self._keeps)

        # The state is put aside first, by the caller of the loop.
        many = self._many([I64, I32, I32], [], 1, write)
        code = Code()
        _copy(code, begun, 0, layout.state_bytes)
        for param in range(3):
            code.get(param)
        code.call(many)
        return self._module.function([I64, I32, I32], [], [], code)

    def _restart(self) -> int:
        """The state at hand with the chance of another game: i64 ->."""
        code, layout = Code(), self.layout
        chance = layout.program.chance
        self._chance.start_stream(code, 0, layout.offsets[chance])
        code.const(I32, 0)
        code.const(I32, 0)
        code.store(I32, 4, layout.offsets[chance + 1])
        code.get(0)
        code.call(self._chance.streams)
        return self._module.function([I64], [], [], code)

    def _steps(self) -> int:
        """Make a move in each of many states: (games i32). They lie among the results.

        Behind each state stand 8 bytes, which hold the move and then whether the game ended.
        """
        size = self.layout.state_bytes

        def write(code: Code, at: int) -> None:
            code.const(I32, 0)
            code.get_global(self._out)
            code.const(I32, size)
            code.copy_memory()
            code.call(self._functions[RESUME][0])
            code.plain("drop")
            code.get_global(self._out)
            code.load(I64, 8, True, size)
            number, function = self._functions[STEP]
            if type_of(function.params[0].low, function.params[0].high) == I32:
                code.plain("i32.wrap")
            code.call(number)
            code.set(2)
            code.get_global(self._out)
            code.get(2)
            code.store(I32, 4, size)
            code.get_global(self._out)
            code.const(I32, 0)
            code.const(I32, size)
            code.copy_memory()
            code.get_global(self._out)
            code.const(I32, size + 8)
            code.plain("i32.add")
            code.set_global(self._out)

        return self._many([I32], [I32], 0, write)


def _copy(code: Code, to: int, source: int, length: int) -> None:
    code.const(I32, to)
    code.const(I32, source)
    code.const(I32, length)
    code.copy_memory()
