"""Looks at random games from inside: does what is declared to fall really fall, does play jump over
a number that a condition waits for, does a cap cut it off?

What is found happened in a game, so it is never wrong; that nothing is found proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.elaboration import folding
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import POINT, Block, Layout
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.validator.rules.deciding import leads_to_end


class Broken(Exception):
    """A rule is broken for certain: the game need not go on."""


@dataclass(frozen=True, slots=True)
class _Waited:
    """A number that a line of `next` waits for, once for each player if `slot` is not None."""

    arm: m.Arm
    number: t.Term
    goal: int
    slot: int | None


class Watcher:
    """Watches one game after another; what it finds goes to a reporter.

    `falling`: whether to look at what is declared to fall.
    """

    def __init__(self, model: m.Game, reporter: Reporter, falling: bool = True) -> None:
        self._model = model
        self._reporter = reporter
        self._layout = Layout(model)
        self._evaluator = Evaluator(self._layout)
        self._measures = {each.enter: each for each in model.measures} if falling else {}
        self._laps = {
            point.id: measure
            for measure in self._measures.values()
            for point in model.points
            if isinstance(point, m.LoopTest) and point.endless and point.phase == measure.phase
        }
        self._waited = {
            point.id: tuple(_waited(model, point))
            for point in model.points
            if isinstance(point, m.Branch)
        }
        self.begin()

    def begin(self) -> None:
        """A new game begins."""
        self._last: dict[int, tuple[int, ...]] = {}
        self._seen: dict[tuple[int, int, int], int] = {}
        self._resting = -1
        self.cut: m.Count | None = None
        """The cap that was reached, if any."""

    def leaving(self, block: Block) -> None:
        """A move is about to be made: what is asked again at once has not gone round."""
        self._resting = block[POINT]

    def passing(self, block: Block) -> None:
        """Look at a block as it passes a control point.

        Raises:
            Broken: what is declared to fall did not; it was reported.
        """
        here, resting = block[POINT], self._resting
        self._resting = -1
        if here == resting:
            return
        point = self._model.points[here]
        for position, waited in enumerate(self._waited.get(here, ())):
            self._look(waited, (here, position), block)
        if isinstance(point, m.Count):
            counter = self._model.variables[point.counter].offset
            self.cut = point if block[counter] >= point.times else None
        measure = self._measures.get(here) or self._laps.get(here)
        if measure is not None:
            self._compare(measure, here, block)
        elif isinstance(point, m.Count):
            self._begin_anew(point.phase, here)
        elif isinstance(point, m.LoopTest):
            self._begin_inner(point.phase)

    # -- what falls

    def _compare(self, measure: m.Measure, here: int, block: Block) -> None:
        values = self._values(measure.terms, block)
        before = self._last.get(here)
        self._begin_anew(measure.phase, here)
        self._last[here] = values
        if before is not None and values >= before:
            pairs = zip(before, values, strict=True)
            how = next((f"from {a} to {b}" for a, b in pairs if a != b), "not at all")
            self._reporter.error(
                "T011",
                measure.span,
                f"what is declared to fall goes {how} in a round of `{_name(measure.phase)}`",
                "name what falls each time round, or a `cap`",
            )
            raise Broken

    def _heads(self) -> Iterator[tuple[int, m.Measure]]:
        yield from self._measures.items()
        yield from self._laps.items()

    def _begin_anew(self, phase: str, here: int) -> None:
        """A loop goes round at `here`: the loops that it is not inside of begin anew."""
        for place, measure in self._heads():
            inside = _is_inside(measure.phase, phase)
            same_entry = measure.phase == phase and here in self._laps
            if place != here and not inside and not same_entry:
                self._last.pop(place, None)

    def _begin_inner(self, phase: str) -> None:
        """A counted loop goes round: the loops inside of it begin anew."""
        for place, measure in self._heads():
            if _is_inside(phase, measure.phase):
                self._last.pop(place, None)

    def _values(self, terms: tuple[t.Term, ...], block: Block) -> tuple[int, ...]:
        return tuple(self._evaluator.value(each, block, self._layout.frame()) for each in terms)

    # -- what is jumped over

    def _look(self, waited: _Waited, place: tuple[int, int], block: Block) -> None:
        seats = range(self._model.players) if waited.slot is not None else (0,)
        for seat in seats:
            frame = self._layout.frame()
            if waited.slot is not None:
                frame[waited.slot] = seat
            value = self._evaluator.value(waited.number, block, frame)
            before = self._seen.get((*place, seat))
            self._seen[(*place, seat)] = value
            if before is not None and min(before, value) < waited.goal < max(before, value):
                self._reporter.warning(
                    "T006",
                    waited.arm.span,
                    f"play jumps over what ends the game here: from {before} to {value}, and "
                    f"{waited.goal} is waited for",
                    "compare with `>=` or `<=`",
                )


def _waited(model: m.Game, point: m.Branch) -> Iterator[_Waited]:
    """The numbers whose exact value ends the game at a branch."""
    for arm in point.arms:
        if arm.condition is None or not leads_to_end(model, arm.target):
            continue
        slot, test = None, arm.condition
        if isinstance(test, t.Fold) and isinstance(test.domain, t.Players):
            if test.op != "some" or test.filter is not None or test.body is None:
                continue
            slot, test = test.slot, test.body
        if isinstance(test, t.Compare) and test.op == "=" and test.left.type.base is t.Base.INT:
            goal = folding.scalar(test.right)
            if goal is not None:
                yield _Waited(arm, test.left, goal, slot)


def _is_inside(outer: str, inner: str) -> bool:
    """Whether a phase lies inside another one."""
    return inner.startswith(f"{outer}/")


def _name(phase: str) -> str:
    return phase.rpartition("/")[2]
