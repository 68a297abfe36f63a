"""Conditions that decide nothing: those that hold always or never, whatever the state is.

Ranges of state, columns and sizes of zones tell; so does what the options make of a condition. A
condition that `define` or an effect puts into several places counts only if all of them agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span
from gemwright.validator.rules.doing import statements
from gemwright.validator.rules.residues import Steps, jumped_over
from gemwright.validator.rules.term_ranges import MAYBE, Box, Range, range_of
from gemwright.validator.rules.walking import parts

ALWAYS: Final[Range] = (1, 1)
NEVER: Final[Range] = (0, 0)
_MOST_WORK: Final = 2_000
"""Terms that are looked at for one condition."""
_NOTHING: Final = -1
"""No zone: nothing is known but what types say."""


def decided(condition: t.Term) -> Range:
    """`ALWAYS`, `NEVER` or 0..1 for a condition; 0..1 for one that is too much to look at."""
    if _work(condition) > _MOST_WORK:
        return MAYBE
    return range_of(condition, Box(_NOTHING, None, {}, {}))


def _open(condition: t.Term) -> Range:
    """The same for conditions that options may have settled: those decide something elsewhere."""
    return MAYBE if isinstance(condition, t.Const) else decided(condition)


def _work(root: t.Term) -> int:
    """How many terms are looked at: the body of a fold for each of its elements."""
    found, todo = 0, list[tuple[object, int]]([(root, 1)])
    while todo and found <= _MOST_WORK:
        term, times = todo.pop()
        found += times
        inner = times * _elements(term)
        todo.extend((part, inner) for part in parts(term))
    return found


def _elements(term: object) -> int:
    if isinstance(term, t.Fold) and isinstance(term.domain, t.Faces | t.Pieces):
        return len(term.domain.faces)
    return 1


def check_conditions(game: m.Game, reporter: Reporter) -> None:
    """Report conditions of actions that always hold, arms of `next` that are never taken, and `if`
    with only one way to go. Actions that are never legal are found elsewhere."""
    for action in game.actions:
        if not any(decided(line.condition) == NEVER for line in action.where):
            for line in action.where:
                if _open(line.condition) == ALWAYS:
                    message = f"this condition always holds{_why(line.condition)}"
                    reporter.warning("E004", line.span, message, "take it out, or put it right")
    for point in game.points:
        if isinstance(point, m.Branch):
            _check_arms(game, point, reporter)
    for span, found in _choices(game).items():
        conditions = [_open(each.condition) for each in found]
        if len(set(conditions)) == 1 and conditions[0] != MAYBE:
            _report_choice(span, found[0], conditions[0] == ALWAYS, reporter)


def _check_arms(game: m.Game, point: m.Branch, reporter: Reporter) -> None:
    """Arms that are never taken: their condition never holds, or an arm above takes everything."""
    above: list[t.Term] = []
    for arm in point.arms[:-1]:
        assert arm.condition is not None
        known = _open(arm.condition)
        covered = next((term for term in above if _implies(arm.condition, term)), None)
        if known == NEVER and leads_to_end(game, arm.target):
            message = f"the game never ends this way{_why(arm.condition)}"
            reporter.error("W001", arm.span, message, "the condition asks for what cannot be")
        elif leads_to_end(game, arm.target) and (steps := jumped_over(game, arm.condition)):
            message = f"play jumps over what ends the game here: {_steps_text(steps)}"
            reporter.warning("T006", arm.span, message, "compare with `>=` or `<=`")
        elif known == NEVER or covered is not None:
            above_it = ": a line above holds whenever it does"
            why = _why(arm.condition) if covered is None else above_it
            message = f"play never goes this way{why}"
            reporter.warning("G006", arm.span, message, "take it out, or put the lines in order")
        elif known == ALWAYS:
            message = f"this condition always holds{_why(arm.condition)}"
            help = "what stands below it is never reached"
            reporter.warning("G006", arm.span, message, help)
            return
        above.append(arm.condition)


def _steps_text(steps: Steps) -> str:
    begin = " or ".join(map(str, steps.starts))
    return f"`{steps.name}` goes in steps of {steps.by} from {begin}"


def _report_choice(span: Span, found: m.IfDo, always: bool, reporter: Reporter) -> None:
    if not always and any(isinstance(each, m.EndGame) for each in statements(found.then)):
        message = f"the game never ends this way{_why(found.condition)}"
        reporter.error("W001", span, message, "the condition asks for what cannot be")
        return
    word = "always" if always else "never"
    message = f"this condition {word} holds{_why(found.condition)}"
    reporter.warning("E004", span, message, "take it out, or put it right")


def _choices(game: m.Game) -> dict[Span, list[m.IfDo]]:
    """Every `if` of the sentences by its place."""
    found: dict[Span, list[m.IfDo]] = {}
    for body in _bodies(game):
        for each in statements(body):
            if isinstance(each, m.IfDo):
                found.setdefault(each.span, []).append(each)
    return found


def _bodies(game: m.Game) -> Iterator[tuple[m.Statement, ...]]:
    for point in game.points:
        if isinstance(point, m.Do):
            yield point.body
    for action in game.actions:
        yield action.do


def _implies(one: t.Term, other: t.Term) -> bool:
    """Whether a condition holds only where another does, as far as can be seen: one of its parts is
    the other, or compares the same number with a stricter constant."""
    parts = one.terms if isinstance(one, t.And) else (one,)
    return any(part == other or _is_stricter(part, other) for part in parts)


def _is_stricter(one: t.Term, other: t.Term) -> bool:
    first, second = _bounds(one), _bounds(other)
    if first is None or second is None or first[0] != second[0]:
        return False
    return second[1] <= first[1] and first[2] <= second[2]


def _bounds(term: t.Term) -> tuple[t.Term, int, int] | None:
    """A comparison of a number with a constant as the range that it leaves to the number."""
    if not isinstance(term, t.Compare) or term.left.type.base is not t.Base.INT:
        return None
    low, high = range_of(term.left, Box(_NOTHING, None, {}, {}))
    if not (isinstance(term.right, t.Const) and isinstance(term.right.value, int)):
        return None
    edge = term.right.value
    match term.op:
        case "<":
            return term.left, low, edge - 1
        case "<=":
            return term.left, low, edge
        case ">":
            return term.left, edge + 1, high
        case ">=":
            return term.left, edge, high
        case "=":
            return term.left, edge, edge
    return None


def leads_to_end(game: m.Game, target: int) -> bool:
    """Whether the game is over once play goes to a point, before anybody chooses again."""
    for _ in game.points:
        point = game.points[target]
        if isinstance(point, m.End):
            return point.reason != "capped"
        if isinstance(point, m.Branch) and len(point.arms) == 1:
            target = point.arms[0].target
        elif isinstance(point, m.Do):
            if point.body and isinstance(point.body[-1], m.EndGame):
                return True
            target = point.next
        else:
            return False
    return False


def _why(condition: t.Term) -> str:
    """The ranges of both sides of a comparison, as a reason."""
    if not isinstance(condition, t.Compare) or condition.left.type.base is not t.Base.INT:
        return ""
    box = Box(_NOTHING, None, {}, {})
    left, right = range_of(condition.left, box), range_of(condition.right, box)
    return f": its left side lies in {_shown(left)}, its right side in {_shown(right)}"


def _shown(found: Range) -> str:
    return str(found[0]) if found[0] == found[1] else f"{found[0]}..{found[1]}"
