"""What can be proved of a transition system: `prove`.

Everything here is about the abstract system: PROVED holds for every play of the game, for the
system allows all of them. What is not proved may still be true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gemwright.validator.abstraction.transitions import (
    Edge,
    Obligation,
    Parameter,
    PointKind,
    TransitionSystem,
)
from gemwright.validator.certificate.forms import Json
from gemwright.validator.certificate.writing import certificate
from gemwright.validator.decisions.covering import covered
from gemwright.validator.findings import Verdict3
from gemwright.validator.linear.budget import Budget, BudgetSpent
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.bounding import Bounds, bound
from gemwright.validator.proof.conserving import Conserved, conserved
from gemwright.validator.proof.invariants import Known, infer
from gemwright.validator.proof.levels import Level, levels
from gemwright.validator.proof.live import Ground, Live
from gemwright.validator.proof.ranking import Ranking
from gemwright.validator.proof.ranking_proof import Order
from gemwright.validator.proof.steps import steps_of

STEPS: Final = 400_000
"""Steps that one system may cost."""


@dataclass(frozen=True, slots=True)
class Termination:
    """Whether every play ends.

    `moves` bounds the moves of a play (None: no bound is known); `levels` is the argument in
    words, `certificate` the same for a checker. `residual` are the edges that may go on for ever as
    far as the proof can tell, in groups that belong to one circle. `exhausted`: the search was
    given up.
    """

    verdict: Verdict3
    moves: int | None = None
    levels: tuple[Level, ...] = ()
    certificate: Json | None = None
    residual: tuple[tuple[int, ...], ...] = ()
    exhausted: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """An obligation of an edge that could not be proved: the engine might stop there. The edge is
    -1 where the engine never takes it."""

    edge: int
    obligation: Obligation


@dataclass(frozen=True, slots=True)
class Stuck:
    """A decision point at which a legal move could not be shown to exist."""

    point: int


@dataclass(frozen=True, slots=True)
class Proofs:
    """All that was found out about a system."""

    termination: Termination
    doubts: tuple[Doubt, ...]
    stuck: tuple[Stuck, ...]
    conserved: tuple[Conserved, ...]
    dead: tuple[int, ...]
    """Edges that no play ever takes."""
    unreached: tuple[int, ...]
    """Points that no play ever reaches."""
    known: Known
    """What holds at each point."""
    spent: int
    """Steps of the budget."""


def prove(system: TransitionSystem, budget: Budget | None = None, *, ends: bool = True) -> Proofs:
    """Prove what can be proved within a budget. Never raises for what the system says.

    Args:
        ends: whether to ask if every play ends; without, that is unknown and costs nothing.
    """
    budget = budget or Budget(STEPS)
    steps = steps_of(system)
    try:
        ground = Ground(system, infer(system, steps, budget), budget)
        lives = [ground.live(step) for step in steps]
        dead = tuple(at for at, live in enumerate(lives) if not live.simplex.feasible)
        unreached = tuple(at for at in range(len(system.points)) if not ground.at(at).feasible)
        kept = conserved(ground)
    except BudgetSpent:
        return _nothing(system, budget)
    doubts, stuck = tuple(_doubts(ground)), tuple(_stuck(ground))
    ending = _termination(ground, lives) if ends else Termination("unknown")
    return Proofs(
        ending,
        doubts,
        stuck,
        tuple(kept),
        dead,
        unreached,
        ground.known,
        budget.spent,
    )


def _nothing(system: TransitionSystem, budget: Budget) -> Proofs:
    everything = (tuple(range(len(system.edges))),)
    ending = Termination("unknown", residual=everything, exhausted=True)
    doubts = (Doubt(at, each) for at, edge in _needing(system) for each in edge.obligations)
    stuck = (
        Stuck(at) for at, point in enumerate(system.points) if point.kind is PointKind.DECISION
    )
    return Proofs(
        ending,
        tuple(doubts),
        tuple(stuck),
        (),
        (),
        (),
        dict.fromkeys(range(len(system.points)), ()),
        budget.spent,
    )


def _termination(ground: Ground, lives: list[Live]) -> Termination:
    ranking = Ranking(ground)
    try:
        proof, gaps = ranking.prove(range(len(ground.system.points)), lives)
        if gaps:
            return Termination("unknown", residual=_residual(gaps))
        bounds = bound(proof, lives, ground.system.start, ranking.contracted)
        return _proved(ground, lives, proof, bounds)
    except BudgetSpent:
        everything = tuple(range(len(ground.system.edges)))
        return Termination("unknown", residual=(everything,), exhausted=True)


def _proved(ground: Ground, lives: list[Live], proof: Order, bounds: Bounds) -> Termination:
    written = certificate(ground, lives, proof, bounds)
    words = tuple(levels(ground.system, proof, lives, bounds))
    return Termination("proved", bounds.total.moves, words, written)


def _residual(gaps: list[Live]) -> tuple[tuple[int, ...], ...]:
    """The edges of the steps that are left, those with a common point together."""
    groups: list[tuple[set[int], set[int]]] = []
    for live in gaps:
        points = {live.step.source, live.step.target}
        edges = set(live.step.path)
        for group in [each for each in groups if each[0] & points]:
            groups.remove(group)
            points |= group[0]
            edges |= group[1]
        groups.append((points, edges))
    return tuple(sorted(tuple(sorted(edges)) for _, edges in groups))


def _needing(system: TransitionSystem) -> Iterator[tuple[int, Edge]]:
    """The ways on which something is needed, those that are refused with the number -1."""
    yield from enumerate(system.edges)
    yield from ((-1, edge) for edge in system.refused)


def _doubts(ground: Ground) -> list[Doubt]:
    found, met = [], dict[object, bool]()
    for at, edge in _needing(ground.system):
        for each in edge.obligations:
            # Ways that part later have come to the same sentence.
            key = (edge.source, each, _parameters(edge, each))
            if key not in met:
                met[key] = _met(ground, edge, each)
            if not met[key]:
                found.append(Doubt(at, each))
    return found


def _parameters(edge: Edge, obligation: Obligation) -> tuple[Parameter, ...]:
    """The parameters that an obligation speaks of."""
    rows = (obligation.claim, *obligation.given)
    names = sorted({name for row in rows for name, _ in row.expression.terms if name < 0})
    return tuple(edge.parameters[-1 - name] for name in names)


def _met(ground: Ground, edge: Edge, obligation: Obligation) -> bool:
    """Whether an obligation holds whenever the play comes to it."""
    try:
        simplex = _before(ground, edge, obligation)
        expression = obligation.claim.expression
        if not simplex.feasible:
            return True
        sides = (expression, -expression) if obligation.claim.equality else (expression,)
        return all(simplex.claim(side) is not None for side in sides)
    except BudgetSpent:
        return False


def _before(ground: Ground, edge: Edge, obligation: Obligation) -> Simplex:
    """What is known when a play comes to an obligation."""
    simplex = ground.at(edge.source).copy()
    for position, each in enumerate(edge.parameters):
        name = -1 - position
        simplex.bound(name, each.low, each.high, (f"l{name}", f"h{name}"))
    for which, constraint in enumerate(obligation.given):
        simplex.add(f"g{which}", constraint)
    return simplex


def _stuck(ground: Ground) -> list[Stuck]:
    return [
        Stuck(at)
        for at, point in enumerate(ground.system.points)
        if point.kind is PointKind.DECISION and not covered(ground, at)
    ]
