"""Sums over kinds at one decision: a constant, a table per kind, and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.walk.accumulators import Group

if TYPE_CHECKING:
    from gemwright.interpreter.walk.binding import Binding


class Total:
    """A bound sum: `constant`, plus `rows[kind][position]`, plus the worth of groups."""

    __slots__ = ("_rows", "_sizes", "constant", "groups")

    def __init__(self, sizes: list[int]) -> None:
        self.constant = 0
        self.groups: list[Group] = []
        self._sizes = sizes
        self._rows: dict[int, list[int]] = {}

    def gain(self, kind: int, row: list[int], factor: int) -> None:
        """Add a row times a factor to one kind."""
        scaled = row if factor == 1 else [factor * each for each in row]
        old = self._rows.get(kind)
        self._rows[kind] = (
            scaled if old is None else [a + b for a, b in zip(old, scaled, strict=True)]
        )

    @property
    def rows(self) -> list[list[int]]:
        """Per kind what each vector gains."""
        return [self._rows.get(kind, [0] * size) for kind, size in enumerate(self._sizes)]


def bind_sum(binding: Binding, total: f.Sum) -> Total:
    """The sum with everything fixed filled in."""
    found = Total([len(domain) for domain in binding.domains])
    _add(binding, found, total, 1)
    return found


def _add(binding: Binding, found: Total, total: f.Sum, factor: int) -> None:
    for part in total.parts:
        here = factor
        for each in part.factors:
            here *= binding.term(each)
        if here:
            _add_atom(binding, found, part.atom, here)


def _add_atom(binding: Binding, found: Total, atom: f.Atom, factor: int) -> None:
    if isinstance(atom, f.Constant):
        found.constant += factor * int(binding.fixed(atom.node))
    elif isinstance(atom, f.Each):
        for face in binding.tables.telling(atom.local, atom.faces):
            _add_local(binding, found, atom.local, face, factor)
    elif isinstance(atom, f.Cell):
        _add_local(binding, found, atom.local, int(binding.term(atom.face)), factor)
    elif isinstance(atom, f.Chosen):
        chosen = atom.then if binding.fixed(atom.condition) else atom.otherwise
        _add(binding, found, chosen, factor)
    elif isinstance(atom, f.Repeated):
        _add_repeated(binding, found, atom, factor)
    else:
        _add_groups(binding, found, atom, factor)


def _add_local(binding: Binding, found: Total, local: t.Term, face: int, factor: int) -> None:
    tables = binding.tables
    kind = tables.places.get(face)
    if kind is None:
        found.constant += factor * tables.apart(local, face)
    else:
        found.gain(kind, tables.row(local, kind), factor)


def _add_repeated(binding: Binding, found: Total, atom: f.Repeated, factor: int) -> None:
    frame = binding.here.frame
    old = frame[atom.slot]
    for element in binding.here.elements(atom.domain):
        frame[atom.slot] = element
        if atom.filter is None or binding.fixed(atom.filter):
            _add(binding, found, atom.sum, factor)
    frame[atom.slot] = old


def _add_groups(binding: Binding, found: Total, atom: f.Grouped, factor: int) -> None:
    frame, tables = binding.here.frame, binding.tables
    old = frame[atom.slot]
    for member in atom.members:
        frame[atom.slot] = member.value
        rows: dict[int, list[int]] = {}
        base = 0
        for face in tables.telling(atom.local, member.faces):
            kind = tables.places.get(face)
            if kind is None:
                base += tables.apart(atom.local, face)
            else:
                row = tables.row(atom.local, kind)
                base += min(row)
                rows[kind] = [value - min(row) for value in row]
        most = sum(max(row) for row in rows.values())
        worth = []
        for count in range(most + 1):
            frame[atom.count_slot] = base + count
            worth.append(factor * int(binding.term(atom.body)))
        found.constant += min(worth)
        worth = [value - min(worth) for value in worth]
        if rows and any(worth):
            kinds = range(min(rows), max(rows) + 1)
            found.groups.append(Group(kinds[0], kinds[-1], rows, worth))
    frame[atom.slot] = old
