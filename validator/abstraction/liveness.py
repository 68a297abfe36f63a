"""Which variables matter at a control point: those that may be read before they are set anew."""

from __future__ import annotations

from collections.abc import Mapping

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.graph.phase_graph import ways
from gemwright.validator.rules.walking import nodes


def live_variables(game: m.Game) -> Mapping[int, frozenset[int]]:
    """For each control point the single variables that may still be read when play is there."""
    uses = {point.id: _used(game, point) for point in game.points}
    sets = {point.id: _set(game, point) - uses[point.id] for point in game.points}
    following = {point.id: _following(game, point) for point in game.points}
    roles = {point.body: {point.role} for point in game.points if isinstance(point, m.LoopTest)}
    live = {number: uses[number] for number in uses}
    changed = True
    while changed:
        changed = False
        for number in reversed(live):
            after: set[int] = set()
            for each in following[number]:
                # A loop sets the role of its body.
                looping = isinstance(game.points[number], m.LoopTest)
                after |= live[each].difference(roles.get(each, set()) if looping else ())
            now = uses[number] | (after - sets[number])
            changed = changed or now != live[number]
            live[number] = now
    return live


def _following(game: m.Game, point: m.Point) -> frozenset[int]:
    """The control points to which play can go from here, by however many nodes of the graph."""
    return frozenset(key[1] for _, key, _ in ways(game, point) if key[0] == "point")


def _used(game: m.Game, point: m.Point) -> frozenset[int]:
    match point:
        case m.LoopTest():
            read = {point.counter, point.origin} - {None}
            return frozenset(each for each in read if each is not None)
        case m.Decide():
            listed = {*point.actions, *point.fallback, *point.anytime}
            actions = tuple(game.actions[number] for number in sorted(listed))
            counter = () if point.counter is None else (point.counter,)
            return _read((point.by, point.others, actions)) | frozenset(counter)
        case m.LoopStart():
            return _read(point.start)
        case m.Do():
            return _read(point.body)
        case m.Branch():
            return _read(point.arms)
        case m.Count():
            return frozenset((point.counter,))
    return frozenset()


def _read(root: object) -> frozenset[int]:
    found = {
        node.variable
        for node in nodes(root)
        if isinstance(node, t.ReadVariable) and node.index is None
    }
    # What is added to is read as well.
    found |= {
        node.variable
        for node in nodes(root)
        if isinstance(node, m.Assign) and node.op != ":=" and node.index is None
    }
    return frozenset(found)


def _set(game: m.Game, point: m.Point) -> frozenset[int]:
    """Variables that are surely set here, whichever way play goes on."""
    match point:
        case m.LoopStart():
            both = {point.counter, point.origin}
            return frozenset(each for each in both if each is not None)
        case m.Do():
            return _assigned(point.body)
        case m.Decide() if not (point.can_pass or point.fallback_pass or point.together):
            if point.otherwise is None and not point.repeat and not point.anytime:
                actions = [game.actions[n].do for n in (*point.actions, *point.fallback)]
                return frozenset.intersection(*(_assigned(body) for body in actions))
    return frozenset()


def _assigned(body: tuple[m.Statement, ...]) -> frozenset[int]:
    return frozenset(
        each.variable
        for each in _before_any_exit(body)
        if isinstance(each, m.Assign | m.AssignRandom) and each.index is None
    )


def _before_any_exit(body: tuple[m.Statement, ...]) -> tuple[m.Statement, ...]:
    """The sentences of a block that are run for certain before it can be left."""
    for number, each in enumerate(body):
        if isinstance(each, m.IfDo | m.ForEach | m.Leave | m.EndGame):
            return body[:number]
    return body
