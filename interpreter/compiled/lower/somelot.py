"""`some lot x within Z has ..`: a function of its own that looks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import within
from gemwright.dsl.walkable.classification import Facts, some_lot_plan
from gemwright.dsl.walkable.forms import Problem
from gemwright.dsl.walkable.terms import conjuncts
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr, Var
from gemwright.interpreter.compiled.lower.memory import Memory
from gemwright.interpreter.compiled.lower.scope import Bound, Cells, Piece, Scope

if TYPE_CHECKING:
    from gemwright.interpreter.compiled.lower.terms import Terms


class SomeLots:
    """Writes the functions of `some lot` terms; equal ones are one."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._known: dict[tuple[t.SomeLot, tuple[tuple[int, int], ...]], str] = {}

    def holds(self, terms: Terms, term: t.SomeLot, scope: Scope) -> Expr:
        """Whether there is such a lot."""
        slots = sorted(_read(term))
        bound = [(slot, scope.get(slot)) for slot in slots]
        args = [expr for _, each in bound if each is not None for expr in _parts(each)]
        ranges = tuple((each.low, each.high) for each in args)
        key = (term, ranges)
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = f"some_lot_{len(self._known)}"
            self._write(terms, name, term, bound)
        return terms.w.call(name, args, (0, 1))

    def _write(
        self, outer: Terms, name: str, term: t.SomeLot, bound: list[tuple[int, Bound | None]]
    ) -> None:
        from gemwright.interpreter.compiled.lower.lotsearch import search
        from gemwright.interpreter.compiled.lower.terms import Terms

        w = Writer(self._memory.maker)
        terms = Terms(self._memory, outer.columns, self, w)
        params: list[Var] = []
        scope = Scope({})
        for slot, each in bound:
            if each is not None:
                scope = scope.bind(slot, _as_params(each, params, slot))
        facts = Facts(self._memory.model.players, self._memory.layout.frame_size)
        plan = some_lot_plan(term, facts)
        assert not isinstance(plan, Problem), "the loader checks every `some lot`"
        search(terms, term, conjuncts(term.condition), plan, scope)
        self._memory.maker.function(w.function(name, params, (0, 1)))


def _read(term: t.SomeLot) -> set[int]:
    """The slots that a term reads and does not bind itself."""
    found = {each.slot for each in within(term) if isinstance(each, t.Local)}
    found |= {
        each.piece.slot for each in within(term) if isinstance(each, t.PieceFace | t.PieceFrom)
    }
    found |= {each.lot.slot for each in within(term) if isinstance(each, t.LotVector)}
    return found


def _parts(bound: Bound) -> tuple[Expr, ...]:
    if isinstance(bound, Cells):
        return bound.counts
    return (bound.instance, bound.face) if isinstance(bound, Piece) else (bound,)


def _as_params(bound: Bound, params: list[Var], slot: int) -> Bound:
    """The same with parameters in place of expressions; what is known stays."""
    made: list[Expr] = []
    for each in _parts(bound):
        var = Var(each.low, each.high, f"slot{slot}_{len(params)}")
        params.append(var)
        made.append(ops.const(each.low) if each.low == each.high else var)
    if isinstance(bound, Cells):
        return Cells(tuple(made))
    return Piece(made[0], made[1]) if isinstance(bound, Piece) else made[0]
