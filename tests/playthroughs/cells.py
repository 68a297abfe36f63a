"""What lies where, cell by cell, as short texts: the whole truth, or what one player may know.

Names are those of the rules file, so that a change of labels changes no playthrough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base, Type
from gemwright.interpreter.block import BOX
from gemwright.interpreter.information import views
from gemwright.interpreter.state import State

TOP = 4
"""So many pieces of a stack are named, from the top, once the game is under way."""

Cells = Mapping[str, str]


def face(model: m.Game, looks: Sequence[int]) -> str:
    """A piece that is one of some faces."""
    if not looks:
        return "?"
    if len(looks) > 4:
        return f"{model.faces[looks[0]].name}|..{len(looks)}"
    return "|".join(model.faces[each].name for each in looks)


def counted(model: m.Game, pieces: Iterable[tuple[Sequence[int], int]]) -> str:
    """Counted pieces: `2 red, 1 blue`."""
    texts = [f"{count} {face(model, looks)}" for looks, count in pieces if count]
    return ", ".join(texts) or "-"


def value(model: m.Game, type: Type, number: int | tuple[int, ...]) -> str:
    """A value by its type."""
    if isinstance(number, tuple):
        if type.base is Base.PIECE:
            return model.faces[number[1]].name
        return counted(model, [((f,), n) for f, n in zip(type.faces, number, strict=True)])
    if type.base is Base.PLAYER:
        return f"P{number + 1}" if number >= 0 else "nobody"
    if type.base is Base.FACE:
        return model.faces[number].name
    if type.base is Base.FLAG:
        return "yes" if number else "no"
    return str(number)


def label(name: str, index: str) -> str:
    """The name of a cell: `hand[P2]`."""
    return f"{name}[{index}]" if index else name


def _order(texts: Sequence[str], top_first: bool, whole: bool) -> str:
    """A row from left to right, or a stack from the top."""
    if not texts:
        return "-"
    if not top_first:
        return " | ".join(texts)
    shown = list(reversed(texts))
    if whole or len(shown) <= TOP:
        return f"{len(shown)}: {' '.join(shown)}"
    return f"{len(shown)}: {' '.join(shown[:TOP])} .."


def truth(state: State, whole: bool) -> Cells:
    """Every cell as it is."""
    model = state.model
    cells: dict[str, str] = {}
    for zone in model.zones:
        if zone.name == BOX:
            continue
        for position in range(zone.size):
            offset = zone.offset + position * zone.stride
            if zone.order == "counts":
                counts = state.block[offset : offset + len(zone.faces)]
                text = counted(model, [((f,), n) for f, n in zip(zone.faces, counts, strict=True)])
            else:
                slots = views.slots(state, zone.first + position)
                names = [model.faces[each - 1].name if each else "_" for each in slots]
                text = _order(names, zone.order == "stack", whole)
            cells[label(zone.name, zone.labels[position])] = text
    for variable in model.variables:
        for position in range(variable.size if variable.name.isidentifier() else 0):
            number = state.block[variable.offset + position]
            name = label(variable.name, variable.labels[position])
            cells[name] = value(model, variable.type, number)
    out = [seat for seat in range(model.players) if state.block[model.out_offset + seat]]
    cells["out"] = " ".join(f"P{seat + 1}" for seat in out) or "-"
    return cells


def seen(state: State, player: int, whole: bool) -> Cells:
    """Every cell as a player may know it; `unseen` where he sees nothing of it."""
    model, view = state.model, views.view(state, player)
    cells: dict[str, str] = {}
    for zone in view.zones:
        if zone.zone != BOX:
            cells[label(zone.zone, zone.label)] = _zone(model, zone, whole)
    known = {variable.variable: dict(variable.cells) for variable in view.variables}
    for variable in model.variables:
        for position in range(variable.size if variable.name.isidentifier() else 0):
            name = label(variable.name, variable.labels[position])
            number = known.get(variable.id, {}).get(position)
            cells[name] = "unseen" if number is None else value(model, variable.type, number)
    cells["out"] = " ".join(f"P{seat + 1}" for seat in view.out) or "-"
    return cells


def _zone(model: m.Game, zone: views.ZoneView, whole: bool) -> str:
    if zone.sequence is not None:
        names = [face(model, look) if look else "_" for look in zone.sequence]
        text = _order(names, zone.order == "stack", whole)
    elif zone.seen == views.HIDDEN and zone.size:
        text = f"{zone.size} unseen"
    else:
        text = counted(model, [(look.faces, look.count) for look in zone.pieces])
    known = counted(model, [((f,), n) for f, n in zone.known])
    complete = sum(n for _, n in zone.known) == zone.size and len(zone.known) > TOP
    if complete and not whole:
        known = "all of them, not their order"
    return text if known == "-" else f"{text} (knows {known})"
