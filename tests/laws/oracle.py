"""What may look different to a player in two worlds, decided from the declarations alone.

It reads `Zone.sight`, `Variable.sight`, addressees and secrecy, and asks nothing of the modules
that make views and logs, so that a mistake there is not repeated here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter import events as e
from gemwright.interpreter.block import POINT
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.information import seen as logs
from gemwright.interpreter.information.sight import Sight
from gemwright.interpreter.moves import Move
from gemwright.interpreter.state import State

TWIN_TRIES = 6
"""How often a move is looked for that differs only in what the viewer does not see."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Before the event numbers `cuts`, one per world, all must look equal.

    With `licensed` the events there may look different; `shows` says that the log must show the
    difference of the two events there.
    """

    cuts: tuple[int, int]
    licensed: bool
    shows: bool = False

    def is_blind(
        self, sight: Sight, events: tuple[Sequence[e.Event], Sequence[e.Event]], viewer: int
    ) -> bool:
        """Whether the log should show a difference and does not."""
        found = [
            logs.see(sight, each[cut], viewer)
            for each, cut in zip(events, self.cuts, strict=True)
            if self.shows
        ]
        return self.shows and found[0] == found[1]


class Oracle:
    """Says from the declarations alone which differences a viewer may notice."""

    def __init__(self, before: tuple[State, State], viewer: int) -> None:
        self.model = before[0].model
        self.viewer = viewer
        self.before = before
        point = self.model.points[before[0].block[POINT]]
        self.was_sealed = isinstance(point, m.Decide) and point.together
        self.drawn = _drawn_from_pieces(self.model)

    def same_move(self, move: Move, decision: Decision, stream: Stream) -> Move | None:
        """A move of the second world that looks like one of the first, but often differs.

        The viewer makes the same move. Another player may pick other things that the viewer does
        not see: hidden pieces, or anything in secret. None if there is no such move.
        """
        if decision.player != self.viewer and move.values:
            wanted = self._open_move(move, decision.player, self.before[0])
            for _ in range(TWIN_TRIES):
                found = decision.sample(stream, "walk")
                if found.action != move.action or found == move:
                    continue
                if self._open_move(found, decision.player, self.before[1]) == wanted:
                    return found
        return move if decision.check(move) is None else None

    def _open_move(self, move: Move, player: int, before: State) -> list[object]:
        action = next(each for each in self.model.actions if each.name == move.action)
        secret = tuple(parameter.secret for parameter in action.parameters)
        return self._open_values(e.Chosen(player, action.id, move.values, secret), before)

    def judge(
        self, events: tuple[Sequence[e.Event], Sequence[e.Event]], after: tuple[State, State]
    ) -> Verdict:
        one, other = (
            [at for at, each in enumerate(found) if self._notices(each)] for found in events
        )
        for left, right in zip(one, other, strict=False):
            if self._licensed(events[0][left], events[1][right]):
                shows = not isinstance(events[0][left], e.Chosen | e.Passed)
                return Verdict((left, right), True, shows)
        ends = len(events[0]), len(events[1])
        if len(one) < len(other) and self._open_turn(after[0]):
            return Verdict((ends[0], other[len(one)]), True)
        if len(one) > len(other) and self._open_turn(after[1]):
            return Verdict((one[len(other)], ends[1]), True)
        return Verdict(ends, False)

    def _notices(self, event: e.Event) -> bool:
        if isinstance(event, e.Assigned):
            return self._sees_cell(event.variable, event.position)
        if isinstance(event, e.Published | e.Shown):
            return event.to is None or self.viewer in event.to
        return True

    def _sees_cell(self, variable: int, position: int) -> bool:
        declared = self.model.variables[variable]
        if declared.sight == "all":
            return True
        return declared.sight == "owner" and declared.labels[position] == f"P{self.viewer + 1}"

    def _open_turn(self, rests: State) -> bool:
        """Whether a world stopped to ask another player, where the rules go on if he has nothing.

        That somebody has nothing to choose is told by what happens then.
        """
        point = self.model.points[rests.block[POINT]]
        asked = [decision.player for decision in rests.pending]
        if not isinstance(point, m.Decide) or not asked or self.viewer in asked:
            return False
        return point.together or point.fallback_pass or point.otherwise is not None

    def _licensed(self, one: e.Event, other: e.Event) -> bool:
        """Whether the viewer may notice that these two differ."""
        if isinstance(one, e.Moved) and isinstance(other, e.Moved):
            return self._same_way(one, other) and self._tells_apart(one, other)
        if isinstance(one, e.Assigned) and isinstance(other, e.Assigned):
            same = (one.variable, one.position) == (other.variable, other.position)
            return same and one.value != other.value and one.variable in self.drawn
        if isinstance(one, e.Published) and isinstance(other, e.Published):
            same = (one.text, one.span, one.to) == (other.text, other.span, other.to)
            return same and one.value != other.value
        if isinstance(one, e.Shown) and isinstance(other, e.Shown):
            same = (one.instance, one.to) == (other.instance, other.to)
            return same and one.faces != other.faces
        picks = (e.Chosen, e.Passed)
        if isinstance(one, picks) and isinstance(other, picks):
            return self._other_pick(one, other)
        return False

    def _other_pick(self, one: e.Chosen | e.Passed, other: e.Chosen | e.Passed) -> bool:
        """Whether the sealed picks of another player, opened now, look different."""
        if not self.was_sealed or one.player != other.player or one.player == self.viewer:
            return False
        if isinstance(one, e.Passed) or isinstance(other, e.Passed):
            return one != other
        if one.action != other.action:
            return True
        return self._open_values(one, self.before[0]) != self._open_values(other, self.before[1])

    def _open_values(self, event: e.Chosen, before: State) -> list[object]:
        """The values of a pick as far as the viewer may see them."""
        action = self.model.actions[event.action]
        evaluator, frame = before._machine.evaluator, before._machine.layout.frame()
        frame[0] = event.player
        found: list[object] = []
        for parameter, value in zip(action.parameters, event.values, strict=True):
            frame[parameter.slot] = value
            domain = parameter.domain
            if parameter.secret:
                found.append(None)
            elif isinstance(value, int):
                found.append(value)
            elif isinstance(domain, m.PieceDomain):
                found.append((value[0], self._class(value[0], value[1])))
            elif isinstance(domain, m.LotDomain):
                places = [
                    evaluator.instance(each.zone, each.index, before.block, frame)
                    for each in domain.sources
                ]
                looks: Counter[object] = Counter()
                for cell, count in zip(domain.cells, value, strict=True):
                    at = places[cell.source]
                    looks[(cell.source, self._class(at, cell.face))] += count
                found.append({look: count for look, count in looks.items() if count})
        return found

    def _same_way(self, one: e.Moved, other: e.Moved) -> bool:
        """Whether what everybody sees of two moves is the same: from where to where, how many."""
        ways = [
            (each.source, each.target, each.from_end, each.to_end, each.refill)
            for each in (one, other)
        ]
        sizes = [sum(count for _, count in each.faces) for each in (one, other)]
        return ways[0] == ways[1] and sizes[0] == sizes[1]

    def _tells_apart(self, one: e.Moved, other: e.Moved) -> bool:
        ends = (one.source, one.target)
        looks = [
            [
                tuple(self._class(end, face) for end in ends)
                for face, count in each.faces
                for _ in range(count)
            ]
            for each in (one, other)
        ]
        if any(self._sees_order(end) for end in ends):
            return looks[0] != looks[1]
        return Counter(looks[0]) != Counter(looks[1])

    def _zone(self, instance: int) -> m.Zone:
        zones = self.model.zones
        return next(each for each in zones if each.first <= instance < each.first + each.size)

    def _class(self, instance: int, face: int) -> int:
        zone = self._zone(instance)
        return zone.sight[instance - zone.first][self.viewer][zone.faces.index(face)]

    def _sees_order(self, instance: int) -> bool:
        zone = self._zone(instance)
        classes = zone.sight[instance - zone.first][self.viewer]
        return zone.order != "counts" and len(set(classes)) == len(classes)


def _drawn_from_pieces(model: m.Game) -> set[int]:
    """The variables that become a random member of a zone: what lies there may be hidden."""
    found = set()
    todo: list[object] = [model.points, model.actions]
    while todo:
        node = todo.pop()
        if isinstance(node, m.AssignRandom) and isinstance(node.domain, t.Pieces):
            found.add(node.variable)
        elif isinstance(node, tuple):
            todo.extend(node)
        elif isinstance(node, m.Statement | m.Point | m.Action):
            todo.extend(getattr(node, name, None) for name in ("body", "do", "then", "otherwise"))
    return found
