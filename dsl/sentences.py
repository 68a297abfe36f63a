"""Sentences: syntax nodes -> statements of the game model. Named effects are put in where they
are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from gemwright.dsl import folding, values
from gemwright.dsl.domains import Domains
from gemwright.dsl.expressions import Expressions
from gemwright.dsl.model import (
    Assign,
    AssignRandom,
    Eliminate,
    EndGame,
    ForEach,
    IfDo,
    Leave,
    Let,
    MoveAll,
    MoveEnd,
    MoveFace,
    MovePicked,
    MoveRandom,
    MoveVector,
    Place,
    Show,
    Shuffle,
    Source,
    Statement,
    Tell,
    Variable,
)
from gemwright.dsl.names import Names, Scope
from gemwright.dsl.suggest import did_you_mean
from gemwright.dsl.syntax import Syntax
from gemwright.dsl.terms import Base, Domain, Faces, Local, LotVector, Numbers, Term, Type
from gemwright.dsl.values import ZoneRef, describe

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
        self._simple: dict[str, Callable[[Syntax, Scope, tuple[int, ...]], Block | None]] = {
            "move": self._move,
            "assign": self._assign,
            "increase": lambda s, scope, marks: self._change(s, scope, "+=", marks),
            "decrease": lambda s, scope, marks: self._change(s, scope, "-=", marks),
            "show": self._show,
            "tell": self._tell,
            "shuffle": self._shuffle,
            "eliminate": self._eliminate,
            "leave": self._leave,
            "end_game": self._end_game,
            "perform": self._perform,
        }

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

    def _body(self, s: Syntax, scope: Scope) -> tuple[Block, tuple[int, ...]]:
        """An indented block or the rest of a line; a mark on the line of a block belongs to its
        head."""
        if s.rule == "body_line":
            inner = Syntax("sentence", s.parts, s.span, s.text, s.depth, s.start, s.end)
            return self.statement(inner, scope)[0], ()
        marks = self._marks(s) if s.words() else ()
        return self.block(s, scope)[0], marks

    def _if(self, s: Syntax, scope: Scope) -> Block:
        nodes = s.nodes()
        condition = self.expressions.condition(nodes[0], scope)
        mentioned = scope.frame.gather()
        then, marks = self._body(nodes[1], scope)
        otherwise: Block = ()
        if len(nodes) > 2:
            other = nodes[2].node(0)
            otherwise = (
                self._if(other, scope) if other.rule == "if_stmt" else self._body(other, scope)[0]
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
        body, marks = self._body(s.node(1), bound.inner)
        return (ForEach(s.span, mentioned + marks, bound.slot, bound.name, bound.domain, body),)

    def _let(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> tuple[Block, Scope]:
        name, value = s.word(0), self.expressions.term(s.node(1), scope)
        if name in scope.local or name in self.names.declared:
            self.expressions.error(
                "E008", s.span, f"`{name}` is already bound here", "choose another name"
            )
        if value is None:
            return (), scope
        face = values.face_of(value)
        value = value if face is None else face
        slot = scope.frame.take()
        local = Local(value.type, s.span, slot, name)
        return (Let(s.span, marks + scope.frame.gather(), slot, name, value),), scope.bind(
            name, local
        )

    # -- moving ----------------------------------------------------------------

    def _source(self, s: Syntax | None, scope: Scope) -> Source | None:
        if s is None:
            box = self.names.zones["box"]
            return Source(box.id, None)
        zone = self.expressions.zone(s, scope)
        return None if zone is None else Source(zone.zone.id, zone.index)

    def _place(self, s: Syntax, scope: Scope) -> Place | None:
        nodes = s.nodes()
        zone = self.expressions.zone(nodes[-1], scope)
        if zone is None:
            return None
        at = {"place_top": "top", "place_bottom": "bottom", "place_random": "random"}.get(
            s.rule, "any"
        )
        stack = zone.zone.order == "stack"
        if at != "any" and not stack:
            self.expressions.error(
                "E003",
                s.span,
                f"`{zone.zone.name}` is no stack, so it has no {at if at != 'random' else 'order'}",
                "give it `order: stack`",
            )
            return None
        among = self.expressions.number(nodes[0], scope) if at == "random" else None
        return Place(zone.zone.id, zone.index, "top" if at == "any" and stack else at, among)

    def _move(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
        mover = s.node(0)
        source_node = s.parts[1] if isinstance(s.parts[1], Syntax) else None
        place = self._place(s.node(2), scope)
        shuffled = s.parts[3] is not None
        if place is None:
            return None
        found = self._mover(mover, source_node, place, shuffled, s, scope)
        if found is None:
            return None
        elements = marks + scope.frame.gather()
        return (replace(found, elements=elements),)

    def _mover(
        self,
        m: Syntax,
        source_node: Syntax | None,
        to: Place,
        shuffled: bool,
        s: Syntax,
        scope: Scope,
    ) -> Statement | None:
        ex, nodes = self.expressions, m.nodes()
        if m.rule in ("move_top", "move_bottom"):
            zone = ex.zone(nodes[-1], scope)
            count = ex.number(nodes[0], scope) if len(nodes) > 1 else folding.integer(1, m.span)
            if zone is None or count is None:
                return None
            if zone.zone.order != "stack":
                ex.error(
                    "E003", m.span, f"`{zone.zone.name}` is no stack", "give it `order: stack`"
                )
                return None
            return MoveEnd(
                s.span,
                (),
                m.rule.removeprefix("move_"),
                count,
                Source(zone.zone.id, zone.index),
                to,
                shuffled,
                True,
            )
        if m.rule == "move_every":
            faces = self._faces(m, m.word(0), scope)
            return (
                None
                if faces is None
                else MoveAll(s.span, (), faces, None, scope.frame.take(), None, to, shuffled)
            )
        if m.rule == "move_in":
            return self._move_in(m, to, shuffled, s, scope)
        if m.rule == "move_thing":
            return self._move_thing(nodes[0], source_node, to, shuffled, s, scope)
        source = self._source(source_node, scope)
        count = ex.number(nodes[0], scope)
        if source is None or count is None:
            return None
        if m.rule == "move_count":
            face = ex.face(nodes[1], scope)
            return None if face is None else MoveFace(s.span, (), count, face, source, to, shuffled)
        faces = self._faces(m, m.words()[-1], scope)
        if faces is None:
            return None
        if m.rule == "move_random":
            return MoveRandom(s.span, (), count, faces, source, to, shuffled)
        slot = scope.frame.take()
        face = Local(Type(Base.FACE, faces=faces), m.span, slot, "member")
        inner = MoveFace(s.span, (), count, face, source, to, False)
        return ForEach(s.span, (), slot, "member", Faces(faces), (inner,))

    def _faces(self, m: Syntax, word: str, scope: Scope) -> tuple[int, ...] | None:
        found = self.names.kind_named(word)
        if found is not None:
            scope.frame.mention(found[0].element)
            return found[0].kind.faces
        if word in self.names.members:
            return (self.names.members[word],)
        self.names.unknown(word, m.span, "a kind", sorted({*self.names.kinds, *self.names.plurals}))
        return None

    def _move_in(
        self, m: Syntax, to: Place, shuffled: bool, s: Syntax, scope: Scope
    ) -> Statement | None:
        nodes = m.nodes()
        zone, faces = self.expressions.zone(nodes[0], scope), self._faces(m, m.word(0), scope)
        if zone is None or faces is None:
            return None
        held = tuple(f for f in faces if f in zone.zone.faces)
        slot = scope.frame.take()
        piece = Local(Type(Base.FACE, faces=held), m.span, slot, "piece")
        condition = None
        if len(nodes) > 1:
            condition = self.expressions.condition(nodes[1], scope.at_piece(piece))
            if condition is None:
                return None
        return MoveAll(
            s.span, (), held, Source(zone.zone.id, zone.index), slot, condition, to, shuffled
        )

    def _move_thing(
        self,
        node: Syntax,
        source_node: Syntax | None,
        to: Place,
        shuffled: bool,
        s: Syntax,
        scope: Scope,
    ) -> Statement | None:
        found = self.expressions.value(node, scope)
        if found is None:
            return None
        if isinstance(found, ZoneRef):
            zone = self.expressions.zone(node, scope)
            if zone is None:
                return None
            return MoveAll(
                s.span,
                (),
                zone.zone.faces,
                Source(zone.zone.id, zone.index),
                scope.frame.take(),
                None,
                to,
                shuffled,
            )
        if isinstance(found, LotVector) and source_node is None:
            return MovePicked(s.span, (), found.lot.slot, True, to, shuffled)
        if isinstance(found, Local) and found.type.base is Base.PIECE and source_node is None:
            return MovePicked(s.span, (), found.slot, False, to, shuffled)
        if source_node is None:
            self.expressions.error(
                "E003",
                node.span,
                f"this is {describe(found)}",
                "say where it comes from: `move .. from ZONE to ..`",
            )
            return None
        source, face = self._source(source_node, scope), values.face_of(found)
        if source is None:
            return None
        if face is not None:
            return MoveFace(s.span, (), folding.integer(1, node.span), face, source, to, shuffled)
        vector = values.vector_of(found, self.names)
        if vector is None:
            self.expressions.error(
                "E003", node.span, f"this is {describe(found)}", "only pieces and lots move"
            )
            return None
        return MoveVector(s.span, (), vector, source, to, shuffled)

    # -- state -----------------------------------------------------------------

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
            return (
                (variable, scope.me)
                if scope.me is not None and variable.index == "player"
                else self._no_index(variable, s)
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
        self.expressions.error(
            "E003", s.span, f"`{variable.name}` is {per}", "name the state as it was declared"
        )
        return None

    def _assign(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> Block | None:
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
        if found[1].base is not variable.type.base:
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

    def _change(self, s: Syntax, scope: Scope, op: str, marks: tuple[int, ...]) -> Block | None:
        target, value = self._target(s.node(0), scope), self.expressions.number(s.node(1), scope)
        if target is None or value is None:
            return None
        if target[0].type.base is not Base.INT:
            self.expressions.error("E003", s.span, f"`{target[0].name}` is no number", "use `:=`")
            return None
        return (Assign(s.span, marks + scope.frame.gather(), target[0].id, target[1], op, value),)

    # -- the rest --------------------------------------------------------------

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
        return tuple(replace(statement, elements=statement.elements + outer) for statement in body)
