"""Expressions: syntax nodes -> typed terms, with options folded and defines inlined.

Both sides of a choice that an option decides are understood and checked; only the live one is kept.
Aggregates over domains stand in `gemwright.dsl.domains`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from gemwright.dsl import folding, values
from gemwright.dsl.names import Define, Names, Scope
from gemwright.dsl.source import Span
from gemwright.dsl.syntax import Syntax
from gemwright.dsl.terms import (
    FLAG,
    PLAYER,
    Base,
    Compare,
    Const,
    IsOut,
    Local,
    Openly,
    PieceFrom,
    ReadVariable,
    Table,
    Term,
    Type,
    VectorBuild,
    ZoneCount,
    ZoneSize,
    ZoneTop,
)
from gemwright.dsl.values import KindRef, Value, Word, ZoneRef, describe

if TYPE_CHECKING:
    from gemwright.dsl.domains import Domains

WORK = 300_000
"""How many nodes one game may have after inlining."""


class Expressions:
    """Understands expressions against declared names."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.domains: Domains | None = None
        self._work = 0
        self._rules: dict[str, Callable[[Syntax, Scope], Value | None]] = {
            "number": lambda s, _: folding.integer(int(s.word(0)), s.span),
            "true": lambda s, _: folding.flag(True, s.span),
            "false": lambda s, _: folding.flag(False, s.span),
            "expression": lambda s, scope: self.value(s.node(0), scope),
            "name": lambda s, scope: self.named(s.word(0), s.span, scope),
            "my": self._my,
            "index": self._index,
            "column": self._column,
            "call": self._call,
            "top_of": self._top,
            "size_of": self._size,
            "left_of": lambda s, scope: self._neighbour(s, scope, 1),
            "right_of": lambda s, scope: self._neighbour(s, scope, -1),
            "name_of": self._name_of,
            "negative": self._negative,
            "sum_of": self._sum,
            "product_of": self._product,
            "compare": self._compare,
            "before": self._before,
            "is_": lambda s, scope: self._is(s, scope),
            "is_not": self._is_not,
            "any_of": lambda s, scope: self._join(s, scope, folding.either),
            "all_of": lambda s, scope: self._join(s, scope, folding.both),
            "negate": lambda s, scope: self._wrap(
                self.condition(s.node(0), scope), lambda t: folding.negate(t, s.span)
            ),
            "implies": self._implies,
            "openly": self._openly,
            "if_else": self._if_else,
            "lot_literal": self._lot_literal,
        }

    # -- entry points: a value of a wanted kind, or None after a report --------

    def value(self, syntax: Syntax, scope: Scope) -> Value | None:
        """Any value; None after a report."""
        self._work += 1
        if self._work == WORK:
            self.error(
                "E009",
                syntax.span,
                "the expressions of this file are too large once `define`s are put in",
                "simplify them",
            )
        if self._work >= WORK:
            return None
        rule = self._rules.get(syntax.rule)
        if rule is not None:
            return rule(syntax, scope)
        assert self.domains is not None
        return self.domains.value(syntax, scope)

    def term(self, syntax: Syntax, scope: Scope) -> Term | None:
        """A term: a zone becomes its contents."""
        found = self.value(syntax, scope)
        if found is None or isinstance(found, Term):
            return found
        vector = values.vector_of(found, self.names)
        if vector is None:
            self.error("E003", syntax.span, f"this is {describe(found)}", "expected a value")
        return vector

    def number(self, syntax: Syntax, scope: Scope) -> Term | None:
        """A number."""
        return self._wanted(syntax, scope, lambda v: values.number_of(v, self.names), "a number")

    def condition(self, syntax: Syntax, scope: Scope) -> Term | None:
        """A yes/no."""
        return self._wanted(
            syntax,
            scope,
            lambda v: v if isinstance(v, Term) and v.type.base is Base.FLAG else None,
            "a condition",
        )

    def player(self, syntax: Syntax, scope: Scope, optional: bool = False) -> Term | None:
        """A player."""
        found = self._wanted(
            syntax,
            scope,
            lambda v: v if isinstance(v, Term) and v.type.base is Base.PLAYER else None,
            "a player",
        )
        if found is not None and found.type.optional and not optional:
            found = replace(found, type=PLAYER)
        return found

    def vector(self, syntax: Syntax, scope: Scope) -> Term | None:
        """A lot or the contents of a zone."""
        return self._wanted(
            syntax, scope, lambda v: values.vector_of(v, self.names), "a lot or a zone"
        )

    def face(self, syntax: Syntax, scope: Scope) -> Term | None:
        """A member of a kind."""
        return self._wanted(syntax, scope, values.face_of, "a member of a kind")

    def zone(self, syntax: Syntax, scope: Scope) -> ZoneRef | None:
        """One zone instance."""
        found = self.value(syntax, scope)
        if found is None:
            return None
        if not isinstance(found, ZoneRef):
            self.error("E003", syntax.span, f"this is {describe(found)}", "expected a zone")
            return None
        if found.zone.index and found.index is None:
            self.error(
                "E003",
                syntax.span,
                f"there is one `{found.zone.name}` per {found.zone.index}",
                f"say which: `{found.zone.name}[..]` or `my {found.zone.name}`",
            )
            return None
        return found

    def error(self, code: str, span: Span, message: str, help: str = "") -> None:
        """Report an error."""
        self.names.reporter.error(code, span, message, help)

    def _wanted(
        self, syntax: Syntax, scope: Scope, convert: Callable[[Value], Term | None], what: str
    ) -> Term | None:
        found = self.value(syntax, scope)
        if found is None:
            return None
        term = convert(found)
        if term is None:
            self.error("E003", syntax.span, f"this is {describe(found)}", f"expected {what}")
        return term

    @staticmethod
    def _wrap(term: Term | None, make: Callable[[Term], Term]) -> Term | None:
        return None if term is None else make(term)

    # -- names -----------------------------------------------------------------

    def named(self, word: str, span: Span, scope: Scope) -> Value | None:
        """What a name stands for."""
        names, frame = self.names, scope.frame
        if word in scope.local:
            return scope.local[word]
        if word == "me":
            return self._me(span, scope)
        if word == "players":
            return folding.integer(names.players, span)
        if scope.piece is not None and any(
            word in names.kinds[names.faces[f].kind].columns for f in scope.piece.type.faces
        ):
            return self.column_of(scope.piece, word, span, scope)
        if word == "nobody":
            return Const(Type(Base.PLAYER, optional=True), span, -1)
        if word in names.options:
            option = names.options[word]
            frame.mention(option.element)
            if isinstance(option.value, bool):
                return folding.flag(option.value, span)
            if isinstance(option.value, int):
                return folding.integer(option.value, span)
            return Word(option.value, option.words, span)
        if word in names.variables:
            variable = names.variables[word]
            frame.mention(variable.element)
            if not variable.index:
                return ReadVariable(variable.type, span, variable.id, None)
            if scope.implicit and variable.index == "player" and scope.me is not None:
                return ReadVariable(variable.type, span, variable.id, scope.me)
            return self._whole(variable.id, word, span, frame)
        if word in names.zones:
            zone = names.zones[word]
            frame.mention(zone.element)
            implied = scope.implicit and zone.index == "player"
            return ZoneRef(zone, scope.me if implied else None, span)
        if word in names.members:
            face = names.members[word]
            frame.mention(names.kinds[names.faces[face].kind].element)
            return Const(Type(Base.FACE, faces=(face,)), span, face)
        if word in names.defines:
            return self._define(word, names.defines[word], (), span, scope)
        found = names.kind_named(word)
        if found is not None:
            frame.mention(found[0].element)
            return KindRef(found[0], span)
        names.unknown(word, span, "known here", sorted({*names.everything(), *scope.local}))
        return None

    def _whole(self, variable: int, word: str, span: Span, frame: object) -> Value | None:
        found = self.names.variables[word]
        if found.index == "player" or found.type.base is not Base.INT:
            self.error(
                "E003", span, f"there is one `{word}` per {found.index}", f"say which: `{word}[..]`"
            )
            return None
        assert hasattr(frame, "take")
        slot: int = frame.take()
        faces = self.names.kinds[found.index].kind.faces
        face = Local(Type(Base.FACE, faces=faces), span, slot, "cell")
        place = values.position_in(found.index, face, self.names)
        type = Type(Base.VECTOR, found.type.low, found.type.high, faces)
        return VectorBuild(type, span, slot, ReadVariable(found.type, span, variable, place))

    def _me(self, span: Span, scope: Scope) -> Term | None:
        if scope.me is None:
            self.error(
                "E007",
                span,
                "nobody is choosing here, so there is no `me`",
                "name the player, or give the define a parameter",
            )
        return scope.me

    def _my(self, s: Syntax, scope: Scope) -> Value | None:
        me = self._me(s.span, scope)
        word = s.word(0)
        if me is None:
            return None
        if word in self.names.defines:
            return self._define(word, self.names.defines[word], (me,), s.span, scope)
        variable = self.names.variables.get(word)
        if variable is not None and variable.index == "player":
            scope.frame.mention(variable.element)
            return ReadVariable(variable.type, s.span, variable.id, me)
        if not self._per_player(word):
            known = [name for name in self.names.everything() if self._per_player(name)]
            self.names.unknown(word, s.span, "kept per player", known)
            return None
        zone = self.names.zones[word]
        scope.frame.mention(zone.element)
        return ZoneRef(zone, me, s.span)

    def _per_player(self, word: str) -> bool:
        zone, variable = self.names.zones.get(word), self.names.variables.get(word)
        return (zone is not None and zone.index == "player") or (
            variable is not None and variable.index == "player"
        )

    def _index(self, s: Syntax, scope: Scope) -> Value | None:
        base, by = s.node(0), s.node(1)
        index = self.value(by, scope)
        variable = None
        if base.rule == "name" and base.word(0) not in scope.local:
            variable = self.names.variables.get(base.word(0))
        if index is None:
            return None
        if variable is not None and variable.index:
            scope.frame.mention(variable.element)
            place = values.position_in(variable.index, index, self.names)
            if place is None:
                self.error(
                    "E003",
                    by.span,
                    f"`{variable.name}` is kept per {variable.index}, and this is "
                    f"{describe(index)}",
                    f"expected a {variable.index}",
                )
                return None
            return ReadVariable(variable.type, s.span, variable.id, place)
        found = self.value(base, replace(scope, implicit=False))
        return None if found is None else self.indexed(found, index, s.span, scope)

    def indexed(self, found: Value, index: Value, span: Span, scope: Scope) -> Value | None:
        """`found[index]` of a zone family, a zone instance or a lot."""
        if isinstance(found, ZoneRef) and found.zone.index and found.index is None:
            place = values.position_in(found.zone.index, index, self.names)
            if place is None:
                self.error(
                    "E003",
                    span,
                    f"there is one `{found.zone.name}` per {found.zone.index}, and this is "
                    f"{describe(index)}",
                    f"expected a {found.zone.index}",
                )
                return None
            return ZoneRef(found.zone, place, span)
        if (
            isinstance(found, Term)
            and isinstance(found, VectorBuild | ReadVariable)
            and found.type.base is not Base.VECTOR
        ):
            self.error(
                "E003",
                span,
                f"this is {describe(found)}",
                "only zones, lots and state kept per something take [ ]",
            )
            return None
        face = values.face_of(index)
        if face is None:
            self.error(
                "E003", span, f"the index is {describe(index)}", "expected a member of a kind"
            )
            return None
        if isinstance(found, ZoneRef):
            high = max((self.names.faces[f].count for f in face.type.faces), default=0)
            return ZoneCount(folding.number_type(0, high), span, found.zone.id, found.index, face)
        if isinstance(found, Term) and found.type.base is Base.VECTOR:
            return folding.vector_index(found, face, span)
        self.error(
            "E003",
            span,
            f"this is {describe(found)}",
            "only zones, lots and state kept per something take [ ]",
        )
        return None

    # -- columns, calls --------------------------------------------------------

    def _column(self, s: Syntax, scope: Scope) -> Value | None:
        found = self.value(s.node(0), scope)
        if found is None:
            return None
        face = values.face_of(found)
        if face is None:
            self.error(
                "E003", s.span, f"this is {describe(found)}", "only a member of a kind has columns"
            )
            return None
        arguments = [part for part in s.nodes()[1:]]
        return self.column_of(face, s.word(1), s.span, scope, arguments)

    def column_of(
        self, face: Term, word: str, span: Span, scope: Scope, arguments: list[Syntax] | None = None
    ) -> Value | None:
        """`face.word`, or a test column applied to a lot."""
        names = self.names
        cells: dict[int, int | tuple[int, ...]] = {}
        tests: list[tuple[int, Syntax, str]] = []
        type = None
        for member in face.type.faces:
            info = names.kinds[names.faces[member].kind]
            column = info.columns.get(word)
            if column is None:
                known = sorted(info.columns)
                self.error(
                    "E002",
                    span,
                    f"`{names.faces[member].name}` has no column `{word}`",
                    f"its columns are {', '.join(known)}" if known else "its kind has no columns",
                )
                return None
            scope.frame.mention(info.element)
            if column.tests is not None:
                tests.append((member, column.tests[member], column.parameter))
            else:
                cells[member] = column.values[member]
            type = column.type if type is None else _joined(type, column.type)
        assert type is not None
        if tests:
            return self._test_column(face, tests, span, scope, arguments or [])
        top = max(cells)
        blank: int | tuple[int, ...] = (
            tuple(0 for _ in type.faces) if type.base is Base.VECTOR else 0
        )
        table = tuple(cells.get(member, blank) for member in range(top + 1))
        return folding.lookup(table, face, 0, type, word, span)

    def _test_column(
        self,
        face: Term,
        tests: list[tuple[int, Syntax, str]],
        span: Span,
        scope: Scope,
        arguments: list[Syntax],
    ) -> Value | None:
        if len(arguments) != 1:
            self.error(
                "E003", span, "a test column is applied to one lot", "write `card.column(lot)`"
            )
            return None
        lot = self.vector(arguments[0], scope)
        if lot is None:
            return None
        result: Term = folding.flag(False, span)
        for member, body, parameter in reversed(tests):
            inner = Scope(scope.frame, None, {parameter: lot}, None, False, scope.calling)
            condition = self.condition(body, inner)
            if condition is None:
                return None
            here = folding.compare(
                "=", face, Const(Type(Base.FACE, faces=(member,)), span, member), span
            )
            result = condition if len(tests) == 1 else folding.choose(here, condition, result, span)
        return result

    def _call(self, s: Syntax, scope: Scope) -> Value | None:
        word, nodes = s.word(0), s.nodes()
        if word in ("min", "max"):
            terms = [self.number(node, scope) for node in nodes]
            known = [term for term in terms if term is not None]
            return folding.extreme(word, known, s.span) if len(known) == len(terms) else None
        if word == "seat":
            seat = self.number(nodes[0], scope)
            if seat is None:
                return None
            if not 1 <= seat.type.low <= seat.type.high <= self.names.players:
                self.error(
                    "E006",
                    s.span,
                    f"there are seats 1 to {self.names.players}",
                    "give a number in that range",
                )
                return None
            return folding.lookup(tuple(range(self.names.players)), seat, 1, PLAYER, "seat", s.span)
        if word in self.names.tables:
            return self._table(s, scope)
        if word in self.names.defines:
            arguments = [self.value(node, scope) for node in nodes]
            if any(argument is None for argument in arguments):
                return None
            return self._define(
                word,
                self.names.defines[word],
                tuple(a for a in arguments if a is not None),
                s.span,
                scope,
            )
        self.names.unknown(
            word,
            s.span,
            "a define or a table",
            sorted({*self.names.defines, *self.names.tables, "min", "max", "seat"}),
        )
        return None

    def _define(
        self, word: str, define: Define, arguments: tuple[Value, ...], span: Span, scope: Scope
    ) -> Value | None:
        if (
            not arguments
            and len(define.parameters) == 1
            and scope.implicit
            and scope.me is not None
        ):
            arguments = (scope.me,)
        if len(arguments) != len(define.parameters):
            self.error(
                "E003",
                span,
                f"`{word}` takes {len(define.parameters)} values, and here are {len(arguments)}",
                f"write `{word}({', '.join(define.parameters)})`"
                if define.parameters
                else f"write `{word}`",
            )
            return None
        if word in scope.calling:
            self.error(
                "E012",
                span,
                f"`{word}` is defined by itself: {' -> '.join((*scope.calling, word))}",
                "a define may not use itself",
            )
            return None
        scope.frame.mention(define.element)
        local = dict(zip(define.parameters, arguments, strict=True))
        inner = Scope(scope.frame, None, local, None, False, (*scope.calling, word))  # type: ignore[arg-type]
        return self.value(define.body, inner)

    def _table(self, s: Syntax, scope: Scope) -> Term | None:
        table = self.names.tables[s.word(0)]
        scope.frame.mention(table.element)
        nodes = s.nodes()
        if len(nodes) != len(table.types):
            self.error(
                "E003",
                s.span,
                f"`{s.word(0)}` is a table of {len(table.types)} arguments, and here are "
                f"{len(nodes)}",
                "give each argument",
            )
            return None
        places: list[Term] = []
        for node, type in zip(nodes, table.types, strict=True):
            place = self.face(node, scope) if type.base is Base.FACE else self.number(node, scope)
            if place is None:
                return None
            if type.base is Base.FACE:
                order = {f: n for n, f in enumerate(type.faces)}
                place = values.by_face(
                    order, place, folding.number_type(0, len(order) - 1), "place", node.span
                )
            places.append(place)
        return Table(
            table.result,
            s.span,
            table.values,
            tuple(places),
            table.bases,
            table.sizes,
            table.default,
            s.word(0),
        )

    # -- the rest in `operators` -----------------------------------------------

    def _top(self, s: Syntax, scope: Scope) -> Value | None:
        zone = self.zone(s.nodes()[0], scope)
        if zone is None:
            return None
        if zone.zone.order != "stack":
            self.error(
                "E003",
                s.span,
                f"`{zone.zone.name}` is no stack, so it has no top",
                "give it `order: stack`",
            )
            return None
        return ZoneTop(Type(Base.FACE, faces=zone.zone.faces), s.span, zone.zone.id, zone.index)

    def _size(self, s: Syntax, scope: Scope) -> Value | None:
        node = s.nodes()[0]
        found = self.value(node, scope)
        if found is None:
            return None
        if isinstance(found, ZoneRef):
            vector = values.vector_of(found, self.names)
            if vector is None:
                self.zone(node, scope)
                return None
            return ZoneSize(
                folding.number_type(0, values.most(vector, self.names)),
                s.span,
                found.zone.id,
                found.index,
            )
        vector = values.vector_of(found, self.names)
        if vector is None:
            self.error(
                "E003", node.span, f"this is {describe(found)}", "only a zone or a lot has a size"
            )
            return None
        size = folding.vector_sum(vector, s.span)
        if vector.type.low >= 0 and not isinstance(size, Const):
            size = replace(size, type=folding.number_type(0, values.most(vector, self.names)))
        return size

    def _neighbour(self, s: Syntax, scope: Scope, step: int) -> Term | None:
        player = self.player(s.nodes()[0], scope)
        if player is None:
            return None
        n = self.names.players
        seats = tuple((seat + step) % n for seat in range(n))
        return folding.lookup(
            seats, player, 0, PLAYER, "left of" if step == 1 else "right of", s.span
        )

    def _name_of(self, s: Syntax, scope: Scope) -> Term | None:
        word, node, n = s.word(0), s.node(1), self.names.players
        if word == "seat":
            player = self.player(node, scope)
            return self._wrap(
                player,
                lambda t: folding.lookup(
                    tuple(range(1, n + 1)), t, 0, folding.number_type(1, n), "seat of", s.span
                ),
            )
        if word == "owner":
            face = self.face(node, scope)
            if face is None:
                return None
            owners = {
                f: p
                for info in self.names.kinds.values()
                if info.per_player
                for p, f in enumerate(info.kind.faces)
            }
            if not set(face.type.faces) <= set(owners):
                self.error(
                    "E003",
                    s.span,
                    "not every such member belongs to a player",
                    "only members of a kind `one per: player` have an owner",
                )
                return None
            return values.by_face(owners, face, PLAYER, "owner of", s.span)
        found = self.names.kind_named(word)
        if found is None or not found[0].per_player:
            self.names.unknown(
                word,
                s.span,
                "a kind with one member per player",
                [k for k, i in self.names.kinds.items() if i.per_player],
            )
            return None
        player, faces = self.player(node, scope), found[0].kind.faces
        scope.frame.mention(found[0].element)
        return self._wrap(
            player,
            lambda t: folding.lookup(
                faces, t, 0, Type(Base.FACE, faces=faces), f"{word} of", s.span
            ),
        )

    def _negative(self, s: Syntax, scope: Scope) -> Term | None:
        term = self.number(s.node(0), scope)
        return self._wrap(
            term, lambda t: folding.arithmetic("-", folding.integer(0, s.span), t, s.span)
        )

    def _sum(self, s: Syntax, scope: Scope) -> Value | None:
        first = self.value(s.node(0), scope)
        for position in range(1, len(s.parts), 2):
            op, node = s.word(position), s.node(position + 1)
            right = self.value(node, scope)
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
            self.error(
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
        terms = [self.number(node, scope) for node in s.nodes()]
        result = terms[0]
        for term in terms[1:]:
            if result is None or term is None:
                return None
            result = folding.arithmetic("*", result, term, s.span)
        return result

    def _compare(self, s: Syntax, scope: Scope) -> Term | None:
        left, right = self.value(s.node(0), scope), self.value(s.node(2), scope)
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
        self.error(
            "E003",
            s.span,
            f"`{op}` compares {describe(left)} with {describe(right)}",
            "compare two numbers, two lots, or test members with `is`",
        )
        return None

    def _before(self, s: Syntax, scope: Scope) -> Term | None:
        left, right = self.face(s.node(0), scope), self.face(s.node(1), scope)
        return None if left is None or right is None else folding.compare("<", left, right, s.span)

    def _is_not(self, s: Syntax, scope: Scope) -> Term | None:
        found = self._is(s, scope)
        return self._wrap(found, lambda t: folding.negate(t, s.span))

    def _is(self, s: Syntax, scope: Scope) -> Term | None:
        left, rest = self.value(s.node(0), scope), s.node(1)
        if left is None:
            return None
        if isinstance(left, Word):
            return self._is_word(left, rest, s)
        if rest.rule in ("is_somebody", "is_nobody"):
            if not isinstance(left, Term) or left.type.base is not Base.PLAYER:
                self.error(
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
            return self._wrap(
                size if isinstance(size, Term) else None,
                lambda t: folding.compare("=", t, folding.integer(0, s.span), s.span),
            )
        if rest.rule == "is_out":
            player = self.player(s.node(0), scope)
            return self._wrap(player, lambda t: IsOut(FLAG, s.span, t))
        if rest.rule == "is_from":
            return self._is_from(left, rest, s, scope)
        return self._is_value(left, rest.node(0), s, scope)

    def _is_from(self, left: Value, rest: Syntax, s: Syntax, scope: Scope) -> Term | None:
        zone = self.zone(rest.node(0), scope)
        if zone is None:
            return None
        if not isinstance(left, Local) or left.type.base is not Base.PIECE:
            self.error(
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
        right = self.value(node, scope)
        if right is None:
            return None
        if isinstance(right, KindRef):
            face = values.face_of(left)
            if face is None:
                self.error(
                    "E003", s.span, f"this is {describe(left)}", "only a member can be of a kind"
                )
                return None
            inside = {f: int(f in right.info.kind.faces) for f in face.type.faces}
            return values.by_face(inside, face, FLAG, f"is {right.info.kind.name}", s.span)
        return self.compared("=", left, right, s)

    def _join(
        self, s: Syntax, scope: Scope, join: Callable[[list[Term], Span], Term]
    ) -> Term | None:
        terms = [self.condition(node, scope) for node in s.nodes()]
        known = [term for term in terms if term is not None]
        return join(known, s.span) if len(known) == len(terms) else None

    def _implies(self, s: Syntax, scope: Scope) -> Term | None:
        left, right = self.condition(s.node(0), scope), self.condition(s.node(1), scope)
        if left is None or right is None:
            return None
        return folding.either([folding.negate(left, s.span), right], s.span)

    def _openly(self, s: Syntax, scope: Scope) -> Term | None:
        term = self.term(s.node(0), scope)
        return term if term is None or isinstance(term, Const) else Openly(term.type, s.span, term)

    def _if_else(self, s: Syntax, scope: Scope) -> Value | None:
        condition = self.condition(s.node(1), scope)
        then, otherwise = self.value(s.node(0), scope), self.value(s.node(2), scope)
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
        self.error(
            "E003",
            s.span,
            f"one side is {describe(then)}, the other {describe(otherwise)}",
            "both sides of `if .. else` must be alike",
        )
        return None

    def _lot_literal(self, s: Syntax, scope: Scope) -> Term | None:
        slot, cells = scope.frame.take(), []
        for quantity in s.nodes():
            amount = self.number(quantity.node(0), scope)
            face = values.face_of(
                self.named(quantity.word(1), quantity.span, scope) or folding.flag(False, s.span)
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


def _joined(left: Type, right: Type) -> Type:
    faces = tuple(dict.fromkeys(left.faces + right.faces))
    return Type(left.base, min(left.low, right.low), max(left.high, right.high), faces)
