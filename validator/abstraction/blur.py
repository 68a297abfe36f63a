"""What a block of sentences may do, without following it: for loops of unknown length, and for
blocks with too many ways through them.

Pieces may go from any zone to any that they can reach by some chain of sentences, state that is
assigned may have any value of its range, and whatever the engine insists on inside is left open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Path, total
from gemwright.validator.abstraction.vocabulary import Vocabulary
from gemwright.validator.linear.affine import Affine, at_least, at_most, number
from gemwright.validator.rules.doing import ends_of, exits, statements
from gemwright.validator.rules.walking import OUT

Flow = tuple[int, int]
"""From one zone family to another."""

_DOUBTS: Final[Mapping[type, str]] = {
    m.MovePicked: "R002",
    m.MoveEnd: "R002",
    m.MoveFace: "R002",
    m.MoveVector: "R002",
    m.MoveAll: "R003",
    m.MoveRandom: "R002",
    m.Assign: "R001",
    m.AssignRandom: "R001",
}
"""The runtime finding that a sentence can lead to."""


class Blur:
    """Blurred blocks of one game."""

    def __init__(self, vocabulary: Vocabulary, places: Places) -> None:
        self.vocabulary = vocabulary
        self.places = places
        self.game = vocabulary.game
        self._ends = ends_of(self.game)

    def run(self, body: Sequence[m.Statement], path: Path) -> list[tuple[Path, int | None]]:
        """The ways through a block: one for each place that it may go to."""
        path.exact = False
        through, leaves = exits(tuple(body), self._ends)
        self._doubt(body, path)
        self._move(body, path)
        self._assign(body, path)
        targets: list[int | None] = list(dict.fromkeys(target for _, target, _ in leaves))
        targets += [None] if through else []
        return [(path.fork(), target) for target in targets]

    @staticmethod
    def _doubt(body: Sequence[m.Statement], path: Path) -> None:
        """What the engine insists on is not shown to hold here."""
        for each in statements(tuple(body)):
            code = _DOUBTS.get(type(each))
            if code is not None:
                doubt = path.builder.parameter(-1, 0, "not followed")
                claim, text = at_least(doubt, number(0)), "this sentence can always be done"
                path.builder.require(claim, code, text, each.span)

    def _move(self, body: Sequence[m.Statement], path: Path) -> None:
        flows = self._closed(self._flows(body, path.picked))
        zones = sorted({zone for flow in flows for zone in flow})
        transfers: list[tuple[int, int, Affine]] = []
        leaving: dict[int, list[Affine]] = {}
        for start, end in sorted(flows):
            for source, target in self._cells(start, end):
                amount = path.builder.parameter(0, None, "some")
                leaving.setdefault(source, []).append(amount)
                transfers.append((source, target, amount))
        for source, amounts in leaving.items():
            path.builder.assume(at_most(total(amounts), path.builder.value(source)))
        path.builder.move_together([each for each in transfers if each[0] != each[1]])
        for source, target, _ in transfers:
            if source == target:
                path.builder.touch(source)
        for place, kept in enumerate(self.vocabulary.places):
            if kept.zone in zones:
                self._mix(place, path)
        path.forget(*(("zone", zone) for zone in zones))
        path.thinned |= {zone for zone, _ in flows}

    def _mix(self, place: int, path: Path) -> None:
        for column in range(len(self.vocabulary.precision.columns)):
            cell = self.vocabulary.sum_of(place, column)
            if cell is not None:
                path.builder.havoc(cell)
        for family in self.vocabulary.families_at(place):
            cell = self.vocabulary.count(place, family)
            assert cell is not None
            path.builder.touch(cell)

    def _flows(self, body: Sequence[m.Statement], picked: Sequence[m.Source]) -> set[Flow]:
        found: set[Flow] = set()
        every = range(len(self.game.zones))
        for each in statements(tuple(body)):
            match each:
                case m.MovePicked():
                    starts = {source.zone for source in picked} or set(every)
                    found |= {(zone, each.to.zone) for zone in starts}
                case m.MoveAll(source=None):
                    found |= {(zone, each.to.zone) for zone in every}
                case m.MoveEnd() | m.MoveFace() | m.MoveVector() | m.MoveRandom() | m.MoveAll():
                    assert each.source is not None
                    found.add((each.source.zone, each.to.zone))
                case m.Shuffle():
                    found.add((each.zone.zone, each.zone.zone))
        for zone in self.game.zones:
            # Copied, because rows that refill from one another add to what is gone through.
            if zone.refill is not None and any(start == zone.id for start, _ in tuple(found)):
                found.add((zone.refill, zone.id))
        return found

    @staticmethod
    def _closed(flows: set[Flow]) -> set[Flow]:
        """With all chains of flows."""
        found = set(flows)
        while True:
            more = {(a, d) for a, b in found for c, d in found if b == c} - found
            if not more:
                return found
            found |= more

    def _cells(self, start: int, end: int) -> list[tuple[int, int]]:
        found = []
        for source, kept in enumerate(self.vocabulary.places):
            for target, other in enumerate(self.vocabulary.places):
                if kept.zone != start or other.zone != end:
                    continue
                for family in self.vocabulary.families_at(source):
                    pair = (
                        self.vocabulary.count(source, family),
                        self.vocabulary.count(target, family),
                    )
                    if pair[0] is not None and pair[1] is not None:
                        found.append((pair[0], pair[1]))
        return found

    def _assign(self, body: Sequence[m.Statement], path: Path) -> None:
        for each in statements(tuple(body)):
            match each:
                case m.Assign() | m.AssignRandom():
                    self._any_value(each.variable, path)
                case m.Eliminate():
                    self._maybe_out(path)

    def _any_value(self, variable: int, path: Path) -> None:
        path.explicit.pop(variable, None)
        size = self.game.variables[variable].size
        cells = [self.vocabulary.variable(variable, position) for position in range(size)]
        for cell in dict.fromkeys(cells):
            if cell is not None:
                path.builder.havoc(cell)
        path.forget(("variable", variable))

    def _maybe_out(self, path: Path) -> None:
        """Whoever is out stays out."""
        for cell in dict.fromkeys(self.vocabulary.outs):
            before = path.builder.value(cell)
            path.builder.havoc(cell)
            path.builder.assume(at_least(path.builder.value(cell), before))
        path.forget(OUT)
