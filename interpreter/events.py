"""What happens in a game, in order: the events that effects and control emit.

Events carry everything, hidden faces too. What one player may see of an event is decided in
`gemwright.interpreter.information.views`; never hand an event to a player without it. Numbers are
those of the game model: zone instances, faces, variables, actions; seats are 0-based.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gemwright.dsl.model.terms import Type
from gemwright.dsl.source import Span

Value = int | tuple[int, ...]
"""A number, flag, face or seat; a picked piece as (zone instance, face); or a vector of counts."""

Pieces = tuple[tuple[int, int], ...]
"""Pieces as (face, count), in the order in which they moved or lie."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Pieces went from one zone instance to another.

    `from_end` and `to_end` say where in an ordered zone: 'top', 'bottom', 'random' (target only) or
    '' (by face, or unordered). `refill` marks the filling of a row's gaps at the end of a sentence.
    `emptied` says that nothing was left behind, which follows from the sizes and is seen by all.
    """

    source: int
    target: int
    faces: Pieces
    from_end: str
    to_end: str
    refill: bool = False
    emptied: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A stack was shuffled: what anybody knew of its order is gone."""

    instance: int


@dataclass(frozen=True, slots=True)
class Assigned:
    """A state variable or role got a value."""

    variable: int
    position: int
    value: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """A player chose an action. `secret` says for each parameter whether it was picked secretly."""

    player: int
    action: int
    values: tuple[Value, ...]
    secret: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """A player passed; `forced` when the rules passed for him because he had nothing to choose."""

    player: int
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Published:
    """A value became known to the seats `to` (None = everybody). `span` is what was read."""

    text: str
    value: Value
    to: tuple[int, ...] | None
    type: Type
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """The pieces of a zone instance became known to the seats `to` (None = everybody)."""

    instance: int
    to: tuple[int, ...] | None
    faces: Pieces


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A player is out of the game."""

    player: int


@dataclass(frozen=True, slots=True)
class Entered:
    """Control passed to another phase."""

    phase: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; `reason` is 'finished', 'stalemate' or 'capped'."""

    reason: str


Event = (
    Moved | Shuffled | Assigned | Chosen | Passed | Published | Shown | Eliminated | Entered | Ended
)
