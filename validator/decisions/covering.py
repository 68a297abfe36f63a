"""Whether somebody who has to choose always has a legal move.

At a decision the conditions that suffice for each way on are looked at together: if the invariants
and the failure of all of them have no solution, there is always a move.
"""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.validator.linear.affine import Constraint
from gemwright.validator.linear.budget import BudgetSpent
from gemwright.validator.linear.simplex import Simplex
from gemwright.validator.proof.live import Ground


def covered(ground: Ground, point: int) -> bool:
    """Whether some way on from a point is always open."""
    ways = [
        alternative
        for edge in ground.system.edges
        if edge.source == point
        for alternative in edge.sufficient
    ]
    if any(not way for way in ways):
        return True
    try:
        return none_open(ground.at(point).copy(), sorted(dict.fromkeys(ways), key=len))
    except BudgetSpent:
        return False


def none_open(simplex: Simplex, ways: Sequence[tuple[Constraint, ...]], depth: int = 0) -> bool:
    """Whether it is impossible that none of the ways is open, each a conjunction."""
    if not simplex.feasible:
        return True
    if not ways:
        return False
    for place, constraint in enumerate(ways[0]):
        for negation in constraint.negation:
            case = simplex.copy()
            case.add(f"n{depth}.{place}", negation)
            if not none_open(case, ways[1:], depth + 1):
                return False
    return True
