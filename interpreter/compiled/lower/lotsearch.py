"""Loops that look for a lot within a fixed one."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Var
from gemwright.interpreter.compiled.lower import shapes
from gemwright.interpreter.compiled.lower.constraints import Analysis
from gemwright.interpreter.compiled.lower.leaves import Some
from gemwright.interpreter.compiled.lower.lotwalk import LotCell, LotWalk
from gemwright.interpreter.compiled.lower.scope import Cells, Scope
from gemwright.interpreter.compiled.lower.terms import Terms


def search(
    terms: Terms,
    term: t.SomeLot,
    conditions: Sequence[t.Term],
    plan: f.LotPlan,
    scope: Scope,
) -> None:
    """Write a function that gives 1 if some lot meets the conditions, else 0."""
    leaf = Some(terms.w)
    high = max((high for _, high in plan.lots[0].highs), default=0)
    var = Var(0, high, "?lot0")
    asked = Analysis(terms, plan, [var], scope).lines(plan.lines)
    counts = shapes.vector(terms, term.within, scope)
    cells = []
    for kind in range(len(plan.kinds)):
        there = terms.w.let(counts.at(ops.const(kind)))
        # A count below 0 leaves nothing to take, not even nothing: no lot lies within.
        cells.append(LotCell(0, kind, there))
    walk = LotWalk(terms, cells, [var], asked)
    open = [term for term, whole in zip(conditions, asked.whole, strict=True) if not whole]
    with terms.w.when(walk.possible()):
        if not open and cells:
            with walk.cells(0, len(cells) - 1) as picked:
                run = walk.run(len(cells) - 1)
                if run is not None:
                    leaf.run(picked, *run)
                else:
                    with walk.cells(len(cells) - 1, len(cells)):
                        leaf.one(picked)
        else:
            with walk.cells(0, len(cells)) as picked:
                inner = scope.bind(term.slot, Cells(tuple(picked)))
                with terms.w.when(terms.all_hold(open, inner)):
                    leaf.one(picked)
    leaf.end()
