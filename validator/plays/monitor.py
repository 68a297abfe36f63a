"""Watches real play: is every step of it one that the abstract system allows?

Between two decisions the engine passes several control points, so a step is matched by a way
through the system whose edges are taken one after another. Cells have known values before and after
it; the parameters in between have to exist. A step without such a way shows that the system is no
over-approximation: a fault of ours, never of the file. With a certificate every game is held
against its argument, too: see `descent`.

A way that was found once is kept as one question (`passages`), and most steps go a known way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic
from gemwright.interpreter.block import Block, Decoder, initial_block
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.machine import GivenUp
from gemwright.interpreter.game import Game
from gemwright.validator.abstraction.lowering import Lowered
from gemwright.validator.abstraction.transitions import Edge
from gemwright.validator.certificate.forms import Json, digest, system_json
from gemwright.validator.linear.affine import Affine, Constraint, number, parameter, unknown
from gemwright.validator.linear.feasible import possible
from gemwright.validator.plays.descent import Descent, Rise, Seen
from gemwright.validator.plays.passages import Ends, Passage
from gemwright.validator.plays.readings import Readings

MOST_MOVES: Final = 20_000
"""A watched game that is longer is left there."""

_LONGEST: Final = 400
"""Edges between two decisions."""


class Miss(AssertionError):
    """Play went where the abstract system has no way, or against the argument of a proof."""


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
    ranges: tuple[Ends, ...]
    guard: tuple[Constraint, ...]
    moves: int
    path: tuple[int, ...]


class Monitor:
    """Watches games of one model against its abstract system.

    Args:
        certificate: a proof that every play of this system ends, if there is one.

    Raises:
        ValueError: the certificate is about another system.
    """

    def __init__(self, game: Game, lowered: Lowered, certificate: Json | None = None) -> None:
        self._game = game
        self.system = lowered.system
        self.readings = Readings(lowered)
        self.descent = None if certificate is None else Descent(certificate)
        if certificate is not None and certificate["digest"] != digest(system_json(self.system)):
            raise ValueError("the certificate is about another system")
        self._passages: dict[tuple[int, int, int], list[Passage]] = {}
        self._leaving: dict[int, list[int]] = {}
        for position, edge in enumerate(self.system.edges):
            self._leaving.setdefault(edge.source, []).append(position)

    def play(self, seed: int, index: int, most_moves: int = MOST_MOVES) -> Watched:
        """Play a random game on the reference engine and watch it.

        Raises:
            Miss: the abstract system has no way for what the engine did, or the game goes against
                the certificate.
        """
        watching, stream = Watching(self), Stream(seed, index, 1)
        state = self._game.start(seed, index)
        if state.problem is None:
            watching.see(state.block)
        made = 0
        while not state.is_over and made < most_moves:
            decision = state.pending[0]
            state.apply(decision.sample(stream), decision.player)
            made += 1
            if state.problem is None:
                watching.see(state.block)
        watching.end()
        return Watched(made, state.problem)

    def play_compiled(
        self, engine: CompiledGame, seed: int, index: int, most_moves: int = MOST_MOVES
    ) -> Watched:
        """The same on a compiled engine, by moves that are drawn uniformly; a game in which a rule
        breaks is played by the reference."""
        watching, reader = Watching(self), Decoder(self._game.model)
        state, stream, made = self._game.start(seed, index), Stream(seed, index, 1), 0
        if state.problem is not None:
            return Watched(0, state.problem)
        watching.see(state.block)
        try:
            line = engine.line(state.to_bytes())
            while line.count and made < most_moves:
                line.step(stream.below(line.count))
                made += 1
                watching.see(reader.block(line.to_bytes()))
        except GivenUp:
            return self.play(seed, index, most_moves)
        watching.end()
        return Watched(made, None)

    # -- matching

    def passage(self, before: Seen, after: Seen, moves: int) -> Passage | None:
        """A passage from one observed state to another with so many moves, if there is one."""
        known = self._passages.setdefault((before.point, after.point, moves), [])
        for place, each in enumerate(known):
            if each.allows(before.values, after.values):
                if place:
                    known.insert(0, known.pop(place))
                return each
        tried = {each.path for each in known}
        for path in self._ways(before, after.point, moves):
            if path not in tried:
                known.append(Passage(self.system, path))
                if known[-1].allows(before.values, after.values):
                    return known[-1]
        return None

    def _ways(self, before: Seen, target: int, moves: int) -> Iterator[tuple[int, ...]]:
        """Ways to a point with so many moves, as far as ranges tell, the shortest first."""
        cells = tuple(number(value) for value in before.values)
        todo = deque([_Going(before.point, cells, (), (), 0, ())])
        while todo:
            way = todo.popleft()
            if way.point == target and way.moves == moves and (way.path or not moves):
                yield way.path
            if len(way.path) >= _LONGEST:
                continue
            for position in self._leaving.get(way.point, ()):
                edge = self.system.edges[position]
                if way.moves + edge.moves <= moves:
                    last = _taken(way, edge, position)
                    if last is not None:
                        todo.append(last)


class Watching:
    """One game that is watched, told state by state."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        self._seen: list[Seen] = []
        self._told = self._since = self._turns = 0
        model = monitor.readings.model
        stride, first = model.sealed_stride, model.sealed_offset
        self._sealed = [first + seat * stride for seat in range(model.players if stride else 0)]

    def see(self, block: Block) -> None:
        """The state after the setup, and then after each move.

        Raises:
            Miss: the abstract system has no way to it.
        """
        self._told += 1
        if self._told == 1:
            self._begin(block)
            return
        self._since += 1
        if not any(block[position] for position in self._sealed):
            self._seen.append(self._next(self._seen[-1], block, f"move {self._told - 1}"))
            self._since = 0

    def _begin(self, block: Block) -> None:
        """The setup, by the first renaming of seats for which there is a way."""
        readings, blank = self._monitor.readings, initial_block(self._monitor.readings.model, 0)
        for turns in readings.turns:
            self._turns = turns
            before = Seen(self._monitor.system.start, readings.values(blank, turns))
            try:
                self._seen = [before, self._next(before, block, "the setup")]
                return
            except Miss:
                if turns == readings.turns[-1]:
                    raise

    def _next(self, before: Seen, block: Block, what: str) -> Seen:
        after = self._monitor.readings.seen(block, self._turns)
        if after is None:
            raise Miss(f"{what}: play rests where the abstract system has no point")
        self._inside(after, what)
        if self._monitor.passage(before, after, self._since) is None:
            points = self._monitor.system.points
            way = f"{points[before.point].label} to {points[after.point].label}"
            raise Miss(f"{what}: no way from {way} with {self._changes(before, after)}")
        return after

    def end(self) -> None:
        """There is nothing more to see.

        Raises:
            Miss: the game goes against the certificate.
        """
        if self._monitor.descent is not None:
            try:
                self._monitor.descent.follow(self._seen)
            except Rise as rise:
                raise Miss(f"against the certificate: {rise}") from None

    def _inside(self, seen: Seen, what: str) -> None:
        for cell, value in zip(self._monitor.system.cells, seen.values, strict=True):
            below = cell.low is not None and value < cell.low
            if below or (cell.high is not None and value > cell.high):
                raise Miss(f"{what}: {cell.label} is {value}, outside {cell.low}..{cell.high}")
        for fact in self._monitor.system.facts:
            if not fact.holds(seen.values.__getitem__):
                raise Miss(f"{what}: a fact of the abstract system does not hold")

    def _changes(self, before: Seen, after: Seen) -> str:
        pairs = zip(self._monitor.system.cells, before.values, after.values, strict=True)
        return ", ".join(f"{cell.label} {a} -> {b}" for cell, a, b in pairs if a != b)


def _taken(way: _Going, edge: Edge, position: int) -> _Going | None:
    """A way with one more edge; None if ranges leave no room for its guard."""
    shift = len(way.ranges)
    values: dict[int, Affine] = dict(enumerate(way.cells))
    for own in range(len(edge.parameters)):
        values[parameter(own)] = unknown(parameter(own + shift))
    ranges = way.ranges + tuple((each.low, each.high) for each in edge.parameters)
    guard = way.guard + tuple(each.substitute(values) for each in edge.guard)
    if not possible(guard, lambda u: ranges[-1 - u]):
        return None
    cells = list(way.cells)
    for cell, change in edge.changes().items():
        cells[cell] = cells[cell] + change.substitute(values)
    moves = way.moves + edge.moves
    return _Going(edge.target, tuple(cells), ranges, guard, moves, (*way.path, position))
