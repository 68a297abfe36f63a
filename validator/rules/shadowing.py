"""Actions that another one makes superfluous: it does the same, and is legal whenever they are."""

from __future__ import annotations

from collections import Counter

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.rules.fingerprint import text_of


def check_shadowed(game: m.Game, reporter: Reporter) -> None:
    """Report every action that is covered by another one, at its name."""
    told: set[int] = set()
    shapes = Counter(_shape(action) for action in game.actions)
    alike: dict[str, list[m.Action]] = {}
    for action in game.actions:
        if shapes[_shape(action)] > 1:
            alike.setdefault(text_of((action.parameters, action.do)), []).append(action)
    for group in alike.values():
        lines = {action.id: _conditions(action) for action in group}
        for action in group:
            for other in group:
                if other.id == action.id or other.id in told:
                    continue
                if lines[other.id] <= lines[action.id] and _offered_with(game, action.id, other.id):
                    told.add(action.id)
                    _report(action, other, reporter)
                    break


def _report(action: m.Action, other: m.Action, reporter: Reporter) -> None:
    reporter.warning(
        "D003",
        action.span,
        f"the action `{action.name}` adds nothing to `{other.name}`",
        "that one does the same and is legal whenever this one is",
        ((other.span, "it is covered by this one"),),
    )


def _shape(action: m.Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What tells most actions apart at first sight."""
    names = tuple(parameter.name for parameter in action.parameters)
    return names, tuple(type(each).__name__ for each in action.do)


def _conditions(action: m.Action) -> frozenset[str]:
    """The conditions of an action, apart from their order."""
    found: list[t.Term] = []
    for line in action.where:
        whole = line.condition
        found.extend(whole.terms if isinstance(whole, t.And) else (whole,))
    return frozenset(text_of(each) for each in found)


def _offered_with(game: m.Game, action: int, other: int) -> bool:
    """Whether every decision that offers an action offers the other one in the same way, and there
    is one."""
    found = False
    for point in game.points:
        if isinstance(point, m.Decide):
            for offered in (point.actions, point.fallback, point.anytime):
                if action in offered:
                    found = True
                    if other not in offered:
                        return False
    return found
