"""Terms as functions of one member: their value when nothing else is read.

Columns of cards, tests on a face, and whatever is computed from these alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final

from gemwright.dsl.model import terms as t

Constant = int | tuple[int, ...]

_COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
_ARITHMETIC: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def at_face(term: t.Term, slot: int, face: int) -> Constant | None:
    """The value of a term with a face in a slot; None when it depends on anything else."""
    match term:
        case t.Const(value=value):
            return value
        case t.Local(slot=where):
            return face if where == slot else None
        case t.PieceFace(piece=piece):
            return face if piece.slot == slot else None
        case t.Lookup(values=values, argument=argument, base=base):
            place = at_face(argument, slot, face)
            if isinstance(place, int) and 0 <= place - base < len(values):
                return values[place - base]
            return None
        case t.Not(term=inner):
            truth = at_face(inner, slot, face)
            return None if truth is None else int(not truth)
        case t.Openly(term=inner):
            return at_face(inner, slot, face)
        case t.And(terms=parts) | t.Or(terms=parts):
            return _joined(parts, isinstance(term, t.And), slot, face)
        case t.If(condition=condition, then=then, otherwise=otherwise):
            truth = at_face(condition, slot, face)
            return None if truth is None else at_face(then if truth else otherwise, slot, face)
        case t.VectorSum(vector=vector):
            cells = at_face(vector, slot, face)
            return sum(cells) if isinstance(cells, tuple) else None
        case t.VectorIndex(vector=vector, face=index):
            return _cell(vector, at_face(vector, slot, face), at_face(index, slot, face))
        case t.Compare(op=op, left=left, right=right):
            x, y = at_face(left, slot, face), at_face(right, slot, face)
            if isinstance(x, int) and isinstance(y, int):
                return int(_COMPARE[op](x, y))
        case t.Arithmetic(op=op, left=left, right=right):
            x, y = at_face(left, slot, face), at_face(right, slot, face)
            if isinstance(x, int) and isinstance(y, int):
                return _ARITHMETIC[op](x, y)
    return None


def _joined(parts: tuple[t.Term, ...], every: bool, slot: int, face: int) -> int | None:
    found = [at_face(part, slot, face) for part in parts]
    if any(value is not None and bool(value) is not every for value in found):
        return int(not every)
    return None if any(value is None for value in found) else int(every)


def _cell(vector: t.Term, cells: Constant | None, face: Constant | None) -> int | None:
    if not isinstance(cells, tuple) or not isinstance(face, int):
        return None
    faces = vector.type.faces
    return cells[faces.index(face)] if face in faces else 0


def function_of(term: t.Term, slot: int, faces: tuple[int, ...]) -> tuple[int, ...] | None:
    """The values of a number or test for each of some faces; None when it reads anything else."""
    found = [at_face(term, slot, face) for face in faces]
    values = [value for value in found if isinstance(value, int)]
    return tuple(values) if len(values) == len(faces) else None
