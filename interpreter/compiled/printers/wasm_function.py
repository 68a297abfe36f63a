"""Prints one function of a flat program as WebAssembly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.printers.layout import Layout, Run
from gemwright.interpreter.compiled.printers.wasm_code import I32, I64
from gemwright.interpreter.compiled.printers.wasm_values import Values, natural, parts, type_of


class Machine(Protocol):
    """What functions of a module need of each other."""

    layout: Layout

    @property
    def functions(self) -> Mapping[str, tuple[int, p.Function]]:
        """The functions that are printed, with their numbers."""

    def reason(self, text: str) -> int:
        """The number of a reason for which games are given up."""

    def draw(self, wide: bool) -> int:
        """The function that draws: (stream i32, n i64) -> i64; `wide` beyond 32 bits."""

    def begin(self) -> int:
        """The function that begins a game: (number i64)."""

    def keep(self) -> int:
        """The function that keeps a game."""


class FunctionPrinter:
    """Prints one function; `code` and `locals` are what came out."""

    def __init__(self, machine: Machine, function: p.Function) -> None:
        self._machine = machine
        self._layout = machine.layout
        self._function = function
        self._values = Values(machine.layout, function)
        self.code = self._values.code
        self.locals = self._values.locals
        self._vars = self._values.vars
        self.expr = self._values.expr
        self._breaks: list[int] = []
        self._nexts: list[int] = []
        self.params = [natural(var) for var in function.params]
        self.results = [] if function.result is None else [type_of(*function.result)]

    def print(self) -> None:
        """Print the whole function."""
        self._block(self._function.body)
        if self.results:
            self.code.plain("unreachable")

    # -- statements

    def _block(self, block: p.Block) -> None:
        for each in block:
            _STATEMENTS[type(each)](self, each)

    def _give(self, var: p.Var, write: Callable[[int], None]) -> None:
        number, type = self._vars[var.name]
        write(type)
        self.code.set(number)

    def _set(self, each: p.Set) -> None:
        self._give(each.var, lambda type: self.expr(each.value, type))

    def _gain(self, each: p.Gain) -> None:
        number, type = self._vars[each.var.name]
        self.code.get(number)
        self.expr(each.value, type)
        self.code.plain("i32.add" if type == I32 else "i64.add")
        self.code.set(number)

    def _store(self, each: p.Store) -> None:
        self._values.in_runs(
            each.index, each.first, each.last, lambda run: self._store_in(each, run)
        )

    def _store_in(self, each: p.Store, run: Run) -> None:
        type = I64 if run.width > 4 else natural(ops.sub(each.value, ops.const(run.low)))
        value = ops.sub(each.value, ops.const(run.low))
        pieces = parts(run.width)
        if len(pieces) == 1:
            offset = self._values.address(each.index, run.width, run.address, run.first)
            self.expr(value, type)
            self.code.store(type, run.width, offset)
            return
        kept = self._values.temporary(I64)
        self.expr(value, I64)
        self.code.set(kept)
        for at, width in pieces:
            offset = self._values.address(each.index, run.width, run.address, run.first)
            self.code.get(kept)
            self.code.const(I64, 8 * at)
            self.code.plain("i64.shr")
            self.code.store(I64, width, offset + at)

    def _put(self, each: p.Put) -> None:
        numbers = self._layout.arrays[each.array]
        type = I64 if numbers.width == 8 else natural(each.value)
        offset = self._values.address(each.index, numbers.width, numbers.address, 0)
        self.expr(each.value, type)
        self.code.store(type, numbers.width, offset)

    def _if(self, each: p.If) -> None:
        self.expr(each.condition, I32)
        self.code.if_()
        self._block(each.then)
        if each.otherwise:
            self.code.plain("else")
            self._block(each.otherwise)
        self.code.plain("end")

    def _for(self, each: p.For) -> None:
        """The test stands at the end of the loop, and once before it."""
        number, type = self._vars[each.var.name]
        name = "i32" if type == I32 else "i64"
        code, last = self.code, self._values.temporary(type)
        self.expr(each.low, type)
        code.tee(number)
        self.expr(each.high, type)
        code.tee(last)
        code.plain(f"{name}.le")
        outer = code.if_()
        loop = code.loop()
        self._body(each.body, outer)
        code.get(number)
        code.get(last)
        code.plain(f"{name}.lt")
        code.if_()
        code.get(number)
        code.const(type, 1)
        code.plain(f"{name}.add")
        code.set(number)
        code.branch(loop)
        code.plain("end", "end", "end")

    def _body(self, body: p.Block, outer: int) -> None:
        """The body of a loop, in a block of its own if it goes on from within."""
        inner = self.code.block()
        self._breaks.append(outer)
        self._nexts.append(inner)
        self._block(body)
        self._breaks.pop()
        self._nexts.pop()
        self.code.plain("end")

    def _bits(self, each: p.Bits) -> None:
        number, type = self._vars[each.var.name]
        wide = natural(each.mask)
        name, code = ("i32" if wide == I32 else "i64"), self.code
        mask = self._values.temporary(wide)
        self.expr(each.mask, wide)
        code.set(mask)
        outer = code.block()
        loop = code.loop()
        code.get(mask)
        code.plain(f"{name}.eqz")
        code.branch_if(outer)
        code.get(mask)
        code.plain(f"{name}.ctz")
        self._values.cast(wide, type)
        code.set(number)
        code.get(mask)
        code.get(mask)
        code.const(wide, 1)
        code.plain(f"{name}.sub", f"{name}.and")
        code.set(mask)
        self._body(each.body, outer)
        code.branch(loop)
        code.plain("end", "end")

    def _loop(self, each: p.Loop) -> None:
        code, rounds = self.code, self._values.temporary(I32)
        code.const(I32, each.cap)
        code.set(rounds)
        outer = code.block()
        loop = code.loop()
        code.get(rounds)
        code.plain("i32.eqz")
        code.if_()
        self._give_up("a loop goes on for too long")
        code.plain("end")
        code.get(rounds)
        code.const(I32, 1)
        code.plain("i32.sub")
        code.set(rounds)
        self._body(each.body, outer)
        code.branch(loop)
        code.plain("end", "end")

    def _break(self, each: p.Break) -> None:
        self.code.branch(self._breaks[-1])

    def _next(self, each: p.Next) -> None:
        self.code.branch(self._nexts[-1])

    def _switch(self, each: p.Switch) -> None:
        code = self.code
        outer = code.block()
        labels = [code.block() for _ in each.blocks][::-1]
        self.expr(each.value, I32)
        code.branch_table(labels, labels[-1])
        for block in each.blocks:
            code.plain("end")
            self._block(block)
            code.branch(outer)
        code.plain("end")

    def _return(self, each: p.Return) -> None:
        if each.value is not None:
            self.expr(each.value, self.results[0])
        self.code.plain("return")

    def _call(self, each: p.Call) -> None:
        number, function = self._machine.functions[each.function]
        for arg, param in zip(each.args, function.params, strict=True):
            self.expr(arg, natural(param))
        self.code.call(number)
        if function.result is None:
            return
        if each.var is None:
            self.code.plain("drop")
            return
        local, type = self._vars[each.var.name]
        self._values.cast(type_of(*function.result), type)
        self.code.set(local)

    def _draw(self, each: p.Draw) -> None:
        self.expr(each.stream, I32)
        self.expr(each.n, I64)
        self.code.call(self._machine.draw(each.n.high > 1 << 32))
        local, type = self._vars[each.var.name]
        self._values.cast(I64, type)
        self.code.set(local)

    def _begin(self, each: p.Begin) -> None:
        self.expr(each.number, I64)
        self.code.call(self._machine.begin())

    def _keep(self, each: p.Keep) -> None:
        self.code.call(self._machine.keep())

    def _fail(self, each: p.Fail) -> None:
        self._give_up(each.reason)

    def _give_up(self, reason: str) -> None:
        self.code.const(I32, 0)
        self.code.const(I32, self._machine.reason(reason))
        self.code.store(I32, 4, self._layout.failed)
        self.code.plain("unreachable")


_STATEMENTS: Final[Mapping[type, Callable[[FunctionPrinter, Any], None]]] = {
    p.Set: FunctionPrinter._set,
    p.Gain: FunctionPrinter._gain,
    p.Store: FunctionPrinter._store,
    p.Put: FunctionPrinter._put,
    p.If: FunctionPrinter._if,
    p.For: FunctionPrinter._for,
    p.Bits: FunctionPrinter._bits,
    p.Loop: FunctionPrinter._loop,
    p.Break: FunctionPrinter._break,
    p.Next: FunctionPrinter._next,
    p.Switch: FunctionPrinter._switch,
    p.Return: FunctionPrinter._return,
    p.Call: FunctionPrinter._call,
    p.Draw: FunctionPrinter._draw,
    p.Begin: FunctionPrinter._begin,
    p.Keep: FunctionPrinter._keep,
    p.Fail: FunctionPrinter._fail,
}
