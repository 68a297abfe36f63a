"""Vector terms: what they are while they are lowered, and the terms that read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gemwright.dsl.model import terms as t
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Break, Expr
from gemwright.interpreter.compiled.lower import lanes, vectors
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.vectors import Vector

if TYPE_CHECKING:
    from gemwright.interpreter.compiled.lower.terms import Terms

UNROLLED: Final = 10
"""Vectors over so many faces are written out, longer ones are looped over."""


def vector(terms: Terms, term: t.Term, scope: Scope) -> Vector:
    """A vector term, everything in it that may fail worked out now."""
    if isinstance(term, t.Const):
        assert isinstance(term.value, tuple)
        return vectors.Row(terms.memory, term.value, len(term.value), ops.FALSE)
    if isinstance(term, t.Local):
        return vectors.Listed(terms.zones, scope.cells(term.slot))
    if isinstance(term, t.LotVector):
        return vectors.Listed(terms.zones, _lot(term, scope))
    if isinstance(term, t.ZoneVector):
        return terms.zones.counts(*terms.zone(term.zone, term.index, scope))
    if isinstance(term, t.Lookup):
        return _lookup(terms, term, scope)
    if isinstance(term, t.Widen):
        return vectors.Relaid(terms.zones, vector(terms, term.vector, scope), term.positions)
    if isinstance(term, t.VectorOp):
        left, right = vector(terms, term.left, scope), vector(terms, term.right, scope)
        return vectors.Combined(term.op, left, right)
    if isinstance(term, t.VectorBuild):
        return _build(terms, term, scope)
    if isinstance(term, t.Openly):
        return vector(terms, term.term, scope)
    assert isinstance(term, t.If), f"{type(term).__name__} is no vector"
    return _choice(terms, term, scope)


def _lot(term: t.LotVector, scope: Scope) -> tuple[Expr, ...]:
    counts: list[Expr] = [ops.FALSE] * len(term.type.faces)
    for position, count in zip(term.cells, scope.cells(term.lot.slot), strict=True):
        counts[position] = ops.add(counts[position], count)
    return tuple(counts)


def _lookup(terms: Terms, term: t.Lookup, scope: Scope) -> Vector:
    rows = [value for value in term.values if isinstance(value, tuple)]
    assert len(rows) == len(term.values), "a table of vectors"
    row = terms.w.let(terms.row(term, scope))
    flat = tuple(each for value in rows for each in value)
    return vectors.Row(terms.memory, flat, len(term.type.faces), row)


def _choice(terms: Terms, term: t.If, scope: Scope) -> Vector:
    condition = terms.kept(term.condition, scope)
    known = ops.known(condition)
    if known is not None:
        return vector(terms, term.then if known else term.otherwise, scope)
    # Both sides are prepared; where that may fail, only the side that is read may.
    sides: list[Vector] = []
    for side, holds in ((term.then, condition), (term.otherwise, ops.negate(condition))):
        sides.append(_guarded(terms, side, holds, scope))
    return vectors.Chosen(condition, sides[0], sides[1])


def _guarded(terms: Terms, term: t.Term, holds: Expr, scope: Scope) -> Vector:
    if not terms.w.may_fail(lambda: _whole(terms, term, scope)):
        return vector(terms, term, scope)
    array = terms.memory.scratch("cells", len(term.type.faces), 0, 0)
    with terms.w.when(holds):
        _gather(terms, vector(terms, term, scope), term.type.faces, array)
    return vectors.Gathered(terms.memory, array)


def _whole(terms: Terms, term: t.Term, scope: Scope) -> None:
    """Work out every cell."""
    found = vector(terms, term, scope)
    with terms.w.each("at", ops.FALSE, ops.const(len(term.type.faces) - 1)) as at:
        found.at(at)


def _build(terms: Terms, term: t.VectorBuild, scope: Scope) -> Vector:
    faces = term.type.faces

    def body(position: Expr) -> Expr:
        return terms.value(term.body, scope.bind(term.slot, face_at(terms, faces, position)))

    found = vectors.Built(body)
    last = ops.const(len(faces) - 1)

    def trial() -> None:
        with terms.w.each("at", ops.FALSE, last) as at:
            body(at)

    if not terms.w.may_fail(trial):
        return found
    array = terms.memory.scratch("cells", len(faces), 0, 0)
    _gather(terms, found, faces, array)
    return vectors.Gathered(terms.memory, array)


def _gather(terms: Terms, found: Vector, faces: tuple[int, ...], array: str) -> None:
    """Work out every cell into an array."""
    with terms.w.each("at", ops.FALSE, ops.const(len(faces) - 1)) as at:
        cell = found.at(at)
        terms.memory.maker.array(array, len(faces), cell.low, cell.high)
        terms.w.put(array, at, cell)


def face_at(terms: Terms, faces: tuple[int, ...], position: Expr) -> Expr:
    """The face at a position of a list of faces."""
    first = faces[0]
    if faces == tuple(range(first, first + len(faces))):
        return ops.add(position, ops.const(first))
    return terms.memory.entry("face", faces, position)


# -- terms that read vectors ----------------------------------------------------------------------


def index(terms: Terms, term: t.VectorIndex, scope: Scope) -> Expr:
    """One cell of a vector; 0 for a face outside its type."""
    face = terms.kept(term.face, scope)
    position = terms.memory.place_in(term.vector.type.faces, face)
    inside = set(term.face.type.faces)
    if inside and inside <= set(term.vector.type.faces) and face.low >= 0:
        position = ops.trusted(position, 0, len(term.vector.type.faces) - 1, "a face of the type")
    if position.high < 0:
        return ops.FALSE
    if position.low >= 0:
        found = vector(terms, term.vector, scope)
        at, faces = ops.known(position), term.vector.type.faces
        packed = None if at is None else lanes.cell(terms, found, len(faces), at)
        return found.at(position) if packed is None else packed
    position = terms.w.let(position)
    return terms.either(
        ops.compare(">=", position, ops.FALSE),
        lambda: vector(terms, term.vector, scope).at(ops.larger(position, ops.FALSE)),
        lambda: ops.FALSE,
    )


def size(terms: Terms, term: t.VectorSum, scope: Scope) -> Expr:
    """The sum of all cells."""
    faces = term.vector.type.faces
    if isinstance(term.vector, t.ZoneVector):
        return terms.zones.size(*terms.zone(term.vector.zone, term.vector.index, scope))
    found = vector(terms, term.vector, scope)
    packed = lanes.size(terms, found, len(faces))
    if packed is not None:
        return packed
    if len(faces) <= UNROLLED:
        return ops.total(found.at(ops.const(at)) for at in range(len(faces)))
    with terms.w.apart(), terms.w.each("at", ops.FALSE, ops.const(len(faces) - 1)) as at:
        cell = found.at(at)
    low, high = min(cell.low, 0) * len(faces), max(cell.high, 0) * len(faces)
    total = terms.w.changing("size", ops.FALSE, low, high)
    with terms.w.each("at", ops.FALSE, ops.const(len(faces) - 1)) as at:
        terms.w.gain(total, found.at(at))
    return terms.w.settled(total)


def compare(terms: Terms, term: t.VectorCompare, scope: Scope) -> Expr:
    """`<=`, `=` or `!=` of two vectors."""
    faces = term.left.type.faces
    left, right = vector(terms, term.left, scope), vector(terms, term.right, scope)
    sign = "<=" if term.op == "<=" else "="
    packed = lanes.within(terms, left, right, len(faces)) if sign == "<=" else None
    if packed is not None:
        good: Expr = packed
    elif len(faces) <= UNROLLED:
        good = ops.TRUE
        for at in range(len(faces)):
            here = ops.compare(sign, left.at(ops.const(at)), right.at(ops.const(at)))
            good = ops.both(good, here)
    else:
        found = terms.w.changing("same", ops.TRUE, 0, 1)
        with terms.w.each("at", ops.FALSE, ops.const(len(faces) - 1)) as place:
            here = ops.compare(sign, left.at(place), right.at(place))
            with terms.w.when(ops.negate(here)):
                terms.w.set(found, ops.FALSE)
                terms.w.emit(Break())
        good = terms.w.settled(found)
    return ops.negate(good) if term.op == "!=" else good
