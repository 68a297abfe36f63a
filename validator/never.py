"""Ways that no play ever takes, although the sentences alone do not show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.elaboration import folding
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span
from gemwright.validator.abstraction.conditions import Conditions
from gemwright.validator.abstraction.edge_builder import EdgeBuilder
from gemwright.validator.abstraction.lowering import Lowered
from gemwright.validator.abstraction.picking import Picking
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Path
from gemwright.validator.linear.budget import Budget, BudgetSpent
from gemwright.validator.proof.premises import at_point
from gemwright.validator.proving import Proofs
from gemwright.validator.rules.deciding import leads_to_end

STEPS: Final = 5_000
"""Pivots that asking whether an action is legal may cost."""
_AT_LEAST: Final = (">", ">=", "=")


@dataclass(frozen=True, slots=True)
class Never:
    """A line of `next` (or an `if`) that is never taken, or an action that is never legal where it
    is offered.

    `name` is that of the action, '' for a line; `goal`: the line is to end the game when something
    is reached.
    """

    span: Span
    name: str
    goal: bool


def never_taken(lowered: Lowered, proofs: Proofs) -> frozenset[Never]:
    """What a system shows never to be taken; what lies behind it is not told of again.

    Args:
        lowered: a system of the game that pools its players.
    """
    looking = _Looking(lowered, proofs)
    return frozenset((*looking.actions(), *looking.arms()))


class _Looking:
    """What no edge that can be taken stands for."""

    def __init__(self, lowered: Lowered, proofs: Proofs) -> None:
        self._lowered, self._proofs = lowered, proofs
        self._game = lowered.vocabulary.game
        self._places = {
            node.point: at
            for at, node in enumerate(lowered.places)
            if at not in proofs.unreached and not node.stage
        }
        dead = frozenset(proofs.dead)
        self._living = [edge for at, edge in enumerate(lowered.system.edges) if at not in dead]

    def actions(self) -> Iterator[Never]:
        """Actions whose conditions hold in no state of a decision that offers them."""
        offered: dict[int, list[int]] = {}
        for point in self._game.points:
            if isinstance(point, m.Decide) and point.id in self._places:
                for number in (*point.actions, *point.anytime):
                    offered.setdefault(number, []).append(self._places[point.id])
        taken = {edge.action for edge in self._living}
        for number, places in offered.items():
            action = self._game.actions[number]
            settled = any(folding.scalar(line.condition) == 0 for line in action.where)
            if number in taken or settled:
                continue
            if not any(self._is_legal(action, place) for place in places):
                yield Never(action.span, action.name, False)

    def _is_legal(self, action: m.Action, place: int) -> bool:
        """Whether there may be a pick; an action that always breaks a rule may be legal."""
        vocabulary, system = self._lowered.vocabulary, self._lowered.system
        places = Places(vocabulary)
        path = Path(EdgeBuilder(vocabulary.cells, place), {})
        seat = places.some(range(self._game.players))
        for way in Picking(Conditions(vocabulary, places), places).act(action, seat, path):
            known = at_point(system, enumerate(self._proofs.known[place]), Budget(STEPS))
            for which, row in enumerate((*way.builder.guard, *way.builder.parameter_ranges())):
                known.add(f"g{which}", row)
            try:
                if known.feasible:
                    return True
            except BudgetSpent:
                return True
        return False

    def arms(self) -> Iterator[Never]:
        """Lines whose conditions never hold when they are tested."""
        taken = {(self._lowered.places[edge.source].point, edge.span) for edge in self._living}
        for point in self._game.points:
            if isinstance(point, m.Branch) and point.id in self._places:
                for arm in point.arms:
                    known = None if arm.condition is None else folding.scalar(arm.condition)
                    if arm.condition is None or known is not None or (point.id, arm.span) in taken:
                        continue
                    goal = _is_goal(arm.condition) and leads_to_end(self._game, arm.target)
                    yield Never(arm.span, "", goal)


def _is_goal(condition: t.Term) -> bool:
    """Whether a number is to reach another one, for some player perhaps."""
    if isinstance(condition, t.Fold) and condition.op == "some" and condition.body is not None:
        condition = condition.body
    if not isinstance(condition, t.Compare) or condition.op not in _AT_LEAST:
        return False
    goal = folding.scalar(condition.right)
    return condition.left.type.base is t.Base.INT and goal is not None and goal >= 1


def never_findings(found: Iterable[Never]) -> tuple[Diagnostic, ...]:
    """As one finding: what is never taken is often the cause of more that is not."""
    reporter = Reporter()
    first, *others = sorted(found, key=_order) or (None,)
    notes = tuple((each.span, "neither is this, for the same reason perhaps") for each in others)
    if first is not None and first.goal:
        message = "the game never ends this way: no play gets so far"
        reporter.error("W001", first.span, message, "the condition asks for what cannot be", notes)
    elif first is not None and first.name:
        message = f"the action `{first.name}` is never legal where it is offered"
        reporter.warning("D002", first.span, message, _HELP, notes)
    elif first is not None:
        reporter.warning("G006", first.span, "play never goes this way", _HELP, notes)
    return reporter.diagnostics


def _order(found: Never) -> tuple[bool, str, int, int]:
    return not found.goal, found.span.path, found.span.line, found.span.column


_HELP: Final = "its conditions hold in no state that play comes to; take it out, or put it right"
