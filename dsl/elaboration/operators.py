"""Operators: arithmetic, comparisons, `is`, and/or/not, choices and lots written out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from gemwright.dsl.elaboration import folding, values
from gemwright.dsl.elaboration.names import Names, Scope
from gemwright.dsl.elaboration.values import KindRef, Value, Word, ZoneRef, describe, wrap
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.terms import (
    FLAG,
    Base,
    Compare,
    Const,
    IsOut,
    Local,
    Openly,
    PieceFrom,
    Term,
    Type,
    VectorBuild,
    ZoneSize,
)
from gemwright.dsl.source import Span

if TYPE_CHECKING:
    from gemwright.dsl.elaboration.expressions import Expressions

Rule = Callable[[Syntax, Scope], Value | None]


class Operators:
    """Understands operators for `Expressions`."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names = names
        self.expressions = expressions
        self.rules: dict[str, Rule] = {
            "size_of": self._size,
            "negative": self._negative,
            "sum_of": self._sum,
            "product_of": self._product,
            "compare": self._compare,
            "before": self._before,
            "is_": self._is,
            "is_not": self._is_not,
            "any_of": lambda s, scope: self._join(s, scope, folding.either),
            "all_of": lambda s, scope: self._join(s, scope, folding.both),
            "negate": self._negate,
            "implies": self._implies,
            "openly": self._openly,
            "if_else": self._if_else,
            "lot_literal": self._lot_literal,
        }

    def _negate(self, s: Syntax, scope: Scope) -> Term | None:
        term = self.expressions.condition(s.node(0), scope)
        return wrap(term, lambda t: folding.negate(t, s.span))

    def _size(self, s: Syntax, scope: Scope) -> Value | None:
        node = s.nodes()[0]
        found = self.expressions.value(node, scope)
        if found is None:
            return None
        if isinstance(found, ZoneRef):
            vector = values.vector_of(found, self.names)
            if vector is None:
                self.expressions.zone(node, scope)
                return None
            return ZoneSize(
                folding.number_type(0, values.most(vector, self.names)),
                s.span,
                found.zone.id,
                found.index,
            )
        vector = values.vector_of(found, self.names)
        if vector is None:
            self.expressions.error(
                "E003", node.span, f"this is {describe(found)}", "only a zone or a lot has a size"
            )
            return None
        size = folding.vector_sum(vector, s.span)
        if vector.type.low >= 0 and not isinstance(size, Const):
            size = replace(size, type=folding.number_type(0, values.most(vector, self.names)))
        return size

    def _negative(self, s: Syntax, scope: Scope) -> Term | None:
        term = self.expressions.number(s.node(0), scope)
        return wrap(term, lambda t: folding.arithmetic("-", folding.integer(0, s.span), t, s.span))

    def _sum(self, s: Syntax, scope: Scope) -> Value | None:
        first = self.expressions.value(s.node(0), scope)
        for position in range(1, len(s.parts), 2):
            op, node = s.word(position), s.node(position + 1)
            right = self.expressions.value(node, scope)
            if first is None or right is None:
                return None
            first = self._add(op, first, right, s, node)
        return first

    def _add(self, op: str, left: Value, right: Value, s: Syntax, node: Syntax) -> Value | None:
        a, b = values.vector_of(left, self.names), values.vector_of(right, self.names)
        if a is not None and b is not None:
            a, b = folding.aligned(a, b, {})
            return folding.vector_op(op, a, b, s.span)
        x, y = values.number_of(left, self.names), values.number_of(right, self.names)
        if x is None or y is None:
            self.expressions.error(
                "E003",
                s.span,
                f"`{op}` joins {describe(left)} and {describe(right)}",
                "expected two numbers or two lots",
            )
            return None
        if op == "less":
            return folding.extreme(
                "max", [folding.integer(0, s.span), folding.arithmetic("-", x, y, s.span)], s.span
            )
        return folding.arithmetic(op, x, y, s.span)

    def _product(self, s: Syntax, scope: Scope) -> Term | None:
        terms = [self.expressions.number(node, scope) for node in s.nodes()]
        result = terms[0]
        for term in terms[1:]:
            if result is None or term is None:
                return None
            result = folding.arithmetic("*", result, term, s.span)
        return result

    def _compare(self, s: Syntax, scope: Scope) -> Term | None:
        left, right = (
            self.expressions.value(s.node(0), scope),
            self.expressions.value(s.node(2), scope),
        )
        if left is None or right is None:
            return None
        return self.compared(s.word(1), left, right, s)

    def compared(self, op: str, left: Value, right: Value, s: Syntax) -> Term | None:
        """A comparison of two numbers, lots, members, players or yes/no values."""
        x, y = values.number_of(left, self.names), values.number_of(right, self.names)
        if x is not None and y is not None:
            return folding.compare(op, x, y, s.span)
        a, b = values.vector_of(left, self.names), values.vector_of(right, self.names)
        if a is not None and b is not None:
            a, b = folding.aligned(a, b, {})
            if op in ("<=", "=", "!="):
                return folding.vector_compare(op, a, b, s.span)
            if op == ">=":
                return folding.vector_compare("<=", b, a, s.span)
        elif op in ("=", "!="):
            f, g = values.face_of(left), values.face_of(right)
            if f is not None and g is not None:
                return folding.compare(op, f, g, s.span)
            if (
                isinstance(left, Term)
                and isinstance(right, Term)
                and left.type.base is right.type.base
                and left.type.base in (Base.PLAYER, Base.FLAG)
            ):
                return folding.compare(op, left, right, s.span)
        self.expressions.error(
            "E003",
            s.span,
            f"`{op}` compares {describe(left)} with {describe(right)}",
            "compare two numbers, two lots, or test members with `is`",
        )
        return None

    def _before(self, s: Syntax, scope: Scope) -> Term | None:
        left, right = (
            self.expressions.face(s.node(0), scope),
            self.expressions.face(s.node(1), scope),
        )
        return None if left is None or right is None else folding.compare("<", left, right, s.span)

    def _is_not(self, s: Syntax, scope: Scope) -> Term | None:
        found = self._is(s, scope)
        return wrap(found, lambda t: folding.negate(t, s.span))

    def _is(self, s: Syntax, scope: Scope) -> Term | None:
        left, rest = self.expressions.value(s.node(0), scope), s.node(1)
        if left is None:
            return None
        if isinstance(left, Word):
            return self._is_word(left, rest, s)
        if rest.rule in ("is_somebody", "is_nobody"):
            if not isinstance(left, Term) or left.type.base is not Base.PLAYER:
                self.expressions.error(
                    "E003",
                    s.span,
                    f"this is {describe(left)}",
                    "only a `player or nobody` is somebody or nobody",
                )
                return None
            op = "!=" if rest.rule == "is_somebody" else "="
            return Compare(
                FLAG, s.span, op, left, Const(Type(Base.PLAYER, optional=True), s.span, -1)
            )
        if rest.rule == "is_empty":
            size = self._size(
                Syntax("size_of", (s.node(0),), s.span, s.text, s.depth, s.start, s.end), scope
            )
            return wrap(
                size if isinstance(size, Term) else None,
                lambda t: folding.compare("=", t, folding.integer(0, s.span), s.span),
            )
        if rest.rule == "is_out":
            player = self.expressions.player(s.node(0), scope)
            return wrap(player, lambda t: IsOut(FLAG, s.span, t))
        if rest.rule == "is_from":
            return self._is_from(left, rest, s, scope)
        return self._is_value(left, rest.node(0), s, scope)

    def _is_from(self, left: Value, rest: Syntax, s: Syntax, scope: Scope) -> Term | None:
        zone = self.expressions.zone(rest.node(0), scope)
        if zone is None:
            return None
        if not isinstance(left, Local) or left.type.base is not Base.PIECE:
            self.expressions.error(
                "E003", s.span, f"this is {describe(left)}", "only a picked piece is `from` a zone"
            )
            return None
        return PieceFrom(FLAG, s.span, left, zone.zone.id, zone.index)

    def _is_word(self, left: Word, rest: Syntax, s: Syntax) -> Term | None:
        if rest.text not in left.words:
            self.names.unknown(
                rest.text[:40], rest.span, "a value of this option", list(left.words)
            )
            return None
        return folding.flag(left.value == rest.text, s.span)

    def _is_value(self, left: Value, node: Syntax, s: Syntax, scope: Scope) -> Term | None:
        right = self.expressions.value(node, scope)
        if right is None:
            return None
        if isinstance(right, KindRef):
            face = values.face_of(left)
            if face is None:
                self.expressions.error(
                    "E003", s.span, f"this is {describe(left)}", "only a member can be of a kind"
                )
                return None
            inside = {f: int(f in right.info.kind.faces) for f in face.type.faces}
            return values.by_face(inside, face, FLAG, f"is {right.info.kind.name}", s.span)
        return self.compared("=", left, right, s)

    def _join(
        self, s: Syntax, scope: Scope, join: Callable[[list[Term], Span], Term]
    ) -> Term | None:
        terms = [self.expressions.condition(node, scope) for node in s.nodes()]
        known = [term for term in terms if term is not None]
        return join(known, s.span) if len(known) == len(terms) else None

    def _implies(self, s: Syntax, scope: Scope) -> Term | None:
        left, right = (
            self.expressions.condition(s.node(0), scope),
            self.expressions.condition(s.node(1), scope),
        )
        if left is None or right is None:
            return None
        return folding.either([folding.negate(left, s.span), right], s.span)

    def _openly(self, s: Syntax, scope: Scope) -> Term | None:
        term = self.expressions.term(s.node(0), scope)
        return term if term is None or isinstance(term, Const) else Openly(term.type, s.span, term)

    def _if_else(self, s: Syntax, scope: Scope) -> Value | None:
        condition = self.expressions.condition(s.node(1), scope)
        then, otherwise = (
            self.expressions.value(s.node(0), scope),
            self.expressions.value(s.node(2), scope),
        )
        if condition is None or then is None or otherwise is None:
            return None
        value = folding.scalar(condition)
        if value is not None:
            return then if value else otherwise
        pairs = [
            (values.number_of(then, self.names), values.number_of(otherwise, self.names)),
            (values.face_of(then), values.face_of(otherwise)),
        ]
        vectors = (values.vector_of(then, self.names), values.vector_of(otherwise, self.names))
        if vectors[0] is not None and vectors[1] is not None:
            pairs.insert(0, folding.aligned(vectors[0], vectors[1], {}))
        if (
            isinstance(then, Term)
            and isinstance(otherwise, Term)
            and then.type.base is otherwise.type.base
        ):
            pairs.append((then, otherwise))
        for a, b in pairs:
            if a is not None and b is not None:
                return folding.choose(condition, a, b, s.span)
        self.expressions.error(
            "E003",
            s.span,
            f"one side is {describe(then)}, the other {describe(otherwise)}",
            "both sides of `if .. else` must be alike",
        )
        return None

    def _lot_literal(self, s: Syntax, scope: Scope) -> Term | None:
        slot, cells = scope.frame.take(), []
        for quantity in s.nodes():
            amount = self.expressions.number(quantity.node(0), scope)
            face = values.face_of(
                self.expressions.named(quantity.word(1), quantity.span, scope)
                or folding.flag(False, s.span)
            )
            if amount is None or face is None:
                return None
            cells.append((amount, face))
        faces = tuple(sorted({f for _, face in cells for f in face.type.faces}))
        here = Local(Type(Base.FACE, faces=faces), s.span, slot, "cell")
        body: Term = folding.integer(0, s.span)
        for amount, face in cells:
            same = folding.compare("=", here, face, s.span)
            body = folding.arithmetic(
                "+", folding.choose(same, amount, folding.integer(0, s.span), s.span), body, s.span
            )
        return VectorBuild(
            Type(Base.VECTOR, body.type.low, body.type.high, faces), s.span, slot, body
        )
