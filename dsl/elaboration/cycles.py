"""Declared cycles: every loop of control points carries a counted `each`, a `decreases` or a `cap`.

The check is about declarations, not about truth: whether a declared quantity really falls is
for the
validator. Self-loops of a decision (`repeat until pass`, `anytime`) count as loops too.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.elaboration.phases import Phase, Phases
from gemwright.dsl.model.game import (
    Branch,
    Count,
    Decide,
    Do,
    ForEach,
    Game,
    IfDo,
    Leave,
    LoopStart,
    LoopTest,
    Point,
    Statement,
)

HELP = "add `decreases: QUANTITY` or `cap: {times: N, to: end}` to one of these phases"


def check_cycles(phases: Phases, game: Game, reporter: Reporter) -> None:
    """Report each loop that declares nothing that ends it."""
    measured = {p.enter for p in phases.phases.values() if _measured(p)}
    by_path = {phases.path(p): p for p in phases.phases.values()}
    for point in game.points:
        phase = by_path.get(point.phase)
        if isinstance(point, Decide) and phase is not None and _again(point, phase, phases):
            reporter.error(
                "G010",
                phase.span,
                f"`{phase.name}` may be decided again and again",
                "add `at most N` to `repeat`, or `decreases: QUANTITY` to the phase",
            )
    sorter: TopologicalSorter[int] = TopologicalSorter()
    counted = {
        point.id: point.exit
        for point in game.points
        if isinstance(point, LoopTest) and _is_counted(point, by_path)
    }
    for point in game.points:
        if point.id not in measured:
            targets = _targets(point, game)
            if not isinstance(point, LoopStart):
                # Another round is counted by the loop itself: only what follows it goes on.
                targets = [counted.get(target, target) for target in targets]
            sorter.add(point.id, *(target for target in targets if target not in measured))
    try:
        sorter.prepare()
    except CycleError as problem:
        paths = dict.fromkeys(game.points[n].phase for n in reversed(problem.args[1]))
        inside = [by_path[path] for path in paths if path in by_path]
        if inside:
            shown = " -> ".join(f"`{phase.name}`" for phase in inside)
            reporter.error(
                "G010",
                inside[0].span,
                f"play can go round {shown} and nothing says why that ends",
                HELP,
            )


def _again(point: Decide, phase: Phase, phases: Phases) -> bool:
    unbounded = (point.repeat and point.at_most is None) or bool(point.anytime)
    return unbounded and not _under_measure(phase, phases)


def _measured(phase: Phase) -> bool:
    return phase.node.get("cap") is not None or phase.node.get("decreases") is not None


def _under_measure(phase: Phase, phases: Phases) -> bool:
    above: Phase | None = phase
    while above is not None:
        if _measured(above):
            return True
        above = phases.phases.get(above.holder or "")
    return False


def _is_counted(point: LoopTest, by_path: dict[str, Phase]) -> bool:
    phase = by_path.get(point.phase)
    return not point.endless or (phase is not None and _measured(phase))


def _targets(point: Point, game: Game) -> list[int]:
    match point:
        case Do():
            return [point.next, *_leaves(point.body)]
        case Branch():
            return [arm.target for arm in point.arms]
        case LoopStart():
            return [point.next]
        case LoopTest():
            return [point.exit, point.body]
        case Count():
            return [point.next, point.capped]
        case Decide():
            actions = [game.actions[a] for a in (*point.actions, *point.fallback, *point.anytime)]
            leaves = [target for action in actions for target in _leaves(action.do)]
            return [
                point.next,
                *leaves,
                *([point.otherwise] if point.otherwise is not None else []),
            ]
    return []


def _leaves(body: tuple[Statement, ...]) -> list[int]:
    found: list[int] = []
    for statement in body:
        match statement:
            case Leave():
                found.append(statement.target)
            case IfDo():
                found.extend(_leaves(statement.then) + _leaves(statement.otherwise))
            case ForEach():
                found.extend(_leaves(statement.body))
    return found
