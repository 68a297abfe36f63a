"""Simultaneous decisions: what a sealed pick can have depended on when it is opened."""

from __future__ import annotations

from dataclasses import replace

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.validator.doing import changes, transfers
from gemwright.validator.walking import Token, nodes


def blinded(game: m.Game, point: m.Decide, action: m.Action) -> m.Action:
    """The action without conditions on what others may have changed since it was picked."""
    written = _written(game, point)
    kept = tuple(line for line in action.where if not _reads_others(line, written))
    return replace(action, where=kept)


def _written(game: m.Game, point: m.Decide) -> frozenset[Token]:
    found: set[Token] = set()
    for number in (*point.actions, *point.fallback):
        action = game.actions[number]
        for each in transfers(action.do):
            found.add(("zone", each.target))
            found |= {("zone", each.source)} if each.source is not None else set()
        for parameter in action.parameters:
            if isinstance(parameter.domain, m.LotDomain | m.PieceDomain):
                found |= {("zone", source.zone) for source in parameter.domain.sources}
        for change in changes(action.do):
            found |= {("variable", change.variable)} if change.variable is not None else set()
    return frozenset(found)


def _reads_others(line: m.Line, written: frozenset[Token]) -> bool:
    for node in nodes(line.condition):
        if isinstance(node, t.ZoneVector | t.ZoneCount | t.ZoneSize | t.ZoneTop):
            token: Token = ("zone", node.zone)
        elif isinstance(node, t.ReadVariable):
            token = ("variable", node.variable)
        else:
            continue
        mine = isinstance(node.index, t.Local) and node.index.slot == 0
        if token in written and not mine:
            return True
    return False
