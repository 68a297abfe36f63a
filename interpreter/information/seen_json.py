"""Seen events as plain data, for logs in files and front ends."""

from __future__ import annotations

from typing import Any

from gemwright.dsl.model import game as m
from gemwright.interpreter.information import seen as s
from gemwright.interpreter.information.views import face_name, value_json
from gemwright.interpreter.moves import instance_label


def seen_to_json(model: m.Game, event: s.SeenEvent) -> dict[str, Any]:
    """A seen event as plain data with the names of the rules file; `event` says which it is."""
    if isinstance(event, s.SeenMove):
        return _move(model, event)
    if isinstance(event, s.SeenChoice):
        picks = {pick.name: _pick(model, event, pick) for pick in event.picks}
        name = model.actions[event.action].name
        return {"event": "choice", "player": _seat(event.player), "action": name, "picks": picks}
    if isinstance(event, s.SeenValue):
        variable = model.variables[event.variable]
        value = value_json(model, variable.type, event.value)
        label = variable.labels[event.position]
        return {"event": "value", "name": variable.name, "of": label, "value": value}
    if isinstance(event, s.SeenFact):
        value = value_json(model, event.type, event.value)
        return {"event": "fact", "text": event.text, "value": value, "private": event.private}
    if isinstance(event, s.SeenPieces):
        return {
            "event": "shown",
            "zone": instance_label(model, event.instance),
            "pieces": [_look(model, look) for look in event.pieces],
            "private": event.private,
        }
    return _plain(model, event)


def _plain(
    model: m.Game,
    event: s.SeenShuffle | s.SeenPass | s.SeenOut | s.SeenPhase | s.SeenEnd,
) -> dict[str, Any]:
    if isinstance(event, s.SeenShuffle):
        return {"event": "shuffle", "zone": instance_label(model, event.instance)}
    if isinstance(event, s.SeenPass):
        return {"event": "pass", "player": _seat(event.player), "forced": event.forced}
    if isinstance(event, s.SeenOut):
        return {"event": "out", "player": _seat(event.player)}
    if isinstance(event, s.SeenPhase):
        return {"event": "phase", "phase": event.phase}
    return {"event": "end", "reason": event.reason}


def _move(model: m.Game, event: s.SeenMove) -> dict[str, Any]:
    data: dict[str, Any] = {
        "event": "move",
        "from": instance_label(model, event.source),
        "to": instance_label(model, event.target),
        "count": event.count,
        "pieces": [_look(model, look) for look in event.pieces],
    }
    ends = {"from_end": event.from_end, "to_end": event.to_end}
    data.update({key: end for key, end in ends.items() if end})
    if event.refill:
        data["refill"] = True
    return data


def _look(model: m.Game, look: s.Look) -> dict[str, Any]:
    """A group of alike pieces; no `faces` where nothing is seen."""
    if not look.faces:
        return {"count": look.count}
    return {"faces": [face_name(model, face) for face in look.faces], "count": look.count}


def _pick(model: m.Game, choice: s.SeenChoice, pick: s.SeenPick) -> Any:
    """The value of a parameter; None if it is secret."""
    if pick.pieces is not None:
        return [
            {
                "zone": model.zones[zone].name if at is None else instance_label(model, at),
                "pieces": [_look(model, look) for look in looks],
            }
            for zone, at, looks in pick.pieces
        ]
    if pick.value is None:
        return None
    parameters = model.actions[choice.action].parameters
    parameter = next(each for each in parameters if each.name == pick.name)
    return value_json(model, parameter.type, pick.value)


def _seat(seat: int) -> str:
    return f"P{seat + 1}"
