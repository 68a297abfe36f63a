"""What the lines of `where` ask of a pick, as far as it can steer the walk instead of testing it.

A line in normal form (`gemwright.dsl.walkable_forms`) becomes limits on sums over the cells of
lots, and filters that look at one kind. What is neither stays a test of the whole line, made when
everything that it reads is picked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from gemwright.dsl import terms as t
from gemwright.dsl import walkable_forms as f
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Const, Expr, Stmt, Var
from gemwright.interpreter.compiled.lower.linear import linear
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.terms import Terms

_FLIPPED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


@dataclass(frozen=True, slots=True)
class Gain:
    """What one kind adds to a sum: `factors` per lot times its count, or any function of it.

    `opaque` reads the placeholders of the lots in `lots`.
    """

    kind: int
    factors: tuple[tuple[int, Expr], ...] = ()
    opaque: Expr | None = None
    lots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """`low <= constant + all gains <= high`; None for no bound."""

    low: int | None
    high: int | None
    constant: Expr
    gains: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that reads the placeholders of `lots`, which stand for counts of one kind."""

    kind: int
    lots: tuple[int, ...]
    condition: Expr


@dataclass(slots=True)
class Asked:
    """What lines ask. `whole` says of each line whether its test can be left out."""

    limits: list[Limit] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    fixed: list[Expr] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)


class _Opaque(Exception):
    """A part that only the whole test can decide."""


class Analysis:
    """Analyses lines once all single picks that they read are made.

    Args:
        placeholders: per lot a variable that stands for its count of the kind at hand.
        scope: the frame; what is written while lines are analysed stands before the walk of lots.
    """

    def __init__(
        self, terms: Terms, plan: f.LotPlan, placeholders: Sequence[Var], scope: Scope
    ) -> None:
        self._terms = terms
        self._plan = plan
        self._vars = placeholders
        self._names = frozenset(each.name for each in placeholders)
        self._scope = scope
        self._kinds = {face: kind for kind, face in enumerate(plan.kinds)}

    def lines(self, nodes: Sequence[f.Node | None]) -> Asked:
        """Analyse lines; None for one that has no normal form or reads later picks."""
        asked = Asked()
        for node in nodes:
            asked.whole.append(node is not None and self._line(node, asked, True))
        return asked

    def _line(self, node: f.Node, asked: Asked, holds: bool) -> bool:
        if isinstance(node, f.Negated):
            return self._line(node.node, asked, not holds)
        if isinstance(node, f.AllOf if holds else f.AnyOf):
            return all([self._line(each, asked, holds) for each in node.nodes])
        if not isinstance(node, f.Test):
            return False
        before = self._terms.w.fails
        with self._terms.w.block() as body:
            try:
                found = self._test(node, holds)
            except _Opaque:
                found = None
        if found is None or self._terms.w.fails > before:
            self._terms.w.fails = before
            return False
        self._terms.w.extend(body)
        if isinstance(found, Limit):
            asked.limits.append(found)
        else:
            asked.filters.extend(each for each in found if each.lots)
            asked.fixed.extend(each.condition for each in found if not each.lots)
        return True

    def _test(self, node: f.Test, holds: bool) -> Limit | list[Filter] | None:
        op = node.op if holds else _FLIPPED[node.op]
        local = _indicator(node.sum)
        if local is not None and op == "<":
            return [self._filter(face, local[1]) for face in local[0].faces]
        if op == "!=":
            return None
        low, high = _limits(op)
        constant, gains = self._sum(node.sum, ops.TRUE)
        constant = self._terms.w.let(constant)
        return Limit(low, high, constant, tuple(gains))

    # -- filters

    def _filter(self, face: int, violated: t.Term) -> Filter:
        """No pick may have the condition at this face."""
        kind = self._kinds.get(face)
        condition, lots = self._local(violated, ops.const(face), kind)
        return Filter(-1 if kind is None else kind, lots, ops.negate(condition))

    # -- sums

    def _sum(self, total: f.Sum, factor: Expr) -> tuple[Expr, list[Gain]]:
        constant: Expr = ops.FALSE
        gains: list[Gain] = []
        for part in total.parts:
            here = factor
            for each in part.factors:
                here = ops.mul(here, self._terms.value(each, self._scope))
            more, found = self._atom(part.atom, self._terms.w.let(here))
            constant = ops.add(constant, more)
            gains.extend(found)
        return constant, gains

    def _atom(self, atom: f.Atom, factor: Expr) -> tuple[Expr, list[Gain]]:
        if isinstance(atom, f.Constant):
            if not isinstance(atom.node, f.Fixed):
                raise _Opaque
            return ops.mul(factor, self._terms.value(atom.node.term, self._scope)), []
        if isinstance(atom, f.Each):
            return self._added(self._at(face, atom.local, factor) for face in atom.faces)
        if isinstance(atom, f.Cell):
            return self._cell(atom, factor)
        if isinstance(atom, f.Chosen):
            return self._chosen(atom, factor)
        raise _Opaque

    def _added(
        self, parts: Iterator[tuple[Expr, list[Gain]]]
    ) -> tuple[Expr, list[Gain]]:
        constant: Expr = ops.FALSE
        gains: list[Gain] = []
        for more, found in parts:
            constant = ops.add(constant, more)
            gains.extend(found)
        return constant, gains

    def _chosen(self, atom: f.Chosen, factor: Expr) -> tuple[Expr, list[Gain]]:
        if not isinstance(atom.condition, f.Fixed):
            raise _Opaque
        holds = self._terms.kept(atom.condition.term, self._scope)
        then = ops.select(holds, factor, ops.FALSE)
        otherwise = ops.select(holds, ops.FALSE, factor)
        sides = ((atom.then, then), (atom.otherwise, otherwise))
        return self._added(
            self._sum(each, self._terms.w.let(by)) for each, by in sides if by != ops.FALSE
        )

    def _cell(self, atom: f.Cell, factor: Expr) -> tuple[Expr, list[Gain]]:
        """One kind, which may be known only now: every kind then counts if it is the one."""
        face = self._terms.kept(atom.face, self._scope)
        number = ops.known(face)
        if number is not None:
            return self._at(number, atom.local, factor)
        parts: list[tuple[Expr, list[Gain]]] = []
        possible = [each for each in atom.face.type.faces or range(face.low, face.high + 1)]
        for each in possible:
            by = self._terms.w.let(ops.mul(factor, ops.equal(face, ops.const(each))))
            parts.append(self._at(each, atom.local, by))
        return self._added(iter(parts))

    def _at(self, face: int, local: t.Term, factor: Expr) -> tuple[Expr, list[Gain]]:
        """What a local term at a face adds."""
        kind = self._kinds.get(face)
        value, lots = self._local(local, ops.const(face), kind)
        value = ops.mul(factor, value)
        if kind is None or not lots:
            return value, []
        form = linear(value, self._names)
        if form is None:
            return ops.FALSE, [Gain(kind, (), value, lots)]
        factors = []
        for lot in lots:
            by = self._terms.w.let(form.factors.get(self._vars[lot].name, ops.FALSE))
            if by != ops.FALSE:
                factors.append((lot, by))
        return form.constant, [Gain(kind, tuple(factors))] if factors else []

    def _local(self, term: t.Term, face: Expr, kind: int | None) -> tuple[Expr, tuple[int, ...]]:
        """A term at a face over the placeholders, and the lots whose placeholders it reads.

        At a face that is no kind nothing is picked.
        """
        scope = self._scope.bind(self._plan.kind_slot, face)
        for lot, var in zip(self._plan.lots, self._vars, strict=True):
            high = dict(lot.highs).get(face.low, 0)
            cell: Expr = Var(0, min(high, var.high), var.name) if high else ops.FALSE
            scope = scope.bind(lot.cell_slot, ops.FALSE if kind is None else cell)
        with self._terms.w.block() as body:
            value = self._terms.value(term, scope)
        if any(self._names & _mentioned(each) for each in body):
            raise _Opaque
        self._terms.w.extend(body)
        read = ops.reads(value)
        return value, tuple(lot for lot, var in enumerate(self._vars) if var.name in read)


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


def _limits(op: str) -> tuple[int | None, int | None]:
    """What `total op 0` says of the total."""
    if op in (">", ">="):
        return int(op == ">"), None
    if op in ("<", "<="):
        return None, -int(op == "<")
    return 0, 0


def _mentioned(statement: Stmt) -> set[str]:
    """The names of all variables in a statement, however deep."""
    from gemwright.interpreter.compiled.flat.visit import names_in

    return names_in(statement)


def instance(expr: Expr, values: dict[str, Expr], terms: Terms) -> Expr:
    """An expression over placeholders with values in their place."""

    def change(each: Expr) -> Expr:
        if isinstance(each, Var):
            return values.get(each.name, each)
        return each if isinstance(each, Const) else ops.rebuilt(each, change, terms.w.reader)

    return change(expr)
