"""Folding: known values go where they are used, ranges get sharper, dead branches go."""

from __future__ import annotations

from dataclasses import replace

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import leaves
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import (
    Bits,
    Block,
    Break,
    Const,
    Expr,
    Fail,
    For,
    Function,
    If,
    Next,
    Program,
    Return,
    Set,
    Stmt,
    Switch,
    Var,
)
from gemwright.interpreter.compiled.flat.visit import changed
from gemwright.interpreter.compiled.passes.names import times_set

_LAST = (Return, Fail, Break, Next)


def fold(program: Program, done: frozenset[str] = frozenset()) -> Program:
    """The program folded; functions in `done` are as folded as they can be."""
    reader = Reader(program)
    functions = tuple(
        each if each.name in done else replace(each, body=_Folder(each, reader).body())
        for each in program.functions
    )
    return replace(program, functions=functions)


class _Folder:
    """Folds one function. A variable that is set once may be replaced by its value."""

    def __init__(self, function: Function, reader: Reader) -> None:
        self._function = function
        self._reader = reader
        self._once = {name for name, n in times_set(function.body).items() if n == 1}
        self._steady = self._once | {var.name for var in function.params}
        self._known: dict[str, Expr] = {}

    def body(self) -> Block:
        return self._block(self._function.body)

    def _expr(self, each: Expr) -> Expr:
        if isinstance(each, Const):
            return each
        if isinstance(each, Var):
            return self._known.get(each.name, each)
        return ops.rebuilt(each, self._expr, self._reader)

    def _var(self, each: Var) -> Var:
        found = self._known.get(each.name, each)
        return found if isinstance(found, Var) and found.name == each.name else each

    def _block(self, block: Block) -> Block:
        found: list[Stmt] = []
        for statement in block:
            found.extend(self._statement(statement))
            if found and isinstance(found[-1], _LAST):
                break
        return tuple(found)

    def _statement(self, each: Stmt) -> Block:
        if isinstance(each, Set) and each.var.name in self._once:
            return self._set(each)
        if isinstance(each, If):
            return self._if(each)
        if isinstance(each, For):
            return self._for(each)
        if isinstance(each, Bits) and self._expr(each.mask) == ops.FALSE:
            return ()
        if isinstance(each, Switch):
            value = ops.known(self._expr(each.value))
            if value is not None and not leaves(each.blocks[value]):
                return self._block(each.blocks[value])
        return (changed(each, self._expr, self._block, self._var),)

    def _set(self, each: Set) -> Block:
        value = self._expr(each.value)
        name = each.var.name
        if value.low == value.high:
            self._known[name] = ops.const(value.low)
            return ()
        if isinstance(value, Var) and value.name in self._steady:
            self._known[name] = value
            return ()
        var = Var(value.low, value.high, name)
        self._known[name] = var
        return (Set(var, value),)

    def _if(self, each: If) -> Block:
        condition = self._expr(each.condition)
        if isinstance(condition, Const):
            return self._block(each.then if condition.low else each.otherwise)
        then, otherwise = self._block(each.then), self._block(each.otherwise)
        if not then and not otherwise:
            return ()
        if not then:
            return (If(ops.negate(condition), otherwise),)
        return (If(condition, then, otherwise),)

    def _for(self, each: For) -> Block:
        low, high = self._expr(each.low), self._expr(each.high)
        if high.high < low.low:
            return ()
        if isinstance(low, Const) and low == high and not leaves(each.body):
            self._known[each.var.name] = low
            return self._block(each.body)
        var = each.var
        if each.var.name in self._once:
            var = Var(low.low, max(high.high, low.low), each.var.name)
            self._known[each.var.name] = var
        body = self._block(each.body)
        return (For(var, low, high, body),) if body else ()
