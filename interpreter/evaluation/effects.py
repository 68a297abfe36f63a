"""What statements do: one small method per statement class, chosen by a table.

An `Effects` serves one run of the machine: it writes its block, appends to its events, draws from
its chance. Sentences run top to bottom and see what the one before left; a `Leave` or `EndGame`
stops the effect at once, which every method tells by returning the control point to go to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base, Openly, Pieces, Players, Term
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.chance import BlockChance, Chance
from gemwright.interpreter.evaluation.carry import Carrier, Goal, runs
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.events import (
    Assigned,
    Eliminated,
    Event,
    Published,
    Shown,
    Value,
)
from gemwright.interpreter.problem import RuntimeProblem

STEP_BUDGET: Final = 100_000
"""Statements and control points that may run between two decisions."""

Trace = Callable[[tuple[int, ...]], None]
"""Called with the marked elements of each statement, line, point and arm that ran."""


class Effects:
    """Runs statements on one block."""

    __slots__ = (
        "_carrier",
        "_evaluator",
        "_layout",
        "_lots",
        "_model",
        "_places",
        "_steps",
        "block",
        "chance",
        "events",
        "trace",
    )

    def __init__(
        self,
        evaluator: Evaluator,
        block: Block,
        chance: Chance | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.block = block
        self.events: list[Event] = []
        layout = evaluator.layout
        own = BlockChance(block, layout.model.chance_offset)
        self.chance: Chance = own if chance is None else chance
        self.trace = trace
        self._layout = layout
        self._model = layout.model
        self._places = evaluator.places
        self._evaluator = evaluator
        self._steps = 0
        self._lots: dict[int, list[tuple[int, int]]] = {}
        self._carrier = Carrier(layout, evaluator.places, block, self.events, self.chance)

    # -- for the machine

    def act(self, action: m.Action, me: int, values: Sequence[Value]) -> int | None:
        """Run the effect of a checked pick: the control point it leaves to, or None."""
        frame = self._layout.frame(me)
        for parameter, value in zip(action.parameters, values, strict=True):
            frame[parameter.slot] = value
        self._lots = {}
        for parameter in action.parameters:
            if type(parameter.domain) is m.LotDomain:
                self._lots[parameter.slot] = self._origins(parameter.domain, frame)
        return self.run(action.do, frame)

    def run(self, body: tuple[m.Statement, ...], frame: Frame) -> int | None:
        """Run statements: the control point that a `Leave` or `EndGame` goes to, or None."""
        for statement in body:
            if self.trace is not None:
                self.trace(statement.elements)
            try:
                self.step()
                target = _STATEMENTS[type(statement)](self, statement, frame)
            except RuntimeProblem as problem:
                problem.span = problem.span or statement.span
                raise
            if target is not None:
                return target
        return None

    def read(self, term: Term, frame: Frame) -> Any:
        """The value of a term; what it reads openly is published."""
        return self._evaluator.value(term, self.block, frame, self._publish)

    def step(self) -> None:
        """Count one statement or control point.

        Raises:
            RuntimeProblem: R005, the budget between two decisions is used up.
        """
        self._steps += 1
        if self._steps > STEP_BUDGET:
            text = f"{STEP_BUDGET} steps without a decision: this does not come to an end"
            raise RuntimeProblem("R005", text)

    def assign(self, variable: int, position: int, value: int) -> None:
        """Give a variable a value that lies in its type, and say so."""
        self.block[self._model.variables[variable].offset + position] = value
        self.events.append(Assigned(variable, position, value))

    def _publish(self, term: Openly, value: Any) -> None:
        plain = int(value) if isinstance(value, bool) else value
        self.events.append(Published("", plain, None, term.type, term.span))

    def _origins(self, domain: m.LotDomain, frame: Frame) -> list[tuple[int, int]]:
        """For each cell of a lot the zone instance that it was picked from, and its face."""
        sources = [self._instance(source, frame) for source in domain.sources]
        return [(sources[cell.source], cell.face) for cell in domain.cells]

    def _instance(self, source: m.Source, frame: Frame) -> int:
        return self._evaluator.instance(source.zone, source.index, self.block, frame, self._publish)

    # -- moving pieces

    def _move_picked(self, move: m.MovePicked, frame: Frame) -> None:
        goal = self._goal(move.to, frame)
        picked = frame[move.slot]
        if move.lot:
            by_source: dict[int, list[tuple[int, int]]] = {}
            for (source, face), count in zip(self._lots[move.slot], picked, strict=True):
                by_source.setdefault(source, []).append((face, count))
            for source, pieces in by_source.items():
                self._carrier.carry(source, pieces, goal)
        else:
            self._carrier.carry(picked[0], [(picked[1], 1)], goal)
        self._carrier.finish(move.shuffled, goal)

    def _move_face(self, move: m.MoveFace, frame: Frame) -> None:
        source, goal = self._instance(move.source, frame), self._goal(move.to, frame)
        count = self._amount(move.count, frame)
        self._carrier.carry(source, [(self.read(move.face, frame), count)], goal)
        self._carrier.finish(move.shuffled, goal)

    def _move_vector(self, move: m.MoveVector, frame: Frame) -> None:
        source, goal = self._instance(move.source, frame), self._goal(move.to, frame)
        counts = self.read(move.vector, frame)
        self._carrier.carry(source, list(zip(move.vector.type.faces, counts, strict=True)), goal)
        self._carrier.finish(move.shuffled, goal)

    def _move_end(self, move: m.MoveEnd, frame: Frame) -> None:
        source, goal = self._instance(move.source, frame), self._goal(move.to, frame)
        count = self._amount(move.count, frame)
        there = self._places.size(source, self.block)
        if move.exact and count > there:
            label = self._layout.instance_label[source]
            raise RuntimeProblem("R002", f"cannot take {count} from `{label}`: {there} there")
        pieces = []
        for _ in range(min(count, there)):
            face = self._places.take_end(source, move.end, self.block)
            self._carrier.put(face, 1, goal)
            pieces.append((face, 1))
        self._carrier.moved(source, pieces, goal, move.end)
        self._carrier.finish(move.shuffled, goal)

    def _move_random(self, move: m.MoveRandom, frame: Frame) -> None:
        source, goal = self._instance(move.source, frame), self._goal(move.to, frame)
        wanted = self._amount(move.count, frame)
        counts = [self._places.count(source, face, self.block) for face in move.faces]
        if wanted > sum(counts):
            label = self._layout.instance_label[source]
            text = f"cannot draw {wanted} from `{label}`: {sum(counts)} there"
            raise RuntimeProblem("R002", text)
        pieces = []
        for _ in range(wanted):
            position = self.chance.piece(source, move.faces, counts)
            counts[position] -= 1
            pieces.append((move.faces[position], 1))
        self._carrier.carry(source, pieces, goal)
        self._carrier.finish(move.shuffled, goal)

    def _move_all(self, move: m.MoveAll, frame: Frame) -> None:
        goal = self._goal(move.to, frame)
        wanted = []
        for face in move.faces:
            frame[move.slot] = face
            if move.filter is None or self.read(move.filter, frame):
                wanted.append(face)
        if move.source is not None:
            sources: Sequence[int] = (self._instance(move.source, frame),)
        else:
            sources = [each for each in range(self._layout.instances) if each != goal.instance]
        for source in sources:
            pieces = [(face, 1) for face in self._places.pieces(source, self.block)]
            pieces = [piece for piece in pieces if piece[0] in wanted]
            if goal.at == "bottom":
                # Each goes beneath the one before: the last first, so that the order is kept.
                pieces.reverse()
            self._carrier.carry(source, pieces, goal)
        self._carrier.finish(move.shuffled, goal)

    def _goal(self, place: m.Place, frame: Frame) -> Goal:
        instance = self._evaluator.instance(
            place.zone, place.index, self.block, frame, self._publish
        )
        if self._layout.instance_zone[instance].order != "stack":
            return Goal(instance, "", 0)
        among = 0 if place.among is None else self.read(place.among, frame)
        if place.at == "random" and among < 1:
            raise RuntimeProblem("R001", f"there is no place among the bottom {among}")
        return Goal(instance, "top" if place.at == "any" else place.at, among)

    def _amount(self, term: Term, frame: Frame) -> int:
        count: int = self.read(term, frame)
        if count < 0:
            raise RuntimeProblem("R001", f"cannot move {count} pieces", term.span)
        return count

    def _shuffle(self, shuffle: m.Shuffle, frame: Frame) -> None:
        self._carrier.shuffle(self._instance(shuffle.zone, frame))

    # -- state

    def _assign(self, assign: m.Assign, frame: Frame) -> None:
        variable = self._model.variables[assign.variable]
        cell = self._evaluator.cell(assign.variable, assign.index, self.block, frame, self._publish)
        value = int(self.read(assign.value, frame))
        if assign.op == "+=":
            value = self.block[cell] + value
        elif assign.op == "-=":
            value = self.block[cell] - value
        self._check_range(variable, value)
        self.assign(assign.variable, cell - variable.offset, value)

    def _assign_random(self, assign: m.AssignRandom, frame: Frame) -> None:
        variable = self._model.variables[assign.variable]
        cell = self._evaluator.cell(assign.variable, assign.index, self.block, frame, self._publish)
        domain = assign.domain
        if type(domain) is Pieces:
            weighted = self._evaluator.weighted(domain, self.block, frame, self._publish)
            elements: Sequence[int] = [face for face, count in weighted for _ in range(count)]
        else:
            elements = self._evaluator.elements(domain, self.block, frame, self._publish)
        if not elements:
            raise RuntimeProblem("R002", f"there is nothing to draw for `{variable.name}`")
        choose = self.chance.player if type(domain) is Players else self.chance.value
        value = choose(elements)
        self._check_range(variable, value)
        self.assign(assign.variable, cell - variable.offset, value)

    def _check_range(self, variable: m.Variable, value: int) -> None:
        base = variable.type.base
        if value == -1 and base is Base.FACE:
            text = f"`{variable.name}` would become the top of an empty stack"
            raise RuntimeProblem("R004", text)
        if base is Base.FACE:
            good = value in variable.type.faces
        elif base is Base.PLAYER:
            good = (-1 if variable.type.optional else 0) <= value < self._model.players
        else:
            good = variable.type.low <= value <= variable.type.high
        if not good:
            text = f"`{variable.name}` would become {value}"
            if base is Base.INT:
                text += f"; it is declared {variable.type.low}..{variable.type.high}"
            raise RuntimeProblem("R001", text)

    def _let(self, let: m.Let, frame: Frame) -> None:
        frame[let.slot] = self.read(let.value, frame)

    def _eliminate(self, eliminate: m.Eliminate, frame: Frame) -> None:
        seat: int = self.read(eliminate.player, frame)
        if not 0 <= seat < self._model.players:
            raise RuntimeProblem("R001", "nobody stands where a player is needed")
        if not self.block[self._model.out_offset + seat]:
            self.block[self._model.out_offset + seat] = 1
            self.events.append(Eliminated(seat))

    # -- flow inside an effect

    def _if_do(self, branch: m.IfDo, frame: Frame) -> int | None:
        holds = self.read(branch.condition, frame)
        return self.run(branch.then if holds else branch.otherwise, frame)

    def _for_each(self, loop: m.ForEach, frame: Frame) -> int | None:
        domain = loop.domain
        if type(domain) is Pieces:
            pairs = self._evaluator.weighted(domain, self.block, frame, self._publish)
        else:
            elements = self._evaluator.elements(domain, self.block, frame, self._publish)
            pairs = [(element, 1) for element in elements]
        for element, count in pairs:
            frame[loop.slot] = element
            if loop.count_slot is not None:
                frame[loop.count_slot] = count
            target = self.run(loop.body, frame)
            if target is not None:
                return target
        return None

    def _leave(self, leave: m.Leave, frame: Frame) -> int:
        return leave.target

    def _end_game(self, end: m.EndGame, frame: Frame) -> int:
        return self._layout.ends[end.reason]

    # -- what becomes known

    def _show(self, show: m.Show, frame: Frame) -> None:
        instance = self._instance(show.zone, frame)
        pieces = [(face, 1) for face in self._places.pieces(instance, self.block)]
        self.events.append(Shown(instance, self._readers(show.to, frame), runs(pieces)))

    def _tell(self, tell: m.Tell, frame: Frame) -> None:
        value = self.read(tell.value, frame)
        plain = int(value) if isinstance(value, bool) else value
        to = self._readers(tell.to, frame)
        span = tell.value.span or tell.span
        self.events.append(Published(tell.text, plain, to, tell.value.type, span))

    def _readers(self, to: Term | None, frame: Frame) -> tuple[int, ...] | None:
        return None if to is None else (self.read(to, frame),)


_STATEMENTS: Final[Mapping[type, Callable[[Effects, Any, Frame], int | None]]] = {
    m.MovePicked: Effects._move_picked,
    m.MoveEnd: Effects._move_end,
    m.MoveFace: Effects._move_face,
    m.MoveVector: Effects._move_vector,
    m.MoveAll: Effects._move_all,
    m.MoveRandom: Effects._move_random,
    m.Shuffle: Effects._shuffle,
    m.Assign: Effects._assign,
    m.AssignRandom: Effects._assign_random,
    m.Let: Effects._let,
    m.IfDo: Effects._if_do,
    m.ForEach: Effects._for_each,
    m.Show: Effects._show,
    m.Tell: Effects._tell,
    m.Eliminate: Effects._eliminate,
    m.Leave: Effects._leave,
    m.EndGame: Effects._end_game,
}
