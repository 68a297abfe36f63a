"""`given`: lays out the state in which a scenario begins.

The base is the state after the setup. What `given` names is replaced, pieces are counted, and the
phase is entered anew: the loops around it stand at their first element, or at the one that `roles`
names.
"""

from __future__ import annotations

from collections.abc import Mapping

from gemwright.dsl.document.tree import Entry, Map
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.block import POINT, Block
from gemwright.interpreter.game import Game
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.scenario.names import Names, entries_of
from gemwright.interpreter.scenario.pieces import lay_out
from gemwright.interpreter.scenario.zones import read_contents


def arrange(game: Game, base: Block, given: tuple[Entry, ...], names: Names) -> Block | None:
    """The block that `given` describes, ready to run on from its control point; None if impossible.

    Args:
        base: the block after the setup; it is not changed.
    """
    before = len(names.reporter.diagnostics)
    maker = _Maker(game, base.copy(), names)
    parts = {entry.key: entry for entry in given}
    maker.variables(parts)
    maker.out(parts.get("out"))
    zones = parts.get("zones")
    if zones is not None:
        contents = read_contents(entries_of(zones.value, names, "`zones`"), names)
        lay_out(game, maker.block, contents, zones.key_span, names)
    point = maker.point(parts.get("phase"))
    if point is None or len(names.reporter.diagnostics) > before:
        return None
    maker.enter(point, given[0].key_span if given else point.span)
    return maker.block if len(names.reporter.diagnostics) == before else None


class _Maker:
    """Changes a block step by step."""

    def __init__(self, game: Game, block: Block, names: Names) -> None:
        self.block = block
        self._game = game
        self._model = game.model
        self._names = names
        self._said: dict[int, Span] = {}

    # -- state, roles, who is out

    def variables(self, parts: Mapping[str, Entry]) -> None:
        """Give the named variables and roles their values."""
        for section in ("state", "roles"):
            if section in parts:
                for entry in entries_of(parts[section].value, self._names, f"`{section}`"):
                    self._variable(entry)

    def _variable(self, entry: Entry) -> None:
        variable = self._names.variable(entry)
        if variable is None:
            return
        self._said[variable.id] = entry.key_span
        if variable.index and isinstance(entry.value, Map):
            for cell in entry.value.entries:
                position = self._names.position(variable, cell)
                value = self._names.value(cell.value, variable.type)
                if position is not None and value is not None:
                    self.block[variable.offset + position] = value
            return
        value = self._names.value(entry.value, variable.type)
        if value is not None:
            for position in range(variable.size):
                self.block[variable.offset + position] = value

    def out(self, entry: Entry | None) -> None:
        """Take exactly the named players out."""
        seats = None if entry is None else self._names.seat_list(entry.value)
        if seats is not None:
            for seat in range(self._model.players):
                self.block[self._model.out_offset + seat] = int(seat in seats)

    # -- the phase

    def point(self, entry: Entry | None) -> m.Point | None:
        """The control point to run on from: that of a phase, or where the base stands."""
        current = self._model.points[self.block[POINT]]
        if entry is None:
            return current
        path = self._names.phase(entry.value)
        if path is None:
            return None
        if isinstance(current, m.Decide) and current.phase == path:
            return current
        found = self._entry(path)
        if found is None:
            text = f"`{path}` is made of other phases: name the one to begin with"
            self._names.wrong("X005", entry.value.span, text)
        return found

    def _entry(self, path: str) -> m.Point | None:
        """A decision of the phase if it has one, else where its loop or its effect begins."""
        mine = [point for point in self._model.points if point.phase == path]
        tests = [point for point in mine if isinstance(point, m.LoopTest)]
        placed = any(test.role is not None and test.role in self._said for test in tests)
        classes: tuple[type[m.Point], ...] = (
            (m.Decide, m.Do)
            if placed
            else (
                m.Decide,
                m.LoopStart,
                m.Do,
            )
        )
        for wanted in classes:
            for point in mine:
                if isinstance(point, wanted):
                    return point
        return None

    def enter(self, point: m.Point, span: Span) -> None:
        """Stand at a control point, with every loop around it at its element."""
        self.block[POINT] = point.id
        sealed = self._model.sealed_offset
        width = self._model.players * self._model.sealed_stride
        self.block[sealed : sealed + width] = [0] * width
        if isinstance(point, m.Decide) and point.counter is not None:
            self.block[self._model.variables[point.counter].offset] = 0
        for test in self._loops(point):
            self._place(test, span)

    def _loops(self, point: m.Point) -> list[m.LoopTest]:
        """The loops around a point, outermost first; not the one that it is about to start."""
        found = [
            test
            for test in self._model.points
            if isinstance(test, m.LoopTest)
            and (point.phase == test.phase or point.phase.startswith(f"{test.phase}/"))
            and not (isinstance(point, m.LoopStart) and point.counter == test.counter)
        ]
        return sorted(found, key=lambda test: test.phase.count("/"))

    def _place(self, test: m.LoopTest, span: Span) -> None:
        elements = self._elements(test)
        if elements is None:
            return
        role = None if test.role is None else self._model.variables[test.role]
        wanted = elements[0] if elements else None
        if role is not None and role.id in self._said:
            wanted = self.block[role.offset]
            span = self._said[role.id]
        if wanted not in elements:
            self._nobody(role, wanted, span)
            return
        self.block[self._cell(test.counter)] = self._taken(test, wanted)
        if role is not None:
            self.block[role.offset] = wanted

    def _elements(self, test: m.LoopTest) -> list[int] | None:
        """What a loop goes through in order, players who are out left out; None if it has no
        counter."""
        if test.values is not None:
            return list(test.values)
        if test.origin is None:
            return None if test.endless else list(range(test.seats))
        first = self._origin(test)
        seats = [(first + step) % self._model.players for step in range(test.seats)]
        return [seat for seat in seats if not self.block[self._model.out_offset + seat]]

    def _origin(self, test: m.LoopTest) -> int:
        """Fix where a loop over players begins, as entering it would."""
        assert test.origin is not None
        seat = 0
        for start in self._model.points:
            if isinstance(start, m.LoopStart) and start.counter == test.counter and start.start:
                machine = self._game.machine
                frame = machine.layout.frame()
                try:
                    seat = machine.evaluator.value(start.start, self.block, frame)
                except RuntimeProblem as problem:
                    self._names.wrong("X005", problem.span or start.span, problem.message)
        self.block[self._cell(test.origin)] = seat
        return seat

    def _taken(self, test: m.LoopTest, wanted: int) -> int:
        """The counter of a loop that has just gone to an element."""
        if test.values is not None:
            return test.values.index(wanted) + 1
        if test.origin is None:
            return wanted + 1
        first = self.block[self._cell(test.origin)]
        return (wanted - first) % self._model.players + 1

    def _nobody(self, role: m.Variable | None, wanted: int | None, span: Span) -> None:
        name = role.name if role is not None else "the loop"
        if wanted is None or role is None:
            text = f"nobody is left for `{name}`"
        else:
            text = f"`{name}` cannot be {self._names.show(wanted, role.type)} in this phase"
        self._names.wrong("X005", span, text)

    def _cell(self, variable: int) -> int:
        return self._model.variables[variable].offset
