"""Plays that never end: a way into a circle of moves, found by playing.

The search plays games from fixed seeds. Now and then it tries to come back to the state where it
stands, by moves that a failed proof left over: it follows the moves whose states are nearest to
that state, with few ways to turn aside. What it finds is real: every move is made by the engine.

States count as the same when they agree in all but the draws of chance so far and the counters of
declared caps: without these the play could go on as before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import POINT
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.game import Game
from gemwright.interpreter.moves import Move
from gemwright.interpreter.state import State
from gemwright.validator.linear.budget import Budget, BudgetSpent

Suspects = Mapping[int, Collection[str]]
"""For control points the names of actions that may go on for ever."""
Made = tuple[int, Move]
"""A seat and its move."""

STREAM: Final = 7
"""The stream of the generator that chooses moves on the way."""
MOST_GAMES: Final = 200
LONGEST_WAY: Final = 400
"""Moves from the beginning of a game to a circle, at most."""
TURNS: Final = 4
"""Moves of a circle per player, at most."""
FARTHEST: Final = 10
"""A circle does not go farther from where it began than this, counted in pieces moved."""
MOST_MOVES: Final = 200
"""Moves looked at in one decision."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """A play that goes on for ever: the moves of `circle` lead back to where they began.

    `by_chance`: the circle draws from chance, so chance has to repeat itself, too.
    """

    seed: int
    game_index: int
    way: tuple[Made, ...]
    circle: tuple[Made, ...]
    by_chance: bool


class Sameness:
    """What of a state counts when two are compared."""

    def __init__(self, model: m.Game) -> None:
        variables = {point.counter for point in model.points if isinstance(point, m.Count)}
        skipped = {model.chance_offset, model.chance_offset + 1}
        for variable in model.variables:
            if variable.id in variables:
                skipped.update(range(variable.offset, variable.offset + variable.size))
        self._cells = [cell for cell in range(len(model.low)) if cell not in skipped]
        self._ticks = model.chance_offset + 1

    def key(self, state: State) -> tuple[int, ...]:
        """Equal for states from which play can go on alike."""
        block = state.block
        return tuple(block[cell] for cell in self._cells)

    def ticks(self, state: State) -> int:
        """Draws of chance so far."""
        return state.block[self._ticks]


def find_lasso(game: Game, suspects: Suspects, budget: Budget) -> Lasso | None:
    """Search a play that never ends. A step of the budget is a move made by the engine."""
    search = _Search(game, suspects, budget)
    try:
        for index in range(MOST_GAMES):
            found = search.game(index)
            if found is not None:
                return found
    except BudgetSpent:
        return None
    return None


class _Search:
    def __init__(self, game: Game, suspects: Suspects, budget: Budget) -> None:
        self._game = game
        self._suspects = suspects
        self._budget = budget
        self._same = Sameness(game.model)

    def game(self, index: int) -> Lasso | None:
        """Play one game, trying to close a circle at every suspicious decision."""
        stream = Stream(0, index, STREAM)
        state = self._game.start(0, index)
        way: list[Made] = []
        while not state.is_over and len(way) < LONGEST_WAY:
            decision = state.pending[0]
            if self._suspicious(state):
                circle = self._circle(state)
                if circle is not None:
                    return self._lasso(index, way, circle)
            move = self._chosen(state, decision, stream)
            way.append((decision.player, move))
            self._apply(state, move, decision.player)
        return None

    def _lasso(self, index: int, way: list[Made], circle: list[Made]) -> Lasso:
        state = self._game.start(0, index)
        for seat, move in way:
            state.apply(move, seat)
        before = self._same.ticks(state)
        for seat, move in circle:
            state.apply(move, seat)
        by_chance = self._same.ticks(state) != before
        return Lasso(0, index, tuple(way), tuple(circle), by_chance)

    def _apply(self, state: State, move: Move, player: int) -> None:
        self._budget.spend()
        state.apply(move, player)

    def _names(self, state: State, decision: Decision) -> list[str]:
        """The suspicious actions among those offered."""
        names = self._suspects.get(state.block[POINT], ())
        offered = (*decision.actions, *((m.PASS_ACTION,) if decision.can_pass else ()))
        return [name for name in offered if name in names]

    def _suspicious(self, state: State) -> bool:
        return len(state.pending) == 1 and bool(self._names(state, state.pending[0]))

    def _chosen(self, state: State, decision: Decision, stream: Stream) -> Move:
        """The next move on the way: three times out of four a suspicious one if there is any."""
        wanted = self._names(state, decision) if stream.below(4) else []
        move = decision.sample(stream, "small_first")
        for _ in range(8):
            if not wanted or move.action in wanted:
                break
            move = decision.sample(stream, "small_first")
        return move

    # -- circles

    def _circle(self, start: State) -> list[Made] | None:
        """Moves that lead back to a state, the nearest first."""
        goal = self._same.key(start)
        state, made = start, list[Made]()
        for _ in range(TURNS * self._game.players):
            step = self._nearest(state, goal)
            if step is None:
                return None
            distance, move, player, after = step
            made.append((player, move))
            if distance == 0:
                return made
            state = after
        return None

    def _nearest(self, state: State, goal: tuple[int, ...]) -> tuple[int, Move, int, State] | None:
        """The suspicious move whose state is nearest to the goal, if it is not too far away."""
        best: tuple[int, Move, int, State] | None = None
        decision = state.pending[0]
        for move in self._moves(state, decision):
            after = state.clone()
            self._apply(after, move, decision.player)
            if after.is_over or not self._suspicious(after):
                continue
            distance = _distance(self._same.key(after), goal)
            if best is None or distance < best[0]:
                best = distance, move, decision.player, after
            if distance == 0:
                break
        return best if best is not None and best[0] <= FARTHEST else None

    def _moves(self, state: State, decision: Decision) -> Iterator[Move]:
        names = self._names(state, decision)
        for move in decision.moves(MOST_MOVES):
            if move.action in names:
                yield move


def _distance(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """By how much two states differ; the control point and whose turn it is weigh 1 each."""
    total = 0
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other:
            total += 1 if place == 0 else abs(one - other)
    return total
