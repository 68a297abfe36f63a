"""Views: what a player may know of a state now, derived from what the zones and variables declare.

Nothing else decides: a zone shows its faces, their groups of alike faces, or its size; a hidden
zone carries what the player knows of it (`knowledge`, beside this). While picks are sealed a view
says who takes part, never who has chosen already, except to the viewer about himself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base, Type
from gemwright.interpreter.block import POINT
from gemwright.interpreter.events import Value
from gemwright.interpreter.information.knowledge import known, memory
from gemwright.interpreter.information.seen import Look, SeenEvent, log
from gemwright.interpreter.information.sight import SPECTATOR, Alike, Viewer
from gemwright.interpreter.machine import decode_values
from gemwright.interpreter.moves import Move, move_to_json
from gemwright.interpreter.outcome import Outcome

if TYPE_CHECKING:
    from gemwright.interpreter.state import State

__all__ = ["SPECTATOR", "SeenEvent", "View", "ZoneView", "log", "view", "view_to_json"]

FULL, PARTLY, HIDDEN = "full", "partly", "hidden"


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A zone instance as one viewer sees it.

    `seen` is 'full', 'partly' or 'hidden'. `pieces` counts pieces by look, in face order, none of
    0; empty if hidden. `sequence` gives the looks of an ordered zone that is not hidden: a stack
    from bottom to top, a row from left to right with () for a gap. `known` are lower bounds per
    face, none of 0; empty if full.
    """

    instance: int
    zone: str
    label: str
    order: str
    size: int
    seen: str
    pieces: tuple[Look, ...]
    sequence: tuple[Alike, ...] | None
    known: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class VariableView:
    """The cells of a state variable that the viewer sees, as (position, value)."""

    variable: int
    name: str
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know now.

    `deciding` are the players who take part in the decision that is awaited; with `sealed` it
    contains also those who have chosen. `awaited` and `sealed_pick` speak of the viewer himself.
    `stopped` is the code of the problem that stopped the game, or ''.
    """

    viewer: Viewer
    phase: str
    zones: tuple[ZoneView, ...]
    variables: tuple[VariableView, ...]
    out: tuple[int, ...]
    deciding: tuple[int, ...]
    sealed: bool
    awaited: bool
    sealed_pick: Move | None
    result: Outcome | None
    stopped: str


def view(state: State, player: Viewer) -> View:
    """What a player (None: a spectator) may know of a state."""
    model = state.model
    point = model.points[state.block[POINT]]
    sealed = isinstance(point, m.Decide) and point.together and not state.is_over
    return View(
        viewer=player,
        phase=point.phase,
        zones=tuple(
            _zone(state, instance, player) for instance in range(state._machine.layout.instances)
        ),
        variables=tuple(each for each in _variables(state, player) if each.cells),
        out=tuple(seat for seat in range(model.players) if state.block[model.out_offset + seat]),
        deciding=_deciding(state),
        sealed=sealed,
        awaited=player is not None and any(each.player == player for each in state.pending),
        sealed_pick=_own_pick(state, player) if sealed and player is not None else None,
        result=state.result,
        stopped="" if state.problem is None else state.problem.code,
    )


def _zone(state: State, instance: int, viewer: Viewer) -> ZoneView:
    layout, places, sight = state._machine.layout, state._machine.places, memory(state).sight
    zone = layout.instance_zone[instance]
    alike, looks = sight.alike(instance, viewer), sight.looks(instance, viewer)
    seen = FULL if sight.is_full(instance, viewer) else PARTLY if len(looks) > 1 else HIDDEN
    pieces: tuple[Look, ...] = ()
    sequence: tuple[Alike, ...] | None = None
    if seen != HIDDEN:
        counts = dict(zip(zone.faces, places.counts(instance, state.block), strict=True))
        counted = [Look(look, sum(counts[face] for face in look)) for look in looks]
        pieces = tuple(look for look in counted if look.count)
        if zone.order != "counts":
            cells = slots(state, instance)
            sequence = tuple(alike[cell - 1] if cell else () for cell in cells)
    bounds = {} if seen == FULL else known(state, viewer, instance)
    return ZoneView(
        instance,
        zone.name,
        zone.labels[instance - zone.first],
        zone.order,
        places.size(instance, state.block),
        seen,
        pieces,
        sequence,
        tuple((face, bound) for face, bound in bounds.items() if bound),
    )


def slots(state: State, instance: int) -> list[int]:
    """The cells of an ordered zone instance, face + 1 or 0 for a gap: a stack from the bottom."""
    layout, block = state._machine.layout, state.block
    zone, offset = layout.instance_zone[instance], layout.instance_offset[instance]
    if zone.order == "stack":
        return block[offset + 1 : offset + 1 + block[offset]]
    return block[offset : offset + zone.slots]


def _variables(state: State, viewer: Viewer) -> list[VariableView]:
    sight = memory(state).sight
    return [
        VariableView(
            variable.id,
            variable.name,
            tuple(
                (position, state.block[variable.offset + position])
                for position in range(variable.size)
                if sight.sees_cell(variable.id, position, viewer)
            ),
        )
        for variable in state.model.variables
    ]


def _deciding(state: State) -> tuple[int, ...]:
    """Who takes part in the decision; those who need not be asked are not told apart if sealed."""
    point = state.model.points[state.block[POINT]]
    if state.is_over or not isinstance(point, m.Decide):
        return ()
    return tuple(state._machine._actors(point, state.block))


def _own_pick(state: State, player: int) -> Move | None:
    """What the viewer has sealed himself; None if nothing yet."""
    model = state.model
    start = model.sealed_offset + player * model.sealed_stride
    head, *cells = state.block[start : start + model.sealed_stride]
    if not head:
        return None
    if head == 1:
        return Move(m.PASS_ACTION)
    action = model.actions[head - 2]
    return Move(action.name, decode_values(action, cells))


# -- plain data


def view_to_json(model: m.Game, view: View) -> dict[str, Any]:
    """A view as plain data, with the names of the rules file and seats 'P1', 'P2', ..

    Zones: `{"zone", "of", "size"}` and, as far as seen, `pieces` (a count per face), `looks` (a
    count per group of alike faces), `sequence`, and `known` for what is not fully seen.
    """
    data: dict[str, Any] = {
        "viewer": None if view.viewer is None else _seat(view.viewer),
        "phase": view.phase,
        "zones": [_zone_json(model, zone) for zone in view.zones],
        "state": [_variable_json(model, variable) for variable in view.variables],
        "out": [_seat(seat) for seat in view.out],
        "deciding": [_seat(seat) for seat in view.deciding],
        "sealed": view.sealed,
        "awaited": view.awaited,
    }
    if view.sealed_pick is not None:
        data["sealed_pick"] = move_to_json(model, view.sealed_pick)
    if view.result is not None:
        data["result"] = {
            "scores": list(view.result.scores),
            "ranks": list(view.result.ranks),
            "winners": [_seat(seat) for seat in view.result.winners],
            "reason": view.result.reason,
        }
    if view.stopped:
        data["stopped"] = view.stopped
    return data


def _zone_json(model: m.Game, zone: ZoneView) -> dict[str, Any]:
    data: dict[str, Any] = {"zone": zone.zone, "of": zone.label, "size": zone.size}
    if zone.seen == FULL:
        data["pieces"] = {face_name(model, each.faces[0]): each.count for each in zone.pieces}
    elif zone.seen == PARTLY:
        data["looks"] = [
            {"faces": [face_name(model, face) for face in each.faces], "count": each.count}
            for each in zone.pieces
        ]
    if zone.sequence is not None:
        data["sequence"] = [_look_json(model, look) for look in zone.sequence]
    if zone.seen != FULL:
        data["known"] = {face_name(model, face): bound for face, bound in zone.known}
    return data


def _look_json(model: m.Game, look: Alike) -> str | list[str] | None:
    if len(look) == 1:
        return face_name(model, look[0])
    return [face_name(model, face) for face in look] or None


def _variable_json(model: m.Game, shown: VariableView) -> dict[str, Any]:
    variable = model.variables[shown.variable]
    values: Mapping[str, Any] = {
        variable.labels[position]: value_json(model, variable.type, value)
        for position, value in shown.cells
    }
    if not variable.index:
        return {"name": shown.name, "value": values[""]}
    return {"name": shown.name, "values": dict(values)}


def value_json(model: m.Game, type: Type, value: Value) -> Any:
    """A value as plain data: a name, a seat, true or false, a number, or counts by face."""
    if isinstance(value, tuple):
        if type.base is Base.PIECE:
            return face_name(model, value[1])
        counted = zip(type.faces, value, strict=True)
        return {face_name(model, face): count for face, count in counted if count}
    if type.base is Base.PLAYER:
        return _seat(value) if value >= 0 else "nobody"
    if type.base is Base.FACE:
        return face_name(model, value)
    return bool(value) if type.base is Base.FLAG else value


def face_name(model: m.Game, face: int) -> str:
    """The name of a face."""
    return model.faces[face].name


def _seat(seat: int) -> str:
    return f"P{seat + 1}"
