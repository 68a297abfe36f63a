"""Game models built by hand, so that the engine is tested without any rules text.

`Builder` lays out a block in the order that the model documents and keeps numbers consistent; the
functions below it make terms and statements with one span for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span
from gemwright.interpreter.block import Block, initial_block
from gemwright.interpreter.chance import Chance, Stream, key
from gemwright.interpreter.decision import Refusal
from gemwright.interpreter.evaluation.effects import Trace
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.machine import Machine
from gemwright.interpreter.moves import WalkValue
from gemwright.interpreter.state import State

SPAN = Span("hand.gem.yaml", 1, 1, 1, 2)
INT = t.Type(t.Base.INT, -1000, 1000)

# -- terms


def num(value: int) -> t.Const:
    return t.Const(INT, SPAN, value)


def flag(value: bool) -> t.Const:
    return t.Const(t.FLAG, SPAN, int(value))


def face(value: int) -> t.Const:
    return t.Const(t.Type(t.Base.FACE, faces=(value,)), SPAN, value)


def seat(value: int) -> t.Const:
    return t.Const(t.PLAYER, SPAN, value)


def vector(faces: tuple[int, ...], *counts: int) -> t.Const:
    return t.Const(t.Type(t.Base.VECTOR, faces=faces), SPAN, counts)


def local(slot: int, type: t.Type = INT) -> t.Local:
    return t.Local(type, SPAN, slot, f"slot{slot}")


ME = t.Local(t.PLAYER, SPAN, 0, "me")


def compare(left: t.Term, op: str, right: t.Term) -> t.Compare:
    return t.Compare(t.FLAG, SPAN, op, left, right)


def arithmetic(left: t.Term, op: str, right: t.Term) -> t.Arithmetic:
    return t.Arithmetic(INT, SPAN, op, left, right)


def openly(term: t.Term) -> t.Openly:
    return t.Openly(term.type, SPAN, term)


def read(variable: m.Variable, index: t.Term | None = None) -> t.ReadVariable:
    return t.ReadVariable(variable.type, SPAN, variable.id, index)


def size_of(zone: m.Zone, index: t.Term | None = None) -> t.ZoneSize:
    return t.ZoneSize(INT, SPAN, zone.id, index)


def top_of(zone: m.Zone, index: t.Term | None = None) -> t.ZoneTop:
    return t.ZoneTop(t.Type(t.Base.FACE, faces=zone.faces), SPAN, zone.id, index)


def count_in(zone: m.Zone, which: t.Term, index: t.Term | None = None) -> t.ZoneCount:
    return t.ZoneCount(INT, SPAN, zone.id, index, which)


def all_in(zone: m.Zone, index: t.Term | None = None) -> t.ZoneVector:
    return t.ZoneVector(t.Type(t.Base.VECTOR, faces=zone.faces), SPAN, zone.id, index)


def numbers(low: int, high: int) -> t.Numbers:
    return t.Numbers(num(low), num(high))


# -- statements


def source(zone: m.Zone, index: t.Term | None = None) -> m.Source:
    return m.Source(zone.id, index)


def place(
    zone: m.Zone, index: t.Term | None = None, at: str = "any", among: int | None = None
) -> m.Place:
    return m.Place(zone.id, index, at, None if among is None else num(among))


def move_face(
    count: int, which: int, origin: m.Source, to: m.Place, shuffled: bool = False
) -> m.MoveFace:
    return m.MoveFace(SPAN, (), num(count), face(which), origin, to, shuffled)


def move_top(
    count: int, origin: m.Source, to: m.Place, exact: bool = False, end: str = "top"
) -> m.MoveEnd:
    return m.MoveEnd(SPAN, (), end, num(count), origin, to, False, exact)


def move_all(
    faces: tuple[int, ...], origin: m.Source | None, to: m.Place, shuffled: bool = False
) -> m.MoveAll:
    return m.MoveAll(SPAN, (), faces, origin, 9, None, to, shuffled)


def move_picked(slot: int, to: m.Place, lot: bool = False) -> m.MovePicked:
    return m.MovePicked(SPAN, (), slot, lot, to, False)


def assign(variable: m.Variable, op: str, value: t.Term, index: t.Term | None = None) -> m.Assign:
    return m.Assign(SPAN, (), variable.id, index, op, value)


# -- models


class Builder:
    """Collects the parts of a model. Zones come before variables; `game` closes it."""

    def __init__(self, players: int = 2, **counts: int) -> None:
        self.players = players
        self.faces = tuple(
            m.Face(number, name, "stone", count)
            for number, (name, count) in enumerate(counts.items())
        )
        self.all = tuple(each.id for each in self.faces)
        self.zones: list[m.Zone] = []
        self.variables: list[m.Variable] = []
        self.actions: list[m.Action] = []
        self.points: list[m.Point] = []
        self.result = m.Result(None, (), None, ())
        self.elements = 0
        self._low = [0] * (1 + players + 2)
        self._high = [99] + [1] * players + [2**64 - 1, 2**32 - 1]
        self.box = self.zone("box")

    def zone(
        self,
        name: str,
        per: bool = False,
        order: str = "counts",
        slots: int = 0,
        limit: int | None = None,
        refill: m.Zone | None = None,
    ) -> m.Zone:
        labels = tuple(f"P{each + 1}" for each in range(self.players)) if per else ("",)
        total = sum(each.count for each in self.faces)
        slots = slots or total
        stride = {"counts": len(self.faces), "stack": slots + 1, "row": slots}[order]
        first = self.zones[-1].first + self.zones[-1].size if self.zones else 0
        sight = tuple(tuple(self.all for _ in range(self.players)) for _ in labels)
        zone = m.Zone(
            len(self.zones), name, self.all, "player" if per else "", labels, order, slots, limit,
            None if refill is None else refill.id, sight, "all", first, len(self._low), stride,
            SPAN, None,
        )  # fmt: skip
        self.zones.append(zone)
        self._cells(stride * len(labels), 0, max(total, len(self.faces)))
        return zone

    def variable(
        self, name: str, type: t.Type, start: int = 0, per: bool = False, role: bool = False
    ) -> m.Variable:
        labels = tuple(f"P{each + 1}" for each in range(self.players)) if per else ("",)
        offset = len(self._low)
        variable = m.Variable(
            len(self.variables), name, type, "player" if per else "", labels,
            (start,) * len(labels), "all", offset, role, SPAN, None,
        )  # fmt: skip
        self.variables.append(variable)
        if type.base is t.Base.PLAYER:
            bounds = (-1 if type.optional else 0, self.players - 1)
        elif type.base is t.Base.FACE:
            bounds = (min(type.faces), max(type.faces))
        else:
            bounds = (type.low, type.high)
        self._cells(len(labels), *bounds)
        return variable

    def number(self, name: str, low: int = 0, high: int = 99, start: int = 0) -> m.Variable:
        return self.variable(name, t.Type(t.Base.INT, low, high), start)

    def role(self, name: str) -> m.Variable:
        return self.variable(name, t.PLAYER, role=True)

    def element(self) -> int:
        self.elements += 1
        return self.elements - 1

    def action(
        self,
        name: str,
        *do: m.Statement,
        choose: tuple[m.Parameter, ...] = (),
        where: tuple[t.Term, ...] = (),
    ) -> int:
        lines = tuple(
            m.Line(each, f"line {number}", (f"C-{number}",), SPAN, (self.element(),))
            for number, each in enumerate(where)
        )
        number = len(self.actions)
        slots = 10
        self.actions.append(m.Action(number, name, choose, lines, do, slots, "list", (), SPAN))
        return number

    def add(self, point: m.Point) -> int:
        """Add a control point under the next number, which it gets."""
        number = len(self.points)
        self.points.append(replace(point, id=number))
        return number

    def do(self, *body: m.Statement, next: int, phase: str = "setup") -> int:
        return self.add(m.Do(0, phase, SPAN, (), body, 10, next))

    def decide(
        self,
        by: t.Term | None,
        *actions: int,
        next: int,
        phase: str = "turn",
        others: t.Domain | None = None,
        can_pass: bool = False,
        anytime: tuple[int, ...] = (),
        otherwise: int | None = None,
        fallback: tuple[int, ...] = (),
        fallback_pass: bool = False,
        together: bool = False,
        repeat: bool = False,
        counter: int | None = None,
        at_most: int | None = None,
    ) -> int:
        return self.add(
            m.Decide(
                0,
                phase,
                SPAN,
                (),
                by,
                others,
                actions,
                can_pass,
                anytime,
                otherwise,
                fallback,
                fallback_pass,
                together,
                0,
                repeat,
                counter,
                at_most,
                next,
            )
        )

    def branch(self, *arms: tuple[t.Term | None, int]) -> int:
        made = tuple(m.Arm(term, target, (self.element(),), SPAN) for term, target in arms)
        return self.add(m.Branch(0, "turn", SPAN, (), made))

    def end(self, reason: str = "finished") -> int:
        return self.add(m.End(0, "", SPAN, (), reason))

    def game(self, start: int = 0) -> m.Game:
        width = 1 + max((sum(map(_width, action.parameters)) for action in self.actions), default=0)
        sealed = len(self._low)
        low, high = list(self._low), list(self._high)
        low += [0] * (width * self.players)
        high += [99] * (width * self.players)
        elements = tuple(m.Element(each, f"e{each}", (), SPAN) for each in range(self.elements))
        return m.Game(
            name="hand", title="Hand", language=1, players=self.players, options=(), digest="",
            kinds=(m.Kind("stone", "stones", self.all),), faces=self.faces,
            zones=tuple(self.zones), variables=tuple(self.variables),
            actions=tuple(self.actions), points=tuple(self.points), start=start,
            result=self.result, match=None, elements=elements, expectations=(),
            low=tuple(low), high=tuple(high),
            cell_names=tuple(f"cell {each}" for each in range(len(low))),
            out_offset=1, chance_offset=1 + self.players, sealed_offset=sealed,
            sealed_stride=width, capped=False, decreases=(),
        )  # fmt: skip

    def _cells(self, count: int, low: int, high: int) -> None:
        self._low += [low] * count
        self._high += [high] * count


def _width(parameter: m.Parameter) -> int:
    return len(parameter.domain.cells) if isinstance(parameter.domain, m.LotDomain) else 1


def scalar(
    name: str, slot: int, domain: t.Domain, low: int = 0, high: int = 0, type: t.Type = INT
) -> m.Parameter:
    return m.Parameter(name, slot, type, m.ValueDomain(domain, low, high), False, SPAN)


def piece(name: str, slot: int, zone: m.Zone, index: t.Term | None = None) -> m.Parameter:
    options = tuple(
        (instance, each)
        for instance in range(zone.first, zone.first + zone.size)
        for each in zone.faces
    )
    domain = m.PieceDomain((source(zone, index),), zone.faces, options)
    kind = t.Type(t.Base.PIECE, faces=zone.faces)
    return m.Parameter(name, slot, kind, domain, False, SPAN)


def lot(name: str, slot: int, *zones: tuple[m.Zone, t.Term | None], high: int = 3) -> m.Parameter:
    faces = zones[0][0].faces
    cells = tuple(m.LotCell(number, each, high) for number in range(len(zones)) for each in faces)
    domain = m.LotDomain(tuple(source(*each) for each in zones), faces, cells)
    return m.Parameter(name, slot, t.Type(t.Base.VECTOR, faces=faces), domain, False, SPAN)


def lot_vector(parameter: m.Parameter) -> t.LotVector:
    assert isinstance(parameter.domain, m.LotDomain)
    faces = parameter.domain.faces
    cells = tuple(faces.index(cell.face) for cell in parameter.domain.cells)
    return t.LotVector(parameter.type, SPAN, local(parameter.slot, parameter.type), cells)


# -- a walker by brute force


class BruteWalker:
    """Walks by listing every pick and testing it: the meaning of a walk, for tiny domains."""

    def __init__(self, model: m.Game, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._size = 64

    def moves(self, block: Block, me: int, action: m.Action) -> Iterator[tuple[WalkValue, ...]]:
        for values in self._picks(block, me, action, (), 0):
            if self.check(block, me, action, values) is None:
                yield values

    def completable(self, block: Block, me: int, action: m.Action) -> bool:
        return next(self.moves(block, me, action), None) is not None

    def count(self, block: Block, me: int, action: m.Action) -> int:
        return sum(1 for _ in self.moves(block, me, action))

    def nth(self, block: Block, me: int, action: m.Action, i: int) -> tuple[WalkValue, ...]:
        return next(islice(self.moves(block, me, action), i, None))

    def options(
        self, block: Block, me: int, action: m.Action, prefix: tuple[WalkValue, ...]
    ) -> tuple[WalkValue, ...]:
        at = len(prefix)
        found = [values[at] for values in self.moves(block, me, action) if values[:at] == prefix]
        return tuple(dict.fromkeys(found))

    def sample(
        self, block: Block, me: int, action: m.Action, stream: Stream, how: str
    ) -> tuple[WalkValue, ...]:
        return self.nth(block, me, action, stream.below(self.count(block, me, action)))

    def check(
        self, block: Block, me: int, action: m.Action, values: tuple[WalkValue, ...]
    ) -> Refusal | None:
        if values not in list(self._picks(block, me, action, (), 0)):
            return Refusal("not in the domain")
        frame = self._frame(me, action, values)
        for number, line in enumerate(action.where):
            if not self._evaluator.value(line.condition, block, frame):
                return Refusal("a line", number, line.text, line.clauses, line.span)
        return None

    def _frame(self, me: int, action: m.Action, values: tuple[WalkValue, ...]) -> list[object]:
        frame: list[object] = [0] * self._size
        frame[0] = me
        at = 0
        for parameter in action.parameters:
            width = _width(parameter)
            picked = values[at : at + width]
            if len(picked) == width:
                is_lot = isinstance(parameter.domain, m.LotDomain)
                frame[parameter.slot] = picked if is_lot else picked[0]
            at += width
        return frame

    def _picks(
        self,
        block: Block,
        me: int,
        action: m.Action,
        earlier: tuple[WalkValue, ...],
        number: int,
    ) -> Iterator[tuple[WalkValue, ...]]:
        if number == len(action.parameters):
            yield earlier
            return
        frame = self._frame(me, action, earlier)
        for values in self._values(block, frame, action.parameters[number].domain):
            yield from self._picks(block, me, action, earlier + values, number + 1)

    def _values(
        self, block: Block, frame: list[object], domain: object
    ) -> Iterator[tuple[WalkValue, ...]]:
        evaluator = self._evaluator
        if isinstance(domain, m.ValueDomain):
            for value in evaluator.elements(domain.domain, block, frame):
                yield (value,)
        elif isinstance(domain, m.PieceDomain):
            named = {
                evaluator.instance(each.zone, each.index, block, frame) for each in domain.sources
            }
            for instance, which in domain.options:
                if instance in named and evaluator.places.count(instance, which, block):
                    yield ((instance, which),)
        elif isinstance(domain, m.LotDomain):
            instances = [
                evaluator.instance(each.zone, each.index, block, frame) for each in domain.sources
            ]
            ranges = [
                range(1 + evaluator.places.count(instances[cell.source], cell.face, block))
                for cell in domain.cells
            ]
            yield from product(*ranges)


def start(
    game: m.Game, seed: int = 1, chance: Chance | None = None, trace: Trace | None = None
) -> State:
    """A state of a hand-built model at its first decision."""
    machine = Machine(game, BruteWalker)
    return State.started(machine, initial_block(game, key(seed)), chance, trace)
