"""Terms as expressions: numbers, conditions and reads. Folds are in `folds`, vectors in `shapes`.

Lowering a term may write statements before the expression that it gives: a loop, or a check that
gives the game up. An expression is good until the state changes; whoever changes the state keeps
values with `Writer.let` first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower import folds, shapes
from gemwright.interpreter.compiled.lower.columns import Columns
from gemwright.interpreter.compiled.lower.memory import Memory
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.somelot import SomeLots
from gemwright.interpreter.compiled.lower.zones import Zones

OUTSIDE: Final = "a value is outside what is declared"


class Terms:
    """Lowers the terms of one function."""

    def __init__(self, memory: Memory, columns: Columns, lots: SomeLots, writer: Writer) -> None:
        self.memory = memory
        self.columns = columns
        self.lots = lots
        self.w = writer
        self.zones = Zones(memory, writer)

    def value(self, term: t.Term, scope: Scope) -> Expr:
        """A number, flag, face or seat."""
        return _TERMS[type(term)](self, term, scope)

    def kept(self, term: t.Term, scope: Scope) -> Expr:
        """The value as it is now."""
        return self.w.let(self.value(term, scope))

    def position(self, index: t.Term | None, size: int, scope: Scope) -> Expr:
        """A position below `size`; anything else gives the game up."""
        if index is None:
            return ops.FALSE
        return self.below(self.value(index, scope), size)

    def below(self, value: Expr, size: int) -> Expr:
        """A value that lies in 0 .. size - 1; anything else gives the game up."""
        value = self.w.let(value)
        self.w.need(ops.inside(value, 0, size - 1), OUTSIDE)
        return ops.trusted(value, 0, max(size - 1, 0), "checked before")

    def zone(self, zone: int, index: t.Term | None, scope: Scope) -> tuple[m.Zone, Expr]:
        """A zone family and the place of an instance in it."""
        family = self.memory.model.zones[zone]
        return family, self.position(index, family.size, scope)

    # -- constants and reads

    def _const(self, term: t.Const, scope: Scope) -> Expr:
        assert isinstance(term.value, int)
        return ops.const(int(term.value))

    def _local(self, term: t.Local, scope: Scope) -> Expr:
        return scope.scalar(term.slot)

    def _piece_face(self, term: t.PieceFace, scope: Scope) -> Expr:
        return scope.piece(term.piece.slot).face

    def _piece_from(self, term: t.PieceFrom, scope: Scope) -> Expr:
        zone = self.memory.model.zones[term.zone]
        source = scope.piece(term.piece.slot).instance
        if term.index is None:
            return ops.inside(source, zone.first, zone.first + zone.size - 1)
        place = self.position(term.index, zone.size, scope)
        return ops.equal(source, ops.add(place, ops.const(zone.first)))

    def _read_variable(self, term: t.ReadVariable, scope: Scope) -> Expr:
        variable = self.memory.model.variables[term.variable]
        return self.memory.variable(variable, self.position(term.index, variable.size, scope))

    def _zone_count(self, term: t.ZoneCount, scope: Scope) -> Expr:
        face = self.value(term.face, scope)
        zone, place = self.zone(term.zone, term.index, scope)
        return self.zones.count(zone, place, face)

    def _zone_size(self, term: t.ZoneSize, scope: Scope) -> Expr:
        return self.zones.size(*self.zone(term.zone, term.index, scope))

    def _zone_top(self, term: t.ZoneTop, scope: Scope) -> Expr:
        return self.zones.top(*self.zone(term.zone, term.index, scope))

    def _lookup(self, term: t.Lookup, scope: Scope) -> Expr:
        values = [value for value in term.values if isinstance(value, int)]
        assert len(values) == len(term.values), "a table of numbers"
        return self.memory.entry("table", values, self.row(term, scope))

    def row(self, term: t.Lookup, scope: Scope) -> Expr:
        """The position of a table that a lookup reads."""
        argument = self.value(term.argument, scope)
        return self.below(ops.add(argument, ops.const(-term.base)), len(term.values))

    def _table(self, term: t.Table, scope: Scope) -> Expr:
        at: Expr = ops.FALSE
        good: Expr = ops.TRUE
        for argument, base, size in zip(term.arguments, term.bases, term.sizes, strict=True):
            # The reference reads no argument behind one that lies outside; only failing would tell.
            position = ops.add(self.kept(argument, scope), ops.const(-base))
            good = ops.both(good, ops.inside(position, 0, size - 1))
            inside = ops.smaller(ops.larger(position, ops.FALSE), ops.const(size - 1))
            at = ops.add(ops.mul(at, ops.const(size)), inside)
        return ops.select(
            good, self.memory.entry("table", term.values, at), ops.const(term.default)
        )

    def _is_out(self, term: t.IsOut, scope: Scope) -> Expr:
        seat = self.below(self.value(term.player, scope), self.memory.model.players)
        return self.out(seat)

    def out(self, seat: Expr) -> Expr:
        """Whether a player has been eliminated."""
        first = self.memory.model.out_offset
        index = ops.add(seat, ops.const(first))
        return self.memory.reader.cell(first, first + self.memory.model.players - 1, index)

    def _openly(self, term: t.Openly, scope: Scope) -> Expr:
        return self.value(term.term, scope)

    # -- numbers

    def _arithmetic(self, term: t.Arithmetic, scope: Scope) -> Expr:
        left, right = self.value(term.left, scope), self.value(term.right, scope)
        make = {"+": ops.add, "-": ops.sub, "*": ops.mul}[term.op]
        return make(left, right)

    def _extreme(self, term: t.Extreme, scope: Scope) -> Expr:
        make = ops.smaller if term.op == "min" else ops.larger
        found = self.value(term.arguments[0], scope)
        for each in term.arguments[1:]:
            found = make(found, self.value(each, scope))
        return found

    def _if(self, term: t.If, scope: Scope) -> Expr:
        condition = self.value(term.condition, scope)
        known = ops.known(condition)
        if known is not None:
            return self.value(term.then if known else term.otherwise, scope)
        return self.either(
            condition,
            lambda: self.value(term.then, scope),
            lambda: self.value(term.otherwise, scope),
        )

    def either(
        self, condition: Expr, then: Callable[[], Expr], otherwise: Callable[[], Expr]
    ) -> Expr:
        """One of two values; a select where both are mere expressions, else a branch."""
        with self.w.block() as first:
            one = then()
        with self.w.block() as second:
            other = otherwise()
        if not first and not second:
            return ops.select(condition, one, other)
        found = self.w.var("one", min(one.low, other.low), max(one.high, other.high))
        branch = self.w.branch(self.w.let(condition))
        with branch.then():
            self.w.extend(first)
            self.w.set(found, one)
        with branch.otherwise():
            self.w.extend(second)
            self.w.set(found, other)
        return self.w.settled(found)

    # -- conditions

    def _compare(self, term: t.Compare, scope: Scope) -> Expr:
        left, right = self.value(term.left, scope), self.value(term.right, scope)
        return ops.compare(term.op, left, right)

    def _and(self, term: t.And, scope: Scope) -> Expr:
        return self.all_hold(term.terms, scope)

    def _or(self, term: t.Or, scope: Scope) -> Expr:
        return ops.negate(self.all_of([partial(self._fails, each, scope) for each in term.terms]))

    def _fails(self, term: t.Term, scope: Scope) -> Expr:
        return ops.negate(self.value(term, scope))

    def all_hold(self, terms: Sequence[t.Term], scope: Scope) -> Expr:
        """Whether all terms hold; see `all_of`."""
        return self.all_of([partial(self.value, each, scope) for each in terms])

    def all_of(self, conditions: Sequence[Callable[[], Expr]]) -> Expr:
        """Whether all hold; a later one is worked out only if the earlier hold."""
        found: Expr = ops.TRUE
        for number, each in enumerate(conditions):
            with self.w.block() as body:
                condition = each()
            if body and found != ops.TRUE:
                return self._guarded(found, body, condition, conditions[number + 1 :])
            self.w.extend(body)
            found = ops.both(found, condition)
            if found == ops.FALSE:
                break
        return found

    def _guarded(
        self,
        before: Expr,
        body: Sequence[Any],
        condition: Expr,
        rest: Sequence[Callable[[], Expr]],
    ) -> Expr:
        found = self.w.changing("all", before, 0, 1)
        with self.w.when(found):
            self.w.extend(body)
            self.w.set(found, condition)
            if rest:
                with self.w.when(found):
                    self.w.set(found, self.all_of(rest))
        return self.w.settled(found)

    def _not(self, term: t.Not, scope: Scope) -> Expr:
        return ops.negate(self.value(term.term, scope))

    # -- vectors and folds

    def _vector_index(self, term: t.VectorIndex, scope: Scope) -> Expr:
        return shapes.index(self, term, scope)

    def _vector_sum(self, term: t.VectorSum, scope: Scope) -> Expr:
        return shapes.size(self, term, scope)

    def _vector_compare(self, term: t.VectorCompare, scope: Scope) -> Expr:
        return shapes.compare(self, term, scope)

    def _fold(self, term: t.Fold, scope: Scope) -> Expr:
        return folds.fold(self, term, scope)

    def _some_lot(self, term: t.SomeLot, scope: Scope) -> Expr:
        return self.lots.holds(self, term, scope)


_TERMS: Final[Mapping[type, Callable[[Terms, Any, Scope], Expr]]] = {
    t.Const: Terms._const,
    t.Local: Terms._local,
    t.PieceFace: Terms._piece_face,
    t.PieceFrom: Terms._piece_from,
    t.ReadVariable: Terms._read_variable,
    t.ZoneCount: Terms._zone_count,
    t.ZoneSize: Terms._zone_size,
    t.ZoneTop: Terms._zone_top,
    t.Lookup: Terms._lookup,
    t.Table: Terms._table,
    t.IsOut: Terms._is_out,
    t.Openly: Terms._openly,
    t.Arithmetic: Terms._arithmetic,
    t.Extreme: Terms._extreme,
    t.If: Terms._if,
    t.Compare: Terms._compare,
    t.And: Terms._and,
    t.Or: Terms._or,
    t.Not: Terms._not,
    t.VectorIndex: Terms._vector_index,
    t.VectorSum: Terms._vector_sum,
    t.VectorCompare: Terms._vector_compare,
    t.Fold: Terms._fold,
    t.SomeLot: Terms._some_lot,
}
