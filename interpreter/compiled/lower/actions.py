"""The functions of one action: count its picks, find the n-th, do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable.classification import Facts, classify
from gemwright.dsl.walkable.forms import Problem, WalkPlan
from gemwright.dsl.walkable.ranges import interval
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr, Return, Var
from gemwright.interpreter.compiled.lower import options
from gemwright.interpreter.compiled.lower.effects import Effects
from gemwright.interpreter.compiled.lower.leaves import PICK, Count, Leaf, Nth
from gemwright.interpreter.compiled.lower.moving import Moving, Spot
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.picks import Picks, Question
from gemwright.interpreter.compiled.lower.scope import Bound, Cells, Scope
from gemwright.interpreter.compiled.lower.terms import Terms

NO_TARGET: Final = ops.const(-1)


class Actions:
    """Writes the functions of actions when they are asked for."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._model = parts.memory.model
        self._plans: dict[int, WalkPlan] = {}

    def plan(self, action: m.Action) -> WalkPlan:
        """How the picks of an action are walked."""
        found = self._plans.get(action.id)
        if found is None:
            facts = Facts(self._model.players, action.slots)
            made = classify(action.parameters, action.where, facts)
            assert not isinstance(made, Problem), "the loader refuses what cannot be walked"
            found = self._plans[action.id] = made
        return found

    def count(self, action: m.Action) -> tuple[str, int]:
        """The function that counts the picks of an action for a player, and its greatest value."""
        name, most = f"count_{action.name}", self.plan(action).picks
        if self._parts.is_new(name):
            w = Writer(self._parts.memory.maker)
            leaf = Count(w, most)
            me = self._write_picks(action, w, leaf)
            leaf.end()
            self._parts.memory.maker.function(w.function(name, [me], (0, most)))
        return name, most

    def nth(self, action: m.Action) -> str:
        """The function that puts pick number n of an action into `PICK`."""
        name = f"pick_{action.name}"
        if self._parts.is_new(name):
            w = Writer(self._parts.memory.maker)
            n = Var(0, max(self.plan(action).picks - 1, 0), "n")
            leaf = Nth(w, n)
            me = self._write_picks(action, w, leaf)
            leaf.end()
            self._parts.memory.maker.function(w.function(name, [me, n], None))
        return name

    def _write_picks(self, action: m.Action, w: Writer, leaf: Leaf) -> Var:
        me = self._me()
        plan = self.plan(action)
        lines = action.where
        nodes = plan.lots.lines if plan.walk == "pass" else (None,) * len(lines)
        conditions = tuple(line.condition for line in lines)
        question = Question(
            action.parameters, conditions, plan.lots, nodes, plan.picks, f"ways_{action.name}"
        )
        Picks(self._parts.terms(w), question, leaf).write(Scope({0: me}))
        return me

    def _me(self) -> Var:
        return Var(0, self._model.players - 1, "me")

    # -- doing

    def do(self, action: m.Action) -> str:
        """The function that does the pick in `PICK`: the control point to go to, or -1."""
        name = f"do_{action.name}"
        if self._parts.is_new(name):
            w = Writer(self._parts.memory.maker)
            terms = self._parts.terms(w)
            me = self._me()
            scope = self._picked(terms, action, Scope({0: me}))
            origins = {
                each.slot: self._spots(terms, each.domain, scope)
                for each in action.parameters
                if isinstance(each.domain, m.LotDomain)
            }
            parameters = {each.slot: each for each in action.parameters}
            effects = Effects(terms, self._parts.handling, parameters, origins)
            effects.run(action.do, scope)
            w.emit(Return(NO_TARGET))
            last = len(self._model.points) - 1
            self._parts.memory.maker.function(w.function(name, [me], (-1, last)))
        return name

    def _spots(self, terms: Terms, domain: m.LotDomain, scope: Scope) -> Sequence[Spot]:
        moving = Moving(terms, self._parts.handling)
        return [moving.spot(each.zone, each.index, scope) for each in domain.sources]

    def _picked(self, terms: Terms, action: m.Action, scope: Scope) -> Scope:
        """The parameters as `PICK` holds them."""
        at = 0
        for parameter in action.parameters:
            width, bound = self._bound(terms, parameter, at)
            scope = scope.bind(parameter.slot, bound)
            at += width
        return scope

    def _bound(self, terms: Terms, parameter: m.Parameter, at: int) -> tuple[int, Bound]:
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            cells = tuple(
                self._entry(terms, at + number, 0, cell.high)
                for number, cell in enumerate(domain.cells)
            )
            return len(cells), Cells(cells)
        if isinstance(domain, m.PieceDomain):
            option = self._entry(terms, at, 0, max(len(domain.options) - 1, 0))
            return 1, options.piece(terms, domain, option)
        return 1, self._entry(terms, at, *self.value_range(parameter, domain))

    def _entry(self, terms: Terms, at: int, low: int, high: int) -> Expr:
        self._parts.memory.maker.array(PICK, at + 1, low, high)
        entry = terms.memory.reader.item(PICK, ops.const(at))
        return terms.w.let(ops.trusted(entry, low, high, "what was picked"))

    def value_range(self, parameter: m.Parameter, domain: m.ValueDomain) -> tuple[int, int]:
        """The values that a single pick can have."""
        inner = domain.domain
        if isinstance(inner, t.Players):
            return 0, self._model.players - 1
        if isinstance(inner, t.Numbers):
            return interval(inner.low, {})[0], interval(inner.high, {})[1]
        return min(inner.faces), max(inner.faces)
