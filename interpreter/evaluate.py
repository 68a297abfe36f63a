"""What terms mean: one small method per term class, chosen by a table.

Values are integers (numbers, flags as 0/1 or bool, faces, seats), tuples of counts for vectors and
picked lots, and (zone instance, face) for picked pieces. A term reads a state block and a frame and
changes neither; only a frame slot that a fold binds is overwritten. `Openly` is silent unless the
evaluator was made with `publish`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gemwright.dsl import terms as t
from gemwright.interpreter.block import Block, Frame, Layout
from gemwright.interpreter.places import Places
from gemwright.interpreter.problem import RuntimeProblem

Publish = Callable[[t.Openly, Any], None]

if TYPE_CHECKING:
    from gemwright.interpreter.walk_some_lot import SomeLots


class Evaluator:
    """Evaluates terms and domains of one game model.

    Args:
        layout: the tables of the model.
        publish: called with each `Openly` term and its value, in the order of reading.
    """

    __slots__ = ("_instances", "_lots", "_out", "_publish", "_seats", "_variables", "places")

    def __init__(
        self, layout: Layout, places: Places | None = None, publish: Publish | None = None
    ) -> None:
        self.places = places or Places(layout)
        self._lots: SomeLots | None = None
        self._publish = publish
        self._out = layout.model.out_offset
        self._seats = layout.model.players
        self._variables = layout.variable_cells
        self._instances = layout.zone_instances

    # -- for engines

    def value(self, term: t.Term, block: Block, frame: Frame) -> Any:
        """The value of a term.

        Raises:
            RuntimeProblem: an index or a table is read outside its range (R001), or at the top of
                an empty stack (R004).
        """
        return _TERMS[type(term)](self, term, block, frame)

    def elements(self, domain: t.Domain, block: Block, frame: Frame) -> Sequence[int]:
        """The elements of a domain, in its order."""
        return _DOMAINS[type(domain)](self, domain, block, frame)

    def weighted(self, domain: t.Pieces, block: Block, frame: Frame) -> list[tuple[int, int]]:
        """The faces of a `Pieces` domain that are there, with their counts."""
        counts = self.value(domain.vector, block, frame)
        there = domain.vector.type.faces
        if there != domain.faces:
            position = {face: number for number, face in enumerate(there)}
            counts = [counts[position[face]] if face in position else 0 for face in domain.faces]
        return [(face, count) for face, count in zip(domain.faces, counts, strict=True) if count]

    def instance(self, zone: int, index: t.Term | None, block: Block, frame: Frame) -> int:
        """The global number of the zone instance that a family and an index name."""
        first, size = self._instances[zone]
        return first if index is None else first + self._position(index, size, block, frame)

    def cell(self, variable: int, index: t.Term | None, block: Block, frame: Frame) -> int:
        """The block cell of a state variable."""
        first, size = self._variables[variable]
        return first if index is None else first + self._position(index, size, block, frame)

    def players_in(self, block: Block) -> list[int]:
        """The seats of the players who are still in."""
        return [seat for seat in range(self._seats) if not block[self._out + seat]]

    def _position(self, index: t.Term, size: int, block: Block, frame: Frame) -> int:
        position: int = _TERMS[type(index)](self, index, block, frame)
        if not 0 <= position < size:
            raise _outside(position, index)
        return position

    # -- constants and reads

    def _const(self, term: t.Const, block: Block, frame: Frame) -> Any:
        return term.value

    def _local(self, term: t.Local, block: Block, frame: Frame) -> Any:
        return frame[term.slot]

    def _piece_face(self, term: t.PieceFace, block: Block, frame: Frame) -> Any:
        return frame[term.piece.slot][1]

    def _piece_from(self, term: t.PieceFrom, block: Block, frame: Frame) -> bool:
        source: int = frame[term.piece.slot][0]
        if term.index is None:
            first, size = self._instances[term.zone]
            return first <= source < first + size
        return source == self.instance(term.zone, term.index, block, frame)

    def _lot_vector(self, term: t.LotVector, block: Block, frame: Frame) -> tuple[int, ...]:
        counts = [0] * len(term.type.faces)
        for position, count in zip(term.cells, frame[term.lot.slot], strict=True):
            counts[position] += count
        return tuple(counts)

    def _read_variable(self, term: t.ReadVariable, block: Block, frame: Frame) -> int:
        return block[self.cell(term.variable, term.index, block, frame)]

    def _zone_vector(self, term: t.ZoneVector, block: Block, frame: Frame) -> tuple[int, ...]:
        return self.places.counts(self.instance(term.zone, term.index, block, frame), block)

    def _zone_count(self, term: t.ZoneCount, block: Block, frame: Frame) -> int:
        face: int = _TERMS[type(term.face)](self, term.face, block, frame)
        return self.places.count(self.instance(term.zone, term.index, block, frame), face, block)

    def _zone_size(self, term: t.ZoneSize, block: Block, frame: Frame) -> int:
        return self.places.size(self.instance(term.zone, term.index, block, frame), block)

    def _zone_top(self, term: t.ZoneTop, block: Block, frame: Frame) -> int:
        return self.places.top(self.instance(term.zone, term.index, block, frame), block)

    def _lookup(self, term: t.Lookup, block: Block, frame: Frame) -> Any:
        argument: int = _TERMS[type(term.argument)](self, term.argument, block, frame)
        position = argument - term.base
        if not 0 <= position < len(term.values):
            raise _outside(argument, term.argument)
        return term.values[position]

    def _table(self, term: t.Table, block: Block, frame: Frame) -> int:
        at = 0
        for argument, base, size in zip(term.arguments, term.bases, term.sizes, strict=True):
            position: int = _TERMS[type(argument)](self, argument, block, frame) - base
            if not 0 <= position < size:
                return term.default
            at = at * size + position
        return term.values[at]

    def _is_out(self, term: t.IsOut, block: Block, frame: Frame) -> int:
        seat: int = _TERMS[type(term.player)](self, term.player, block, frame)
        if not 0 <= seat < self._seats:
            raise _outside(seat, term.player)
        return block[self._out + seat]

    def _openly(self, term: t.Openly, block: Block, frame: Frame) -> Any:
        value = _TERMS[type(term.term)](self, term.term, block, frame)
        if self._publish is not None:
            self._publish(term, value)
        return value

    # -- vectors

    def _vector_index(self, term: t.VectorIndex, block: Block, frame: Frame) -> int:
        face: int = _TERMS[type(term.face)](self, term.face, block, frame)
        faces = term.vector.type.faces
        if face not in faces:
            return 0
        vector: tuple[int, ...] = _TERMS[type(term.vector)](self, term.vector, block, frame)
        return vector[faces.index(face)]

    def _widen(self, term: t.Widen, block: Block, frame: Frame) -> tuple[int, ...]:
        vector: tuple[int, ...] = _TERMS[type(term.vector)](self, term.vector, block, frame)
        return tuple([0 if place < 0 else vector[place] for place in term.positions])

    def _vector_op(self, term: t.VectorOp, block: Block, frame: Frame) -> tuple[int, ...]:
        left = _TERMS[type(term.left)](self, term.left, block, frame)
        right = _TERMS[type(term.right)](self, term.right, block, frame)
        pairs = zip(left, right, strict=True)
        if term.op == "+":
            return tuple([a + b for a, b in pairs])
        if term.op == "-":
            return tuple([a - b for a, b in pairs])
        return tuple([a - b if a > b else 0 for a, b in pairs])

    def _vector_sum(self, term: t.VectorSum, block: Block, frame: Frame) -> int:
        vector: tuple[int, ...] = _TERMS[type(term.vector)](self, term.vector, block, frame)
        return sum(vector)

    def _vector_compare(self, term: t.VectorCompare, block: Block, frame: Frame) -> bool:
        left = _TERMS[type(term.left)](self, term.left, block, frame)
        right = _TERMS[type(term.right)](self, term.right, block, frame)
        if term.op == "<=":
            return all(a <= b for a, b in zip(left, right, strict=True))
        return bool((left == right) is (term.op == "="))

    def _vector_build(self, term: t.VectorBuild, block: Block, frame: Frame) -> tuple[int, ...]:
        slot, body = term.slot, term.body
        evaluate = _TERMS[type(body)]
        cells = []
        for face in term.type.faces:
            frame[slot] = face
            cells.append(evaluate(self, body, block, frame))
        return tuple(cells)

    # -- numbers and conditions

    def _arithmetic(self, term: t.Arithmetic, block: Block, frame: Frame) -> int:
        left: int = _TERMS[type(term.left)](self, term.left, block, frame)
        right: int = _TERMS[type(term.right)](self, term.right, block, frame)
        if term.op == "+":
            return left + right
        return left - right if term.op == "-" else left * right

    def _extreme(self, term: t.Extreme, block: Block, frame: Frame) -> int:
        values: list[int] = [
            _TERMS[type(each)](self, each, block, frame) for each in term.arguments
        ]
        return min(values) if term.op == "min" else max(values)

    def _if(self, term: t.If, block: Block, frame: Frame) -> Any:
        holds = _TERMS[type(term.condition)](self, term.condition, block, frame)
        chosen = term.then if holds else term.otherwise
        return _TERMS[type(chosen)](self, chosen, block, frame)

    def _compare(self, term: t.Compare, block: Block, frame: Frame) -> bool:
        left: int = _TERMS[type(term.left)](self, term.left, block, frame)
        right: int = _TERMS[type(term.right)](self, term.right, block, frame)
        return _COMPARE[term.op](left, right)

    def _and(self, term: t.And, block: Block, frame: Frame) -> bool:
        # A plain loop: this is the hottest path, and a generator would cost as much as its terms.
        for each in term.terms:  # noqa: SIM110
            if not _TERMS[type(each)](self, each, block, frame):
                return False
        return True

    def _or(self, term: t.Or, block: Block, frame: Frame) -> bool:
        for each in term.terms:  # noqa: SIM110
            if _TERMS[type(each)](self, each, block, frame):
                return True
        return False

    def _not(self, term: t.Not, block: Block, frame: Frame) -> bool:
        return not _TERMS[type(term.term)](self, term.term, block, frame)

    # -- folds

    def _fold(self, term: t.Fold, block: Block, frame: Frame) -> int:
        if type(term.domain) is t.Pieces:
            pairs = self.weighted(term.domain, block, frame)
        else:
            pairs = [(each, 1) for each in self.elements(term.domain, block, frame)]
        if term.filter is not None:
            pairs = self._filtered(term, term.filter, pairs, block, frame)
        if term.body is None:
            return _count(term.op, pairs)
        return self._folded(term, term.body, pairs, block, frame)

    def _filtered(
        self, term: t.Fold, keep: t.Term, pairs: list[tuple[int, int]], block: Block, frame: Frame
    ) -> list[tuple[int, int]]:
        slot, evaluate = term.slot, _TERMS[type(keep)]
        kept = []
        for pair in pairs:
            frame[slot] = pair[0]
            if evaluate(self, keep, block, frame):
                kept.append(pair)
        return kept

    def _folded(
        self, term: t.Fold, body: t.Term, pairs: list[tuple[int, int]], block: Block, frame: Frame
    ) -> int:
        slot, evaluate, op = term.slot, _TERMS[type(body)], term.op
        if op in ("some", "every"):
            wanted = op == "some"
            for element, _ in pairs:
                frame[slot] = element
                if bool(evaluate(self, body, block, frame)) is wanted:
                    return wanted
            return not wanted
        values = []
        for element, weight in pairs:
            frame[slot] = element
            value: int = evaluate(self, body, block, frame)
            values.append(value * weight if op == "sum" else value)
        if op == "sum":
            return sum(values)
        if op == "count":
            return sum(weight for (_, weight), holds in zip(pairs, values, strict=True) if holds)
        return (min if op == "min" else max)(values, default=term.empty)

    def _some_lot(self, term: t.SomeLot, block: Block, frame: Frame) -> bool:
        if self._lots is None:
            # Imported here because deciding such a term evaluates terms in turn.
            from gemwright.interpreter.walk_some_lot import SomeLots

            self._lots = SomeLots(self, self._seats)
        return self._lots.holds(term, block, frame)

    # -- domains

    def _faces(self, domain: t.Faces, block: Block, frame: Frame) -> Sequence[int]:
        return domain.faces

    def _players(self, domain: t.Players, block: Block, frame: Frame) -> Sequence[int]:
        start = 0 if domain.start is None else self.value(domain.start, block, frame)
        other = -1 if domain.other is None else self.value(domain.other, block, frame)
        seats = [(start + step) % self._seats for step in range(self._seats)]
        return [seat for seat in seats if seat != other and not block[self._out + seat]]

    def _numbers(self, domain: t.Numbers, block: Block, frame: Frame) -> Sequence[int]:
        low = self.value(domain.low, block, frame)
        return range(low, self.value(domain.high, block, frame) + 1)

    def _pieces(self, domain: t.Pieces, block: Block, frame: Frame) -> Sequence[int]:
        return [face for face, _ in self.weighted(domain, block, frame)]


def _count(op: str, pairs: list[tuple[int, int]]) -> int:
    """A fold without a body, over what the filter kept."""
    if op == "count":
        return sum(weight for _, weight in pairs)
    return bool(pairs) if op == "some" else 1


def _outside(value: int, term: t.Term) -> RuntimeProblem:
    if type(term) is t.ZoneTop or (value == -1 and term.type.base is t.Base.FACE):
        return RuntimeProblem("R004", "the top of an empty stack is used", term.span)
    if value == -1 and term.type.optional:
        return RuntimeProblem("R001", "nobody stands where a player is needed", term.span)
    return RuntimeProblem("R001", f"{value} is outside what is declared here", term.span)


_COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}

_TERMS: Final[Mapping[type, Callable[[Evaluator, Any, Block, Frame], Any]]] = {
    t.Const: Evaluator._const,
    t.Local: Evaluator._local,
    t.PieceFace: Evaluator._piece_face,
    t.PieceFrom: Evaluator._piece_from,
    t.LotVector: Evaluator._lot_vector,
    t.ReadVariable: Evaluator._read_variable,
    t.ZoneVector: Evaluator._zone_vector,
    t.ZoneCount: Evaluator._zone_count,
    t.ZoneSize: Evaluator._zone_size,
    t.ZoneTop: Evaluator._zone_top,
    t.Lookup: Evaluator._lookup,
    t.Table: Evaluator._table,
    t.IsOut: Evaluator._is_out,
    t.Openly: Evaluator._openly,
    t.VectorIndex: Evaluator._vector_index,
    t.Widen: Evaluator._widen,
    t.VectorOp: Evaluator._vector_op,
    t.VectorSum: Evaluator._vector_sum,
    t.VectorCompare: Evaluator._vector_compare,
    t.VectorBuild: Evaluator._vector_build,
    t.Arithmetic: Evaluator._arithmetic,
    t.Extreme: Evaluator._extreme,
    t.If: Evaluator._if,
    t.Compare: Evaluator._compare,
    t.And: Evaluator._and,
    t.Or: Evaluator._or,
    t.Not: Evaluator._not,
    t.Fold: Evaluator._fold,
    t.SomeLot: Evaluator._some_lot,
}

_DOMAINS: Final[Mapping[type, Callable[[Evaluator, Any, Block, Frame], Sequence[int]]]] = {
    t.Faces: Evaluator._faces,
    t.Players: Evaluator._players,
    t.Numbers: Evaluator._numbers,
    t.Pieces: Evaluator._pieces,
}
