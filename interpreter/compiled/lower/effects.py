"""Statements: what sentences do to the state.

A block is written into a function that returns the control point to go to, -1 for none; `leave`
and `end game` return at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Break, Expr
from gemwright.interpreter.compiled.lower import domains, shapes
from gemwright.interpreter.compiled.lower.handling import Handling
from gemwright.interpreter.compiled.lower.memory import CONSERVED
from gemwright.interpreter.compiled.lower.moving import Moving, Spot, draw, leave
from gemwright.interpreter.compiled.lower.scope import Bound, Cells, Scope
from gemwright.interpreter.compiled.lower.terms import OUTSIDE, Terms

_MOVES: Final = (
    m.MovePicked,
    m.MoveEnd,
    m.MoveFace,
    m.MoveVector,
    m.MoveAll,
    m.MoveRandom,
    m.Shuffle,
)


class Effects:
    """Lowers statements into one function.

    Args:
        parameters: those of the action whose effect it is, by slot.
        origins: per slot of a lot the zone instances that it was picked from.
    """

    def __init__(
        self,
        terms: Terms,
        handling: Handling,
        parameters: Mapping[int, m.Parameter],
        origins: Mapping[int, Sequence[Spot]],
    ) -> None:
        self._terms = terms
        self._w = terms.w
        self._model = terms.memory.model
        self._memory = terms.memory
        self._moving = Moving(terms, handling)
        self._parameters = parameters
        self._origins = origins

    def run(self, body: Sequence[m.Statement], scope: Scope) -> None:
        """Write statements; a `let` is known to those after it."""
        for statement in body:
            if isinstance(statement, m.Let):
                scope = scope.bind(statement.slot, self._let(statement, scope))
            else:
                _STATEMENTS[type(statement)](self, statement, scope)

    # -- moving pieces

    def _move_picked(self, move: m.MovePicked, scope: Scope) -> None:
        domain = self._parameters[move.slot].domain
        if isinstance(domain, m.LotDomain):
            spots = self._origins[move.slot]
            self._moving.picked(move, spots, scope.cells(move.slot), domain, scope)
            return
        assert isinstance(domain, m.PieceDomain)
        picked = scope.piece(move.slot)
        families: dict[int, m.Zone] = {}
        for instance, _ in domain.options:
            zone = self._memory.layout.instance_zone[instance]
            families.setdefault(zone.id, zone)
        self._moving.piece(move, list(families.values()), picked.instance, picked.face, scope)

    def _shuffle(self, shuffle: m.Shuffle, scope: Scope) -> None:
        zone = shuffle.zone
        self._moving.shuffle(self._moving.spot(zone.zone, zone.index, scope))

    # -- state

    def _assign(self, assign: m.Assign, scope: Scope) -> None:
        variable = self._model.variables[assign.variable]
        position = self._w.let(self._terms.position(assign.index, variable.size, scope))
        value = self._terms.kept(assign.value, scope)
        if assign.op != ":=":
            old = self._memory.variable(variable, position)
            value = ops.add(old, value) if assign.op == "+=" else ops.sub(old, value)
        self.assign(variable, position, self._w.let(value))

    def assign(self, variable: m.Variable, position: Expr, value: Expr) -> None:
        """Give a variable a value that lies in its type."""
        base = variable.type.base
        if base is t.Base.FACE:
            faces = variable.type.faces
            at = self._w.let(self._memory.place_in(faces, value))
            self._w.need(ops.compare(">=", at, ops.FALSE), OUTSIDE)
            low, high = min(faces), max(faces)
        else:
            low, high = variable.type.low, variable.type.high
            if base is t.Base.PLAYER:
                low, high = (-1 if variable.type.optional else 0), self._model.players - 1
            self._w.need(ops.inside(value, low, high), OUTSIDE)
        value = ops.trusted(value, low, high, "checked before")
        index = self._memory.variable_index(variable, position)
        self._w.store(variable.offset, variable.offset + variable.size - 1, index, value)

    def _assign_random(self, assign: m.AssignRandom, scope: Scope) -> None:
        variable = self._model.variables[assign.variable]
        position = self._w.let(self._terms.position(assign.index, variable.size, scope))
        self.assign(variable, position, self._drawn(assign.domain, scope))

    def _drawn(self, domain: t.Domain, scope: Scope) -> Expr:
        """A random element; one draw below their number, or below the sum of their weights."""
        if isinstance(domain, t.Faces):
            number = draw(self._terms, ops.const(len(domain.faces)))
            return self._w.let(shapes.face_at(self._terms, domain.faces, number))
        if isinstance(domain, t.Numbers):
            low, high = self._terms.kept(domain.low, scope), self._terms.kept(domain.high, scope)
            many = self._w.let(ops.add(ops.sub(high, low), ops.TRUE))
            self._w.need(ops.compare(">=", many, ops.TRUE), "there is nothing to draw")
            many = ops.trusted(many, 1, max(many.high, 1), "checked before")
            return self._w.let(ops.add(low, draw(self._terms, many)))
        return self._drawn_element(domain, scope)

    def _drawn_element(self, domain: t.Domain, scope: Scope) -> Expr:
        """Of players or pieces: count, draw, and go through them again."""
        most = self._model.players
        if isinstance(domain, t.Pieces):
            most = max(1, len(domain.faces) * max(1, domain.vector.type.high))
        many = self._w.changing("many", ops.FALSE, 0, most)
        with domains.each(self._terms, domain, scope) as (element, weight):
            self._w.gain(many, ops.trusted(weight, 0, max(weight.high, 0), "counts"), CONSERVED)
        self._w.need(ops.compare(">=", many, ops.TRUE), "there is nothing to draw")
        number = draw(self._terms, ops.trusted(many, 1, most, "checked before"))
        left = self._w.changing("left", number, 0, most)
        with self._w.apart(), domains.each(self._terms, domain, scope) as (element, _):
            low, high = element.low, element.high
        found = self._w.changing("found", ops.const(low), low, high)
        with domains.each(self._terms, domain, scope) as (element, weight):
            with self._w.when(ops.compare("<", left, weight)):
                self._w.set(found, element)
                self._w.emit(Break())
            self._w.set(left, ops.trusted(ops.sub(left, weight), 0, most, "not below the weight"))
        return self._w.settled(found)

    def _let(self, let: m.Let, scope: Scope) -> Bound:
        value = let.value
        if value.type.base is t.Base.VECTOR:
            found = shapes.vector(self._terms, value, scope)
            size = len(value.type.faces)
            return Cells(tuple(self._w.let(found.at(ops.const(at))) for at in range(size)))
        if value.type.base is t.Base.PIECE and isinstance(value, t.Local):
            return scope.piece(value.slot)
        return self._terms.kept(value, scope)

    def _eliminate(self, eliminate: m.Eliminate, scope: Scope) -> None:
        seat = self._terms.below(self._terms.value(eliminate.player, scope), self._model.players)
        first = self._model.out_offset
        index = ops.add(seat, ops.const(first))
        self._w.store(first, first + self._model.players - 1, index, ops.TRUE)

    # -- flow

    def _if_do(self, branch: m.IfDo, scope: Scope) -> None:
        holds = self._terms.kept(branch.condition, scope)
        both = self._w.branch(holds)
        with both.then():
            if holds != ops.FALSE:
                self.run(branch.then, scope)
        with both.otherwise():
            if holds != ops.TRUE:
                self.run(branch.otherwise, scope)

    def _for_each(self, loop: m.ForEach, scope: Scope) -> None:
        with self._elements(loop, scope) as (element, weight):
            inner = scope.bind(loop.slot, element)
            if loop.count_slot is not None:
                inner = inner.bind(loop.count_slot, weight)
            self.run(loop.body, inner)

    @contextmanager
    def _elements(self, loop: m.ForEach, scope: Scope) -> Iterator[tuple[Expr, Expr]]:
        """The domain as it was before the first round."""
        if not _may_change(loop):
            with domains.each(self._terms, loop.domain, scope) as pair:
                yield pair
            return
        most = self._model.players
        if isinstance(loop.domain, t.Pieces):
            most = len(loop.domain.faces)
        many = self._w.changing("many", ops.FALSE, 0, most)
        with self._w.apart(), domains.each(self._terms, loop.domain, scope) as (one, weight):
            elements = self._memory.scratch("elements", most, one.low, one.high)
            weights = self._memory.scratch("weights", most, weight.low, weight.high)
        with domains.each(self._terms, loop.domain, scope) as (one, weight):
            at = ops.trusted(many, 0, most - 1, "no more than there can be")
            self._w.put(elements, at, one)
            self._w.put(weights, at, weight)
            self._w.gain(many, ops.TRUE, CONSERVED)
        last = ops.add(self._w.settled(many), ops.const(-1))
        with self._w.each("at", ops.FALSE, last) as number:
            item = self._memory.reader.item
            yield self._w.let(item(elements, number)), self._w.let(item(weights, number))

    def _leave(self, left: m.Leave, scope: Scope) -> None:
        leave(self._terms, left.target)

    def _end_game(self, end: m.EndGame, scope: Scope) -> None:
        leave(self._terms, self._memory.layout.ends[end.reason])

    # -- what becomes known: no state, but what is named must be there

    def _show(self, show: m.Show, scope: Scope) -> None:
        self._terms.zone(show.zone.zone, show.zone.index, scope)
        if show.to is not None:
            self._terms.value(show.to, scope)

    def _tell(self, tell: m.Tell, scope: Scope) -> None:
        if tell.value.type.base is t.Base.VECTOR:
            shapes.vector(self._terms, tell.value, scope)
        else:
            self._terms.value(tell.value, scope)
        if tell.to is not None:
            self._terms.value(tell.to, scope)


def _may_change(loop: m.ForEach) -> bool:
    """Whether the body may change what the domain is made of."""
    if isinstance(loop.domain, t.Players):
        return _contains(loop.body, (m.Eliminate,))
    if isinstance(loop.domain, t.Pieces):
        return _contains(loop.body, (*_MOVES, m.Assign, m.AssignRandom, m.Eliminate))
    return False


def _contains(body: Sequence[m.Statement], kinds: tuple[type, ...]) -> bool:
    for each in body:
        inner: tuple[m.Statement, ...] = ()
        if isinstance(each, m.IfDo):
            inner = (*each.then, *each.otherwise)
        elif isinstance(each, m.ForEach):
            inner = each.body
        if isinstance(each, kinds) or _contains(inner, kinds):
            return True
    return False


def leaves_early(body: Sequence[m.Statement]) -> bool:
    """Whether a block may end before its end."""
    return _contains(body, (m.Leave, m.EndGame))


_STATEMENTS: Final[Mapping[type, Callable[[Effects, Any, Scope], None]]] = {
    m.MovePicked: Effects._move_picked,
    m.MoveEnd: lambda effects, move, scope: effects._moving.end(move, scope),
    m.MoveFace: lambda effects, move, scope: effects._moving.face(move, scope),
    m.MoveVector: lambda effects, move, scope: effects._moving.vector(move, scope),
    m.MoveAll: lambda effects, move, scope: effects._moving.all(move, scope),
    m.MoveRandom: lambda effects, move, scope: effects._moving.random(move, scope),
    m.Shuffle: Effects._shuffle,
    m.Assign: Effects._assign,
    m.AssignRandom: Effects._assign_random,
    m.IfDo: Effects._if_do,
    m.ForEach: Effects._for_each,
    m.Show: Effects._show,
    m.Tell: Effects._tell,
    m.Eliminate: Effects._eliminate,
    m.Leave: Effects._leave,
    m.EndGame: Effects._end_game,
}
