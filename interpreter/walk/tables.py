"""Tables of one decision: what a term at one kind is for each vector that may be picked there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from gemwright.dsl.model.terms import Domain, Local, Term
from gemwright.dsl.walkable.forms import LotPlan
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.walk.accumulators import Kept
from gemwright.interpreter.walk.locals import Locals, LocalTerm
from gemwright.interpreter.walk.passes import Domains


@dataclass(frozen=True, slots=True)
class Here:
    """A plan in one block and frame."""

    evaluator: Evaluator
    locals: Locals
    plan: LotPlan
    block: Block
    frame: Frame

    def value(self, term: Term) -> Any:
        """The value of a term."""
        return self.evaluator.value(term, self.block, self.frame)

    def elements(self, domain: Domain) -> Sequence[int]:
        """The elements of a domain, in its order."""
        return self.evaluator.elements(domain, self.block, self.frame)

    def copy(self) -> Here:
        """The same with a frame of its own."""
        return replace(self, frame=self.frame.copy())


class Tables:
    """Evaluates local terms over the domains of one decision.

    Args:
        kinds: the faces of which something may be picked, in the order of the plan.
        domains: per such kind its vectors.
        lots_of: per such kind the lot (a position in `plan.lots`) of each coordinate.
    """

    __slots__ = ("_cells", "_here", "_kinds", "_lots_of", "_totals", "domains", "places")

    def __init__(
        self,
        here: Here,
        kinds: Sequence[int],
        domains: Domains,
        lots_of: Sequence[Sequence[int]],
    ) -> None:
        self._here = here
        self._kinds = kinds
        self._lots_of = lots_of
        self._cells = [lot.cell_slot for lot in here.plan.lots]
        self.places = {face: number for number, face in enumerate(kinds)}
        """The numbers of the kinds, by face."""
        self.domains = domains
        """Per kind the vectors that are left; whoever holds the list sees it change."""
        self._totals: list[dict[int, list[int]]] = [{} for _ in domains]

    def keep(self, kept: Kept) -> None:
        """Restrict the domains to the vectors that are left."""
        for kind, positions in kept.items():
            domain = self.domains[kind]
            self.domains[kind] = [domain[at] for at in positions]
            self._totals[kind] = {}

    def row(self, term: Term, kind: int) -> list[int]:
        """The value of a term for each vector of a kind."""
        if isinstance(term, Local) and term.slot in self._cells:
            return self._picked(kind, self._cells.index(term.slot))
        local = self._here.locals.of(self._here.plan, term)
        face = self._kinds[kind]
        if not local.lots:
            return [self._value(term, face)] * len(self.domains[kind])
        factor = 1
        for each in local.factors:
            factor *= self._value(each, face)
        if len(local.lots) == 1:
            return self._single(local, kind, factor)
        rows = list(zip(*[self._picked(kind, at) for at in local.lots], strict=True))
        known = self._known(local, face, rows)
        return [factor * known[counts] for counts in rows]

    def _single(self, local: LocalTerm, kind: int, factor: int) -> list[int]:
        column = self._picked(kind, local.lots[0])
        rest = local.rest
        if isinstance(rest, Local) and rest.slot in self._cells:
            return [factor * count for count in column]
        rows = [(count,) for count in column]
        known = self._known(local, self._kinds[kind], rows)
        return [factor * known[counts] for counts in rows]

    def _known(
        self, local: LocalTerm, face: int, rows: Sequence[tuple[int, ...]]
    ) -> dict[tuple[int, ...], int]:
        """The values of what is left of a term by counts; it has all of `rows`."""
        known = local.known(face, self._here.frame)
        for counts in rows:
            if counts not in known:
                for at, count in zip(local.lots, counts, strict=True):
                    self._here.frame[self._cells[at]] = count
                known[counts] = self._value(local.rest, face)
        return known

    def _picked(self, kind: int, lot: int) -> list[int]:
        """How many pieces of one lot each vector of a kind holds."""
        totals = self._totals[kind]
        found = totals.get(lot)
        if found is None:
            places = [at for at, each in enumerate(self._lots_of[kind]) if each == lot]
            domain = self.domains[kind]
            if len(places) == 1:
                only = places[0]
                found = [vector[only] for vector in domain]
            else:
                found = [sum([vector[at] for at in places]) for vector in domain]
            totals[lot] = found
        return found

    def telling(self, term: Term, faces: Sequence[int]) -> Sequence[int]:
        """Those of the faces at which a term may be other than 0."""
        if self._here.locals.of(self._here.plan, term).silent:
            return [face for face in faces if face in self.places]
        return faces

    def apart(self, term: Term, face: int) -> int:
        """The value of a term at a face of which nothing is picked."""
        for slot in self._cells:
            self._here.frame[slot] = 0
        return self._value(term, face)

    def _value(self, term: Term, face: int) -> int:
        self._here.frame[self._here.plan.kind_slot] = face
        return int(self._here.value(term))


def boxes(highs: Sequence[int]) -> list[tuple[int, ...]]:
    """All vectors below bounds, in lexicographic order."""
    return list(product(*[range(high + 1) for high in highs]))
