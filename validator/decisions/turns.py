"""What a player must still have in his turn, because each turn uses up only so much.

A zone that every player has, that only the player in turn changes, and only in a loop in which each
has one turn a round: after the setup all hold so many, a turn takes away no more than so many, and
there are no more rounds than an outer loop counts. So whoever is asked holds the rest at least.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.lowering import Lowered
from gemwright.validator.graph.rounds import Round, round_of
from gemwright.validator.linear.affine import Affine, affine
from gemwright.validator.linear.budget import Budget, BudgetSpent
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.invariants import Known
from gemwright.validator.proof.lower_bounds import strengthened
from gemwright.validator.proof.premises import at_point, on_step
from gemwright.validator.proof.steps import Step, steps_of

STEPS: Final = 40_000
"""Pivots that one zone beside it may cost."""
PATIENCE: Final = 4

Changes = dict[int, int | None]
"""The least change since a turn began, by point; None: nothing is known."""
_Pair = tuple[int | None, int | None]
"""Of a zone, and of its sum with another one."""


def left_in_turn(lowered: Lowered, known: Known, point: m.Decide) -> Iterator[t.Term]:
    """Conditions `size of ZONE[role] >= N` that hold whenever the role is asked at a decision.

    Args:
        lowered: a system of the game that pools its players, with what is `known` at its points.
    """
    game = lowered.vocabulary.game
    for zone in sorted(_picked(game, point)):
        turn = round_of(game, point, zone)
        if turn is None:
            continue
        least = _Turn(lowered, known, turn).least(point.id)
        if least > 0:
            size = t.ZoneSize(t.Type(t.Base.INT, 0, len(game.faces)), None, zone, point.by)
            number = t.Const(t.Type(t.Base.INT, least, least), None, least)
            yield t.Compare(t.FLAG, None, ">=", size, number)


def _picked(game: m.Game, point: m.Decide) -> set[int]:
    """The zones of players that are picked from at a decision."""
    domains = [
        parameter.domain
        for number in (*point.actions, *point.fallback)
        for parameter in game.actions[number].parameters
    ]
    sources = [
        source
        for domain in domains
        if isinstance(domain, m.LotDomain | m.PieceDomain)
        for source in domain.sources
    ]
    return {each.zone for each in sources if game.zones[each.zone].index == "player"}


class _Turn:
    """The turns of one loop, in a system in which only the player in turn changes the zone."""

    def __init__(self, lowered: Lowered, known: Known, turn: Round) -> None:
        self._lowered, self._known, self._turn = lowered, known, turn
        self._budget, self._problems = Budget(STEPS), dict[int, Simplex]()
        self._at = {node.point: at for at, node in enumerate(lowered.places) if not node.stage}
        self.test = self._at.get(turn.test, -1)
        self.inside = {at for at, node in enumerate(lowered.places) if node.point in turn.inside}
        self.steps = steps_of(lowered.system)

    def least(self, point: int) -> int:
        """How many pieces the player in turn has at least at a control point of the loop."""
        if point not in self._at or self.test < 0:
            return 0
        for partner in (*self._turn.partners, None):
            self._budget, self._problems = Budget(STEPS), {}
            if partner is not None and self._lowered.vocabulary.game.zones[partner].limit:
                # A zone with a limit is most likely one that is emptied again and again.
                emptied = (-self._size(partner),)
                self._known = strengthened(self._lowered.system, self._known, emptied)
            try:
                found = self._with(partner, self._at[point])
            except BudgetSpent:
                continue
            if found > 0:
                return found
        return 0

    def _with(self, partner: int | None, place: int) -> int:
        """The same, told with the help of the sum of the zone and another one."""
        changes = _Course(self, self._size(self._turn.zone), self._size(partner)).changes()
        here = changes.get(place)
        ends = [after for end, after in changes.items() if end not in self.inside]
        lost = [-after for after in ends if after is not None]
        if here is None or len(lost) < len(ends):
            return 0
        return self._turn.dealt - max(0, *lost, 0) * (self._turn.times - 1) + here

    def _size(self, zone: int | None) -> Affine:
        vocabulary = self._lowered.vocabulary
        if zone is None:
            return affine(())
        places = dict.fromkeys(
            vocabulary.place_of[instance]
            for instance in range(
                vocabulary.game.zones[zone].first,
                vocabulary.game.zones[zone].first + vocabulary.game.zones[zone].size,
            )
        )
        cells = (
            vocabulary.count(place, family)
            for place in places
            for family in vocabulary.families_at(place)
        )
        return affine((cell, 1) for cell in cells if cell is not None)

    def known_at(self, place: int) -> Simplex:
        """What is known at a point of the system."""
        if place not in self._problems:
            rows = enumerate(self._known[place])
            self._problems[place] = at_point(self._lowered.system, rows, self._budget)
        return self._problems[place]

    def low(self, place: int, expression: Affine) -> int | None:
        """The least value of an expression at a point."""
        problem = self.known_at(place)
        return _least(problem, expression) if problem.feasible else None


class _Course:
    """The least change of a zone since a turn began.

    Where its pieces go to and fro between it and another one, the sum of both may stay. Of the
    other zone limits are known; so a bound of the sum is one of the zone, and the other way round.
    """

    def __init__(self, turn: _Turn, zone: Affine, other: Affine) -> None:
        self._turn = turn
        self._both = (zone, zone + other)
        self._other = other
        self._begun = (turn.low(turn.test, other), turn.low(turn.test, -other))

    def changes(self) -> Changes:
        """The bounds at the points of the loop and at those to which play goes when the turn is
        over."""
        found: dict[int, _Pair] = {}
        sunk: dict[int, int] = {}
        waiting = list(self._onward(self._turn.test, (0, 0)))
        while waiting:
            place, pair = waiting.pop(0)
            known = found.get(place)
            joined = self._reduced(place, pair if known is None else _lower(known, pair))
            if joined == known:
                continue
            sunk[place] = sunk.get(place, -1) + 1
            found[place] = (None, None) if sunk[place] > PATIENCE else joined
            if place in self._turn.inside:
                waiting += self._onward(place, found[place])
        return {place: pair[0] for place, pair in found.items()}

    def _reduced(self, place: int, pair: _Pair) -> _Pair:
        """Each bound with what follows from the other one."""
        zone, sum_ = pair
        low, high = self._turn.low(place, self._other), self._turn.low(place, -self._other)
        begun, most = self._begun
        if sum_ is not None and high is not None and begun is not None:
            zone = max(sum_ + high + begun, sum_ + high + begun if zone is None else zone)
        if pair[0] is not None and low is not None and most is not None:
            sum_ = max(pair[0] + low + most, pair[0] + low + most if sum_ is None else sum_)
        return zone, sum_

    def _onward(self, place: int, pair: _Pair) -> Iterator[tuple[int, _Pair]]:
        begins = place not in self._turn.inside
        for step in self._turn.steps:
            if step.source != place or (begins and step.target not in self._turn.inside):
                continue
            after = [self._after(step, *each) for each in zip(self._both, pair, strict=True)]
            if all(possible for possible, _ in after):
                yield step.target, (after[0][1], after[1][1])

    def _after(self, step: Step, expression: Affine, bound: int | None) -> tuple[bool, int | None]:
        """Whether a step is possible, and the bound after it."""
        change = step.change(expression)
        if bound is None or change.is_number:
            return True, None if bound is None else bound + change.constant
        problem = on_step(self._turn.known_at(step.source), step)
        if not problem.feasible:
            return False, None
        least = _least(problem, change)
        return True, None if least is None else bound + least


def _lower(one: _Pair, other: _Pair) -> _Pair:
    return _less(one[0], other[0]), _less(one[1], other[1])


def _less(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else min(one, other)


def _least(problem: Simplex, expression: Affine) -> int | None:
    found = problem.minimum(expression)
    return None if found is None else found.floor
