"""Prints one function of a flat program as WebAssembly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.visit import everything, target
from gemwright.interpreter.compiled.printers.layout import Layout, Numbers, Run
from gemwright.interpreter.compiled.printers.wasm_code import I32, I64, Code

_SIMPLE: Final = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
    "and": "and",
    "or": "or",
    "bit_and": "and",
    "bit_or": "or",
    "shift_left": "shl",
    "shift_right": "shr",
    "ones": "ones",
}
_FLAGS: Final = ("eq", "ne", "lt", "le", "gt", "ge")


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


def type_of(low: int, high: int) -> int:
    """The type that holds a range."""
    return I32 if -(1 << 31) <= low and high < 1 << 31 else I64


def natural(expr: p.Expr) -> int:
    """The type that holds an expression."""
    return type_of(expr.low, expr.high)


class FunctionPrinter:
    """Prints one function; `code` and `locals` are what came out."""

    def __init__(self, machine: Machine, function: p.Function) -> None:
        self._machine = machine
        self._layout = machine.layout
        self._function = function
        self.code = Code()
        self.locals: list[int] = []
        self._vars: dict[str, tuple[int, int]] = {}
        self._breaks: list[int] = []
        self._nexts: list[int] = []
        for var in function.params:
            self._vars[var.name] = (len(self._vars), natural(var))
        self.params = [type for _, type in self._vars.values()]
        self.results = [] if function.result is None else [type_of(*function.result)]
        self._declare()

    def _declare(self) -> None:
        types: dict[str, int] = {}
        for statement in everything(self._function.body):
            var = target(statement)
            if var is not None and var.name not in self._vars:
                wide = natural(var) == I64 or types.get(var.name) == I64
                types[var.name] = I64 if wide else I32
        for name, type in types.items():
            self._vars[name] = (len(self._vars), type)
            self.locals.append(type)

    def _temporary(self, type: int) -> int:
        self.locals.append(type)
        return len(self._function.params) + len(self.locals) - 1

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
        self._in_runs(each.index, each.first, each.last, lambda run: self._store_in(each, run))

    def _in_runs(
        self, index: p.Expr, first: int, last: int, write: Callable[[Run], None]
    ) -> None:
        """Write what differs by how cells are stored; one way where they are stored alike."""
        runs = self._layout.runs(first, last)
        for run in runs[:-1]:
            self.expr(index, I32)
            self.code.const(I32, run.last)
            self.code.plain("i32.le")
            self.code.if_()
            write(run)
            self.code.plain("else")
        write(runs[-1])
        for _ in runs[:-1]:
            self.code.plain("end")

    def _store_in(self, each: p.Store, run: Run) -> None:
        type = I64 if run.width > 4 else natural(ops.sub(each.value, ops.const(run.low)))
        value = ops.sub(each.value, ops.const(run.low))
        parts = _parts(run.width)
        if len(parts) == 1:
            offset = self._address(each.index, run.width, run.address, run.first)
            self.expr(value, type)
            self.code.store(type, run.width, offset)
            return
        kept = self._temporary(I64)
        self.expr(value, I64)
        self.code.set(kept)
        for at, width in parts:
            offset = self._address(each.index, run.width, run.address, run.first)
            self.code.get(kept)
            self.code.const(I64, 8 * at)
            self.code.plain("i64.shr")
            self.code.store(I64, width, offset + at)

    def _put(self, each: p.Put) -> None:
        numbers = self._layout.arrays[each.array]
        type = I64 if numbers.width == 8 else natural(each.value)
        offset = self._address(each.index, numbers.width, numbers.address, 0)
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
        code, last = self.code, self._temporary(type)
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
        mask = self._temporary(wide)
        self.expr(each.mask, wide)
        code.set(mask)
        outer = code.block()
        loop = code.loop()
        code.get(mask)
        code.plain(f"{name}.eqz")
        code.branch_if(outer)
        code.get(mask)
        code.plain(f"{name}.ctz")
        self._cast(wide, type)
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
        code, rounds = self.code, self._temporary(I32)
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
        self._cast(type_of(*function.result), type)
        self.code.set(local)

    def _draw(self, each: p.Draw) -> None:
        self.expr(each.stream, I32)
        self.expr(each.n, I64)
        self.code.call(self._machine.draw(each.n.high > 1 << 32))
        local, type = self._vars[each.var.name]
        self._cast(I64, type)
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

    # -- expressions

    def _cast(self, type: int, wanted: int) -> None:
        if type != wanted:
            self.code.plain("i64.extend" if wanted == I64 else "i32.wrap")

    def expr(self, expr: p.Expr, wanted: int) -> None:
        """Push the value of an expression in a type that holds it."""
        if isinstance(expr, p.Const):
            self.code.const(wanted, expr.low)
        elif isinstance(expr, p.Var):
            local, type = self._vars[expr.name]
            self.code.get(local)
            self._cast(type, wanted)
        elif isinstance(expr, p.Cell):
            self._cell(expr, wanted)
        elif isinstance(expr, p.Item):
            self._number(self._layout.arrays[expr.array], expr.index, wanted)
        elif isinstance(expr, p.Entry):
            self._number(self._layout.tables[expr.table], expr.index, wanted)
        elif isinstance(expr, p.Trusted):
            self._trusted(expr, wanted)
        else:
            assert isinstance(expr, p.Op)
            self._operation(expr, wanted)

    def _trusted(self, expr: p.Trusted, wanted: int) -> None:
        type = max(natural(expr.value), wanted, key=lambda each: each == I64)
        self.expr(expr.value, type)
        self._cast(type, wanted)

    def _operation(self, expr: p.Op, wanted: int) -> None:
        if expr.name == "select":
            self._select(expr, wanted)
            return
        if expr.name == "not":
            self.expr(expr.args[0], I32)
            self.code.plain("i32.eqz")
            self._cast(I32, wanted)
            return
        wide = any(natural(each) == I64 for each in expr.args)
        flag = expr.name in _FLAGS
        type = I64 if wide or (natural(expr) == I64 and not flag) else I32
        if expr.name in ("min", "max"):
            self._extreme(expr, type)
        else:
            for each in expr.args:
                self.expr(each, type)
            name = "i32" if type == I32 else "i64"
            self.code.plain(f"{name}.{_SIMPLE[expr.name]}")
        self._cast(I32 if flag else type, wanted)

    def _select(self, expr: p.Op, wanted: int) -> None:
        condition, then, otherwise = expr.args
        self.expr(then, wanted)
        self.expr(otherwise, wanted)
        self.expr(condition, I32)
        self.code.plain("select")

    def _extreme(self, expr: p.Op, type: int) -> None:
        name = "i32" if type == I32 else "i64"
        locals = [self._in_local(each, type) for each in expr.args]
        for local in (*locals, *locals):
            self.code.get(local)
        self.code.plain(f"{name}.{'lt' if expr.name == 'min' else 'gt'}", "select")

    def _in_local(self, expr: p.Expr, type: int) -> int:
        """A local variable that holds an expression."""
        if isinstance(expr, p.Var) and self._vars[expr.name][1] == type:
            return self._vars[expr.name][0]
        local = self._temporary(type)
        self.expr(expr, type)
        self.code.set(local)
        return local

    # -- memory

    def _address(self, index: p.Expr, width: int, address: int, first: int) -> int:
        """Push the moving part of an address; the rest is the offset that is returned.

        Number `first` lies at `address`.
        """
        constant = address - first * width
        if isinstance(index, p.Op) and index.name == "add" and isinstance(index.args[1], p.Const):
            moving, more = index.args[0], index.args[1].low * width
            if moving.low >= 0 and constant + more >= 0:
                index, constant = moving, constant + more
        if isinstance(index, p.Const):
            self.code.const(I32, 0)
            return constant + index.low * width
        if constant < 0:
            index, constant = ops.add(index, ops.const(-first)), address
        self.expr(ops.mul(index, ops.const(width)), I32)
        return constant

    def _number(self, numbers: Numbers, index: p.Expr, wanted: int) -> None:
        offset = self._address(index, numbers.width, numbers.address, 0)
        if numbers.width == 8:
            self.code.load(I64, 8, True, offset)
            self._cast(I64, wanted)
            return
        self.code.load(wanted, numbers.width, numbers.signed, offset)

    def _cell(self, expr: p.Cell, wanted: int) -> None:
        runs = self._layout.runs(expr.first, expr.last)
        if len(runs) == 1:
            self._load(expr, runs[0], wanted)
            return
        kept = self._temporary(wanted)

        def write(run: Run) -> None:
            self._load(expr, run, wanted)
            self.code.set(kept)

        self._in_runs(expr.index, expr.first, expr.last, write)
        self.code.get(kept)

    def _load(self, expr: p.Cell, run: Run, wanted: int) -> None:
        type = I64 if run.width >= 4 else wanted
        for number, (at, width) in enumerate(_parts(run.width)):
            offset = self._address(expr.index, run.width, run.address, run.first)
            self.code.load(type, width, False, offset + at)
            name = "i32" if type == I32 else "i64"
            if at:
                self.code.const(type, 8 * at)
                self.code.plain(f"{name}.shl")
            if number:
                self.code.plain(f"{name}.or")
        if run.low:
            self.code.const(type, run.low)
            self.code.plain("i32.add" if type == I32 else "i64.add")
        self._cast(type, wanted)


def _parts(width: int) -> list[tuple[int, int]]:
    """A number of bytes as (offset, width) of loads that a machine has."""
    found, at = [], 0
    for part in (8, 4, 2, 1):
        while width - at >= part:
            found.append((at, part))
            at += part
    return found


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
