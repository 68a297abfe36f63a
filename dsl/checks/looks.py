"""What a read does with the faces in a zone: its *look*, from a face to anything comparable.

Two faces with one look are treated alike, so whoever cannot tell them apart learns nothing from
which of them it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Final

from gemwright.dsl.model.terms import Arithmetic, Compare, Const, Local, Lookup, Not, Term
from gemwright.dsl.model.traversal import parts

Look = Callable[[int], Hashable]
OUT: Final = "out"
"""The look of a face that a read passes over."""


def look_of(
    op: str, slot: int, test: Term | None, body: Term | None, faces: tuple[int, ...]
) -> Look:
    """How an aggregate over pieces looks at a face that stands in `slot`."""
    neutral = {"sum": 0, "some": 0, "every": 1}.get(op)
    whole = [term for term in (test, body) if term is not None]
    if all(_at(term, slot, face) is not None for term in whole for face in faces):
        seen: dict[int, Hashable] = {}
        for face in faces:
            value = 1 if body is None else _at(body, slot, face)
            kept = test is None or bool(_at(test, slot, face))
            seen[face] = value if kept and value != neutral else OUT
    else:
        atoms = [atom for term in whole for atom in _atoms(term, slot, faces)]
        seen = {face: tuple(_at(atom, slot, face) for atom in atoms) for face in faces}
    return lambda face: seen.get(face, OUT)


def _atoms(term: Term, slot: int, faces: tuple[int, ...]) -> Iterator[Term]:
    """The largest parts of a term that depend on nothing but the slot."""
    if all(_at(term, slot, face) is not None for face in faces):
        yield term
        return
    for part in parts(term):
        yield from _atoms(part, slot, faces)


def _at(term: Term, slot: int, face: int) -> int | tuple[int, ...] | None:
    """The value of a term with a face in the slot; None when it depends on anything else."""
    match term:
        case Const(value=value):
            return value
        case Local(slot=where):
            return face if where == slot else None
        case Lookup(values=values, argument=argument, base=base):
            place = _at(argument, slot, face)
            inside = isinstance(place, int) and 0 <= place - base < len(values)
            return values[place - base] if inside and isinstance(place, int) else None
        case Not(term=inner):
            truth = _at(inner, slot, face)
            return None if truth is None else int(not truth)
        case Compare(op=op, left=left, right=right) | Arithmetic(op=op, left=left, right=right):
            x, y = _at(left, slot, face), _at(right, slot, face)
            return _joined(op, x, y) if isinstance(x, int) and isinstance(y, int) else None
        case _:
            return None


def _joined(op: str, x: int, y: int) -> int:
    return {
        "<": int(x < y),
        "<=": int(x <= y),
        ">": int(x > y),
        ">=": int(x >= y),
        "=": int(x == y),
        "!=": int(x != y),
        "+": x + y,
        "-": x - y,
        "*": x * y,
    }[op]


def tells(
    faces: tuple[int, ...] | list[int],
    classes: tuple[Hashable, ...],
    look: Look,
    doubt: set[int] | None,
) -> bool:
    """Whether faces of one class all look the same; faces out of doubt are a class of their own."""
    seen: dict[Hashable, Hashable] = {}
    for face, shown in zip(faces, classes, strict=True):
        if doubt is not None and face not in doubt:
            continue
        found = look(face)
        if seen.setdefault(shown, found) != found:
            return False
    return True


def same(face: int) -> Hashable:
    """Every face looks different."""
    return face


def alike(face: int) -> Hashable:
    """All faces look alike."""
    return 1


def only(face: Term) -> Look:
    """The look of a count of one face, whichever of its type it is."""
    wanted = frozenset(face.type.faces)
    if isinstance(face, Const) and isinstance(face.value, int):
        wanted = frozenset((face.value,))
    return lambda each: each if each in wanted else OUT


def column(values: tuple[int | tuple[int, ...], ...], base: int) -> Look:
    """The look of a member of which only a table is read."""
    return lambda face: values[face - base] if 0 <= face - base < len(values) else OUT
