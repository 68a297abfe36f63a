"""A few random games of each player count: a rule that breaks in one of them is wrong for certain.

That none breaks proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gemwright.dsl import model as m
from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import Game

GAMES: Final = 2
MOST_MOVES: Final = 120
SEED: Final = 0

_STUCK: Final = "R006"


@dataclass(frozen=True, slots=True)
class Tried:
    """What broke in games that were tried; `stuck`: somebody had nothing to choose."""

    findings: tuple[Diagnostic, ...]
    stuck: bool


def try_games(model: m.Game) -> Tried:
    """Play a few random games of a model."""
    game, reporter, stuck = Game(model), Reporter(), False
    for index in range(GAMES):
        state, stream, made = game.start(SEED, index), Stream(SEED, index, 1), 0
        while not state.is_over and made < MOST_MOVES:
            decision = state.pending[0]
            state.apply(decision.sample(stream), decision.player)
            made += 1
        problem = state.problem
        if problem is None:
            continue
        stuck = stuck or problem.code == _STUCK
        reporter.error(
            "D001" if problem.code == _STUCK else problem.code,
            problem.span,
            problem.message,
            problem.help or f"a random game (seed {SEED}, game {index}) comes to it in move {made}",
        )
    return Tried(reporter.diagnostics, stuck)
