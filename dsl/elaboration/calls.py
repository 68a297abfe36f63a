"""What is read by name with something else: columns, defines, tables, neighbours, tops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from gemwright.dsl.elaboration import folding, values
from gemwright.dsl.elaboration.names import Define, Names, Scope
from gemwright.dsl.elaboration.values import Value, describe, wrap
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.terms import PLAYER, Base, Const, Table, Term, Type, ZoneTop
from gemwright.dsl.source import Span

if TYPE_CHECKING:
    from gemwright.dsl.elaboration.expressions import Expressions

Rule = Callable[[Syntax, Scope], Value | None]


@dataclass(frozen=True, slots=True)
class _JoinedColumn:
    """A column over members: its cells by face, or a test for each; `elements` are its marks."""

    type: Type
    table: tuple[int | tuple[int, ...], ...]
    tests: tuple[tuple[int, Syntax, str], ...]
    elements: tuple[int, ...]


class Calls:
    """Understands columns, calls and `NAME of X` for `Expressions`."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names = names
        self.expressions = expressions
        self._columns: dict[tuple[tuple[int, ...], str], _JoinedColumn | None] = {}
        self.rules: dict[str, Rule] = {
            "column": self._column,
            "call": self._call,
            "top_of": self._top,
            "left_of": lambda s, scope: self._neighbour(s, scope, 1),
            "right_of": lambda s, scope: self._neighbour(s, scope, -1),
            "name_of": self._name_of,
        }

    def _column(self, s: Syntax, scope: Scope) -> Value | None:
        found = self.expressions.value(s.node(0), scope)
        if found is None:
            return None
        face = values.face_of(found)
        if face is None:
            self.expressions.error(
                "E003", s.span, f"this is {describe(found)}", "only a member of a kind has columns"
            )
            return None
        arguments = [part for part in s.nodes()[1:]]
        return self.column_of(face, s.word(1), s.span, scope, arguments)

    def column_of(
        self, face: Term, word: str, span: Span, scope: Scope, arguments: list[Syntax] | None = None
    ) -> Value | None:
        """`face.word`, or a test column applied to a lot."""
        key = (face.type.faces, word)
        if key not in self._columns:
            self._columns[key] = self._joined_column(*key)
        found = self._columns[key]
        if found is None:
            self._no_column(*key, span)
            return None
        for element in found.elements:
            scope.frame.mention(element)
        if found.tests:
            return self._test_column(face, found.tests, span, scope, arguments or [])
        return folding.lookup(found.table, face, 0, found.type, word, span)

    def _joined_column(self, faces: tuple[int, ...], word: str) -> _JoinedColumn | None:
        """A column of several members, perhaps of several kinds; None if one of them has none."""
        names = self.names
        cells: dict[int, int | tuple[int, ...]] = {}
        tests: list[tuple[int, Syntax, str]] = []
        types: dict[Type, None] = {}
        elements: dict[int, None] = {}
        for member in faces:
            info = names.kinds[names.faces[member].kind]
            column = info.columns.get(word)
            if column is None:
                return None
            elements |= dict.fromkeys(info.elements)
            types[column.type] = None
            if column.tests is not None:
                tests.append((member, column.tests[member], column.parameter))
            else:
                cells[member] = column.values[member]
        type = reduce(_joined, types)
        blank: int | tuple[int, ...] = (
            tuple(0 for _ in type.faces) if type.base is Base.VECTOR else 0
        )
        table = tuple(cells.get(member, blank) for member in range(max(cells, default=-1) + 1))
        return _JoinedColumn(type, table, tuple(tests), tuple(elements))

    def _no_column(self, faces: tuple[int, ...], word: str, span: Span) -> None:
        for member in faces:
            face = self.names.faces[member]
            columns = self.names.kinds[face.kind].columns
            if word not in columns:
                known = ", ".join(sorted(columns))
                help = f"its columns are {known}" if known else "its kind has no columns"
                self.expressions.error("E002", span, f"`{face.name}` has no column `{word}`", help)
                return

    def _test_column(
        self,
        face: Term,
        tests: tuple[tuple[int, Syntax, str], ...],
        span: Span,
        scope: Scope,
        arguments: list[Syntax],
    ) -> Value | None:
        if len(arguments) != 1:
            self.expressions.error(
                "E003", span, "a test column is applied to one lot", "write `card.column(lot)`"
            )
            return None
        lot = self.expressions.vector(arguments[0], scope)
        if lot is None:
            return None
        conditions: list[tuple[int, Term]] = []
        for member, body, parameter in tests:
            inner = Scope(scope.frame, None, {parameter: lot}, None, False, scope.calling)
            condition = self.expressions.condition(body, inner)
            if condition is None:
                return None
            conditions.append((member, condition))
        return _by_member(face, conditions, span)

    def _call(self, s: Syntax, scope: Scope) -> Value | None:
        word, nodes = s.word(0), s.nodes()
        if word in ("min", "max"):
            terms = [self.expressions.number(node, scope) for node in nodes]
            known = [term for term in terms if term is not None]
            return folding.extreme(word, known, s.span) if len(known) == len(terms) else None
        if word == "seat":
            seat = self.expressions.number(nodes[0], scope)
            if seat is None:
                return None
            if not 1 <= seat.type.low <= seat.type.high <= self.names.players:
                self.expressions.error(
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
            arguments = [self.expressions.value(node, scope) for node in nodes]
            if any(argument is None for argument in arguments):
                return None
            return self.define(
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

    def define(
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
            self.expressions.error(
                "E003",
                span,
                f"`{word}` takes {len(define.parameters)} values, and here are {len(arguments)}",
                f"write `{word}({', '.join(define.parameters)})`"
                if define.parameters
                else f"write `{word}`",
            )
            return None
        if word in scope.calling:
            self.expressions.error(
                "E012",
                span,
                f"`{word}` is defined by itself: {' -> '.join((*scope.calling, word))}",
                "a define may not use itself",
            )
            return None
        scope.frame.mention(define.element)
        local = dict(zip(define.parameters, arguments, strict=True))
        inner = Scope(scope.frame, None, local, None, False, (*scope.calling, word))
        return self.expressions.value(define.body, inner)

    def _table(self, s: Syntax, scope: Scope) -> Term | None:
        table = self.names.tables[s.word(0)]
        scope.frame.mention(table.element)
        nodes = s.nodes()
        if len(nodes) != len(table.types):
            self.expressions.error(
                "E003",
                s.span,
                f"`{s.word(0)}` is a table of {len(table.types)} arguments, and here are "
                f"{len(nodes)}",
                "give each argument",
            )
            return None
        places: list[Term] = []
        for node, type in zip(nodes, table.types, strict=True):
            place = (
                self.expressions.face(node, scope)
                if type.base is Base.FACE
                else self.expressions.number(node, scope)
            )
            if place is None:
                return None
            if type.base is Base.FACE:
                order = {f: n for n, f in enumerate(type.faces)}
                place = values.by_face(
                    order, place, folding.number_type(0, len(order) - 1), "place of", node.span
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

    def _top(self, s: Syntax, scope: Scope) -> Value | None:
        zone = self.expressions.zone(s.nodes()[0], scope)
        if zone is None:
            return None
        if zone.zone.order != "stack":
            self.expressions.error(
                "E003",
                s.span,
                f"`{zone.zone.name}` is no stack, so it has no top",
                "give it `order: stack`",
            )
            return None
        return ZoneTop(Type(Base.FACE, faces=zone.zone.faces), s.span, zone.zone.id, zone.index)

    def _neighbour(self, s: Syntax, scope: Scope, step: int) -> Term | None:
        player = self.expressions.player(s.nodes()[0], scope)
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
            player = self.expressions.player(node, scope)
            return wrap(
                player,
                lambda t: folding.lookup(
                    tuple(range(1, n + 1)), t, 0, folding.number_type(1, n), "seat of", s.span
                ),
            )
        if word == "owner":
            face = self.expressions.face(node, scope)
            if face is None:
                return None
            owners = {
                f: p
                for info in self.names.kinds.values()
                if info.per_player
                for p, f in enumerate(info.kind.faces)
            }
            if not set(face.type.faces) <= set(owners):
                self.expressions.error(
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
        player, faces = self.expressions.player(node, scope), found[0].kind.faces
        scope.frame.mention(*found[0].elements)
        return wrap(
            player,
            lambda t: folding.lookup(
                faces, t, 0, Type(Base.FACE, faces=faces), f"{word} of", s.span
            ),
        )


def _joined(left: Type, right: Type) -> Type:
    faces = tuple(dict.fromkeys(left.faces + right.faces))
    return Type(left.base, min(left.low, right.low), max(left.high, right.high), faces)


def _by_member(face: Term, conditions: list[tuple[int, Term]], span: Span) -> Term:
    """The condition of the member that `face` is, found by halving: depth and time stay small."""
    ordered = sorted(conditions, key=lambda each: each[0])
    runs = [
        (member, condition)
        for number, (member, condition) in enumerate(ordered)
        if not number or condition != ordered[number - 1][1]
    ]
    return _halved(face, runs, span)


def _halved(face: Term, runs: list[tuple[int, Term]], span: Span) -> Term:
    """Of runs of members with one condition each, given by their first member."""
    if len(runs) == 1:
        return runs[0][1]
    middle = len(runs) // 2
    first = Const(Type(Base.FACE, faces=(runs[middle][0],)), span, runs[middle][0])
    earlier = folding.compare("<", face, first, span)
    then, otherwise = _halved(face, runs[:middle], span), _halved(face, runs[middle:], span)
    return folding.choose(earlier, then, otherwise, span)
