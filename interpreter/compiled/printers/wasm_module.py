"""Prints a flat program as a WebAssembly module.

Exported are the functions that engines call, the memory, and three that do much at a call and leave
the results in memory: `batch(first, games, most)` plays games, `rolls(first, games, most)` plays
the state at hand to its end again and again, `steps(games)` makes a move in many states. The module imports nothing and knows no
time, so it runs alike everywhere. A game that is given up ends in a trap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.printers.layout import Layout
from gemwright.interpreter.compiled.printers.wasm_code import I32, I64, PAGE, Code, Module
from gemwright.interpreter.compiled.printers.wasm_function import FunctionPrinter, type_of

GAMMA: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB

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
        self._helpers: dict[str, int] = {}
        self._write_helpers()
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
        return self._helpers["draw_wide" if wide else "draw"]

    def begin(self) -> int:
        """See `Machine`."""
        return self._helpers["begin"]

    def keep(self) -> int:
        """See `Machine`."""
        return self._helpers["keep"]

    # -- chance

    def _write_helpers(self) -> None:
        make = {
            "finalise": self._finalise,
            "key": self._key,
            "word": self._word,
            "draw": self._draw,
            "draw_wide": self._draw_wide,
            "streams": self._streams,
            "begin": self._begin,
            "restart": self._restart,
            "keep": self._keep,
        }
        for name, write in make.items():
            self._helpers[name] = write()

    def _finalise(self) -> int:
        """The SplitMix64 finaliser: i64 -> i64."""
        code = Code()
        code.get(0)
        for shift, factor in ((30, _FIRST), (27, _SECOND)):
            code.set(0)
            _shifted_xor(code, shift)
            code.const(I64, _wrapped(factor))
            code.plain("i64.mul")
        code.set(0)
        _shifted_xor(code, 31)
        return self._module.function([I64], [I64], [], code)

    def _key(self) -> int:
        """The key of (game, stream) under the seed in memory."""
        code = Code()
        mixed = 2
        code.const(I64, 0)
        code.set(mixed)
        for part in ("seed", 0, 1):
            code.get(mixed)
            if part == "seed":
                code.const(I32, 0)
                code.load(I64, 8, True, self.layout.seed)
            else:
                assert isinstance(part, int)
                code.get(part)
            code.plain("i64.add")
            code.const(I64, _wrapped(GAMMA))
            code.plain("i64.add")
            code.call(self._helpers["finalise"])
            code.set(mixed)
        code.get(mixed)
        return self._module.function([I64, I64], [I64], [I64], code)

    def _word(self) -> int:
        """The next word of a stream, which goes on by one tick: i32 -> i64."""
        layout, code = self.layout, Code()
        cell = layout.program.chance
        tick = 1
        code.get(0)
        code.plain("i32.eqz")
        code.if_()
        self._next_tick(code, tick, layout.offsets[cell + 1], 4)
        code.const(I32, 0)
        code.load(I64, 8, True, layout.offsets[cell])
        _finalised(code, tick, self._helpers["finalise"])
        code.plain("end")
        code.get(0)
        code.const(I32, 8)
        code.plain("i32.mul")
        code.set(0)
        self._next_tick(code, tick, layout.ticks.address, 8)
        code.get(0)
        code.load(I64, 8, True, layout.keys.address)
        _finalised(code, tick, self._helpers["finalise"])
        code.plain("unreachable")
        return self._module.function([I32], [I64], [I64], code)

    def _next_tick(self, code: Code, tick: int, address: int, width: int) -> None:
        """One more at an address, plus parameter 0 where it counts; local `tick` holds it."""
        for moving in (0, 1):
            if width == 4:
                code.const(I32, 0)
            else:
                code.get(0)
            if not moving:
                code.load(I64, width, False, address)
                code.const(I64, 1)
                code.plain("i64.add")
                code.set(tick)
            else:
                code.get(tick)
                code.store(I64, width, address)

    def _draw(self) -> int:
        """(word >> 32) * n >> 32."""
        code = Code()
        code.get(0)
        code.call(self._helpers["word"])
        code.const(I64, 32)
        code.plain("i64.shr")
        code.get(1)
        code.plain("i64.mul")
        code.const(I64, 32)
        code.plain("i64.shr")
        return self._module.function([I32, I64], [I64], [], code)

    def _draw_wide(self) -> int:
        """For n up to 2^32 as `draw`; beyond, the high half of the product of word and n."""
        code = Code()
        n, word, low, high, middle = 1, 2, 3, 4, 5
        code.get(n)
        code.const(I64, 1 << 32)
        code.plain("i64.le")
        code.if_()
        code.get(0)
        code.get(n)
        code.call(self._helpers["draw"])
        code.plain("return", "end")
        code.get(0)
        code.call(self._helpers["word"])
        code.set(word)
        # word = a * 2^32 + b and n = c * 2^32 + d: the high half of their product.
        _half(code, word, low=True)
        _half(code, n, low=True)
        code.plain("i64.mul")
        code.const(I64, 32)
        code.plain("i64.shr")
        _half(code, word, low=False)
        _half(code, n, low=True)
        code.plain("i64.mul", "i64.add")
        code.set(low)
        _half(code, low, low=True)
        _half(code, word, low=True)
        _half(code, n, low=False)
        code.plain("i64.mul", "i64.add")
        code.set(middle)
        _half(code, word, low=False)
        _half(code, n, low=False)
        code.plain("i64.mul")
        _half(code, low, low=False)
        code.plain("i64.add")
        _half(code, middle, low=False)
        code.plain("i64.add")
        code.set(high)
        code.get(high)
        return self._module.function([I32, I64], [I64], [I64] * 4, code)

    # -- games

    def _streams(self) -> int:
        """All streams of seats at the start of a game: i64 ->."""
        layout, code = self.layout, Code()
        for stream in range(1, layout.program.players + 1):
            self._start_stream(code, stream, layout.keys.address + 8 * stream)
            code.const(I32, 0)
            code.const(I64, 0)
            code.store(I64, 8, layout.ticks.address + 8 * stream)
        return self._module.function([I64], [], [], code)

    def _start_stream(self, code: Code, stream: int, address: int) -> None:
        """The key of a stream of the game in local 0."""
        code.const(I32, 0)
        code.get(0)
        code.const(I64, stream)
        code.call(self._helpers["key"])
        code.store(I64, 8, address)

    def _begin(self) -> int:
        """The state before the setup, and all streams at the start of a game: i64 ->."""
        layout, code = self.layout, Code()
        code.const(I32, 0)
        code.const(I32, layout.image)
        code.const(I32, layout.begun)
        code.copy_memory()
        self._start_stream(code, 0, layout.offsets[layout.program.chance])
        code.get(0)
        code.call(self._helpers["streams"])
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
            code.call(self._helpers["restart"])
            code.call(self._functions[RESUME][0])
            code.get(2)
            code.call(self._functions[ROLL][0])
            code.call(self._helpers["keep"])

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
        self._start_stream(code, 0, layout.offsets[chance])
        code.const(I32, 0)
        code.const(I32, 0)
        code.store(I32, 4, layout.offsets[chance + 1])
        code.get(0)
        code.call(self._helpers["streams"])
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


def _wrapped(value: int) -> int:
    """An unsigned word as the signed constant that stands for it."""
    return value - (1 << 64) if value >> 63 else value


def _shifted_xor(code: Code, shift: int) -> None:
    """Push local 0 xor itself shifted right."""
    code.get(0)
    code.get(0)
    code.const(I64, shift)
    code.plain("i64.shr", "i64.xor")


def _finalised(code: Code, tick: int, finalise: int) -> None:
    """Return the word of the key on the stack at a tick that counts from 1."""
    code.get(tick)
    code.const(I64, _wrapped(GAMMA))
    code.plain("i64.mul", "i64.add")
    code.call(finalise)
    code.plain("return")


def _half(code: Code, local: int, low: bool) -> None:
    """Push one half of a local variable as a number of 64 bits."""
    code.get(local)
    if low:
        code.const(I64, 0xFFFF_FFFF)
        code.plain("i64.and")
    else:
        code.const(I64, 32)
        code.plain("i64.shr")
