"""Prints a flat program as a WebAssembly module.

Exported are the functions that engines call, `batch(first, games, most)` which plays games and
appends them to the results in memory, and the memory. The module imports nothing and knows no
time, so it runs alike everywhere. A game that is given up ends in a trap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.printers.layout import Layout
from gemwright.interpreter.compiled.printers.wasm_code import I32, I64, PAGE, Code, Module
from gemwright.interpreter.compiled.printers.wasm_function import FunctionPrinter

GAMMA: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB

PLAY: Final = "play"
BATCH: Final = "batch"


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
        if PLAY in self.functions:
            self._module.export(BATCH, self._batch(self.functions[PLAY][0]))
        self._module.export("begin", self._helpers["begin"])
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
            "begin": self._begin,
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

    def _begin(self) -> int:
        """The state before the setup, and all streams at the start of a game: i64 ->."""
        layout, code = self.layout, Code()
        code.const(I32, 0)
        code.const(I32, layout.image)
        code.const(I32, layout.begun)
        code.copy_memory()
        for stream in range(layout.program.players + 1):
            address = layout.keys.address + 8 * stream
            if stream == 0:
                address = layout.offsets[layout.program.chance]
            code.const(I32, 0)
            code.get(0)
            code.const(I64, stream)
            code.call(self._helpers["key"])
            code.store(I64, 8, address)
            code.const(I32, 0)
            code.const(I64, 0)
            code.store(I64, 8, layout.ticks.address + 8 * stream)
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

    def _batch(self, play: int) -> int:
        """Play games `first` .. `first + games - 1`: (first i64, games i32, most i32)."""
        layout, code = self.layout, Code()
        first, games, most, at = 0, 1, 2, 3
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
        code.get(first)
        code.get(at)
        code.plain("i64.extend_u", "i64.add")
        code.get(most)
        code.call(play)
        code.get(at)
        code.const(I32, 1)
        code.plain("i32.add")
        code.set(at)
        code.branch(loop)
        code.plain("end", "end")
        return self._module.function([I64, I32, I32], [], [I32], code)


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
