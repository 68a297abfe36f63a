"""Plays that differ only in who is who: one of them stands for all.

Let every seat take the name of the next one. If the abstract system stays the same, then what a
play becomes is a play, too, and goes on for ever if that one does. So where seats are told apart
for the first time, as when the first player is drawn, one way on of each circle of renamings is
enough.

Nothing is taken for granted: the renamed system is compared with the system, edge by edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.edge_form import Form, form_of, row_of
from gemwright.validator.abstraction.lowering import Lowered
from gemwright.validator.abstraction.points import Node
from gemwright.validator.abstraction.transitions import Cell, Edge, Obligation, TransitionSystem
from gemwright.validator.abstraction.vocabulary import Vocabulary
from gemwright.validator.linear.affine import Affine, Constraint, number
from gemwright.validator.rules.walking import mapped


@dataclass(frozen=True, slots=True)
class Renaming:
    """What cells and points become when every seat takes the name of the next one."""

    cells: tuple[int, ...]
    points: tuple[int, ...]


def one_of_each(lowered: Lowered) -> Lowered:
    """The system without plays that others become by renaming seats; as it is where seats differ in
    more than their names."""
    system = lowered.system
    renaming = _renaming(lowered)
    if renaming is None or not _is_same(system, renaming):
        return lowered
    split = _split(system, renaming)
    if split is None:
        return lowered
    kept = set(_representatives(system, renaming, split, lowered.vocabulary.game.players))
    return _restricted(
        replace(lowered, turned=renaming.cells),
        [e for n, e in enumerate(system.edges) if e.source != split or n in kept],
    )


# -- renaming


def _renaming(lowered: Lowered) -> Renaming | None:
    vocabulary, start = lowered.vocabulary, lowered.system.start
    positions = {node: at for at, node in enumerate(lowered.places)}
    # What is known at the start is no choice of anybody.
    points = [
        start if at == start else positions.get(renamed_node(node, vocabulary), -1)
        for at, node in enumerate(lowered.places)
    ]
    cells = _renamed_cells(vocabulary)
    if not _is_one_to_one(points) or not _is_one_to_one(cells):
        return None
    return Renaming(tuple(cells), tuple(points))


def _is_one_to_one(numbers: Sequence[int]) -> bool:
    return sorted(numbers) == list(range(len(numbers)))


def renamed_node(node: Node, vocabulary: Vocabulary) -> Node:
    """What a node becomes when every seat takes the name of the next one."""
    game = vocabulary.game
    players = {v.id for v in game.variables if v.type.base is t.Base.PLAYER}
    explicit = tuple(
        (v, (value + 1) % game.players if v in players and value >= 0 else value)
        for v, value in node.explicit
    )
    return replace(node, explicit=explicit)


def _renamed_cells(vocabulary: Vocabulary) -> list[int]:
    game, found = vocabulary.game, list(range(len(vocabulary.cells)))
    for cell, other in (*_renamed_places(vocabulary), *_renamed_variables(vocabulary)):
        found[cell] = other
    conditions = dict(vocabulary.condition_cells())
    for term, cell in conditions.items():
        found[cell] = conditions.get(_renamed_term(term, game.players), -1)
    return found


def _renamed_places(vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    game = vocabulary.game
    for here, place in enumerate(vocabulary.places):
        zone = game.zones[place.zone]
        if zone.index != "player" or len(place.instances) > 1:
            continue
        seat = place.instances[0] - zone.first
        other = vocabulary.place_of[zone.first + (seat + 1) % game.players]
        yield from vocabulary.cells_of(here, other)


def _renamed_variables(vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    game = vocabulary.game
    outs = vocabulary.outs
    yield from zip(outs, (*outs[1:], *outs[:1]), strict=True)
    for variable in game.variables:
        for seat in range(variable.size if variable.index == "player" else 0):
            cell = vocabulary.variable(variable.id, seat)
            other = vocabulary.variable(variable.id, (seat + 1) % game.players)
            if cell is not None and other is not None:
                yield cell, other


def _renamed_term(term: t.Term, players: int) -> t.Term:
    """What a condition becomes. Whether it says the same of the renamed seats does not matter: as
    far as the system knows, a condition is a number that changes as its edges say."""

    def renamed(part: object) -> object:
        if isinstance(part, t.Const) and part.type.base is t.Base.PLAYER:
            assert isinstance(part.value, int)
            return replace(part, value=(part.value + 1) % players)
        return part

    return mapped(term, renamed)


# -- comparing


def _is_same(system: TransitionSystem, renaming: Renaming) -> bool:
    cells, points, edges = renaming.cells, renaming.points, _shown(system)
    return (
        points[system.start] == system.start
        and all(_alike(system.cells, cell, cells) for cell in range(len(cells)))
        and all(
            system.points[one].kind is system.points[other].kind for one, other in enumerate(points)
        )
        and all(
            {row_of(row, cells) for row in rows} == {row_of(row) for row in rows}
            for rows in (system.initial, system.facts)
        )
        and Counter(form_of(edge, cells, points) for edge in edges)
        == Counter(form_of(edge) for edge in edges)
    )


def _shown(system: TransitionSystem) -> list[Edge]:
    """The edges; those of the start without conditions that the initial state meets anyway.

    Setups deal to one seat after the other, and what they ask on the way names some seats only.
    """
    if any(edge.target == system.start for edge in system.edges):
        return list(system.edges)
    values = dict(_initial_values(system))
    return [
        replace(
            edge,
            guard=_open(edge.guard, values),
            obligations=tuple(_met_or_not(edge.obligations, values)),
        )
        if edge.source == system.start
        else edge
        for edge in system.edges
    ]


def _met_or_not(
    obligations: Iterable[Obligation], values: Mapping[int, Affine]
) -> Iterator[Obligation]:
    """Obligations that are not met anyway where cells have these values."""
    for each in obligations:
        for claim in _open((each.claim,), values):
            yield replace(each, claim=claim, given=_open(each.given, values))


def _initial_values(system: TransitionSystem) -> Iterator[tuple[int, Affine]]:
    for each in system.initial:
        terms = each.expression.terms
        if each.equality and len(terms) == 1 and abs(terms[0][1]) == 1:
            yield terms[0][0], number(-each.expression.constant * terms[0][1])


def _open(rows: Iterable[Constraint], values: Mapping[int, Affine]) -> tuple[Constraint, ...]:
    """Conditions that are not met anyway where cells have these values."""
    left = [row.substitute(values) for row in rows]
    return tuple(row for row in left if row.expression.terms or not row.holds({}))


def _alike(known: Sequence[Cell], cell: int, cells: Sequence[int]) -> bool:
    one, other = known[cell], known[cells[cell]]
    reads = {cells[each] for each in one.reads}
    return (one.kind, one.low, one.high, one.variables, reads) == (
        other.kind,
        other.low,
        other.high,
        other.variables,
        set(other.reads),
    )


# -- restricting


def _split(system: TransitionSystem, renaming: Renaming) -> int | None:
    """The first point that no renaming moves, from which ways lead to points that are moved, and
    to which no play comes back."""
    for point in range(len(system.points)):
        targets = [edge.target for edge in system.edges if edge.source == point]
        if (
            renaming.points[point] == point
            and any(renaming.points[target] != target for target in targets)
            and point not in _reached(system.edges, targets)
        ):
            return point
    return None


def _representatives(
    system: TransitionSystem, renaming: Renaming, split: int, times: int
) -> Iterator[int]:
    """The edges from a point, without those that an earlier one becomes."""
    covered: set[Form] = set()
    for place, edge in enumerate(_shown(system)):
        if edge.source != split or form_of(edge) in covered:
            continue
        cells = points = None
        for _ in range(times):
            cells = _after(cells, renaming.cells)
            points = _after(points, renaming.points)
            covered.add(form_of(edge, cells, points))
        yield place


def _after(first: Sequence[int] | None, second: Sequence[int]) -> Sequence[int]:
    return second if first is None else [second[each] for each in first]


def _reached(edges: Iterable[Edge], starts: Iterable[int]) -> set[int]:
    onward: dict[int, list[int]] = {}
    for edge in edges:
        onward.setdefault(edge.source, []).append(edge.target)
    found, todo = set[int](), list(starts)
    while todo:
        point = todo.pop()
        if point not in found:
            found.add(point)
            todo.extend(onward.get(point, ()))
    return found


def _restricted(lowered: Lowered, edges: Sequence[Edge]) -> Lowered:
    """What is left with these edges of what can be reached."""
    system = lowered.system
    left = sorted(_reached(edges, [system.start]))
    places = {point: place for place, point in enumerate(left)}
    kept = tuple(
        replace(edge, source=places[edge.source], target=places[edge.target])
        for edge in edges
        if edge.source in places
    )
    smaller = replace(
        system,
        points=tuple(system.points[point] for point in left),
        edges=kept,
        start=places[system.start],
        refused=tuple(
            replace(edge, source=places[edge.source], target=places[edge.source])
            for edge in system.refused
            if edge.source in places
        ),
    )
    return replace(lowered, system=smaller, places=tuple(lowered.places[at] for at in left))
