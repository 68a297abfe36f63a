"""Checks that a flat program keeps its own rules; printers rely on what is checked here.

Names are declared and functions stand before their callers; every expression has the range that
its parts give it, or says why it may be trusted with a narrower one; values fit where they go;
indices lie in memory; loops have bounds, and what a loop can add up fits its variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.visit import everything, target

MOST: Final = (1 << 63) - 1
"""Numbers are 64 bits wide, with a sign."""


def verify(program: p.Program) -> list[str]:
    """What is wrong with a program, one text each; an empty list is what every program has."""
    checker = _Program(program)
    checker.check()
    return checker.problems


class _Program:
    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.reader = ops.Reader(program)
        self.tables = {table.name: table for table in program.tables}
        self.arrays = {array.name: array for array in program.arrays}
        self.functions: dict[str, p.Function] = {}
        self.problems: list[str] = []

    def check(self) -> None:
        program = self.program
        if len(program.start) != len(program.cells):
            self.problems.append("there is a start for each cell")
        for number, (cell, value) in enumerate(zip(program.cells, program.start, strict=False)):
            if not cell.low <= value <= cell.high:
                self.problems.append(f"cell {number} starts at {value}")
        for array in program.arrays:
            if array.start and len(array.start) != array.length:
                self.problems.append(f"array {array.name} has {len(array.start)} first values")
            if any(not array.low <= value <= array.high for value in array.start):
                self.problems.append(f"array {array.name} starts outside its range")
        for function in program.functions:
            if function.name in self.functions:
                self.problems.append(f"two functions are called {function.name}")
            _Function(self, function).check()
            self.functions[function.name] = function


@dataclass(slots=True)
class _Sum:
    """What a variable is given and what loops add to it."""

    low: int
    high: int
    loops: tuple[int, ...]
    """The loops around the place where it is first set."""
    gains: list[tuple[tuple[int, ...], p.Expr]] = field(default_factory=list)


class _Function:
    """Checks one function."""

    def __init__(self, owner: _Program, function: p.Function) -> None:
        self._owner = owner
        self._function = function
        self._set = {var.name for var in function.params}
        self._sums: dict[str, _Sum] = {}
        self._vars = {
            var.name: var for each in everything(function.body) if (var := target(each)) is not None
        }
        self._loops: list[int] = []
        self._rounds: list[int] = []

    def check(self) -> None:
        self._block(self._function.body)
        if self._function.result is not None and not _ends(self._function.body):
            self._say("its end is reached without a value")
        for name, total in self._sums.items():
            self._check_sum(name, total)

    def _say(self, what: str) -> None:
        self._owner.problems.append(f"{self._function.name}: {what}")

    # -- sums over loops

    def _check_sum(self, name: str, total: _Sum) -> None:
        low, high = total.low, total.high
        for loops, value in total.gains:
            times = 1
            for number in loops[_shared(loops, total.loops) :]:
                times *= self._rounds[number]
            low += min(0, value.low) * times
            high += max(0, value.high) * times
        var = self._vars[name]
        if not (var.low <= low and high <= var.high) and total.gains:
            self._say(f"{name} {var.low}..{var.high} can become {low}..{high}")

    # -- statements

    def _block(self, block: p.Block) -> None:
        for each in block:
            _STATEMENTS[type(each)](self, each)

    def _define(self, var: p.Var, value: p.Expr | None) -> None:
        self._set.add(var.name)
        low, high = (var.low, var.high) if value is None else (value.low, value.high)
        if not (var.low <= low and high <= var.high):
            self._say(f"{var.name} {var.low}..{var.high} is given {low}..{high}")
        known = self._sums.get(var.name)
        if known is None:
            self._sums[var.name] = _Sum(low, high, tuple(self._loops))
        else:
            known.low, known.high = min(known.low, low), max(known.high, high)
            known.loops = known.loops[: _shared(known.loops, tuple(self._loops))]

    def _assign(self, each: p.Set) -> None:
        self._expr(each.value)
        self._define(each.var, each.value)

    def _gain(self, each: p.Gain) -> None:
        self._expr(each.value)
        if each.var.name not in self._sums:
            self._say(f"{each.var.name} is added to before it is set")
            return
        self._sums[each.var.name].gains.append((tuple(self._loops), each.value))

    def _store(self, each: p.Store) -> None:
        self._expr(each.index)
        self._expr(each.value)
        if not 0 <= each.first <= each.index.low <= each.index.high <= each.last:
            self._say(f"cell {each.index.low}..{each.index.high} of {each.first}..{each.last}")
        here = self._owner.program.cells[each.first : each.last + 1]
        low, high = min(c.low for c in here), max(c.high for c in here)
        if not (low <= each.value.low and each.value.high <= high):
            self._say(f"cells {low}..{high} are given {each.value.low}..{each.value.high}")

    def _put(self, each: p.Put) -> None:
        self._expr(each.index)
        self._expr(each.value)
        array = self._owner.arrays.get(each.array)
        if array is None:
            self._say(f"there is no array {each.array}")
            return
        if not (each.index.low >= 0 and each.index.high < array.length):
            self._say(f"{each.array} has no item {each.index.low}..{each.index.high}")
        if not (array.low <= each.value.low and each.value.high <= array.high):
            self._say(f"{each.array} is given {each.value.low}..{each.value.high}")

    def _if(self, each: p.If) -> None:
        self._flag(each.condition)
        self._block(each.then)
        self._block(each.otherwise)

    def _flag(self, condition: p.Expr) -> None:
        self._expr(condition)
        if not (condition.low >= 0 and condition.high <= 1):
            self._say("a condition is no flag")

    def _loop_body(self, rounds: int, body: p.Block) -> None:
        self._loops.append(len(self._rounds))
        self._rounds.append(max(rounds, 0))
        self._block(body)
        self._loops.pop()

    def _for(self, each: p.For) -> None:
        self._expr(each.low)
        self._expr(each.high)
        if each.var.low > each.low.low or max(each.high.high, each.low.low) > each.var.high:
            self._say(f"{each.var.name} leaves its range in its loop")
        self._set.add(each.var.name)
        self._loop_body(each.high.high - each.low.low + 1, each.body)

    def _bits(self, each: p.Bits) -> None:
        self._expr(each.mask)
        if each.mask.low < 0 or each.var.low > 0 or each.mask.high.bit_length() - 1 > each.var.high:
            self._say(f"{each.var.name} leaves its range in its loop")
        self._set.add(each.var.name)
        self._loop_body(each.mask.high.bit_length(), each.body)

    def _loop(self, each: p.Loop) -> None:
        self._loop_body(each.cap, each.body)

    def _inside_loop(self, each: p.Stmt) -> None:
        if not self._loops:
            self._say("there is no loop to leave")

    def _switch(self, each: p.Switch) -> None:
        self._expr(each.value)
        if each.value.low < 0 or each.value.high >= len(each.blocks):
            self._say(f"a switch has no block {each.value.low}..{each.value.high}")
        for block in each.blocks:
            self._block(block)

    def _return(self, each: p.Return) -> None:
        result = self._function.result
        if (each.value is None) != (result is None):
            self._say("it returns a value, or none, against its declaration")
        elif each.value is not None and result is not None:
            self._expr(each.value)
            if not (result[0] <= each.value.low and each.value.high <= result[1]):
                self._say(f"it returns {each.value.low}..{each.value.high}")

    def _call(self, each: p.Call) -> None:
        for arg in each.args:
            self._expr(arg)
        function = self._owner.functions.get(each.function)
        if function is None:
            self._say(f"{each.function} does not stand before it")
            return
        if len(function.params) != len(each.args):
            self._say(f"{each.function} takes {len(function.params)} values")
        for param, arg in zip(function.params, each.args, strict=False):
            if not (param.low <= arg.low and arg.high <= param.high):
                self._say(f"{param.name} of {each.function} is given {arg.low}..{arg.high}")
        if each.var is not None:
            if function.result is None:
                self._say(f"{each.function} has no value")
            else:
                self._define(each.var, p.Var(*function.result, "result"))

    def _draw(self, each: p.Draw) -> None:
        self._expr(each.stream)
        self._expr(each.n)
        if each.n.low < 1 or each.n.high - 1 > each.var.high or each.var.low > 0:
            self._say(f"a draw below {each.n.low}..{each.n.high} for {each.var.name}")
        if each.stream.low < 0 or each.stream.high > self._owner.program.players:
            self._say("there is no such stream")
        self._define(each.var, None)

    def _begin(self, each: p.Begin) -> None:
        self._expr(each.number)

    def _nothing(self, each: p.Stmt) -> None:
        """Nothing to check."""

    # -- expressions

    def _expr(self, expr: p.Expr) -> None:
        for each in ops.inner(expr):
            self._expr(each)
        if expr.low < -MOST - 1 or expr.high > MOST:
            self._say(f"{expr.low}..{expr.high} needs more than 64 bits")
        if isinstance(expr, p.Const) and expr.low != expr.high:
            self._say("a constant has two values")
        elif isinstance(expr, p.Var):
            if expr.name not in self._set:
                self._say(f"{expr.name} is read before it is set")
        elif isinstance(expr, p.Trusted):
            if expr.low > expr.value.high or expr.value.low > expr.high:
                self._say(f"trusted to lie in {expr.low}..{expr.high}, which cannot be")
        else:
            self._computed(expr)

    def _computed(self, expr: p.Expr) -> None:
        if isinstance(expr, p.Cell):
            good = 0 <= expr.first <= expr.index.low and expr.index.high <= expr.last
            good = good and expr.last < len(self._owner.program.cells)
        elif isinstance(expr, p.Item):
            array = self._owner.arrays.get(expr.array)
            length = 0 if array is None else array.length
            good = expr.index.low >= 0 and expr.index.high < length
        elif isinstance(expr, p.Entry):
            table = self._owner.tables.get(expr.table)
            length = 0 if table is None else len(table.values)
            good = expr.index.low >= 0 and expr.index.high < length
        else:
            good = not isinstance(expr, p.Op) or len(expr.args) == p.OPERATIONS[expr.name]
        if not good:
            self._say(f"{type(expr).__name__} {expr!r} reads outside")
            return
        again = ops.again(expr, self._owner.reader)
        if not (expr.low <= again.low and again.high <= expr.high):
            self._say(f"{expr!r} can be {again.low}..{again.high}")


def _shared(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many leading loops are the same."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length


def _ends(block: p.Block) -> bool:
    """Whether control never comes to the end of a block."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, p.If):
        return _ends(last.then) and _ends(last.otherwise)
    if isinstance(last, p.Switch):
        return all(_ends(each) for each in last.blocks)
    return isinstance(last, p.Return | p.Fail | p.Loop)


_STATEMENTS: Final[Mapping[type, Callable[[_Function, Any], None]]] = {
    p.Set: _Function._assign,
    p.Gain: _Function._gain,
    p.Store: _Function._store,
    p.Put: _Function._put,
    p.If: _Function._if,
    p.For: _Function._for,
    p.Bits: _Function._bits,
    p.Loop: _Function._loop,
    p.Break: _Function._inside_loop,
    p.Next: _Function._inside_loop,
    p.Switch: _Function._switch,
    p.Return: _Function._return,
    p.Call: _Function._call,
    p.Draw: _Function._draw,
    p.Begin: _Function._begin,
    p.Keep: _Function._nothing,
    p.Fail: _Function._nothing,
}
