"""Folds over the kinds of a lot: local ones, mixed ones, pairs, and groups by a column."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import mentions
from gemwright.dsl.walkable import forms as f
from gemwright.dsl.walkable.groups import grouped
from gemwright.dsl.walkable.terms import (
    all_of,
    chosen,
    conjuncts,
    integer,
    key,
    positive,
    product,
    rebuilt,
    renamed,
)
from gemwright.dsl.walkable.vectors import NotWalkable, not_a_sum

if TYPE_CHECKING:
    from gemwright.dsl.walkable.normal import Normal

T = TypeVar("T")

MANY = 64
"""Elements of a domain that may be unrolled."""


class Folds:
    """Classifies the folds of one condition."""

    def __init__(self, normal: Normal) -> None:
        self.normal = normal
        self.lots = normal.lots

    # -- entry points

    def quantifier(self, term: t.Fold) -> f.Node:
        """`some`."""
        body = term.body
        if body is None:
            body = t.Const(t.FLAG, term.span, 1)
        if not isinstance(term.domain, t.Faces | t.Pieces):
            return self._over_fixed(term)
        kept = self._elements(term)[1]
        condition = all_of((*kept, *conjuncts(self._here(term, body))))
        if not self.lots.read(condition):
            faces = term.domain.faces
            return self.normal.at_least_one(f.Each(faces, chosen(condition, integer(1))))
        return self._other_forms(term, condition)

    def _over_fixed(self, term: t.Fold) -> f.Node:
        """A fold over players or numbers."""
        try:
            group = grouped(self.normal, term)
        except NotWalkable as problem:
            return self._instances(term, problem)
        if group is None:
            return self.normal.unrolled(term)
        if term.op == "some":
            return self.normal.at_least_one(group)
        return f.Sum((f.Part((), group),))

    def _other_forms(self, term: t.Fold, condition: t.Term) -> f.Node:
        """Pairs, groups, mixed bodies, and at last an instance per element."""
        try:
            pair = self._pair(term)
            if pair is not None:
                return pair
            group = grouped(self.normal, term)
            if group is not None:
                return self.normal.at_least_one(group)
            return self._mixed(term, "some", (), condition, None)
        except NotWalkable as problem:
            return self._instances(term, problem)

    def sum(self, term: t.Fold) -> f.Sum | None:
        """`sum` or `count` as a sum over kinds, or None."""
        domain = term.domain
        if isinstance(domain, t.Faces | t.Pieces):
            local = self.amount(term)
            if local is not None:
                return f.Sum((f.Part((), f.Each(domain.faces, local)),))
        group = self._group(term)
        if group is not None:
            return f.Sum((f.Part((), group),))
        return None if isinstance(domain, t.Faces | t.Pieces) else self.normal.repeated(term)

    def _group(self, term: t.Fold) -> f.Grouped | None:
        try:
            return grouped(self.normal, term)
        except NotWalkable:
            return None

    def value(self, term: t.Fold) -> f.Node:
        """`sum`, `count`, `max` or `min` that is no sum over kinds."""
        if not isinstance(term.domain, t.Faces | t.Pieces):
            return self._over_fixed(term)
        try:
            grouped(self.normal, term)  # says so if only the order of the kinds is in the way
            weight, kept = self._elements(term)
            if term.op in ("max", "min"):
                assert term.body is not None
                body = self._here(term, term.body)
                return self._mixed(term, term.op, kept, None, body)
            return self._mixed(term, "sum", kept, None, self._weighed(term, weight))
        except NotWalkable as problem:
            return self._instances(term, problem)

    def _instances(self, term: t.Fold, problem: NotWalkable) -> f.Node:
        """An instance of the body per element, if that keeps the states few."""
        domain = term.domain
        if isinstance(domain, t.Faces | t.Pieces) and len(domain.faces) > MANY:
            raise problem
        try:
            node = self.normal.unrolled(term)
        except NotWalkable:
            raise problem from None
        if not self.normal.small(node):
            raise problem
        return node

    # -- the body at the kind at hand

    def _elements(self, term: t.Fold) -> tuple[t.Term, tuple[t.Term, ...]]:
        """The weight of the kind at hand, and the conditions that make it an element."""
        domain = term.domain
        assert isinstance(domain, t.Faces | t.Pieces)
        kept = tuple(self._here(term, each) for each in conjuncts(term.filter))
        if isinstance(domain, t.Faces):
            return integer(1), kept
        weight = self.lots.component(domain.vector, domain.faces)
        return weight, (positive(weight), *kept)

    def _here(self, term: t.Fold, body: t.Term) -> t.Term:
        assert isinstance(term.domain, t.Faces | t.Pieces)
        return self.lots.localised(body, term.slot, term.domain.faces)

    def _weighed(self, term: t.Fold, weight: t.Term) -> t.Term:
        """What an element adds to a `sum` or `count`."""
        if term.body is None:
            return weight
        body = self._here(term, term.body)
        return chosen(body, weight) if term.op == "count" else product(weight, body)

    def amount(self, term: t.Fold) -> t.Term | None:
        """What the kind at hand adds, if that reads the lot there only."""
        weight, kept = self._elements(term)
        amount = chosen(all_of(kept), self._weighed(term, weight))
        return None if self.lots.read(amount) else amount

    # -- mixed

    def _mixed(
        self,
        term: t.Fold,
        op: str,
        kept: tuple[t.Term, ...],
        condition: t.Term | None,
        body: t.Term | None,
    ) -> f.Node:
        conditions = (*kept, *conjuncts(condition))
        gate = [each for each in conditions if not self.lots.read(each)]
        rest = [each for each in conditions if self.lots.read(each)]
        split = _Split(self.normal)
        filter = split.change(all_of(rest)) if rest and op != "some" else None
        if op == "some":
            body = all_of(rest)
        assert body is not None and isinstance(term.domain, t.Faces | t.Pieces)
        changed = split.change(body)
        cap = len(term.domain.faces) if op == "sum" else 1
        return f.Typed(
            op, term.domain.faces, all_of(gate) if gate else None,
            tuple(split.locals), tuple(split.leaves), filter, changed, cap, term.empty,
        )  # fmt: skip

    # -- pairs

    def _pair(self, outer: t.Fold) -> f.Node | None:
        """`some a has some b has (a before b and BODY)` with a body that is symmetric."""
        inner = [each for each in conjuncts(outer.body) if _is_some(each)]
        if not (isinstance(outer.domain, t.Faces) and len(inner) == 1):
            return None
        fold = inner[0]
        assert isinstance(fold, t.Fold)
        if fold.domain != outer.domain or not self.lots.read(fold):
            return None
        first, second = outer.slot, fold.slot
        rest = [each for each in conjuncts(outer.body) if each is not fold]
        rest += [*conjuncts(outer.filter), *conjuncts(fold.filter), *conjuncts(fold.body)]
        ordered = [each for each in rest if _order(each, first, second)]
        body = all_of(each for each in rest if each not in ordered)
        if not ordered:
            return None
        if any(_is_some(each) and self.lots.read(each) for each in conjuncts(body)):
            raise NotWalkable(
                outer, "three members of a kind depend on each other here",
                "compare at most two members of a kind",
            )  # fmt: skip
        return self._paired(outer, fold, body)

    def _paired(self, outer: t.Fold, fold: t.Fold, body: t.Term) -> f.Node:
        assert isinstance(outer.domain, t.Faces)
        faces = outer.domain.faces
        cells = {lot: self.normal.fresh() for lot in self.lots.cells}
        other = self.normal.fresh()
        here = self.lots.localised(body, outer.slot, faces)
        there = self._second(here, fold, faces, cells, other)
        split = _Split(self.normal, (other, *cells.values()))
        changed = split.change(there)
        back = {slot: self.lots.cells[lot] for lot, slot in cells.items()}
        back[other] = self.lots.kind_slot
        return self._symmetric(outer, split, changed, back)

    def _second(
        self, body: t.Term, fold: t.Fold, faces: tuple[int, ...], cells: dict[int, int], other: int
    ) -> t.Term:
        """The body with the second member read from slots of its own."""

        def change(each: t.Term) -> t.Term:
            if isinstance(each, t.Local) and each.slot == fold.slot:
                return replace(self.lots.kind(faces), slot=other)
            if isinstance(each, t.VectorIndex) and self.lots.read(each.vector):
                at = each.face
                if isinstance(at, t.Local) and at.slot == fold.slot:
                    cell = self.lots.component(each.vector, faces)
                    return self.lots.second(cell, cells, other)
            changed: t.Term = rebuilt(each, change)
            return changed

        return change(body)

    def _symmetric(
        self, outer: t.Fold, split: _Split, body: t.Term, back: dict[int, int]
    ) -> f.Node:
        assert isinstance(outer.domain, t.Faces)
        shared: dict[str, tuple[int, int, t.Term]] = {}
        to_first: dict[int, int] = {}
        to_second: dict[int, int] = {}
        for own, found in ((True, split.locals), (False, split.others)):
            for slot, local in found:
                moved = local if own else renamed(local, back)
                first, second, _ = shared.setdefault(
                    key(moved), (self.normal.fresh(), self.normal.fresh(), moved)
                )
                to_first[slot] = first if own else second
                to_second[slot] = second if own else first
        straight, swapped = renamed(body, to_first), renamed(body, to_second)
        if key(straight) != key(swapped):
            raise NotWalkable(
                outer, "the two members that are compared here play different parts",
                "ask the same of both, as in `lot[a] >= 2 and lot[b] >= 2`",
            )  # fmt: skip
        triples = list(shared.values())
        return f.Typed(
            "some", outer.domain.faces, None,
            tuple((first, local) for first, _, local in triples), tuple(split.leaves),
            None, straight, 2, 0, tuple(second for _, second, _ in triples),
        )  # fmt: skip


class _Split:
    """Splits a body into parts at the kind at hand, parts that read totals, and the rest."""

    def __init__(self, normal: Normal, other: tuple[int, ...] = ()) -> None:
        self.normal = normal
        self.other = other
        self.locals: list[tuple[int, t.Term]] = []
        self.others: list[tuple[int, t.Term]] = []
        self.leaves: list[tuple[int, f.Node]] = []

    def change(self, term: t.Term) -> t.Term:
        """The term with slots for what it reads."""
        here, there = self.normal.lots.local(term), mentions(term, self.other)
        reads = self.normal.lots.read(term)
        if not (here or there or reads):
            return term
        if here + there + reads > 1:
            if isinstance(term, t.Fold | t.VectorBuild | t.SomeLot | t.VectorIndex | t.LotVector):
                raise not_a_sum(term)
            found: t.Term = rebuilt(term, self.change)
            return found
        if reads:
            return self._slot(term, self.leaves, self.normal.node(term))
        return self._slot(term, self.locals if here else self.others, term)

    def _slot(self, term: t.Term, known: list[tuple[int, T]], value: T) -> t.Term:
        slot = next((slot for slot, old in known if old == value), -1)
        if slot < 0:
            slot = self.normal.fresh()
            known.append((slot, value))
        return t.Local(term.type, term.span, slot, "part")


def _is_some(term: t.Term) -> bool:
    return isinstance(term, t.Fold) and term.op == "some" and isinstance(term.domain, t.Faces)


def _order(term: t.Term, first: int, second: int) -> bool:
    """Whether a term only says that two members differ, in one order or another."""
    if isinstance(term, t.Not) and isinstance(term.term, t.Compare):
        return term.term.op == "=" and _sides(term.term) == {first, second}
    if not isinstance(term, t.Compare) or term.op not in ("<", ">", "!="):
        return False
    return _sides(term) == {first, second}


def _sides(term: t.Compare) -> set[int]:
    return {each.slot for each in (term.left, term.right) if isinstance(each, t.Local)}
