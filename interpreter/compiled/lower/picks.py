"""The picks of one action as nested loops: counted, or the n-th one found.

The loops go in the order of the walk: parameters as declared, a lot cell by cell. Limits on sums
and filters (`constraints`) narrow every loop to what can still be finished, so hardly a step is
taken in vain; whatever else a line asks is tested as soon as all that it reads is picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.dsl import walkable_forms as f
from gemwright.dsl.walkable_terms import mentions
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr, Var
from gemwright.interpreter.compiled.lower import options
from gemwright.interpreter.compiled.lower.constraints import Analysis
from gemwright.interpreter.compiled.lower.leaves import Leaf
from gemwright.interpreter.compiled.lower.lotwalk import LotCell, LotWalk
from gemwright.interpreter.compiled.lower.scope import Cells, Scope
from gemwright.interpreter.compiled.lower.terms import Terms


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be picked: parameters, lines as terms, and their normal form where it exists."""

    parameters: tuple[m.Parameter, ...]
    conditions: tuple[t.Term, ...]
    plan: f.LotPlan
    nodes: tuple[f.Node | None, ...]


class Picks:
    """Writes the loops over the picks of one action into one function."""

    def __init__(self, terms: Terms, question: Question, leaf: Leaf) -> None:
        self._terms = terms
        self._w = terms.w
        self._question = question
        self._leaf = leaf
        self._open = set(range(len(question.conditions)))
        """The lines that are not tested yet."""
        self._walk: LotWalk | None = None
        self._cells: list[tuple[int, m.LotCell]] = []

    def write(self, scope: Scope) -> None:
        """Write all loops."""
        self._parameter(0, scope, [])

    # -- parameters

    def _parameter(self, number: int, scope: Scope, entries: list[Expr]) -> None:
        """Test what can be tested, then loop over the next parameter."""
        with self._w.when(self._tested(number, scope)):
            if number == len(self._question.parameters):
                self._leaf.one(entries)
                return
            parameter = self._question.parameters[number]
            if isinstance(parameter.domain, m.LotDomain):
                self._lot(number, parameter.domain, scope, entries)
                return
            with options.single(self._terms, parameter, scope) as (entry, bound):
                self._parameter(number + 1, scope.bind(parameter.slot, bound), [*entries, entry])

    def _tested(self, number: int, scope: Scope) -> Expr:
        """The lines that read the first `number` parameters only and were not tested yet."""
        missing = [each.slot for each in self._question.parameters[number:]]
        ready: list[t.Term] = []
        waiting = False
        for line in sorted(self._open):
            term = self._question.conditions[line]
            if mentions(term, missing):
                waiting = True
            elif not waiting or not self._w.may_fail(partial(self._terms.value, term, scope)):
                self._open.discard(line)
                ready.append(term)
        return self._terms.all_hold(ready, scope)

    # -- lots

    def _lot(self, number: int, domain: m.LotDomain, scope: Scope, entries: list[Expr]) -> None:
        if self._walk is not None:
            self._cells_of(number, domain, scope, entries, self._walk)
            return
        self._walk = self._begin(number, scope)
        with self._w.when(self._walk.possible()):
            self._cells_of(number, domain, scope, entries, self._walk)

    def _begin(self, number: int, scope: Scope) -> LotWalk:
        """Analyse the lines before the first lot is walked."""
        plan = self._question.plan
        placeholders = [
            Var(0, max((high for _, high in lot.highs), default=0), f"?lot{at}")
            for at, lot in enumerate(plan.lots)
        ]
        later = [
            each.slot
            for each in self._question.parameters[number:]
            if not isinstance(each.domain, m.LotDomain)
        ]
        nodes = [
            None if line not in self._open or mentions(term, later) else node
            for line, (term, node) in enumerate(
                zip(self._question.conditions, self._question.nodes, strict=True)
            )
        ]
        asked = Analysis(self._terms, plan, placeholders, scope).lines(nodes)
        self._open -= {line for line, whole in enumerate(asked.whole) if whole}
        return LotWalk(self._terms, self._lot_cells(scope), placeholders, asked)

    def _lot_cells(self, scope: Scope) -> list[LotCell]:
        """All cells of all lots, in the order of the walk."""
        kinds = {face: kind for kind, face in enumerate(self._question.plan.kinds)}
        found: list[LotCell] = []
        places: list[tuple[int, int, Expr]] = []
        lot = 0
        for parameter in self._question.parameters:
            domain = parameter.domain
            if not isinstance(domain, m.LotDomain):
                continue
            sources = [self._terms.zone(each.zone, each.index, scope) for each in domain.sources]
            sources = [(zone, self._w.let(place)) for zone, place in sources]
            counts = [self._terms.zones.counts(zone, place) for zone, place in sources]
            for cell in domain.cells:
                zone, place = sources[cell.source]
                position = ops.const(zone.faces.index(cell.face))
                there = self._w.let(counts[cell.source].at(position))
                here = (zone.id, cell.face, place)
                found.append(LotCell(lot, kinds[cell.face], there, _shared(places, here)))
                places.append(here)
            lot += 1
        return found

    def _cells_of(
        self,
        number: int,
        domain: m.LotDomain,
        scope: Scope,
        entries: list[Expr],
        walk: LotWalk,
    ) -> None:
        """Loop over the cells of one lot."""
        first = self._first_cell(number)
        last = first + len(domain.cells)
        if self._ends(number) and domain.cells:
            with walk.cells(first, last - 1) as counts:
                run = walk.run(last - 1)
                if run is not None:
                    self._leaf.run([*entries, *counts], *run)
                    return
                with walk.cells(last - 1, last) as final:
                    self._leaf.one([*entries, *counts, *final])
            return
        with walk.cells(first, last) as counts:
            slot = self._question.parameters[number].slot
            inner = scope.bind(slot, Cells(tuple(counts)))
            self._parameter(number + 1, inner, [*entries, *counts])

    def _first_cell(self, number: int) -> int:
        lots = [each.domain for each in self._question.parameters[:number]]
        return sum(len(each.cells) for each in lots if isinstance(each, m.LotDomain))

    def _ends(self, number: int) -> bool:
        """Whether nothing is left to test or to pick after this parameter."""
        return not self._open and number == len(self._question.parameters) - 1


def _shared(
    places: Sequence[tuple[int, int, Expr]], here: tuple[int, int, Expr]
) -> tuple[tuple[int, Expr], ...]:
    """Earlier cells that may take from the same pieces, with whether they do."""
    found = []
    for number, (zone, face, place) in enumerate(places):
        if (zone, face) == here[:2]:
            same = ops.equal(place, here[2])
            if same != ops.FALSE:
                found.append((number, same))
    return tuple(found)



def walk_width(action: m.Action) -> int:
    """Walk entries of a whole pick: one per single pick, one per cell of a lot."""
    domains = [parameter.domain for parameter in action.parameters]
    return sum(len(each.cells) if isinstance(each, m.LotDomain) else 1 for each in domains)
