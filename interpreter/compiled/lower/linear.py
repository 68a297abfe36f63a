"""Expressions as sums of variables times factors, and conditions as bounds of one variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr, Op, Trusted, Var


@dataclass(frozen=True, slots=True)
class Linear:
    """`constant` plus the sum of `factors[name]` times the variable of that name."""

    factors: Mapping[str, Expr]
    constant: Expr


def linear(expr: Expr, names: frozenset[str]) -> Linear | None:
    """An expression as a linear form in some variables; None if it is none."""
    if not names & ops.reads(expr):
        return Linear({}, expr)
    if isinstance(expr, Var):
        return Linear({expr.name: ops.TRUE}, ops.FALSE)
    if isinstance(expr, Trusted):
        return linear(expr.value, names)
    if not isinstance(expr, Op):
        return None
    if expr.name in ("add", "sub"):
        left, right = linear(expr.args[0], names), linear(expr.args[1], names)
        if left is None or right is None:
            return None
        return _plus(left, right if expr.name == "add" else _times(right, ops.const(-1)))
    if expr.name == "mul":
        return _product(expr, names)
    if expr.name == "select" and not names & ops.reads(expr.args[0]):
        return _choice(expr, names)
    return None


def _plus(left: Linear, right: Linear) -> Linear:
    factors = dict(left.factors)
    for name, factor in right.factors.items():
        factors[name] = ops.add(factors.get(name, ops.FALSE), factor)
    return Linear(factors, ops.add(left.constant, right.constant))


def _times(form: Linear, by: Expr) -> Linear:
    factors = {name: ops.mul(factor, by) for name, factor in form.factors.items()}
    return Linear(factors, ops.mul(form.constant, by))


def _product(expr: Op, names: frozenset[str]) -> Linear | None:
    for one, other in (expr.args, expr.args[::-1]):
        if not names & ops.reads(one):
            form = linear(other, names)
            return None if form is None else _times(form, one)
    return None


def _choice(expr: Op, names: frozenset[str]) -> Linear | None:
    condition = expr.args[0]
    then, otherwise = linear(expr.args[1], names), linear(expr.args[2], names)
    if then is None or otherwise is None:
        return None
    factors = {
        name: ops.select(
            condition,
            then.factors.get(name, ops.FALSE),
            otherwise.factors.get(name, ops.FALSE),
        )
        for name in (*then.factors, *otherwise.factors)
    }
    return Linear(factors, ops.select(condition, then.constant, otherwise.constant))


# -- bounds ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a condition asks of a variable: `low` and `high`, where it asks it."""

    low: Expr | None = None
    high: Expr | None = None


_OPEN: Final = Bounds()
_NOT: Final = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}


def bounds(condition: Expr, var: Var, holds: bool = True) -> Bounds | None:
    """The bounds that a condition is for a variable, exactly; None if it is something else.

    Args:
        holds: False asks for the bounds where the condition does not hold.
    """
    if var.name not in ops.reads(condition):
        # All or nothing: below 0 nothing is left, for the variable is never negative.
        kept = condition if holds else ops.negate(condition)
        none = ops.select(kept, ops.const(var.high), ops.const(-1))
        return _OPEN if kept == ops.TRUE else Bounds(None, none)
    if not isinstance(condition, Op):
        return None
    if condition.name == "not":
        return bounds(condition.args[0], var, not holds)
    if condition.name == ("and" if holds else "or"):
        return _both(condition, var, holds)
    if condition.name == ("or" if holds else "and"):
        return _either(condition, var, holds)
    if condition.name in _NOT:
        name = condition.name if holds else _NOT[condition.name]
        return _comparison(name, condition.args[0], condition.args[1], var)
    return None


def _both(condition: Op, var: Var, holds: bool) -> Bounds | None:
    one, other = (bounds(each, var, holds) for each in condition.args)
    if one is None or other is None:
        return None
    return Bounds(_tighter(one.low, other.low, True), _tighter(one.high, other.high, False))


def _tighter(a: Expr | None, b: Expr | None, low: bool) -> Expr | None:
    if a is None or b is None:
        return b if a is None else a
    return ops.larger(a, b) if low else ops.smaller(a, b)


def _either(condition: Op, var: Var, holds: bool) -> Bounds | None:
    """One side does not read the variable: where it decides, the bounds are open."""
    for fixed, moving in (condition.args, condition.args[::-1]):
        if var.name in ops.reads(fixed):
            continue
        found = bounds(moving, var, holds)
        if found is None:
            return None
        decided = fixed if holds else ops.negate(fixed)
        low = None if found.low is None else ops.select(decided, ops.FALSE, found.low)
        open = ops.const(var.high)
        high = None if found.high is None else ops.select(decided, open, found.high)
        return Bounds(low, high)
    return None


def _comparison(name: str, left: Expr, right: Expr, var: Var) -> Bounds | None:
    """`left name right` with the variable on one side or both, times 1 or -1."""
    form = linear(ops.sub(left, right), frozenset((var.name,)))
    factor = None if form is None else ops.known(form.factors.get(var.name, ops.FALSE))
    if form is None or factor not in (1, -1) or name == "ne":
        return None
    if factor == -1:
        name = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}.get(name, name)
    limit = form.constant if factor == -1 else ops.sub(ops.FALSE, form.constant)
    if name == "eq":
        return Bounds(limit, limit)
    if name in ("lt", "le"):
        return Bounds(None, limit if name == "le" else ops.add(limit, ops.const(-1)))
    return Bounds(limit if name == "ge" else ops.add(limit, ops.const(1)), None)
