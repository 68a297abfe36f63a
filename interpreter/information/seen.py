"""What players see of events: the log.

`see` is the only way from an event to a player. A move shows faces to those who see its source or
its target; others learn how many pieces went. A picked parameter is public unless it is secret,
pieces and lots as far as the zones they lie in are seen. What is told or shown reaches its
addressees. Sealed picks make no event before the step closes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Const, Local, Term, Type
from gemwright.dsl.source import Span
from gemwright.interpreter import events as e
from gemwright.interpreter.information.sight import Alike, Sight, Viewer, reaches

if TYPE_CHECKING:
    from gemwright.interpreter.state import State


@dataclass(frozen=True, slots=True)
class Look:
    """`count` pieces that look the same to the viewer: each has one of `faces`; () = anything."""

    faces: Alike
    count: int


@dataclass(frozen=True, slots=True)
class SeenMove:
    """Pieces went from one zone instance to another.

    `pieces` stand in the order of moving where the viewer sees an ordered zone at one end
    (`in_order`); else by face, so that the order tells nothing.
    """

    source: int
    target: int
    pieces: tuple[Look, ...]
    in_order: bool
    from_end: str
    to_end: str
    refill: bool

    @property
    def count(self) -> int:
        """How many pieces went."""
        return sum(look.count for look in self.pieces)


@dataclass(frozen=True, slots=True)
class SeenShuffle:
    """A stack was shuffled."""

    instance: int


@dataclass(frozen=True, slots=True)
class SeenValue:
    """A state variable that the viewer sees got a value."""

    variable: int
    position: int
    value: int


@dataclass(frozen=True, slots=True)
class SeenPick:
    """A parameter of a choice: a plain `value`, or picked `pieces` per zone.

    Both are None for a secret pick of somebody else. `pieces` holds (zone, zone instance or None if
    the viewer cannot tell it from the pick alone, what was picked there).
    """

    name: str
    value: int | None
    pieces: tuple[tuple[int, int | None, tuple[Look, ...]], ...] | None


@dataclass(frozen=True, slots=True)
class SeenChoice:
    """A player chose an action."""

    player: int
    action: int
    picks: tuple[SeenPick, ...]


@dataclass(frozen=True, slots=True)
class SeenPass:
    """A player passed, or the rules did it for him (`forced`)."""

    player: int
    forced: bool


@dataclass(frozen=True, slots=True)
class SeenFact:
    """A value that was published to everybody, or told to the viewer (`private`)."""

    text: str
    value: e.Value
    type: Type
    private: bool
    span: Span | None = field(compare=False)


@dataclass(frozen=True, slots=True)
class SeenPieces:
    """The pieces of a zone instance were shown to everybody, or to the viewer (`private`)."""

    instance: int
    pieces: tuple[Look, ...]
    private: bool


@dataclass(frozen=True, slots=True)
class SeenOut:
    """A player is out of the game."""

    player: int


@dataclass(frozen=True, slots=True)
class SeenPhase:
    """Control passed to another phase."""

    phase: str


@dataclass(frozen=True, slots=True)
class SeenEnd:
    """The game is over."""

    reason: str


SeenEvent = (
    SeenMove
    | SeenShuffle
    | SeenValue
    | SeenChoice
    | SeenPass
    | SeenFact
    | SeenPieces
    | SeenOut
    | SeenPhase
    | SeenEnd
)


def log(state: State, player: Viewer) -> tuple[SeenEvent, ...]:
    """What a player (None: a spectator) has seen since the game began, in order."""
    from gemwright.interpreter.information.knowledge import memory

    past = memory(state)
    return (*past.lore(player), *past.seen(player))


def see_all(sight: Sight, events: Iterable[e.Event], viewer: Viewer) -> tuple[SeenEvent, ...]:
    """The events as a viewer sees them; those that he does not notice are left out."""
    seen = [see(sight, event, viewer) for event in events]
    return tuple(each for each in seen if each is not None)


def see(sight: Sight, event: e.Event, viewer: Viewer) -> SeenEvent | None:
    """One event as a viewer sees it, None if he does not notice it."""
    if isinstance(event, e.Moved):
        return _move(sight, event, viewer)
    if isinstance(event, e.Chosen):
        return _choice(sight, event, viewer)
    if isinstance(event, e.Assigned):
        if not sight.sees_cell(event.variable, event.position, viewer):
            return None
        return SeenValue(event.variable, event.position, event.value)
    if isinstance(event, e.Published):
        if not reaches(event.to, viewer):
            return None
        return SeenFact(event.text, event.value, event.type, event.to is not None, event.span)
    if isinstance(event, e.Shown):
        return _shown(sight, event, viewer)
    return _public(event)


def _public(
    event: e.Shuffled | e.Passed | e.Eliminated | e.Entered | e.Ended,
) -> SeenEvent:
    """Events that hide nothing."""
    if isinstance(event, e.Shuffled):
        return SeenShuffle(event.instance)
    if isinstance(event, e.Passed):
        return SeenPass(event.player, event.forced)
    if isinstance(event, e.Eliminated):
        return SeenOut(event.player)
    if isinstance(event, e.Entered):
        return SeenPhase(event.phase)
    return SeenEnd(event.reason)


def _move(sight: Sight, event: e.Moved, viewer: Viewer) -> SeenMove:
    way = sight.way(event.source, event.target, viewer)
    zones = sight.layout.instance_zone
    in_order = any(
        zones[instance].order != "counts" and sight.is_full(instance, viewer)
        for instance in (event.source, event.target)
    )
    pieces = _looks(way, event.faces) if in_order else _sorted_looks(way, event.faces)
    return SeenMove(
        event.source, event.target, pieces, in_order, event.from_end, event.to_end, event.refill
    )


def _shown(sight: Sight, event: e.Shown, viewer: Viewer) -> SeenPieces | None:
    if not reaches(event.to, viewer):
        return None
    faces = tuple(Look((face,), count) for face, count in event.faces)
    return SeenPieces(event.instance, faces, event.to is not None)


def _looks(way: dict[int, Alike], pieces: e.Pieces) -> tuple[Look, ...]:
    """Pieces in their order, equal neighbours joined."""
    looks: list[Look] = []
    for face, count in pieces:
        faces = way[face]
        if looks and looks[-1].faces == faces:
            looks[-1] = Look(faces, looks[-1].count + count)
        elif count:
            looks.append(Look(faces, count))
    return tuple(_blurred(way, look) for look in looks)


def _sorted_looks(way: dict[int, Alike], pieces: e.Pieces) -> tuple[Look, ...]:
    """Pieces by look: whatever order they had is gone."""
    return _looks(way, tuple(sorted(pieces, key=lambda piece: (way[piece[0]], 0))))


def _blurred(way: dict[int, Alike], look: Look) -> Look:
    """A look that says nothing at all names no faces."""
    if len(look.faces) > 1 and len(look.faces) == len(way):
        return Look((), look.count)
    return look


# -- choices


def _choice(sight: Sight, event: e.Chosen, viewer: Viewer) -> SeenChoice:
    action = sight.model.actions[event.action]
    frame = {0: event.player}
    picks = []
    for parameter, value, secret in zip(action.parameters, event.values, event.secret, strict=True):
        if isinstance(value, int):
            frame[parameter.slot] = value
        if secret and viewer != event.player:
            picks.append(SeenPick(parameter.name, None, None))
        elif isinstance(value, int):
            picks.append(SeenPick(parameter.name, value, None))
        else:
            own = viewer == event.player
            picks.append(_picked(sight, parameter, value, frame, viewer, own))
    return SeenChoice(event.player, event.action, tuple(picks))


def _picked(
    sight: Sight,
    parameter: m.Parameter,
    value: tuple[int, ...],
    frame: dict[int, int],
    viewer: Viewer,
    own: bool,
) -> SeenPick:
    """A picked piece or lot: whoever picked it knows it, others as they see where it lies."""
    domain = parameter.domain
    if isinstance(domain, m.PieceDomain):
        instance, face = value
        zone = sight.layout.instance_zone[instance]
        alike = _plain(zone) if own else sight.alike(instance, viewer)
        looks = _looks(alike, ((face, 1),))
        return SeenPick(parameter.name, None, ((zone.id, instance, looks),))
    assert isinstance(domain, m.LotDomain)
    places = []
    for number, source in enumerate(domain.sources):
        zone = sight.model.zones[source.zone]
        named = _instance(zone, source.index, frame)
        if own:
            alike = _plain(zone)
        elif named is None:
            alike = sight.anywhere(zone.id, viewer)
        else:
            alike = sight.alike(named, viewer)
        cells = zip(domain.cells, value, strict=True)
        pieces = tuple((cell.face, n) for cell, n in cells if n and cell.source == number)
        places.append((zone.id, named, _sorted_looks(alike, pieces)))
    return SeenPick(parameter.name, None, tuple(places))


def _plain(zone: m.Zone) -> dict[int, Alike]:
    return {face: (face,) for face in zone.faces}


def _instance(zone: m.Zone, index: Term | None, frame: dict[int, int]) -> int | None:
    """The instance that a source names, if the picks before it say so; no state is read here."""
    if index is None:
        return zone.first
    position: object = None
    if isinstance(index, Const):
        position = index.value
    elif isinstance(index, Local):
        position = frame.get(index.slot)
    return zone.first + position if isinstance(position, int) else None
