"""Pieces that are never made or lost.

Zones between which pieces are moved belong together. If nothing but such moves changes any of them,
their sum stays what it was in the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemwright.validator.abstraction.transitions import Add, Assign, CellKind, Transfer
from gemwright.validator.linear.affine import Affine, affine, unknown
from gemwright.validator.proof.intervals import extent
from gemwright.validator.proof.live import Ground
from gemwright.validator.proof.premises import at_point


@dataclass(frozen=True, slots=True)
class Conserved:
    """A sum of zones that never changes; `value` is None when it is not fixed in the beginning.

    Zones that are empty whenever somebody chooses are left out."""

    sum: Affine
    value: int | None


def conserved(ground: Ground) -> list[Conserved]:
    """Sums that are conserved: of zones which nothing but moves between them changes."""
    system = ground.system
    leaking = {
        effect.cell
        for edge in system.edges
        for effect in edge.effects
        if isinstance(effect, Add | Assign) and system.cells[effect.cell].kind is CellKind.ZONE
    }
    found = []
    simplex = at_point(system, (), ground.budget)
    for which, constraint in enumerate(system.initial):
        simplex.add(f"s{which}", constraint)
    for group in _groups(ground):
        if leaking & set(group):
            continue
        total = affine((cell, 1) for cell in group)
        low, high = extent(simplex, total) if simplex.feasible else (None, None)
        shown = [cell for cell in group if not _always_empty(ground, cell)]
        if len(shown) > 1:
            value = low if low == high else None
            found.append(Conserved(affine((cell, 1) for cell in shown), value))
    return found


def _groups(ground: Ground) -> list[list[int]]:
    """Zone cells joined by transfers, in the order of their first cell."""
    cells = ground.system.cells
    leader = list(range(len(cells)))

    def find(cell: int) -> int:
        while leader[cell] != cell:
            cell = leader[cell]
        return cell

    for edge in ground.system.edges:
        for effect in edge.effects:
            if isinstance(effect, Transfer):
                first, second = sorted((find(effect.source), find(effect.target)))
                leader[second] = first
    groups: dict[int, list[int]] = {}
    for position, cell in enumerate(cells):
        if cell.kind is CellKind.ZONE:
            groups.setdefault(find(position), []).append(position)
    return list(groups.values())


def _always_empty(ground: Ground, cell: int) -> bool:
    """Whether a zone is empty at every point from which a move starts."""
    points = _moving(ground)
    return bool(points) and all(
        not ground.at(point).feasible or ground.at(point).claim(-unknown(cell)) is not None
        for point in points
    )


def _moving(ground: Ground) -> Sequence[int]:
    return sorted({edge.source for edge in ground.system.edges if edge.moves})
