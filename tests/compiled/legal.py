"""Legal moves of a compiled engine against those of the reference, state by state."""

from __future__ import annotations

from gemwright.interpreter.chance import Stream
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.game import Game
from gemwright.interpreter.state import State

LISTED = 60
"""So many legal moves of one decision are compared one by one."""


def walk(here: Game, seed: int, moves: int) -> list[State]:
    """States of a random game, each at a decision."""
    state, luck, found = here.start(seed), Stream(seed, 0, 1), []
    while not state.is_over and len(found) < moves:
        found.append(state.clone())
        decision = state.pending[0]
        state.apply(decision.nth(luck.below(decision.count())), decision.player)
    return found


def same_moves(found: CompiledGame, state: State) -> None:
    """The same legal moves in the same order, and the same states after them."""
    data, decision = state.to_bytes(), state.pending[0]
    count = decision.count()
    assert found.count(data) == count
    numbers = range(count) if count <= LISTED else [0, 1, count // 2, count - 2, count - 1]
    assert [found.move(data, n) for n in numbers] == [decision.nth(n) for n in numbers]
    n = count // 2
    after = state.clone()
    after.apply(decision.nth(n), decision.player)
    assert found.steps([data], [n]) == [after.to_bytes()]
