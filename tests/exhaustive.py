"""All plays of a tiny game: every state that play can reach, by every move and every draw.

What is found out so is the truth about the game, against which what is proved of it can be held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic
from gemwright.dsl.model.game import Decide
from gemwright.interpreter.block import POINT, Block
from gemwright.interpreter.game import Game
from gemwright.interpreter.moves import Move
from gemwright.interpreter.state import State
from gemwright.validator.plays.lasso import Sameness

_STOPPED: Final[tuple[int, ...]] = ()
"""Where a play is that a finding has stopped."""


class Drawn:
    """Chance whose answers are given beforehand by number; beyond them each is the first one.

    `widths` are how many answers were possible at each draw.
    """

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers = answers
        self.widths: list[int] = []

    def _which(self, width: int) -> int:
        at = len(self.widths)
        self.widths.append(width)
        return self._answers[at] if at < len(self._answers) else 0

    def piece(self, zone: int, faces: Sequence[int], counts: Sequence[int]) -> int:
        there = [position for position, count in enumerate(counts) if count]
        return there[self._which(len(there))]

    def shuffle(self, zone: int, faces: list[int]) -> list[int]:
        orders = sorted(set(permutations(faces)))
        return list(orders[self._which(len(orders))])

    def player(self, seats: Sequence[int]) -> int:
        return seats[self._which(len(seats))]

    def value(self, values: Sequence[int]) -> int:
        return values[self._which(len(values))]

    def place(self, zone: int, n: int) -> int:
        return self._which(n)


def following(answers: Sequence[int], widths: Sequence[int]) -> list[int] | None:
    """The next answers after some, as an odometer counts; None after the last."""
    full = [*answers, *[0] * (len(widths) - len(answers))][: len(widths)]
    for place in reversed(range(len(full))):
        if full[place] + 1 < widths[place]:
            return [*full[:place], full[place] + 1]
    return None


@dataclass(frozen=True, slots=True)
class Step:
    """A way from one rest of play to the next: so many moves, several where picks are sealed."""

    before: Block
    after: State
    moves: int


@dataclass(slots=True)
class Truth:
    """What all plays of a game come to. `whole`: all of them were looked at."""

    states: int = 0
    whole: bool = True
    endless: bool = False
    longest: int = 0
    stuck: bool = False
    """Whether somebody can have nothing to choose where he must."""
    problems: dict[Diagnostic, None] = field(default_factory=dict)


class Exploration:
    """All states of a game that play can reach, up to a number."""

    def __init__(self, game: Game, most: int) -> None:
        self._game = game
        self._most = most
        self._same = Sameness(game.model)
        self._onward: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
        self.truth = Truth()

    def steps(self) -> Iterator[Step]:
        """Every step of play once, beginning with the setup; the truth is known afterwards."""
        todo: list[State] = []
        for state in self._started():
            yield Step([], state, 0)
            self._met(state, todo)
        starts = list(self._onward)
        while todo:
            state = todo.pop()
            if len(self._onward) > self._most:
                self.truth.whole = False
                return
            onward = self._onward[self._same.key(state)]
            for after, moves in self._moved(state, 0):
                yield Step(state.block, after, moves)
                key = self._met(after, todo)
                # A move that is stopped is not made.
                onward[key] = max(onward.get(key, 0), moves if key else 0)
        self.truth.states = len(self._onward)
        self._measure(starts)

    def _met(self, state: State, todo: list[State]) -> tuple[int, ...]:
        """Note a state; what tells it from others."""
        if state.problem is not None:
            self.truth.problems[state.problem] = None
            self.truth.endless = self.truth.endless or state.problem.code == "R005"
            self.truth.stuck = self.truth.stuck or self._is_stuck(state)
            self._onward.setdefault(_STOPPED, {})
            return _STOPPED
        key = self._same.key(state)
        if key not in self._onward:
            self._onward[key] = {}
            if not state.is_over:
                todo.append(state)
        return key

    def _is_stuck(self, state: State) -> bool:
        assert state.problem is not None
        point = self._game.model.points[state.block[POINT]]
        return state.problem.code == "R006" and isinstance(point, Decide)

    def _started(self) -> Iterator[State]:
        answers: list[int] | None = []
        while answers is not None:
            chance = Drawn(answers)
            yield self._game.start(0, 0, chance=chance)
            answers = following(answers, chance.widths)

    def _moved(self, state: State, moves: int) -> Iterator[tuple[State, int]]:
        """The rests after a state; while picks are sealed play does not rest."""
        decision = state.pending[0]
        for move in decision.moves():
            for after in self._applied(state, move, decision.player):
                if self._is_sealed(after):
                    yield from self._moved(after, moves + 1)
                else:
                    yield after, moves + 1

    def _applied(self, state: State, move: Move, player: int) -> Iterator[State]:
        answers: list[int] | None = []
        while answers is not None:
            after, chance = state.clone(), Drawn(answers)
            after.chance = chance
            after.apply(move, player)
            yield after
            answers = following(answers, chance.widths)

    def _is_sealed(self, state: State) -> bool:
        model = self._game.model
        cells = range(model.players) if model.sealed_stride else range(0)
        return state.problem is None and any(
            state.block[model.sealed_offset + n * model.sealed_stride] for n in cells
        )

    def _measure(self, starts: Sequence[tuple[int, ...]]) -> None:
        """Whether a state can come again, else how many moves the longest play has."""
        longest: dict[tuple[int, ...], int] = {}
        open_now: set[tuple[int, ...]] = set()
        for start in starts:
            work = [(start, iter(self._onward[start]))]
            open_now.add(start)
            while work:
                key, rest = work[-1]
                target = next((each for each in rest if each not in longest), None)
                if target is None:
                    onward = self._onward[key]
                    longest[key] = max(
                        (moves + longest[to] for to, moves in onward.items()), default=0
                    )
                    open_now.discard(key)
                    work.pop()
                elif target in open_now:
                    self.truth.endless = True
                    return
                else:
                    open_now.add(target)
                    work.append((target, iter(self._onward[target])))
        self.truth.longest = max((longest[start] for start in starts), default=0)
