"""Sight: which faces look the same to a viewer, in one zone instance and on the way between two.

Everything that tells a player something (views, logs, knowledge, resampling) asks here, and this
module asks only `Zone.sight` and `Variable.sight`. A viewer is a seat, or `SPECTATOR`, who sees
what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gemwright.dsl.model.game import Game
from gemwright.interpreter.block import Layout

SPECTATOR: Final = None

Viewer = int | None
"""A seat (0-based), or None for a spectator."""

Alike = tuple[int, ...]
"""Faces, ascending, that look the same to somebody."""


class Sight:
    """The sight of every viewer in one game model. Holds no state of a game; fills when asked."""

    __slots__ = ("_classes", "_looks", "_ways", "free", "layout", "model", "open_box")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.model: Game = layout.model
        self._classes: dict[tuple[int, Viewer], dict[int, Alike]] = {}
        self._looks: dict[tuple[int, Viewer], tuple[Alike, ...]] = {}
        self._ways: dict[tuple[int, int, Viewer], dict[int, Alike]] = {}
        # Kept for `hidden_values` and `open_setup`, which find them once per game model.
        self.free: dict[int, tuple[int, ...] | None] | None = None
        self.open_box: bool | None = None

    # -- zones

    def alike(self, instance: int, viewer: Viewer) -> dict[int, Alike]:
        """For each face that the zone may hold the faces that look like it to the viewer."""
        key = (instance, viewer)
        found = self._classes.get(key)
        if found is None:
            zone = self.layout.instance_zone[instance]
            sight = zone.sight[instance - zone.first]
            if viewer is None:
                found = _coarsest(zone.faces, sight)
            else:
                found = _grouped(zone.faces, sight[viewer])
            self._classes[key] = found
        return found

    def looks(self, instance: int, viewer: Viewer) -> tuple[Alike, ...]:
        """The groups of alike faces of a zone instance, by their first face."""
        key = (instance, viewer)
        found = self._looks.get(key)
        if found is None:
            found = tuple(sorted(set(self.alike(instance, viewer).values())))
            self._looks[key] = found
        return found

    def is_full(self, instance: int, viewer: Viewer) -> bool:
        """Whether the viewer tells all faces apart here."""
        return len(self.looks(instance, viewer)) == len(self.alike(instance, viewer))

    def anywhere(self, zone: int, viewer: Viewer) -> dict[int, Alike]:
        """What the viewer tells apart in every instance of a zone: for one that cannot be named."""
        family = self.model.zones[zone]
        instances = range(family.first, family.first + family.size)
        return _closure(family.faces, [self.alike(each, viewer) for each in instances])

    def way(self, source: int, target: int, viewer: Viewer) -> dict[int, Alike]:
        """For each face that may go from source to target what the viewer knows of it.

        Whoever tells two faces apart at one end tells them apart on the way.
        """
        key = (source, target, viewer)
        found = self._ways.get(key)
        if found is None:
            there, here = self.alike(source, viewer), self.alike(target, viewer)
            both = [face for face in self.layout.instance_zone[source].faces if face in here]
            found = _grouped(both, [(there[face], here[face]) for face in both])
            self._ways[key] = found
        return found

    # -- variables

    def sees_cell(self, variable: int, position: int, viewer: Viewer) -> bool:
        """Whether the viewer sees one cell of a state variable."""
        declared = self.model.variables[variable]
        if declared.sight == "owner":
            return viewer is not None and declared.index == "player" and position == viewer
        return declared.sight == "all"


def reaches(to: tuple[int, ...] | None, viewer: Viewer) -> bool:
    """Whether something told to the seats `to` (None = everybody) reaches the viewer."""
    return to is None or (viewer is not None and viewer in to)


def _grouped(faces: Sequence[int], classes: Sequence[object]) -> dict[int, Alike]:
    """Faces by equal classes."""
    groups: dict[object, list[int]] = {}
    for face, look in zip(faces, classes, strict=True):
        groups.setdefault(look, []).append(face)
    alike = {look: tuple(sorted(members)) for look, members in groups.items()}
    return {face: alike[look] for face, look in zip(faces, classes, strict=True)}


def _coarsest(faces: Sequence[int], sight: Iterable[Sequence[int]]) -> dict[int, Alike]:
    """The finest grouping that nobody can refine: what everybody sees."""
    return _closure(faces, [_grouped(faces, classes) for classes in sight])


def _closure(faces: Sequence[int], groupings: Iterable[dict[int, Alike]]) -> dict[int, Alike]:
    """Faces are alike if a chain of faces, alike in one grouping after another, joins them."""
    leader = {face: face for face in faces}

    def lead(face: int) -> int:
        while leader[face] != face:
            face = leader[face]
        return face

    for grouping in groupings:
        for alike in grouping.values():
            for face in alike[1:]:
                one, other = sorted((lead(alike[0]), lead(face)))
                leader[other] = one
    return _grouped(faces, [lead(face) for face in faces])
