"""Sentences that change state: syntax nodes -> statements of the game model."""

from __future__ import annotations

from gemwright.dsl.elaboration import values
from gemwright.dsl.elaboration.domains import Domains
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Names, Scope
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Assign, AssignRandom, Statement, Variable
from gemwright.dsl.model.terms import Base, Domain, Numbers, Term


class Assigning:
    """Understands `:=`, `+=` and `-=`."""

    def __init__(self, names: Names, expressions: Expressions, domains: Domains) -> None:
        self.names = names
        self.expressions = expressions
        self.domains = domains

    def _target(self, s: Syntax, scope: Scope) -> tuple[Variable, Term | None] | None:
        names = self.names
        base = s.node(0) if s.rule == "index" else s
        word = base.word(0) if base.rule in ("name", "my") else ""
        variable = names.variables.get(word)
        if variable is None:
            names.unknown(
                word or s.text[:40], s.span, "a state that can be changed", sorted(names.variables)
            )
            return None
        scope.frame.mention(variable.element)
        if base.rule == "my":
            if self.expressions.me(s.span, scope) is None:
                return None
            return (
                (variable, scope.me) if variable.index == "player" else self._no_index(variable, s)
            )
        if s.rule != "index":
            return (variable, None) if not variable.index else self._no_index(variable, s)
        index = self.expressions.value(s.node(1), scope)
        place = (
            None
            if index is None or not variable.index
            else values.position_in(variable.index, index, names)
        )
        return (variable, place) if place is not None else self._no_index(variable, s)

    def _no_index(self, variable: Variable, s: Syntax) -> tuple[Variable, Term | None] | None:
        per = f"one per {variable.index}" if variable.index else "a single value"
        own = f"`my {variable.name}` or " if variable.index == "player" else ""
        each = f"say which: {own}`{variable.name}[..]`"
        self.expressions.error(
            "E003",
            s.span,
            f"`{variable.name}` is {per}",
            each if variable.index else f"write `{variable.name}` alone",
        )
        return None

    def assign(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> tuple[Statement] | None:
        """The statement of `STATE := VALUE`; None after a report."""
        target, right = self._target(s.node(0), scope), s.node(1)
        if target is None:
            return None
        variable, index = target
        if right.rule == "random_value":
            domain = self._random(right.node(0), variable, scope)
            return (
                None
                if domain is None
                else (
                    AssignRandom(s.span, marks + scope.frame.gather(), variable.id, index, domain),
                )
            )
        value = self._typed(right.node(0), variable, scope)
        if value is None:
            return None
        return (Assign(s.span, marks + scope.frame.gather(), variable.id, index, ":=", value),)

    def _random(self, s: Syntax, variable: Variable, scope: Scope) -> Domain | None:
        if s.rule == "random_number":
            low, high = (
                self.expressions.number(s.node(0), scope),
                self.expressions.number(s.node(1), scope),
            )
            return None if low is None or high is None else Numbers(low, high)
        found = self.domains.simple(s.word(0), s.span, scope)
        if found is None:
            return None
        if found[1].base is not variable.type.base or not set(found[1].faces) <= set(
            variable.type.faces
        ):
            self.expressions.error(
                "E003",
                s.span,
                f"`{variable.name}` cannot hold a random {s.word(0)}",
                "draw what it can hold",
            )
            return None
        return found[0]

    def _typed(self, s: Syntax, variable: Variable, scope: Scope) -> Term | None:
        base = variable.type.base
        if base is Base.INT:
            return self.expressions.number(s, scope)
        if base is Base.FLAG:
            return self.expressions.condition(s, scope)
        if base is Base.FACE:
            return self.expressions.face(s, scope)
        return self.expressions.player(s, scope, variable.type.optional)

    def change(
        self, s: Syntax, scope: Scope, op: str, marks: tuple[int, ...]
    ) -> tuple[Statement] | None:
        """The statement of `STATE += NUMBER` or `-=`; None after a report."""
        target, value = self._target(s.node(0), scope), self.expressions.number(s.node(1), scope)
        if target is None or value is None:
            return None
        if target[0].type.base is not Base.INT:
            self.expressions.error("E003", s.span, f"`{target[0].name}` is no number", "use `:=`")
            return None
        return (Assign(s.span, marks + scope.frame.gather(), target[0].id, target[1], op, value),)
