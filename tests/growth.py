"""How validation grows with the size of a ruleset.

    python -m tests.growth [--proofs]

makes rulesets of 10, 100 and 1,000 phases and of 10, 100 and 1,000 actions, and prints for each the
processor time of reading it, of making its game model, of the checks of its phase graph and of its
actions (`structure`), and, if asked for, of the proofs within their budget. Each is measured once,
after a first small one that loads what is imported on use.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model.game import Game
from gemwright.dsl.ruleset import open_ruleset
from gemwright.validator.analysing import Analyst
from gemwright.validator.graph.structure import check_structure
from gemwright.validator.rules.deciding import check_conditions
from gemwright.validator.rules.shadowing import check_shadowed

SIZES: Final = (
    (10, 10),
    (100, 10),
    (1_000, 10),
    (10, 100),
    (10, 1_000),
    (100, 100),
    (1_000, 1_000),
)
"""Phases and actions."""

_HEAD: Final = """\
language: 1
game: grown
players: 2
kinds:
  stone: {members: [red, green], count: 8}
zones:
  pile: {holds: stone}
  hand: {holds: stone, per: player}
state:
  steps: 0..9999
setup: move every stone to pile
result:
  score: size of hand
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of processor time; `proofs` is None if they were not asked for."""

    phases: int
    actions: int
    read: float
    model: float
    structure: float
    proofs: float | None


def ruleset(phases: int, actions: int) -> str:
    """Rules in which play goes through all phases, round after round, and each action is offered by
    some of them."""
    return "".join((_HEAD, "phases:\n  start: p0\n", *_phases(phases, actions), *_actions(actions)))


def _phases(phases: int, actions: int) -> Iterator[str]:
    for number in range(phases):
        offered = range(number % actions, actions, phases)
        names = ", ".join(f"a{each}" for each in offered)
        falling = "" if number else "decreases: size of pile, "
        follower = f"p{number + 1}" if number < phases - 1 else "last"
        yield f"  p{number}: {{each: player as r{number}, actions: [{names}], otherwise: pass, "
        yield f"{falling}next: {follower}}}\n"
    yield "  last:\n    do: steps += 1\n    next: |\n      to end when pile is empty\n      to p0\n"


def _actions(actions: int) -> Iterator[str]:
    yield "actions:\n"
    for number in range(actions):
        colour = "red" if number % 2 else "green"
        yield f"  a{number}:\n    where: pile[{colour}] >= 1 and steps <= {number + 7}\n"
        yield f"    do: |\n      move 1 {colour} from pile to my hand\n      steps += 1\n"


def measure(phases: int, actions: int, folder: Path, proofs: bool) -> Measured:
    """Measure one ruleset. Nothing may be found in it."""
    path = folder / "grown.gem.yaml"
    path.write_text(ruleset(phases, actions), encoding="utf-8")
    reporter, marks = Reporter(), [time.process_time()]
    rules = open_ruleset(str(path), reporter)
    assert rules is not None, reporter.diagnostics
    marks.append(time.process_time())
    game = rules.instantiate(2, {}, reporter)
    assert game is not None, reporter.diagnostics
    marks.append(time.process_time())
    check(game, reporter)
    marks.append(time.process_time())
    assert not reporter.diagnostics, reporter.diagnostics
    if proofs:
        Analyst("grown").analyse(game, default=True)
        marks.append(time.process_time())
    times = [after - before for before, after in pairwise(marks)]
    last = times[3] if proofs else None
    return Measured(phases, actions, times[0], times[1], times[2], last)


def check(game: Game, reporter: Reporter) -> None:
    """The structural part of validation."""
    check_structure(game, reporter)
    check_conditions(game, reporter)
    check_shadowed(game, reporter)


def main(words: Sequence[str] | None = None) -> int:
    """Print the table, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m tests.growth")
    parser.add_argument("--proofs", action="store_true", help="measure the proofs, too")
    args = parser.parse_args(words)
    print("| phases | actions | read | model | structure | proofs |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        measure(3, 3, Path(folder), args.proofs)
        for phases, actions in SIZES:
            found = measure(phases, actions, Path(folder), args.proofs)
            proofs = "" if found.proofs is None else f"{found.proofs:.2f} s"
            times = (f"{each:.2f} s" for each in (found.read, found.model, found.structure))
            print(f"| {phases:,} | {actions:,} | {' | '.join(times)} | {proofs} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
