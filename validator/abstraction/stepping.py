"""One step of play on paths: from a control point to those that can come next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span
from gemwright.validator.abstraction.completion import MOST_CASES, Alternatives, Completion
from gemwright.validator.abstraction.effects import Effects
from gemwright.validator.abstraction.picking import Picking
from gemwright.validator.abstraction.symbols import Path, Some, Value, total
from gemwright.validator.linear.affine import (
    ONE,
    ZERO,
    Constraint,
    at_least,
    at_most,
    equal,
    number,
)
from gemwright.validator.rules.sealing import blinded, changed_by_others

PASS: Final = "pass"
NO_ACTION: Final = -1


@dataclass(slots=True)
class Going:
    """A path that goes on to a control point (`stage` of a simultaneous decision)."""

    path: Path
    target: int
    label: str
    span: Span
    moves: int = 0
    stage: int = 0
    action: int = NO_ACTION
    sufficient: Alternatives = ()


class Steps:
    """Steps of one game at one precision."""

    def __init__(self, effects: Effects, picking: Picking, with_cap: bool) -> None:
        self.effects = effects
        self.picking = picking
        self.terms = effects.terms
        self.game = effects.game
        self.vocabulary = effects.vocabulary
        self.completion = Completion(picking)
        self.with_cap = with_cap

    def step(self, point: m.Point, stage: int, path: Path) -> Iterator[Going]:
        """All ways to go from a control point. The path given must not be used any more."""
        match point:
            case m.Do():
                for way, target in self.effects.run(point.body, path):
                    yield Going(way, point.next if target is None else target, "", point.span)
            case m.Branch():
                yield from self._branch(point, path)
            case m.LoopStart():
                yield from self._loop_start(point, path)
            case m.LoopTest():
                yield from self._loop_test(point, path)
            case m.Count():
                yield from self._count(point, path)
            case m.Decide():
                yield from self._decide(point, stage, path)

    def _branch(self, point: m.Branch, path: Path) -> Iterator[Going]:
        going = [path]
        for arm in point.arms:
            following: list[Path] = []
            for way in going:
                yes, no = ([way], []) if arm.condition is None else self._test(arm.condition, way)
                following.extend(no)
                for each in yes:
                    yield Going(each, arm.target, "", arm.span)
            going = following

    def _test(self, condition: t.Term, path: Path) -> tuple[list[Path], list[Path]]:
        return self.terms.branch(condition, path)

    def _count(self, point: m.Count, path: Path) -> Iterator[Going]:
        if not self.with_cap:
            yield Going(path, point.next, "", point.span)
            return
        cell = self.vocabulary.variable(point.counter, 0)
        assert cell is not None
        entered = path.builder.value(cell)
        full = path.fork()
        full.builder.assume(at_least(entered, number(point.times)))
        path.builder.assume(at_most(entered, number(point.times - 1)))
        path.builder.add(cell, ONE)
        yield Going(path, point.next, "", point.span)
        yield Going(full, point.capped, "the cap", point.span)

    # -- loops

    def _loop_start(self, point: m.LoopStart, path: Path) -> Iterator[Going]:
        starts = [(path, 0)] if point.start is None else self.terms.read(point.start, path)
        for way, seat in starts:
            self._set(point.counter, 0, way)
            if point.origin is not None:
                self.effects.set_member(point.origin, seat, way)
            yield Going(way, point.next, "", point.span)

    def _set(self, variable: int, value: int, path: Path) -> None:
        """A hidden counter gets a known value."""
        cell = self.vocabulary.variable(variable, 0)
        if cell is not None:
            path.builder.assign(cell, number(value))
        else:
            path.explicit[variable] = value
        path.forget(("variable", variable))

    def _loop_test(self, point: m.LoopTest, path: Path) -> Iterator[Going]:
        if point.values is not None:
            yield from self._over_values(point, point.values, path)
        elif point.counter in path.explicit and point.origin in path.explicit:
            yield from self._over_known_seats(point, path)
        else:
            yield from self._over_seats(point, path)

    def _over_values(
        self, point: m.LoopTest, values: tuple[int, ...], path: Path
    ) -> Iterator[Going]:
        cell = self.vocabulary.variable(point.counter, 0)
        assert cell is not None, "the rounds of a loop over values are counted by a cell"
        taken = path.builder.value(cell)
        left = path.fork()
        left.builder.assume(at_least(taken, number(len(values))))
        if left.possible():
            yield Going(left, point.exit, "", point.span)
        path.builder.assume(at_most(taken, number(len(values) - 1)))
        for way in self._role(point, values, path):
            way.builder.add(cell, ONE)
            way.forget(("variable", point.counter))
            if way.possible():
                yield Going(way, point.body, "", point.span)

    def _role(self, point: m.LoopTest, values: tuple[int, ...], path: Path) -> list[Path]:
        """The role becomes the next value."""
        counter = self.vocabulary.variable(point.counter, 0)
        assert counter is not None
        if point.role is None:
            return [path]
        taken, role = path.builder.value(counter), self.vocabulary.variable(point.role, 0)
        path.forget(("variable", point.role))
        if role is not None and values == tuple(range(values[0], values[0] + len(values))):
            path.builder.assign(role, taken + values[0])
            return [path]
        if point.role not in self.vocabulary.explicit:
            self.effects.set_member(point.role, self.effects.places.some(values), path)
            return [path]
        found = []
        for position, value in enumerate(values):
            way = path.fork()
            way.builder.assume(equal(taken, number(position)))
            self.effects.set_member(point.role, value, way)
            found.append(way)
        return found

    def _over_known_seats(self, point: m.LoopTest, path: Path) -> Iterator[Going]:
        """As the engine does: seats in turn, those who are out are skipped."""
        assert point.origin is not None
        taken, origin = path.explicit[point.counter], path.explicit[point.origin]
        for _ in range(point.seats):
            if taken >= point.seats:
                if not point.endless:
                    break
                taken = 0
            seat = (origin + taken) % self.game.players
            taken += 1
            out = self.terms.is_out(seat, path)
            inside = path.fork()
            inside.builder.assume(at_most(out, ZERO))
            if inside.possible():
                inside.explicit[point.counter] = taken
                if point.role is not None:
                    self.effects.set_member(point.role, seat, inside)
                yield Going(inside, point.body, "", point.span)
            path.builder.assume(at_least(out, ONE))
            if not path.possible():
                return
        if not point.endless:
            path.explicit[point.counter] = point.seats
            yield Going(path, point.exit, "", point.span)

    def _over_seats(self, point: m.LoopTest, path: Path) -> Iterator[Going]:
        """Seats in turn, where it is not known whose turn it was."""
        cell = self.vocabulary.variable(point.counter, 0)
        if cell is not None and not point.endless:
            left = path.fork()
            self._all_done(point, left)
            left.builder.assign(cell, number(point.seats))
            if left.possible():
                yield Going(left, point.exit, "", point.span)
            self._next_seat(point, cell, path)
        elif cell is not None:
            path.builder.assign(cell, path.builder.parameter(1, point.seats, "seats"))
        path.forget(("variable", point.counter))
        for seat in self._any_seat():
            way = path.fork()
            way.builder.assume(at_most(self.terms.is_out(seat, way), ZERO))
            if point.role is not None:
                self.effects.set_member(point.role, seat, way)
            if way.possible():
                yield Going(way, point.body, "", point.span)

    def _any_seat(self) -> list[int | Some]:
        """Whoever may be next: one unknown player where players are pooled."""
        seats = range(self.game.players)
        return [self.effects.places.some(seats)] if self.vocabulary.pooled else list(seats)

    def _all_done(self, point: m.LoopTest, path: Path) -> None:
        """Every seat was taken; who was not is out."""
        cell = self.vocabulary.variable(point.counter, 0)
        assert cell is not None
        missing = number(point.seats) - path.builder.value(cell)
        outs = dict.fromkeys(self.vocabulary.outs)
        path.builder.assume(at_least(total(path.builder.value(out) for out in outs), missing))

    def _next_seat(self, point: m.LoopTest, cell: int, path: Path) -> None:
        """The counter grows by 1, and by 1 for everybody who is skipped."""
        taken = path.builder.value(cell)
        step = ONE
        if self.vocabulary.outs:
            step = path.builder.parameter(1, point.seats, "seats")
        path.builder.assume(at_most(taken + step, number(point.seats)))
        path.builder.assign(cell, taken + step)

    # -- decisions

    def _decide(self, point: m.Decide, stage: int, path: Path) -> Iterator[Going]:
        if point.together:
            yield from self._together(point, stage, path)
            return
        assert point.by is not None
        for way, seat in self._actors(point.by, path):
            for going in self._answers(point, seat, way.fork()):
                going.sufficient = self._where(way, going.sufficient)
                yield going

    def _actors(self, by: t.Term, path: Path) -> list[tuple[Path, Value]]:
        """Who may have to choose; a path is not exact where it does not tell that it is he."""
        if self.vocabulary.pooled:
            return self.terms.read(by, path)
        found: list[tuple[Path, Value]] = []
        for way, value in self.terms.read(by, path):
            way.exact = way.exact and isinstance(value, int)
            seats = self.terms.known(by, way)
            found += [(last, seat) for last, seat in seats if 0 <= seat < self.game.players]
        return found

    @staticmethod
    def _where(path: Path, ways: Alternatives) -> Alternatives:
        """What suffices for somebody does so where it is he who chooses."""
        guard = path.builder.guard
        if not path.exact or not _is_over_cells(guard):
            return ()
        return tuple((*guard, *way) for way in ways)

    def _answers(self, point: m.Decide, seat: Value, path: Path) -> Iterator[Going]:
        for action in point.actions:
            enough = self._enough(action, seat, path)
            yield from self._move(point, action, seat, path.fork(), enough=enough)
        for action in point.anytime:
            if action not in point.actions:
                yield from self._move(point, action, seat, path.fork(), counts=False)
        if point.can_pass:
            yield self._leaving(point, path.fork(), PASS, 1)
            return
        # What suffices must do so in every state of the decision, not in those of one path.
        fallback = {action: self._enough(action, seat, path) for action in point.fallback}
        for stuck in self.completion.stuck(point.actions, seat, path.fork()):
            if point.otherwise is not None:
                yield Going(self._depart(point, stuck), point.otherwise, "otherwise", point.span)
                continue
            for action, enough in fallback.items():
                yield from self._move(point, action, seat, stuck.fork(), enough=enough)
            if point.fallback_pass:
                for way in self.completion.stuck(point.fallback, seat, stuck):
                    yield self._leaving(point, way, "otherwise", 0)

    def _leaving(self, point: m.Decide, path: Path, label: str, moves: int) -> Going:
        return Going(self._depart(point, path), point.next, label, point.span, moves)

    def _enough(self, action: int, seat: Value, path: Path) -> Alternatives:
        """What suffices for an action, as far as cells tell."""
        found = self.completion.sufficient(action, seat, path)
        return tuple(rows for rows in found if _is_over_cells(rows))

    def _move(
        self,
        point: m.Decide,
        number_: int,
        seat: Value,
        path: Path,
        *,
        enough: Alternatives = (),
        counts: bool = True,
    ) -> Iterator[Going]:
        """An action: the pick, its conditions, what it does, where it leads."""
        action = self.game.actions[number_]
        for way in self.picking.act(action, seat, path):
            for last, target in self.effects.run(action.do, way):
                if target is not None:
                    going = [(self._depart(point, last), target)]
                elif not counts:
                    going = [(last, point.id)]
                else:
                    going = list(self._after(point, last))
                for end, goal in going:
                    yield Going(end, goal, action.name, action.span, 1, 0, action.id, enough)

    def _after(self, point: m.Decide, path: Path) -> Iterator[tuple[Path, int]]:
        if not point.repeat:
            yield path, point.next
        elif point.counter is None or point.at_most is None:
            yield path, point.id
        else:
            cell = self.vocabulary.variable(point.counter, 0)
            assert cell is not None
            made = path.builder.value(cell) + 1
            last = path.fork()
            last.builder.assume(at_least(made, number(point.at_most)))
            path.builder.assume(at_most(made, number(point.at_most - 1)))
            path.builder.assign(cell, made)
            yield path, point.id
            yield self._depart(point, last), point.next

    def _depart(self, point: m.Decide, path: Path) -> Path:
        if point.counter is not None:
            self._set(point.counter, 0, path)
        return path

    # -- sealed picks

    def _together(self, point: m.Decide, stage: int, path: Path) -> Iterator[Going]:
        """Picks are opened in seat order; each stage is one seat.

        What others have changed meanwhile was not so when a seat picked: it is not asked again.
        """
        seats: list[int] = list(range(self.game.players))
        if stage == 0 and point.otherwise is not None:
            yield Going(path.fork(), point.otherwise, "otherwise", point.span)
        if stage >= len(seats):
            yield from self._all_opened(point, path)
            return
        enough = self._enough_for_all(point, path) if stage == 0 else ()
        skipped = path.fork()
        yield Going(skipped, point.id, "", point.span, 0, stage + 1, sufficient=enough)
        seat: Value = seats[stage]
        if self.vocabulary.pooled:
            seat = self.effects.places.some(seats)
        changed = changed_by_others(self.game, point)
        for number_ in (*point.actions, *point.fallback):
            action = blinded(self.game.actions[number_], changed)
            for way in self.picking.act(action, seat, path.fork(), changed):
                for last, target in self.effects.run(action.do, way):
                    goal, opened = (point.id, stage + 1) if target is None else (target, 0)
                    end = last if target is None else self._depart(point, last)
                    yield Going(end, goal, action.name, action.span, 1, opened, action.id)

    def _enough_for_all(self, point: m.Decide, path: Path) -> Alternatives:
        """What suffices for every seat to have a pick: all choose before anything is opened."""
        seats: list[Value] = list(range(self.game.players))
        if self.vocabulary.pooled:
            seats = [self.effects.places.some(range(self.game.players))]
        found: dict[tuple[Constraint, ...], None] = {(): None}
        for seat in seats:
            actions = (*point.actions, *point.fallback)
            own = [rows for each in actions for rows in self._enough(each, seat, path)]
            joined = [dict.fromkeys((*rows, *more)) for rows in found for more in own]
            found = dict.fromkeys(tuple(rows) for rows in joined[:MOST_CASES])
        return tuple(found)

    def _all_opened(self, point: m.Decide, path: Path) -> Iterator[Going]:
        if not point.repeat:
            yield Going(path, point.next, "", point.span)
            return
        yield Going(path.fork(), point.id, "", point.span)
        yield Going(self._depart(point, path), point.next, "", point.span)


def _is_over_cells(rows: Iterable[Constraint]) -> bool:
    return all(name >= 0 for row in rows for name, _ in row.expression.terms)
