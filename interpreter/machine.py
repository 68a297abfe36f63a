"""Control: walks the control points of a game model from one decision to the next.

The machine of a game model holds no state of a game. It is given a block, changes it in place and
says what happened (`Ran`). A block rests at a `Decide` that somebody must answer, or at an `End`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gemwright.dsl.diagnostics import Diagnostic
from gemwright.dsl.model import game as m
from gemwright.interpreter.block import POINT, Block, Layout
from gemwright.interpreter.chance import Chance
from gemwright.interpreter.decision import Walks
from gemwright.interpreter.evaluation.effects import Effects, Trace
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.events import (
    Chosen,
    Ended,
    Entered,
    Event,
    Passed,
    Value,
)
from gemwright.interpreter.option_space import OptionSpace
from gemwright.interpreter.outcome import Outcome, decide
from gemwright.interpreter.problem import RuntimeProblem

# A sealed cell: 0 = not in, 1 = pass, else the action id + 2.
_SEALED_PASS: Final = 1
_SEALED_ACTION: Final = 2


Passing = Callable[[Block], None]
"""What looks at a block as it passes a control point."""


class Offer(NamedTuple):
    """What one player may choose now: ids of actions that have a complete pick, and pass."""

    player: int
    actions: tuple[int, ...]
    can_pass: bool


class Ran(NamedTuple):
    """What a run did until the next decision, the end, or a problem."""

    events: list[Event]
    offers: tuple[Offer, ...]
    outcome: Outcome | None
    problem: Diagnostic | None


@dataclass(slots=True)
class _Run:
    """One run in progress."""

    effects: Effects
    block: Block
    passing: Passing | None = None
    offers: tuple[Offer, ...] = ()
    outcome: Outcome | None = None


class Machine:
    """Runs one game model."""

    def __init__(self, model: m.Game, make_walker: Callable[[m.Game, Evaluator], Walks]) -> None:
        self.model = model
        self.layout = Layout(model)
        self.evaluator = Evaluator(self.layout)
        self.places = self.evaluator.places
        self.option_space = OptionSpace(model)
        self.walker = make_walker(model, self.evaluator)

    # -- for states

    def start(self, block: Block, chance: Chance | None = None, trace: Trace | None = None) -> Ran:
        """Run a fresh block from the start of the game."""
        effects = Effects(self.evaluator, block, chance, trace)
        return self._go(_Run(effects, block), block[POINT], "")

    def choose(
        self,
        block: Block,
        player: int,
        action: int | None,
        values: Sequence[Value],
        chance: Chance | None = None,
        trace: Trace | None = None,
        passing: Passing | None = None,
    ) -> Ran:
        """Run a checked pick (action None = pass) in a block that rests at a decision.

        `passing` is called with the block at every control point that play comes to.
        """
        point = self.model.points[block[POINT]]
        assert isinstance(point, m.Decide)
        effects = Effects(self.evaluator, block, chance, trace)
        run = _Run(effects, block, passing)
        try:
            if point.together:
                self._seal(block, player, action, values)
                target = self._close(point, run)
            else:
                target = self._settle(point, run, [(player, action, tuple(values))])
        except RuntimeProblem as problem:
            return Ran(effects.events, (), None, problem.diagnostic(point.span))
        if target is None:
            return Ran(effects.events, self.offers(block), None, None)
        return self._go(run, target, point.phase)

    def offers(self, block: Block) -> tuple[Offer, ...]:
        """What the players whose answers are awaited may choose; () at the end of the game."""
        point = self.model.points[block[POINT]]
        if not isinstance(point, m.Decide):
            return ()
        found = [self._offer(point, seat, block) for seat in self._awaited(point, block)]
        return tuple(offer for offer in found if offer is not None)

    def outcome(self, block: Block) -> Outcome | None:
        """The result, if the block rests at an end."""
        point = self.model.points[block[POINT]]
        if not isinstance(point, m.End):
            return None
        return decide(self.model, self.layout, self.evaluator, block, point.reason)

    # -- the loop

    def _go(self, run: _Run, target: int | None, phase: str) -> Ran:
        effects, block, points = run.effects, run.block, self.model.points
        point = points[block[POINT]]
        try:
            while target is not None:
                point = points[target]
                block[POINT] = target
                effects.step()
                if run.passing is not None:
                    run.passing(block)
                if effects.trace is not None:
                    effects.trace(point.elements)
                if point.phase != phase and type(point) in (m.Do, m.Decide):
                    phase = point.phase
                    effects.events.append(Entered(phase))
                target = _POINTS[type(point)](self, point, run)
        except RuntimeProblem as problem:
            return Ran(effects.events, (), None, problem.diagnostic(point.span))
        return Ran(effects.events, run.offers, run.outcome, None)

    def _do(self, point: m.Do, run: _Run) -> int:
        target = run.effects.run(point.body, self.layout.frame())
        return point.next if target is None else target

    def _branch(self, point: m.Branch, run: _Run) -> int:
        frame = self.layout.frame()
        for arm in point.arms:
            if arm.condition is None or run.effects.read(arm.condition, frame):
                if run.effects.trace is not None:
                    run.effects.trace(arm.elements)
                return arm.target
        raise AssertionError("the last arm of a branch has no condition")

    def _end(self, point: m.End, run: _Run) -> None:
        run.outcome = decide(self.model, self.layout, self.evaluator, run.block, point.reason)
        if run.effects.trace is not None:
            run.effects.trace(self.model.result.elements)
            for key in self.model.result.keys:
                run.effects.trace(key.elements)
        run.effects.events.append(Ended(point.reason))

    # -- loops

    def _loop_start(self, point: m.LoopStart, run: _Run) -> int:
        run.block[self._cell(point.counter)] = 0
        if point.origin is not None:
            seat = 0 if point.start is None else run.effects.read(point.start, self.layout.frame())
            run.block[self._cell(point.origin)] = seat
        return point.next

    def _loop_test(self, point: m.LoopTest, run: _Run) -> int:
        """Go to the next element; the counter is how many elements were taken or skipped."""
        block, counter = run.block, self._cell(point.counter)
        if point.values is None and point.origin is None and point.endless:
            return point.body
        length = point.seats if point.values is None else len(point.values)
        taken = block[counter]
        for _ in range(length):
            if taken >= length:
                if not point.endless:
                    break
                taken = 0
            element = self._element(point, taken, block)
            taken += 1
            if element is None:
                continue
            block[counter] = taken
            if point.role is not None:
                run.effects.assign(point.role, 0, element)
            return point.body
        if point.endless:
            raise RuntimeProblem("R006", "this loop goes on, but nobody is in the game any more")
        block[counter] = taken
        return point.exit

    def _element(self, point: m.LoopTest, taken: int, block: Block) -> int | None:
        """The element after `taken` others; None for a player who is out."""
        if point.values is not None:
            return point.values[taken]
        if point.origin is None:
            return taken
        seat = (block[self._cell(point.origin)] + taken) % self.model.players
        return None if block[self.model.out_offset + seat] else seat

    def _count(self, point: m.Count, run: _Run) -> int:
        counter = self._cell(point.counter)
        if run.block[counter] >= point.times:
            return point.capped
        run.block[counter] += 1
        return point.next

    def _cell(self, variable: int) -> int:
        return self.model.variables[variable].offset

    # -- decisions

    def _decide(self, point: m.Decide, run: _Run) -> int | None:
        """Ask, or find that nobody has a pick and take the way that the rules give."""
        actors = self._actors(point, run.block)
        offers = [self._offer(point, seat, run.block) for seat in actors]
        run.offers = tuple(offer for offer in offers if offer is not None)
        if not run.offers and point.otherwise is not None and actors:
            self._depart(point, run.block)
            return point.otherwise
        if point.together:
            for seat, offer in zip(actors, offers, strict=True):
                if offer is None:
                    self._need_way_out(point, seat)
                    self._seal(run.block, seat, None, ())
            return None if run.offers else self._close(point, run)
        if run.offers:
            return None
        self._need_way_out(point, actors[0])
        return self._settle(point, run, [(actors[0], None, ())])

    def _need_way_out(self, point: m.Decide, seat: int) -> None:
        if not point.fallback_pass and point.otherwise is None:
            text = f"player {seat + 1} has nothing to choose in `{point.phase}`"
            raise RuntimeProblem("R006", text)

    def _offer(self, point: m.Decide, me: int, block: Block) -> Offer | None:
        """What a player may choose here; None if the rules must go on without asking him."""
        chosen = self._complete(point.actions, me, block)
        if not chosen and not point.can_pass:
            if point.otherwise is None:
                chosen = self._complete(point.fallback, me, block)
            if not chosen:
                return None
        if point.anytime and not point.together:
            beside = [each for each in point.anytime if each not in chosen]
            chosen = chosen + self._complete(beside, me, block)
        return Offer(me, tuple(chosen), point.can_pass)

    def _complete(self, actions: Sequence[int], me: int, block: Block) -> list[int]:
        known, completable = self.model.actions, self.walker.completable
        return [each for each in actions if completable(block, me, known[each])]

    def _actors(self, point: m.Decide, block: Block) -> list[int]:
        """Who decides, in seat order."""
        frame = self.layout.frame()
        if not point.together or point.others is None:
            assert point.by is not None
            return [self.evaluator.value(point.by, block, frame)]
        seats = set(self.evaluator.elements(point.others, block, frame))
        if point.by is not None:
            seats.add(self.evaluator.value(point.by, block, frame))
        return sorted(seats)

    def _awaited(self, point: m.Decide, block: Block) -> list[int]:
        actors = self._actors(point, block)
        if point.together:
            return [seat for seat in actors if not block[self._sealed(seat)]]
        return actors

    # -- answers

    def _settle(
        self,
        point: m.Decide,
        run: _Run,
        picks: Sequence[tuple[int, int | None, tuple[Value, ...]]],
    ) -> int:
        """Run answers one after another; the control point to go to."""
        moved = beside = False
        for player, action, values in picks:
            if action is None:
                run.effects.events.append(Passed(player, forced=not point.can_pass))
                continue
            target = self._act(run, player, self.model.actions[action], values)
            if target is not None:
                self._depart(point, run.block)
                return target
            if action in point.anytime and action not in (*point.actions, *point.fallback):
                beside = True
            else:
                moved = True
        if beside or (moved and point.repeat and self._again(point, run.block)):
            return point.id
        self._depart(point, run.block)
        return point.next

    def _act(
        self, run: _Run, player: int, action: m.Action, values: tuple[Value, ...]
    ) -> int | None:
        if run.effects.trace is not None:
            run.effects.trace(action.elements)
        secret = tuple(parameter.secret for parameter in action.parameters)
        run.effects.events.append(Chosen(player, action.id, values, secret))
        return run.effects.act(action, player, values)

    def _again(self, point: m.Decide, block: Block) -> bool:
        """Count a move of a repeated decision: may there be one more?"""
        if point.counter is None or point.at_most is None:
            return True
        counter = self._cell(point.counter)
        block[counter] += 1
        return block[counter] < point.at_most

    def _depart(self, point: m.Decide, block: Block) -> None:
        """A repeated decision is left: its counter is 0 whenever it is entered."""
        if point.counter is not None:
            block[self._cell(point.counter)] = 0

    # -- sealed answers

    def _sealed(self, seat: int) -> int:
        return self.model.sealed_offset + seat * self.model.sealed_stride

    def _seal(self, block: Block, seat: int, action: int | None, values: Sequence[Value]) -> None:
        cell = self._sealed(seat)
        if action is None:
            block[cell] = _SEALED_PASS
            return
        block[cell] = action + _SEALED_ACTION
        cells = encode_values(self.model.actions[action], values)
        block[cell + 1 : cell + 1 + len(cells)] = cells

    def _close(self, point: m.Decide, run: _Run) -> int | None:
        """Run the sealed answers in seat order once the last is in; None while some are awaited."""
        if self._awaited(point, run.block):
            return None
        picks: list[tuple[int, int | None, tuple[Value, ...]]] = []
        for seat in self._actors(point, run.block):
            cell = self._sealed(seat)
            cells = run.block[cell : cell + self.model.sealed_stride]
            run.block[cell : cell + len(cells)] = [0] * len(cells)
            if cells[0] == _SEALED_PASS:
                picks.append((seat, None, ()))
            else:
                action = self.model.actions[cells[0] - _SEALED_ACTION]
                picks.append((seat, action.id, decode_values(action, cells[1:])))
        return self._settle(point, run, picks)


def encode_values(action: m.Action, values: Sequence[Value]) -> list[int]:
    """A pick as cells: a scalar, the position of a piece in `options`, the counts of a lot."""
    cells: list[int] = []
    for parameter, value in zip(action.parameters, values, strict=True):
        if isinstance(value, int):
            cells.append(value)
        elif isinstance(parameter.domain, m.PieceDomain):
            cells.append(parameter.domain.options.index((value[0], value[1])))
        else:
            cells.extend(value)
    return cells


def decode_values(action: m.Action, cells: Sequence[int]) -> tuple[Value, ...]:
    """The inverse of `encode_values`; cells beyond the pick are ignored."""
    values: list[Value] = []
    at = 0
    for parameter in action.parameters:
        width = len(parameter.domain.cells) if isinstance(parameter.domain, m.LotDomain) else 1
        if isinstance(parameter.domain, m.LotDomain):
            values.append(tuple(cells[at : at + width]))
        elif isinstance(parameter.domain, m.PieceDomain):
            values.append(parameter.domain.options[cells[at]])
        else:
            values.append(cells[at])
        at += width
    return tuple(values)


_POINTS: Final[Mapping[type, Callable[[Machine, Any, _Run], int | None]]] = {
    m.Do: Machine._do,
    m.Branch: Machine._branch,
    m.LoopStart: Machine._loop_start,
    m.LoopTest: Machine._loop_test,
    m.Count: Machine._count,
    m.Decide: Machine._decide,
    m.End: Machine._end,
}
