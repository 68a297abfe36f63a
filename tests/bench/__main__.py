"""Measures engines against each other and prints the tables of docs/evidence.md.

    python -m tests.bench [SECTION ...] [--rounds N] [--seconds S] [--check GAMES]

Everything is measured in turns and in one run, so that ratios hold although machines differ; times
are processor time and medians unless a table says otherwise. Without sections all of them are made.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from tests.bench import goofspiel, growth, handling, machine, racing
from tests.bench.timing import Plan

Section = Callable[[Plan, int], str]

SECTIONS: Mapping[str, tuple[str, Section]] = {
    "check": ("Programs by hand play the same game", lambda plan, games: racing.agreement(games)),
    "splendor": ("Splendor, two players", lambda plan, games: racing.splendor(plan)),
    "games": ("All games", lambda plan, games: racing.games(plan)),
    "goofspiel": ("Goofspiel and OpenSpiel", lambda plan, games: goofspiel.speed(plan)),
    "latency": ("Before the first game", lambda plan, games: handling.latency(plan)),
    "steps": ("Single steps and copies", lambda plan, games: handling.single_steps(plan)),
    "growth": ("Growth", lambda plan, games: growth.growth(plan)),
    "jobs": ("Several processes", lambda plan, games: handling.jobs(plan)),
    "memory": ("Memory", lambda plan, games: handling.memory()),
}


def main(words: Sequence[str]) -> int:
    """Print the sections that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured")
    parser.add_argument("--seconds", type=float, default=0.5, help="for how long each time")
    parser.add_argument("--check", type=int, default=200, help="games of the section `check`")
    asked = parser.parse_args(words)
    unknown = [each for each in asked.sections if each not in SECTIONS]
    if unknown:
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    plan = Plan(asked.rounds, asked.seconds)
    print(f"{machine.facts()}\n", flush=True)
    for name in asked.sections or SECTIONS:
        title, section = SECTIONS[name]
        begun = time.monotonic()
        print(f"### {title}\n\n{section(plan, asked.check)}\n", flush=True)
        print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
