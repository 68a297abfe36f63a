"""Decisions in a system that tells seats apart, by bounds of what is asked for there."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from gemwright.validator.abstraction.lowering import Lowered
from gemwright.validator.decisions.covering import covered
from gemwright.validator.linear.budget import Budget
from gemwright.validator.proof.invariants import Known
from gemwright.validator.proof.live import Ground
from gemwright.validator.proof.lower_bounds import asked_for, strengthened

STEPS: Final = 40_000
"""Pivots that looking at the decisions may cost."""


def answered_apart(lowered: Lowered, points: Collection[int]) -> set[int]:
    """The control points among some at which whoever is asked always has a pick."""
    system = lowered.system
    places = [
        at for at, node in enumerate(lowered.places) if node.point in points and not node.stage
    ]
    rows = [
        row
        for edge in system.edges
        if edge.source in places
        for way in edge.sufficient
        for row in way
    ]
    nothing: Known = dict.fromkeys(range(len(system.points)), ())
    ground = Ground(system, strengthened(system, nothing, asked_for(rows)), Budget(STEPS))
    failed = {lowered.places[at].point for at in places if not covered(ground, at)}
    return set(points) - failed
