"""Single picks: a loop over what can be picked for a parameter that is no lot.

A walk entry is a number: the value itself, or for a piece the number of its option. Pieces are
gathered into a list first, so that what follows is written once however many zones they lie in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower import domains
from gemwright.interpreter.compiled.lower.memory import CONSERVED, Memory
from gemwright.interpreter.compiled.lower.scope import Bound, Piece, Scope
from gemwright.interpreter.compiled.lower.terms import Terms


@contextmanager
def single(
    terms: Terms, parameter: m.Parameter, scope: Scope, ordered: bool
) -> Iterator[tuple[Expr, Bound]]:
    """A loop over the values of a single pick: the walk entry, and what the slot holds.

    Args:
        ordered: whether the order of pieces matters; else they come as they are found.
    """
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
    # One place more than there are options, for one that is tried and not kept.
    array = terms.memory.scratch("options", len(domain.options) + 1, 0, len(domain.options) - 1)
    found = Found(terms, domain, array)
    for zone in _families(terms.memory, domain):
        found.gather(zone, scope, ordered)
    with terms.w.each("at", ops.FALSE, ops.add(found.many, ops.const(-1))) as at:
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


class Found:
    """Options gathered into an array.

    Attributes:
        many: how many there are so far.
    """

    def __init__(self, terms: Terms, domain: m.PieceDomain, array: str) -> None:
        self._terms = terms
        self._w = terms.w
        self._domain = domain
        self._array = array
        self._numbers = {option: number for number, option in enumerate(domain.options)}
        self.many = terms.w.changing("many", ops.FALSE, 0, len(domain.options))

    def gather(self, zone: m.Zone, scope: Scope, ordered: bool) -> None:
        """Append the options that lie in a zone family."""
        append = self._in_order if ordered or not self._is_plain(zone) else self._as_found
        named = [each.index for each in self._domain.sources if each.zone == zone.id]
        if len(named) == 1 and named[0] is not None:
            append(zone, self._place(zone, named[0], scope))
            return
        places = [] if None in named else [self._place(zone, each, scope) for each in named]
        with self._w.each("place", ops.FALSE, ops.const(zone.size - 1)) as place:
            wanted: Expr = ops.const(int(not places))
            for each in places:
                wanted = ops.either(wanted, ops.equal(place, each))
            with self._w.when(wanted):
                append(zone, place)

    def _place(self, zone: m.Zone, index: t.Term | None, scope: Scope) -> Expr:
        return self._w.let(self._terms.position(index, zone.size, scope))

    def _is_plain(self, zone: m.Zone) -> bool:
        """Whether pieces lie in slots, and no two of them are alike."""
        faces = self._terms.memory.model.faces
        return zone.order != "counts" and all(faces[each].count == 1 for each in zone.faces)

    def _in_order(self, zone: m.Zone, place: Expr) -> None:
        """Append the options of an instance by face, each face once."""
        assert list(zone.faces) == sorted(zone.faces), "options and zones are in the order of faces"
        table = [
            self._numbers.get((zone.first + at, face), -1)
            for at in range(zone.size) for face in zone.faces
        ]  # fmt: skip
        with self._terms.zones.present(zone, place) as position:
            index = ops.add(ops.mul(place, ops.const(len(zone.faces))), position)
            option = self._w.let(self._terms.memory.entry("option", table, index))
            with self._w.when(ops.compare(">=", option, ops.FALSE)):
                self._append(option, ops.TRUE)

    def _as_found(self, zone: m.Zone, place: Expr) -> None:
        """Append the options of an instance slot by slot, without a branch."""
        memory = self._terms.memory
        width = max(max(zone.faces) + 2, memory.zone_cell(zone, place, ops.FALSE).high + 1)
        table = [
            self._numbers.get((zone.first + at, value - 1), -1)
            for at in range(zone.size) for value in range(width)
        ]  # fmt: skip
        with self._terms.zones.slots(zone, place) as cell:
            index = ops.add(ops.mul(place, ops.const(width)), cell)
            option = self._w.let(memory.entry("option", table, index))
            self._append(option, ops.compare(">=", option, ops.FALSE))

    def _append(self, option: Expr, kept: Expr) -> None:
        """Write an option behind the last; it stays if it is kept."""
        last = len(self._domain.options) - 1
        option = ops.trusted(ops.larger(option, ops.FALSE), 0, last, "the number of an option")
        self._w.put(self._array, self.many, option)
        self._w.gain(self.many, kept, CONSERVED)
