"""What the abstract state of a game consists of: its cells, and what each stands for.

A place is a zone instance, or all instances of a zone family together when they are `pooled`. A
zone cell counts the pieces of one family in one place, a sum cell adds up a column over a place.
Counters are numbers and flags of the state, per position or pooled. What is `explicit` is no cell:
its value is part of the abstract control point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.transitions import Cell, CellKind
from gemwright.validator.linear.affine import Affine, Constraint, affine, at_most
from gemwright.validator.linear.affine import number as constant
from gemwright.validator.rules.doing import possible_actions
from gemwright.validator.rules.families import Family, families
from gemwright.validator.rules.walking import OUT, Token, nodes

NUMERIC: Final = (t.Base.INT, t.Base.FLAG)
ZONE_READS: Final = (t.ZoneVector, t.ZoneCount, t.ZoneSize, t.ZoneTop)


@dataclass(frozen=True, slots=True)
class Column:
    """A number for every face, added up over places: `weights` by face, 0 for all others."""

    name: str
    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Precision:
    """How much the abstraction tells apart.

    `seats`: places and counters per player, else pooled. `laps`: whose turn it is and where the lap
    began are part of the control point, else only whose turn it is. `members`: small kinds member
    by member. `columns`: added up over places.
    """

    seats: bool = False
    laps: bool = False
    members: bool = False
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Zone instances that are counted together."""

    zone: int
    instances: tuple[int, ...]
    label: str


class Vocabulary:
    """The cells of one game at one precision.

    `conditions` are closed terms that get a cell each. Without `caps` nothing counts how often a
    capped phase was entered.
    """

    def __init__(
        self,
        game: m.Game,
        precision: Precision,
        conditions: Sequence[t.Term] = (),
        caps: bool = False,
    ) -> None:
        self.game = game
        self._caps = caps
        self.precision = precision
        self.families: tuple[Family, ...] = families(game, precision.members)
        self.family_of: Mapping[int, int] = {
            face: position for position, family in enumerate(self.families) for face in family.faces
        }
        self.explicit: frozenset[int] = frozenset(_explicit(game, precision))
        self.places: list[Place] = []
        self.place_of: dict[int, int] = {}
        self.cells: list[Cell] = []
        self.facts: list[Constraint] = []
        self._counts: dict[tuple[int, int], int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._variables: dict[tuple[int, int], int] = {}
        self._outs: list[int] = []
        self._conditions: dict[t.Term, int] = {}
        self._behind: dict[Token, list[int]] = {}
        self._add_variables()
        self._add_zones()
        for term in conditions:
            self._add_condition(term)

    # -- looking up

    def count(self, place: int, family: int) -> int | None:
        """The cell that counts a family in a place; None where it cannot lie."""
        return self._counts.get((place, family))

    def families_at(self, place: int) -> list[int]:
        """The families that may lie in a place."""
        return [family for number, family in self._counts if number == place]

    def sum_of(self, place: int, column: int) -> int | None:
        """The cell that adds up a column over a place."""
        return self._sums.get((place, column))

    def cells_of(self, place: int, other: int) -> Iterator[tuple[int, int]]:
        """The cells of one place beside those that count the same in another."""
        for cells in (self._counts, self._sums):
            for (at, what), cell in cells.items():
                if at == place:
                    yield cell, cells[other, what]

    def variable(self, variable: int, position: int) -> int | None:
        """The cell of a state variable; pooled ones share one. None if it is no number."""
        return self._variables.get((variable, position))

    def out(self, seat: int) -> int:
        """The cell that tells (or counts) who is out."""
        return self._outs[seat]

    @property
    def outs(self) -> tuple[int, ...]:
        """The cells that tell who is out, by seat; () where nobody can be."""
        return tuple(self._outs)

    def condition(self, term: t.Term) -> int | None:
        """The cell of a condition in normal form."""
        return self._conditions.get(term)

    @property
    def pooled(self) -> bool:
        """Whether what is per player is counted together."""
        return not self.precision.seats and self.game.players > 1

    def is_pooled(self, place: int) -> bool:
        """Whether a place stands for several zone instances."""
        return len(self.places[place].instances) > 1

    # -- making cells

    def _cell(self, cell: Cell, behind: Token) -> int:
        self.cells.append(cell)
        self._behind.setdefault(behind, []).append(len(self.cells) - 1)
        return len(self.cells) - 1

    def _add_variables(self) -> None:
        for seat in range(self.game.players if _can_go_out(self.game) else 0):
            if self.pooled and seat:
                self._outs.append(self._outs[0])
                continue
            high, index = (self.game.players, "") if self.pooled else (1, f"P{seat + 1}")
            self._outs.append(self._cell(Cell(CellKind.COUNTER, 0, high, "out", index), OUT))
        uncounted = frozenset[int]() if self._caps else _cap_counters(self.game)
        for variable in self.game.variables:
            if variable.id in self.explicit or variable.type.base not in NUMERIC:
                continue
            if variable.id in uncounted:
                continue
            self._add_variable(variable)

    def _add_variable(self, variable: m.Variable) -> None:
        low, high, token = variable.type.low, variable.type.high, ("variable", variable.id)
        kind = CellKind.LOOP if variable.id in loop_counters(self.game) else CellKind.COUNTER
        if variable.index == "player" and self.pooled:
            n = variable.size
            cell = self._cell(Cell(kind, low * n, high * n, variable.name), token)
            for position in range(n):
                self._variables[variable.id, position] = cell
            return
        for position, label in enumerate(variable.labels):
            cell = self._cell(Cell(kind, low, high, variable.name, label), token)
            self._variables[variable.id, position] = cell

    def _add_zones(self) -> None:
        for zone in self.game.zones:
            pooled = zone.index == "player" and self.pooled
            groups = (
                [tuple(range(zone.first, zone.first + zone.size))]
                if pooled
                else [(zone.first + number,) for number in range(zone.size)]
            )
            for number, group in enumerate(groups):
                label = "" if pooled else zone.labels[number]
                self._add_place(Place(zone.id, group, label), zone)

    def _add_place(self, place: Place, zone: m.Zone) -> None:
        number = len(self.places)
        self.places.append(place)
        self.place_of.update(dict.fromkeys(place.instances, number))
        room = _room(zone)
        most = None if room is None else room * len(place.instances)
        held = frozenset(zone.faces)
        there = [
            n
            for n, family in enumerate(self.families)
            if family.count and held.issuperset(family.faces)
        ]
        cells = []
        for family in there:
            high = self.families[family].count
            high = high if most is None else min(high, most)
            name = self.families[family].name if len(there) > 1 else ""
            cell = Cell(CellKind.ZONE, 0, high, zone.name, place.label, name, place=number)
            self._counts[number, family] = self._cell(cell, ("zone", zone.id))
            cells.append(self._counts[number, family])
        if most is not None and sum(self.cells[cell].high or 0 for cell in cells) > most:
            total = affine((cell, 1) for cell in cells)
            self.facts.append(at_most(total, constant(most)))
        for position, column in enumerate(self.precision.columns):
            self._add_sum(number, position, column, zone)

    def _add_sum(self, place: int, position: int, column: Column, zone: m.Zone) -> None:
        weights = [(column.weights[face], self.game.faces[face].count) for face in zone.faces]
        low = sum(weight * count for weight, count in weights if weight < 0)
        high = sum(weight * count for weight, count in weights if weight > 0)
        if low == high:
            return
        cell = Cell(
            CellKind.SUM, low, high, zone.name, self.places[place].label, f"sum of {column.name}"
        )
        self._sums[place, position] = self._cell(cell, ("zone", zone.id))

    def _add_condition(self, term: t.Term) -> None:
        behind, unseen = self._read_by(term), self._unseen(term)
        cell = Cell(CellKind.CONDITION, 0, 1, "condition", reads=behind, variables=unseen)
        self.cells.append(cell)
        self._conditions[term] = len(self.cells) - 1

    def _unseen(self, term: t.Term) -> tuple[int, ...]:
        """The variables that a condition reads and for which no cell stands."""
        read = {node.variable for node in nodes(term) if isinstance(node, t.ReadVariable)}
        return tuple(sorted(each for each in read if ("variable", each) not in self._behind))

    def _read_by(self, term: t.Term) -> tuple[int, ...]:
        found: set[int] = set()
        for node in nodes(term):
            if isinstance(node, ZONE_READS):
                found.update(self._cells_at(node.zone, node.index))
            elif isinstance(node, t.ReadVariable):
                found.update(self._behind.get(("variable", node.variable), ()))
            elif isinstance(node, t.IsOut | t.Players):
                found.update(self._outs)
        return tuple(sorted(found))

    def _cells_at(self, zone: int, index: t.Term | None) -> Iterator[int]:
        """The cells of a zone instance, of all of them if it is not known which."""
        family = self.game.zones[zone]
        instances = range(family.first, family.first + family.size)
        if isinstance(index, t.Const) and isinstance(index.value, int):
            instances = range(family.first + index.value, family.first + index.value + 1)
        for place in {self.place_of[instance] for instance in instances}:
            for (at, _), cell in (*self._counts.items(), *self._sums.items()):
                if at == place:
                    yield cell

    # -- what cells stand for

    def values(self, block: Sequence[int], counts: Mapping[int, Sequence[int]]) -> list[int]:
        """The values of all cells but conditions (these are 0) in a concrete state.

        Args:
            block: the state block.
            counts: per zone instance the counts over the faces of its zone.
        """
        found = [0] * len(self.cells)
        for offset, cell in self.numbers():
            found[cell] += block[offset]
        for place, cell, weights in self.weighed():
            found[cell] = self._total(place, counts, weights)
        return found

    def numbers(self) -> Iterator[tuple[int, int]]:
        """Positions in the state block with the cells to which their values are added."""
        for seat, cell in enumerate(self._outs):
            yield self.game.out_offset + seat, cell
        for (variable, position), cell in self._variables.items():
            yield self.game.variables[variable].offset + position, cell

    def weighed(self) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Places with the cells that count or add up what lies there, and what a piece of each face
        of the game counts."""
        for (place, family), cell in self._counts.items():
            yield place, cell, self._indicator(family)
        for (place, column), cell in self._sums.items():
            yield place, cell, self.precision.columns[column].weights

    def _indicator(self, family: int) -> Sequence[int]:
        weights = [0] * len(self.game.faces)
        for face in self.families[family].faces:
            weights[face] = 1
        return weights

    def _total(
        self, place: int, counts: Mapping[int, Sequence[int]], weights: Sequence[int]
    ) -> int:
        faces = self.game.zones[self.places[place].zone].faces
        return sum(
            weights[face] * count
            for instance in self.places[place].instances
            for face, count in zip(faces, counts[instance], strict=True)
        )

    def apart(self, other: Vocabulary) -> Mapping[int, Affine]:
        """What the cells of a vocabulary that pools players are in the cells of this one, which
        does not; without sums and conditions. Both know the same families."""
        found: dict[int, list[tuple[int, int]]] = {}
        for (place, family), cell in other._counts.items():
            counts = (
                self.count(self.place_of[instance], family)
                for instance in other.places[place].instances
            )
            found[cell] = [(count, 1) for count in counts if count is not None]
        for key, cell in other._variables.items():
            assert key in self._variables, "numbers are cells at every precision but that of laps"
            found.setdefault(cell, []).append((self._variables[key], 1))
        for own, cell in zip(self._outs, other._outs, strict=True):
            found.setdefault(cell, []).append((own, 1))
        return {cell: affine(terms) for cell, terms in found.items()}

    def condition_cells(self) -> Iterator[tuple[t.Term, int]]:
        """The conditions with their cells."""
        yield from self._conditions.items()


def _can_go_out(game: m.Game) -> bool:
    return any(
        isinstance(node, m.Eliminate) for node in nodes((game.points, possible_actions(game)))
    )


def _room(zone: m.Zone) -> int | None:
    if zone.order == "row":
        return zone.slots if zone.limit is None else min(zone.slots, zone.limit)
    return zone.limit


def loop_counters(game: m.Game) -> frozenset[int]:
    """The hidden variables that count the rounds of loops."""
    return frozenset(point.counter for point in game.points if isinstance(point, m.LoopTest))


def _cap_counters(game: m.Game) -> frozenset[int]:
    return frozenset(point.counter for point in game.points if isinstance(point, m.Count))


def _explicit(game: m.Game, precision: Precision) -> Iterator[int]:
    """Single variables whose value becomes part of the control point."""
    tests = [point for point in game.points if isinstance(point, m.LoopTest)]
    laps = {point.counter for point in tests if point.values is None}
    origins = {point.origin for point in tests if point.origin is not None}
    for variable in game.variables:
        if variable.size != 1 or not precision.seats:
            continue
        if variable.id in laps or variable.id in origins:
            if precision.laps:
                yield variable.id
        elif variable.type.base is t.Base.PLAYER or (
            variable.type.base is t.Base.FACE and len(variable.type.faces) <= 12
        ):
            yield variable.id
