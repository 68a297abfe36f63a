"""Variables of one function: how often each is set, and copies under new names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.ops import Reader
from gemwright.interpreter.compiled.flat.program import Block, Const, Expr, Var
from gemwright.interpreter.compiled.flat.visit import changed, everything, target


def times_set(block: Block) -> Counter[str]:
    """How often each variable is set in a block."""
    found: Counter[str] = Counter()
    for statement in everything(block):
        var = target(statement)
        if var is not None:
            found[var.name] += 1
    return found


class Renamer:
    """Copies blocks with new names for the variables that they set."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._copies = 0

    def suffix(self, tag: str) -> str:
        """An ending that no name has yet."""
        self._copies += 1
        return f"_{tag}{self._copies}"

    def copy(
        self, block: Block, given: dict[str, Expr], tag: str, outer: Collection[str] = ()
    ) -> Block:
        """A copy with `given` in place of some variables.

        Those that it sets get fresh names, unless they are `outer` ones, which others set too.
        """
        suffix = self.suffix(tag)
        fresh = {name: name + suffix for name in times_set(block) if name not in outer}
        return substituted(block, given, fresh, self._reader)


def substituted(
    block: Block, given: dict[str, Expr], fresh: dict[str, str], reader: Reader
) -> Block:
    """A block with expressions in place of variables, and other names for others."""

    def var(each: Var) -> Var:
        name = fresh.get(each.name)
        return each if name is None else Var(each.low, each.high, name)

    def expr(each: Expr) -> Expr:
        if isinstance(each, Const):
            return each
        if isinstance(each, Var):
            return given[each.name] if each.name in given else var(each)
        return ops.rebuilt(each, expr, reader)

    def inner(each: Block) -> Block:
        return tuple(changed(statement, expr, inner, var) for statement in each)

    return inner(block)
