"""Facts through sentences: what each statement uses, tells and ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gemwright.dsl.checks.facts import (
    NOTHING,
    Fact,
    Facts,
    Known,
    for_every,
    holds,
    meet,
    pieces_in,
    pieces_of,
    plain,
    subject_of,
    without_slot,
    without_variable,
    without_zone,
)
from gemwright.dsl.checks.guards import Uses
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.game import Place, Source, Statement
from gemwright.dsl.model.traversal import nodes

Block = tuple[Statement, ...]
Going = Callable[[int, Facts], None]
"""Takes the facts with which a block goes on at a control point."""


class Blocks:
    """Follows facts through blocks of statements.

    Args:
        going: told of each `leave` and `end game` on the way.
    """

    def __init__(self, uses: Uses, going: Going) -> None:
        self.game = uses.game
        self.presence = uses.presence
        self._uses = uses
        self._going = going
        self.picked: Mapping[int, tuple[int, ...]] = {}
        """The zones that each picked piece or lot lies in, by frame slot."""
        everything = nodes((self.game.points, self.game.actions))
        self._eliminates = any(isinstance(each, m.Eliminate) for each in everything)
        self._ends = {p.reason: p.id for p in self.game.points if isinstance(p, m.End)}

    def block(self, body: Block, facts: Facts) -> Facts | None:
        """The facts after a block; None when no path leads to its end."""
        for statement in body:
            after = _STATEMENTS[type(statement)](self, statement, facts)
            if after is None:
                return None
            facts = after
        return facts

    def changed(self, body: Block, facts: Facts, own: t.Term | None = None) -> Facts:
        """The facts that hold however far a block has run, and however often.

        What it changes at the index `own` does not count: in other rounds that is another place.
        """
        for statement in body:
            match statement:
                case m.IfDo():
                    facts = self.changed(statement.then, facts, own)
                    facts = self.changed(statement.otherwise, facts, own)
                case m.ForEach():
                    facts = self.changed(statement.body, without_slot(facts, statement.slot), own)
                case m.Let(slot=slot):
                    facts = without_slot(facts, slot)
                case m.Assign() | m.AssignRandom():
                    if own is None or statement.index != own:
                        facts = without_variable(facts, statement.variable)
                case m.Shuffle(zone=source):
                    facts = without_zone(facts, source.zone, grows=True)
                case _:
                    facts = self._moved(statement, facts, own)
        return facts

    # -- moving ----------------------------------------------------------------------------------

    def _moved(self, statement: Statement, facts: Facts, own: t.Term | None = None) -> Facts:
        """The facts that hold after a move, wherever its pieces came from."""
        target = getattr(statement, "to", None)
        if not isinstance(target, Place):
            return facts
        source = getattr(statement, "source", None)
        if isinstance(source, Source):
            left = [source.zone] if own is None or source.index != own else []
        else:
            left = self._left(statement, target)
        for zone in left:
            refill = self.game.zones[zone].refill
            facts = without_zone(facts, zone)
            facts = facts if refill is None else without_zone(facts, refill)
        refill = self.game.zones[target.zone].refill
        if refill is not None:
            facts = without_zone(facts, refill)
        return without_zone(facts, target.zone, grows=True)

    def _left(self, statement: Statement, target: Place) -> list[int]:
        """The zones that may lose pieces to a move without a named source."""
        if isinstance(statement, m.MovePicked):
            return list(self.picked[statement.slot])
        return [zone.id for zone in self.game.zones if zone.id != target.zone]

    def _ends_of(self, move: Any, facts: Facts) -> None:
        source = getattr(move, "source", None)
        if source is not None:
            self._uses.use(source.index, facts, move.span)
        self._uses.use(move.to.index, facts, move.span)
        self._uses.use(move.to.among, facts, move.span)

    def _arrived(self, move: Any, facts: Facts, faces: tuple[int, ...] | None) -> Facts:
        """The facts after a move that has put at least one of `faces` into its target."""
        after = self._moved(move, facts)
        target: Place = move.to
        if faces is None:
            return after
        held = self.game.zones[target.zone].faces
        fact = pieces_in(target.zone, target.index, tuple(f for f in faces if f in held))
        # A place that is named by what has just moved is not the same place any more.
        return after | self._moved(move, frozenset((fact,)))

    def _move_picked(self, move: m.MovePicked, facts: Facts) -> Facts:
        self._ends_of(move, facts)
        return self._arrived(move, facts, None if move.lot else self._any(move.to))

    def _any(self, place: Place) -> tuple[int, ...]:
        return self.game.zones[place.zone].faces

    def _move_end(self, move: m.MoveEnd, facts: Facts) -> Facts:
        self._uses.use(move.count, facts, move.span)
        self._ends_of(move, facts)
        certain = move.exact and move.count.type.low >= 1
        return self._arrived(move, facts, self._any(move.to) if certain else None)

    def _move_face(self, move: m.MoveFace, facts: Facts) -> Facts:
        self._uses.use(move.count, facts, move.span)
        self._uses.use(move.face, facts, move.span)
        self._ends_of(move, facts)
        certain = move.count.type.low >= 1
        return self._arrived(move, facts, move.face.type.faces if certain else None)

    def _move_vector(self, move: m.MoveVector, facts: Facts) -> Facts:
        self._uses.use(move.vector, facts, move.span)
        self._ends_of(move, facts)
        return self._arrived(move, facts, None)

    def _move_random(self, move: m.MoveRandom, facts: Facts) -> Facts:
        self._uses.use(move.count, facts, move.span)
        self._ends_of(move, facts)
        return self._arrived(move, facts, move.faces if move.count.type.low >= 1 else None)

    def _move_all(self, move: m.MoveAll, facts: Facts) -> Facts:
        self._ends_of(move, facts)
        if move.source is None:
            exist = any(self.game.faces[face].count for face in move.faces)
            return self._arrived(move, facts, move.faces if exist else None)
        self._uses.use(move.filter, facts, move.span)
        from_ = pieces_in(move.source.zone, move.source.index, move.faces)
        certain = move.filter is None and holds(from_, facts)
        return self._arrived(move, facts, move.faces if certain else None)

    # -- state -----------------------------------------------------------------------------------

    def _assign(self, change: m.Assign, facts: Facts) -> Facts:
        variable = self.game.variables[change.variable]
        self._uses.use(change.index, facts, change.span)
        optional = variable.type.optional
        self._uses.use(change.value, facts, change.span, needed=not optional)
        after = without_variable(facts, change.variable)
        if optional and self.presence.there(change.value, facts):
            after |= self._set(change, variable, after)
        return after

    def _assign_random(self, change: m.AssignRandom, facts: Facts) -> Facts:
        variable = self.game.variables[change.variable]
        self._uses.use(change.index, facts, change.span)
        self._uses.use(change.domain, facts, change.span)
        after = without_variable(facts, change.variable)
        return after | self._set(change, variable, after) if variable.type.optional else after

    def _set(self, change: m.Assign | m.AssignRandom, variable: m.Variable, after: Facts) -> Facts:
        """The fact that a variable now is somebody."""
        read = t.ReadVariable(variable.type, change.span, change.variable, change.index)
        fact: Facts = frozenset((Known(plain(read)),))
        index = NOTHING if change.index is None else frozenset((Known(change.index),))
        return fact if without_variable(index, change.variable) == index else NOTHING

    def _let(self, let: m.Let, facts: Facts) -> Facts:
        self._uses.use(let.value, facts, let.span, needed=False)
        after = without_slot(facts, let.slot)
        if self.presence.there(let.value, facts):
            return after | {Known(t.Local(let.value.type, let.span, let.slot, let.name))}
        self.presence.doubted.add(let.slot)
        return after

    # -- control ---------------------------------------------------------------------------------

    def _if(self, statement: m.IfDo, facts: Facts) -> Facts | None:
        self._uses.use(statement.condition, facts, statement.span)
        sides = []
        for holding, body in ((True, statement.then), (False, statement.otherwise)):
            told = self.presence.told(statement.condition, holding, facts)
            sides.append(self.block(body, facts | told))
        return meet(sides[0], sides[1])

    def _for(self, loop: m.ForEach, facts: Facts) -> Facts:
        self._uses.use(loop.domain, facts, loop.span)
        around = self.changed(loop.body, without_slot(facts, loop.slot))
        inside = around
        if isinstance(loop.domain, t.Pieces):
            there = frozenset((pieces_of(loop.domain.vector, loop.domain.faces),))
            inside |= self.changed(loop.body, there)
        last = self.block(loop.body, inside)
        return around if last is None else around | self._of_all(loop, last)

    def _of_all(self, loop: m.ForEach, last: Facts) -> Facts:
        """What the rounds of a loop have made true of every player or member, one after another."""
        found: list[Fact] = []
        for fact in last:
            index = getattr(subject_of(fact), "index", None)
            size = self._size_of(subject_of(fact))
            if size is None or size != self._rounds(loop, index):
                continue
            if fact in self.changed(loop.body, frozenset((fact,)), index):
                found.append(for_every(fact))
        return frozenset(found)

    def _size_of(self, subject: t.Term) -> int | None:
        """How many zone instances or state values there are beside a subject."""
        match subject:
            case t.ZoneSize(zone=zone):
                return self.game.zones[zone].size
            case t.ReadVariable(variable=variable):
                return self.game.variables[variable].size
        return None

    def _rounds(self, loop: m.ForEach, index: t.Term | None) -> int | None:
        """How many different places an index names in the rounds of a loop, where that is sure."""
        match loop.domain:
            case t.Players(other=None) if not self._eliminates:
                sure = isinstance(index, t.Local) and index.slot == loop.slot
                return self.game.players if sure else None
            case t.Faces(faces=faces) if isinstance(index, t.Lookup):
                inner = index.argument
                if isinstance(inner, t.Local) and inner.slot == loop.slot:
                    return len({index.values[face - index.base] for face in faces})
        return None

    def _show(self, show: m.Show, facts: Facts) -> Facts:
        self._uses.use(show.zone.index, facts, show.span)
        self._uses.use(show.to, facts, show.span)
        return facts

    def _tell(self, tell: m.Tell, facts: Facts) -> Facts:
        self._uses.use(tell.value, facts, tell.span, needed=False)
        self._uses.use(tell.to, facts, tell.span)
        return facts

    def _shuffle(self, shuffle: m.Shuffle, facts: Facts) -> Facts:
        self._uses.use(shuffle.zone.index, facts, shuffle.span)
        return without_zone(facts, shuffle.zone.zone, grows=True)

    def _eliminate(self, statement: m.Eliminate, facts: Facts) -> Facts:
        self._uses.use(statement.player, facts, statement.span)
        return facts

    def _leave(self, leave: m.Leave, facts: Facts) -> None:
        self._going(leave.target, facts)

    def _end_game(self, end: m.EndGame, facts: Facts) -> None:
        self._going(self._ends[end.reason], facts)


_STATEMENTS: Final[dict[type[Statement], Callable[[Blocks, Any, Facts], Facts | None]]] = {
    m.MovePicked: Blocks._move_picked,
    m.MoveEnd: Blocks._move_end,
    m.MoveFace: Blocks._move_face,
    m.MoveVector: Blocks._move_vector,
    m.MoveAll: Blocks._move_all,
    m.MoveRandom: Blocks._move_random,
    m.Shuffle: Blocks._shuffle,
    m.Assign: Blocks._assign,
    m.AssignRandom: Blocks._assign_random,
    m.Let: Blocks._let,
    m.IfDo: Blocks._if,
    m.ForEach: Blocks._for,
    m.Show: Blocks._show,
    m.Tell: Blocks._tell,
    m.Eliminate: Blocks._eliminate,
    m.Leave: Blocks._leave,
    m.EndGame: Blocks._end_game,
}
