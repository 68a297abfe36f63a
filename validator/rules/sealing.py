"""Simultaneous decisions: what a sealed pick can have depended on when it is opened."""

from __future__ import annotations

from dataclasses import replace

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.rules.doing import changes, transfers
from gemwright.validator.rules.walking import OUT, Token, nodes


def changed_by_others(game: m.Game, point: m.Decide) -> frozenset[Token]:
    """What a player may find changed when his pick is opened, where it is not his own."""
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
            found.add(OUT if change.variable is None else ("variable", change.variable))
    return frozenset(found)


def blinded(action: m.Action, changed: frozenset[Token]) -> m.Action:
    """The action without conditions and bounds on what others may have changed."""
    return replace(
        action,
        parameters=tuple(_unbounded(each, changed) for each in action.parameters),
        where=tuple(line for line in action.where if not _reads_others(line, changed)),
    )


def others_changed(source: m.Source, changed: frozenset[Token]) -> bool:
    """Whether what lies at a source may be other than it was when it was picked from."""
    return ("zone", source.zone) in changed and not _is_mine(source.index)


def _unbounded(parameter: m.Parameter, changed: frozenset[Token]) -> m.Parameter:
    domain = parameter.domain
    if isinstance(domain, m.ValueDomain) and _reads_others(domain.domain, changed):
        wide: t.Domain = t.Players()
        if isinstance(domain.domain, t.Numbers):
            low, high = domain.domain.low, domain.domain.high
            wide = t.Numbers(_constant(low, domain.low), _constant(high, domain.high))
        return replace(parameter, domain=replace(domain, domain=wide))
    return parameter


def _constant(term: t.Term, value: int) -> t.Const:
    return t.Const(term.type, None, value)


def _reads_others(root: object, changed: frozenset[Token]) -> bool:
    for node in nodes(root):
        match node:
            case t.ZoneVector() | t.ZoneCount() | t.ZoneSize() | t.ZoneTop():
                token, mine = ("zone", node.zone), _is_mine(node.index)
            case t.ReadVariable():
                token, mine = ("variable", node.variable), _is_mine(node.index)
            case t.IsOut():
                token, mine = OUT, _is_mine(node.player)
            case t.Players():
                token, mine = OUT, False
            case _:
                continue
        if token in changed and not mine:
            return True
    return False


def _is_mine(index: t.Term | None) -> bool:
    return isinstance(index, t.Local) and index.slot == 0
