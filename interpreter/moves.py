"""Moves: an action with a value for each parameter, and how they are written as JSON and as text.

Values stand in parameter order: an integer (number, face, seat, 0/1), a picked piece as
(zone instance, face), or a picked lot as counts per cell of its domain. A walk sees them flat: one
entry per scalar or piece, one per cell of a lot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base, Const, Local
from gemwright.interpreter.events import Value

WalkValue = int | tuple[int, int]
"""One entry of a walk: a scalar, the count of a lot cell, or a piece as (zone instance, face)."""


@dataclass(frozen=True, slots=True)
class Move:
    """A complete choice. `action` is a name of the game model, or `pass` without values."""

    action: str
    values: tuple[Value, ...] = ()


PASS = Move(m.PASS_ACTION)

Lies = Callable[[int, int], bool]
"""Whether a piece of a face (second) lies in a zone instance (first)."""


class Names(Protocol):
    """What labels offer: texts for identifiers of the file."""

    def name(self, category: str, key: str) -> str:
        """The text of a 'face', 'zone', 'parameter' or 'player'."""

    def action(self, name: str) -> str:
        """The text of an action."""


def flat_values(action: m.Action, values: Sequence[Value]) -> tuple[WalkValue, ...]:
    """Values per parameter as walk values."""
    flat: list[WalkValue] = []
    for parameter, value in zip(action.parameters, values, strict=True):
        if isinstance(value, int):
            flat.append(value)
        elif isinstance(parameter.domain, m.LotDomain):
            flat.extend(value)
        else:
            flat.append((value[0], value[1]))
    return tuple(flat)


def grouped_values(action: m.Action, flat: Sequence[WalkValue]) -> tuple[Value, ...]:
    """Walk values as values per parameter; the inverse of `flat_values`."""
    values: list[Value] = []
    at = 0
    for parameter in action.parameters:
        if isinstance(parameter.domain, m.LotDomain):
            width = len(parameter.domain.cells)
            values.append(tuple(each for each in flat[at : at + width] if isinstance(each, int)))
            at += width
        else:
            values.append(flat[at])
            at += 1
    return tuple(values)


def find_action(model: m.Game, name: str) -> m.Action | None:
    """The action of a name."""
    return next((action for action in model.actions if action.name == name), None)


# -- writing


def move_to_json(model: m.Game, move: Move) -> dict[str, Any]:
    """A move as plain data: `{"action": "trade", "sold": {"red": 1}, "to": "P2", "yes": true}`.

    A lot is written as counts by face, per source zone if it has several. A piece is written by its
    face alone where the zone is clear from the rules, else as `{"from": zone, "piece": face}`.
    """
    data: dict[str, Any] = {"action": move.action}
    action = find_action(model, move.action)
    if action is not None:
        for parameter, value in zip(action.parameters, move.values, strict=True):
            data[parameter.name] = _written(model, parameter, value)
    return data


def _written(model: m.Game, parameter: m.Parameter, value: Value) -> object:
    domain = parameter.domain
    if isinstance(value, int):
        return _written_scalar(model, parameter.type.base, value)
    if isinstance(domain, m.LotDomain):
        names = _source_names(model, domain)
        lots: dict[str, dict[str, int]] = {name: {} for name in names}
        for cell, count in zip(domain.cells, value, strict=True):
            if count:
                lots[names[cell.source]][model.faces[cell.face].name] = count
        return lots if len(names) > 1 else lots[names[0]]
    assert isinstance(domain, m.PieceDomain)
    face = model.faces[value[1]].name
    if _zone_is_clear(domain, value[1]):
        return face
    return {"from": instance_label(model, value[0]), "piece": face}


def _written_scalar(model: m.Game, base: Base, value: int) -> object:
    if base is Base.PLAYER:
        return f"P{value + 1}" if value >= 0 else "nobody"
    if base is Base.FACE:
        return model.faces[value].name
    return bool(value) if base is Base.FLAG else value


def instance_label(model: m.Game, instance: int) -> str:
    """The label of a zone instance: `shelf`, or `hand[P1]` in an indexed family."""
    for zone in model.zones:
        if zone.first <= instance < zone.first + zone.size:
            label = zone.labels[instance - zone.first]
            return f"{zone.name}[{label}]" if label else zone.name
    raise ValueError(f"no zone instance {instance}")


def _source_names(model: m.Game, domain: m.LotDomain) -> list[str]:
    """A name for each source of a lot: its zone, with a number where a zone stands twice."""
    zones = [model.zones[source.zone].name for source in domain.sources]
    return [
        f"{name}.{zones[: number + 1].count(name)}" if zones.count(name) > 1 else name
        for number, name in enumerate(zones)
    ]


def _zone_is_clear(domain: m.PieceDomain, face: int) -> bool:
    """Whether the face alone says which piece is meant, given the player and the earlier picks."""
    if len({instance for instance, each in domain.options if each == face}) == 1:
        return True
    if len(domain.sources) > 1:
        return False
    return isinstance(domain.sources[0].index, Local | Const)


# -- reading


def move_from_json(
    model: m.Game, player: int, data: Mapping[str, Any], lies: Lies | None = None
) -> Move | str:
    """The move that plain data describe, not yet checked against a state; or what is wrong with it.

    Lots may leave out faces of which nothing is picked. A piece that may come from several zones
    needs none said if `lies` finds it in only one of them; if it is in none, any of them is taken.
    """
    name = data.get("action")
    if name == m.PASS_ACTION:
        return PASS if len(data) == 1 else "`pass` takes no parameters"
    action = find_action(model, name) if isinstance(name, str) else None
    if action is None:
        return f"there is no action `{name}`"
    known = {parameter.name for parameter in action.parameters}
    for word in data:
        if word != "action" and word not in known:
            return f"`{action.name}` has no parameter `{word}`"
    reader = _Reader(model, player, lies)
    for parameter in action.parameters:
        if parameter.name not in data:
            return f"`{action.name}` lacks `{parameter.name}`"
        problem = reader.read(parameter, data[parameter.name])
        if problem:
            return f"`{parameter.name}`: {problem}"
    return Move(action.name, tuple(reader.values))


class _Reader:
    """Reads the parameters of one move in order."""

    def __init__(self, model: m.Game, player: int, lies: Lies | None) -> None:
        self._model = model
        self._lies = lies
        self._slots: dict[int, Value] = {0: player}
        self.values: list[Value] = []

    def read(self, parameter: m.Parameter, data: object) -> str:
        """Take one parameter; what is wrong, or ''."""
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            value = self._lot(domain, data)
        elif isinstance(domain, m.PieceDomain):
            value = self._piece(domain, data)
        else:
            value = self._scalar(parameter, data)
        if isinstance(value, str):
            return value
        self._slots[parameter.slot] = value
        self.values.append(value)
        return ""

    def _scalar(self, parameter: m.Parameter, data: object) -> Value | str:
        base = parameter.type.base
        if base is Base.FLAG:
            return int(data) if isinstance(data, bool) else "say true or false"
        if base is Base.INT:
            good = isinstance(data, int) and not isinstance(data, bool)
            return data if good and isinstance(data, int) else "say a whole number"
        if base is Base.PLAYER:
            if data == "nobody" and parameter.type.optional:
                return -1
            seats = [f"P{seat + 1}" for seat in range(self._model.players)]
            return (
                seats.index(data) if isinstance(data, str) and data in seats else "no such player"
            )
        faces = [face for face in parameter.type.faces if self._named(face, data)]
        return faces[0] if faces else f"`{data}` is not possible here"

    def _named(self, face: int, data: object) -> bool:
        return not isinstance(data, bool) and self._model.faces[face].is_called(str(data))

    def _lot(self, domain: m.LotDomain, data: object) -> Value | str:
        names = _source_names(self._model, domain)
        lots = data if len(names) > 1 else {names[0]: data}
        if not isinstance(lots, Mapping):
            return "say how many of each, by name"
        counts = [0] * len(domain.cells)
        for source, lot in lots.items():
            if source not in names or not isinstance(lot, Mapping):
                return f"`{source}` is not possible here"
            for name, count in lot.items():
                cell = self._cell(domain, names.index(source), name)
                if cell < 0:
                    return f"`{name}` is not possible here"
                if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                    return f"`{count}` is no count of `{name}`"
                counts[cell] = count
        return tuple(counts)

    def _cell(self, domain: m.LotDomain, source: int, name: object) -> int:
        for position, cell in enumerate(domain.cells):
            if cell.source == source and self._named(cell.face, name):
                return position
        return -1

    def _piece(self, domain: m.PieceDomain, data: object) -> Value | str:
        if isinstance(data, Mapping):
            wanted, data = data.get("from"), data.get("piece")
            found = [
                option
                for option in domain.options
                if instance_label(self._model, option[0]) == wanted
            ]
        else:
            found = [option for option in domain.options if self._may_mean(domain, option[0])]
        found = [option for option in found if self._named(option[1], data)]
        if not found:
            return f"`{data}` is not possible here"
        if len(found) > 1 and self._lies is not None:
            found = [option for option in found if self._lies(*option)] or found[:1]
        if len(found) > 1:
            labels = ", ".join(instance_label(self._model, instance) for instance, _ in found)
            return f"say from where: `{data}` may come from {labels}"
        return found[0]

    def _may_mean(self, domain: m.PieceDomain, instance: int) -> bool:
        """Whether a piece named by its face alone may lie in an instance, as far as one can see."""
        for source in domain.sources:
            zone = self._model.zones[source.zone]
            position = instance - zone.first
            if not 0 <= position < zone.size:
                continue
            index: object = None
            if isinstance(source.index, Local):
                index = self._slots.get(source.index.slot)
            elif isinstance(source.index, Const):
                index = source.index.value
            if index is None or index == position:
                return True
        return False


# -- text


def move_to_text(model: m.Game, move: Move, names: Names | None = None) -> str:
    """A move in one line: `trade: sold 1 red, to P2`. With `names` in somebody's language."""
    action = find_action(model, move.action)
    title = names.action(move.action) if names else move.action
    if action is None or not action.parameters:
        return title
    parts = []
    for parameter, value in zip(action.parameters, move.values, strict=True):
        label = _label(names, "parameter", parameter.name)
        parts.append(f"{label} {', '.join(_phrases(model, parameter, value, names)) or '-'}")
    return f"{title}: {', '.join(parts)}"


def _phrases(
    model: m.Game, parameter: m.Parameter, value: Value, names: Names | None
) -> Iterator[str]:
    domain = parameter.domain
    if isinstance(value, int):
        data = _written_scalar(model, parameter.type.base, value)
        if isinstance(data, bool):
            data = "yes" if data else "no"
        is_face = parameter.type.base is Base.FACE
        yield _label(names, "face", str(data)) if is_face else str(data)
    elif isinstance(domain, m.LotDomain):
        sources = _source_names(model, domain)
        for cell, count in zip(domain.cells, value, strict=True):
            if count:
                text = f"{count} {_label(names, 'face', model.faces[cell.face].name)}"
                yield text if len(sources) == 1 else f"{text} from {sources[cell.source]}"
    elif isinstance(domain, m.PieceDomain):
        text = _label(names, "face", model.faces[value[1]].name)
        clear = _zone_is_clear(domain, value[1])
        yield text if clear else f"{text} from {instance_label(model, value[0])}"


def _label(names: Names | None, category: str, key: str) -> str:
    return names.name(category, key) if names else key
