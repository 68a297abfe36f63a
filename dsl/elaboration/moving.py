"""Sentences that move pieces: syntax nodes -> statements of the game model."""

from __future__ import annotations

from dataclasses import replace

from gemwright.dsl.elaboration import folding, values
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Names, Scope
from gemwright.dsl.elaboration.values import ZoneRef, describe
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import (
    ForEach,
    MoveAll,
    MoveEnd,
    MoveFace,
    MovePicked,
    MoveRandom,
    MoveVector,
    Place,
    Source,
    Statement,
)
from gemwright.dsl.model.terms import Base, Faces, Local, LotVector, Type


class Moving:
    """Understands `move`."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names = names
        self.expressions = expressions

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

    def move(self, s: Syntax, scope: Scope, marks: tuple[int, ...]) -> tuple[Statement] | None:
        """The statement of a `move` sentence; None after a report."""
        mover = s.node(0)
        source_node = s.parts[1] if isinstance(s.parts[1], Syntax) else None
        place = self._place(s.node(2), scope)
        shuffled = s.parts[3] is not None
        if place is None:
            return None
        found = self._mover(mover, source_node, place, shuffled, s, scope)
        if found is None:
            return None
        if s.rule == "move_openly":
            if not isinstance(found, MoveAll):
                self.expressions.error(
                    "E003",
                    s.span,
                    "only `move all` and `move every` tell something by how many pieces move",
                    "say `openly` at the amount that reads what is hidden",
                )
                return None
            found = replace(found, openly=True)
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
            scope.frame.mention(*found[0].elements)
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
