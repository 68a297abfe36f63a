"""Rewriting terms: what the classification of conditions is made of.

Nothing here knows what a lot is. Slots are frame slots; a rewrite leaves positions as they are, so
a problem found later still points into the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.terms import Domain
from gemwright.dsl.model.traversal import INNER, within


def bound_slots(term: t.Term) -> set[int]:
    """The slots that folds, builds and lots inside a term bind."""
    binders = (t.Fold, t.VectorBuild, t.SomeLot)
    return {each.slot for each in within(term) if isinstance(each, binders)}


def rebuilt(term: Any, change: Callable[[t.Term], t.Term]) -> Any:
    """A term or domain with each term directly inside it changed."""
    changed: dict[str, object] = {}
    for name in INNER[type(term)]:
        old = getattr(term, name)
        new = _changed(old, change)
        if new is not old:
            changed[name] = new
    return replace(term, **changed) if changed else term


def _changed(value: object, change: Callable[[t.Term], t.Term]) -> object:
    if isinstance(value, t.Term):
        return change(value)
    if isinstance(value, Domain):
        return rebuilt(value, change)
    if isinstance(value, tuple) and any(isinstance(each, t.Term) for each in value):
        return tuple(change(each) if isinstance(each, t.Term) else each for each in value)
    return value


def renamed(term: t.Term, slots: dict[int, int]) -> t.Term:
    """A term that reads other slots; what it binds itself keeps its slot."""
    if isinstance(term, t.Local):
        return replace(term, slot=slots[term.slot]) if term.slot in slots else term
    found: t.Term = rebuilt(term, lambda each: renamed(each, slots))
    return found


def conjuncts(term: t.Term | None) -> tuple[t.Term, ...]:
    """A condition as terms that must all hold; () for None."""
    if term is None:
        return ()
    if isinstance(term, t.And):
        return tuple(each for inner in term.terms for each in conjuncts(inner))
    return (term,)


def all_of(terms: Iterable[t.Term]) -> t.Term:
    """The terms joined by `and`; true if there are none."""
    kept = tuple(terms)
    if not kept:
        return t.Const(t.FLAG, None, 1)
    return kept[0] if len(kept) == 1 else t.And(t.FLAG, kept[0].span, kept)


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
"""The comparison with its sides exchanged."""


def negated(term: t.Term) -> t.Term:
    """The negation of a condition, moved inwards as far as it goes."""
    if isinstance(term, t.Not):
        return term.term
    if isinstance(term, t.And):
        return t.Or(t.FLAG, term.span, tuple(negated(each) for each in term.terms))
    if isinstance(term, t.Or):
        return t.And(t.FLAG, term.span, tuple(negated(each) for each in term.terms))
    if isinstance(term, t.Compare):
        return replace(term, op=_OPPOSITE[term.op])
    if isinstance(term, t.Fold) and term.op in ("some", "every"):
        return replace(_quantifier(term), op="every" if term.op == "some" else "some")
    return t.Not(t.FLAG, term.span, term)


def _quantifier(term: t.Fold) -> t.Fold:
    """The fold with its body negated; without a body `some` means that there is any element."""
    body = term.body or t.Const(t.FLAG, term.span, 1)
    return replace(term, body=negated(body))


def integer(value: int) -> t.Const:
    """A constant number."""
    return t.Const(t.Type(t.Base.INT, value, value), None, value)


def product(left: t.Term, right: t.Term) -> t.Term:
    """The product of two numbers; its type is not narrowed."""
    if isinstance(left, t.Const) and left.value == 1:
        return right
    corners = [a * b for a in _ends(left) for b in _ends(right)]
    type = t.Type(t.Base.INT, min(corners), max(corners))
    return t.Arithmetic(type, right.span, "*", left, right)


def chosen(condition: t.Term, then: t.Term) -> t.Term:
    """`then if condition else 0`."""
    if isinstance(condition, t.Const):
        return then if condition.value else integer(0)
    low, high = _ends(then)
    type = t.Type(t.Base.INT, min(0, low), max(0, high))
    return t.If(type, condition.span, condition, then, integer(0))


def positive(term: t.Term) -> t.Term:
    """Whether a number is above 0."""
    return t.Compare(t.FLAG, term.span, ">", term, integer(0))


def _ends(term: t.Term) -> tuple[int, int]:
    return term.type.low, term.type.high


def key(term: object) -> str:
    """A text that is equal for terms that mean the same up to the order of symmetric operators."""
    if isinstance(term, t.Compare):
        sides = [(term.op, key(term.left), key(term.right))]
        sides.append((MIRROR[term.op], key(term.right), key(term.left)))
        return f"Compare{min(sides)}"
    if isinstance(term, t.Arithmetic) and term.op in "+*":
        return f"{term.op}{sorted((key(term.left), key(term.right)))}"
    if isinstance(term, t.And | t.Or):
        return f"{type(term).__name__}{sorted({key(each) for each in term.terms})}"
    if isinstance(term, t.Extreme):
        return f"{term.op}{sorted({key(each) for each in term.arguments})}"
    if isinstance(term, t.Local):
        return f"${term.slot}"
    if isinstance(term, t.Const):
        return f"{term.value}"
    if isinstance(term, tuple):
        return "(" + " ".join(key(each) for each in term) + ")"
    if isinstance(term, t.Term | Domain):
        skipped = ("type", "span", "name")
        inner = [key(getattr(term, f.name)) for f in fields(term) if f.name not in skipped]
        return f"{type(term).__name__}[{' '.join(inner)}]"
    return repr(term)
