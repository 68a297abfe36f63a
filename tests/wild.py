"""Bundled rules changed at random: what is proved of them must hold when they are played.

    python -m tests.wild --mutants 200 --progress wild.json [RULESET ..]

makes mutants of each ruleset, one after another from their numbers, validates each at its smallest
player count, and plays the ones that load. `--progress` names a file in which the work is written
down; the same command goes on from there. Nothing may crash, no budget may be exceeded, and nothing
may be PROVED that play contradicts: see `Claims`.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import Ruleset, bundled, open_ruleset
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import Game
from gemwright.interpreter.state import State
from gemwright.validator import analysing
from gemwright.validator.abstraction.ladder import climb
from gemwright.validator.api import FileReport, Verdict, validate
from gemwright.validator.certificate.checker import check
from gemwright.validator.linear.budget import Budget
from gemwright.validator.plays.lasso import Sameness
from gemwright.validator.plays.monitor import Monitor

KINDS: Final = ("edge", "comparison", "component", "zones", "range")
"""What is changed: an edge dropped, a comparison turned round, pieces lost or added, two zones
exchanged, a range or a limit changed."""
MOST_MOVES: Final = 400
_NEEDED: Final = ("R001", "R002")
"""What stops a game where a number leaves its range or pieces are missing."""
STREAM: Final = 1_000
"""Streams of the generator from here on make mutants; lower ones play."""


@dataclass(frozen=True, slots=True)
class Change:
    """A piece of the rules file and what stands there instead."""

    start: int
    end: int
    instead: str


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a mutant: `fate` is 'refused' at load, or the verdict on termination; `stops`
    the code of a rule that broke in play, if one did."""

    fate: str
    stuck_free: str = ""
    stops: str = ""


class Claims(AssertionError):
    """Something was proved that play contradicts."""


def changes(text: str, kind: str) -> list[Change]:
    """All single changes of a kind, in the order of the file."""
    found: dict[str, Iterator[Change]] = {
        "edge": _edges(text),
        "comparison": _comparisons(text),
        "component": _components(text),
        "zones": _zones(text),
        "range": _ranges(text),
    }
    return list(found[kind])


def _edges(text: str) -> Iterator[Change]:
    """A line of `next` or a sentence is gone, an `otherwise` is another one."""
    for each in re.finditer(r"^ +(to \w+ when .*|otherwise: \w+|leave \w+.*)\n", text, re.M):
        yield Change(each.start(), each.end(), "")
    for each in re.finditer(r"(?<=otherwise: )\w+", text):
        yield Change(each.start(), each.end(), "pass")
    for each in re.finditer(r"^( +)(move|\w+(?:\[\w+\])? (?:\+=|-=|:=)) .*$", text, re.M):
        yield Change(each.start(), each.end(), f"{each[1]}let nothing_here = 0")


def _comparisons(text: str) -> Iterator[Change]:
    turned = {"<=": (">=", "<"), ">=": ("<=", ">"), "=": ("!=", ">="), "<": (">=", "<=")}
    for each in re.finditer(r"(?<= )(<=|>=|=|<)(?= )", text):
        for instead in turned[each[1]]:
            yield Change(each.start(), each.end(), instead)


def _components(text: str) -> Iterator[Change]:
    """Other numbers of pieces, where they are declared, chosen or moved."""
    numbers = r"(?<=count: )\d+|(?<=move )\d+|(?<=top )\d+(?= of)|(?<=values: \[)\d+"
    for each in re.finditer(numbers, text):
        for number in (0, int(each[0]) - 1, int(each[0]) + 1):
            yield Change(each.start(), each.end(), str(max(number, 0)))
    for each in re.finditer(r"(?<=from )(\w+(?:\[\w+\])?) to [\w.]+(?:\[\w+\])?", text):
        yield Change(each.start(), each.end(), f"{each[1]} to box")


def _zones(text: str) -> Iterator[Change]:
    """The ends of a move exchanged."""
    for each in re.finditer(r"from ((?:my )?\w+(?:\[\w+\])?) to ((?:my )?\w+(?:\[\w+\])?)", text):
        yield Change(each.start(), each.end(), f"from {each[2]} to {each[1]}")
    names = re.findall(r"^  (\w+): \{holds", text, re.M)
    for each in re.finditer(r"(?<=to )(?:my )?(\w+)", text):
        if each[1] in names:
            other = names[(names.index(each[1]) + 1) % len(names)]
            yield Change(each.start(1), each.end(1), other)


def _ranges(text: str) -> Iterator[Change]:
    for each in re.finditer(r"(?<=range: )(-?\d+)\.\.(\d+)", text):
        low, high = int(each[1]), int(each[2])
        for other in ((low, high + 5), (low, max(low, high // 2)), (low - 3, high)):
            yield Change(each.start(), each.end(), f"{other[0]}..{other[1]}")
    for each in re.finditer(r"(?<=limit: )\d+|(?<=times: )\d+", text):
        yield Change(each.start(), each.end(), str(int(each[0]) + 7))


class Wilderness:
    """A ruleset and a copy of its folder, in which its rules file is changed."""

    def __init__(self, name: str, folder: Path) -> None:
        source = bundled()[name]
        home = source.parents[1] if source.parent.name == "variants" else source.parent
        shutil.copytree(home, folder / home.name)
        self.name = name
        self.path = folder / source.relative_to(home.parent)
        self.text = source.read_text(encoding="utf-8")

    def mutant(self, picks: Sequence[tuple[str, int]]) -> str:
        """The text with changes, each named by its kind and a number."""
        text = self.text
        for kind, number in picks:
            possible = changes(text, kind)
            if possible:
                change = possible[number % len(possible)]
                text = f"{text[: change.start]}{change.instead}{text[change.end :]}"
        return text

    def tell(self, text: str, games: int = 3) -> Told:
        """Validate a mutant and play it.

        Raises:
            Claims: something was proved that play contradicts.
        """
        self.path.write_text(text, encoding="utf-8")
        rules = open_ruleset(str(self.path), Reporter())
        if rules is None:
            return Told("refused")
        budgets = _Budgets()
        with patch.object(analysing, "Budget", budgets.made):
            (report,) = validate(self.path, players=rules.players[0], options={}).files
        budgets.check()
        if not report.verdicts:
            return Told("refused")
        return _played(rules, report, games)


class _Budgets:
    """Looks at the budgets that an analysis gives out."""

    def __init__(self) -> None:
        self.given: list[_Counted] = []

    def made(self, most: int) -> _Counted:
        """In place of the class of budgets: what is given out can be asked afterwards."""
        self.given.append(_Counted(most))
        return self.given[-1]

    def check(self) -> None:
        for each in self.given:
            assert each.spent - each.last <= each.most, "work went on when the budget was spent"


class _Counted(Budget):
    last = 0

    def spend(self, steps: int = 1) -> None:
        self.last = steps
        super().spend(steps)


def _played(rules: Ruleset, report: FileReport, games: int) -> Told:
    (verdict,) = report.verdicts
    if verdict.certificate is not None and check(verdict.certificate) != verdict.moves:
        raise Claims("the certificate does not say what the verdict says")
    model = rules.instantiate(verdict.players, {}, Reporter())
    assert model is not None
    game, stops = Game(model, rules), ""
    for lowered in climb(model):
        Monitor(game, lowered).play(5, 0, MOST_MOVES)
        break
    for index in range(games):
        stops = compare(game, verdict, index) or stops
    return Told(verdict.termination, verdict.deadlock_free, stops)


def compare(game: Game, verdict: Verdict, index: int) -> str:
    """Play a game and hold it against a verdict; the code of what stopped it."""
    state, stream = game.start(9, index), Stream(9, index, 2)
    same, made, met = Sameness(game.model), 0, set[tuple[int, ...]]()
    proved = verdict.termination == "proved"
    counts = _pieces(state)
    while not state.is_over and made < MOST_MOVES:
        key = same.key(state)
        if proved and key in met and len(state.pending) == 1:
            raise Claims(f"game {index}: a state came again, and every play was to end")
        met.add(key)
        decision = state.pending[0]
        style = "small_first" if index % 2 else "uniform"
        state.apply(decision.sample(stream, style), decision.player)
        made += 1
    if proved and verdict.moves is not None and made > verdict.moves:
        raise Claims(f"game {index}: {made} moves, and {verdict.moves} were the most")
    code = state.problem.code if state.problem is not None else ""
    if code == "R005" and proved:
        raise Claims(f"game {index}: a move without an end, and every play was to end")
    if code == "R006" and verdict.deadlock_free == "proved":
        raise Claims(f"game {index}: nothing to choose, and that was not to be")
    if code in _NEEDED and verdict.needs and not _is_open(state, verdict):
        raise Claims(f"game {index}: {code} at a sentence that was to be possible always")
    if not code and _pieces(state) != counts:
        raise Claims(f"game {index}: a piece was lost or made")
    return code


def _is_open(state: State, verdict: Verdict) -> bool:
    """Whether something that the sentence needs at which a game stopped was left unproved."""
    assert state.problem is not None
    span = state.problem.span
    return any((each.path, each.line) == (span.path, span.line) for each in verdict.open_needs)


def _pieces(state: State) -> Counter[int]:
    """How many pieces of each face there are in all places."""
    places, model = state._machine.places, state.model
    return Counter(
        {
            face.id: sum(
                places.count(each, face.id, state.block)
                for each in range(sum(zone.size for zone in model.zones))
            )
            for face in model.faces
        }
    )


def numbered(number: int) -> list[tuple[str, int]]:
    """The changes that make the mutant of a number: one or two."""
    stream = Stream(0, number, STREAM)
    count = 1 + stream.below(2)
    return [(KINDS[stream.below(len(KINDS))], stream.below(10_000)) for _ in range(count)]


def _run(name: str, most: int, known: dict[str, dict[str, int]], progress: Path | None) -> None:
    told = Counter(known.get(name, {}))
    with tempfile.TemporaryDirectory() as folder:
        wild = Wilderness(name, Path(folder))
        for number in range(told["mutants"], most):
            found = wild.tell(wild.mutant(numbered(number)))
            told.update(["mutants", found.fate])
            told.update([f"stuck free {found.stuck_free}"] if found.stuck_free else [])
            told.update([f"stops {found.stops}"] if found.stops else [])
            known[name] = dict(sorted(told.items()))
            if progress is not None:
                progress.write_text(json.dumps(known, indent=1), encoding="utf-8")
    print(f"{name}: {', '.join(f'{what} {count}' for what, count in known[name].items())}")


def main(words: Sequence[str] | None = None) -> int:
    """Make, validate and play mutants; a contradiction ends it."""
    parser = argparse.ArgumentParser(prog="python -m tests.wild")
    parser.add_argument("rulesets", nargs="*", default=sorted(bundled()))
    parser.add_argument("--mutants", type=int, default=50)
    parser.add_argument("--progress", type=Path)
    args = parser.parse_args(words)
    known: dict[str, dict[str, int]] = {}
    if args.progress is not None and args.progress.exists():
        known = json.loads(args.progress.read_text(encoding="utf-8"))
    for name in args.rulesets:
        _run(name, args.mutants, known, args.progress)
    return 0


if __name__ == "__main__":
    sys.exit(main())
