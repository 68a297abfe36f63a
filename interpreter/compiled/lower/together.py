"""Sealed decisions: several players choose at once, and all is done when the last has chosen.

An answer waits in the cells that the model sets aside for its seat: 0 = not in, 1 = pass, else the
action's number + 2 and its walk entries.
"""

from __future__ import annotations

from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr, Return, Var
from gemwright.interpreter.compiled.lower import domains
from gemwright.interpreter.compiled.lower.actions import Actions
from gemwright.interpreter.compiled.lower.answering import Answering, is_beside
from gemwright.interpreter.compiled.lower.deciding import ACTOR, NO_WAY_OUT, Deciding, Go, Slots
from gemwright.interpreter.compiled.lower.leaves import PICK
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.picks import walk_width
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.steps import most_steps
from gemwright.interpreter.compiled.lower.terms import Terms

SEALED: Final = "sealed"
"""Copies of the sealed cells while answers are done."""

_PASS: Final = ops.const(1)
_ACTION: Final = 2


class Together:
    """Writes sealed decisions."""

    def __init__(
        self, parts: Parts, actions: Actions, deciding: Deciding, answering: Answering
    ) -> None:
        self._parts = parts
        self._model = parts.model
        self._memory = parts.memory
        self._actions = actions
        self._deciding = deciding
        self._answering = answering

    # -- entering

    def enter(self, terms: Terms, point: m.Decide, go: Go) -> None:
        """Ask everybody; those who have no move pass."""
        w = terms.w
        asked = self._actors(terms, point)
        offered = w.changing("offered", ops.FALSE, 0, self._model.players)
        offers = self._memory.scratch("offers", self._model.players, 0, 1)
        with w.bits("seat", asked) as bit:
            seat = self._seat(bit)
            has = ops.compare(">", self._offer(w, point, seat), ops.FALSE)
            w.put(offers, seat, has)
            w.gain(offered, has)
        if point.otherwise is not None:
            nobody = ops.equal(offered, ops.FALSE)
            with w.when(ops.both(nobody, ops.compare(">", asked, ops.FALSE))):
                self._deciding.depart(terms, point)
                go(point, point.otherwise)
        with w.when(ops.compare(">", offered, ops.FALSE)):
            self._pass_without(w, point, asked, offers)
            self.next_one(terms, point, asked)
            go(point, None)
        if not point.fallback_pass and point.otherwise is None:
            w.need(ops.equal(asked, ops.FALSE), NO_WAY_OUT)
        self._deciding.depart(terms, point)
        go(point, point.next)

    def _pass_without(self, w: Writer, point: m.Decide, asked: Expr, offers: str) -> None:
        """Seal a pass for those who have no move."""
        with w.bits("seat", asked) as bit:
            seat = self._seat(bit)
            with w.when(ops.equal(self._memory.reader.item(offers, seat), ops.FALSE)):
                if not point.fallback_pass and point.otherwise is None:
                    w.fail(NO_WAY_OUT)
                self._store(w, seat, 0, _PASS)

    def _offer(self, w: Writer, point: m.Decide, seat: Expr) -> Expr:
        name, most = self._deciding.offer(point)
        return w.call(name, [seat], (0, most))

    def _seat(self, bit: Expr) -> Expr:
        return ops.trusted(bit, 0, self._model.players - 1, "bits stand for seats")

    def _actors(self, terms: Terms, point: m.Decide) -> Expr:
        """Who decides, as bits."""
        w, scope = terms.w, Scope({0: ops.FALSE})
        highest = (1 << self._model.players) - 1
        asked = w.changing("asked", ops.FALSE, 0, highest)
        if point.others is not None:
            with domains.each(terms, point.others, scope) as (seat, _):
                self._mark(w, asked, terms.below(seat, self._model.players))
        if point.by is not None:
            self._mark(w, asked, terms.below(terms.value(point.by, scope), self._model.players))
        return w.settled(asked)

    def _mark(self, w: Writer, asked: Var, seat: Expr) -> None:
        bits = ops.bit_or(asked, ops.shift_left(ops.TRUE, seat))
        w.set(asked, ops.trusted(bits, 0, asked.high, "bits stand for seats"))

    def rest(self, terms: Terms, point: m.Decide) -> None:
        """Find who is awaited in a state that rests here."""
        self.next_one(terms, point, self._actors(terms, point))

    def next_one(self, terms: Terms, point: m.Decide, asked: Expr) -> None:
        """The first who has not answered becomes the one at hand."""
        w = terms.w
        first = w.changing("first", ops.const(-1), -1, self._model.players - 1)
        with w.bits("seat", asked) as bit:
            seat = self._seat(bit)
            waits = ops.equal(self._cell(seat, 0), ops.FALSE)
            with w.when(ops.both(waits, ops.compare("<", first, ops.FALSE))):
                w.set(first, seat)
        with w.when(ops.compare(">=", first, ops.FALSE)):
            seat = ops.trusted(first, 0, self._model.players - 1, "checked")
            self._deciding.ask(terms, point, seat)
        with w.when(ops.compare("<", w.settled(first), ops.FALSE)):
            self._memory.maker.array(ACTOR, 1, -1, self._model.players - 1)
            w.put(ACTOR, ops.FALSE, ops.const(-1))

    # -- cells

    def _index(self, seat: Expr, within: int) -> tuple[int, int, Expr]:
        first, stride = self._model.sealed_offset, self._model.sealed_stride
        index = ops.add(ops.mul(seat, ops.const(stride)), ops.const(first + within))
        return first, first + stride * self._model.players - 1, index

    def _cell(self, seat: Expr, within: int) -> Expr:
        return self._memory.reader.cell(*self._index(seat, within))

    def _store(self, w: Writer, seat: Expr, within: int, value: Expr) -> None:
        first, last, index = self._index(seat, within)
        cell = self._cell(seat, within)
        value = ops.trusted(value, cell.low, cell.high, "sealed cells are made for it")
        w.store(first, last, index, value)

    # -- answers

    def take(self, point: m.Decide) -> str:
        """The function that seals an answer, and goes on once the last is in."""
        name = f"take_{point.id}"
        if not self._parts.is_new(name):
            return name
        w = Writer(self._memory.maker)
        terms = self._parts.terms(w)
        me = Var(0, self._model.players - 1, "me")
        action = Var(0, self._deciding.passing, "action")
        with w.when(ops.equal(action, ops.const(self._deciding.passing))):
            self._store(w, me, 0, _PASS)
        for each in dict.fromkeys(Slots(point).all):
            with w.when(ops.equal(action, ops.const(each))):
                self._seal(w, me, each)
        self.next_one(terms, point, self._actors(terms, point))
        with w.when(ops.compare(">=", self._memory.reader.item(ACTOR, ops.FALSE), ops.FALSE)):
            w.emit(Return(ops.FALSE))
        last = len(self._model.points) - 1
        target = w.call(self.close(point), [], (0, last))
        self._answering.go(w, target, self._steps(point))
        self._memory.maker.function(w.function(name, [me, action], (0, 1)))
        return name

    def _steps(self, point: m.Decide) -> int:
        slots, players = Slots(point), self._model.players
        longest = [most_steps(self._model.actions[each].do, players) for each in slots.all]
        return players * max(longest, default=0)

    def _seal(self, w: Writer, me: Expr, action: int) -> None:
        self._store(w, me, 0, ops.const(action + _ACTION))
        width = walk_width(self._model.actions[action])
        for at in range(width):
            self._memory.maker.array(PICK, at + 1, 0, 0)
            self._store(w, me, at + 1, self._memory.reader.item(PICK, ops.const(at)))

    # -- doing all

    def close(self, point: m.Decide) -> str:
        """The function that does all answers in seat order: the control point to go to."""
        name = f"close_{point.id}"
        if not self._parts.is_new(name):
            return name
        w = Writer(self._memory.maker)
        terms = self._parts.terms(w)
        asked = self._actors(terms, point)
        self._copy(w, asked)
        moved = w.changing("moved", ops.FALSE, 0, 1)
        beside = w.changing("beside", ops.FALSE, 0, 1)
        with w.bits("seat", asked) as bit:
            seat = self._seat(bit)
            kind = w.let(self._copied(seat, 0))
            for action in dict.fromkeys(Slots(point).all):
                with w.when(ops.equal(kind, ops.const(action + _ACTION))):
                    self._settle(terms, point, seat, action)
                    w.set(beside if is_beside(point, action) else moved, ops.TRUE)
        self._after(terms, point, w.settled(moved), w.settled(beside))
        self._memory.maker.function(w.function(name, [], (0, len(self._model.points) - 1)))
        return name

    def _after(self, terms: Terms, point: m.Decide, moved: Expr, beside: Expr) -> None:
        w = terms.w
        with w.when(beside):
            w.emit(Return(ops.const(point.id)))
        if point.repeat:
            with w.when(moved), w.when(self._answering.counted(w, point)):
                w.emit(Return(ops.const(point.id)))
        self._deciding.depart(terms, point)
        w.emit(Return(ops.const(point.next)))

    def _copy(self, w: Writer, asked: Expr) -> None:
        """Copy the answers and clear their cells, before any of them is done."""
        stride = self._model.sealed_stride
        first, last, _ = self._index(ops.FALSE, 0)
        cells = self._memory.maker.cells[first : last + 1]
        low, high = min(each.low for each in cells), max(each.high for each in cells)
        self._memory.maker.array(SEALED, stride * self._model.players, low, high)
        with w.bits("seat", asked) as bit:
            seat = self._seat(bit)
            for at in range(stride):
                w.put(SEALED, self._copy_index(seat, at), self._cell(seat, at))
                self._store(w, seat, at, ops.FALSE)

    def _copy_index(self, seat: Expr, at: int) -> Expr:
        return ops.add(ops.mul(seat, ops.const(self._model.sealed_stride)), ops.const(at))

    def _copied(self, seat: Expr, at: int) -> Expr:
        return self._memory.reader.item(SEALED, self._copy_index(seat, at))

    def _settle(self, terms: Terms, point: m.Decide, seat: Expr, action: int) -> None:
        """Do one answer; one that leaves ends them all."""
        w, known = terms.w, self._model.actions[action]
        for at in range(walk_width(known)):
            entry = self._copied(seat, at + 1)
            self._memory.maker.array(PICK, at + 1, entry.low, entry.high)
            w.put(PICK, ops.const(at), entry)
        last = len(self._model.points) - 1
        target = w.call(self._actions.do(known), [seat], (-1, last))
        with w.when(ops.compare(">=", target, ops.FALSE)):
            self._deciding.depart(terms, point)
            w.emit(Return(ops.trusted(target, 0, last, "checked")))
