"""Decisions looked at one by one, with every seat apart.

Where players are counted together, nothing is known of what one of them has. So the decision alone
is looked at again with seats apart: what is known of the players together holds of their sum, and
the conditions on the way to the decision were tested for the player who is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.validator.abstract_conditions import Conditions
from gemwright.validator.abstract_places import Places
from gemwright.validator.affine import Constraint
from gemwright.validator.budget import Budget, BudgetSpent
from gemwright.validator.completion import Completion
from gemwright.validator.covering import none_open
from gemwright.validator.edge_builder import EdgeBuilder
from gemwright.validator.entering import on_entry
from gemwright.validator.invariants import Known
from gemwright.validator.lowering import MOST_CONDITIONS, Lowered
from gemwright.validator.picking import Picking
from gemwright.validator.premises import at_point
from gemwright.validator.simplex import Simplex
from gemwright.validator.symbols import Path, Value
from gemwright.validator.transitions import Point, PointKind, TransitionSystem
from gemwright.validator.vocabulary import Precision, Vocabulary

STEPS: Final = 20_000
"""Pivots that one decision may cost."""


def always_answered(lowered: Lowered, known: Known, point: m.Decide) -> bool:
    """Whether the player who is asked at a decision always has a pick.

    Args:
        lowered: a system of the game, with what is `known` at its points.
    """
    if point.together or point.by is None:
        return False
    facts = on_entry(lowered.vocabulary.game, point.id)
    first = _CloseUp(lowered, known, facts, ())
    if first.covers(point):
        return True
    again = [term for term, times in first.terms.met.items() if times >= 2]
    kept = [term for term in again if first.vocabulary.follows(term)]
    return bool(kept) and _CloseUp(lowered, known, facts, kept[:MOST_CONDITIONS]).covers(point)


class _CloseUp:
    """One decision at a time, with some conditions as cells."""

    def __init__(
        self,
        lowered: Lowered,
        known: Known,
        facts: Sequence[t.Term],
        conditions: Sequence[t.Term],
    ) -> None:
        game, members = lowered.vocabulary.game, lowered.vocabulary.precision.members
        self.vocabulary = Vocabulary(game, Precision(seats=True, members=members), conditions)
        places = Places(self.vocabulary)
        self.terms = Conditions(self.vocabulary, places)
        self._completion = Completion(Picking(self.terms, places))
        self._lowered, self._known, self._facts = lowered, known, facts

    def covers(self, point: m.Decide) -> bool:
        """Whether whoever is asked has a pick, wherever play comes to the decision."""
        assert point.by is not None
        path = Path(EdgeBuilder(self.vocabulary.cells, 0), {})
        asked = [(way, seat) for way, seat in self.terms.known(point.by, path) if seat >= 0]
        return all(
            self._answered(point, seat, last) for way, seat in asked for last in self._entered(way)
        )

    def _entered(self, path: Path) -> list[Path]:
        going = [path]
        for fact in self._facts:
            going = [last for way in going for last in self.terms.holds(fact, way)]
        return going

    def _answered(self, point: m.Decide, seat: Value, path: Path) -> bool:
        actions = (*point.actions, *point.fallback)
        found = [
            rows for each in actions for rows in self._completion.sufficient(each, seat, path)
        ]
        if () in found:
            return True
        ways = sorted(dict.fromkeys(found), key=len)
        budget = Budget(STEPS)
        try:
            return bool(ways) and all(
                none_open(self._problem(path, rows, budget), ways)
                for rows in self._invariants(point)
            )
        except BudgetSpent:
            return False

    def _problem(self, path: Path, rows: Iterable[Constraint], budget: Budget) -> Simplex:
        """What is known on a path at the decision."""
        alone = Point(PointKind.DECISION, "", -1)
        cells, facts = tuple(self.vocabulary.cells), tuple(self.vocabulary.facts)
        system = TransitionSystem(cells, (alone,), (), 0, (), (), facts)
        simplex = at_point(system, enumerate(rows), budget)
        given = (*path.builder.guard, *path.builder.parameter_ranges())
        for which, constraint in enumerate(given):
            simplex.add(f"g{which}", constraint)
        return simplex

    def _invariants(self, point: m.Decide) -> list[list[Constraint]]:
        """What is known of the cells at the decision, by the points of the system for it."""
        cells = self.vocabulary.apart(self._lowered.vocabulary)
        return [
            [
                constraint.substitute(cells)
                for constraint in self._known[at]
                if all(name in cells for name, _ in constraint.expression.terms)
            ]
            for at, node in enumerate(self._lowered.places)
            if node.point == point.id and node.stage == 0
        ]
