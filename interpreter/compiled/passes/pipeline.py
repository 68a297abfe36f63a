"""The passes in the order in which they are applied."""

from __future__ import annotations

from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.passes.counting import count_at_once
from gemwright.interpreter.compiled.passes.dead import remove_dead
from gemwright.interpreter.compiled.passes.fold import fold
from gemwright.interpreter.compiled.passes.hoist import hoist
from gemwright.interpreter.compiled.passes.inline import inline
from gemwright.interpreter.compiled.passes.meter import meter
from gemwright.interpreter.compiled.passes.outline import outline
from gemwright.interpreter.compiled.passes.unroll import unroll


def optimised(program: Program, roots: frozenset[str], read: frozenset[str]) -> Program:
    """The program made fast.

    Args:
        roots: the functions that engines call.
        read: the arrays that engines read.
    """
    program = hoist(fold(inline(program, roots)))
    longer = unroll(program)
    same = frozenset(
        new.name for new, old in zip(longer.functions, program.functions, strict=True) if new is old
    )
    return meter(outline(count_at_once(remove_dead(fold(longer, same), roots, read))))
