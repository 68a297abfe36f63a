"""The chance of the language in WebAssembly: the finaliser, keys of streams, draws."""

from __future__ import annotations

from typing import Final

from gemwright.interpreter.compiled.printers.layout import Layout
from gemwright.interpreter.compiled.printers.wasm_code import I32, I64, Code, Module

GAMMA: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB


class Chance:
    """Writes the functions of chance into a module; attributes are their numbers.

    Attributes:
        draw: (stream i32, n i64) -> i64, n up to 2^32; `draw_wide`: for every n.
        streams: the streams of all seats at the start of a game, i64 ->.
    """

    def __init__(self, module: Module, layout: Layout) -> None:
        self._module = module
        self._layout = layout
        self._finalise = self._write_finalise()
        self._key = self._write_key()
        self._word = self._write_word()
        self.draw = self._write_draw()
        self.draw_wide = self._write_draw_wide()
        self.streams = self._write_streams()

    def _write_finalise(self) -> int:
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

    def _write_key(self) -> int:
        """The key of (game, stream) under the seed in memory."""
        code = Code()
        mixed = 2
        code.const(I64, 0)
        code.set(mixed)
        for part in ("seed", 0, 1):
            code.get(mixed)
            if part == "seed":
                code.const(I32, 0)
                code.load(I64, 8, True, self._layout.seed)
            else:
                assert isinstance(part, int)
                code.get(part)
            code.plain("i64.add")
            code.const(I64, _wrapped(GAMMA))
            code.plain("i64.add")
            code.call(self._finalise)
            code.set(mixed)
        code.get(mixed)
        return self._module.function([I64, I64], [I64], [I64], code)

    def _write_word(self) -> int:
        """The next word of a stream, which goes on by one tick: i32 -> i64."""
        layout, code = self._layout, Code()
        cell = layout.program.chance
        tick = 1
        code.get(0)
        code.plain("i32.eqz")
        code.if_()
        self._next_tick(code, tick, layout.offsets[cell + 1], 4)
        code.const(I32, 0)
        code.load(I64, 8, True, layout.offsets[cell])
        _finalised(code, tick, self._finalise)
        code.plain("end")
        code.get(0)
        code.const(I32, 8)
        code.plain("i32.mul")
        code.set(0)
        self._next_tick(code, tick, layout.ticks.address, 8)
        code.get(0)
        code.load(I64, 8, True, layout.keys.address)
        _finalised(code, tick, self._finalise)
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

    def _write_draw(self) -> int:
        """(word >> 32) * n >> 32."""
        code = Code()
        code.get(0)
        code.call(self._word)
        code.const(I64, 32)
        code.plain("i64.shr")
        code.get(1)
        code.plain("i64.mul")
        code.const(I64, 32)
        code.plain("i64.shr")
        return self._module.function([I32, I64], [I64], [], code)

    def _write_draw_wide(self) -> int:
        """For n up to 2^32 as `draw`; beyond, the high half of the product of word and n."""
        code = Code()
        n, word, low, high, middle = 1, 2, 3, 4, 5
        code.get(n)
        code.const(I64, 1 << 32)
        code.plain("i64.le")
        code.if_()
        code.get(0)
        code.get(n)
        code.call(self.draw)
        code.plain("return", "end")
        code.get(0)
        code.call(self._word)
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

    def _write_streams(self) -> int:
        """All streams of seats at the start of a game: i64 ->."""
        layout, code = self._layout, Code()
        for stream in range(1, layout.program.players + 1):
            self.start_stream(code, stream, layout.keys.address + 8 * stream)
            code.const(I32, 0)
            code.const(I64, 0)
            code.store(I64, 8, layout.ticks.address + 8 * stream)
        return self._module.function([I64], [], [], code)

    def start_stream(self, code: Code, stream: int, address: int) -> None:
        """Put the key of a stream of the game in local 0 to an address."""
        code.const(I32, 0)
        code.get(0)
        code.const(I64, stream)
        code.call(self._key)
        code.store(I64, 8, address)


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
