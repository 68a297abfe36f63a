"""A play in which everybody helps one player: a way to see that he can win."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import Layout
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.moves import Move
from gemwright.interpreter.outcome import Outcome, decide
from gemwright.interpreter.state import State

CHOICES: Final = 4
"""Of so many random moves the one is taken that is best for the player."""

Worth = tuple[bool, int, int, int]


class Favouring:
    """Chooses moves for everybody, each time as is best for one player."""

    def __init__(self, model: m.Game, seat: int) -> None:
        self._model, self._seat = model, seat
        self._layout = Layout(model)
        self._evaluator = Evaluator(self._layout)

    def choose(self, state: State, decision: Decision, stream: Stream) -> Move:
        """The best of a few moves that are drawn; the first of those that are equal."""
        drawn = dict.fromkeys(decision.sample(stream) for _ in range(CHOICES))
        return max(drawn, key=lambda move: self._worth(state, decision, move))

    def _worth(self, state: State, decision: Decision, move: Move) -> Worth:
        after = state.clone()
        after.apply(move, decision.player)
        if after.problem is not None:
            return False, 0, 0, 0
        outcome = after.result
        if outcome is None:
            outcome = decide(self._model, self._layout, self._evaluator, after.block, "")
        return (self._seat in outcome.winners, *self._ahead(outcome))

    def _ahead(self, outcome: Outcome) -> tuple[int, int, int]:
        """How far in front the player is: his rank, those behind him, his lead."""
        rank = outcome.ranks[self._seat]
        behind = sum(other > rank for other in outcome.ranks)
        scores = [0 if score is None else score for score in outcome.scores]
        others = [score for seat, score in enumerate(scores) if seat != self._seat]
        return -rank, behind, scores[self._seat] - max(others, default=0)
