"""Whether the picks of an action can be counted without listing them, decided at load.

An action that picks lots is walked by passes over the kinds (`gemwright.dsl.walkable.forms`) when
its conditions have normal form. Single picks (players, pieces, numbers) are an outer loop. An
action of another form is listed pick by pick, which is allowed only while it can have few picks;
beyond that the file is refused, with the place and the bound. Nothing is ever listed silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from math import prod

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.game import (
    Action,
    Game,
    Line,
    LotDomain,
    Parameter,
    PieceDomain,
    Source,
    ValueDomain,
)
from gemwright.dsl.model.traversal import mentions, nodes, within
from gemwright.dsl.source import Span
from gemwright.dsl.walkable.forms import Finding, Lot, LotPlan, Node, Problem, WalkPlan
from gemwright.dsl.walkable.normal import Normal
from gemwright.dsl.walkable.ranges import interval
from gemwright.dsl.walkable.states import States
from gemwright.dsl.walkable.terms import conjuncts
from gemwright.dsl.walkable.vectors import Lots, NotWalkable

STATES = 1 << 20
"""States that a pass may have at one level."""

LISTED = 4096
"""Picks that are listed when no pass is possible."""

SINGLES = 1 << 16
"""Combinations of single picks."""

PICKS = 1 << 63
"""Picks are counted in 64 bits by every engine."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a classification needs of the model: seats, and how many frame slots the action uses."""

    players: int
    slots: int


def classify(
    parameters: Sequence[Parameter], where: Sequence[Line], facts: Facts
) -> WalkPlan | Problem:
    """How the picks of an action are walked, or why they cannot be."""
    return _Action(tuple(parameters), tuple(where), facts).plan()


def walk_of(game: Game, action: Action) -> WalkPlan | Problem:
    """How the picks of an action of a game are walked, or why they cannot be.

    Options and engines ask for the same again and again, so what was found is remembered.
    """
    facts = Facts(game.players, action.slots)
    return _walk_of(game.digest, action.parameters, action.where, facts)


@lru_cache(maxsize=512)
def _walk_of(
    digest: str, parameters: tuple[Parameter, ...], where: tuple[Line, ...], facts: Facts
) -> WalkPlan | Problem:
    """Equal terms of the same files (`digest`) stand in the same places."""
    return classify(parameters, where, facts)


def some_lot_plan(term: t.SomeLot, facts: Facts) -> LotPlan | Problem:
    """The plan that decides a `some lot` anywhere in a file, or why there is none."""
    makes = _Plans(facts.players, count(max(facts.slots, 1 + _highest([term]))))
    try:
        plan = makes.some_lot(term)
    except NotWalkable as problem:
        return Problem((_refused(problem, term),))
    if plan.states > STATES:
        return Problem((_too_many_states(plan.states, term),))
    return plan


def plan_walks(game: Game, reporter: Reporter) -> Game | None:
    """The game with the walk of each action decided; None after errors.

    Every `some lot` of the file is checked as well, wherever it stands.
    """
    findings: list[Finding] = []
    actions: list[Action] = []
    for action in game.actions:
        plan = walk_of(game, action)
        if isinstance(plan, Problem):
            findings.extend(plan.findings)
        else:
            actions.append(replace(action, walk=plan.walk))
    for term in _some_lots(game):
        found = some_lot_plan(term, Facts(game.players, 1 + _highest([term])))
        if isinstance(found, Problem):
            findings.extend(found.findings)
    for each in findings:
        reporter.error(each.code, each.span, each.message, each.help)
    return None if findings else replace(game, actions=tuple(actions))


def _some_lots(game: Game) -> list[t.SomeLot]:
    """Every `some lot` of a model."""
    parts = (game.points, game.actions, game.result, game.match, game.decreases)
    return [node for node in nodes(parts) if isinstance(node, t.SomeLot)]


class _Plans:
    """Makes plans; gives out frame slots."""

    def __init__(self, players: int, slots: Iterator[int]) -> None:
        self.players = players
        self.slots = slots

    def fresh(self) -> int:
        """A frame slot that nothing uses."""
        return next(self.slots)

    def normal(self, kinds: tuple[int, ...], lots: Sequence[Lot], kind_slot: int) -> Normal:
        """A classification over lots."""
        known = Lots({lot.slot: lot.cell_slot for lot in lots}, kind_slot)
        states = self.states(kinds, lots, kind_slot)
        return Normal(
            known, kinds, self.fresh, self.some_lot, lambda node: states.most([node]) <= STATES
        )

    def states(self, kinds: tuple[int, ...], lots: Sequence[Lot], kind_slot: int) -> States:
        """The counter of states for the same lots."""
        highs = {lot.cell_slot: dict(lot.highs) for lot in lots}
        return States(kinds, kind_slot, highs, self.players)

    def some_lot(self, term: t.SomeLot) -> LotPlan:
        """The plan of a lot that is only asked for."""
        type = term.within.type
        highs = tuple((face, max(type.high, 0)) for face in type.faces)
        lots = (Lot(term.slot, self.fresh(), highs),)
        kind_slot = self.fresh()
        normal = self.normal(type.faces, lots, kind_slot)
        nodes = tuple(normal.node(each) for each in conjuncts(term.condition))
        return self.finish(type.faces, kind_slot, lots, nodes)

    def finish(
        self, kinds: tuple[int, ...], kind_slot: int, lots: tuple[Lot, ...], nodes: tuple[Node, ...]
    ) -> LotPlan:
        """A plan with its bound of states."""
        states = self.states(kinds, lots, kind_slot).most(nodes)
        return LotPlan(kinds, kind_slot, lots, nodes, states, self.fresh() + 1)


class _Action:
    """Classifies one action."""

    def __init__(
        self, parameters: tuple[Parameter, ...], where: tuple[Line, ...], facts: Facts
    ) -> None:
        self.parameters = parameters
        self.where = where
        self.facts = facts
        used = [facts.slots, *(1 + parameter.slot for parameter in parameters)]
        used.append(1 + _highest(line.condition for line in where))
        used.append(1 + _highest(term for each in parameters for term in _domain_terms(each)))
        self.makes = _Plans(facts.players, count(max(used)))
        self.findings: list[Finding] = []

    def plan(self) -> WalkPlan | Problem:
        """The plan, or all problems."""
        picks = self._picks()
        single = prod(_size(each, self.facts.players) for each in self.parameters if not _lot(each))
        if single > SINGLES:
            self._too_many_singles(single)
            return Problem(tuple(self.findings))
        self._check_domains()
        plan = self._lot_plan()
        if plan.states > STATES:
            self.findings.append(self._too_many(plan.states))
        if picks >= PICKS:
            self._too_many_picks(picks)
            return Problem(tuple(self.findings))
        depths = self._depths()
        if not self.findings:
            return WalkPlan("pass", picks, plan, depths)
        if picks <= LISTED:
            return WalkPlan("list", picks, plan, depths)
        return Problem(tuple(self._with_bound(each, picks) for each in self.findings))

    # -- sizes

    def _picks(self) -> int:
        return prod(_size(each, self.facts.players) for each in self.parameters)

    def _too_many_singles(self, single: int) -> None:
        last = [each for each in self.parameters if not _lot(each)][-1]
        self.findings.append(Finding(
            "K002", last.span,
            f"up to {single:,} combinations of single picks would be tried; {SINGLES:,} are "
            f"allowed",
            "split the action, or give the picks narrower domains",
        ))  # fmt: skip

    def _too_many_picks(self, picks: int) -> None:
        last = [each for each in self.parameters if _lot(each)][-1]
        self.findings.append(Finding(
            "K003", last.span,
            f"this action could have {picks:,} picks; they must stay below 2^63 to be counted",
            "pick from fewer kinds or smaller zones, or split the action",
        ))  # fmt: skip

    def _too_many(self, states: int) -> Finding:
        line = self.where[-1] if self.where else None
        worst = self._worst_line()
        span = worst.span if worst else line.span if line else self.parameters[-1].span
        return _states_finding(states, span)

    def _worst_line(self) -> Line | None:
        """The line that alone needs the most states."""
        plan = self._lots
        states = self.makes.states(plan.kinds, plan.lots, plan.kind_slot)
        sizes = [states.most([node]) for node in plan.lines]
        return self.where[sizes.index(max(sizes))] if len(sizes) == len(self.where) else None

    def _with_bound(self, finding: Finding, picks: int) -> Finding:
        bound = f"; it can have {picks:,} picks, and only up to {LISTED:,} are tried one by one"
        if finding.code != "K001":
            return finding
        return Finding(finding.code, finding.span, finding.message + bound, finding.help)

    # -- parts

    def _check_domains(self) -> None:
        """A domain may depend on single picks, never on a lot."""
        lots = [each.slot for each in self.parameters if _lot(each)]
        for parameter in self.parameters:
            for term in _domain_terms(parameter):
                if mentions(term, lots):
                    text = "what can be picked here depends on the lot that is picked before"
                    help = "pick the lot last, or state the dependence in `where`"
                    self.findings.append(Finding("K001", term.span or parameter.span, text, help))

    def _lot_plan(self) -> LotPlan:
        lots, kinds = self._lots_and_kinds()
        kind_slot = self.makes.fresh()
        normal = self.makes.normal(kinds, lots, kind_slot)
        nodes: list[Node] = []
        for line in self.where:
            try:
                nodes.append(normal.node(line.condition))
            except NotWalkable as problem:
                self.findings.append(_refused(problem, line))
        self._lots = self.makes.finish(kinds, kind_slot, lots, tuple(nodes))
        return self._lots

    def _lots_and_kinds(self) -> tuple[tuple[Lot, ...], tuple[int, ...]]:
        lots, faces = [], set()
        for parameter in self.parameters:
            if isinstance(parameter.domain, LotDomain):
                highs: dict[int, int] = {}
                for cell in parameter.domain.cells:
                    highs[cell.face] = highs.get(cell.face, 0) + cell.high
                faces |= set(highs)
                lots.append(Lot(parameter.slot, self.makes.fresh(), tuple(sorted(highs.items()))))
        return tuple(lots), tuple(sorted(faces))

    def _depths(self) -> tuple[int, ...]:
        depths, deepest = [], 0
        for line in self.where:
            for number, parameter in enumerate(self.parameters):
                if mentions(line.condition, (parameter.slot,)):
                    deepest = max(deepest, number + 1)
            depths.append(deepest)
        return tuple(depths)


def _lot(parameter: Parameter) -> bool:
    return isinstance(parameter.domain, LotDomain)


def _size(parameter: Parameter, players: int) -> int:
    """The greatest number of picks of one parameter."""
    domain = parameter.domain
    if isinstance(domain, LotDomain):
        return prod(cell.high + 1 for cell in domain.cells)
    if isinstance(domain, PieceDomain):
        return max(1, len(domain.options))
    inner = domain.domain
    if isinstance(inner, t.Players):
        return players
    if isinstance(inner, t.Numbers):
        low, high = interval(inner.low, {})[0], interval(inner.high, {})[1]
        return max(1, min(high, max(domain.high, low)) - max(low, min(domain.low, high)) + 1)
    return max(1, len(inner.faces))


def _domain_terms(parameter: Parameter) -> Iterator[t.Term]:
    """The terms that the domain of a parameter reads."""
    domain = parameter.domain
    if isinstance(domain, ValueDomain):
        yield from _direct(domain.domain)
    else:
        yield from (each.index for each in domain.sources if _indexed(each) and each.index)


def _indexed(source: Source) -> bool:
    return source.index is not None


def _direct(domain: t.Domain) -> Iterator[t.Term]:
    if isinstance(domain, t.Numbers):
        yield from (domain.low, domain.high)
    elif isinstance(domain, t.Players):
        yield from (each for each in (domain.start, domain.other) if each is not None)
    elif isinstance(domain, t.Pieces):
        yield domain.vector


def _highest(terms: Iterable[t.Term]) -> int:
    """The highest frame slot in terms; -1 for none."""
    slots = [-1]
    for term in terms:
        for each in within(term):
            slot = getattr(each, "slot", None)
            if isinstance(slot, int):
                slots.append(slot)
    return max(slots)


def _refused(problem: NotWalkable, place: Line | t.Term) -> Finding:
    span = problem.term.span or place.span
    assert span is not None
    return Finding("K001", span, problem.message, problem.help)


def _too_many_states(states: int, term: t.Term) -> Finding:
    assert term.span is not None
    return _states_finding(states, term.span)


def _states_finding(states: int, span: Span) -> Finding:
    return Finding(
        "K002", span,
        f"counting these picks can take {states:,} states at one kind; {STATES:,} are allowed",
        "bound the sizes of lots, or ask about fewer things at once",
    )  # fmt: skip
