"""The phase graph of a game: control points as nodes, ways between them as edges.

Nodes are numbers of control points; a simultaneous decision has a second node where its sealed
picks are opened, and what draws by chance has one where chance decides. An edge says what kind of
way it is, under which condition it is taken, and what is done on it. It stands for every way that
play can go: where in doubt there is an edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gemwright.dsl.elaboration import folding
from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Term
from gemwright.dsl.source import Span
from gemwright.validator.rules.doing import (
    Change,
    Transfer,
    changes,
    ends_of,
    exits,
    has_chance,
    transfers,
)

if TYPE_CHECKING:
    import networkx as nx

Key = tuple[str, int]
"""A node: 'point', 'reveal' or 'chance' with the number of the control point; for the chance of an
action 'draw' with its number."""


@dataclass(frozen=True, slots=True)
class Guard:
    """When an edge is taken: `holds` is true and all of `fails`, tested before it, are false."""

    holds: Term | None = None
    fails: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """An edge.

    `kind` is one of 'auto' (goes on by itself), 'branch', 'move' (an action), 'anytime', 'pass',
    'otherwise' (nobody has a pick), 'round' and 'exit' (of a loop), 'commit' (a sealed pick),
    'reveal', 'chance', 'capped', 'leave' (out of a phase), 'end' (of the game).
    """

    kind: str
    span: Span
    guard: Guard = Guard()
    action: int | None = None
    transfers: tuple[Transfer, ...] = ()
    changes: tuple[Change, ...] = ()


def phase_graph(game: m.Game) -> nx.MultiDiGraph[Key]:
    """The phase graph; node attributes are `point` and `kind`, the only edge attribute is `way`.

    Edge keys number the edges that leave a node, from 0, in the order of the file.
    """
    import networkx as nx

    graph: nx.MultiDiGraph[Key] = nx.MultiDiGraph()
    for point in game.points:
        graph.add_node(("point", point.id), point=point, kind=_kind(point))
    for point in game.points:
        for source, target, way in ways(game, point):
            for node in (source, target):
                if node not in graph:
                    graph.add_node(node, point=point, kind=node[0])
            key = sum(1 for _ in graph.out_edges(source))
            graph.add_edge(source, target, key=key, way=way)
    return graph


def start_of(game: m.Game) -> Key:
    """The node where play starts."""
    return ("point", game.start)


def _kind(point: m.Point) -> str:
    if isinstance(point, m.Do) and has_chance(point.body):
        return "chance"
    if isinstance(point, m.Decide):
        return "together" if point.together else "decision"
    names: dict[type[m.Point], str] = {
        m.Do: "do",
        m.Branch: "branch",
        m.LoopStart: "loop start",
        m.LoopTest: "loop",
        m.Count: "count",
        m.End: "end",
    }
    return names[type(point)]


_Edge = tuple[Key, Key, Way]


def ways(game: m.Game, point: m.Point) -> Iterator[tuple[Key, Key, Way]]:
    """The edges that a control point stands for, in the order of the file."""
    here: Key = ("point", point.id)
    match point:
        case m.Do():
            yield from _done(here, point.body, point.next, Way("auto", point.span), ends_of(game))
        case m.Branch():
            yield from _arms(here, point)
        case m.LoopStart():
            yield here, ("point", point.next), Way("auto", point.span)
        case m.LoopTest():
            yield here, ("point", point.body), Way("round", point.span)
            if not point.endless:
                yield here, ("point", point.exit), Way("exit", point.span)
        case m.Count():
            yield here, ("point", point.next), Way("auto", point.span)
            yield here, ("point", point.capped), Way("capped", point.span)
        case m.Decide():
            yield from _decided(game, here, point)


def _arms(here: Key, point: m.Branch) -> Iterator[_Edge]:
    failed: tuple[Term, ...] = ()
    for arm in point.arms:
        known = None if arm.condition is None else folding.scalar(arm.condition)
        if known == 0:
            continue
        condition = None if known is not None else arm.condition
        kind = "auto" if condition is None and not failed else "branch"
        yield here, ("point", arm.target), Way(kind, arm.span, Guard(condition, failed))
        if condition is None:
            return
        failed = (*failed, condition)


def _decided(game: m.Game, here: Key, point: m.Decide) -> Iterator[_Edge]:
    listed = [(number, "move") for number in (*point.actions, *point.fallback)]
    listed += [(number, "anytime") for number in point.anytime if number not in point.actions]
    after: Key = here
    if point.together:
        after = ("reveal", point.id)
        yield here, here, Way("commit", point.span)
        yield here, after, Way("reveal", point.span)
    for number, kind in dict(listed).items():
        action = game.actions[number]
        way = Way(kind, action.span, action=number)
        goes: tuple[int, ...] = (point.next,)
        if kind == "anytime":
            goes = (point.id,)
        elif point.repeat:
            goes = (point.id, point.next)
        source = after
        if has_chance(action.do):
            source = ("draw", number * len(game.points) + point.id)
            yield after, source, way
            way = Way("chance", action.span, action=number)
        for target in goes:
            yield from _done(source, action.do, target, way, ends_of(game))
    if point.can_pass or point.fallback_pass:
        kind = "pass" if point.can_pass else "otherwise"
        yield after, ("point", point.next), Way(kind, point.span)
    if point.otherwise is not None:
        yield here, ("point", point.otherwise), Way("otherwise", point.span)


def _done(
    source: Key, body: tuple[m.Statement, ...], next: int, way: Way, ends: Mapping[str, int]
) -> Iterator[_Edge]:
    """The ways that a block of sentences can go: on, out of a phase, to the end of the game."""
    through, leaves = exits(body, ends)
    full = Way(way.kind, way.span, way.guard, way.action, transfers(body), changes(body))
    if through:
        yield source, ("point", next), full
    for span, target, kind in leaves:
        out = Way(kind, span, way.guard, way.action, full.transfers, full.changes)
        yield source, ("point", target), out
