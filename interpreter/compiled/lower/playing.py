"""The functions that engines call: move by move, or whole games between random players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import POINT
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import (
    Begin,
    Break,
    Draw,
    Expr,
    Keep,
    Return,
    Stmt,
    Switch,
    Var,
)
from gemwright.interpreter.compiled.lower.answering import GO, Answering
from gemwright.interpreter.compiled.lower.deciding import ACTOR, TOTAL, Deciding
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.result import (
    OUTCOME,
    RANKS,
    SCORES,
    WINNERS,
    has_scores,
)
from gemwright.interpreter.compiled.lower.together import Together
from gemwright.interpreter.compiled.machine import MOST_MOVES

RECORD: Final = "record"
"""What is kept of a game beside its state: the items that `Record` names."""

FIND: Final = "find"
TAKE: Final = "take"
STEP: Final = "step"
ASK: Final = "ask"
RESUME: Final = "resume"
REFRESH: Final = "refresh"
ROLL: Final = "roll"
PLAY: Final = "play"

_ENDED: Final = (0, 1)
"""Whether the game is at its end."""

_WORD: Final = (1 << 31) - 1
LOW_WIDTH: Final = 31
_LOW_BITS: Final = (1 << LOW_WIDTH) - 1


class Record:
    """The layout of `RECORD`. The sum of branching stands in two items, in parts of 31 bits."""

    def __init__(self, model: m.Game) -> None:
        self.moves, self.ended, self.least, self.most, self.low, self.high = range(6)
        self.scores = 6
        self.ranks = self.scores + model.players
        self.winners = self.ranks + model.players
        self.actions = self.winners + 1
        """How often each action was taken; pass comes last."""
        self.length = self.actions + len(model.actions) + 1


class Playing:
    """Writes the functions that engines call."""

    def __init__(
        self, parts: Parts, deciding: Deciding, answering: Answering, together: Together
    ) -> None:
        self._parts = parts
        self._model = parts.model
        self._memory = parts.memory
        self._deciding = deciding
        self._answering = answering
        self._together = together
        self._decisions = [each for each in parts.model.points if isinstance(each, m.Decide)]
        self._record = Record(parts.model)

    def write(self) -> None:
        """Write `find`, `take`, `step`, `ask`, `resume`, `roll` and `play`."""
        self._memory.maker.array(ACTOR, 1, -1, self._model.players - 1)
        self._memory.maker.array(TOTAL, 1, 0, 1)
        self._find()
        self._take()
        self._step()
        self._ask()
        self._resume()
        self._roll()
        self._play()
        self._refresh()

    # -- move by move

    def _each_decision(self, w: Writer, write: Callable[[m.Decide], Expr], otherwise: Expr) -> None:
        """Return what is written for the decision at which the state rests."""
        decisions = self._decisions
        if len(decisions) == 1:
            w.emit(Return(write(decisions[0])))
            return
        number = {each.id: at for at, each in enumerate(decisions)}
        values = [number.get(each.id, len(decisions)) for each in self._model.points]
        blocks: list[tuple[Stmt, ...]] = []
        for point in decisions:
            with w.block() as body:
                w.emit(Return(write(point)))
            blocks.append(tuple(body))
        blocks.append((Return(otherwise),))
        w.emit(Switch(self._memory.entry("at", values, self._memory.cell(POINT)), tuple(blocks)))
        w.emit(Return(otherwise))

    def _me(self) -> Var:
        return Var(0, self._model.players - 1, "me")

    def _find(self) -> None:
        """`find(me, n)`: the action of move number n; its pick goes to `PICK`."""
        w = Writer(self._memory.maker)
        me, n = self._me(), Var(0, max(self._deciding.most - 1, 0), "n")
        result = (0, self._deciding.passing)

        def write(point: m.Decide) -> Expr:
            name, most = self._deciding.find(point), self._deciding.offer(point)[1]
            number = ops.trusted(n, 0, max(most - 1, 0), "a move of this decision")
            return w.call(name, [me, number], result)

        self._each_decision(w, write, ops.const(result[1]))
        self._memory.maker.function(w.function(FIND, [me, n], result))

    def _take(self) -> None:
        """`take(me, action)`: goes on after an action with the pick in `PICK`."""
        w = Writer(self._memory.maker)
        me, action = self._me(), Var(0, self._deciding.passing, "action")

        def write(point: m.Decide) -> Expr:
            way = self._together if point.together else self._answering
            return w.call(way.take(point), [me, action], _ENDED)

        self._each_decision(w, write, ops.TRUE)
        self._memory.maker.function(w.function(TAKE, [me, action], _ENDED))

    def _step(self) -> None:
        """`step(n)`: makes move number n of the player at hand."""
        w = Writer(self._memory.maker)
        n = Var(0, max(self._deciding.most - 1, 0), "n")
        me = self._actor(w)
        action = w.call(FIND, [me, n], (0, self._deciding.passing))
        w.emit(Return(w.call(TAKE, [me, action], _ENDED)))
        self._memory.maker.function(w.function(STEP, [n], _ENDED))

    def _actor(self, w: Writer) -> Expr:
        seat = self._memory.reader.item(ACTOR, ops.FALSE)
        return w.let(ops.trusted(seat, 0, self._model.players - 1, "there is a decision"))

    def _resume(self) -> None:
        """`resume()`: a state from elsewhere was put into the cells; whether it is at an end."""
        w = Writer(self._memory.maker)
        terms = self._parts.terms(w)
        w.call(REFRESH, [])

        def write(point: m.Decide) -> Expr:
            if point.together:
                self._together.rest(terms, point)
            else:
                self._deciding.ask(terms, point, self._deciding.actor(terms, point))
            return ops.FALSE

        self._each_decision(w, write, ops.TRUE)
        self._memory.maker.function(w.function(RESUME, [], _ENDED))

    def _refresh(self) -> None:
        w = Writer(self._memory.maker)
        self._memory.refresh(w)
        self._memory.maker.function(w.function(REFRESH, [], None))

    def _ask(self) -> None:
        """`ask(me)`: makes a player the one at hand; his number of moves."""
        w = Writer(self._memory.maker)
        terms, me = self._parts.terms(w), self._me()
        self._each_decision(w, lambda point: self._deciding.ask(terms, point, me), ops.FALSE)
        self._memory.maker.function(w.function(ASK, [me], (0, self._deciding.most)))

    # -- whole games

    def _roll(self) -> None:
        """`roll(ended, most)`: plays on at random, then fills `RECORD`."""
        w = Writer(self._memory.maker)
        ended, most = Var(0, 1, "ended"), Var(0, MOST_MOVES, "most")
        at = self._record
        self._memory.maker.array(RECORD, at.length, 0, max(_WORD, self._deciding.most))
        for kept in (SCORES, RANKS, WINNERS):
            if kept in self._memory.reader.arrays:
                self._memory.maker.array(RECORD, at.length, *self._memory.reader.arrays[kept])
        for item in range(at.length):
            self._put(w, item, ops.FALSE)
        over = w.changing("over", ended, 0, 1)
        moves = w.changing("moves", ops.FALSE, 0, MOST_MOVES + 2)
        with w.loop(MOST_MOVES + 2):
            with w.when(ops.either(over, ops.compare(">=", moves, most))):
                w.emit(Break())
            me = self._actor(w)
            total = w.let(self._memory.reader.item(TOTAL, ops.FALSE))
            self._count_branching(w, moves, total)
            w.set(over, self._random_move(w, me, total))
            w.gain(moves, ops.TRUE)
        self._put(w, at.moves, w.settled(moves))
        self._put(w, at.ended, w.settled(over))
        with w.when(over):
            self._keep_result(w)
        self._memory.maker.function(w.function(ROLL, [ended, most], None))

    def _random_move(self, w: Writer, me: Expr, total: Expr) -> Expr:
        high = max(self._deciding.most - 1, 0)
        n = w.var("n", 0, high)
        choices = ops.trusted(total, 1, max(total.high, 1), "nobody is asked without a move")
        w.emit(Draw(n, ops.add(me, ops.TRUE), choices))
        action = w.let(w.call(FIND, [me, w.settled(n)], (0, self._deciding.passing)))
        taken = ops.add(action, ops.const(self._record.actions))
        more = ops.add(self._memory.reader.item(RECORD, taken), ops.TRUE)
        w.put(RECORD, taken, ops.trusted(more, 0, _WORD, "no more than there are moves"))
        return w.call(TAKE, [me, action], _ENDED)

    def _count_branching(self, w: Writer, moves: Expr, total: Expr) -> None:
        at, item = self._record, self._memory.reader.item
        least = item(RECORD, ops.const(at.least))
        first = ops.equal(moves, ops.FALSE)
        smaller = ops.compare("<", total, least)
        with w.when(ops.either(first, smaller)):
            self._put(w, at.least, total)
        with w.when(ops.compare(">", total, item(RECORD, ops.const(at.most)))):
            self._put(w, at.most, total)
        total_low = ops.bit_and(total, ops.const(_LOW_BITS))
        low = w.let(ops.add(item(RECORD, ops.const(at.low)), total_low))
        self._put(w, at.low, ops.trusted(low, 0, self._limit(), "a million moves fit"))
        if total.high > _LOW_BITS:
            high = ops.add(
                item(RECORD, ops.const(at.high)), ops.shift_right(total, ops.const(LOW_WIDTH))
            )
            self._put(w, at.high, ops.trusted(high, 0, self._limit(), "a million moves fit"))

    def _limit(self) -> int:
        return self._memory.reader.arrays[RECORD][1]

    def _put(self, w: Writer, item: int, value: Expr) -> None:
        self._memory.maker.array(RECORD, 1, value.low, value.high)
        w.put(RECORD, ops.const(item), value)

    def _keep_result(self, w: Writer) -> None:
        w.call(OUTCOME, [])
        at, item = self._record, self._memory.reader.item
        for seat in range(self._model.players):
            number = ops.const(seat)
            if has_scores(self._model):
                self._put(w, at.scores + seat, item(SCORES, number))
            self._put(w, at.ranks + seat, item(RANKS, number))
        self._put(w, at.winners, item(WINNERS, ops.FALSE))

    def _play(self) -> None:
        """`play(number, most)`: plays game `number` of the seed from the start, and keeps it."""
        w = Writer(self._memory.maker)
        number, most = Var(0, (1 << 62) - 1, "number"), Var(0, MOST_MOVES, "most")
        w.emit(Begin(number))
        ended = w.call(GO, [ops.const(self._model.start), ops.FALSE], _ENDED)
        w.call(ROLL, [ended, most])
        w.emit(Keep())
        self._memory.maker.function(w.function(PLAY, [number, most], None))
