"""Statements of the game model: what setup, phases and actions do."""

from __future__ import annotations

from dataclasses import dataclass, field

from gemwright.dsl.model.terms import Domain, Term
from gemwright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class Place:
    """Where pieces go. `at`: 'any' (unordered or row), 'top', 'bottom', 'random' (among the
    bottom `among`)."""

    zone: int
    index: Term | None
    at: str = "any"
    among: Term | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A zone instance that pieces come from."""

    zone: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence. `elements` are the marked places whose meaning it carries: they ran when it
    ran."""

    span: Span
    elements: tuple[int, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class MovePicked(Statement):
    """Move a picked piece or lot (the parameter in `slot`) from where it was picked."""

    slot: int
    lot: bool
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class MoveEnd(Statement):
    """Move `count` pieces one by one from an end ('top' or 'bottom') of a stack; fewer if it
    runs out."""

    end: str
    count: Term
    source: Source
    to: Place
    shuffled: bool
    exact: bool = False
    """True when the file names a number: it is an assertion that so many are there."""


@dataclass(frozen=True, slots=True)
class MoveFace(Statement):
    """Move `count` pieces of one face."""

    count: Term
    face: Term
    source: Source
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class MoveVector(Statement):
    """Move a computed lot, cell by cell."""

    vector: Term
    source: Source
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class MoveAll(Statement):
    """Move every piece of `faces` (with `filter` true for the face in `slot`) out of one zone
    instance, or, when `source` is None, from wherever such pieces lie. `openly`: their number may
    tell something of what is hidden there."""

    faces: tuple[int, ...]
    source: Source | None
    slot: int
    filter: Term | None
    to: Place
    shuffled: bool
    openly: bool = False


@dataclass(frozen=True, slots=True)
class MoveRandom(Statement):
    """Move `count` random pieces of `faces`: single draws over the remaining pieces in face
    order."""

    count: Term
    faces: tuple[int, ...]
    source: Source
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    """Shuffle a stack (Fisher-Yates over its pieces in face order)."""

    zone: Source


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    """`:=`, `+=` or `-=` on a variable."""

    variable: int
    index: Term | None
    op: str
    value: Term


@dataclass(frozen=True, slots=True)
class AssignRandom(Statement):
    """A variable becomes a random player still in, or a random number or member of `domain`."""

    variable: int
    index: Term | None
    domain: Domain


@dataclass(frozen=True, slots=True)
class Let(Statement):
    """Freeze a value in a frame slot."""

    slot: int
    name: str
    value: Term


@dataclass(frozen=True, slots=True)
class IfDo(Statement):
    """Run one of two blocks."""

    condition: Term
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    """Run `body` for each element of a domain that is evaluated once, the element in `slot`.
    Over `Pieces` `count_slot`, if any, holds the count at the start."""

    slot: int
    name: str
    domain: Domain
    body: tuple[Statement, ...]
    count_slot: int | None = None


@dataclass(frozen=True, slots=True)
class Show(Statement):
    """The pieces of a zone instance become known to `to` (None = everybody)."""

    zone: Source
    to: Term | None


@dataclass(frozen=True, slots=True)
class Tell(Statement):
    """A value becomes known to `to` (None = everybody)."""

    value: Term
    text: str
    to: Term | None


@dataclass(frozen=True, slots=True)
class Eliminate(Statement):
    """A player is out of the game."""

    player: Term


@dataclass(frozen=True, slots=True)
class Leave(Statement):
    """End the effect at once and go to a control point (the exit of the phase that is left)."""

    target: int
    phase: str


@dataclass(frozen=True, slots=True)
class EndGame(Statement):
    """End the game at once. `reason` is 'finished' or 'stalemate'."""

    reason: str
