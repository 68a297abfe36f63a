"""Random games of each player count: a rule that breaks in one of them is wrong for certain.

A few are looked at from inside. Where something is not proved, many more are played to their end by
a faster engine. That none breaks proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.block import POINT
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.compiled.machine import TooLong
from gemwright.interpreter.compiled.selecting import PYTHON
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.game import Game
from gemwright.interpreter.moves import Move, find_action, move_to_text
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.simulation.players import RANDOM, make_players
from gemwright.interpreter.simulation.playing import Work, table
from gemwright.interpreter.simulation.simulate import with_engine
from gemwright.interpreter.state import State
from gemwright.validator.findings import Step
from gemwright.validator.plays.lasso import Made
from gemwright.validator.plays.watching import Broken, Watcher

GAMES: Final = 2
UNKNOWN_GAMES: Final = 6
"""So many where it was not proved that there is always something to choose."""
MOST_MOVES: Final = 120
MANY_GAMES: Final = 100
"""So many are played by a faster engine where something is not proved."""
MANY_MOVES: Final = 10_000
"""Moves of all of them together; the last game may go beyond."""
LONGEST: Final = 1_000
"""Moves of one of them."""
LAST_MOVES: Final = 3
"""So many moves are told of a game in which something breaks."""
SEED: Final = 0

_STUCK: Final = "R006"


@dataclass(frozen=True, slots=True)
class Tried:
    """What broke in games that were tried, each with the moves that led there; `stuck`: somebody
    had nothing to choose."""

    findings: tuple[tuple[Diagnostic, tuple[Step, ...]], ...]
    stuck: bool
    game_index: int = 0
    """The number of the last game; its seed is `SEED`."""
    made: tuple[Made, ...] = ()
    """Its moves."""


@dataclass(slots=True)
class _Trying:
    model: m.Game
    ends: bool
    """Whether it was proved that every play ends, without a cap."""
    found: list[tuple[Diagnostic, tuple[Step, ...]]] = field(default_factory=list)
    stuck: bool = False
    game_index: int = 0
    made: list[Made] = field(default_factory=list)

    def play(self, game: Game, watcher: Watcher, reporter: Reporter, index: int) -> None:
        """Play one game until something breaks: what follows would be no fault of its own."""
        stream = Stream(SEED, index, 1)
        self._watch(game, watcher, reporter, index, MOST_MOVES, lambda each: each.sample(stream))

    def play_again(self, game: Game, watcher: Watcher, reporter: Reporter, index: int) -> None:
        """Play a game as `simulate` plays it."""
        players = make_players(_random_seats(self.model), SEED, index)

        def choose(decision: Decision) -> Move:
            player = players[decision.player]
            assert player is not None, "every seat plays at random"
            return player.choose(decision, decision.count())

        self._watch(game, watcher, reporter, index, LONGEST, choose)

    def _watch(
        self,
        game: Game,
        watcher: Watcher,
        reporter: Reporter,
        index: int,
        most_moves: int,
        choose: Callable[[Decision], Move],
    ) -> None:
        state = game.start(SEED, index)
        made: list[Made] = []
        self.game_index, self.made = index, made
        watcher.begin()
        while not state.is_over and len(made) < most_moves:
            decision = state.pending[0]
            move = choose(decision)
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
            how = _how(steps, index)
            code = "D001" if stuck else problem.code
            reporter.error(code, problem.span, problem.message, problem.help or how)
        elif watcher.cut is not None and self.ends:
            times = watcher.cut.times
            reporter.warning(
                "T012",
                watcher.cut.span,
                f"the cap of {times} cuts off a game that would have ended by itself",
                _how(steps, index),
            )
        self.found += [(each, steps) for each in reporter.diagnostics]


def try_games(
    model: m.Game, termination: str, deadlock_free: str = "proved", needs_open: bool = False
) -> Tried:
    """Play random games of a model: few if it was proved that there is always something to choose
    and that every sentence can be done, else many. `termination` is known of whether every play
    ends; `needs_open` says that some needs of sentences were not proved."""
    game, reporter = Game(model), Reporter()
    trying = _Trying(model, termination == "proved")
    watcher = Watcher(model, reporter, falling=termination != "refuted")
    for index in range(GAMES if deadlock_free == "proved" else UNKNOWN_GAMES):
        if not trying.found:
            trying.play(game, watcher, reporter, index)
    if not trying.found and (deadlock_free != "proved" or needs_open):
        for index in _broken_games(model):
            trying.play_again(game, watcher, reporter, index)
            if trying.found:
                break
    return Tried(tuple(trying.found), trying.stuck, trying.game_index, tuple(trying.made))


def _broken_games(model: m.Game) -> Iterator[int]:
    """The numbers of games that stop with a problem, of those that `simulate` plays."""
    work = Work(model, _random_seats(model), SEED, False, LONGEST)
    ready, left = table(Game(model), with_engine(work, PYTHON)), MANY_MOVES
    try:
        for index in range(MANY_GAMES):
            (played,) = ready.play(range(index, index + 1))
            (record,) = played.games
            if record.problem:
                yield index
            left -= record.moves
            if left <= 0:
                return
    except (TooLong, RuntimeProblem):
        return  # too much to look through: what is not played tells nothing


def _how(steps: tuple[Step, ...], index: int) -> str:
    """How a game comes to what was found, with its last moves."""
    game = f"a random game (seed {SEED}, game {index}) comes to it"
    if not steps:
        return f"{game} before the first move"
    last = "; ".join(each.text for each in steps[-LAST_MOVES:])
    return f"{game} in move {len(steps)}; its last moves: {last}"


def _random_seats(model: m.Game) -> tuple[str, ...]:
    return (RANDOM,) * model.players


def steps_of(model: m.Game, made: list[Made]) -> tuple[Step, ...]:
    """Moves as steps for people, each at the place of its action, else where play rests."""
    return tuple(
        Step(_place(model, move), f"P{seat + 1}: {move_to_text(model, move)}")
        for seat, move in made
    )


def _place(model: m.Game, move: Move) -> Span:
    action = find_action(model, move.action)
    return model.points[model.start].span if action is None else action.span
