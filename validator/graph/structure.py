"""What the phase graph alone tells: phases out of reach, circles without a way to the end, actions
that can never be chosen. Linear in the size of the graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.validator.graph.phase_graph import Key, phase_graph, start_of
from gemwright.validator.rules.deciding import NEVER, decided

if TYPE_CHECKING:
    import networkx as nx


def check_structure(game: m.Game, reporter: Reporter) -> None:
    """Report what is wrong with the phases of a game, one finding for one cause."""
    import networkx as nx

    graph = phase_graph(game)
    start = start_of(game)
    reached = {start, *nx.descendants(graph, start)}
    ends = {key for key in reached if isinstance(graph.nodes[key]["point"], m.End)}
    if not ends:
        # The phase in which the game would end is then out of reach: that is the same fault.
        first = _first_phase(game)
        reporter.error(
            "G003",
            first.span,
            "no way through the phases leads to the end of the game",
            "write `next: end`, `end game` where it is over, or a `cap`",
        )
    else:
        _check_traps(game, graph.subgraph(reached), reporter)
        _check_reach(game, reached, reporter)
    _check_actions(game, reached, reporter)


def _first_phase(game: m.Game) -> m.Point:
    inside = (point for point in game.points if point.phase not in ("", "setup"))
    return next(inside, game.points[game.start])


def _check_traps(game: m.Game, graph: nx.MultiDiGraph[Key], reporter: Reporter) -> None:
    """Parts of the graph that are entered and never left, and in which no game ends."""
    import networkx as nx

    for part in nx.strongly_connected_components(graph):
        leaves = any(target not in part for node in part for target in graph.successors(node))
        ended = any(isinstance(graph.nodes[node]["point"], m.End) for node in part)
        if leaves or ended:
            continue
        way = nx.shortest_path(graph, start_of(game), min(part, key=_order))
        inside = _phases(graph.nodes[node]["point"] for node in sorted(part, key=_order))
        path = _phases(graph.nodes[node]["point"] for node in way)
        point = graph.nodes[way[-1]]["point"]
        reporter.error(
            "G004",
            point.span,
            f"play that comes to `{inside[0]}` stays in {_list(inside)} for ever",
            f"give one of them a way on; it is entered by {' -> '.join(path)}",
        )


def _check_reach(game: m.Game, reached: set[Key], reporter: Reporter) -> None:
    """Phases that play never comes to; what lies inside one of them is not told of again."""
    there = {game.points[key[1]].phase for key in reached if key[0] in ("point", "reveal")}
    spans: dict[str, Span] = {}
    for point in game.points:
        if point.phase and point.phase != "setup":
            spans.setdefault(point.phase, point.span)
    for phase, span in spans.items():
        outer = phase.rpartition("/")[0]
        inner_reached = any(each == phase or each.startswith(f"{phase}/") for each in there)
        if not inner_reached and (not outer or outer in there):
            name = phase.rpartition("/")[2]
            reporter.warning(
                "G002",
                span,
                f"play never comes to the phase `{name}`",
                "name it in `next`, `steps` or `start`, or take it out",
            )


def _check_actions(game: m.Game, reached: set[Key], reporter: Reporter) -> None:
    offered: set[int] = set()
    for key in reached:
        point = game.points[key[1]] if key[0] == "point" else None
        if isinstance(point, m.Decide):
            offered |= {*point.actions, *point.fallback, *point.anytime}
    for action in game.actions:
        if action.id not in offered:
            reporter.warning(
                "V001",
                action.span,
                f"no decision offers the action `{action.name}`",
                "list it under `actions` of a phase, or take it out",
            )
        elif any(decided(line.condition) == NEVER for line in action.where):
            reporter.warning(
                "D002",
                action.span,
                f"the action `{action.name}` is never legal",
                "one of its conditions is false whatever happens",
            )


def _phases(points: Iterable[m.Point]) -> list[str]:
    names = (point.phase.rpartition("/")[2] for point in points)
    return list(dict.fromkeys(name for name in names if name))


def _list(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:4])
    return shown + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _order(key: Key) -> tuple[int, str]:
    return key[1], key[0]
