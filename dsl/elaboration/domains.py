"""Aggregates and what they range over: `count of`, `sum of`, `every`, `for each`, choices of
values.

A domain is understood together with the name it binds. Over pieces the columns of the piece may
be named
alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.elaboration import folding, values
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import KindInfo, Names, Scope
from gemwright.dsl.elaboration.values import Value
from gemwright.dsl.grammar.quantifier_scope import check_scope
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.terms import (
    FLAG,
    PLAYER,
    Base,
    Domain,
    Faces,
    Fold,
    Local,
    Numbers,
    Pieces,
    Players,
    SomeLot,
    Term,
    Type,
    VectorBuild,
)
from gemwright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class Bound:
    """A domain with the slot it fills, the scope inside, and bounds of its size."""

    domain: Domain
    slot: int
    name: str
    inner: Scope
    most: int
    element: Type


class Domains:
    """Understands aggregates against declared names."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names = names
        self.expressions = expressions
        expressions.domains = self

    def value(self, s: Syntax, scope: Scope) -> Value | None:
        """An aggregate."""
        if s.rule in ("fold_sum", "fold_max", "fold_min"):
            return self._fold(s, scope)
        if s.rule == "fold_count":
            return self._count(s, scope)
        if s.rule == "quantify":
            return self._quantify(s, scope)
        if s.rule == "some_lot":
            return self._some_lot(s, scope)
        if s.rule == "vector":
            return self._vector(s, scope)
        if s.rule == "the_in":
            return self._the(s, scope)
        raise AssertionError(f"no meaning for {s.rule}")

    # -- what is ranged over ---------------------------------------------------

    def over(self, s: Syntax, scope: Scope) -> Bound | None:
        """The domain after `over` or `count of`."""
        if s.rule == "over_pieces":
            found = self._kind(s.word(0), s.span)
            return None if found is None else self.pieces(found, s.node(1), None, s.span, scope)
        if s.rule == "over_thing":
            return self.pieces(None, s.node(0), None, s.span, scope)
        return self.binder(s.node(0), scope)

    def binder(self, s: Syntax, scope: Scope) -> Bound | None:
        """`KIND name [in ZONE]`, `player p [clockwise from x]`, `number n in a..b`."""
        if s.rule == "bind_number":
            return self.numbers(s.word(0), s.node(1), s.node(2), s.span, scope)
        word, name = s.word(0), s.word(1)
        if not self.names.binds(name, s.span, scope.local):
            return None
        if word in ("player", "players", "opponent", "opponents"):
            return self._players(word, name, s, scope)
        found = self._kind(word, s.span)
        if found is None:
            return None
        node = s.parts[2]
        if isinstance(node, Syntax) and s.rule == "bind_kind":
            return self.pieces(found, node, name, s.span, scope)
        if s.rule == "bind_clockwise":
            self.expressions.error(
                "E003", s.span, f"only players go clockwise, not `{word}`", "leave `clockwise` out"
            )
            return None
        scope.frame.mention(*found.elements)
        return self._bound(
            Faces(found.kind.faces),
            name,
            Type(Base.FACE, faces=found.kind.faces),
            len(found.kind.faces),
            s.span,
            scope,
        )

    def _players(self, word: str, name: str, s: Syntax, scope: Scope) -> Bound | None:
        other, start = None, None
        if word.startswith("opponent"):
            if scope.me is None:
                self.expressions.error(
                    "E007",
                    s.span,
                    "nobody is choosing here, so there are no opponents",
                    "write `player p`",
                )
                return None
            other = scope.me
        if s.rule == "bind_clockwise":
            node = s.parts[3] if len(s.parts) > 3 else None
            start = self.expressions.player(node, scope) if isinstance(node, Syntax) else None
        elif len(s.parts) > 2 and isinstance(s.parts[2], Syntax):
            self.expressions.error("E003", s.span, "players lie in no zone", "leave `in` out")
            return None
        return self._bound(Players(start, other), name, PLAYER, self.names.players, s.span, scope)

    def numbers(
        self, name: str, low: Syntax, high: Syntax, span: Span, scope: Scope
    ) -> Bound | None:
        """`number name in low..high`."""
        if not self.names.binds(name, span, scope.local):
            return None
        a, b = self.expressions.number(low, scope), self.expressions.number(high, scope)
        if a is None or b is None:
            return None
        type = folding.number_type(a.type.low, b.type.high)
        most = max(0, b.type.high - a.type.low + 1)
        if most > 10_000:
            self.expressions.error(
                "E009", span, f"this ranges over up to {most} numbers", "give narrower bounds"
            )
            return None
        return self._bound(Numbers(a, b), name, type, most, span, scope)

    def pieces(
        self, kind: KindInfo | None, where: Syntax, name: str | None, span: Span, scope: Scope
    ) -> Bound | None:
        """Pieces of a kind in a zone or lot."""
        vector = self.expressions.vector(where, scope)
        if vector is None:
            return None
        faces = vector.type.faces
        if kind is not None:
            scope.frame.mention(*kind.elements)
            wanted = set(kind.kind.faces)
            faces = tuple(f for f in faces if f in wanted)
            if not faces:
                self.expressions.error(
                    "E003",
                    span,
                    f"no `{kind.kind.name}` can lie there",
                    "name a kind that the zone holds",
                )
                return None
        most = values.most(vector, self.names)
        if kind is not None:
            most = min(most, sum(self.names.faces[f].count for f in faces) or most)
        narrowed = folding.widen(vector, faces, vector.span)
        return self._bound(
            Pieces(narrowed, faces), name or "", Type(Base.FACE, faces=faces), most, span, scope
        )

    def _bound(
        self, domain: Domain, name: str, element: Type, most: int, span: Span, scope: Scope
    ) -> Bound:
        slot = scope.frame.take()
        local = Local(element, span, slot, name or "piece")
        inner = scope.bind(name, local) if name else scope
        if isinstance(domain, Pieces):
            inner = inner.at_piece(local)
        return Bound(domain, slot, name, inner, most, element)

    def _kind(self, word: str, span: Span) -> KindInfo | None:
        found = self.names.kind_named(word)
        if found is None:
            kinds = sorted({*self.names.kinds, *self.names.plurals, "player", "opponent"})
            self.names.unknown(word, span, "a kind", kinds)
            return None
        return found[0]

    # -- aggregates ------------------------------------------------------------

    def _fold(self, s: Syntax, scope: Scope) -> Term | None:
        op = s.rule.removeprefix("fold_")
        body_node, over_node = s.nodes()
        bound = self.over(over_node, scope)
        if bound is None:
            return None
        body = self.expressions.number(body_node, bound.inner)
        if body is None:
            return None
        low, high = body.type.low, body.type.high
        if op == "sum":
            type = folding.number_type(min(low, 0) * bound.most, max(high, 0) * bound.most)
        else:
            type = folding.number_type(min(low, 0), max(high, 0))
        return Fold(type, s.span, op, bound.slot, bound.domain, None, body)

    def _count(self, s: Syntax, scope: Scope) -> Term | None:
        nodes = s.nodes()
        bound = self.over(nodes[0], scope)
        if bound is None:
            return None
        condition = self.expressions.condition(nodes[1], bound.inner) if len(nodes) > 1 else None
        if len(nodes) > 1 and condition is None:
            return None
        return Fold(
            folding.number_type(0, bound.most),
            s.span,
            "count",
            bound.slot,
            bound.domain,
            condition,
            None,
        )

    def _quantify(self, s: Syntax, scope: Scope) -> Term | None:
        word = s.word(0)
        bound = self.binder(s.node(1), scope)
        if bound is None:
            return None
        check_scope(s, self.expressions.names.reporter)
        body = self.expressions.condition(s.node(2), bound.inner)
        if body is None:
            return None
        op = "every" if word == "every" else "some"
        found: Term = Fold(FLAG, s.span, op, bound.slot, bound.domain, None, body)
        return folding.negate(found, s.span) if word == "no" else found

    def _some_lot(self, s: Syntax, scope: Scope) -> Term | None:
        name, within = s.word(0), self.expressions.vector(s.node(1), scope)
        if within is None or not self.names.binds(name, s.span, scope.local):
            return None
        slot = scope.frame.take()
        type = Type(Base.VECTOR, 0, max(within.type.high, 0), within.type.faces)
        condition = self.expressions.condition(
            s.node(2), scope.bind(name, Local(type, s.span, slot, name))
        )
        return None if condition is None else SomeLot(FLAG, s.span, slot, within, condition)

    def _vector(self, s: Syntax, scope: Scope) -> Term | None:
        nodes = s.nodes()
        bound = self.binder(nodes[0], scope)
        if bound is None:
            return None
        body = self.expressions.number(nodes[1], bound.inner)
        if body is None:
            return None
        if not isinstance(bound.domain, Faces):
            self.expressions.error(
                "E003",
                s.span,
                "a vector has one number per member of a kind",
                "write `vector over KIND name of ..`",
            )
            return None
        return VectorBuild(
            Type(Base.VECTOR, body.type.low, body.type.high, bound.element.faces),
            s.span,
            bound.slot,
            body,
        )

    def _the(self, s: Syntax, scope: Scope) -> Term | None:
        found = self._kind(s.word(0), s.span)
        bound = None if found is None else self.pieces(found, s.node(1), None, s.span, scope)
        if bound is None:
            return None
        piece = Local(bound.element, s.span, bound.slot, "piece")
        return Fold(bound.element, s.span, "max", bound.slot, bound.domain, None, piece, -1)

    # -- a value to draw or to pick --------------------------------------------

    def simple(self, word: str, span: Span, scope: Scope) -> tuple[Domain, Type] | None:
        """`player`, `opponent` or the members of a kind, as a domain to pick or to draw from."""
        if word == "player":
            return Players(), PLAYER
        if word == "opponent":
            if scope.me is None:
                self.expressions.error(
                    "E007",
                    span,
                    "nobody is choosing here, so there are no opponents",
                    "write `player`",
                )
                return None
            return Players(None, scope.me), PLAYER
        found = self._kind(word, span)
        if found is None:
            return None
        scope.frame.mention(*found.elements)
        return Faces(found.kind.faces), Type(Base.FACE, faces=found.kind.faces)
