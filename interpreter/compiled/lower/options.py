"""Single picks: a loop over what can be picked for a parameter that is no lot.

A walk entry is a number: the value itself, or for a piece the number of its option. Pieces are
gathered into a list first, so that what follows is written once however many zones they lie in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gemwright.dsl import model as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr, Var
from gemwright.interpreter.compiled.lower import domains
from gemwright.interpreter.compiled.lower.memory import CONSERVED, Memory
from gemwright.interpreter.compiled.lower.scope import Bound, Piece, Scope
from gemwright.interpreter.compiled.lower.terms import Terms


@contextmanager
def single(terms: Terms, parameter: m.Parameter, scope: Scope) -> Iterator[tuple[Expr, Bound]]:
    """A loop over the values of a single pick: the walk entry, and what the slot holds."""
    domain = parameter.domain
    if isinstance(domain, m.ValueDomain):
        with domains.each(terms, domain.domain, scope) as (element, _):
            yield element, element
        return
    assert isinstance(domain, m.PieceDomain)
    if not domain.options:
        with terms.w.apart():
            yield ops.FALSE, Piece(ops.FALSE, ops.FALSE)
        return
    array = terms.memory.scratch("options", len(domain.options), 0, len(domain.options) - 1)
    many = terms.w.changing("many", ops.FALSE, 0, len(domain.options))
    for zone in _families(terms.memory, domain):
        _gather(terms, domain, zone, scope, array, many)
    with terms.w.each("at", ops.FALSE, ops.add(many, ops.const(-1))) as at:
        option = terms.w.let(terms.memory.reader.item(array, at))
        yield option, piece(terms, domain, option)


def piece(terms: Terms, domain: m.PieceDomain, option: Expr) -> Piece:
    """The piece of an option."""
    instances = [instance for instance, _ in domain.options]
    faces = [face for _, face in domain.options]
    instance = terms.w.let(terms.memory.entry("instance", instances, option))
    return Piece(instance, terms.w.let(terms.memory.entry("face", faces, option)))


def _families(memory: Memory, domain: m.PieceDomain) -> list[m.Zone]:
    """The zone families of the options, in their order."""
    found: dict[int, m.Zone] = {}
    for instance, _ in domain.options:
        zone = memory.layout.instance_zone[instance]
        found.setdefault(zone.id, zone)
    return list(found.values())


def _gather(
    terms: Terms, domain: m.PieceDomain, zone: m.Zone, scope: Scope, array: str, many: Var
) -> None:
    """Append the options that lie in a zone family."""
    named = [each.index for each in domain.sources if each.zone == zone.id]
    if len(named) == 1 and named[0] is not None:
        place = terms.w.let(terms.position(named[0], zone.size, scope))
        _append(terms, domain, zone, place, array, many)
        return
    places = (
        []
        if None in named
        else [terms.w.let(terms.position(each, zone.size, scope)) for each in named]
    )
    with terms.w.each("place", ops.FALSE, ops.const(zone.size - 1)) as place:
        wanted: Expr = ops.const(int(not places))
        for each in places:
            wanted = ops.either(wanted, ops.equal(place, each))
        with terms.w.when(wanted):
            _append(terms, domain, zone, place, array, many)


def _append(
    terms: Terms, domain: m.PieceDomain, zone: m.Zone, place: Expr, array: str, many: Var
) -> None:
    assert list(zone.faces) == sorted(zone.faces), "options and zones are in the order of faces"
    number = {option: at for at, option in enumerate(domain.options)}
    table = [
        number.get((zone.first + at, face), -1)
        for at in range(zone.size) for face in zone.faces
    ]  # fmt: skip
    with terms.zones.present(zone, place) as position:
        index = ops.add(ops.mul(place, ops.const(len(zone.faces))), position)
        option = terms.w.let(terms.memory.entry("option", table, index))
        with terms.w.when(ops.compare(">=", option, ops.FALSE)):
            last = len(domain.options) - 1
            at = ops.trusted(many, 0, last, "no more than there are options")
            terms.w.put(array, at, ops.trusted(option, 0, last, "checked before"))
            terms.w.gain(many, ops.TRUE, CONSERVED)
