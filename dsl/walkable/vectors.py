"""Lots inside terms: one cell of a vector as a number, and terms that look at one kind only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import mentions
from gemwright.dsl.walkable.terms import bound_slots, integer, rebuilt, renamed


class NotWalkable(Exception):
    """A term that no pass can count; raised and caught inside the classification."""

    def __init__(self, term: t.Term, message: str, help: str) -> None:
        super().__init__(message)
        self.term = term
        self.message = message
        self.help = help


SHAPE_HELP = (
    "count, sum or compare the lot kind by kind, for example `sum of lot[k] * price[k] over "
    "stone k`"
)


def not_a_sum(term: t.Term) -> NotWalkable:
    """The general refusal."""
    text = "this depends on the picked lot in a way that is not a sum over its kinds"
    return NotWalkable(term, text, SHAPE_HELP)


@dataclass(frozen=True, slots=True)
class Lots:
    """The lots that are walked: slot of the pick -> slot of its count at the kind at hand."""

    cells: Mapping[int, int]
    kind_slot: int

    def read(self, term: t.Term | t.Domain) -> bool:
        """Whether a term reads a lot."""
        return mentions(term, self.cells)

    def local(self, term: t.Term) -> bool:
        """Whether a term looks at the kind at hand."""
        return mentions(term, (self.kind_slot, *self.cells.values()))

    def kind(self, faces: tuple[int, ...]) -> t.Local:
        """The face of the kind at hand, one of `faces`."""
        return t.Local(t.Type(t.Base.FACE, faces=faces), None, self.kind_slot, "kind")

    # -- one cell of a vector

    def component(self, vector: t.Term, faces: tuple[int, ...]) -> t.Term:
        """The count of the kind at hand, one of `faces`, in a vector; 0 outside its type."""
        cell = self._component(vector)
        inside = vector.type.faces
        if set(faces) <= set(inside) or isinstance(vector, t.LotVector | t.Local):
            return cell
        member = _membership(inside, self.kind(faces))
        low, high = min(0, cell.type.low), max(0, cell.type.high)
        type = t.Type(t.Base.INT, low, high)
        return t.If(type, cell.span, member, cell, integer(0))

    def _component(self, vector: t.Term) -> t.Term:
        number = t.Type(t.Base.INT, vector.type.low, vector.type.high)
        if not self.read(vector):
            return t.VectorIndex(number, vector.span, vector, self.kind(vector.type.faces))
        if isinstance(vector, t.LotVector):
            return t.Local(number, vector.span, self.cells[vector.lot.slot], vector.lot.name)
        if isinstance(vector, t.Local):
            return t.Local(number, vector.span, self.cells[vector.slot], vector.name)
        if isinstance(vector, t.Widen):
            return self._widened(vector)
        if isinstance(vector, t.VectorOp):
            left, right = self._component(vector.left), self._component(vector.right)
            if vector.op == "less":
                difference = t.Arithmetic(_minus(left, right), vector.span, "-", left, right)
                return t.Extreme(number, vector.span, "max", (difference, integer(0)))
            return t.Arithmetic(number, vector.span, vector.op, left, right)
        if isinstance(vector, t.VectorBuild):
            return self.localised(vector.body, vector.slot, vector.type.faces)
        if isinstance(vector, t.If) and not self.read(vector.condition):
            then, otherwise = self._component(vector.then), self._component(vector.otherwise)
            return t.If(number, vector.span, vector.condition, then, otherwise)
        if isinstance(vector, t.Openly):
            return self._component(vector.term)
        raise not_a_sum(vector)

    def _widened(self, vector: t.Widen) -> t.Term:
        kept = tuple(
            face for face, at in zip(vector.type.faces, vector.positions, strict=True) if at >= 0
        )
        inner = vector.vector.type.faces
        for face, at in zip(vector.type.faces, vector.positions, strict=True):
            if at >= 0 and inner[at] != face:
                raise not_a_sum(vector)
        cell = self._component(vector.vector)
        if kept == vector.type.faces:
            return cell
        member = _membership(kept, self.kind(vector.type.faces))
        type = t.Type(t.Base.INT, min(0, cell.type.low), max(0, cell.type.high))
        return t.If(type, vector.span, member, cell, integer(0))

    # -- terms at one kind

    def localised(self, term: t.Term, slot: int, faces: tuple[int, ...]) -> t.Term:
        """A term with the bound face in `slot` read from the kind slot.

        Lots read at that face become counts of the kind at hand. What is read of a lot otherwise
        stays.
        """
        here = self.kind(faces)

        def change(each: t.Term) -> t.Term:
            if isinstance(each, t.Local):
                return replace(here, span=each.span) if each.slot == slot else each
            if isinstance(each, t.VectorIndex) and self.read(each.vector):
                at = each.face
                if isinstance(at, t.Local) and at.slot in (slot, self.kind_slot):
                    return change(self.component(each.vector, faces))
            changed: t.Term = rebuilt(each, change)
            return changed

        return change(term)

    def cell(self, term: t.Term) -> tuple[t.Term, t.Term] | None:
        """(fixed face, term at that kind) when a term reads lots at one fixed face only."""
        faces: list[t.Term] = []
        inner = bound_slots(term)

        def change(each: t.Term) -> t.Term:
            if isinstance(each, t.VectorIndex) and self.read(each.vector):
                faces.append(each.face)
                return self.component(each.vector, each.face.type.faces)
            changed: t.Term = rebuilt(each, change)
            return changed

        local = change(term)
        if not faces or self.read(local) or any(face != faces[0] for face in faces[1:]):
            return None
        if self.read(faces[0]) or mentions(faces[0], inner):
            return None
        return faces[0], local

    def second(self, term: t.Term, cells: Mapping[int, int], kind_slot: int) -> t.Term:
        """A local term moved to a second kind at hand."""
        slots = {old: cells[lot] for lot, old in self.cells.items()}
        return renamed(term, {**slots, self.kind_slot: kind_slot})


def _membership(faces: tuple[int, ...], argument: t.Term) -> t.Lookup:
    every = (*faces, *argument.type.faces)
    low, high = min(every), max(every)
    values = tuple(int(face in faces) for face in range(low, high + 1))
    return t.Lookup(t.FLAG, argument.span, values, argument, low, "member")


def _minus(left: t.Term, right: t.Term) -> t.Type:
    return t.Type(t.Base.INT, left.type.low - right.type.high, left.type.high - right.type.low)
