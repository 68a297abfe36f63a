"""What answers lead to: the function `take_P(me, action)` of each decision."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr, Return, Var
from gemwright.interpreter.compiled.lower.actions import Actions
from gemwright.interpreter.compiled.lower.deciding import Deciding, Slots
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.steps import MOST, most_steps

GO: Final = "go"


class Answering:
    """Writes what happens after an answer."""

    def __init__(self, parts: Parts, actions: Actions, deciding: Deciding) -> None:
        self._parts = parts
        self._model = parts.model
        self._memory = parts.memory
        self._actions = actions
        self._deciding = deciding

    def take(self, point: m.Decide) -> str:
        """The function that makes a move of a decision that one player has."""
        name = f"take_{point.id}"
        if not self._parts.is_new(name):
            return name
        w = Writer(self._memory.maker)
        me = Var(0, self._model.players - 1, "me")
        action = Var(0, self._deciding.passing, "action")
        for each in dict.fromkeys(Slots(point).all):
            with w.when(ops.equal(action, ops.const(each))):
                self._settle_one(w, point, me, each)
        self._settle_one(w, point, me, None)
        self._memory.maker.function(w.function(name, [me, action], (0, 1)))
        return name

    def _settle_one(self, w: Writer, point: m.Decide, me: Expr, action: int | None) -> None:
        """Do one answer and go on."""
        terms = self._parts.terms(w)
        if action is None:
            self._deciding.depart(terms, point)
            self.go(w, ops.const(point.next), 0)
            return
        known = self._model.actions[action]
        steps = most_steps(known.do, self._model.players)
        target = self._do(w, known, me)
        with w.when(ops.compare(">=", target, ops.FALSE)):
            self._deciding.depart(terms, point)
            self.go(w, ops.trusted(target, 0, len(self._model.points) - 1, "checked"), steps)
        again = self.again(w, point, action)
        with w.when(again):
            self.go(w, ops.const(point.id), steps)
        self._deciding.depart(terms, point)
        self.go(w, ops.const(point.next), steps)

    def _do(self, w: Writer, action: m.Action, me: Expr) -> Expr:
        name = self._actions.do(action)
        return w.call(name, [me], (-1, len(self._model.points) - 1))

    def again(self, w: Writer, point: m.Decide, action: int) -> Expr:
        """Whether the same decision comes again after an action."""
        if is_beside(point, action):
            return ops.TRUE
        if not point.repeat:
            return ops.FALSE
        return self.counted(w, point)

    def counted(self, w: Writer, point: m.Decide) -> Expr:
        """Count a move of a repeated decision: may there be one more?"""
        if point.counter is None or point.at_most is None:
            return ops.TRUE
        cell = self._model.variables[point.counter].offset
        count = w.let(ops.add(self._memory.cell(cell), ops.TRUE))
        high = self._memory.maker.cells[cell].high
        kept = ops.trusted(count, 0, high, "it stays below the greatest number of moves")
        w.store(cell, cell, ops.const(cell), kept)
        return ops.compare("<", count, ops.const(point.at_most))

    def go(self, w: Writer, target: Expr, steps: int) -> None:
        """Go on at a control point."""
        w.emit(Return(w.call(GO, [target, ops.const(min(steps, MOST))], (0, 1))))


def is_beside(point: m.Decide, action: int) -> bool:
    """Whether an action only joins a decision."""
    return action in point.anytime and action not in (*point.actions, *point.fallback)
