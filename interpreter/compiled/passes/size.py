"""How large a piece of a program is, in nodes."""

from __future__ import annotations

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Block, Expr
from gemwright.interpreter.compiled.flat.visit import everything, expressions


def size(block: Block) -> int:
    """Statements and expressions of a block."""
    return sum(
        1 + sum(expression_size(expr) for expr in expressions(statement))
        for statement in everything(block)
    )


def expression_size(expr: Expr) -> int:
    """Nodes of an expression."""
    return 1 + sum(expression_size(each) for each in ops.inner(expr))


def is_larger(block: Block, limit: int) -> bool:
    """Whether a block is larger than a limit; looks no further than that."""
    left = limit
    for statement in everything(block):
        left -= 1 + sum(expression_size(expr) for expr in expressions(statement))
        if left < 0:
            return True
    return False


def is_small(expr: Expr, limit: int) -> bool:
    """Whether an expression has fewer nodes than a limit; looks no further than that."""
    todo, left = [expr], limit
    while todo and left > 0:
        left -= 1
        todo.extend(ops.inner(todo.pop()))
    return left > 0
