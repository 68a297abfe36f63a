"""Whether the rules themselves tell what the setup takes out of the box.

A hidden box shows nobody what leaves it, but `move 5 of each card from box to deck` is read by all.
So what goes out of the box before the first choice is known to everybody, as long as the rules only
name it: nothing that a hidden variable says, and no draw at random but to where everybody sees it.
"""

from __future__ import annotations

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import BOX
from gemwright.interpreter.information.hidden_values import parts, reads


def box_is_open(model: m.Game) -> bool:
    """Whether every sentence that may take pieces out of the box names what it takes."""
    box = next((zone.id for zone in model.zones if zone.name == BOX), None)
    hidden = {variable.id for variable in model.variables if variable.sight != "all"}
    for node in parts((model.points, model.actions)):
        if isinstance(node, m.Let) and not hidden.isdisjoint(reads(node)):
            return False
        if isinstance(node, m.MoveRandom | m.MoveEnd | m.MoveFace | m.MoveVector | m.MoveAll):
            if node.source is not None and node.source.zone != box:
                continue
            known = not isinstance(node, m.MoveRandom | m.MoveEnd) or _is_open(model, node.to.zone)
            if not known or not hidden.isdisjoint(reads(node)):
                return False
    return True


def _is_open(model: m.Game, zone: int) -> bool:
    """Whether everybody sees every piece in a zone, wherever in its family it lies."""
    return all(
        len(set(classes)) == len(classes)
        for instance in model.zones[zone].sight
        for classes in instance
    )
