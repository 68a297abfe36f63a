"""Decisions looked at one by one, with every seat apart.

Where players are counted together, nothing is known of what one of them has. So the decision alone
is looked at again with seats apart: what is known of the players together holds of their sum, and
the conditions on the way to the decision were tested for the player who is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.completion import Alternatives, Completion
from gemwright.validator.abstraction.conditions import Conditions
from gemwright.validator.abstraction.edge_builder import EdgeBuilder
from gemwright.validator.abstraction.lowering import MOST_CONDITIONS, Lowered
from gemwright.validator.abstraction.picking import Picking
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Path, Value
from gemwright.validator.abstraction.transitions import Point, PointKind, TransitionSystem
from gemwright.validator.abstraction.vocabulary import Precision, Vocabulary
from gemwright.validator.decisions.covering import none_open
from gemwright.validator.decisions.turns import left_in_turn
from gemwright.validator.graph.entering import on_entry
from gemwright.validator.linear.affine import Affine, Constraint
from gemwright.validator.linear.budget import Budget, BudgetSpent
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.invariants import Known
from gemwright.validator.proof.lower_bounds import asked_for, pooled, strengthened
from gemwright.validator.proof.premises import at_point

STEPS: Final = 20_000
"""Pivots that one decision may cost."""


def answered(lowered: Lowered, known: Known, points: Iterable[int]) -> set[int]:
    """The control points of some at which the player who is asked always has a pick.

    Args:
        lowered: a system of the game that pools its players, with what is `known` at its points.
    """
    game = lowered.vocabulary.game
    asking = [
        point for point in map(game.points.__getitem__, points) if isinstance(point, m.Decide)
    ]
    looks = {point.id: _Look(lowered, known, point) for point in asking if not point.together}
    found = {point for point, look in looks.items() if look.is_covered(known)}
    asked = [each for point, look in looks.items() if point not in found for each in look.asked]
    if asked:
        more = strengthened(lowered.system, known, asked)
        found |= {point for point, look in looks.items() if look.is_covered(more)}
    return found


class _Look:
    """One decision, and what is asked of players there."""

    def __init__(self, lowered: Lowered, known: Known, point: m.Decide) -> None:
        facts = (
            *on_entry(lowered.vocabulary.game, point.id),
            *left_in_turn(lowered, known, point),
        )
        close = _CloseUp(lowered, facts, ())
        cases = close.cases(point)
        kept = close.terms.known_conditions.worth_cells()
        if kept:
            close = _CloseUp(lowered, facts, kept[:MOST_CONDITIONS])
            cases = close.cases(point)
        self._close, self._point, self._cases = close, point, cases

    @property
    def asked(self) -> Sequence[Affine]:
        """What picks ask for, of the players together."""
        rows = [row for case in self._cases for way in case.ways for row in way]
        return pooled(asked_for(rows), self._close.apart)

    def is_covered(self, known: Known) -> bool:
        """Whether whoever is asked has a pick, wherever play comes to the decision."""
        open_cases = [case for case in self._cases if () not in case.ways]
        if not all(case.ways for case in open_cases):
            return False
        budget = Budget(STEPS)
        try:
            return all(
                none_open(self._close.problem(case, rows, budget), case.ways)
                for rows in self._close.invariants(known, self._point)
                for case in open_cases
            )
        except BudgetSpent:
            return False


@dataclass(frozen=True, slots=True)
class _Case:
    """A way on which a player is asked, and conditions of which each suffices for a pick."""

    path: Path
    ways: Alternatives


class _CloseUp:
    """One decision at a time, with some conditions as cells."""

    def __init__(
        self,
        lowered: Lowered,
        facts: Sequence[t.Term],
        conditions: Sequence[t.Term],
    ) -> None:
        game, members = lowered.vocabulary.game, lowered.vocabulary.precision.members
        self.vocabulary = Vocabulary(game, Precision(seats=True, members=members), conditions)
        places = Places(self.vocabulary)
        self.terms = Conditions(self.vocabulary, places)
        self._completion = Completion(Picking(self.terms, places))
        self.apart = self.vocabulary.apart(lowered.vocabulary)
        self._lowered, self._facts = lowered, facts

    def cases(self, point: m.Decide) -> list[_Case]:
        """The ways on which somebody is asked."""
        assert point.by is not None
        path = Path(EdgeBuilder(self.vocabulary.cells, 0), {})
        asked = [(way, seat) for way, seat in self.terms.known(point.by, path) if seat >= 0]
        return [
            _Case(last, self._ways(point, seat, last))
            for way, seat in asked
            for last in self._entered(way)
        ]

    def _entered(self, path: Path) -> list[Path]:
        going = [path]
        for fact in self._facts:
            going = [last for way in going for last in self.terms.holds(fact, way)]
        return going

    def _ways(self, point: m.Decide, seat: Value, path: Path) -> Alternatives:
        actions = (*point.actions, *point.fallback)
        found = [rows for each in actions for rows in self._completion.sufficient(each, seat, path)]
        return tuple(sorted(dict.fromkeys(found), key=len))

    def problem(self, case: _Case, rows: Iterable[Constraint], budget: Budget) -> Simplex:
        """What is known of a case, where these constraints hold."""
        alone = Point(PointKind.DECISION, "", -1)
        cells, facts = tuple(self.vocabulary.cells), tuple(self.vocabulary.facts)
        system = TransitionSystem(cells, (alone,), (), 0, (), (), facts)
        simplex = at_point(system, enumerate(rows), budget)
        given = (*case.path.builder.guard, *case.path.builder.parameter_ranges())
        for which, constraint in enumerate(given):
            simplex.add(f"g{which}", constraint)
        return simplex

    def invariants(self, known: Known, point: m.Decide) -> list[list[Constraint]]:
        """What is known of the cells at the decision, by the points of the system for it."""
        return [
            [
                constraint.substitute(self.apart)
                for constraint in known[at]
                if all(name in self.apart for name, _ in constraint.expression.terms)
            ]
            for at, node in enumerate(self._lowered.places)
            if node.point == point.id and node.stage == 0
        ]
