"""A few random games of each player count: a rule that breaks in one of them is wrong for certain.

That none breaks proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.block import POINT
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import Game
from gemwright.interpreter.moves import Move, find_action, move_to_text
from gemwright.interpreter.state import State
from gemwright.validator.findings import Step
from gemwright.validator.plays.watching import Broken, Watcher

GAMES: Final = 2
UNKNOWN_GAMES: Final = 6
"""So many where it was not proved that there is always something to choose."""
MOST_MOVES: Final = 120
SEED: Final = 0

_STUCK: Final = "R006"


@dataclass(frozen=True, slots=True)
class Tried:
    """What broke in games that were tried, each with the moves that led there; `stuck`: somebody
    had nothing to choose."""

    findings: tuple[tuple[Diagnostic, tuple[Step, ...]], ...]
    stuck: bool


@dataclass(slots=True)
class _Trying:
    model: m.Game
    ends: bool
    """Whether it was proved that every play ends, without a cap."""
    found: list[tuple[Diagnostic, tuple[Step, ...]]] = field(default_factory=list)
    stuck: bool = False

    def play(self, game: Game, watcher: Watcher, reporter: Reporter, index: int) -> None:
        """Play one game until something breaks: what follows would be no fault of its own."""
        state, stream = game.start(SEED, index), Stream(SEED, index, 1)
        made: list[tuple[int, Move]] = []
        watcher.begin()
        while not state.is_over and len(made) < MOST_MOVES:
            decision = state.pending[0]
            move = decision.sample(stream)
            made.append((decision.player, move))
            watcher.leaving(state.block)
            try:
                state.apply(move, decision.player, watcher.passing)
            except Broken:
                break
        steps = steps_of(self.model, made)
        self.found += [(each, steps) for each in reporter.diagnostics]
        if not self.found:
            self._ended(state, watcher, steps, index)

    def _ended(self, state: State, watcher: Watcher, steps: tuple[Step, ...], index: int) -> None:
        reporter, problem = Reporter(), state.problem
        if problem is not None:
            deciding = isinstance(self.model.points[state.block[POINT]], m.Decide)
            stuck = problem.code == _STUCK and deciding
            self.stuck = self.stuck or stuck
            how = f"a random game (seed {SEED}, game {index}) comes to it in move {len(steps)}"
            code = "D001" if stuck else problem.code
            reporter.error(code, problem.span, problem.message, problem.help or how)
        elif watcher.cut is not None and self.ends:
            times = watcher.cut.times
            reporter.warning(
                "T012",
                watcher.cut.span,
                f"the cap of {times} cuts off a game that would have ended by itself",
                f"a random game (seed {SEED}, game {index}) comes to it in move {len(steps)}",
            )
        self.found += [(each, steps) for each in reporter.diagnostics]


def try_games(model: m.Game, termination: str, deadlock_free: str = "proved") -> Tried:
    """Play a few random games of a model, of which it is known whether every play ends and whether
    there is always something to choose."""
    game, reporter = Game(model), Reporter()
    trying = _Trying(model, termination == "proved")
    watcher = Watcher(model, reporter, falling=termination != "refuted")
    for index in range(GAMES if deadlock_free == "proved" else UNKNOWN_GAMES):
        if not trying.found:
            trying.play(game, watcher, reporter, index)
    return Tried(tuple(trying.found), trying.stuck)


def steps_of(model: m.Game, made: list[tuple[int, Move]]) -> tuple[Step, ...]:
    """Moves as steps for people, each at the place of its action, else where play rests."""
    return tuple(
        Step(_place(model, move), f"P{seat + 1}: {move_to_text(model, move)}")
        for seat, move in made
    )


def _place(model: m.Game, move: Move) -> Span:
    action = find_action(model, move.action)
    return model.points[model.start].span if action is None else action.span
