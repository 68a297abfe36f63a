"""Sums over kinds at one decision: a constant, a table per kind, and groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gemwright.dsl import terms as t
from gemwright.dsl import walkable_forms as f
from gemwright.interpreter.accumulators import Group

if TYPE_CHECKING:
    from gemwright.interpreter.walk_binding import Binding


class Total:
    """A bound sum: `constant`, plus `rows[kind][position]`, plus the worth of groups."""

    __slots__ = ("constant", "groups", "rows")

    def __init__(self, sizes: list[int]) -> None:
        self.constant = 0
        self.rows = [[0] * size for size in sizes]
        self.groups: list[Group] = []

    def gain(self, kind: int, row: list[int], factor: int) -> None:
        """Add a row times a factor to one kind."""
        self.rows[kind] = [a + factor * b for a, b in zip(self.rows[kind], row, strict=True)]


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
        for face in atom.faces:
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
    kind = binding.tables.place(face)
    if kind is None:
        found.constant += factor * binding.tables.apart(local, face)
    else:
        found.gain(kind, binding.tables.row(local, kind), factor)


def _add_repeated(binding: Binding, found: Total, atom: f.Repeated, factor: int) -> None:
    frame = binding.frame
    old = frame[atom.slot]
    for element in binding.evaluator.elements(atom.domain, binding.block, frame):
        frame[atom.slot] = element
        if atom.filter is None or binding.fixed(atom.filter):
            _add(binding, found, atom.sum, factor)
    frame[atom.slot] = old


def _add_groups(binding: Binding, found: Total, atom: f.Grouped, factor: int) -> None:
    frame, tables = binding.frame, binding.tables
    old = frame[atom.slot]
    for member in atom.members:
        frame[atom.slot] = member.value
        rows: dict[int, list[int]] = {}
        base = 0
        for face in member.faces:
            kind = tables.place(face)
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
