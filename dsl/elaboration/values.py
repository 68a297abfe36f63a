"""What an expression may stand for while it is being understood, and how one thing becomes another.

Besides terms there are a zone, a kind and an option's word: they become terms only by what is
done with
them. All conversions of types stand here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.names import KindInfo, Names
from gemwright.dsl.model.game import Kind, Zone
from gemwright.dsl.model.terms import (
    Base,
    Const,
    Local,
    LotVector,
    PieceFace,
    Term,
    Type,
    Widen,
    ZoneVector,
)
from gemwright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class ZoneRef:
    """A zone family, or one instance when `index` is given or it has only one."""

    zone: Zone
    index: Term | None
    span: Span


@dataclass(frozen=True, slots=True)
class KindRef:
    """A kind named alone, as in `top of deck is coin`."""

    info: KindInfo
    span: Span


@dataclass(frozen=True, slots=True)
class Word:
    """The value of an option that is a word."""

    value: str
    words: tuple[str, ...]
    span: Span


Value = Term | ZoneRef | KindRef | Word


def describe(value: Value) -> str:
    """A type in the reader's words."""
    if isinstance(value, ZoneRef):
        return "a zone"
    if isinstance(value, KindRef):
        return "a kind"
    if isinstance(value, Word):
        return f"the word `{value.value}`"
    names = {
        Base.INT: "a number",
        Base.FLAG: "a yes/no",
        Base.FACE: "a member of a kind",
        Base.PLAYER: "a player",
        Base.VECTOR: "a lot",
        Base.PIECE: "a piece",
        Base.WORD: "a word",
    }
    return names[value.type.base]


def most(vector: Term, names: Names) -> int:
    """An upper bound of the size of a vector."""
    if isinstance(vector, ZoneVector):
        zone = next(z for z in names.zones.values() if z.id == vector.zone)
        total = sum(names.faces[f].count for f in zone.faces)
        if zone.order == "row":
            total = min(total, zone.slots)
        return total if zone.limit is None else min(total, zone.limit)
    if isinstance(vector, LotVector):
        per_face: dict[int, int] = {}
        for cell in vector.cells:
            per_face[cell] = per_face.get(cell, 0) + 1
        return sum(names.faces[f].count for f in vector.type.faces)
    if isinstance(vector, Widen):
        return min(most(vector.vector, names), max(vector.type.high, 0) * len(vector.type.faces))
    if isinstance(vector, Const) and isinstance(vector.value, tuple):
        return sum(max(c, 0) for c in vector.value)
    return max(vector.type.high, 0) * len(vector.type.faces)


def numbers_of(faces: tuple[int, ...], names: Names) -> dict[int, int] | None:
    """The number of each face when all are members of ranges of numbers."""
    found: dict[int, int] = {}
    for face in faces:
        kind: Kind = names.kinds[names.faces[face].kind].kind
        if kind.numbers is None:
            return None
        found[face] = kind.numbers[kind.faces.index(face)]
    return found or None


def by_face(
    values: dict[int, int],
    argument: Term,
    type: Type,
    name: str,
    span: Span | None,
    missing: int = 0,
) -> Term:
    """A table over faces; faces without an entry and the face -1 of nothing give `missing`."""
    top = max(values, default=-1)
    cells = tuple(values.get(face, missing) for face in range(-1, top + 1))
    return folding.lookup(cells, argument, -1, type, name, span)


def face_of(value: Value) -> Term | None:
    """A picked piece as its face; other faces as they are."""
    if isinstance(value, Local) and value.type.base is Base.PIECE:
        return PieceFace(Type(Base.FACE, faces=value.type.faces), value.span, value)
    if isinstance(value, Term) and value.type.base is Base.FACE:
        return value
    return None


def vector_of(value: Value, names: Names) -> Term | None:
    """A zone's contents or a lot as a vector."""
    if isinstance(value, ZoneRef):
        if value.zone.index and value.index is None:
            return None
        high = max((names.faces[f].count for f in value.zone.faces), default=0)
        if value.zone.limit is not None:
            high = min(high, value.zone.limit)
        return ZoneVector(
            Type(Base.VECTOR, 0, high, value.zone.faces), value.span, value.zone.id, value.index
        )
    if isinstance(value, Term) and value.type.base is Base.VECTOR:
        return value
    return None


def number_of(value: Value, names: Names) -> Term | None:
    """A number, also from a member of a range of numbers."""
    face = face_of(value)
    if face is not None:
        numbers = numbers_of(face.type.faces, names)
        if numbers is None:
            return None
        type = folding.number_type(min(numbers.values()), max(numbers.values()))
        return by_face(numbers, face, type, "number of", face.span)
    if isinstance(value, Term) and value.type.base is Base.INT:
        return value
    return None


def position_in(index: str, value: Value, names: Names) -> Term | None:
    """The 0-based position of a player or member in the index of a zone, variable or table."""
    if index == "player":
        if isinstance(value, Term) and value.type.base is Base.PLAYER:
            return value
        return None
    info = names.kinds[index]
    face = face_of(value)
    if face is not None:
        if not set(face.type.faces) <= set(info.kind.faces):
            return None
        places = {f: n for n, f in enumerate(info.kind.faces)}
        type = folding.number_type(0, len(places) - 1)
        return by_face(places, face, type, index, face.span)
    number = number_of(value, names)
    if number is not None and info.kind.numbers is not None:
        numbers = info.kind.numbers
        if number.type.low < numbers[0] or number.type.high > numbers[-1]:
            return None
        return folding.arithmetic("-", number, folding.integer(numbers[0], None), number.span)
    return None


def wrap(term: Term | None, make: Callable[[Term], Term]) -> Term | None:
    """`make(term)`, or None where there is no term because of a report."""
    return None if term is None else make(term)
