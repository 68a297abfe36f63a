"""The laws that every game of every ruleset keeps, checked while one random game is played."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from gemwright.interpreter.block import Layout
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.evaluation.places import Places
from gemwright.interpreter.game import Game
from gemwright.interpreter.moves import Move
from gemwright.interpreter.option_space import Step
from gemwright.interpreter.state import State

LISTED = 40
"""How many moves of a decision are listed and compared one by one."""

MOST_MOVES = 5_000


@dataclass(frozen=True, slots=True)
class Played:
    """One finished game: its moves, the digests on the way if they were kept, and the end."""

    moves: tuple[tuple[int, Move], ...]
    digests: tuple[str, ...]
    final: State


class Conservation:
    """Counts the pieces of one game in all its places."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._layout = Layout(game.model)
        self._places = Places(self._layout)

    def check(self, state: State) -> None:
        """Every piece lies in exactly one place."""
        there: dict[int, int] = {face.id: 0 for face in self._game.model.faces}
        for instance in range(self._layout.instances):
            zone = self._layout.instance_zone[instance]
            counts = self._places.counts(instance, state.block)
            for face, count in zip(zone.faces, counts, strict=True):
                assert count >= 0, f"{self._layout.instance_label[instance]} holds {count}"
                there[face] += count
        for kept in self._game.model.faces:
            assert there[kept.id] == kept.count, f"{kept.name}: {there[kept.id]} of {kept.count}"


def decision_laws(state: State, stream: Stream) -> None:
    """Listed = counted = accepted, the n-th is the n-th, every offered option completes."""
    for decision in state.pending:
        count = decision.count()
        assert count >= 1, "a decision without a move"
        listed = list(islice(decision.moves(), LISTED + 1))
        assert len(listed) == min(count, LISTED + 1)
        assert len(set(listed)) == len(listed), "a move is listed twice"
        for number, move in enumerate(listed[:LISTED]):
            assert decision.nth(number) == move
            assert decision.check(move) is None, f"{move} is listed and refused"
        last = decision.nth(count - 1)
        assert decision.check(last) is None
        steps: tuple[Step, ...] = ()
        while options := decision.options(steps):
            steps = (*steps, options[stream.below(len(options))].step)
        assert decision.check(decision.move(steps)) is None, "a walk led to an illegal move"


def play_lawfully(
    game: Game, seed: int, index: int, thorough: bool = True, digests: bool = True
) -> Played:
    """Play one uniform random game and check the laws at every decision.

    Args:
        thorough: also check what is offered, decision by decision.
        digests: keep those that `replays` compares.
    """
    state = game.start(seed, index)
    stream, side = Stream(seed, index, 1), Stream(seed, index, 2)
    moves: list[tuple[int, Move]] = []
    kept: list[str] = [state.digest()] if digests else []
    conservation = Conservation(game)
    conservation.check(state)
    while not state.is_over:
        assert len(moves) < MOST_MOVES, "the game does not end"
        if thorough:
            decision_laws(state, side)
        decision = state.pending[stream.below(len(state.pending))]
        move = decision.sample(stream)
        if thorough:
            before = state.to_bytes()
            copy = state.clone()
            copy.apply(move, decision.player)
            assert state.to_bytes() == before, "a clone changed its original"
            assert game.restore(before).to_bytes() == before
        state.apply(move, decision.player)
        moves.append((decision.player, move))
        if digests:
            kept.append(state.digest())
        conservation.check(state)
    assert state.problem is None, state.problem
    return Played(tuple(moves), tuple(kept), state)


def replays(game: Game, seed: int, index: int, played: Played) -> None:
    """The same seed and decisions give the same states."""
    state = game.start(seed, index)
    assert state.digest() == played.digests[0]
    for (player, move), digest in zip(played.moves, played.digests[1:], strict=True):
        state.apply(move, player)
        assert state.digest() == digest
    assert state.result == played.final.result
