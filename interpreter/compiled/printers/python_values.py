"""Prints the expressions of a flat program as Python."""

from __future__ import annotations

from typing import Final

from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.ops import inner
from gemwright.interpreter.compiled.printers.infix import INFIX

_INFIX: Final = {**INFIX, "and": "and", "or": "or"}


def table_name(name: str) -> str:
    """The name of a table in the source."""
    return f"T_{name}"


def array_name(name: str) -> str:
    """The name of an array in the source."""
    return f"A_{name}"


def text(expr: p.Expr) -> str:
    """An expression, in brackets where another one could be around it."""
    if isinstance(expr, p.Const):
        return str(expr.low)
    if isinstance(expr, p.Var):
        return expr.name
    if isinstance(expr, p.Cell):
        return f"s[{text(expr.index)}]"
    if isinstance(expr, p.Item):
        return f"{array_name(expr.array)}[{text(expr.index)}]"
    if isinstance(expr, p.Entry):
        return f"{table_name(expr.table)}[{text(expr.index)}]"
    if isinstance(expr, p.Trusted):
        return text(expr.value)
    assert isinstance(expr, p.Op)
    return _operation(expr)


def _operation(expr: p.Op) -> str:
    if expr.name == "mul_low":
        return f"({_product(expr)} & {p.LOW_MASK})"
    args = [text(arg) for arg in expr.args]
    if expr.name in _INFIX:
        return f"({args[0]} {_INFIX[expr.name]} {args[1]})"
    if expr.name == "select":
        return f"({args[1]} if {args[0]} else {args[2]})"
    if expr.name == "not":
        return f"(not {args[0]})"
    if expr.name == "ones":
        return f"{args[0]}.bit_count()" if args[0][0] == "(" else f"({args[0]}).bit_count()"
    return _extreme(expr, args)


def _product(expr: p.Expr) -> str:
    """Factors. What a product within has above the mask may as well be cut off at the end."""
    if isinstance(expr, p.Op) and expr.name == "mul_low":
        return " * ".join(map(_product, expr.args))
    return text(expr)


def _extreme(expr: p.Op, args: list[str]) -> str:
    """The smaller or larger of two: a test takes half the time of a call.

    What is no name gets one, by the height of the expression, so that no inner one has the same.
    """
    sign = "<" if expr.name == "min" else ">"
    height = _height(expr)
    names, tests = list(args), list(args)
    for at, (letter, arg) in enumerate(zip("ab", expr.args, strict=True)):
        if not isinstance(arg, p.Var | p.Const):
            names[at] = f"{letter}{height}"
            tests[at] = f"({names[at]} := {args[at]})"
    return f"({names[0]} if {tests[0]} {sign} {tests[1]} else {names[1]})"


def _height(expr: p.Expr) -> int:
    return 1 + max((_height(each) for each in inner(expr)), default=0)
