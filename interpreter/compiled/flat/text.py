"""The canonical text of a flat program: for people, for tests, and as what a cache is keyed by."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from gemwright.interpreter.compiled.flat import program as p

_INFIX: Final = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "eq": "=",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "and": "and",
    "or": "or",
    "bit_and": "&",
    "bit_or": "|",
    "shift_left": "<<",
    "shift_right": ">>",
}
_WIDTH: Final = 100


def text(program: p.Program) -> str:
    """The whole program as text; equal for equal programs."""
    lines = [f"program {program.name}, {program.players} players", ""]
    lines += _cells(program)
    lines += _wrapped(f"start {program.chance}:", program.start)
    for table in program.tables:
        lines += _wrapped(f"table {table.name}:", table.values)
    for array in program.arrays:
        head = f"array {array.name}[{array.length}] {array.low}..{array.high}"
        lines += _wrapped(f"{head} start:", array.start) if array.start else [head]
    for function in program.functions:
        lines += ["", *function_lines(function)]
    return "\n".join(lines) + "\n"


def digest(program: p.Program) -> str:
    """SHA-256 of the text, in hex."""
    return hashlib.sha256(text(program).encode()).hexdigest()


def _cells(program: p.Program) -> list[str]:
    """Ranges of cells, equal neighbours together."""
    lines: list[str] = []
    first = 0
    for number, cell in enumerate(program.cells):
        if number + 1 == len(program.cells) or program.cells[number + 1] != cell:
            lines.append(f"cells {first}..{number}: {cell.low}..{cell.high}")
            first = number + 1
    return lines


def _wrapped(head: str, values: Iterable[int]) -> list[str]:
    lines = [head]
    for value in values:
        if len(lines[-1]) + len(str(value)) >= _WIDTH:
            lines.append("   ")
        lines[-1] += f" {value}"
    return lines


def function_lines(function: p.Function) -> list[str]:
    """One function as lines."""
    params = ", ".join(f"{var.name} {var.low}..{var.high}" for var in function.params)
    result = "" if function.result is None else f" -> {function.result[0]}..{function.result[1]}"
    return [f"function {function.name}({params}){result}", *_block(function.body, 1)]


def _block(block: p.Block, depth: int) -> list[str]:
    lines: list[str] = []
    for each in block:
        lines += _STATEMENTS[type(each)](each, depth)
    return lines


def _line(depth: int, line: str) -> list[str]:
    return ["  " * depth + line]


def _named(var: p.Var) -> str:
    return f"{var.name} {var.low}..{var.high}"


def _if(each: p.If, depth: int) -> list[str]:
    lines = _line(depth, f"if {expression(each.condition)}") + _block(each.then, depth + 1)
    if each.otherwise:
        lines += _line(depth, "else") + _block(each.otherwise, depth + 1)
    return lines


def _for(each: p.For, depth: int) -> list[str]:
    head = f"for {_named(each.var)} from {expression(each.low)} to {expression(each.high)}"
    return _line(depth, head) + _block(each.body, depth + 1)


def _switch(each: p.Switch, depth: int) -> list[str]:
    lines = _line(depth, f"switch {expression(each.value)}")
    for number, block in enumerate(each.blocks):
        lines += _line(depth, f"case {number}") + _block(block, depth + 1)
    return lines


def _call(each: p.Call, depth: int) -> list[str]:
    args = ", ".join(expression(arg) for arg in each.args)
    to = "" if each.var is None else f"{_named(each.var)} := "
    return _line(depth, f"{to}{each.function}({args})")


_STATEMENTS: Final[Mapping[type, Callable[[Any, int], list[str]]]] = {
    p.Set: lambda e, d: _line(d, f"{_named(e.var)} := {expression(e.value)}"),
    p.Gain: lambda e, d: _line(d, f"{_named(e.var)} += {expression(e.value)}"),
    p.Store: lambda e, d: _line(
        d, f"cell[{expression(e.index)} in {e.first}..{e.last}] := {expression(e.value)}"
    ),
    p.Put: lambda e, d: _line(d, f"{e.array}[{expression(e.index)}] := {expression(e.value)}"),
    p.If: _if,
    p.For: _for,
    p.Bits: lambda e, d: (
        _line(d, f"bits {_named(e.var)} of {expression(e.mask)}") + _block(e.body, d + 1)
    ),
    p.Loop: lambda e, d: _line(d, f"loop at most {e.cap}") + _block(e.body, d + 1),
    p.Break: lambda e, d: _line(d, "break"),
    p.Next: lambda e, d: _line(d, "next"),
    p.Switch: _switch,
    p.Return: lambda e, d: _line(
        d, "return" if e.value is None else f"return {expression(e.value)}"
    ),
    p.Call: _call,
    p.Draw: lambda e, d: _line(
        d, f"{_named(e.var)} := draw below {expression(e.n)} of stream {expression(e.stream)}"
    ),
    p.Begin: lambda e, d: _line(d, f"begin game {expression(e.number)}"),
    p.Keep: lambda e, d: _line(d, "keep"),
    p.Fail: lambda e, d: _line(d, f"fail: {e.reason}"),
}


def expression(expr: p.Expr) -> str:
    """An expression as text."""
    if isinstance(expr, p.Const):
        return str(expr.low)
    if isinstance(expr, p.Var):
        return expr.name
    if isinstance(expr, p.Cell):
        return f"cell[{expression(expr.index)} in {expr.first}..{expr.last}]"
    if isinstance(expr, p.Item):
        return f"{expr.array}[{expression(expr.index)}]"
    if isinstance(expr, p.Entry):
        return f"{expr.table}[{expression(expr.index)}]"
    if isinstance(expr, p.Trusted):
        return f"({expression(expr.value)} in {expr.low}..{expr.high})"
    assert isinstance(expr, p.Op)
    args = [expression(arg) for arg in expr.args]
    if expr.name in _INFIX:
        return f"({args[0]} {_INFIX[expr.name]} {args[1]})"
    return f"{expr.name}({', '.join(args)})"
