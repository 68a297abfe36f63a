"""What of the box is in doubt: faces of which not everybody can say how many lie there.

Nobody sees into a hidden box, but at the start everybody knows what is in it, and the rules say
what goes in and out, as long as they name it or it happens before everybody's eyes. What goes in or
out unseen, or at random out of sight, is in doubt from then on.
"""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl.model import game as m
from gemwright.dsl.model.game import Game, Place, Statement, Zone
from gemwright.dsl.model.terms import Const, Local
from gemwright.dsl.model.traversal import nodes

BOX = "box"


def doubtful(game: Game) -> frozenset[int]:
    """The faces of which the rules may ever move pieces into or out of the box unseen."""
    found: set[int] = set()
    for point in game.points:
        if isinstance(point, m.Do):
            found.update(_unseen(game, point.body, {}))
    for action in game.actions:
        picked = {
            each.slot: each.domain
            for each in action.parameters
            if not isinstance(each.domain, m.ValueDomain)
        }
        found.update(_unseen(game, action.do, picked))
    return frozenset(found)


def is_open(zone: Zone) -> bool:
    """Whether everybody sees each piece of a zone."""
    return all(len(set(seen)) == len(seen) for place in zone.sight for seen in place)


def _unseen(
    game: Game, body: tuple[Statement, ...], picked: dict[int, m.LotDomain | m.PieceDomain]
) -> Iterator[int]:
    """The faces that a block may move between the box and a zone that somebody does not see."""
    everything = list(nodes(body))
    loops = {each.slot for each in everything if isinstance(each, m.ForEach)}
    for statement in everything:
        target = getattr(statement, "to", None)
        if not isinstance(statement, Statement) or not isinstance(target, Place):
            continue
        ends = {target.zone}
        if isinstance(statement, m.MovePicked):
            ends.update(source.zone for source in picked[statement.slot].sources)
        else:
            source = getattr(statement, "source", None)
            ends.update([] if source is None else [source.zone])
        zones = [game.zones[end] for end in ends]
        others = [zone for zone in zones if zone.name != BOX]
        if len(others) < len(zones) and not all(is_open(zone) for zone in others):
            yield from _unnamed(game, statement, picked, loops)


def _unnamed(
    game: Game,
    move: Statement,
    picked: dict[int, m.LotDomain | m.PieceDomain],
    loops: set[int],
) -> tuple[int, ...]:
    """The faces that a move may take without the rules naming them."""
    match move:
        case m.MovePicked(slot=slot):
            return picked[slot].faces
        case m.MoveRandom(faces=faces):
            return faces
        case m.MoveEnd(source=source):
            return game.zones[source.zone].faces
        case m.MoveAll(source=m.Source(zone=zone), faces=faces):
            return () if game.zones[zone].name == BOX else faces
        case m.MoveFace(face=face):
            named = isinstance(face, Const) or (isinstance(face, Local) and face.slot in loops)
            return () if named else face.type.faces
    return ()
