"""Forms of edges: equal forms mean that two edges say the same, whatever their parameters are
called and in whatever order their conditions stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemwright.validator.abstraction.transitions import Edge, Effect, Transfer
from gemwright.validator.linear.affine import Affine, Constraint

Row = tuple[tuple[tuple[int, int], ...], int, int]
"""Sorted terms, the constant, and 1 for an equality whose sign does not matter, else 0."""
Form = tuple[object, ...]

_ROUNDS = 2
"""So often parameters are told apart by those that they stand together with."""


def row_of(constraint: Constraint, cells: Sequence[int] | None = None) -> Row:
    """A constraint over cells, these renamed."""
    return _row(constraint.expression, constraint.equality, cells, {})


def form_of(
    edge: Edge, cells: Sequence[int] | None = None, points: Sequence[int] | None = None
) -> Form:
    """The form of an edge, its cells and points renamed (`cells[c]` is the name of c).

    Labels and places do not count.
    """
    named = _parameters(edge, cells)
    count = len(edge.parameters)
    ranges = sorted(
        (named[-1 - n], str(edge.parameters[n].low), str(edge.parameters[n].high))
        for n in range(count)
    )

    def rows(constraints: Iterable[Constraint]) -> frozenset[Row]:
        return frozenset(_row(each.expression, each.equality, cells, named) for each in constraints)

    return (
        edge.source if points is None else points[edge.source],
        edge.target if points is None else points[edge.target],
        edge.moves,
        edge.action,
        tuple(ranges),
        rows(edge.guard),
        tuple(sorted(_effect(effect, cells, named) for effect in edge.effects)),
        frozenset(rows(way) for way in edge.sufficient),
        frozenset((each.code, rows((each.claim,)), rows(each.given)) for each in edge.obligations),
    )


def _row(
    expression: Affine, equality: bool, cells: Sequence[int] | None, named: dict[int, int]
) -> Row:
    terms = sorted((_name(name, cells, named), value) for name, value in expression.terms)
    sign = -1 if equality and terms and terms[0][1] < 0 else 1
    return (
        tuple((name, sign * value) for name, value in terms),
        sign * expression.constant,
        equality,
    )


def _name(name: int, cells: Sequence[int] | None, named: dict[int, int]) -> int:
    if name < 0:
        return named.get(name, name)
    return name if cells is None else cells[name]


def _effect(
    effect: Effect, cells: Sequence[int] | None, named: dict[int, int]
) -> tuple[str, int, int, Row]:
    kind = type(effect).__name__
    if isinstance(effect, Transfer):
        ends = _name(effect.source, cells, named), _name(effect.target, cells, named)
        return kind, *ends, _row(effect.amount, False, cells, named)
    value = effect.value if hasattr(effect, "value") else effect.amount
    return kind, _name(effect.cell, cells, named), -1, _row(value, False, cells, named)


def _parameters(edge: Edge, cells: Sequence[int] | None) -> dict[int, int]:
    """New names of the parameters, in an order that tells them apart by where they occur."""
    names = [-1 - n for n in range(len(edge.parameters))]
    colours = dict.fromkeys(names, -1)
    for _ in range(_ROUNDS if len(names) > 1 else 0):
        seen: dict[int, list[tuple[str, Row]]] = {name: [] for name in names}
        for tag, expression, equality in _expressions(edge, cells):
            row = _row(expression, equality, cells, colours)
            for name, value in expression.terms:
                if name < 0:
                    seen[name].append((f"{tag} {value}", row))
        marks = {name: (colours[name], sorted(seen[name])) for name in names}
        order = sorted({repr(mark) for mark in marks.values()})
        colours = {name: -1 - order.index(repr(marks[name])) for name in names}
    ordered = sorted(names, key=lambda name: (-colours[name], -name))
    return {name: -1 - place for place, name in enumerate(ordered)}


def _expressions(edge: Edge, cells: Sequence[int] | None) -> Iterable[tuple[str, Affine, bool]]:
    """Where parameters occur."""
    for constraint in edge.guard:
        yield "guard", constraint.expression, constraint.equality
    for effect in edge.effects:
        kind, first, second, _ = _effect(effect, cells, {})
        amount = effect.amount if not hasattr(effect, "value") else effect.value
        yield f"{kind} {first} {second}", amount, False
