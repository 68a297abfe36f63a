"""Which hidden state variables may be drawn anew for a player, and from what.

Most hidden values follow from something that others have seen, so they stay as they are. A value
may be drawn anew if all that ever writes it is chance or a secret pick out of fixed values, it has
been written, nothing publishes or tells it, and control does not count with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Block
from gemwright.interpreter.chance import Stream

if TYPE_CHECKING:
    from gemwright.interpreter.information.knowledge import Memory


def redraw_values(memory: Memory, block: Block, player: int, stream: Stream) -> None:
    """Draw hidden values anew in place, each uniformly from what could have been written."""
    sight, model = memory.sight, memory.sight.model
    if sight.free is None:
        sight.free = free_values(model)
    if not sight.free:
        return
    seats = [seat for seat in range(model.players) if not block[model.out_offset + seat]]
    touched = memory.touched()
    for variable, values in sight.free.items():
        declared = model.variables[variable]
        for position in range(declared.size):
            hidden = not sight.sees_cell(variable, position, player)
            if hidden and (variable, position) in touched:
                choices = seats if values is None else values
                block[declared.offset + position] = choices[stream.below(len(choices))]


def free_values(model: m.Game) -> dict[int, tuple[int, ...] | None]:
    """The variables that may be drawn anew with their possible values; None = a player still in."""
    counted = _counted(model)
    told = {read for term in _published(model) for read in reads(term)}
    written: dict[int, set[tuple[int, ...] | None]] = {}
    for number, values in _writes(model):
        written.setdefault(number, set()).add(values)
    found: dict[int, tuple[int, ...] | None] = {}
    for variable in model.variables:
        sources = written.get(variable.id, set())
        if _may_hide(variable) and variable.id not in counted | told and len(sources) == 1:
            (values,) = sources
            if values != ():
                found[variable.id] = values
    return found


def _may_hide(variable: m.Variable) -> bool:
    return variable.sight != "all" and not variable.role


def _writes(model: m.Game) -> Iterator[tuple[int, tuple[int, ...] | None]]:
    """Every write of a variable with the values that it takes freely; () = it is computed."""
    for action in model.actions:
        secret = {each.slot: each.domain for each in action.parameters if each.secret}
        for node in parts(action.do):
            if isinstance(node, m.Assign) and node.op == ":=" and isinstance(node.value, t.Local):
                domain = secret.get(node.value.slot)
                free = _values(domain.domain) if isinstance(domain, m.ValueDomain) else ()
                yield node.variable, free
            elif isinstance(node, m.Assign):
                yield node.variable, ()
    for node in parts(model.points):
        if isinstance(node, m.Assign):
            yield node.variable, ()
    for node in parts((model.actions, model.points)):
        if isinstance(node, m.AssignRandom):
            yield node.variable, _values(node.domain)


def _values(domain: t.Domain) -> tuple[int, ...] | None:
    """The values of a domain that no state changes, () if there are none such."""
    if isinstance(domain, t.Faces):
        return domain.faces
    if isinstance(domain, t.Players):
        return None if domain.other is None else ()
    if isinstance(domain, t.Numbers):
        low, high = domain.low, domain.high
        if isinstance(low, t.Const) and isinstance(high, t.Const):
            ends = low.value, high.value
            if isinstance(ends[0], int) and isinstance(ends[1], int):
                return tuple(range(ends[0], ends[1] + 1))
    return ()


def _published(model: m.Game) -> Iterator[object]:
    """The terms whose values are made known."""
    for node in parts((model.actions, model.points)):
        if isinstance(node, t.Openly):
            yield node.term
        elif isinstance(node, m.Tell):
            yield node.value


def _counted(model: m.Game) -> set[int]:
    """The variables that control points keep for themselves."""
    names = ("counter", "origin", "role")
    found = set()
    for point in model.points:
        for name in names:
            value = getattr(point, name, None)
            if isinstance(value, int):
                found.add(value)
    return found


def reads(term: object) -> Iterator[int]:
    """The variables that are read in a piece of the model."""
    for node in parts(term):
        if isinstance(node, t.ReadVariable):
            yield node.variable


def parts(root: object) -> Iterator[object]:
    """All parts of a piece of the model."""
    todo = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif is_dataclass(node):
            yield node
            todo.extend(getattr(node, part.name) for part in fields(node))
