"""Sentences: syntax nodes -> statements of the game model. Named effects are put in where they
are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gemwright.dsl.elaboration import folding, values
from gemwright.dsl.elaboration.assigning import Assigning
from gemwright.dsl.elaboration.domains import Domains
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.moving import Moving
from gemwright.dsl.elaboration.names import Frame, Names, Scope
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import (
    Do,
    Eliminate,
    EndGame,
    ForEach,
    IfDo,
    Leave,
    Let,
    Point,
    Show,
    Shuffle,
    Source,
    Statement,
    Tell,
)
from gemwright.dsl.model.terms import Local, Term
from gemwright.dsl.suggest import did_you_mean

Block = tuple[Statement, ...]


class Sentences:
    """Understands blocks of sentences. `exits` maps each phase to the control point behind it."""

    def __init__(
        self, names: Names, expressions: Expressions, domains: Domains, exits: Mapping[str, int]
    ) -> None:
        self.names = names
        self.expressions = expressions
        self.domains = domains
        self.exits = exits
        moving = Moving(names, expressions)
        assigning = Assigning(names, expressions, domains)
        self._simple: dict[str, Callable[[Syntax, Scope, tuple[int, ...]], Block | None]] = {
            "move": moving.move,
            "move_openly": moving.move,
            "assign": assigning.assign,
            "increase": lambda s, scope, marks: assigning.change(s, scope, "+=", marks),
            "decrease": lambda s, scope, marks: assigning.change(s, scope, "-=", marks),
            "show": self._show,
            "tell": self._tell,
            "shuffle": self._shuffle,
            "eliminate": self._eliminate,
            "leave": self._leave,
            "end_game": self._end_game,
            "perform": self._perform,
        }

    def point(self, s: Syntax, head: Point, end: int) -> Do:
        """The control point at `head` that runs a block and goes on to `end`."""
        frame = Frame()
        body, _ = self.block(s, Scope(frame))
        return Do(head.id, head.phase, head.span, head.elements, body, frame.slots, end)

    def block(self, s: Syntax, scope: Scope) -> tuple[Block, Scope]:
        """The statements of a block and the scope after it; problems are reported and skipped."""
        done: list[Statement] = []
        ended, folded = False, False
        for node in s.nodes():
            if ended and not folded:
                self.expressions.error(
                    "E013",
                    node.span,
                    "nothing can follow here: the sentence above ends the effect",
                    "move it up, or put the end under an `if`",
                )
                break
            found, scope = self.statement(node, scope)
            if ended:
                continue  # an option decided an `if` above that ends the effect: checked, not kept
            done.extend(found)
            ended = any(isinstance(statement, Leave | EndGame) for statement in found)
            folded = node.rule == "if_stmt"
        return tuple(done), scope

    def statement(self, s: Syntax, scope: Scope) -> tuple[Block, Scope]:
        """One sentence, and the scope after it (a `let` binds a name)."""
        if not self.expressions.spend(s.span):
            return (), scope
        if s.rule == "if_stmt":
            return self._if(s, scope), scope
        if s.rule == "for_stmt":
            return self._for(s, scope), scope
        node = s.node(0)
        marks = self._marks(s)
        if node.rule == "let":
            return self._let(node, scope, marks)
        if node.rule not in self._simple:
            self.expressions.error(
                "E001", node.span, "this is not a sentence", "start with a verb such as `move`"
            )
            return (), scope
        return self._simple[node.rule](node, scope, marks) or (), scope

    def _marks(self, s: Syntax) -> tuple[int, ...]:
        clauses = tuple(word[1:] for word in s.words() if word.startswith("@"))
        element = self.names.mark(s.text.split("@")[0].strip()[:60], clauses, s.span)
        return () if element is None else (element,)

    def _body(self, s: Syntax, scope: Scope, head: Syntax) -> tuple[Block, tuple[int, ...]]:
        """An indented block or the rest of a line; a mark on the line of a block is for the whole:
        the condition or loop of its head, and what is done."""
        if s.rule == "body_line":
            inner = Syntax("sentence", s.parts, s.span, s.text, s.depth, s.start, s.end)
            return self.statement(inner, scope)[0], ()
        span = replace(s.span, line=head.span.line, column=head.span.column)
        whole = Syntax(s.rule, s.parts, span, head.text, s.depth, head.start, s.end)
        marks = self._marks(whole) if s.words() else ()
        return self.block(s, scope)[0], marks

    def _if(self, s: Syntax, scope: Scope) -> Block:
        nodes = s.nodes()
        condition = self.expressions.condition(nodes[0], scope)
        mentioned = scope.frame.gather()
        then, marks = self._body(nodes[1], scope, s)
        otherwise: Block = ()
        if len(nodes) > 2:
            other = nodes[2].node(0)
            otherwise = (
                self._if(other, scope)
                if other.rule == "if_stmt"
                else self._body(other, scope, other)[0]
            )
        if condition is None:
            return ()
        value = folding.scalar(condition)
        if value is not None:
            live = then if value else otherwise
            return tuple(replace(one, elements=one.elements + mentioned + marks) for one in live)
        return (IfDo(s.span, mentioned + marks, condition, then, otherwise),)

    def _for(self, s: Syntax, scope: Scope) -> Block:
        bound = self.domains.binder(s.node(0), scope)
        mentioned = scope.frame.gather()
        if bound is None:
            return ()
        body, marks = self._body(s.node(1), bound.inner, s)
        return (ForEach(s.span, mentioned + marks, bound.slot, bound.name, bound.domain, body),)

    def _let(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> tuple[Block, Scope]:
        name, value = s.word(0), self.expressions.term(s.node(1), scope)
        if value is None or not self.names.binds(name, s.span, scope.local):
            self.names.announce((name,))
            return (), scope
        face = values.face_of(value)
        value = value if face is None else face
        slot = scope.frame.take()
        local = Local(value.type, s.span, slot, name)
        return (Let(s.span, marks + scope.frame.gather(), slot, name, value),), scope.bind(
            name, local
        )

    # -- moving ----------------------------------------------------------------

    def _audience(self, s: Syntax, scope: Scope) -> tuple[bool, Term | None]:
        if s.rule == "everybody":
            return True, None
        player = self.expressions.player(s.node(0), scope)
        return player is not None, player

    def _show(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
        zone, (fine, to) = self.expressions.zone(s.node(0), scope), self._audience(s.node(1), scope)
        if zone is None or not fine:
            return None
        return (Show(s.span, marks + scope.frame.gather(), Source(zone.zone.id, zone.index), to),)

    def _tell(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
        value, (fine, to) = (
            self.expressions.term(s.node(0), scope),
            self._audience(s.node(1), scope),
        )
        if value is None or not fine:
            return None
        return (Tell(s.span, marks + scope.frame.gather(), value, s.node(0).text, to),)

    def _shuffle(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
        zone = self.expressions.zone(s.node(0), scope)
        return (
            None
            if zone is None
            else (Shuffle(s.span, marks + scope.frame.gather(), Source(zone.zone.id, zone.index)),)
        )

    def _eliminate(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
        player = self.expressions.player(s.node(0), scope)
        return (
            None if player is None else (Eliminate(s.span, marks + scope.frame.gather(), player),)
        )

    def _leave(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
        word = s.word(0)
        if word not in self.exits:
            self.expressions.error(
                "G001",
                s.span,
                f"there is no phase `{word}` to leave here",
                did_you_mean(word, sorted(self.exits)),
            )
            return None
        return (Leave(s.span, marks + scope.frame.gather(), self.exits[word], word),)

    def _end_game(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block:
        reason = "stalemate" if s.words() else "finished"
        return (EndGame(s.span, marks + scope.frame.gather(), reason),)

    def _perform(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
        word, nodes = s.word(0), s.nodes()
        effect = self.names.effects.get(word)
        if effect is None:
            self.names.unknown(word, s.span, "an effect", sorted(self.names.effects))
            return None
        if len(nodes) != len(effect.parameters):
            self.expressions.error(
                "E003",
                s.span,
                f"`{word}` takes {len(effect.parameters)} values, and here are {len(nodes)}",
                "give each parameter",
            )
            return None
        if word in scope.calling:
            self.expressions.error(
                "E012",
                s.span,
                f"`{word}` performs itself: {' -> '.join((*scope.calling, word))}",
                "an effect may not perform itself",
            )
            return None
        local = {}
        for name, node in zip(effect.parameters, nodes, strict=True):
            value = self.expressions.value(node, scope)
            if value is None:
                return None
            local[name] = value
        inner = Scope(scope.frame, scope.me, local, None, False, (*scope.calling, word))
        outer = marks + scope.frame.gather() + (() if effect.element is None else (effect.element,))
        body, _ = self.block(effect.body, inner)
        if not outer:
            return body
        if not self.expressions.spend(s.span, len(body)):
            return ()
        return tuple(replace(statement, elements=statement.elements + outer) for statement in body)
