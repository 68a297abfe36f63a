"""Prints a flat program as Python source: no dependency, readable, for debugging and anywhere.

The source is one module. Its state is a list `s` of cells with their real values; arrays and
tables are lists and tuples. `seed`, `begin`, `draw` and `results` are what the engine reads and
sets. A game that is given up raises `Failed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.printers.python_values import array_name, table_name, text

_PRELUDE: Final = """\
class Failed(Exception):
    pass


def finalise(v):
    v = ((v ^ (v >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    v = ((v ^ (v >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return v ^ (v >> 31)


def key(seed, game, stream):
    mixed = 0
    for part in (seed, game, stream):
        mixed = finalise((mixed + part + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF)
    return mixed


def draw(stream, n):
    if stream:
        tick = ticks[stream] + 1
        ticks[stream] = tick
        v = keys[stream] + tick * 0x9E3779B97F4A7C15
    else:
        tick = s[CHANCE + 1] + 1
        s[CHANCE + 1] = tick
        v = s[CHANCE] + tick * 0x9E3779B97F4A7C15
    v &= 0xFFFFFFFFFFFFFFFF
    v = ((v ^ (v >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    v = ((v ^ (v >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    v ^= v >> 31
    return ((v >> 32) * n) >> 32 if n <= 0x100000000 else (v * n) >> 64


def streams(number):
    for stream in range(1, len(keys)):
        keys[stream] = key(seed, number, stream)
        ticks[stream] = 0


seed = 0
results = []
"""


def python_source(program: p.Program) -> str:
    """The source of a module that holds the program."""
    lines = [f'"""{program.name} for {program.players} players, printed by gemwright."""', ""]
    lines += [f"CHANCE = {program.chance}", "", "", _PRELUDE]
    lines += [f"keys = [0] * {program.players + 1}", f"ticks = [0] * {program.players + 1}"]
    lines += [f"START = {list(program.start)}", f"s = {list(program.start)}"]
    lines += [f"{table_name(table.name)} = {table.values}" for table in program.tables]
    for array in program.arrays:
        lines.append(f"{array_name(array.name)} = {list(_start(array))}")
    lines += _begin(program)
    for function in program.functions:
        lines += ["", "", *_Function(function).lines()]
    return "\n".join(lines) + "\n"


def _start(array: p.Array) -> tuple[int, ...]:
    return array.start or (0,) * array.length


def _begin(program: p.Program) -> list[str]:
    lines = ["", "", "def begin(number):", "    s[:] = START"]
    for array in program.arrays:
        if array.start:
            lines.append(f"    {array_name(array.name)}[:] = {list(array.start)}")
    lines.append("    s[CHANCE] = key(seed, number, 0)")
    lines.append("    streams(number)")
    record = any(array.name == "record" for array in program.arrays)
    kept = f"(tuple(s), tuple({array_name('record')}))" if record else "(tuple(s), ())"
    return [*lines, "", "", "def keep():", f"    results.append({kept})"]


def function_name(name: str) -> str:
    """The name of a function in the source."""
    return f"f_{name}"


class _Function:
    """Prints one function."""

    def __init__(self, function: p.Function) -> None:
        self._function = function
        self._lines: list[str] = []
        self._depth = 0
        self._loops = 0

    def lines(self) -> list[str]:
        """The lines of the function."""
        params = ", ".join(var.name for var in self._function.params)
        self._line(f"def {function_name(self._function.name)}({params}):")
        self._block(self._function.body)
        return self._lines

    def _line(self, line: str) -> None:
        self._lines.append("    " * self._depth + line)

    def _block(self, block: p.Block) -> None:
        self._depth += 1
        for each in block:
            _STATEMENTS[type(each)](self, each)
        if not block:
            self._line("pass")
        self._depth -= 1

    # -- statements

    def _set(self, each: p.Set) -> None:
        self._line(f"{each.var.name} = {text(each.value)}")

    def _gain(self, each: p.Gain) -> None:
        self._line(f"{each.var.name} += {text(each.value)}")

    def _store(self, each: p.Store) -> None:
        self._line(f"s[{text(each.index)}] = {text(each.value)}")

    def _put(self, each: p.Put) -> None:
        self._line(f"{array_name(each.array)}[{text(each.index)}] = {text(each.value)}")

    def _if(self, each: p.If) -> None:
        self._line(f"if {text(each.condition)}:")
        self._block(each.then)
        if each.otherwise:
            self._line("else:")
            self._block(each.otherwise)

    def _for(self, each: p.For) -> None:
        end = ops.add(each.high, ops.const(1))
        self._line(f"for {each.var.name} in range({text(each.low)}, {text(end)}):")
        self._block(each.body)

    def _bits(self, each: p.Bits) -> None:
        self._loops += 1
        mask = f"mask{self._loops}"
        self._line(f"{mask} = {text(each.mask)}")
        self._line(f"while {mask}:")
        self._depth += 1
        self._line(f"{each.var.name} = ({mask} & -{mask}).bit_length() - 1")
        self._line(f"{mask} &= {mask} - 1")
        self._depth -= 1
        self._block(each.body)

    def _loop(self, each: p.Loop) -> None:
        self._loops += 1
        self._line(f"for round{self._loops} in range({each.cap}):")
        self._block(each.body)
        self._line("else:")
        self._depth += 1
        self._line("raise Failed('a loop went on for too long')")
        self._depth -= 1

    def _break(self, each: p.Break) -> None:
        self._line("break")

    def _next(self, each: p.Next) -> None:
        self._line("continue")

    def _switch(self, each: p.Switch) -> None:
        self._loops += 1
        value = f"case{self._loops}"
        self._line(f"{value} = {text(each.value)}")
        self._depth -= 1
        self._cases(value, each.blocks, 0)
        self._depth += 1

    def _cases(self, value: str, blocks: tuple[p.Block, ...], first: int) -> None:
        """A search in halves, as a block."""
        if len(blocks) == 1:
            self._block(blocks[0])
            return
        half = (len(blocks) + 1) // 2
        self._depth += 1
        self._line(f"if {value} < {first + half}:")
        self._cases(value, blocks[:half], first)
        self._line("else:")
        self._cases(value, blocks[half:], first + half)
        self._depth -= 1

    def _return(self, each: p.Return) -> None:
        self._line("return" if each.value is None else f"return {text(each.value)}")

    def _call(self, each: p.Call) -> None:
        args = ", ".join(text(arg) for arg in each.args)
        call = f"{function_name(each.function)}({args})"
        self._line(call if each.var is None else f"{each.var.name} = {call}")

    def _draw(self, each: p.Draw) -> None:
        self._line(f"{each.var.name} = draw({text(each.stream)}, {text(each.n)})")

    def _begin(self, each: p.Begin) -> None:
        self._line(f"begin({text(each.number)})")

    def _keep(self, each: p.Keep) -> None:
        self._line("keep()")

    def _fail(self, each: p.Fail) -> None:
        self._line(f"raise Failed({each.reason!r})")


_STATEMENTS: Final[Mapping[type, Callable[[_Function, Any], None]]] = {
    p.Set: _Function._set,
    p.Gain: _Function._gain,
    p.Store: _Function._store,
    p.Put: _Function._put,
    p.If: _Function._if,
    p.For: _Function._for,
    p.Bits: _Function._bits,
    p.Loop: _Function._loop,
    p.Break: _Function._break,
    p.Next: _Function._next,
    p.Switch: _Function._switch,
    p.Return: _Function._return,
    p.Call: _Function._call,
    p.Draw: _Function._draw,
    p.Begin: _Function._begin,
    p.Keep: _Function._keep,
    p.Fail: _Function._fail,
}
