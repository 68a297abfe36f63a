"""Plans the walk of every action of a game model, and of every `some lot`, or says why there is
none."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import Action, Game
from gemwright.dsl.terms import SomeLot
from gemwright.dsl.walkable import Facts, classify, some_lot_plan
from gemwright.dsl.walkable_forms import Problem


def plan_walks(game: Game, reporter: Reporter) -> Game | None:
    """The game with each action's way of walking; None after errors."""
    planned: list[Action] = []
    for action in game.actions:
        facts = Facts(game.players, action.slots)
        plan = classify(action.parameters, action.where, facts)
        if isinstance(plan, Problem):
            _report(plan, reporter)
            continue
        planned.append(replace(action, walk=plan.walk))
    for term in _some_lots((game.points, tuple(action.do for action in game.actions))):
        found = some_lot_plan(term, Facts(game.players, 0))
        if isinstance(found, Problem):
            _report(found, reporter)
    if len(planned) != len(game.actions) or reporter.has_errors:
        return None
    return replace(game, actions=tuple(planned))


def _report(problem: Problem, reporter: Reporter) -> None:
    for finding in problem.findings:
        reporter.error(finding.code, finding.span, finding.message, finding.help)


def _some_lots(root: object) -> list[SomeLot]:
    """All `some lot` terms below a part of the model, in order."""
    found: list[SomeLot] = []
    todo = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, SomeLot):
            found.append(node)
        if isinstance(node, tuple):
            todo.extend(reversed(node))
        elif is_dataclass(node) and not isinstance(node, type):
            todo.extend(getattr(node, field.name) for field in fields(node) if field.name != "span")
    return found
