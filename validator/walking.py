"""Walks over terms and sentences: all parts, what is read, which slots are free.

Places in a file are no parts: two terms that read the same are equal wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache

from gemwright.dsl import terms as t
from gemwright.dsl.source import Span

Token = tuple[str, int]
"""Something of the state: ('zone', family), ('variable', id), or ('out', 0): who is out."""

OUT: Token = ("out", 0)
BINDERS = (t.Fold, t.VectorBuild, t.SomeLot)


@lru_cache(maxsize=None)
def _names(kind: type) -> tuple[str, ...]:
    assert is_dataclass(kind)
    return tuple(each.name for each in fields(kind) if each.name not in ("span", "elements"))


def nodes(root: object) -> Iterator[object]:
    """All dataclass values inside a value (itself included) that are no spans, outermost first."""
    todo = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(reversed(node))
        elif is_dataclass(node) and not isinstance(node, Span):
            yield node
            todo.extend(getattr(node, name) for name in reversed(_names(type(node))))


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


def replaced(term: t.Term, values: Mapping[int, int], cells: Mapping[int, int]) -> t.Term:
    """The term with slots and single variables replaced by known numbers, members or players."""
    if isinstance(term, t.Local) and term.slot in values:
        return t.Const(term.type, None, values[term.slot])
    if isinstance(term, t.ReadVariable) and term.index is None and term.variable in cells:
        return t.Const(term.type, None, cells[term.variable])
    changed = {name: _inside(getattr(term, name), values, cells) for name in _names(type(term))}
    return replace(term, **changed)


def _inside(part: object, values: Mapping[int, int], cells: Mapping[int, int]) -> object:
    if isinstance(part, t.Term):
        return replaced(part, values, cells)
    if isinstance(part, tuple):
        return tuple(_inside(each, values, cells) for each in part)
    if isinstance(part, t.Faces | t.Players | t.Numbers | t.Pieces):
        inner = {name: _inside(getattr(part, name), values, cells) for name in _names(type(part))}
        return replace(part, **inner)
    return part


def normal_form(term: t.Term) -> t.Term:
    """The term with the slots that it binds renamed in the order in which they occur.

    Equal conditions have equal normal forms, wherever in the rules they stand.
    """
    names: dict[int, int] = {}
    for node in nodes(term):
        if isinstance(node, BINDERS):
            names.setdefault(node.slot, -1 - len(names))
    return _renamed(term, names) if names else term


def _renamed(part: t.Term, names: Mapping[int, int]) -> t.Term:
    def inside(each: object) -> object:
        if isinstance(each, tuple):
            return tuple(inside(one) for one in each)
        if isinstance(each, t.Term | t.Faces | t.Players | t.Numbers | t.Pieces):
            changed = {name: inside(getattr(each, name)) for name in _names(type(each))}
            slot = changed.get("slot")
            if isinstance(slot, int):
                changed["slot"] = names.get(slot, slot)
            if isinstance(each, t.Local):
                changed["name"] = "" if each.slot in names else each.name
            return replace(each, **changed)
        return each

    found = inside(part)
    assert isinstance(found, t.Term)
    return found
