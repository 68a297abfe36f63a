"""From a game model to the flat program that engines run."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.lower import playing
from gemwright.interpreter.compiled.lower.deciding import ACTOR, COUNTS, TOTAL
from gemwright.interpreter.compiled.lower.leaves import PICK
from gemwright.interpreter.compiled.lower.lowering import lower
from gemwright.interpreter.compiled.lower.result import OUTCOME, RANKS, SCORES, WINNERS
from gemwright.interpreter.compiled.passes.pipeline import optimised

ROOTS: Final = frozenset({
    playing.ASK, playing.FIND, playing.PLAY, playing.RESUME, playing.ROLL, playing.STEP,
    playing.TAKE, OUTCOME,
})  # fmt: skip
"""The functions that engines call."""

READ: Final = frozenset({ACTOR, COUNTS, PICK, RANKS, playing.RECORD, SCORES, TOTAL, WINNERS})
"""The arrays that engines read, where a program has them."""


def flat_program(model: m.Game) -> Program:
    """The flat program of a game model."""
    return optimised(lower(model), ROOTS, READ)
