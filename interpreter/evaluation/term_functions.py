"""Functions of single values: constants, reads of the state, tables, numbers and conditions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.problem import RuntimeProblem

if TYPE_CHECKING:
    from gemwright.interpreter.evaluation.evaluate import Evaluator

Publish = Callable[[t.Openly, Any], None]
Read = Callable[[Block, Frame, Publish], Any]
"""Reads a value; what it reads openly is published."""


def _constant(of: Evaluator, term: t.Const) -> Read:
    value = term.value
    return lambda block, frame, publish: value


def _local(of: Evaluator, term: t.Local) -> Read:
    slot = term.slot
    return lambda block, frame, publish: frame[slot]


def _piece_face(of: Evaluator, term: t.PieceFace) -> Read:
    slot = term.piece.slot
    return lambda block, frame, publish: frame[slot][1]


def _piece_from(of: Evaluator, term: t.PieceFrom) -> Read:
    slot = term.piece.slot
    if term.index is None:
        first, size = of.layout.zone_instances[term.zone]
        return lambda block, frame, publish: first <= frame[slot][0] < first + size
    there = instance(of, term.zone, term.index)
    return lambda block, frame, publish: frame[slot][0] == there(block, frame, publish)


def _lot_vector(of: Evaluator, term: t.LotVector) -> Read:
    slot, cells, length = term.lot.slot, term.cells, len(term.type.faces)
    if cells == tuple(range(length)):
        return lambda block, frame, publish: tuple(frame[slot])

    def read(block: Block, frame: Frame, publish: Publish) -> tuple[int, ...]:
        counts = [0] * length
        for position, count in zip(cells, frame[slot], strict=True):
            counts[position] += count
        return tuple(counts)

    return read


# -- the state


def instance(of: Evaluator, zone: int, index: t.Term | None) -> Read:
    """The global number of the zone instance that a family and an index name."""
    first, size = of.layout.zone_instances[zone]
    return _at(of, first, size, index)


def cell(of: Evaluator, variable: int, index: t.Term | None) -> Read:
    """The block cell of a state variable."""
    first, size = of.layout.variable_cells[variable]
    return _at(of, first, size, index)


def _at(of: Evaluator, first: int, size: int, index: t.Term | None) -> Read:
    if index is None:
        return lambda block, frame, publish: first
    place, written = of.function(index), index

    def read(block: Block, frame: Frame, publish: Publish) -> int:
        position: int = place(block, frame, publish)
        if not 0 <= position < size:
            raise outside(position, written)
        return first + position

    return read


def _read_variable(of: Evaluator, term: t.ReadVariable) -> Read:
    if term.index is None:
        offset = of.layout.variable_cells[term.variable][0]
        return lambda block, frame, publish: block[offset]
    there = cell(of, term.variable, term.index)
    return lambda block, frame, publish: block[there(block, frame, publish)]


def _zone_vector(of: Evaluator, term: t.ZoneVector) -> Read:
    there, counts = instance(of, term.zone, term.index), of.places.counts
    return lambda block, frame, publish: counts(there(block, frame, publish), block)


def _zone_count(of: Evaluator, term: t.ZoneCount) -> Read:
    there, count = instance(of, term.zone, term.index), of.places.count
    face = of.function(term.face)

    def read(block: Block, frame: Frame, publish: Publish) -> int:
        which = face(block, frame, publish)
        return count(there(block, frame, publish), which, block)

    return read


def _zone_size(of: Evaluator, term: t.ZoneSize) -> Read:
    there, size = instance(of, term.zone, term.index), of.places.size
    return lambda block, frame, publish: size(there(block, frame, publish), block)


def _zone_top(of: Evaluator, term: t.ZoneTop) -> Read:
    there, top = instance(of, term.zone, term.index), of.places.top
    return lambda block, frame, publish: top(there(block, frame, publish), block)


def _is_out(of: Evaluator, term: t.IsOut) -> Read:
    player, written = of.function(term.player), term.player
    out, seats = of.layout.model.out_offset, of.layout.model.players

    def read(block: Block, frame: Frame, publish: Publish) -> int:
        seat: int = player(block, frame, publish)
        if not 0 <= seat < seats:
            raise outside(seat, written)
        return block[out + seat]

    return read


# -- tables


def _lookup(of: Evaluator, term: t.Lookup) -> Read:
    argument, written = of.function(term.argument), term.argument
    values, base, size = term.values, term.base, len(term.values)

    def read(block: Block, frame: Frame, publish: Publish) -> Any:
        position: int = argument(block, frame, publish) - base
        if not 0 <= position < size:
            raise outside(position + base, written)
        return values[position]

    return read


def _table(of: Evaluator, term: t.Table) -> Read:
    places = [
        (of.function(argument), base, size)
        for argument, base, size in zip(term.arguments, term.bases, term.sizes, strict=True)
    ]
    values, default = term.values, term.default

    def read(block: Block, frame: Frame, publish: Publish) -> int:
        at = 0
        for argument, base, size in places:
            position: int = argument(block, frame, publish) - base
            if not 0 <= position < size:
                return default
            at = at * size + position
        return values[at]

    return read


# -- numbers and conditions


def _arithmetic(of: Evaluator, term: t.Arithmetic) -> Read:
    left, right, join = of.function(term.left), of.function(term.right), _ARITHMETIC[term.op]
    return lambda block, frame, publish: join(
        left(block, frame, publish), right(block, frame, publish)
    )


def _extreme(of: Evaluator, term: t.Extreme) -> Read:
    arguments = [of.function(each) for each in term.arguments]
    pick: Callable[[list[int]], int] = min if term.op == "min" else max
    return lambda block, frame, publish: pick([each(block, frame, publish) for each in arguments])


def _choice(of: Evaluator, term: t.If) -> Read:
    condition, then, otherwise = map(of.function, (term.condition, term.then, term.otherwise))

    def read(block: Block, frame: Frame, publish: Publish) -> Any:
        chosen = then if condition(block, frame, publish) else otherwise
        return chosen(block, frame, publish)

    return read


def _compare(of: Evaluator, term: t.Compare) -> Read:
    left, right, holds = of.function(term.left), of.function(term.right), _COMPARE[term.op]
    return lambda block, frame, publish: holds(
        left(block, frame, publish), right(block, frame, publish)
    )


def _every(of: Evaluator, term: t.And) -> Read:
    terms = [of.function(each) for each in term.terms]

    def read(block: Block, frame: Frame, publish: Publish) -> bool:
        # A plain loop: this is the hottest path, and a generator would cost as much as its terms.
        for each in terms:  # noqa: SIM110
            if not each(block, frame, publish):
                return False
        return True

    return read


def _some(of: Evaluator, term: t.Or) -> Read:
    terms = [of.function(each) for each in term.terms]

    def read(block: Block, frame: Frame, publish: Publish) -> bool:
        # A plain loop, as in `_every`.
        for each in terms:  # noqa: SIM110
            if each(block, frame, publish):
                return True
        return False

    return read


def _negation(of: Evaluator, term: t.Not) -> Read:
    inner = of.function(term.term)
    return lambda block, frame, publish: not inner(block, frame, publish)


def _openly(of: Evaluator, term: t.Openly) -> Read:
    inner = of.function(term.term)

    def read(block: Block, frame: Frame, publish: Publish) -> Any:
        value = inner(block, frame, publish)
        publish(term, value)
        return value

    return read


def outside(value: int, term: t.Term) -> RuntimeProblem:
    """The problem that the value of `term` lies outside what is read with it."""
    if type(term) is t.ZoneTop or (value == -1 and term.type.base is t.Base.FACE):
        return RuntimeProblem("R004", "the top of an empty stack is used", term.span)
    if value == -1 and term.type.optional:
        return RuntimeProblem("R001", "nobody stands where a player is needed", term.span)
    return RuntimeProblem("R001", f"{value} is outside what is declared here", term.span)


_ARITHMETIC: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}

_COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}

FUNCTIONS: Final[Mapping[type, Callable[[Evaluator, Any], Read]]] = {
    t.Const: _constant,
    t.Local: _local,
    t.PieceFace: _piece_face,
    t.PieceFrom: _piece_from,
    t.LotVector: _lot_vector,
    t.ReadVariable: _read_variable,
    t.ZoneVector: _zone_vector,
    t.ZoneCount: _zone_count,
    t.ZoneSize: _zone_size,
    t.ZoneTop: _zone_top,
    t.IsOut: _is_out,
    t.Lookup: _lookup,
    t.Table: _table,
    t.Arithmetic: _arithmetic,
    t.Extreme: _extreme,
    t.If: _choice,
    t.Compare: _compare,
    t.And: _every,
    t.Or: _some,
    t.Not: _negation,
    t.Openly: _openly,
}
