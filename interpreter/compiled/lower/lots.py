"""One lot that is picked last: by packed polynomials where only bounds and one sum are asked, by
nested loops where few combinations are left, else by a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower.boxes import Box, Sums
from gemwright.interpreter.compiled.lower.constraints import Analysis, Opaque
from gemwright.interpreter.compiled.lower.formula import Formulas
from gemwright.interpreter.compiled.lower.leaves import Leaf
from gemwright.interpreter.compiled.lower.limits import Asked
from gemwright.interpreter.compiled.lower.lotwalk import LotWalk
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.sums import Accounts
from gemwright.interpreter.compiled.lower.table import Table
from gemwright.interpreter.compiled.lower.terms import Terms

FEW: Final = 1500
"""Combinations that loops go through faster than a table is filled."""

DEEP: Final = 14
"""Loops nest no deeper than this if a table can do instead."""


class LastLot:
    """Writes the walk of one lot whose cells are the kinds of a plan.

    Args:
        most: no more picks than that.
        sums: what is asked, if it is no more than bounds and one sum.
    """

    def __init__(
        self,
        terms: Terms,
        analysis: Analysis,
        asked: Asked,
        walk: LotWalk,
        kinds: int,
        most: int,
        sums: Sums | None,
    ) -> None:
        self._terms = terms
        self._w = terms.w
        self._analysis = analysis
        self._asked = asked
        self._walk = walk
        self._kinds = kinds
        self._most = most
        self._sums = sums

    def write(
        self,
        nodes: Sequence[f.Node | None],
        scope: Scope,
        leaf: Leaf,
        entries: Sequence[Expr],
        loops: Callable[[], None],
    ) -> None:
        """Write the ways that may be needed and what decides; `loops` writes the loops."""

        def table() -> None:
            leaf.lots(entries, self._table(nodes, scope))

        box = None if self._sums is None else Box(self._terms, self._sums)
        if box is not None and box.some == ops.FALSE:
            return
        if box is not None and box.is_wide:
            with self._w.when(ops.both(self._walk.fixed(), box.some)):
                branch = self._w.branch(box.fits)
                with branch.then():
                    leaf.lots(entries, box)
                with branch.otherwise():
                    if box.fits != ops.TRUE:
                        (table if self._can_be_tabled(nodes, scope) else loops)()
            return
        with self._w.when(self._walk.possible()):
            if self._is_small() or not self._can_be_tabled(nodes, scope):
                loops()
                return
            deep = self._kinds > DEEP
            few = ops.compare("<=", self._walk.picks(FEW + 1), ops.const(FEW))
            branch = self._w.branch(ops.FALSE if deep else few)
            with branch.then():
                if not deep:
                    loops()
            with branch.otherwise():
                table()

    def _is_small(self) -> bool:
        """Whether there are few picks for sure."""
        most = self._walk.most_by_limits()
        if most is not None and most <= FEW and self._kinds <= DEEP:
            return True
        with self._w.apart():
            return self._walk.picks(FEW + 1).high <= FEW

    def _can_be_tabled(self, nodes: Sequence[f.Node | None], scope: Scope) -> bool:
        try:
            return not self._w.may_fail(lambda: self._table(nodes, scope))
        except Opaque:
            return False

    def _table(self, nodes: Sequence[f.Node | None], scope: Scope) -> Table:
        accounts = Accounts()
        formulas = Formulas(self._analysis, accounts)
        open = [node for node, local in zip(nodes, self._asked.local, strict=True) if not local]
        if None in open:
            raise Opaque
        good = formulas.of(f.AllOf(tuple(each for each in open if each is not None)), scope)
        kinds = [self._walk.kind(number) for number in range(self._kinds)]
        var = self._analysis.placeholder
        return Table(self._terms, var, kinds, accounts.all, good, self._most)
