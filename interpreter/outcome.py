"""How a finished game is decided: scores, ranks and winners of the players."""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.model.game import Game
from gemwright.interpreter.block import Block, Layout
from gemwright.interpreter.evaluation.evaluate import Evaluator


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game, in seat order. Public.

    `ranks` are 1-based and shared: a rank is one more than the number of players who did better.
    `winners` is empty when the rules say that nobody wins, or when everybody is eliminated.
    """

    scores: tuple[int | None, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


def decide(model: Game, layout: Layout, evaluator: Evaluator, block: Block, reason: str) -> Outcome:
    """Rank the players by the keys of the result, lexicographically; without keys by the score.

    Eliminated players share the rank after all others, whatever their keys.
    """
    result = model.result
    scores: list[int | None] = []
    merits: list[tuple[int, ...]] = []
    for seat in range(model.players):
        frame = layout.frame(seat)
        score = None
        if result.score is not None:
            score = int(evaluator.value(result.score, block, frame))
        scores.append(score)
        if block[model.out_offset + seat]:
            merits.append((0,))
            continue
        merit = [1]
        for key in result.keys:
            value = int(evaluator.value(key.term, block, frame))
            merit.append(value if key.highest else -value)
        if not result.keys and score is not None:
            merit.append(score)
        merits.append(tuple(merit))
    ranks = tuple(1 + sum(other > merit for other in merits) for merit in merits)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == 1 and merits[seat][0])
    if result.nobody is not None and evaluator.value(result.nobody, block, layout.frame()):
        winners = ()
    return Outcome(tuple(scores), ranks, winners, reason)
