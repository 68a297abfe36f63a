"""Functions that take pieces out of zones and put them in, one pair per zone family.

They are asked for while effects are lowered and written at the end, when it is known what
`Memory` keeps of each zone.
"""

from __future__ import annotations

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Break, Expr, Return, Var
from gemwright.interpreter.compiled.lower.memory import CONSERVED, Memory
from gemwright.interpreter.compiled.lower.zones import NO_FACE, Zones

MISSING = "pieces are missing"
FULL = "a zone is full"


class Handling:
    """The functions of one program that handle pieces."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._asked: dict[tuple[str, int], m.Zone] = {}

    # -- calls

    def take(self, w: Writer, zone: m.Zone, place: Expr, face: Expr, n: Expr) -> None:
        """Take `n` >= 0 pieces of a face out."""
        if zone.order == "counts":
            position = self._position(w, zone, face, n, MISSING)
            self._call(w, "take", zone, [place, position, n])
        elif n == ops.TRUE:
            self._call(w, "take", zone, [place, face])
        else:
            there = Zones(self._memory, w).count(zone, place, face)
            w.need(ops.compare("<=", n, there), MISSING)
            with w.each("piece", ops.const(1), n):
                self._call(w, "take", zone, [place, face])

    def put(
        self, w: Writer, zone: m.Zone, place: Expr, face: Expr, n: Expr, at: Expr | None = None
    ) -> None:
        """Put `n` >= 0 pieces of a face in: on top of a stack or at `at` from the bottom."""
        position = self._position(w, zone, face, n, FULL)
        if zone.limit is not None and self._memory.is_large(zone):
            # Asked for now, so that every function keeps the size that the limit is tested by.
            self._memory.size(zone, place)
        if zone.order == "counts":
            self._call(w, "put", zone, [place, position, n])
            return
        with w.each("piece", ops.const(1), n):
            if zone.order == "row":
                self._call(w, "put", zone, [place, face])
            elif at is None:
                self._call(w, "push", zone, [place, face])
            else:
                self._call(w, "insert", zone, [place, face, at])

    def take_end(self, w: Writer, zone: m.Zone, place: Expr, end: str) -> Expr:
        """Take the piece at an end of a stack that is not empty: its face."""
        return self._call(w, end, zone, [place], (0, max(zone.faces)))

    def _position(self, w: Writer, zone: m.Zone, face: Expr, n: Expr, reason: str) -> Expr:
        position = w.let(self._memory.position(zone, face))
        w.need(ops.compare(">=", position, ops.FALSE), reason)
        return ops.trusted(position, 0, len(zone.faces) - 1, "checked before")

    def _call(
        self,
        w: Writer,
        what: str,
        zone: m.Zone,
        args: list[Expr],
        result: tuple[int, int] | None = None,
    ) -> Expr:
        self._asked[what, zone.id] = zone
        return w.call(f"{what}_{zone.name}", args, result)

    # -- functions

    def write(self) -> None:
        """Write every function that was asked for."""
        makers = {
            "take": self._take,
            "put": self._put,
            "push": self._push,
            "insert": self._insert,
            "top": self._end,
            "bottom": self._end,
        }
        for (what, _), zone in sorted(self._asked.items(), key=lambda each: each[0]):
            w = Writer(self._memory.maker)
            params, result = makers[what](w, zone, what)
            self._memory.maker.function(w.function(f"{what}_{zone.name}", params, result))

    def _place(self, zone: m.Zone) -> Var:
        return Var(0, zone.size - 1, "place")

    def _face(self) -> Var:
        return Var(0, len(self._memory.model.faces) - 1, "face")

    def _take(self, w: Writer, zone: m.Zone, what: str) -> tuple[list[Var], None]:
        place = self._place(zone)
        if zone.order == "counts":
            return self._change_counts(w, zone, place, -1), None
        face = self._face()
        wanted = ops.add(face, ops.const(1))
        if zone.order == "row":
            with w.each("slot", ops.FALSE, ops.const(zone.slots - 1)) as slot:
                here = ops.equal(self._memory.zone_cell(zone, place, slot), wanted)
                with w.when(here):
                    self._store(w, zone, place, slot, ops.FALSE)
                    w.emit(Return())
            w.fail(MISSING)
            return [place, face], None
        size = w.let(self._memory.stack_size(zone, place))
        at = w.changing("at", size, 0, zone.slots)
        with w.loop(zone.slots + 2):
            with w.when(ops.compare("<", at, ops.const(1))):
                w.fail(MISSING)
            with w.when(ops.equal(self._memory.zone_cell(zone, place, at), wanted)):
                w.emit(Break())
            w.set(at, ops.trusted(ops.add(at, NO_FACE), 0, zone.slots, "checked before"))
        self._close(w, zone, place, at, size)
        return [place, face], None

    def _change_counts(self, w: Writer, zone: m.Zone, place: Var, sign: int) -> list[Var]:
        """Take counts out (-1) or put them in (1)."""
        position = Var(0, len(zone.faces) - 1, "position")
        n = Var(0, max(self._memory.most(zone), 1), "n")
        count = w.let(self._memory.zone_cell(zone, place, position))
        if sign < 0:
            w.need(ops.compare("<=", n, count), MISSING)
        change = n if sign > 0 else ops.sub(ops.FALSE, n)
        with w.when(ops.compare(">", n, ops.FALSE)):
            self._store(w, zone, place, position, ops.add(count, change))
            self._memory.changed(w, zone, place, position, change)
            if sign > 0 and zone.limit is not None:
                size = Zones(self._memory, w).size(zone, place)
                w.need(ops.compare("<=", size, ops.const(zone.limit)), FULL)
        return [place, position, n]

    def _store(self, w: Writer, zone: m.Zone, place: Expr, within: Expr, value: Expr) -> None:
        first, last = self._memory.extent(zone)
        index = self._memory.zone_index(zone, place, within)
        cell = self._memory.reader.cell(first, last, index)
        w.store(first, last, index, ops.trusted(value, cell.low, cell.high, CONSERVED))

    def _close(self, w: Writer, zone: m.Zone, place: Expr, at: Expr, size: Expr) -> None:
        """Remove a cell of a stack; the cells above it move down."""
        with w.each("above", at, ops.add(size, NO_FACE)) as above:
            above = ops.trusted(above, 1, max(zone.slots - 1, 1), "cells below the top")
            self._store(
                w, zone, place, above,
                self._memory.zone_cell(zone, place, ops.add(above, ops.const(1))),
            )  # fmt: skip
        self._store(w, zone, place, ops.larger(size, ops.TRUE), ops.FALSE)
        self._store(w, zone, place, ops.FALSE, ops.add(size, NO_FACE))

    def _end(self, w: Writer, zone: m.Zone, what: str) -> tuple[list[Var], tuple[int, int]]:
        """Take a piece from the top or the bottom."""
        place = self._place(zone)
        size = w.let(self._memory.stack_size(zone, place))
        at: Expr = ops.larger(size, ops.TRUE) if what == "top" else ops.TRUE
        face = ops.add(self._memory.zone_cell(zone, place, at), NO_FACE)
        found = w.let(ops.trusted(face, 0, max(zone.faces), "the caller knows that it is there"))
        if what == "top":
            self._store(w, zone, place, at, ops.FALSE)
            self._store(w, zone, place, ops.FALSE, ops.add(size, NO_FACE))
        else:
            self._close(w, zone, place, at, size)
        w.emit(Return(found))
        return [place], (0, max(zone.faces))

    def _put(self, w: Writer, zone: m.Zone, what: str) -> tuple[list[Var], None]:
        place = self._place(zone)
        if zone.order == "counts":
            return self._change_counts(w, zone, place, 1), None
        face = self._face()
        with w.each("slot", ops.FALSE, ops.const(zone.slots - 1)) as slot:
            gap = ops.equal(self._memory.zone_cell(zone, place, slot), ops.FALSE)
            with w.when(gap):
                self._store(w, zone, place, slot, ops.add(face, ops.const(1)))
                self._check_limit(w, zone, place)
                w.emit(Return())
        w.fail(FULL)
        return [place, face], None

    def _check_limit(self, w: Writer, zone: m.Zone, place: Expr) -> None:
        if zone.limit is not None:
            size = Zones(self._memory, w).size(zone, place)
            w.need(ops.compare("<=", size, ops.const(zone.limit)), FULL)

    def _push(self, w: Writer, zone: m.Zone, what: str) -> tuple[list[Var], None]:
        place, face = self._place(zone), self._face()
        size = self._room(w, zone, place)
        self._store(w, zone, place, size, ops.add(face, ops.const(1)))
        self._store(w, zone, place, ops.FALSE, size)
        self._check_limit(w, zone, place)
        return [place, face], None

    def _room(self, w: Writer, zone: m.Zone, place: Expr) -> Expr:
        """The size of a stack after one more piece; there must be room for it."""
        size = w.let(self._memory.stack_size(zone, place))
        w.need(ops.compare("<", size, ops.const(zone.slots)), FULL)
        return w.let(ops.trusted(ops.add(size, ops.TRUE), 1, zone.slots, "checked before"))

    def _insert(self, w: Writer, zone: m.Zone, what: str) -> tuple[list[Var], None]:
        """Insert at a position from the bottom, 0 .. size; the cells from there on move up."""
        place, face = self._place(zone), self._face()
        at = Var(0, max(zone.slots - 1, 0), "at")
        size = self._room(w, zone, place)
        many = ops.sub(ops.sub(size, at), ops.const(1))
        with w.each("up", ops.const(1), many) as up:
            to = ops.trusted(
                ops.add(ops.sub(size, up), ops.TRUE), 2, zone.slots, "cells above the new piece"
            )
            below = self._memory.zone_cell(zone, place, ops.add(to, NO_FACE))
            self._store(w, zone, place, to, below)
        self._store(w, zone, place, ops.add(at, ops.TRUE), ops.add(face, ops.const(1)))
        self._store(w, zone, place, ops.FALSE, size)
        self._check_limit(w, zone, place)
        return [place, face, at], None
