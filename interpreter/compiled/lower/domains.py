"""Domains: what folds, loops and single picks range over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from gemwright.dsl.model import terms as t
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower import shapes
from gemwright.interpreter.compiled.lower.scope import Scope

if TYPE_CHECKING:
    from gemwright.interpreter.compiled.lower.terms import Terms

MOST: Final = 1 << 20
"""Numbers that a loop may run over; a domain that could be longer gives the game up."""


@contextmanager
def each(terms: Terms, domain: t.Domain, scope: Scope) -> Iterator[tuple[Expr, Expr]]:
    """A loop over a domain: the element and its weight."""
    if isinstance(domain, t.Faces):
        with _faces(terms, domain.faces) as face:
            yield face, ops.TRUE
    elif isinstance(domain, t.Numbers):
        with _numbers(terms, domain, scope) as number:
            yield number, ops.TRUE
    elif isinstance(domain, t.Players):
        with _players(terms, domain, scope) as seat:
            yield seat, ops.TRUE
    else:
        with _pieces(terms, domain, scope) as pair:
            yield pair


@contextmanager
def _faces(terms: Terms, faces: tuple[int, ...]) -> Iterator[Expr]:
    with terms.w.each("at", ops.FALSE, ops.const(len(faces) - 1)) as at:
        yield terms.w.let(shapes.face_at(terms, faces, at))


@contextmanager
def _numbers(terms: Terms, domain: t.Numbers, scope: Scope) -> Iterator[Expr]:
    low, high = terms.kept(domain.low, scope), terms.kept(domain.high, scope)
    terms.w.need(ops.compare("<", ops.sub(high, low), ops.const(MOST)), "a very long loop")
    with terms.w.each("number", low, high) as number:
        yield number


@contextmanager
def _players(terms: Terms, domain: t.Players, scope: Scope) -> Iterator[Expr]:
    other = None if domain.other is None else terms.kept(domain.other, scope)
    start = ops.FALSE if domain.start is None else terms.kept(domain.start, scope)
    with terms.w.each("step", ops.FALSE, ops.const(terms.memory.model.players - 1)) as step:
        seat = terms.w.let(seat_after(terms, start, step))
        good = ops.negate(terms.out(seat))
        if other is not None:
            good = ops.both(good, ops.compare("!=", seat, other))
        with terms.w.when(good):
            yield seat


def seat_after(terms: Terms, start: Expr, step: Expr) -> Expr:
    """The seat so many steps clockwise; a start of -1 counts as the last seat, as `%` has it."""
    seats = ops.const(terms.memory.model.players)
    seat = terms.w.let(ops.add(start, step))
    seat = ops.select(ops.compare(">=", seat, seats), ops.sub(seat, seats), seat)
    seat = ops.select(ops.compare("<", seat, ops.FALSE), ops.add(seat, seats), seat)
    return ops.trusted(seat, 0, terms.memory.model.players - 1, "seats go round")


@contextmanager
def _pieces(terms: Terms, domain: t.Pieces, scope: Scope) -> Iterator[tuple[Expr, Expr]]:
    vector = domain.vector
    if isinstance(vector, t.ZoneVector) and set(vector.type.faces) == set(domain.faces):
        zone, place = terms.zone(vector.zone, vector.index, scope)
        place = terms.w.let(place)
        if zone.faces == domain.faces and (terms.memory.is_large(zone) or zone.order != "counts"):
            counts = terms.zones.counts(zone, place)
            with terms.zones.present(zone, place) as position:
                face = terms.w.let(shapes.face_at(terms, zone.faces, position))
                yield face, terms.w.let(counts.at(position))
            return
    found = shapes.vector(terms, vector, scope)
    with terms.w.each("at", ops.FALSE, ops.const(len(domain.faces) - 1)) as at:
        face = terms.w.let(shapes.face_at(terms, domain.faces, at))
        there = terms.memory.place_in(vector.type.faces, face)
        if set(domain.faces) <= set(vector.type.faces):
            there = ops.trusted(there, 0, len(vector.type.faces) - 1, "a face of the type")
        count = terms.w.let(terms.zones.or_none(there, found.at))
        # As the reference has it: a count below 0 is there, too.
        with terms.w.when(ops.compare("!=", count, ops.FALSE)):
            yield face, count
