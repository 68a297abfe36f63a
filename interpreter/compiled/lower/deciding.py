"""Decisions: who may choose what, the n-th move, and what a move leads to.

For each decision there are functions of the player `me`:

- `offer_P(me)`: how many moves there are, 0 if the rules must go on without asking; the count of
  each slot goes to `COUNTS`. Slots are the actions as listed, then the fallback, then what may be
  done at any time; pass comes last.
- `find_P(me, n)`: the action of move number n of the offer at hand; its pick goes to `PICK`.
- `take_P(me, action)`: takes an action with `PICK`, and goes on.

Pass is the action after the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr, Return, Var
from gemwright.interpreter.compiled.lower.actions import Actions
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.terms import Terms

ACTOR: Final = "actor"
"""One item: the player whose decision is first, -1 for none."""

TOTAL: Final = "total"
"""One item: how many moves he has."""

COUNTS: Final = "counts"
"""The number of moves per slot of the offer at hand."""

NO_WAY_OUT: Final = "a player has nothing to choose"

Go = Callable[[m.Decide, int | None], None]
"""Writes how control goes on: to a control point, or to rest here (None)."""


class Slots:
    """The slots of one decision."""

    def __init__(self, point: m.Decide) -> None:
        fallback = () if point.otherwise is not None else point.fallback
        self.actions = point.actions
        self.fallback = fallback
        beside = () if point.together else point.anytime
        self.beside = tuple(each for each in beside if each not in point.actions)
        self.all = (*self.actions, *self.fallback, *self.beside)


class Deciding:
    """Writes the functions of decisions."""

    def __init__(self, parts: Parts, actions: Actions) -> None:
        self._parts = parts
        self._model = parts.model
        self._memory = parts.memory
        self._actions = actions
        self.most = 1
        self.passing = len(self._model.actions)
        """What stands for pass among actions."""

    # -- offers

    def offer(self, point: m.Decide) -> tuple[str, int]:
        """The function of the offer, and its greatest value."""
        slots = Slots(point)
        most = sum(self._actions.plan(self._model.actions[each]).picks for each in slots.all)
        most += point.can_pass
        self.most = max(self.most, most)
        name = f"offer_{point.id}"
        if self._parts.is_new(name):
            self._memory.maker.array(COUNTS, max(len(slots.all), 1), 0, most)
            self._write_offer(point, slots, name, most)
        return name, most

    def _write_offer(self, point: m.Decide, slots: Slots, name: str, most: int) -> None:
        w = Writer(self._memory.maker)
        me = Var(0, self._model.players - 1, "me")
        counts = [self._count(w, me, each) for each in slots.actions]
        total = w.let(ops.total(counts))
        fallback: list[Expr] = [ops.FALSE] * len(slots.fallback)
        if slots.fallback and not point.can_pass:
            found = [w.var("rest", 0, self._actions.plan(self._model.actions[each]).picks)
                     for each in slots.fallback]  # fmt: skip
            branch = w.branch(ops.equal(total, ops.FALSE))
            with branch.then():
                for var, each in zip(found, slots.fallback, strict=True):
                    w.set(var, self._count(w, me, each))
            with branch.otherwise():
                for var in found:
                    w.set(var, ops.FALSE)
            fallback = [w.settled(var) for var in found]
            total = w.let(ops.add(total, ops.total(fallback)))
        if not point.can_pass:
            with w.when(ops.equal(total, ops.FALSE)):
                w.emit(Return(ops.FALSE))
        beside = [self._beside(w, me, each, slots, fallback) for each in slots.beside]
        for slot, count in enumerate((*counts, *fallback, *beside)):
            w.put(COUNTS, ops.const(slot), count)
        total = ops.add(ops.add(total, ops.total(beside)), ops.const(int(point.can_pass)))
        w.emit(Return(total))
        self._memory.maker.function(w.function(name, [me], (0, most)))

    def _count(self, w: Writer, me: Expr, action: int) -> Expr:
        name, most = self._actions.count(self._model.actions[action])
        return w.call(name, [me], (0, most))

    def _beside(
        self, w: Writer, me: Expr, action: int, slots: Slots, fallback: Sequence[Expr]
    ) -> Expr:
        """What may be done at any time, if it is not offered already."""
        count = self._count(w, me, action)
        for each, offered in zip(slots.fallback, fallback, strict=True):
            if each == action:
                return w.let(ops.select(ops.compare(">", offered, ops.FALSE), ops.FALSE, count))
        return count

    # -- moves

    def find(self, point: m.Decide) -> str:
        """The function that finds a move by its number."""
        slots = Slots(point)
        name, most = f"find_{point.id}", self.offer(point)[1]
        if self._parts.is_new(name):
            w = Writer(self._memory.maker)
            n = Var(0, max(most - 1, 0), "n")
            me = Var(0, self._model.players - 1, "me")
            left = w.changing("left", n, n.low, n.high)
            for slot, action in enumerate(slots.all):
                count = w.let(self._memory.reader.item(COUNTS, ops.const(slot)))
                with w.when(ops.compare("<", left, count)):
                    known = self._model.actions[action]
                    pick = self._actions.nth(known)
                    last = max(self._actions.plan(known).picks - 1, 0)
                    number = ops.trusted(left, 0, last, "below the count")
                    w.call(pick, [me, number])
                    w.emit(Return(ops.const(action)))
                w.set(left, ops.trusted(ops.sub(left, count), 0, n.high, "not below the count"))
            w.emit(Return(ops.const(self.passing)))
            self._memory.maker.function(w.function(name, [me, n], (0, self.passing)))
        return name

    # -- entering a decision

    def enter(self, terms: Terms, point: m.Decide, go: Go) -> None:
        """Ask one player; if he has no move, take the way that the rules give."""
        w = terms.w
        actor = self.actor(terms, point)
        total = self.ask(terms, point, actor)
        with w.when(ops.compare(">", total, ops.FALSE)):
            go(point, None)
        self.depart(terms, point)
        if point.otherwise is not None:
            go(point, point.otherwise)
        elif point.fallback_pass:
            go(point, point.next)
        else:
            w.fail(NO_WAY_OUT)

    def actor(self, terms: Terms, point: m.Decide) -> Expr:
        """Who decides alone."""
        assert point.by is not None
        seat = terms.kept(point.by, Scope({0: ops.FALSE}))
        return terms.below(seat, self._model.players)

    def ask(self, terms: Terms, point: m.Decide, seat: Expr) -> Expr:
        """The number of moves of a player, who becomes the one at hand."""
        name, most = self.offer(point)
        total = terms.w.call(name, [seat], (0, most))
        self._memory.maker.array(ACTOR, 1, -1, self._model.players - 1)
        self._memory.maker.array(TOTAL, 1, 0, most)
        terms.w.put(ACTOR, ops.FALSE, seat)
        terms.w.put(TOTAL, ops.FALSE, total)
        return total

    def depart(self, terms: Terms, point: m.Decide) -> None:
        """A repeated decision is left: its counter is 0 whenever it is entered."""
        if point.counter is not None:
            cell = self._model.variables[point.counter].offset
            terms.w.store(cell, cell, ops.const(cell), ops.FALSE)
