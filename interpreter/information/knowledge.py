"""What viewers know of places they do not see: a second block, folded from events.

Per viewer, zone instance and face a lower bound of how many such pieces lie there. A seen arrival
adds, a seen departure takes away, an unseen departure of d pieces lowers every face that may have
gone by d, never below 0; shown pieces set the bounds. What leaves a place empty takes along all
that was known of it. A shuffle changes no bound. Knowledge is no part of the game state: no rule
reads it and no digest contains it.

At first everybody knows what lies in the box, and what the setup takes out of it, if the rules name
it (`gemwright.interpreter.information.open_setup`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from gemwright.interpreter import events as e
from gemwright.interpreter.block import BOX, Layout
from gemwright.interpreter.information.open_setup import box_is_open
from gemwright.interpreter.information.seen import SeenEvent, see_all
from gemwright.interpreter.information.sight import Sight, Viewer, reaches
from gemwright.interpreter.state import History

if TYPE_CHECKING:
    from gemwright.interpreter.state import State

Bounds = tuple[int, ...]
"""Lower bounds: for each zone instance one entry per face of its zone, instances in order."""

_CHOICES: Final = (e.Chosen, e.Passed)
_NO_LORE: Final[Mapping[Viewer, tuple[SeenEvent, ...]]] = {}


class Memory(History):
    """The history of a game with what its events told the viewers.

    Folding is incremental: bounds are kept with the number of events in them, and copies keep them.
    `base` holds the bounds before the first event (a viewer not named starts from the spectator's),
    `lore` what viewers had seen before it; both matter for a state that was resampled. `fresh` says
    that the first event is the first of the game.
    """

    __slots__ = ("_base", "_folded", "_fresh", "_lore", "_seen", "_touched", "offsets", "sight")

    def __init__(
        self,
        sight: Sight,
        base: Mapping[Viewer, Bounds],
        lore: Mapping[Viewer, tuple[SeenEvent, ...]] = _NO_LORE,
        touched: frozenset[tuple[int, int]] = frozenset(),
        fresh: bool = False,
    ) -> None:
        super().__init__()
        self._fresh = fresh
        self.sight = sight
        self.offsets = _offsets(sight.layout)
        self._base = dict(base)
        self._lore = lore
        self._folded: dict[Viewer, tuple[int, Bounds, bool]] = {}
        self._seen: dict[Viewer, tuple[int, tuple[SeenEvent, ...]]] = {}
        self._touched = (0, touched)

    def __bool__(self) -> bool:
        """Always true: a memory without events is still one."""
        return True

    def copy(self) -> Memory:
        """A memory that goes on by itself."""
        twin = Memory(self.sight, self._base, self._lore, fresh=self._fresh)
        twin._folded, twin._seen = dict(self._folded), dict(self._seen)
        twin._touched = self._touched
        twin.share(self)
        return twin

    def share(self, other: History) -> None:
        """Take over the events of another history."""
        self._events, self._length = other._events, other._length

    def bounds(self, viewer: Viewer) -> Bounds:
        """What the viewer knows after the last event."""
        start = self._base[viewer] if viewer in self._base else self._base[None]
        length, known, opened = self._folded.get(viewer, (0, start, self._opened_at_start()))
        if length < len(self):
            events = self.since(length)
            known = fold(self.sight, self.offsets, known, events, viewer, opened)
            opened = opened and not any(isinstance(each, _CHOICES) for each in events)
            self._folded[viewer] = (len(self), known, opened)
        return known

    def _opened_at_start(self) -> bool:
        sight = self.sight
        if sight.open_box is None:
            sight.open_box = box_is_open(sight.model)
        return self._fresh and sight.open_box

    def lore(self, viewer: Viewer) -> tuple[SeenEvent, ...]:
        """What the viewer had seen before the first event."""
        return self._lore.get(viewer, self._lore.get(None, ()))

    def seen(self, viewer: Viewer) -> tuple[SeenEvent, ...]:
        """The events as the viewer has seen them, those that he did not notice left out."""
        length, found = self._seen.get(viewer, (0, ()))
        if length < len(self):
            found = (*found, *see_all(self.sight, self.since(length), viewer))
            self._seen[viewer] = (len(self), found)
        return found

    def touched(self) -> frozenset[tuple[int, int]]:
        """The cells of variables, as (variable, position), that have been assigned so far."""
        length, cells = self._touched
        if length < len(self):
            new = [each for each in self.since(length) if isinstance(each, e.Assigned)]
            cells = cells.union((each.variable, each.position) for each in new)
            self._touched = (len(self), cells)
        return cells


def memory(state: State) -> Memory:
    """The memory of a state; the first call turns its plain history into one."""
    history = state.events
    if isinstance(history, Memory):
        return history
    sight = Sight(state._machine.layout)
    fresh = _from_the_start(history)
    start = _at_start(sight.layout) if fresh else _nothing(sight.layout)
    made = Memory(sight, {None: start}, fresh=fresh)
    made.share(history)
    state.events = made
    return made


def known(state: State, viewer: Viewer, instance: int) -> dict[int, int]:
    """Lower bounds per face of one zone instance; exact where the viewer sees the face there."""
    past = memory(state)
    faces = past.sight.layout.instance_zone[instance].faces
    offset = past.offsets[instance]
    found = dict(zip(faces, past.bounds(viewer)[offset : offset + len(faces)], strict=True))
    places = state._machine.places
    for alike in past.sight.looks(instance, viewer):
        if len(alike) == 1:
            found[alike[0]] = places.count(instance, alike[0], state.block)
    return found


def fold(
    sight: Sight,
    offsets: list[int],
    start: Bounds,
    events: Iterable[e.Event],
    viewer: Viewer,
    opened: bool = False,
) -> Bounds:
    """The bounds of one viewer after more events.

    While `opened`, which a choice ends, nothing that leaves the box is hidden.
    """
    bounds = list(start)
    positions = sight.layout.positions
    zones = sight.layout.instance_zone

    def cell(instance: int, face: int) -> int:
        return offsets[instance] + positions[zones[instance].id][face]

    for event in events:
        if isinstance(event, e.Moved) and event.source != event.target:
            way = sight.way(event.source, event.target, viewer)
            if opened and zones[event.source].name == BOX:
                way = {face: (face,) for face in way}
            hidden = [face for face in zones[event.source].faces if way.get(face) != (face,)]
            came = {face: bounds[cell(event.source, face)] for face in hidden}
            for face, count in event.faces:
                for maybe in way[face]:
                    at = cell(event.source, maybe)
                    bounds[at] = max(0, bounds[at] - count)
            for face, count in event.faces:
                if way[face] == (face,):
                    bounds[cell(event.target, face)] += count
            if event.emptied:
                for face, count in came.items():
                    bounds[cell(event.source, face)] = 0
                    if face in positions[zones[event.target].id]:
                        bounds[cell(event.target, face)] += count
        elif isinstance(event, _CHOICES):
            opened = False
        elif isinstance(event, e.Shown) and reaches(event.to, viewer):
            for face in zones[event.instance].faces:
                bounds[cell(event.instance, face)] = 0
            for face, count in event.faces:
                bounds[cell(event.instance, face)] += count
    return tuple(bounds)


def _offsets(layout: Layout) -> list[int]:
    """The first entry of each zone instance in the bounds."""
    offsets, at = [], 0
    for zone in layout.instance_zone:
        offsets.append(at)
        at += len(zone.faces)
    return offsets


def _nothing(layout: Layout) -> Bounds:
    return (0,) * sum(len(zone.faces) for zone in layout.instance_zone)


def _at_start(layout: Layout) -> Bounds:
    """Before the setup all pieces lie in the box, and the rules say which."""
    bounds: list[int] = []
    for zone in layout.instance_zone:
        there = zone.name == BOX
        bounds += [layout.model.faces[face].count if there else 0 for face in zone.faces]
    return tuple(bounds)


def _from_the_start(history: History) -> bool:
    """Whether the events begin with the game: those of a restored state begin with a choice."""
    first = next(iter(history), None)
    return first is not None and not isinstance(first, _CHOICES)
