"""Symbolic values, and the path along which sentences are lowered.

A value that is known is an `int`: a number, a flag, a member, a seat. An `Affine` is a number over
cells and parameters. The others stand for what is partly known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from gemwright.dsl.model.game import Source
from gemwright.validator.abstraction.edge_builder import EdgeBuilder
from gemwright.validator.linear.affine import ZERO, Affine, number
from gemwright.validator.linear.feasible import Ranges
from gemwright.validator.rules.walking import Token


@dataclass(frozen=True, slots=True)
class Some:
    """One of these members or seats, it is not known which. The same `number`: the same one."""

    values: tuple[int, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Spot:
    """Where pieces lie: a place, and the zone instances of it that may be meant; equal `number`s
    of unknown instances mean the same one."""

    place: int
    instances: tuple[int, ...]
    number: int = -1

    @property
    def is_one(self) -> bool:
        """Whether it is one and the same instance wherever it is named."""
        return len(self.instances) == 1 or self.number >= 0


@dataclass(frozen=True, slots=True)
class Part:
    """So many pieces of a family, at a spot (None for a vector, which lies nowhere)."""

    spot: Spot | None
    family: int
    amount: Affine


@dataclass(frozen=True, slots=True)
class Vector:
    """A vector by families. `exact`: the parts are all that is to know of it.

    `columns` are the sums of the columns that are added up, () if they are not known: what lies in
    a zone, or was picked, may change without changing by families. The same `number`: the same
    pieces; where families have one member each, equal parts say as much.
    """

    parts: tuple[Part, ...]
    exact: bool = True
    columns: tuple[Affine | None, ...] = ()
    number: int = -1

    @property
    def total(self) -> Affine:
        """The sum of all cells."""
        return total(part.amount for part in self.parts)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece: its parts sum to 1. `columns` are the values of the columns that are added up,
    `faces` all that it can be. The same `number`: the same face; pieces of one family that are
    looked at one after the other may be different members."""

    parts: tuple[Part, ...]
    columns: tuple[Affine, ...]
    faces: tuple[int, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Lot:
    """A picked lot, its parts by the spots that it is taken from."""

    parts: tuple[Part, ...]
    columns: tuple[Affine, ...]


Value = int | Affine | Some | Vector | Piece | Lot


Key = tuple[object, ...]


class TermKey(NamedTuple):
    """What the value of a term depends on, apart from the cells: the number of its form, and what
    its free slots and single variables hold."""

    form: int
    slots: tuple[Value | None, ...]
    explicit: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """Whether a condition holds, what of the state it reads, and whether the guard says all that
    there is to it."""

    holds: bool
    reads: frozenset[Token]
    exact: bool


class Path:
    """One way through sentences: the edge so far and what is known beside its cells.

    `explicit` are the values of single variables that are known here, `frame` those of slots.
    `exact` is lost when a guard is only necessary for what the rules test. `memo` and `truths` keep
    what terms were found to be, so that what is read twice is the same twice. `picked` are the
    zones that pieces were picked from, `thinned` those from which others have gone since.
    """

    __slots__ = (
        "builder",
        "exact",
        "explicit",
        "frame",
        "memo",
        "picked",
        "ranges",
        "thinned",
        "truths",
    )

    def __init__(self, builder: EdgeBuilder, explicit: dict[int, int]) -> None:
        self.builder = builder
        self.explicit = explicit
        self.frame: dict[int, Value] = {}
        self.memo: dict[Key, tuple[Value, frozenset[Token]]] = {}
        self.truths: dict[TermKey, Truth] = {}
        self.exact = True
        self.picked: tuple[Source, ...] = ()
        self.thinned: frozenset[int] = frozenset()
        self.ranges = Ranges(builder.range_of)

    def fork(self) -> Path:
        """A copy that goes its own way."""
        other = Path(self.builder.fork(), dict(self.explicit))
        other.frame = dict(self.frame)
        other.memo = dict(self.memo)
        other.truths = dict(self.truths)
        other.exact, other.picked, other.thinned = self.exact, self.picked, self.thinned
        other.ranges = self.ranges.copy(other.builder.range_of)
        return other

    def possible(self) -> bool:
        """Whether ranges leave room for what was assumed."""
        return self.ranges.possible(self.builder.guard)

    def forget(self, *tokens: Token) -> None:
        """Something of the state has changed: what was read from it is not known any more."""
        written = frozenset(tokens)
        self.memo = {key: kept for key, kept in self.memo.items() if not written & kept[1]}
        self.truths = {key: kept for key, kept in self.truths.items() if not written & kept.reads}
        self.builder.changed(number_ for kind, number_ in tokens if kind == "variable")


def total(amounts: Iterable[Affine]) -> Affine:
    """The sum of expressions."""
    found = ZERO
    for amount in amounts:
        found = found + amount
    return found


def as_affine(value: int | Affine) -> Affine:
    """A known number as an expression."""
    return number(value) if isinstance(value, int) else value


def tidy(value: Affine) -> int | Affine:
    """An expression, as a number if it is one."""
    return value.constant if value.is_number else value
