"""What the lines of `where` ask of a pick, as far as it can steer the walk instead of testing it.

A line in normal form (`gemwright.dsl.walkable.forms`) becomes limits on sums over the cells of
lots, and filters that look at one kind. What is neither stays a test of the whole line, made when
everything that it reads is picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Const, Expr, Var
from gemwright.interpreter.compiled.flat.visit import names_in
from gemwright.interpreter.compiled.lower import folds
from gemwright.interpreter.compiled.lower.limits import Asked, Filter, Gain, Limit, limits_of
from gemwright.interpreter.compiled.lower.linear import linear
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.sums import Group
from gemwright.interpreter.compiled.lower.terms import Terms

Shown = tuple[list[tuple[int, Expr, tuple[Expr, ...]]], list[tuple[Expr, tuple[Expr, ...]]]]
"""(kind, gate, locals) of each kind, and (gate, locals) of faces that are no kinds."""

_FLIPPED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


class Opaque(Exception):
    """A part that cannot steer the walk; only the whole test can decide it."""


Gained = tuple[int, tuple[int, ...], Expr]
"""What a kind adds: its number, the lots whose placeholders are read, and the value."""


@dataclass(slots=True)
class Total:
    """A sum taken apart: a constant, what kinds add, and groups of kinds."""

    constant: Expr = ops.FALSE
    gained: list[Gained] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    def add(self, other: Total) -> None:
        """Add another sum."""
        self.constant = ops.add(self.constant, other.constant)
        self.gained += other.gained
        self.groups += other.groups


class Analysis:
    """Analyses lines once all single picks that they read are made.

    Args:
        placeholders: per lot a variable that stands for its count of the kind at hand.
        scope: the frame; what is written while lines are analysed stands before the walk of lots.
    """

    def __init__(
        self, terms: Terms, plan: f.LotPlan, placeholders: Sequence[Var], scope: Scope
    ) -> None:
        self.terms = terms
        self._plan = plan
        self._vars = placeholders
        self._names = frozenset(each.name for each in placeholders)
        self._scope = scope
        self._kinds = {face: kind for kind, face in enumerate(plan.kinds)}

    @property
    def placeholder(self) -> Var:
        """The placeholder of the only lot."""
        return self._vars[0]

    def lines(self, nodes: Sequence[f.Node | None]) -> Asked:
        """Analyse lines; None for one that has no normal form or reads later picks."""
        asked = Asked()
        for node in nodes:
            before = len(asked.limits)
            whole = node is not None and self._line(node, asked, True)
            asked.whole.append(whole)
            asked.local.append(whole and len(asked.limits) == before)
        return asked

    def _line(self, node: f.Node, asked: Asked, holds: bool) -> bool:
        if isinstance(node, f.Negated):
            return self._line(node.node, asked, not holds)
        if isinstance(node, f.AllOf if holds else f.AnyOf):
            return all([self._line(each, asked, holds) for each in node.nodes])
        if not isinstance(node, f.Test | f.Fixed):
            return False
        before = self.terms.w.fails
        with self.terms.w.block(goes_on=True) as body:
            try:
                found = self._asked(node, holds)
            except Opaque:
                found = None
        if found is None or self.terms.w.fails > before:
            self.terms.w.fails = before
            return False
        self.terms.w.extend(body)
        if isinstance(found, Limit):
            asked.limits.append(found)
        else:
            asked.filters.extend(each for each in found if each.lots)
            asked.fixed.extend(each.condition for each in found if not each.lots)
        return True

    def _asked(self, node: f.Test | f.Fixed, holds: bool) -> Limit | list[Filter] | None:
        if isinstance(node, f.Fixed):
            condition = self.terms.kept(node.term, self._scope)
            return [Filter(-1, (), condition if holds else ops.negate(condition))]
        op = node.op if holds else _FLIPPED[node.op]
        local = _indicator(node.sum)
        if local is not None and op == "<":
            return [self._filter(face, local[1]) for face in local[0].faces]
        if op == "!=":
            return None
        low, high = limits_of(op)
        total = self._sum(node.sum, ops.TRUE, self._scope)
        if total.groups:
            raise Opaque
        gains = []
        for each in total.gained:
            constant, gain = self._gain(each)
            total.constant = ops.add(total.constant, constant)
            gains += gain
        return Limit(low, high, self.terms.w.let(total.constant), tuple(gains))

    def _gain(self, gained: Gained) -> tuple[Expr, list[Gain]]:
        """What a kind adds as factors of the counts of lots, if it is so."""
        kind, lots, value = gained
        form = linear(value, self._names)
        if form is None:
            return ops.FALSE, [Gain(kind, (), value, lots)]
        factors = []
        for lot in lots:
            by = self.terms.w.let(form.factors.get(self._vars[lot].name, ops.FALSE))
            if by != ops.FALSE:
                factors.append((lot, by))
        return form.constant, [Gain(kind, tuple(factors))] if factors else []

    # -- filters

    def _filter(self, face: int, violated: t.Term) -> Filter:
        """No pick may have the condition at this face."""
        kind = self._kinds.get(face)
        condition, lots = self.local(violated, face, self._scope)
        return Filter(-1 if kind is None else kind, lots, ops.negate(condition))

    # -- sums

    def total(self, total: f.Sum, scope: Scope) -> tuple[Expr, list[tuple[int, Expr]], list[Group]]:
        """A sum over one lot: constant, gains by kind, groups."""
        found = self._sum(total, ops.TRUE, scope)
        return found.constant, [(kind, value) for kind, _, value in found.gained], found.groups

    def _sum(self, total: f.Sum, factor: Expr, scope: Scope) -> Total:
        found = Total()
        for part in total.parts:
            here = factor
            for each in part.factors:
                here = ops.mul(here, self.terms.value(each, scope))
            if here != ops.FALSE:
                found.add(self._atom(part.atom, self.terms.w.let(here), scope))
        return found

    def _atom(self, atom: f.Atom, factor: Expr, scope: Scope) -> Total:
        if isinstance(atom, f.Constant):
            if not isinstance(atom.node, f.Fixed):
                raise Opaque
            return Total(ops.mul(factor, self.terms.value(atom.node.term, scope)))
        if isinstance(atom, f.Each):
            found = Total()
            for face in atom.faces:
                found.add(self._at(face, atom.local, factor, scope))
            return found
        if isinstance(atom, f.Cell):
            return self._cell(atom, factor, scope)
        if isinstance(atom, f.Chosen):
            return self._chosen(atom, factor, scope)
        if isinstance(atom, f.Repeated):
            return self._repeated(atom, factor, scope)
        return self._grouped(atom, factor, scope)

    def _chosen(self, atom: f.Chosen, factor: Expr, scope: Scope) -> Total:
        if not isinstance(atom.condition, f.Fixed):
            raise Opaque
        holds = self.terms.kept(atom.condition.term, scope)
        found = Total()
        for each, by in (
            (atom.then, ops.select(holds, factor, ops.FALSE)),
            (atom.otherwise, ops.select(holds, ops.FALSE, factor)),
        ):
            if by != ops.FALSE:
                found.add(self._sum(each, self.terms.w.let(by), scope))
        return found

    def _repeated(self, atom: f.Repeated, factor: Expr, scope: Scope) -> Total:
        elements = folds.short(self.terms, atom.domain, scope)
        if elements is None or not (atom.filter is None or isinstance(atom.filter, f.Fixed)):
            raise Opaque
        found = Total()
        for element, there in elements:
            inner = scope.bind(atom.slot, element)
            kept = there
            if isinstance(atom.filter, f.Fixed):
                kept = ops.both(there, self.terms.value(atom.filter.term, inner))
            by = self.terms.w.let(ops.select(kept, factor, ops.FALSE))
            if by != ops.FALSE:
                found.add(self._sum(atom.sum, by, inner))
        return found

    def _cell(self, atom: f.Cell, factor: Expr, scope: Scope) -> Total:
        """One kind, which may be known only now: every kind then counts if it is the one."""
        face = self.terms.kept(atom.face, scope)
        number = ops.known(face)
        if number is not None:
            return self._at(number, atom.local, factor, scope)
        found = Total()
        for each in atom.face.type.faces or range(face.low, face.high + 1):
            by = self.terms.w.let(ops.mul(factor, ops.equal(face, ops.const(each))))
            found.add(self._at(each, atom.local, by, scope))
        return found

    def _at(self, face: int, local: t.Term, factor: Expr, scope: Scope) -> Total:
        """What a local term at a face adds."""
        value, lots = self.local(local, face, scope)
        value = ops.mul(factor, value)
        if face not in self._kinds or not lots or value == ops.FALSE:
            return Total(value)
        return Total(ops.FALSE, [(self._kinds[face], lots, value)])

    def _grouped(self, atom: f.Grouped, factor: Expr, scope: Scope) -> Total:
        found = Total()
        for member in atom.members:
            inner = scope.bind(atom.slot, ops.const(member.value))
            base: Expr = ops.FALSE
            gains: list[tuple[int, Expr]] = []
            for face in member.faces:
                value, lots = self.local(atom.local, face, inner)
                if lots:
                    gains.append((self._kinds[face], value))
                else:
                    base = ops.add(base, value)
            found.add(self._group(atom, factor, inner, self.terms.w.let(base), gains))
        return found

    def _group(
        self,
        atom: f.Grouped,
        factor: Expr,
        scope: Scope,
        base: Expr,
        gains: list[tuple[int, Expr]],
    ) -> Total:
        low = sum(min(gain.low, 0) for _, gain in gains)
        count = Var(low, sum(max(gain.high, 0) for _, gain in gains), "?group")
        inner = scope.bind(atom.count_slot, ops.add(base, count))
        with self.terms.w.block() as body:
            worth = ops.mul(factor, self.terms.value(atom.body, inner))
        if any(count.name in names_in(each) for each in body) or low < 0:
            raise Opaque
        self.terms.w.extend(body)
        if not gains:
            return Total(instance(worth, {count.name: ops.FALSE}, self.terms))
        return Total(ops.FALSE, [], [Group(tuple(gains), count, worth)])

    # -- one kind

    def local(self, term: t.Term, face: int, scope: Scope) -> tuple[Expr, tuple[int, ...]]:
        """A term at a face over the placeholders, and the lots whose placeholders it reads.

        At a face that is no kind nothing is picked.
        """
        scope = scope.bind(self._plan.kind_slot, ops.const(face))
        for lot, var in zip(self._plan.lots, self._vars, strict=True):
            high = min(dict(lot.highs).get(face, 0), var.high)
            cell: Expr = Var(0, high, var.name) if high else ops.FALSE
            scope = scope.bind(lot.cell_slot, cell if face in self._kinds else ops.FALSE)
        with self.terms.w.block(goes_on=True) as body:
            value = self.terms.value(term, scope)
        if any(self._names & names_in(each) for each in body):
            raise Opaque
        self.terms.w.extend(body)
        read = ops.reads(value)
        return value, tuple(lot for lot, var in enumerate(self._vars) if var.name in read)

    def types(self, node: f.Typed, scope: Scope) -> tuple[list[tuple[int, int]], Shown]:
        """The ranges of the locals of a type, and what each kind shows."""
        kinds: list[tuple[int, Expr, tuple[Expr, ...]]] = []
        apart: list[tuple[Expr, tuple[Expr, ...]]] = []
        for face in node.faces:
            gate = ops.TRUE if node.gate is None else self.local(node.gate, face, scope)[0]
            locals = tuple(self.local(each, face, scope)[0] for _, each in node.locals)
            if face in self._kinds:
                kinds.append((self._kinds[face], gate, locals))
            else:
                apart.append((gate, locals))
        shown = [locals for _, _, locals in kinds] + [locals for _, locals in apart]
        ranges = [
            (min(each.low for each in column), max(each.high for each in column))
            for column in zip(*shown, strict=True)
        ]
        return ranges, (kinds, apart)


def _indicator(total: f.Sum) -> tuple[f.Each, t.Term] | None:
    """`count of faces with C` against 1, as (faces, C)."""
    if len(total.parts) != 2 or any(part.factors for part in total.parts):
        return None
    each, minus = (part.atom for part in total.parts)
    if not isinstance(each, f.Each) or not isinstance(minus, f.Constant):
        return None
    if not (isinstance(minus.node, f.Fixed) and isinstance(minus.node.term, t.Const)):
        return None
    one, local = minus.node.term.value == -1, each.local
    if not one or not isinstance(local, t.If):
        return None
    sides = (local.then, local.otherwise)
    good = all(isinstance(side, t.Const) and side.value == 1 - n for n, side in enumerate(sides))
    return (each, local.condition) if good else None


def instance(expr: Expr, values: dict[str, Expr], terms: Terms) -> Expr:
    """An expression over placeholders with values in their place."""

    def change(each: Expr) -> Expr:
        if isinstance(each, Var):
            return values.get(each.name, each)
        return each if isinstance(each, Const) else ops.rebuilt(each, change, terms.w.reader)

    return change(expr)
