"""What a game model is about: marked elements, kinds, faces, zones and state variables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemwright.dsl.model.terms import Type
from gemwright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class Element:
    """A marked place of the rules file: what `clauses` counts. `id` is its position in
    `Game.elements`."""

    id: int
    name: str
    clauses: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Kind:
    """A finite ordered set. `columns` maps a column to its value per face position."""

    name: str
    plural: str
    faces: tuple[int, ...]
    numbers: tuple[int, ...] | None = None
    """For a range of numbers the number of each member."""


@dataclass(frozen=True, slots=True)
class Face:
    """A member of a kind: what identical pieces share."""

    id: int
    name: str
    kind: str
    count: int
    """How many such pieces exist (all lie in the box at first); 0 for a kind that is no
    component."""

    def is_called(self, text: str) -> bool:
        """Whether a text names the member: by its name, or one of `KIND: 1..9` by its number."""
        if re.fullmatch(r"-?[0-9]+", text):
            return self.name in (text, f"{self.kind}_{text.replace('-', 'm')}")
        return self.name == text


@dataclass(frozen=True, slots=True)
class Zone:
    """A family of places. Instances are numbered `first .. first + size - 1`, globally unique.

    `sight[i][v]` tells what viewer v sees in instance i: for each face of `faces` a class
    number; equal
    classes look the same to him. All equal = only the size; all different = everything.
    """

    id: int
    name: str
    faces: tuple[int, ...]
    index: str
    """'' for a single zone, 'player', or the name of the kind or range that indexes it."""
    labels: tuple[str, ...]
    """One label per instance: '', a seat 'P1', or a member's name."""
    order: str
    """'counts', 'stack' or 'row'."""
    slots: int
    """Cells of an ordered instance: the greatest number of pieces; the length of a row."""
    limit: int | None
    refill: int | None
    """The zone (family) that fills the gaps of a row, same index or a single zone."""
    sight: tuple[tuple[tuple[int, ...], ...], ...]
    seen_by: str
    """How the file says it, for people: 'all', 'owner', 'nobody' or 'columns'."""
    first: int
    offset: int
    """First cell of the first instance in the state block; `stride` cells per instance.
    counts: one cell per face. stack: size, then faces + 1 from bottom to top. row: face + 1 per
    slot, 0 = gap."""
    stride: int
    span: Span
    element: int | None

    @property
    def size(self) -> int:
        """Number of instances."""
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable or a role: `size` cells from `offset`, each in `type` (nobody = -1)."""

    id: int
    name: str
    type: Type
    index: str
    labels: tuple[str, ...]
    start: tuple[int, ...]
    sight: str
    """'all', 'owner' or 'nobody'."""
    offset: int
    role: bool
    span: Span
    element: int | None

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.labels)
