"""Expressions: syntax nodes -> typed terms, with options folded and defines inlined.

Both sides of a choice that an option decides are understood and checked; only the live one is kept.
Beside this, columns and calls stand in `calls`, operators in `operators`, aggregates over domains
in `domains`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from gemwright.dsl.elaboration import folding, values
from gemwright.dsl.elaboration.calls import Calls
from gemwright.dsl.elaboration.names import Names, Scope
from gemwright.dsl.elaboration.operators import Operators
from gemwright.dsl.elaboration.values import KindRef, Value, Word, ZoneRef, describe
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.terms import (
    PLAYER,
    Base,
    Const,
    Local,
    ReadVariable,
    Term,
    Type,
    VectorBuild,
    ZoneCount,
)
from gemwright.dsl.model.traversal import within
from gemwright.dsl.source import Span

if TYPE_CHECKING:
    from gemwright.dsl.elaboration.domains import Domains

WORK = 30_000
"""How many nodes of expressions and sentences one game may have after inlining."""


class Expressions:
    """Understands expressions against declared names."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.domains: Domains | None = None
        self._work = 0
        self.calls = Calls(names, self)
        self.operators = Operators(names, self)
        self._rules: dict[str, Callable[[Syntax, Scope], Value | None]] = {
            "number": lambda s, _: folding.integer(int(s.word(0)), s.span),
            "true": lambda s, _: folding.flag(True, s.span),
            "false": lambda s, _: folding.flag(False, s.span),
            "expression": lambda s, scope: self.value(s.node(0), scope),
            "name": lambda s, scope: self.named(s.word(0), s.span, scope),
            "my": self._my,
            "index": self._index,
            **self.calls.rules,
            **self.operators.rules,
        }

    # -- entry points: a value of a wanted kind, or None after a report --------

    def value(self, syntax: Syntax, scope: Scope) -> Value | None:
        """Any value; None after a report."""
        if not self.spend(syntax.span):
            return None
        rule = self._rules.get(syntax.rule)
        if rule is not None:
            return rule(syntax, scope)
        assert self.domains is not None
        return self.domains.value(syntax, scope)

    def spend(self, span: Span, nodes: int = 1) -> bool:
        """Count nodes that are put into the game; False when there are too many, told once."""
        before, self._work = self._work, self._work + nodes
        if before < WORK <= self._work:
            self.error(
                "E009",
                span,
                "the rules of this file are too large once `define`s and `effects` are put in",
                "simplify them",
            )
        return self._work < WORK

    def _again(self, value: Value, span: Span) -> Value | None:
        """What a name in scope stands for. An argument is put in wherever it is read, so it counts
        each time: else a chain of defines that double theirs would grow without being noticed."""
        term = value.index if isinstance(value, ZoneRef) else value
        if isinstance(term, Term) and not isinstance(term, Local | Const):
            nodes = sum(1 for _ in islice(within(term), WORK))
            return value if self.spend(span, nodes) else None
        return value

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

    # -- names -----------------------------------------------------------------

    def named(self, word: str, span: Span, scope: Scope) -> Value | None:
        """What a name stands for."""
        names, frame = self.names, scope.frame
        if word in scope.local:
            return self._again(scope.local[word], span)
        if word == "me":
            return self.me(span, scope)
        if word == "players":
            return folding.integer(names.players, span)
        if scope.piece is not None and any(
            word in names.kinds[names.faces[f].kind].columns for f in scope.piece.type.faces
        ):
            return self.calls.column_of(scope.piece, word, span, scope)
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
            frame.mention(*names.kinds[names.faces[face].kind].elements)
            return Const(Type(Base.FACE, faces=(face,)), span, face)
        if word in names.defines:
            return self.calls.define(word, names.defines[word], (), span, scope)
        found = names.kind_named(word)
        if found is not None:
            frame.mention(*found[0].elements)
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

    def me(self, span: Span, scope: Scope) -> Term | None:
        """The one who chooses, or None after reporting that nobody does."""
        if scope.me is None:
            self.error(
                "E007",
                span,
                "nobody is choosing here, so there is no `me`",
                "name the player, or give the define a parameter",
            )
        return scope.me

    def _my(self, s: Syntax, scope: Scope) -> Value | None:
        me = self.me(s.span, scope)
        word = s.word(0)
        if me is None:
            return None
        if word in self.names.defines:
            return self.calls.define(word, self.names.defines[word], (me,), s.span, scope)
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
