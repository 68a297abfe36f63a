"""Hides zones and variables of hand-built models."""

from __future__ import annotations

from dataclasses import replace

from gemwright.dsl.model import game as m


def with_sight(game: m.Game, **names: str | tuple[int, ...]) -> m.Game:
    """The game with zones and variables seen by 'all', 'owner' or 'nobody'.

    A tuple of classes, one per face, is what others than the owner see of a zone.
    """
    zones = tuple(
        replace(
            zone, sight=_sight(game, zone, names[zone.name]), seen_by=_seen_by(names[zone.name])
        )
        if zone.name in names
        else zone
        for zone in game.zones
    )
    variables = tuple(
        replace(each, sight=str(names[each.name])) if each.name in names else each
        for each in game.variables
    )
    return replace(game, zones=zones, variables=variables)


def _seen_by(how: str | tuple[int, ...]) -> str:
    return how if isinstance(how, str) else "columns"


def _sight(
    game: m.Game, zone: m.Zone, how: str | tuple[int, ...]
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    everything = tuple(range(len(zone.faces)))
    nothing = (0,) * len(zone.faces)
    others = (
        {"all": everything, "owner": nothing, "nobody": nothing}[how]
        if isinstance(how, str)
        else how
    )
    return tuple(
        tuple(
            everything if how != "nobody" and label == f"P{viewer + 1}" else others
            for viewer in range(game.players)
        )
        for label in zone.labels
    )
