"""Actions of the game model: what a player picks, under which conditions, to what effect."""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.model.effects import Source, Statement
from gemwright.dsl.model.terms import Domain, Term, Type
from gemwright.dsl.source import Span

PASS_ACTION = "pass"


@dataclass(frozen=True, slots=True)
class LotCell:
    """One cell of a lot parameter: pieces of `face` in the source numbered `source`."""

    source: int
    face: int
    high: int
    """The greatest count that can ever be picked."""


@dataclass(frozen=True, slots=True)
class LotDomain:
    """A sub-multiset of the pieces of `faces` in one or more zone instances."""

    sources: tuple[Source, ...]
    faces: tuple[int, ...]
    cells: tuple[LotCell, ...]


@dataclass(frozen=True, slots=True)
class PieceDomain:
    """One piece of `faces` from zone instances (`index` None on an indexed zone: any instance)."""

    sources: tuple[Source, ...]
    faces: tuple[int, ...]
    options: tuple[tuple[int, int], ...]
    """All (zone instance, face) that can ever occur, in order."""


@dataclass(frozen=True, slots=True)
class ValueDomain:
    """A player, member, number or yes/no; `high`/`low` bound a number statically."""

    domain: Domain
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """A thing that the player picks; its value stands in frame slot `slot`."""

    name: str
    slot: int
    type: Type
    domain: LotDomain | PieceDomain | ValueDomain
    secret: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Line:
    """One line of `where`."""

    condition: Term
    text: str
    clauses: tuple[str, ...]
    span: Span
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """choose / where / do. Slot 0 of the frame is `me`."""

    id: int
    name: str
    parameters: tuple[Parameter, ...]
    where: tuple[Line, ...]
    do: tuple[Statement, ...]
    slots: int
    walk: str
    """'pass' when the conditions are in walkable normal form, 'list' when few picks are
    enumerated."""
    elements: tuple[int, ...]
    span: Span
