"""What the slots of a frame hold while a term or statement is lowered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemwright.interpreter.compiled.flat.program import Expr


@dataclass(frozen=True, slots=True)
class Piece:
    """A picked piece: its zone instance (numbered as the model does) and its face."""

    instance: Expr
    face: Expr


@dataclass(frozen=True, slots=True)
class Cells:
    """A picked lot as one count per cell of its domain, or a vector as one per face."""

    counts: tuple[Expr, ...]


Bound = Expr | Piece | Cells


class Scope:
    """Slots and what they hold; a scope does not change, `bind` makes a new one."""

    __slots__ = ("_slots",)

    def __init__(self, slots: Mapping[int, Bound]) -> None:
        self._slots = dict(slots)

    def bind(self, slot: int, bound: Bound) -> Scope:
        """This scope with one slot more, or another value in it."""
        return Scope({**self._slots, slot: bound})

    def scalar(self, slot: int) -> Expr:
        """A number, face, seat or flag."""
        found = self._slots[slot]
        assert isinstance(found, Expr), f"slot {slot} is no number"
        return found

    def piece(self, slot: int) -> Piece:
        """A picked piece."""
        found = self._slots[slot]
        assert isinstance(found, Piece), f"slot {slot} is no piece"
        return found

    def cells(self, slot: int) -> tuple[Expr, ...]:
        """A lot or vector."""
        found = self._slots[slot]
        assert isinstance(found, Cells), f"slot {slot} is no lot"
        return found.counts

    def get(self, slot: int) -> Bound | None:
        """What a slot holds, if anything."""
        return self._slots.get(slot)
