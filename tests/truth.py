"""What is proved of tiny games, against all plays that these games have.

    python -m tests.truth --games 500 [--first 0] [--show NUMBER]

makes rulesets at random, one for each number, plays each of them in every way there is, and holds
the verdicts against that. A contradiction ends it with the number that shows it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.block import POINT, Block, initial_block
from gemwright.interpreter.evaluation import effects
from gemwright.interpreter.game import Game
from gemwright.validator.abstraction.ladder import rungs
from gemwright.validator.abstraction.lowering import Lowered, TooLarge, lower
from gemwright.validator.analysing import Analysis, Analyst
from gemwright.validator.certificate.checker import check
from gemwright.validator.plays.descent import Seen
from gemwright.validator.plays.monitor import Monitor
from tests.exhaustive import Exploration, Step, Truth
from tests.tiny_games import Writer

MOST_STATES: Final = 400
"""Of a game with more states as many are looked at."""
EVERY: Final = 20
"""After so many texts it is told what was seen until then."""
MOST_STEPS: Final = 2_000
"""What goes on so long without a decision goes on for ever, in games so small."""
_NEEDED: Final = ("R001", "R002")
"""What stops a game where a number leaves its range or pieces are missing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was proved of a game, what is true of it, and where the two contradict each other."""

    proved: Analysis
    truth: Truth
    wrong: tuple[str, ...]


def compare(model: m.Game) -> Outcome:
    """Prove what can be proved of a game and play it in every way."""
    game = Game(model)
    watches = [_Watch(game, lowered, name) for name, lowered in _systems(model)]
    exploration = Exploration(game, MOST_STATES)
    wrong: dict[str, None] = {}
    with patch.object(effects, "STEP_BUDGET", MOST_STEPS):
        for step in exploration.steps():
            for watch in watches:
                wrong.update(dict.fromkeys(watch.missed(step)))
    proved = Analyst("tiny").analyse(model, True)
    wrong.update(dict.fromkeys(_contradictions(proved, exploration.truth)))
    return Outcome(proved, exploration.truth, tuple(wrong))


def _systems(model: m.Game) -> Iterator[tuple[str, Lowered]]:
    for rung in rungs(model):
        try:
            yield rung.name, lower(model, rung.precision)
        except TooLarge:
            continue


def _contradictions(proved: Analysis, truth: Truth) -> Iterator[str]:
    if proved.termination == "proved":
        if truth.endless:
            yield "play can go on for ever, and it was proved to end"
        if proved.moves is not None and truth.longest > proved.moves:
            yield f"a play has {truth.longest} moves, and {proved.moves} were the most"
        if proved.certificate is not None and check(proved.certificate) != proved.moves:
            yield "the certificate does not say what was proved"
    if proved.termination == "refuted" and truth.whole and not truth.endless:
        yield "every play ends, and one was found that does not"
    if proved.deadlock_free == "proved" and truth.stuck:
        yield "somebody has nothing to choose, and that was proved never to be"
    lines = {(each.path, each.line) for each in proved.needs.open}
    for problem in truth.problems:
        here = problem.span.path, problem.span.line
        if problem.code in _NEEDED and here not in lines:
            yield f"{problem.code} in line {problem.span.line}, which was not to be"


class _Watch:
    """Looks at steps of play from one abstract system."""

    def __init__(self, game: Game, lowered: Lowered, name: str) -> None:
        self._monitor = Monitor(game, lowered)
        self._game, self._lowered, self._name = game, lowered, name
        self._blank = Seen(
            lowered.system.start, self._monitor.readings.values(initial_block(game.model, 0))
        )
        self._moves = defaultdict[int, list[int]](list)
        for at, edge in enumerate(lowered.system.edges):
            if edge.sufficient and edge.action >= 0:
                self._moves[edge.source].append(at)
        self._looked: set[tuple[int, ...]] = set()

    def missed(self, step: Step) -> Iterable[str]:
        """What the system says wrong of a step."""
        problem = step.after.problem
        if problem is None:
            yield from self._followed(step)
        if problem is None or problem.code == "R006":
            yield from self._offers(step.after.block, stuck=problem is not None)

    def _followed(self, step: Step) -> Iterator[str]:
        seen = self._monitor.readings.seen
        before, after = seen(step.before) if step.before else self._blank, seen(step.after.block)
        if before is None or after is None:
            yield f"{self._name}: play rests where the system has no point"
        elif self._monitor.passage(before, after, step.moves) is None:
            points, cells = self._lowered.system.points, self._lowered.system.cells
            way = f"{points[before.point].label} to {points[after.point].label}"
            pairs = zip(cells, before.values, after.values, strict=True)
            changed = ", ".join(f"{cell.label} {a} -> {b}" for cell, a, b in pairs if a != b)
            yield f"{self._name}: no way from {way} with {changed}"

    def _offers(self, block: Block, stuck: bool) -> Iterator[str]:
        """Actions that were to be possible for certain, and are not."""
        decides = isinstance(self._game.model.points[block[POINT]], m.Decide)
        here = self._monitor.readings.seen(block) if decides else None
        if here is None or tuple(block) in self._looked:
            return
        self._looked.add(tuple(block))
        machine = self._game.machine
        offered = () if stuck else {a for each in machine.offers(block) for a in each.actions}
        for at in self._moves[here.point]:
            edge = self._lowered.system.edges[at]
            if edge.action not in offered and any(
                all(row.holds(here.values.__getitem__) for row in way) for way in edge.sufficient
            ):
                if not self._is_asked(block, edge.action) and offered:
                    continue
                name = self._game.model.actions[edge.action].name
                yield f"{self._name}: {name} was to be possible, and is not"

    def _is_asked(self, block: Block, action: int) -> bool:
        """Fallback actions are offered only when nothing else is."""
        point = self._game.model.points[block[POINT]]
        assert isinstance(point, m.Decide)
        return action in point.actions


@dataclass(slots=True)
class Tally:
    """What was seen of games made at random."""

    texts: int = 0
    games: int = 0
    whole: int = 0
    states: int = 0
    proved: int = 0
    endless: int = 0
    stuck: int = 0
    stopped: int = 0

    def line(self) -> str:
        """All of it."""
        return ", ".join(f"{name} {getattr(self, name)}" for name in self.__slots__)

    def add(self, found: Outcome) -> None:
        """One more game."""
        self.games += 1
        self.whole += found.truth.whole
        self.states += found.truth.states
        self.proved += found.proved.termination == "proved"
        self.endless += found.truth.endless
        self.stuck += found.truth.stuck
        self.stopped += bool(found.truth.problems)


def tiny(number: int, folder: Path) -> m.Game | None:
    """The game of a number; None if its text is no rules."""
    path = folder / "tiny.gem.yaml"
    path.write_text(Writer(number).ruleset(), encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    return None if rules is None else rules.instantiate(rules.players[0], {}, reporter)


def main(words: Sequence[str] | None = None) -> int:
    """Make games and hold their verdicts against all their plays; 1 at the first contradiction."""
    parser = argparse.ArgumentParser(prog="python -m tests.truth")
    parser.add_argument("--games", type=int, default=100, help="texts to make")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--show", type=int, help="print the text of a number, nothing else")
    args = parser.parse_args(words)
    if args.show is not None:
        print(Writer(args.show).ruleset(), end="")
        return 0
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.first, args.first + args.games):
            tally.texts += 1
            model = tiny(number, Path(folder))
            if model is not None:
                found = compare(model)
                tally.add(found)
                if found.wrong:
                    print(f"{number}:", *found.wrong, sep="\n  ")
                    return 1
            if tally.texts % EVERY == 0 or tally.texts == args.games:
                print(tally.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
