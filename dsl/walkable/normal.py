"""From terms to normal form: conditions over lots as tests of sums over kinds.

`Normal.node` goes down the Boolean structure; `Normal.sum` collects what is additive; folds over
the kinds of a lot go to `gemwright.dsl.walkable.folds`. What fits nowhere raises `NotWalkable` at
the term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import parts
from gemwright.dsl.walkable import forms as f
from gemwright.dsl.walkable.folds import Folds
from gemwright.dsl.walkable.terms import (
    all_of,
    chosen,
    conjuncts,
    integer,
    negated,
    positive,
    product,
    rebuilt,
)
from gemwright.dsl.walkable.vectors import Lots, NotWalkable, not_a_sum

Fresh = Callable[[], int]
"""Gives a frame slot that nothing uses."""


class Normal:
    """Brings conditions over the lots of one pick into normal form.

    Args:
        lots: the lots that are walked.
        kinds: the kinds of the pick, in order.
        fresh: gives new frame slots.
        nested: makes the plan of a `SomeLot` whose lot is the only one it reads.
        small: whether a form that repeats per element keeps the states of a pass few enough.
    """

    def __init__(
        self,
        lots: Lots,
        kinds: tuple[int, ...],
        fresh: Fresh,
        nested: Callable[[t.SomeLot], f.LotPlan],
        small: Callable[[f.Node], bool],
    ) -> None:
        self.lots = lots
        self.kinds = kinds
        self.fresh = fresh
        self.small = small
        self._nested = nested

    # -- conditions and values

    def node(self, term: t.Term) -> f.Node:
        """The normal form of a condition or number."""
        if isinstance(term, t.Openly):
            return self.node(term.term)
        if not self.lots.read(term) and not isinstance(term, t.And | t.Or | t.Not | t.SomeLot):
            return f.Fixed(term)
        if isinstance(term, t.And):
            return f.AllOf(tuple(self.node(each) for each in term.terms))
        if isinstance(term, t.Or):
            return f.AnyOf(tuple(self.node(each) for each in term.terms))
        if isinstance(term, t.Not):
            return f.Negated(self.node(term.term))
        if isinstance(term, t.SomeLot):
            return self._some_lot(term)
        if isinstance(term, t.Fold) and term.op in ("some", "every"):
            return self.quantifier(term)
        if isinstance(term, t.Compare):
            return self._compare(term)
        if isinstance(term, t.VectorCompare):
            return self._vector_compare(term)
        return self._value(term)

    def _value(self, term: t.Term) -> f.Node:
        if isinstance(term, t.If) and term.type.base is t.Base.FLAG:
            return self._choice(term)
        total = self.sum(term)
        if total is not None:
            return total
        if isinstance(term, t.If):
            return self._choice(term)
        if isinstance(term, t.Fold):
            return self._folds().value(term)
        return self._derived(term)

    def _choice(self, term: t.If) -> f.Choice:
        then, otherwise = self.node(term.then), self.node(term.otherwise)
        return f.Choice(self.node(term.condition), then, otherwise)

    def _some_lot(self, term: t.SomeLot) -> f.Node:
        if self.lots.read(term):
            text = "whether there is some lot here depends on the lot that is being picked"
            raise NotWalkable(term, text, "ask for `some lot` of fixed things only")
        return f.SomeWithin(term.slot, term.within, self._nested(term))

    def _derived(self, term: t.Term) -> f.Node:
        if term.type.base is t.Base.VECTOR:
            raise not_a_sum(term)
        leaves: list[tuple[int, f.Node]] = []

        def change(each: t.Term) -> t.Term:
            if not self.lots.read(each):
                return each
            slot = self.fresh()
            leaves.append((slot, self.node(each)))
            return t.Local(each.type, each.span, slot, "total")

        if isinstance(term, t.VectorIndex) or any(
            isinstance(each, t.Local) and each.slot in self.lots.cells for each in parts(term)
        ):
            raise not_a_sum(term)
        changed: t.Term = rebuilt(term, change)
        return f.Derived(changed, tuple(leaves))

    # -- tests

    def _compare(self, term: t.Compare) -> f.Node:
        left, right = self.sum(term.left), self.sum(term.right)
        if left is None or right is None:
            return self._derived(term)
        return self.test(term.op, left, right)

    def test(self, op: str, left: f.Sum, right: f.Sum) -> f.Node:
        """The comparison of two sums."""
        total = f.Sum(left.parts + _scaled(right, integer(-1)).parts)
        if _groups(total) <= 1:
            return f.Test(op, total)
        slots = (self.fresh(), self.fresh())
        number = t.Type(t.Base.INT, -(1 << 40), 1 << 40)
        sides = [t.Local(number, None, slot, "total") for slot in slots]
        comparison = t.Compare(t.FLAG, None, op, sides[0], sides[1])
        return f.Derived(comparison, ((slots[0], left), (slots[1], right)))

    def _vector_compare(self, term: t.VectorCompare) -> f.Node:
        faces = term.left.type.faces
        left = self.lots.component(term.left, faces)
        right = self.lots.component(term.right, faces)
        op = ">" if term.op == "<=" else "!="
        broken = t.Compare(t.FLAG, term.span, op, left, right)
        found = self.at_least_one(f.Each(faces, chosen(broken, integer(1))))
        return found if term.op == "!=" else f.Negated(found)

    def at_least_one(self, atom: f.Atom) -> f.Node:
        """Whether a count of indicators is 1 or more."""
        minus_one = f.Part((), f.Constant(f.Fixed(integer(-1))))
        return f.Test(">=", f.Sum((f.Part((), atom), minus_one)))

    # -- sums

    def sum(self, term: t.Term) -> f.Sum | None:
        """A number as a sum over kinds, or None."""
        if isinstance(term, t.Openly):
            return self.sum(term.term)
        if not self.lots.read(term):
            return _one(f.Constant(self.node(term)))
        if isinstance(term, t.Arithmetic):
            found = self._arithmetic(term)
            if found is not None:
                return found
        if isinstance(term, t.VectorSum):
            faces = term.vector.type.faces
            return _one(f.Each(faces, self.lots.component(term.vector, faces)))
        if isinstance(term, t.If) and not self.lots.read(term.condition):
            then, otherwise = self.sum(term.then), self.sum(term.otherwise)
            if then is not None and otherwise is not None:
                return _one(f.Chosen(self.node(term.condition), then, otherwise))
        if isinstance(term, t.Fold) and term.op in ("sum", "count"):
            found = self._folds().sum(term)
            if found is not None:
                return found
        cell = self.lots.cell(term)
        return None if cell is None else _one(f.Cell(*cell))

    def _arithmetic(self, term: t.Arithmetic) -> f.Sum | None:
        left, right = self.sum(term.left), self.sum(term.right)
        if left is None or right is None or _groups(left) + _groups(right) > 1:
            return None
        if term.op == "+":
            return f.Sum(left.parts + right.parts)
        if term.op == "-":
            return f.Sum(left.parts + _scaled(right, integer(-1)).parts)
        if not self.lots.read(term.left):
            return _scaled(right, term.left)
        if not self.lots.read(term.right):
            return _scaled(left, term.right)
        return None

    # -- folds over fixed domains

    def quantifier(self, term: t.Fold) -> f.Node:
        """`some` and `every`."""
        if term.op == "every":
            body = None if term.body is None else negated(term.body)
            if body is None:
                return f.Fixed(t.Const(t.FLAG, term.span, 1))
            return f.Negated(self.quantifier(replace(term, op="some", body=body)))
        return self._folds().quantifier(term)

    def unrolled(self, term: t.Fold) -> f.Node:
        """A fold with an instance of its body per element of a domain that reads no lot."""
        if isinstance(term.domain, t.Pieces):
            term = self._as_faces(term, term.domain)
        if self.lots.read(term.domain):
            raise not_a_sum(term)
        kept = None if term.filter is None else self.node(term.filter)
        body = None if term.body is None else self.node(term.body)
        return f.Unrolled(term.op, term.slot, term.domain, kept, body, term.empty)

    def _as_faces(self, term: t.Fold, domain: t.Pieces) -> t.Fold:
        """A fold over pieces as one over faces: elements weigh what lies there."""
        number = t.Type(t.Base.INT, 0, max(domain.vector.type.high, 0))
        face = t.Local(t.Type(t.Base.FACE, faces=domain.faces), term.span, term.slot, "piece")
        weight = t.VectorIndex(number, term.span, domain.vector, face)
        kept = all_of((positive(weight), *conjuncts(term.filter)))
        body, op = term.body, term.op
        if op == "count":
            kept = all_of((kept, *conjuncts(body)))
            body, op = weight, "sum"
        elif op == "sum" and body is not None:
            body = product(weight, body)
        return replace(term, op=op, domain=t.Faces(domain.faces), filter=kept, body=body)

    def repeated(self, term: t.Fold) -> f.Sum | None:
        """`sum` or `count` over a domain of players or numbers as a sum, or None."""
        if isinstance(term.domain, t.Pieces) or self.lots.read(term.domain):
            return None
        if term.filter is not None and self.lots.read(term.filter):
            return None
        inner = None if term.body is None else self.sum(term.body)
        if inner is None or term.op == "count" or _groups(inner):
            return None
        kept = None if term.filter is None else self.node(term.filter)
        return _one(f.Repeated(term.slot, term.domain, kept, inner))

    def amount(self, term: t.Fold) -> t.Term | None:
        """What the kind at hand adds to a `sum` or `count`, if it reads the lot there only."""
        return self._folds().amount(term)

    def _folds(self) -> Folds:
        return Folds(self)


def _one(atom: f.Atom) -> f.Sum:
    return f.Sum((f.Part((), atom),))


def _scaled(total: f.Sum, factor: t.Term) -> f.Sum:
    return f.Sum(tuple(f.Part((factor, *part.factors), part.atom) for part in total.parts))


def _groups(total: f.Sum) -> int:
    """How many groups a sum follows at the same time; one accumulator follows one."""
    found = 0
    for part in total.parts:
        if isinstance(part.atom, f.Grouped):
            found += 1
        elif isinstance(part.atom, f.Chosen):
            found += max(_groups(part.atom.then), _groups(part.atom.otherwise))
    return found
