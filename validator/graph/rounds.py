"""Loops in which every player has one turn a round, and zones that only the player in turn changes.

All of it is read off the control points and sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gemwright.dsl.elaboration import folding
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.graph.phase_graph import ways
from gemwright.validator.rules.doing import changes, statements

_MOVES = m.MovePicked | m.MoveEnd | m.MoveFace | m.MoveVector | m.MoveAll | m.MoveRandom


@dataclass(frozen=True, slots=True)
class Round:
    """A loop over players at the control point `test`, with the points `inside` its turns.

    There are at most `times` rounds in a game. Every player gets `dealt` pieces into `zone` before
    the first, and nothing but the player in turn changes it then. `partners` are zones between
    which and it pieces go in a turn.
    """

    test: int
    inside: frozenset[int]
    times: int
    zone: int
    dealt: int
    partners: tuple[int, ...]


def round_of(game: m.Game, point: m.Decide, zone: int) -> Round | None:
    """The loop whose player is asked at a decision, if the zone fits it."""
    return _Finding(game, zone).round_of(point)


class _Finding:
    def __init__(self, game: m.Game, zone: int) -> None:
        self._game, self._zone = game, zone
        self._onward: dict[int, set[int]] = {}
        todo = [game.start]
        while todo:
            at = todo.pop()
            if at not in self._onward:
                targets = (key for _, key, _ in ways(game, game.points[at]))
                self._onward[at] = {number for kind, number in targets if kind == "point"}
                todo.extend(self._onward[at])

    def round_of(self, point: m.Decide) -> Round | None:
        """See `round_of`."""
        test = self._loop(point)
        if test is None or test.role is None:
            return None
        inside = self._reached([test.body], {test.id})
        starts = [p for p in self._game.points if isinstance(p, m.LoopStart) and p.next == test.id]
        if len(starts) != 1 or point.id not in inside:
            return None
        start = starts[0].id
        closed = self._is_closed(inside, test.id) and start not in inside
        if not closed or self._into(test.id) - inside != {start}:
            return None
        times, dealt = self._times(start), self._dealt()
        partners = self._partners(inside, test.role)
        if times is None or dealt is None or partners is None:
            return None
        after = self._reached([start], set())
        others = [
            p for p in self._game.points if p.id in after - inside or p.id != self._game.start
        ]
        if any(self._touches(each) for each in others if each.id not in inside):
            return None
        return Round(test.id, frozenset(inside), times, self._zone, dealt, partners)

    def _loop(self, point: m.Decide) -> m.LoopTest | None:
        """The loop that names who is asked; nothing else does."""
        role = point.by
        if not isinstance(role, t.ReadVariable) or role.index is not None or point.together:
            return None
        loops = [
            each
            for each in self._game.points
            if isinstance(each, m.LoopTest) and each.role == role.variable
        ]
        changed = {change.variable for body in self._bodies() for change in changes(body)}
        whole = (
            len(loops) == 1
            and loops[0].values is None
            and not loops[0].endless
            and loops[0].seats == self._game.players
        )
        return loops[0] if whole and role.variable not in changed else None

    def _bodies(self) -> Iterator[tuple[m.Statement, ...]]:
        yield from (point.body for point in self._game.points if isinstance(point, m.Do))
        yield from (action.do for action in self._game.actions)

    # -- ways

    def _reached(self, starts: Iterable[int], but: set[int]) -> set[int]:
        """The points that play may come to without passing some others."""
        found, todo = set[int](), list(starts)
        while todo:
            at = todo.pop()
            if at not in found and at not in but:
                found.add(at)
                todo.extend(self._onward[at])
        return found

    def _into(self, point: int) -> set[int]:
        return {source for source, targets in self._onward.items() if point in targets}

    def _is_closed(self, inside: set[int], test: int) -> bool:
        """Whether play comes into a loop by its head only."""
        outside = (source for source in self._onward if source not in inside and source != test)
        return self._game.start not in inside and not any(
            self._onward[source] & inside for source in outside
        )

    def _times(self, start: int) -> int | None:
        """How often play may come to the start of a loop; None if there is no limit to be seen."""
        if start not in self._reached(self._onward[start], set()):
            return 1
        for test in self._game.points:
            if not isinstance(test, m.LoopTest) or test.values is None:
                continue
            inside = self._reached([test.body], {test.id})
            heads = self._into(test.id) - inside
            once = all(head not in self._reached(self._onward[head], set()) for head in heads)
            again = start in self._reached(self._onward[start], {test.id})
            fits = start in inside and self._is_closed(inside, test.id)
            if fits and once and len(heads) == 1 and not again:
                return len(test.values)
        return None

    # -- sentences

    def _dealt(self) -> int | None:
        """How many pieces every player gets in the setup, and nobody loses."""
        setup = self._game.points[self._game.start]
        if not isinstance(setup, m.Do) or self._game.start in self._reached(
            self._onward[setup.id], set()
        ):
            return None
        dealt = 0
        for each in setup.body:
            if isinstance(each, m.MoveAll) and each.source is None:
                # What lay there before may be somewhere else now.
                dealt = 0 if set(each.faces) & set(self._game.zones[self._zone].faces) else dealt
            elif any(self._takes(inner) for inner in statements((each,))):
                return None
            elif isinstance(each, m.ForEach) and each.domain == t.Players():
                dealt += sum(self._given(inner, each.slot) for inner in each.body)
        return dealt

    def _given(self, statement: m.Statement, slot: int) -> int:
        """How many pieces a sentence certainly gives the player of a slot."""
        sure = isinstance(statement, m.MoveFace | m.MoveRandom) or (
            isinstance(statement, m.MoveEnd) and statement.exact
        )
        if not sure:
            return 0
        assert isinstance(statement, m.MoveFace | m.MoveRandom | m.MoveEnd)
        index, count = statement.to.index, folding.scalar(statement.count)
        mine = isinstance(index, t.Local) and index.slot == slot
        return count if mine and statement.to.zone == self._zone and count is not None else 0

    def _takes(self, statement: m.Statement) -> bool:
        """Whether a sentence of the setup may take pieces from the zone, or ends what is begun."""
        if isinstance(statement, m.Leave | m.EndGame | m.Eliminate):
            return True
        if not isinstance(statement, _MOVES) or isinstance(statement, m.MovePicked):
            return False
        return statement.source is None or statement.source.zone == self._zone

    def _touches(self, point: m.Point) -> bool:
        """Whether anything at a control point may change the zone."""
        bodies = [point.body] if isinstance(point, m.Do) else []
        if isinstance(point, m.Decide):
            listed = (*point.actions, *point.fallback, *point.anytime)
            bodies = [self._game.actions[number].do for number in listed]
            if any(self._zone in self._sources(number) for number in listed):
                return True
        moves = [each for body in bodies for each in statements(body) if isinstance(each, _MOVES)]
        return any(self._zone in self._zones(each) for each in moves)

    def _refills(self) -> bool:
        """Whether pieces go from the zone or into it by themselves."""
        zones = self._game.zones
        return any(
            each.refill is not None and self._zone in (each.id, each.refill) for each in zones
        )

    def _sources(self, action: int) -> set[int]:
        domains = [parameter.domain for parameter in self._game.actions[action].parameters]
        return {
            source.zone
            for domain in domains
            if isinstance(domain, m.LotDomain | m.PieceDomain)
            for source in domain.sources
        }

    def _zones(self, move: m.Statement) -> set[int]:
        """The zones that a sentence moves pieces between; that of a pick is told elsewhere."""
        assert isinstance(move, _MOVES)
        if isinstance(move, m.MovePicked):
            return {move.to.zone}
        if move.source is None:
            return {zone.id for zone in self._game.zones}
        return {move.to.zone, move.source.zone}

    def _partners(self, inside: set[int], role: int) -> tuple[int, ...] | None:
        """The zones that exchange pieces with it in a turn; None if somebody else's may change."""
        found: dict[int, None] = {}
        for number in sorted(inside):
            point = self._game.points[number]
            if isinstance(point, m.Do):
                moves = [(each, self._is_role(role)) for each in statements(point.body)]
            elif isinstance(point, m.Decide):
                if not self._touches(point):
                    continue
                by = point.by
                asked = isinstance(by, t.ReadVariable) and by.variable == role and not by.index
                if not asked or point.together:
                    return None
                moves = []
                for action in (*point.actions, *point.fallback, *point.anytime):
                    if not self._picks_own(action, role):
                        return None
                    own = self._is_role(role, 0)
                    moves += [(each, own) for each in statements(self._game.actions[action].do)]
                    found |= dict.fromkeys(self._goals(action))
            else:
                continue
            for move, own in moves:
                if isinstance(move, _MOVES) and self._zone in self._zones(move):
                    if not self._is_own(move, own):
                        return None
                    found |= dict.fromkeys(self._zones(move))
        single = (zone for zone in sorted(found) if not self._game.zones[zone].index)
        # Of a zone with a limit most is known.
        return tuple(sorted(single, key=lambda zone: self._game.zones[zone].limit or folding.HUGE))

    def _goals(self, action: int) -> Iterator[int]:
        """Where what is picked from the zone goes."""
        kept = self._game.actions[action]
        slots = {
            parameter.slot
            for parameter in kept.parameters
            if isinstance(parameter.domain, m.LotDomain | m.PieceDomain)
            and any(source.zone == self._zone for source in parameter.domain.sources)
        }
        for each in statements(kept.do):
            if isinstance(each, m.MovePicked) and each.slot in slots:
                yield each.to.zone

    def _picks_own(self, action: int, role: int) -> bool:
        own = self._is_role(role, 0)
        return all(
            source.zone != self._zone or own(source.index)
            for parameter in self._game.actions[action].parameters
            if isinstance(parameter.domain, m.LotDomain | m.PieceDomain)
            for source in parameter.domain.sources
        )

    def _is_own(self, move: m.Statement, own: Callable[[t.Term | None], bool]) -> bool:
        assert isinstance(move, _MOVES)
        ends: list[m.Place | m.Source] = [move.to]
        if not isinstance(move, m.MovePicked):
            if move.source is None:
                return False
            ends.append(move.source)
        return all(end.zone != self._zone or own(end.index) for end in ends)

    @staticmethod
    def _is_role(role: int, slot: int | None = None) -> Callable[[t.Term | None], bool]:
        """Whether a term names the player in turn: his role, or in an action the slot of `me`."""

        def holds(index: t.Term | None) -> bool:
            if isinstance(index, t.Local):
                return index.slot == slot
            return isinstance(index, t.ReadVariable) and index.variable == role and not index.index

        return holds
