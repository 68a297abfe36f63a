"""Control: the function `go` runs from a control point to the next decision or the end.

Points that are entered from one place only are written where they are entered; the others are
blocks of one switch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import POINT
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import (
    Break,
    Expr,
    Next,
    Return,
    Stmt,
    Switch,
    Var,
)
from gemwright.interpreter.compiled.lower.actions import NO_TARGET
from gemwright.interpreter.compiled.lower.deciding import Deciding
from gemwright.interpreter.compiled.lower.domains import seat_after
from gemwright.interpreter.compiled.lower.effects import Effects, leaves_early
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.steps import MOST, most_steps
from gemwright.interpreter.compiled.lower.together import Together
from gemwright.interpreter.evaluation.effects import STEP_BUDGET

GO: Final = "go"
AT_REST: Final = ops.FALSE
AT_END: Final = ops.TRUE
_NOBODY_LEFT: Final = "nobody is in the game any more"
_DEEP: Final = 12
"""Points that are written one into the other."""


class Control:
    """Writes `go`."""

    def __init__(self, parts: Parts, deciding: Deciding, together: Together) -> None:
        self._parts = parts
        self._model = parts.model
        self._memory = parts.memory
        self._deciding = deciding
        self._together = together
        self._w = Writer(parts.memory.maker)
        self._terms = parts.terms(self._w)
        self._entered = _entries(self._model)
        self._cases: dict[int, int] = {}
        self._todo: list[int] = []
        self._depth = 0
        self._scope = Scope({0: ops.FALSE})

    def write(self) -> None:
        """Write the function: (control point, steps so far) -> `AT_REST` or `AT_END`."""
        w = self._w
        point = Var(0, len(self._model.points) - 1, "point")
        before = Var(0, MOST, "before")
        for number in sorted(self._entries_of_moves()):
            self._case(number)
        blocks: list[tuple[Stmt, ...]] = []
        while len(blocks) < len(self._todo):
            with w.block() as body:
                self._point(self._todo[len(blocks)])
            blocks.append(tuple(body))
        values = [self._cases.get(each.id, 0) for each in self._model.points]
        w.set(self._pc(), self._memory.entry("case", values, point))
        w.set(self._steps(), before)
        with w.loop(STEP_BUDGET + 1):
            w.need(
                ops.compare("<=", self._steps(), ops.const(STEP_BUDGET)),
                "too many steps without a decision",
            )
            case = ops.trusted(self._pc(), 0, len(blocks) - 1, "cases are numbered so")
            w.emit(Switch(case, tuple(blocks)))
        self._memory.maker.function(w.function(GO, [point, before], (0, 1)))

    def _pc(self) -> Var:
        return Var(0, max(len(self._model.points) - 1, 0), "case")

    def _steps(self) -> Var:
        # Checked in each round of the loop, and a round adds little.
        return Var(0, 1 << 40, "steps")

    def _entries_of_moves(self) -> set[int]:
        """Points where control arrives from outside: the start, and where decisions lead."""
        found = {self._model.start}
        for point in self._model.points:
            if isinstance(point, m.Decide):
                found |= {point.id, point.next}
        for action in self._model.actions:
            found |= _left_to(action.do, self._memory.layout.ends)
        return found

    # -- going on

    def _case(self, point: int) -> int:
        number = self._cases.get(point)
        if number is None:
            number = self._cases[point] = len(self._todo)
            self._todo.append(point)
        return number

    def _to(self, point: int) -> None:
        """Go to a control point."""
        if self._entered[point] == 1 and point not in self._cases and self._depth < _DEEP:
            self._depth += 1
            self._point(point)
            self._depth -= 1
            return
        self._w.set(self._pc(), ops.const(self._case(point)))
        self._w.emit(Next())

    def _point(self, number: int) -> None:
        point = self._model.points[number]
        _POINTS[type(point)](self, point)

    def _step(self, n: int = 1) -> None:
        self._w.gain(self._steps(), ops.const(n))

    # -- points

    def _do(self, point: m.Do) -> None:
        self._step(1 + most_steps(point.body, self._model.players))
        if not leaves_early(point.body):
            Effects(self._terms, self._parts.handling, {}, {}).run(point.body, self._scope)
            self._to(point.next)
            return
        target = self._w.let(self._w.call(self._body(point), [], (-1, len(self._model.points) - 1)))
        for left in sorted(_left_to(point.body, self._memory.layout.ends)):
            with self._w.when(ops.equal(target, ops.const(left))):
                self._w.set(self._pc(), ops.const(self._case(left)))
                self._w.emit(Next())
        self._to(point.next)

    def _body(self, point: m.Do) -> str:
        name = f"do_point_{point.id}"
        w = Writer(self._memory.maker)
        Effects(self._parts.terms(w), self._parts.handling, {}, {}).run(point.body, self._scope)
        w.emit(Return(NO_TARGET))
        self._memory.maker.function(w.function(name, [], (-1, len(self._model.points) - 1)))
        return name

    def _branch(self, point: m.Branch) -> None:
        self._step()
        for arm in point.arms:
            if arm.condition is None:
                self._to(arm.target)
                return
            with self._w.when(self._terms.kept(arm.condition, self._scope)):
                self._to(arm.target)

    def _end(self, point: m.End) -> None:
        self._rest(point.id, AT_END)

    def _rest(self, point: int, how: Expr) -> None:
        self._w.store(POINT, POINT, ops.const(POINT), ops.const(point))
        self._w.emit(Return(how))

    # -- loops

    def _loop_start(self, point: m.LoopStart) -> None:
        self._step()
        self._keep(point.counter, ops.FALSE)
        if point.origin is not None:
            seat: Expr = ops.FALSE
            if point.start is not None:
                seat = self._terms.value(point.start, self._scope)
            self._keep(point.origin, seat)
        self._to(point.next)

    def _loop_test(self, point: m.LoopTest) -> None:
        self._step()
        if point.values is None and point.origin is None and point.endless:
            self._to(point.body)
        elif point.values is None and point.origin is not None:
            self._seats(point)
        else:
            self._values(point)

    def _values(self, point: m.LoopTest) -> None:
        """The next of fixed values; in an endless loop the first comes after the last."""
        values = tuple(range(point.seats)) if point.values is None else point.values
        if not values:
            self._nobody(point)
            return
        taken = self._w.let(self._variable(point.counter))
        over = ops.compare(">=", taken, ops.const(len(values)))
        if point.endless:
            taken = self._w.let(ops.select(over, ops.FALSE, taken))
        else:
            with self._w.when(over):
                self._to(point.exit)
        at = ops.smaller(taken, ops.const(len(values) - 1))
        self._keep(point.counter, ops.add(at, ops.TRUE))
        if point.role is not None:
            self._keep(point.role, self._memory.entry("value", values, at))
        self._to(point.body)

    def _nobody(self, point: m.LoopTest) -> None:
        if point.endless:
            self._w.fail(_NOBODY_LEFT)
        else:
            self._to(point.exit)

    def _seats(self, point: m.LoopTest) -> None:
        """The next player who is still in."""
        assert point.origin is not None
        w, seats = self._w, point.seats
        origin = w.let(self._variable(point.origin))
        taken = w.changing("taken", self._variable(point.counter), 0, max(seats, 1))
        found = w.changing("found", ops.FALSE, 0, 1)
        with w.each("try", ops.const(1), ops.const(seats)):
            with w.when(ops.compare(">=", taken, ops.const(seats))):
                if not point.endless:
                    w.emit(Break())
                w.set(taken, ops.FALSE)
            step = ops.trusted(taken, 0, max(seats - 1, 0), "checked before")
            seat = w.let(seat_after(self._terms, origin, step))
            w.set(taken, ops.add(step, ops.TRUE))
            with w.when(ops.negate(self._terms.out(seat))):
                w.set(found, ops.TRUE)
                if point.role is not None:
                    self._keep(point.role, seat)
                w.emit(Break())
        self._keep(point.counter, taken)
        with w.when(found):
            self._to(point.body)
        self._nobody(point)

    def _count(self, point: m.Count) -> None:
        self._step()
        counter = self._w.let(self._variable(point.counter))
        with self._w.when(ops.compare(">=", counter, ops.const(point.times))):
            self._to(point.capped)
        self._keep(point.counter, ops.add(counter, ops.TRUE))
        self._to(point.next)

    def _variable(self, number: int) -> Expr:
        return self._memory.variable(self._model.variables[number], ops.FALSE)

    def _keep(self, number: int, value: Expr) -> None:
        """Give a hidden variable or a role a value that fits."""
        variable = self._model.variables[number]
        cell = self._memory.cell(variable.offset)
        value = ops.trusted(value, cell.low, cell.high, "the loop is made so")
        self._w.store(variable.offset, variable.offset, ops.const(variable.offset), value)

    # -- decisions

    def _decide(self, point: m.Decide) -> None:
        self._step()
        if point.together:
            self._together.enter(self._terms, point, self._rest_or_go)
        else:
            self._deciding.enter(self._terms, point, self._rest_or_go)

    def _rest_or_go(self, point: m.Decide, target: int | None) -> None:
        if target is None:
            self._rest(point.id, AT_REST)
        else:
            self._to(target)


def _entries(model: m.Game) -> Mapping[int, int]:
    """How many places lead to each control point."""
    found = {point.id: 0 for point in model.points}
    for point in model.points:
        for target in _targets(point):
            found[target] += 1
    return found


def _targets(point: m.Point) -> list[int]:
    if isinstance(point, m.Branch):
        return [arm.target for arm in point.arms]
    if isinstance(point, m.LoopTest):
        return [point.body, point.exit]
    if isinstance(point, m.Count):
        return [point.next, point.capped]
    if isinstance(point, m.Do | m.LoopStart):
        return [point.next]
    if isinstance(point, m.Decide):
        ways = (point.next, point.id, point.otherwise)
        # Twice each: decisions lead on from several places.
        return [each for each in ways if each is not None] * 2
    return []


def _left_to(body: tuple[m.Statement, ...], ends: Mapping[str, int]) -> set[int]:
    """The control points that `leave` and `end game` in a block go to."""
    found: set[int] = set()
    for each in body:
        if isinstance(each, m.Leave):
            found.add(each.target)
        elif isinstance(each, m.EndGame):
            found.add(ends[each.reason])
        elif isinstance(each, m.IfDo):
            found |= _left_to(each.then, ends) | _left_to(each.otherwise, ends)
        elif isinstance(each, m.ForEach):
            found |= _left_to(each.body, ends)
    return found


_POINTS: Final[Mapping[type, Callable[[Control, Any], None]]] = {
    m.Do: Control._do,
    m.Branch: Control._branch,
    m.LoopStart: Control._loop_start,
    m.LoopTest: Control._loop_test,
    m.Count: Control._count,
    m.Decide: Control._decide,
    m.End: Control._end,
}
