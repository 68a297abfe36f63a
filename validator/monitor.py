"""Watches real play: is every step of it one that the abstract system allows?

Between two decisions the engine passes several control points, so a step is matched by a way
through the system whose edges are taken one after another. Cells have known values before and after
it; the parameters in between have to exist. A step without such a way shows that the system is no
over-approximation: a fault of ours, never of the file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic
from gemwright.interpreter.block import Block, Layout, initial_block
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.evaluate import Evaluator
from gemwright.interpreter.game import Game
from gemwright.interpreter.places import Places
from gemwright.interpreter.state import State
from gemwright.validator.affine import Affine, Constraint, equal, number, parameter, unknown
from gemwright.validator.budget import Budget
from gemwright.validator.feasible import Ranges
from gemwright.validator.lowering import Lowered
from gemwright.validator.simplex import Simplex
from gemwright.validator.transitions import Edge

MOST_MOVES: Final = 20_000
"""A watched game that is longer is left there."""

_WORK: Final = 200_000
_LONGEST: Final = 400
"""Edges between two decisions."""


class Miss(AssertionError):
    """Play went where the abstract system has no way."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A game that was watched: its moves, and the finding that stopped it, if one did."""

    moves: int
    problem: Diagnostic | None


@dataclass(frozen=True, slots=True)
class _Going:
    """A way so far: the point it has come to, what the cells hold, over parameters."""

    point: int
    cells: tuple[Affine, ...]
    ranges: tuple[tuple[int | None, int | None], ...]
    guard: tuple[Constraint, ...]
    moves: int
    path: tuple[int, ...]


class Monitor:
    """Watches games of one model against its abstract system."""

    def __init__(self, game: Game, lowered: Lowered) -> None:
        self._game = game
        self._model = game.model
        self._lowered = lowered
        self._layout = Layout(self._model)
        self._concrete = Places(self._layout)
        self._evaluator = Evaluator(self._layout, self._concrete)
        self._points = {node: number_ for number_, node in enumerate(lowered.places)}
        self._leaving: dict[int, list[int]] = {}
        for position, edge in enumerate(lowered.system.edges):
            self._leaving.setdefault(edge.source, []).append(position)

    def play(self, seed: int, index: int, most_moves: int = MOST_MOVES) -> Watched:
        """Play a random game and watch it.

        Raises:
            Miss: the abstract system has no way for what the engine did.
        """
        stream = Stream(seed, index, 1)
        state = self._game.start(seed, index)
        before = initial_block(self._model, 0)
        if state.problem is None:
            self._follow(before, state.block, 0, "the setup")
        made = since = 0
        before = state.block
        while not state.is_over and made < most_moves:
            decision = state.pending[0]
            move = decision.sample(stream)
            state.apply(move, decision.player)
            made, since = made + 1, since + 1
            if state.problem is None and not self._is_sealed(state):
                self._follow(before, state.block, since, f"move {made}, {move.action}")
                before, since = state.block, 0
        return Watched(made, state.problem)

    def _is_sealed(self, state: State) -> bool:
        model = self._model
        cells = range(model.players) if model.sealed_stride else range(0)
        return any(state.block[model.sealed_offset + n * model.sealed_stride] for n in cells)

    # -- matching

    def _follow(self, before: Block, after: Block, moves: int, what: str) -> None:
        source = 0 if what == "the setup" else self._points.get(self._lowered.nodes.of(before))
        target = self._points.get(self._lowered.nodes.of(after))
        if source is None or target is None:
            raise Miss(f"{what}: play rests where the abstract system has no point")
        cells = tuple(number(value) for value in self.values(before))
        goal = self.values(after)
        start = _Going(source, cells, (), (), 0, ())
        if not any(self._reaches(way, goal) for way in self._ways(start, target, moves)):
            shown = self._lowered.system.points[source].label, self._lowered.system.points[target]
            changed = self._changes(before, after)
            raise Miss(f"{what}: no way from {shown[0]} to {shown[1].label} with {changed}")

    def _ways(self, start: _Going, target: int, moves: int) -> Iterator[_Going]:
        """Ways to a point with so many moves, as far as ranges tell, the shortest first."""
        todo = deque([start])
        while todo:
            way = todo.popleft()
            if way.point == target and way.moves == moves and (way.path or not moves):
                yield way
            if len(way.path) >= _LONGEST:
                continue
            for position in self._leaving.get(way.point, ()):
                edge = self._lowered.system.edges[position]
                if way.moves + edge.moves <= moves:
                    last = self._taken(way, edge, position)
                    if last is not None:
                        todo.append(last)

    def _taken(self, way: _Going, edge: Edge, position: int) -> _Going | None:
        shift = len(way.ranges)
        values: dict[int, Affine] = dict(enumerate(way.cells))
        for own in range(len(edge.parameters)):
            values[parameter(own)] = unknown(parameter(own + shift))
        ranges = way.ranges + tuple((each.low, each.high) for each in edge.parameters)
        guard = way.guard + tuple(each.substitute(values) for each in edge.guard)
        if not Ranges(lambda u: ranges[-1 - u]).possible(guard):
            return None
        cells = list(way.cells)
        for cell, change in edge.changes().items():
            cells[cell] = cells[cell] + change.substitute(values)
        moves = way.moves + edge.moves
        return _Going(edge.target, tuple(cells), ranges, guard, moves, (*way.path, position))

    def _reaches(self, way: _Going, goal: Sequence[int]) -> bool:
        """Whether parameters exist with which the way ends in a state."""
        rows = [equal(cell, value) for cell, value in zip(way.cells, goal, strict=True)]
        guard = (*way.guard, *rows)
        if not Ranges(lambda u: way.ranges[-1 - u]).possible(guard):
            return False
        problem = Simplex(Budget(_WORK))
        for position, (low, high) in enumerate(way.ranges):
            problem.bound(parameter(position), low, high, (f"low{position}", f"high{position}"))
        for position, constraint in enumerate(guard):
            problem.add(f"guard{position}", constraint)
        return problem.feasible

    # -- the abstract state of a block

    def values(self, block: Block) -> list[int]:
        """The values of all cells in a state."""
        counts: Mapping[int, Sequence[int]] = {
            instance: self._concrete.counts(instance, block)
            for instance in range(self._layout.instances)
        }
        found = self._lowered.vocabulary.values(block, counts)
        for term, cell in self._lowered.vocabulary.condition_cells():
            # Slots that closed terms bind are negative, and count from the end of the frame.
            found[cell] = int(bool(self._evaluator.value(term, block, [0] * 64)))
        return found

    def _changes(self, before: Block, after: Block) -> str:
        pairs = zip(
            self._lowered.system.cells, self.values(before), self.values(after), strict=True
        )
        return ", ".join(f"{cell.label} {a} -> {b}" for cell, a, b in pairs if a != b)
