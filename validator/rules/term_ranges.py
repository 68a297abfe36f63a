"""Ranges of terms while the pieces in one zone are known only roughly.

The picked lot is known, the counts of one zone instance lie in a box; everything else may be
whatever its type allows. A condition whose range is 1..1 holds for sure, whatever the rest is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gemwright.dsl.model import terms as t
from gemwright.validator.rules.face_functions import function_of

Range = tuple[int, int]

MAYBE: Final[Range] = (0, 1)
_MOST: Final = 16


@dataclass(slots=True)
class Box:
    """What is known: the counts of the zone by face, the lot of each parameter by face position,
    and the values of bound slots. `index` is what names the zone instance."""

    zone: int
    index: t.Term | None
    counts: Mapping[int, Range]
    lots: Mapping[int, Sequence[int]]
    slots: dict[int, int] = field(default_factory=dict)


def holds(term: t.Term, box: Box) -> bool:
    """Whether a condition holds for sure."""
    return range_of(term, box)[0] == 1


def range_of(term: t.Term, box: Box) -> Range:
    """The range of a number or condition."""
    match term:
        case t.Const(value=int(value)):
            return value, value
        case t.Local(slot=slot):
            return _point(box.slots[slot]) if slot in box.slots else _type(term)
        case t.Openly(term=inner):
            return range_of(inner, box)
        case t.ZoneSize() if _is_ours(term.zone, term.index, box):
            return _sum(list(box.counts.values()))
        case t.ZoneCount() if _is_ours(term.zone, term.index, box):
            face = range_of(term.face, box)
            return box.counts.get(face[0], (0, 0)) if face[0] == face[1] else _type(term)
        case t.VectorSum(vector=vector):
            cells = vector_of(vector, box)
            return _type(term) if cells is None else _sum(list(cells.values()))
        case t.VectorIndex(vector=vector, face=index):
            return _indexed(term, vector_of(vector, box), range_of(index, box))
        case t.Arithmetic():
            return _arithmetic(term.op, range_of(term.left, box), range_of(term.right, box))
        case t.Extreme(op=op, arguments=arguments):
            ranges = [range_of(each, box) for each in arguments]
            pick = min if op == "min" else max
            return pick(low for low, _ in ranges), pick(high for _, high in ranges)
        case t.If():
            return _chosen(term, box)
        case t.Compare():
            return _compared(term.op, range_of(term.left, box), range_of(term.right, box))
        case t.VectorCompare():
            return _vectors(term, box)
        case t.Not(term=inner):
            low, high = range_of(inner, box)
            return 1 - high, 1 - low
        case t.And(terms=parts):
            return _all([range_of(part, box) for part in parts])
        case t.Or(terms=parts):
            return _any([range_of(part, box) for part in parts])
        case t.Fold():
            return _fold(term, box)
    return _type(term)


def vector_of(term: t.Term, box: Box) -> Mapping[int, Range] | None:
    """The ranges of a vector's cells by face; None if nothing is known."""
    match term:
        case t.Const(value=tuple(cells)):
            return {face: _point(n) for face, n in zip(term.type.faces, cells, strict=True)}
        case t.LotVector(lot=lot, cells=positions) if lot.slot in box.lots:
            counts = dict.fromkeys(term.type.faces, 0)
            for place, count in zip(positions, box.lots[lot.slot], strict=True):
                counts[term.type.faces[place]] += count
            return {face: _point(count) for face, count in counts.items()}
        case t.ZoneVector() if _is_ours(term.zone, term.index, box):
            return {face: box.counts.get(face, (0, 0)) for face in term.type.faces}
        case t.Widen(vector=vector):
            cells_of = vector_of(vector, box)
            if cells_of is None:
                return None
            return {face: cells_of.get(face, (0, 0)) for face in term.type.faces}
        case t.VectorOp(op=op, left=left, right=right):
            a, b = vector_of(left, box), vector_of(right, box)
            return None if a is None or b is None else {f: _cell(op, a[f], b[f]) for f in a}
    return None


def _is_ours(zone: int, index: t.Term | None, box: Box) -> bool:
    return zone == box.zone and index == box.index


def _type(term: t.Term) -> Range:
    if term.type.base is t.Base.FLAG:
        return MAYBE
    if term.type.base is t.Base.INT:
        return term.type.low, term.type.high
    # A member or seat: any number, so that no comparison is decided.
    return -(1 << 40), 1 << 40


def _point(value: int) -> Range:
    return value, value


def _sum(ranges: Sequence[Range]) -> Range:
    return sum(low for low, _ in ranges), sum(high for _, high in ranges)


def _indexed(term: t.Term, cells: Mapping[int, Range] | None, face: Range) -> Range:
    if cells is None or face[0] != face[1]:
        return _type(term)
    return cells.get(face[0], (0, 0))


def _arithmetic(op: str, a: Range, b: Range) -> Range:
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _cell(op: str, a: Range, b: Range) -> Range:
    low, high = _arithmetic("+" if op == "+" else "-", a, b)
    return (max(low, 0), max(high, 0)) if op == "less" else (low, high)


def _chosen(term: t.If, box: Box) -> Range:
    condition = range_of(term.condition, box)
    then, otherwise = range_of(term.then, box), range_of(term.otherwise, box)
    if condition[0] == condition[1]:
        return then if condition[0] else otherwise
    return min(then[0], otherwise[0]), max(then[1], otherwise[1])


def _compared(op: str, a: Range, b: Range) -> Range:
    if op in (">", ">="):
        return _compared("<" if op == ">" else "<=", b, a)
    if op == "!=":
        low, high = _compared("=", a, b)
        return 1 - high, 1 - low
    if op == "=":
        if a == b and a[0] == a[1]:
            return 1, 1
        return (0, 0) if a[1] < b[0] or b[1] < a[0] else MAYBE
    strict = op == "<"
    if a[1] < b[0] or (not strict and a[1] == b[0]):
        return 1, 1
    return (0, 0) if a[0] > b[1] or (strict and a[0] == b[1]) else MAYBE


def _vectors(term: t.VectorCompare, box: Box) -> Range:
    a, b = vector_of(term.left, box), vector_of(term.right, box)
    if a is None or b is None:
        return MAYBE
    op = "<=" if term.op == "<=" else "="
    low, high = _all([_compared(op, a[face], b[face]) for face in a])
    return (1 - high, 1 - low) if term.op == "!=" else (low, high)


def _all(ranges: Sequence[Range]) -> Range:
    return min((low for low, _ in ranges), default=1), min((high for _, high in ranges), default=1)


def _any(ranges: Sequence[Range]) -> Range:
    return max((low for low, _ in ranges), default=0), max((high for _, high in ranges), default=0)


def _fold(term: t.Fold, box: Box) -> Range:
    if isinstance(term.domain, t.Faces) and len(term.domain.faces) <= _MOST:
        elements = [(face, (1, 1)) for face in term.domain.faces]
    elif isinstance(term.domain, t.Pieces):
        cells = vector_of(term.domain.vector, box)
        if cells is None or not _local(term, term.domain.faces):
            return _type(term)
        elements = [(face, cells.get(face, (0, 0))) for face in term.domain.faces]
    else:
        return _unlisted(term, box)
    return _folded(term, elements, box, isinstance(term.domain, t.Pieces))


def _unlisted(term: t.Fold, box: Box) -> Range:
    """A fold whose elements are not known: what holds of none or of all of them decides it."""
    known = box.slots.pop(term.slot, None)
    body = _type(term) if term.body is None else range_of(term.body, box)
    if known is not None:
        box.slots[term.slot] = known
    if (term.op, body) in (("some", (0, 0)), ("every", (1, 1))):
        return body
    return _type(term)


def _local(term: t.Fold, faces: tuple[int, ...]) -> bool:
    """Whether a fold over pieces looks at their faces only."""
    parts = [part for part in (term.filter, term.body) if part is not None]
    return all(function_of(part, term.slot, faces) is not None for part in parts)


def _folded(term: t.Fold, elements: Sequence[tuple[int, Range]], box: Box, pieces: bool) -> Range:
    kept: list[tuple[Range, Range]] = []
    for face, count in elements:
        box.slots[term.slot] = face
        holds_ = (1, 1) if term.filter is None else range_of(term.filter, box)
        value = (1, 1) if term.body is None else range_of(term.body, box)
        there = count if pieces else (1, 1)
        kept.append((_arithmetic("*", holds_, there), value))
    box.slots.pop(term.slot, None)
    if term.op in ("sum", "count"):
        return _sum([_arithmetic("*", weight, value) for weight, value in kept])
    if term.op == "some":
        return _any([(v[0] if w[0] else 0, v[1] if w[1] else 0) for w, v in kept])
    if term.op == "every":
        return _all([(v[0] if w[1] else 1, v[1] if w[0] else 1) for w, v in kept])
    return _type(term)
