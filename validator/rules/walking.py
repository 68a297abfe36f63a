"""Walks over terms and sentences: all parts, what is read, which slots are free.

Places in a file are no parts: two terms that read the same are equal wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span

Token = tuple[str, int]
"""Something of the state: ('zone', family), ('variable', id), or ('out', 0): who is out."""

OUT: Token = ("out", 0)
_FIELDS: Final[dict[type, tuple[str, ...]]] = {}
"""Names of fields by class: a cache, looked up for every part of every term."""

BINDERS = (t.Fold, t.VectorBuild, t.SomeLot)


def _names(part: Any) -> tuple[str, ...]:
    kind = type(part)
    found = _FIELDS.get(kind)
    if found is None:
        known = is_dataclass(kind) and kind is not Span
        names = [each.name for each in fields(kind)] if known else []
        found = _FIELDS[kind] = tuple(n for n in names if n not in ("span", "elements"))
    return found


def nodes(root: object) -> Iterator[object]:
    """All dataclass values inside a value (itself included) that are no spans, outermost first."""
    todo = [root]
    while todo:
        node = todo.pop()
        if type(node) is tuple:
            todo.extend(reversed(node))
            continue
        names = _FIELDS.get(type(node))
        if names is None:
            names = _names(node)
        if names:
            yield node
            todo.extend([getattr(node, name) for name in reversed(names)])


def parts(node: object) -> Iterator[object]:
    """The dataclass values directly inside one, in order; tuples are looked into."""
    todo = [getattr(node, name) for name in reversed(_names(node))]
    while todo:
        value = todo.pop()
        if type(value) is tuple:
            todo.extend(reversed(value))
        elif _names(value):
            yield value


def reads(root: object) -> frozenset[Token]:
    """What of the state a term, or whatever holds terms, reads."""
    found: set[Token] = set()
    for node in nodes(root):
        match node:
            case t.ZoneVector() | t.ZoneCount() | t.ZoneSize() | t.ZoneTop():
                found.add(("zone", node.zone))
            case t.ReadVariable():
                found.add(("variable", node.variable))
            case t.IsOut() | t.Players():
                found.add(OUT)
    return frozenset(found)


def free_slots(root: object) -> tuple[int, ...]:
    """The slots of the frame that a term reads and does not bind itself, in order."""
    used, bound = set[int](), set[int]()
    for node in nodes(root):
        if isinstance(node, t.Local):
            used.add(node.slot)
        elif isinstance(node, BINDERS):
            bound.add(node.slot)
    return tuple(sorted(used - bound))


def replaced(term: t.Term, values: Mapping[int, int | t.Term], cells: Mapping[int, int]) -> t.Term:
    """The term with slots and single variables replaced: by known numbers, members or players, or
    by terms that mean the same (a slot that holds a piece: by one that is its face)."""

    def inside(part: Any) -> Any:
        if isinstance(part, t.PieceFace):
            face = values.get(part.piece.slot)
            return face if isinstance(face, t.Term) else _rebuilt(part, inside)
        if isinstance(part, t.PieceFrom) and isinstance(values.get(part.piece.slot), t.Term):
            return part
        if isinstance(part, t.Local) and part.slot in values:
            value = values[part.slot]
            return t.Const(part.type, None, value) if isinstance(value, int) else value
        if isinstance(part, t.ReadVariable) and part.index is None and part.variable in cells:
            return t.Const(part.type, None, cells[part.variable])
        return _rebuilt(part, inside)

    found: t.Term = inside(term)
    return found


def exchanged(term: t.Term, which: Callable[[Any], bool], instead: t.Term) -> t.Term:
    """The term with some of its parts exchanged for another."""

    def inside(part: Any) -> Any:
        return instead if which(part) else _rebuilt(part, inside)

    found: t.Term = inside(term)
    return found


def mapped(term: t.Term, change: Callable[[Any], Any]) -> t.Term:
    """The term with every part, from the inside out, exchanged for what `change` makes of it."""

    def inside(part: Any) -> Any:
        return change(_rebuilt(part, inside))

    found: t.Term = inside(term)
    return found


def _rebuilt(part: Any, inside: Callable[[Any], Any]) -> Any:
    """A value with the parts that it is made of exchanged."""
    if isinstance(part, tuple):
        return tuple(inside(each) for each in part)
    if isinstance(part, t.Term | t.Faces | t.Players | t.Numbers | t.Pieces):
        return replace(part, **{name: inside(getattr(part, name)) for name in _names(part)})
    return part


def normal_form(term: t.Term) -> t.Term:
    """The term with the slots that it binds renamed by how deep they are bound (-1 outermost), and
    without the ranges of its types.

    Equal conditions have equal normal forms, wherever in the rules they stand.
    """
    found: t.Term = _normal(term, {}, -1)
    return found


def _normal(part: Any, names: Mapping[int, int], free: int) -> Any:
    """Normal form where slots already have names; `free` is the next name."""
    if isinstance(part, BINDERS):
        names, free = {**names, part.slot: free}, free - 1
    found = _rebuilt(part, lambda inner: _normal(inner, names, free))
    if isinstance(found, t.Term):
        found = replace(found, type=replace(found.type, low=0, high=0))
    if isinstance(found, t.Local) and found.slot in names:
        return replace(found, slot=names[found.slot], name="")
    if isinstance(found, BINDERS):
        return replace(found, slot=names[found.slot])
    return found
