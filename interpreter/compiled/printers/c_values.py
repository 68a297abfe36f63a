"""Prints the expressions of a flat program as C, each in a type that holds it."""

from __future__ import annotations

from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.printers.infix import INFIX
from gemwright.interpreter.compiled.printers.layout import Layout, Numbers, Run

INT: Final = "int32_t"
LONG: Final = "int64_t"

_INFIX: Final = {**INFIX, "and": "&", "or": "|"}
_FLAGS: Final = ("eq", "ne", "lt", "le", "gt", "ge")


def type_of(low: int, high: int) -> str:
    """The type that holds a range."""
    return INT if low >= -(1 << 31) and high < 1 << 31 else LONG


def natural(expr: p.Expr) -> str:
    """The type that holds an expression."""
    return type_of(expr.low, expr.high)


def local(var: p.Var) -> str:
    """The name of a variable, which is no word of C."""
    return f"v_{var.name}"


def constant(value: int) -> str:
    """A number as C has it; the least of all cannot be written as itself."""
    if value == -(1 << 63):
        return "INT64_MIN"
    return f"INT64_C({value})" if type_of(value, value) == LONG else str(value)


def stored(numbers: Numbers) -> str:
    """The type of numbers in memory."""
    return f"{'' if numbers.signed else 'u'}int{8 * numbers.width}_t"


class Values:
    """Prints expressions over one layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def text(self, expr: p.Expr, wanted: str | None = None) -> str:
        """An expression, by default in its natural type."""
        found = self._text(expr)
        if wanted != LONG or natural(expr) == LONG:
            return found
        return f"INT64_C({found})" if isinstance(expr, p.Const) else f"(int64_t){found}"

    def _text(self, expr: p.Expr) -> str:
        if isinstance(expr, p.Const):
            return constant(expr.low)
        if isinstance(expr, p.Var):
            return local(expr)
        if isinstance(expr, p.Cell):
            return self._cell(expr)
        if isinstance(expr, p.Item):
            return self._number(f"A_{expr.array}", self._layout.arrays[expr.array], expr)
        if isinstance(expr, p.Entry):
            return self._number(f"T_{expr.table}", self._layout.tables[expr.table], expr)
        if isinstance(expr, p.Trusted):
            return self._trusted(expr)
        assert isinstance(expr, p.Op)
        return self._operation(expr)

    def _number(self, name: str, numbers: Numbers, expr: p.Item | p.Entry) -> str:
        found = f"{name}[{self.text(expr.index)}]"
        # C would go on without signs; what is narrower it widens to numbers with a sign.
        wide_unsigned = numbers.width == 4 and not numbers.signed
        return f"({natural(expr)}){found}" if wide_unsigned else found

    def _trusted(self, expr: p.Trusted) -> str:
        found = self.text(expr.value)
        narrower = natural(expr.value) == LONG and natural(expr) == INT
        return f"(int32_t)({found})" if narrower else found

    def _operation(self, expr: p.Op) -> str:
        if expr.name == "not":
            return f"(!{self.text(expr.args[0])})"
        wide = any(natural(each) == LONG for each in expr.args) or ops.shifts_far(expr)
        flag = expr.name in _FLAGS
        type = LONG if wide or (natural(expr) == LONG and not flag) else INT
        if expr.name == "select":
            condition, then, otherwise = expr.args
            sides = f"{self.text(then, natural(expr))} : {self.text(otherwise, natural(expr))}"
            return f"({self.text(condition)} ? {sides})"
        args = [self.text(each, type) for each in expr.args]
        if expr.name in ("min", "max"):
            found = f"{expr.name}_{'l' if type == LONG else 'i'}({args[0]}, {args[1]})"
        elif expr.name == "mul_low":
            product = f"((uint64_t){args[0]} * (uint64_t){args[1]})"
            found = f"((int64_t)({product} & {constant(p.LOW_MASK)}))"
        elif expr.name == "ones":
            found = f"__builtin_popcountll((uint64_t){args[0]})"
        else:
            found = f"({args[0]} {_INFIX[expr.name]} {args[1]})"
        if type == LONG and natural(expr) == INT and not flag:
            return f"(int32_t){found}"
        return found

    # -- cells

    def _cell(self, expr: p.Cell) -> str:
        runs = self._layout.runs(expr.first, expr.last)
        found = self._load(expr.index, runs[-1], natural(expr))
        for run in reversed(runs[:-1]):
            here = self._load(expr.index, run, natural(expr))
            found = f"({self.text(expr.index)} <= {run.last} ? {here} : {found})"
        return found

    def _load(self, index: p.Expr, run: Run, type: str) -> str:
        at = self.address(index, run)
        found = f"s[{at}]" if run.width == 1 else f"load{run.width}({at})"
        if run.low:
            return f"(({type}){found} + {constant(run.low)})"
        return f"({type}){found}" if run.width > 1 else found

    def address(self, index: p.Expr, run: Run) -> str:
        """Where a cell of a run lies in the state."""
        moved = ops.mul(ops.add(index, ops.const(-run.first)), ops.const(run.width))
        return self.text(ops.add(moved, ops.const(run.address)))
