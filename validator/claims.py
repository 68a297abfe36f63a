"""What is told of a game beside its end: sums of pieces that stay, and what sentences need.

A sentence may need that a number stays in its range, or that enough pieces lie where it takes them.
Whether that always holds is proved at some precision, or stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gemwright.validator.abstraction.lowering import Lowered
from gemwright.validator.abstraction.transitions import Cell, Obligation
from gemwright.validator.findings import Need
from gemwright.validator.linear.affine import Affine
from gemwright.validator.proof.conserving import Conserved
from gemwright.validator.proof.wording import sum_text
from gemwright.validator.proving import Proofs


@dataclass(frozen=True, slots=True)
class Needs:
    """What the sentences of a game need, as far as it was looked at."""

    proved: frozenset[Need] = frozenset()
    seen: frozenset[Need] = frozenset()

    @property
    def open(self) -> tuple[Need, ...]:
        """What was not proved, in the order of the file."""
        return tuple(sorted(self.seen - self.proved))

    def after(self, lowered: Lowered, proofs: Proofs) -> Needs:
        """With what one more system tells."""
        edges = (*lowered.system.edges, *lowered.system.refused)
        asked = {_need(each) for edge in edges for each in edge.obligations}
        doubted = {_need(doubt.obligation) for doubt in proofs.doubts}
        return Needs(self.proved | (asked - doubted), self.seen | asked)


def _need(obligation: Obligation) -> Need:
    span = obligation.span
    return Need(span.path if span else "", span.line if span else 0, obligation.text)


def conserved_texts(lowered: Lowered, found: Iterable[Conserved]) -> tuple[str, ...]:
    """Sums of zones that never change, as `bank + hand of all players = 40`.

    Families of pieces that go between the same zones are told of together.
    """
    vocabulary = lowered.vocabulary
    cells = [
        replace(cell, name=f"{cell.name} of all players")
        if cell.place >= 0 and vocabulary.is_pooled(cell.place)
        else cell
        for cell in lowered.system.cells
    ]
    groups: dict[tuple[int, ...], list[Conserved]] = {}
    for each in found:
        places = sorted({cells[cell].place for cell, _ in each.sum.terms})
        groups.setdefault(tuple(places), []).append(each)
    return tuple(_line(group, cells) for group in groups.values())


def _line(group: Sequence[Conserved], cells: Sequence[Cell]) -> str:
    total = Affine((), 0)
    values = [each.value for each in group]
    for each in group:
        total += each.sum
    value = sum(value for value in values if value is not None)
    amount = "what it is at the start" if None in values else str(value)
    return f"{sum_text(total, cells)} = {amount}"
