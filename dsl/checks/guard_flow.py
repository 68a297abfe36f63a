"""Facts from phase to phase: what is known at each control point whichever way play came there.

A forward pass over control points to the greatest fixed point: at each point hold the facts that
hold on every way to it. Only then are terms read and uses without a guard reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.checks.facts import (
    NOTHING,
    Facts,
    Known,
    Some,
    is_own,
    meet,
    pieces_in,
    without_slots,
    without_variable,
)
from gemwright.dsl.checks.guard_blocks import Blocks
from gemwright.dsl.checks.guards import Uses
from gemwright.dsl.checks.presence import Presence, is_nobody, the_piece
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.game import Action, Decide, Game, Point
from gemwright.dsl.model.traversal import nodes
from gemwright.dsl.source import Span
from gemwright.dsl.walkable.terms import rebuilt

ME: Final = 0
"""The frame slot of the player who acts."""


def check_guards(game: Game, reporter: Reporter) -> None:
    """Report every use of a value that may be missing (E016, E017)."""
    if not _may_lack(game):
        return
    flow = _Flow(game)
    flow.settle()
    flow.read(reporter)


def _may_lack(game: Game) -> bool:
    """Whether there is anything at all that may be missing."""
    if any(variable.type.optional for variable in game.variables):
        return True
    parts = (game.points, game.actions, game.result, game.match, game.decreases)
    return any(
        isinstance(node, t.ZoneTop)
        or (isinstance(node, t.Const) and is_nobody(node))
        or (isinstance(node, t.Fold) and the_piece(node) is not None)
        for node in nodes(parts)
    )


class _Flow:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.facts: dict[int, Facts] = {}
        """What is known at each control point that play can reach."""
        self.presence = Presence(game)
        self.uses = Uses(game, self.presence)
        self.blocks = Blocks(self.uses, self._going)
        self._todo: dict[int, None] = {}

    def settle(self) -> None:
        """Carry facts along all ways until nothing changes."""
        self._going(self.game.start, NOTHING)
        while self._todo:
            here = next(iter(self._todo))
            del self._todo[here]
            self._point(self.game.points[here])

    def _going(self, target: int, facts: Facts) -> None:
        """Play comes to a control point with `facts`."""
        known = self.facts.get(target)
        found = meet(known, without_slots(facts))
        assert found is not None
        if found != known:
            self.facts[target] = found
            self._todo[target] = None

    def read(self, reporter: Reporter) -> None:
        """Report what is wrong where facts have settled, also in the result."""
        self.uses.reporter = reporter
        for number in sorted(self.facts):
            self._point(self.game.points[number])
        assert not self._todo, "facts had not settled"
        over: Facts | None = None
        for point in self.game.points:
            if isinstance(point, m.End):
                over = meet(over, self.facts.get(point.id))
        for span, term in _read_at_the_end(self.game):
            self.uses.use(term, over or NOTHING, span)

    # -- points ----------------------------------------------------------------------------------

    def _point(self, point: Point) -> None:
        facts = self.facts[point.id]
        match point:
            case m.Do():
                self._frame()
                after = self.blocks.block(point.body, facts)
                if after is not None:
                    self._going(point.next, after)
            case m.Branch():
                self._branch(point, facts)
            case m.LoopStart(start=start, origin=origin):
                self.uses.use(start, facts, point.span)
                after = facts if origin is None else without_variable(facts, origin)
                self._going(point.next, after)
            case m.LoopTest(role=role):
                after = facts if role is None else without_variable(facts, role)
                self._going(point.body, after)
                self._going(point.exit, after)
            case m.Count():
                self._going(point.next, facts)
                self._going(point.capped, facts)
            case Decide():
                self._decide(point, facts)

    def _branch(self, branch: m.Branch, facts: Facts) -> None:
        for arm in branch.arms:
            if arm.condition is None:
                self._going(arm.target, facts)
                return
            self.uses.use(arm.condition, facts, arm.span)
            told = self.presence.told(arm.condition, True, facts)
            self._going(arm.target, facts | told)
            facts |= self.presence.told(arm.condition, False, facts)

    def _decide(self, point: Decide, facts: Facts) -> None:
        self.uses.use(point.by, facts, point.span)
        self.uses.use(point.others, facts, point.span)
        for number in (*point.actions, *point.fallback, *point.anytime):
            after = self._action(self.game.actions[number], point, facts)
            if after is None:
                continue
            if number in point.anytime or point.repeat:
                self._going(point.id, after)
            if number not in point.anytime or number in (*point.actions, *point.fallback):
                self._going(point.next, after)
        passed = self._changed_by(point, facts) if point.together else facts
        if point.can_pass or point.fallback_pass:
            self._going(point.next, passed)
        if point.otherwise is not None:
            self._going(point.otherwise, facts)

    # -- actions ---------------------------------------------------------------------------------

    def _enter(self, action: Action) -> None:
        """Begin a frame in which an action has picked."""
        self._frame()
        self.blocks.picked = {
            parameter.slot: tuple(source.zone for source in parameter.domain.sources)
            for parameter in action.parameters
            if not isinstance(parameter.domain, m.ValueDomain)
        }

    def _frame(self) -> None:
        self.presence.doubted.clear()

    def _action(self, action: Action, point: Decide, facts: Facts) -> Facts | None:
        """The facts after an action that is chosen at a decision."""
        self._enter(action)
        facts |= _as_me(facts, point.by)
        for parameter in action.parameters:
            self._choose(parameter, facts)
            facts |= self._picked(parameter)
        for line in action.where:
            self.uses.use(line.condition, facts, line.span)
            facts |= self.presence.told(line.condition, True, facts)
        if not point.together:
            return self.blocks.block(action.do, facts)
        own = frozenset(fact for fact in facts if is_own(fact))
        facts = own | self._changed_by(point, facts)
        self._enter(action)
        after = self.blocks.block(action.do, facts)
        return None if after is None else self._changed_by(point, after)

    def _changed_by(self, point: Decide, facts: Facts) -> Facts:
        """What holds when some of those who choose at once have done what they chose."""
        for number in (*point.actions, *point.fallback):
            action = self.game.actions[number]
            self._enter(action)
            facts = self.blocks.changed(action.do, facts)
        return facts

    def _choose(self, parameter: m.Parameter, facts: Facts) -> None:
        domain = parameter.domain
        if isinstance(domain, m.ValueDomain):
            self.uses.use(domain.domain, facts, parameter.span)
            return
        for source in domain.sources:
            self.uses.use(source.index, facts, parameter.span)

    def _picked(self, parameter: m.Parameter) -> Facts:
        """A piece that was picked from one zone lies there."""
        domain = parameter.domain
        if not isinstance(domain, m.PieceDomain) or len(domain.sources) != 1:
            return NOTHING
        source = domain.sources[0]
        held = self.game.zones[source.zone].faces
        faces = tuple(face for face in domain.faces if face in held)
        return frozenset((pieces_in(source.zone, source.index, faces),))


def _as_me(facts: Facts, by: t.Term | None) -> Facts:
    """What is known of the player who decides, said of `me`."""
    if by is None:
        return NOTHING
    me = t.Local(t.PLAYER, None, ME, "me")

    def said(term: t.Term) -> t.Term:
        found: t.Term = me if term == by else rebuilt(term, said)
        return found

    return frozenset(
        Known(said(fact.term)) if isinstance(fact, Known) else Some(said(fact.where), fact.faces)
        for fact in facts
    )


def _read_at_the_end(game: Game) -> Iterator[tuple[Span, t.Term]]:
    """The terms of result and match, and measures, which are read anywhere."""
    result, match = game.result, game.match
    keys = (*result.keys, *(match.keys if match is not None else ()))
    terms = [result.score, result.nobody, *(key.term for key in keys), *game.decreases]
    if match is not None:
        terms.append(match.points)
    for term in terms:
        if term is not None and term.span is not None:
            yield term.span, term
