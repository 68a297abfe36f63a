"""Control points of the game model: what phases become."""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.model.effects import Statement
from gemwright.dsl.model.terms import Domain, Term
from gemwright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class Point:
    """A control point: `id` is its number, `phase` the path of the phase it belongs to ('a/b')."""

    id: int
    phase: str
    span: Span
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Do(Point):
    """Run statements, then go on."""

    body: tuple[Statement, ...]
    slots: int
    next: int


@dataclass(frozen=True, slots=True)
class Arm:
    """One line of `next`, or an `if`."""

    condition: Term | None
    target: int
    elements: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Branch(Point):
    """Go to the first arm whose condition holds; the last arm has none."""

    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class LoopStart(Point):
    """Enter a counted loop: set the hidden variable `counter` to 0 and, over players, `origin`."""

    counter: int
    origin: int | None
    start: Term | None
    next: int


@dataclass(frozen=True, slots=True)
class LoopTest(Point):
    """Bind the next element to the role and go to `body`, or go to `exit` when none is left.

    Over players: seats clockwise from `origin`, players who are out are skipped; `endless`
    loops again and
    again. Over values: `values` in order. The counter is advanced here.
    """

    counter: int
    origin: int | None
    values: tuple[int, ...] | None
    seats: int
    role: int | None
    endless: bool
    body: int
    exit: int


@dataclass(frozen=True, slots=True)
class Count(Point):
    """Count an entry of a capped phase; past `times` control goes to `capped`."""

    counter: int
    times: int
    next: int
    capped: int


@dataclass(frozen=True, slots=True)
class Decide(Point):
    """A decision: each of `actors` chooses one of `actions` (ids), or the `anytime` ones beside
    them.

    `together`: sealed and simultaneous; each actor's pick goes to `sealed` cells and all run in
    seat order
    when the last is in. `otherwise` is the branch when nobody listed has a complete pick:
    control point, or
    further action ids. `can_pass` offers pass. After a move control goes to `next`; after an
    anytime action
    back to this point; with `repeat` back to this point until a pass or until `counter` reaches
    `at_most`.
    """

    by: Term | None
    others: Domain | None
    actions: tuple[int, ...]
    can_pass: bool
    anytime: tuple[int, ...]
    otherwise: int | None
    fallback: tuple[int, ...]
    fallback_pass: bool
    together: bool
    sealed: int
    repeat: bool
    counter: int | None
    at_most: int | None
    next: int


@dataclass(frozen=True, slots=True)
class End(Point):
    """The end of the game; `reason` is 'finished', 'stalemate' or 'capped'."""

    reason: str
