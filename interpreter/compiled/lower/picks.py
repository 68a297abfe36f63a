"""The picks of one action as nested loops: counted, or the n-th one found.

The loops go in the order of the walk: parameters as declared, a lot cell by cell. Limits on sums
and filters (`constraints`) narrow every loop to what can still be finished, so hardly a step is
taken in vain; whatever else a line asks is tested as soon as all that it reads is picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import mentions
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr, Var
from gemwright.interpreter.compiled.lower import options
from gemwright.interpreter.compiled.lower.cases import Cases, Nodes
from gemwright.interpreter.compiled.lower.constraints import Analysis
from gemwright.interpreter.compiled.lower.leaves import Leaf
from gemwright.interpreter.compiled.lower.lots import LastLot
from gemwright.interpreter.compiled.lower.lotwalk import LotCell, LotWalk
from gemwright.interpreter.compiled.lower.scope import Cells, Scope
from gemwright.interpreter.compiled.lower.terms import Terms


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be picked: parameters, lines as terms, and their normal form where it exists.

    There are no more than `most` picks. Counts under single pieces go to the array `kept`.
    """

    parameters: tuple[m.Parameter, ...]
    conditions: tuple[t.Term, ...]
    plan: f.LotPlan
    nodes: tuple[f.Node | None, ...]
    most: int
    kept: str


@dataclass(frozen=True, slots=True)
class _At:
    """Where the loops stand: the next parameter, the frame, walk entries so far, lines that are
    still to be tested, and the walk of lots once it has begun."""

    number: int
    scope: Scope
    entries: tuple[Expr, ...]
    open: frozenset[int]
    walk: LotWalk | None


class Picks:
    """Writes the loops over the picks of one action into one function."""

    def __init__(self, terms: Terms, question: Question, leaf: Leaf) -> None:
        self._terms = terms
        self._w = terms.w
        self._question = question
        self._parameters = question.parameters
        self._leaf = leaf

    def write(self, scope: Scope) -> None:
        """Write all loops."""
        open = frozenset(range(len(self._question.conditions)))
        self._parameter(_At(0, scope, (), open, None))

    # -- parameters

    def _parameter(self, at: _At) -> None:
        """Test what can be tested, then loop over the next parameter."""
        ready, open = self._ready(at)
        at = replace(at, open=open)
        with self._w.when(self._terms.all_hold(ready, at.scope)):
            if at.number == len(self._parameters):
                self._leaf.one(at.entries)
                return
            parameter = self._parameters[at.number]
            if isinstance(parameter.domain, m.LotDomain):
                self._lot(at, parameter.domain)
                return
            with options.single(self._terms, parameter, at.scope, self._leaf.ordered) as (
                entry,
                bound,
            ):
                scope = at.scope.bind(parameter.slot, bound)
                entries = (*at.entries, entry)
                with self._under(at.number, entry):
                    self._parameter(replace(at, number=at.number + 1, scope=scope, entries=entries))

    def _under(self, number: int, entry: Expr) -> AbstractContextManager[None]:
        """Keep the counts of the first of several picks if it is a piece: each has a number."""
        domain = self._parameters[number].domain
        if number or len(self._parameters) == 1 or not isinstance(domain, m.PieceDomain):
            return nullcontext()
        if not domain.options:
            return nullcontext()
        kept = self._question.kept
        self._w.maker.array(kept, len(domain.options), 0, self._question.most)
        return self._leaf.under(kept, entry)

    def _ready(self, at: _At) -> tuple[list[t.Term], frozenset[int]]:
        """The lines that can be tested now, and those that cannot.

        One that may fail waits for all lines before it: they may keep every pick away from it.
        """
        missing = [each.slot for each in self._parameters[at.number :]]
        ready: list[t.Term] = []
        waiting: set[int] = set()
        for line in sorted(at.open):
            term = self._question.conditions[line]
            if mentions(term, missing) or (
                waiting and self._w.may_fail(partial(self._terms.value, term, at.scope))
            ):
                waiting.add(line)
            else:
                ready.append(term)
        return ready, frozenset(waiting)

    # -- lots

    def _lot(self, at: _At, domain: m.LotDomain) -> None:
        if at.walk is not None:
            self._cells(at, domain, at.walk)
            return
        later = [
            each.slot
            for each in self._parameters[at.number :]
            if not isinstance(each.domain, m.LotDomain)
        ]
        nodes = tuple(
            None if line not in at.open or mentions(term, later) else node
            for line, (term, node) in enumerate(
                zip(self._question.conditions, self._question.nodes, strict=True)
            )
        )
        Cases(self._terms, at.scope, partial(self._case, at, domain)).split(nodes)

    def _case(self, at: _At, domain: m.LotDomain, nodes: Nodes) -> None:
        """Walk the lots in one case of the lines."""
        plan = self._question.plan
        placeholders = [
            Var(0, max((high for _, high in lot.highs), default=0), f"?lot{number}")
            for number, lot in enumerate(plan.lots)
        ]
        analysis = Analysis(self._terms, plan, placeholders, at.scope)
        asked = analysis.lines(nodes)
        open = at.open - {line for line, whole in enumerate(asked.whole) if whole}
        walk = LotWalk(self._terms, self._lot_cells(at.scope), placeholders, asked)
        at = replace(at, open=open, walk=walk)
        loops = partial(self._cells, at, domain, walk)
        if not self._is_last_and_only(at, domain):
            with self._w.when(walk.possible()):
                loops()
            return
        mine = [line for line in range(len(nodes)) if line in open or asked.whole[line]]
        asked = replace(asked, local=[asked.local[line] for line in mine])
        sums = None if open else walk.sums()
        most = self._question.most
        lot = LastLot(self._terms, analysis, asked, walk, len(plan.kinds), most, sums)
        lot.write([nodes[line] for line in mine], at.scope, self._leaf, at.entries, loops)

    def _is_last_and_only(self, at: _At, domain: m.LotDomain) -> bool:
        """Whether the lot is all that is left to pick, and each of its cells is a kind."""
        cells = [cell.face for cell in domain.cells]
        lots = [each for each in self._parameters if isinstance(each.domain, m.LotDomain)]
        last = at.number == len(self._parameters) - 1
        return last and len(lots) == 1 and cells == list(self._question.plan.kinds)

    def _lot_cells(self, scope: Scope) -> list[LotCell]:
        """All cells of all lots, in the order of the walk."""
        kinds = {face: kind for kind, face in enumerate(self._question.plan.kinds)}
        found: list[LotCell] = []
        places: list[tuple[int, int, Expr]] = []
        lot = 0
        for parameter in self._parameters:
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

    def _cells(self, at: _At, domain: m.LotDomain, walk: LotWalk) -> None:
        """Loop over the cells of one lot."""
        first = self._first_cell(at.number)
        last = first + len(domain.cells)
        if domain.cells and not at.open and at.number == len(self._parameters) - 1:
            with walk.cells(first, last - 1) as counts:
                run = walk.run(last - 1)
                if run is not None:
                    self._leaf.run([*at.entries, *counts], *run)
                    return
                with walk.cells(last - 1, last) as final:
                    self._leaf.one([*at.entries, *counts, *final])
            return
        with walk.cells(first, last) as counts:
            slot = self._parameters[at.number].slot
            scope = at.scope.bind(slot, Cells(tuple(counts)))
            entries = (*at.entries, *counts)
            self._parameter(replace(at, number=at.number + 1, scope=scope, entries=entries))

    def _first_cell(self, number: int) -> int:
        lots = [each.domain for each in self._parameters[:number]]
        return sum(len(each.cells) for each in lots if isinstance(each, m.LotDomain))


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
