"""Prints the expressions of one function as WebAssembly, and knows its local variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

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


def type_of(low: int, high: int) -> int:
    """The type that holds a range."""
    return I32 if low >= -(1 << 31) and high < 1 << 31 else I64


def natural(expr: p.Expr) -> int:
    """The type that holds an expression."""
    return type_of(expr.low, expr.high)


class Values:
    """The local variables of a function, and code that pushes values."""

    def __init__(self, layout: Layout, function: p.Function) -> None:
        self.layout = layout
        self.function = function
        self.code = Code()
        self.locals: list[int] = []
        self.vars: dict[str, tuple[int, int]] = {}
        for var in function.params:
            self.vars[var.name] = (len(self.vars), natural(var))
        self._declare()

    def _declare(self) -> None:
        types: dict[str, int] = {}
        for statement in everything(self.function.body):
            var = target(statement)
            if var is not None and var.name not in self.vars:
                wide = natural(var) == I64 or types.get(var.name) == I64
                types[var.name] = I64 if wide else I32
        for name, type in types.items():
            self.vars[name] = (len(self.vars), type)
            self.locals.append(type)

    def temporary(self, type: int) -> int:
        """A new local variable."""
        self.locals.append(type)
        return len(self.function.params) + len(self.locals) - 1

    def in_runs(self, index: p.Expr, first: int, last: int, write: Callable[[Run], None]) -> None:
        """Write what differs by how cells are stored; one way where they are stored alike."""
        runs = self.layout.runs(first, last)
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

    def cast(self, type: int, wanted: int) -> None:
        if type != wanted:
            self.code.plain("i64.extend" if wanted == I64 else "i32.wrap")

    def expr(self, expr: p.Expr, wanted: int) -> None:
        """Push the value of an expression in a type that holds it."""
        if isinstance(expr, p.Const):
            self.code.const(wanted, expr.low)
        elif isinstance(expr, p.Var):
            local, type = self.vars[expr.name]
            self.code.get(local)
            self.cast(type, wanted)
        elif isinstance(expr, p.Cell):
            self._cell(expr, wanted)
        elif isinstance(expr, p.Item):
            self._number(self.layout.arrays[expr.array], expr.index, wanted)
        elif isinstance(expr, p.Entry):
            self._number(self.layout.tables[expr.table], expr.index, wanted)
        elif isinstance(expr, p.Trusted):
            self._trusted(expr, wanted)
        else:
            assert isinstance(expr, p.Op)
            self._operation(expr, wanted)

    def _trusted(self, expr: p.Trusted, wanted: int) -> None:
        type = max(natural(expr.value), wanted, key=lambda each: each == I64)
        self.expr(expr.value, type)
        self.cast(type, wanted)

    def _operation(self, expr: p.Op, wanted: int) -> None:
        if expr.name == "select":
            self._select(expr, wanted)
            return
        if expr.name == "mul_low":
            self._product(expr)
            self.code.const(I64, p.LOW_MASK)
            self.code.plain("i64.and")
            self.cast(I64, wanted)
            return
        if expr.name == "not":
            self.expr(expr.args[0], I32)
            self.code.plain("i32.eqz")
            self.cast(I32, wanted)
            return
        wide = any(natural(each) == I64 for each in expr.args) or ops.shifts_far(expr)
        flag = expr.name in _FLAGS
        type = I64 if wide or (natural(expr) == I64 and not flag) else I32
        if expr.name in ("min", "max"):
            self._extreme(expr, type)
        else:
            for each in expr.args:
                if not self._low_part(expr, each, type):
                    self.expr(each, type)
            name = "i32" if type == I32 else "i64"
            self.code.plain(f"{name}.{_SIMPLE[expr.name]}")
        self.cast(I32 if flag else type, wanted)

    def _product(self, expr: p.Op) -> None:
        """Push a product with more bits than are asked for; nothing flows down from these."""
        for each in expr.args:
            if isinstance(each, p.Op) and each.name == "mul_low":
                self._product(each)
            else:
                self.expr(each, I64)
        self.code.plain("i64.mul")

    def _low_part(self, expr: p.Op, arg: p.Expr, wanted: int) -> bool:
        """Push `product >> n` as an argument of `&` without what `&` drops; False if it is not."""
        if not (expr.name == "bit_and" and isinstance(arg, p.Op) and arg.name == "shift_right"):
            return False
        product, by = arg.args
        if not (isinstance(product, p.Op) and product.name == "mul_low"):
            return False
        if expr.args[1].high << by.high > p.LOW_MASK:
            return False
        self._product(product)
        self.expr(by, I64)
        self.code.plain("i64.shr")
        self.cast(I64, wanted)
        return True

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
        if isinstance(expr, p.Var) and self.vars[expr.name][1] == type:
            return self.vars[expr.name][0]
        local = self.temporary(type)
        self.expr(expr, type)
        self.code.set(local)
        return local

    # -- memory

    def address(self, index: p.Expr, width: int, address: int, first: int) -> int:
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
        offset = self.address(index, numbers.width, numbers.address, 0)
        if numbers.width == 8:
            self.code.load(I64, 8, True, offset)
            self.cast(I64, wanted)
            return
        self.code.load(wanted, numbers.width, numbers.signed, offset)

    def _cell(self, expr: p.Cell, wanted: int) -> None:
        runs = self.layout.runs(expr.first, expr.last)
        if len(runs) == 1:
            self._load(expr, runs[0], wanted)
            return
        kept = self.temporary(wanted)

        def write(run: Run) -> None:
            self._load(expr, run, wanted)
            self.code.set(kept)

        self.in_runs(expr.index, expr.first, expr.last, write)
        self.code.get(kept)

    def _load(self, expr: p.Cell, run: Run, wanted: int) -> None:
        type = I64 if run.width >= 4 else wanted
        for number, (at, width) in enumerate(parts(run.width)):
            offset = self.address(expr.index, run.width, run.address, run.first)
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
        self.cast(type, wanted)


def parts(width: int) -> list[tuple[int, int]]:
    """A number of bytes as (offset, width) of loads that a machine has."""
    found, at = [], 0
    for part in (8, 4, 2, 1):
        while width - at >= part:
            found.append((at, part))
            at += part
    return found
