"""Values that may be missing are used only where a condition has said that they are there.

`Uses` reads terms in the order in which they are evaluated, with the facts that hold there, and
reports uses without a guard: E016 of somebody who may be nobody, E017 of a piece that may not be
there. `guard_blocks` and `guard_flow` beside this carry facts through sentences and phases.
"""

from __future__ import annotations

from typing import Final

from gemwright.dsl.checks.facts import Facts, holds, pieces_of
from gemwright.dsl.checks.presence import Presence, is_kind_test, the_piece
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.game import Game
from gemwright.dsl.model.traversal import parts
from gemwright.dsl.source import Span

NOBODY: Final = "test it first: `if X is somebody:`, or a line above in `where`"
NO_PIECE: Final = "test it first: `if Z is not empty:`, or a line above in `where`"


class Uses:
    """Finds uses without a guard. Nothing is looked at while there is no `reporter`."""

    def __init__(self, game: Game, presence: Presence) -> None:
        self.game = game
        self.presence = presence
        self.reporter: Reporter | None = None

    def use(
        self, node: t.Term | t.Domain | None, facts: Facts, span: Span, needed: bool = True
    ) -> None:
        """Read a term or domain at `span`; `needed`: it must have a value itself."""
        if self.reporter is None or node is None:
            return
        match node:
            case t.And(terms=terms) | t.Or(terms=terms):
                for each in terms:
                    self.use(each, facts, span)
                    facts |= self.presence.told(each, isinstance(node, t.And), facts)
            case t.If(condition=condition, then=then, otherwise=otherwise):
                self.use(condition, facts, span)
                for holding, side in ((True, then), (False, otherwise)):
                    told = self.presence.told(condition, holding, facts)
                    self.use(side, facts | told, span, needed)
            case t.Openly(term=term):
                self.use(term, facts, span, needed)
            case t.Compare(op="=" | "!=", left=left, right=right):
                self._equal(left, right, facts, span)
            case t.Lookup(argument=argument) if is_kind_test(node):
                self.use(argument, facts, span, False)
            case t.Fold():
                if needed:
                    self._check(node, facts, span)
                self._fold(node, facts, span)
            case t.SomeLot(within=within, condition=condition):
                self.use(within, facts, span)
                self.use(condition, facts, span)
            case _:
                if needed and isinstance(node, t.Term):
                    self._check(node, facts, span)
                for part in parts(node):
                    self.use(part, facts, span)

    def _equal(self, left: t.Term, right: t.Term, facts: Facts, span: Span) -> None:
        """`x is y` is false where one of them is missing. Two missing tops would be equal, which
        nobody means; nobody is nobody."""
        members = left.type.base is t.Base.FACE
        one = members and not self.presence.there(right, facts)
        self.use(left, facts, span, one)
        self.use(right, facts, span, False)

    def _fold(self, fold: t.Fold, facts: Facts, span: Span) -> None:
        self.use(fold.domain, facts, span)
        if isinstance(fold.domain, t.Pieces):
            facts |= {pieces_of(fold.domain.vector, fold.domain.faces)}
        if fold.filter is not None:
            self.use(fold.filter, facts, span)
            facts |= self.presence.told(fold.filter, True, facts)
        self.use(fold.body, facts, span)

    def _check(self, term: t.Term, facts: Facts, span: Span) -> None:
        fact = self.presence.needed(term)
        if fact is None or holds(fact, facts):
            return
        assert self.reporter is not None
        place = term.span or span
        notes = () if place == span else ((span, "it is used here"),)
        if term.type.base is t.Base.PLAYER:
            message = f"{self._called(term)} may be nobody here"
            self.reporter.error("E016", place, message, NOBODY, notes)
        else:
            self.reporter.error("E017", place, self._lacking(term), NO_PIECE, notes)

    def _called(self, term: t.Term) -> str:
        if isinstance(term, t.ReadVariable):
            return f"`{self.game.variables[term.variable].name}`"
        return f"`{term.name}`" if isinstance(term, t.Local) else "this"

    def _lacking(self, term: t.Term) -> str:
        if isinstance(term, t.ZoneTop):
            name = self.game.zones[term.zone].name
            return f"`{name}` may be empty here, and then it has no top"
        if isinstance(term, t.Local):
            return f"`{term.name}` may be no piece at all here"
        inside = the_piece(term)
        zone = None if inside is None else inside.vector
        while isinstance(zone, t.Widen):
            zone = zone.vector
        there = (
            f"in `{self.game.zones[zone.zone].name}`" if isinstance(zone, t.ZoneVector) else "there"
        )
        return f"there may be no such piece {there} here"
