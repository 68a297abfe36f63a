"""Numbers that go in steps: a condition that waits for an exact one may never hold.

A state variable that is only ever changed by multiples of a number keeps its remainder. So a score
that rises by two is never odd when it began even, however long a play is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from gemwright.dsl.elaboration import folding
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.rules.doing import changes, possible_actions


@dataclass(frozen=True, slots=True)
class Steps:
    """A variable goes in steps of `by` from one of `starts`."""

    name: str
    by: int
    starts: tuple[int, ...]

    def reaches(self, goal: int) -> bool:
        """Whether the steps may lead to a number."""
        return any((goal - start) % self.by == 0 for start in self.starts)


def jumped_over(game: m.Game, condition: t.Term) -> Steps | None:
    """The steps of the number that a condition waits for, exactly and in vain; None if it waits for
    nothing, or for what the steps may lead to."""
    if isinstance(condition, t.Fold) and condition.op == "some" and condition.body is not None:
        condition = condition.body
    if not isinstance(condition, t.Compare) or condition.op != "=":
        return None
    number, goal = condition.left, folding.scalar(condition.right)
    if not isinstance(number, t.ReadVariable) or goal is None:
        return None
    if number.type.base is not t.Base.INT:
        return None
    steps = _steps(game, number.variable)
    return None if steps is None or steps.reaches(goal) else steps


def _steps(game: m.Game, variable: int) -> Steps | None:
    """How a variable changes; None if that is not known, or it is set only."""
    kept = game.variables[variable]
    by, starts = 0, dict.fromkeys(kept.start)
    bodies = [point.body for point in game.points if isinstance(point, m.Do)]
    bodies += [action.do for action in possible_actions(game)]
    if _is_hidden(game, variable):
        return None
    for change in (each for body in bodies for each in changes(body)):
        if change.variable != variable:
            continue
        if change.value is None or change.op == "random":
            return None
        if change.op == ":=":
            value = folding.scalar(change.value)
            if value is None:
                return None
            starts[value] = None
        else:
            by = gcd(by, _factor(change.value))
    return Steps(kept.name, by, tuple(starts)) if by else None


def _is_hidden(game: m.Game, variable: int) -> bool:
    """Whether play itself changes a variable: roles, and what counts rounds or entries."""
    kept: set[int | None] = set()
    for point in game.points:
        if isinstance(point, m.LoopTest):
            kept |= {point.counter, point.origin, point.role}
        elif isinstance(point, m.LoopStart):
            kept |= {point.counter, point.origin}
        elif isinstance(point, m.Count | m.Decide):
            kept.add(point.counter)
    return variable in kept


def _factor(term: t.Term) -> int:
    """A number that divides every value of a term; 0 if it is always 0."""
    match term:
        case t.Const(value=int(value)):
            return abs(value)
        case t.Lookup(values=values) | t.Table(values=values):
            numbers = [value for value in values if isinstance(value, int)]
            extra = [term.default] if isinstance(term, t.Table) else []
            return gcd(*numbers, *extra) if len(numbers) == len(values) else 1
        case t.Openly(term=inner):
            return _factor(inner)
        case t.If():
            return gcd(_factor(term.then), _factor(term.otherwise))
        case t.Arithmetic(op="*"):
            return _factor(term.left) * _factor(term.right)
        case t.Arithmetic():
            return gcd(_factor(term.left), _factor(term.right))
    return 1
