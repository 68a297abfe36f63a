"""Proves what can be proved of rulesets with their default options, as a table with times.

    python -m tests.verdicts [RULESET ...]

RULESET is a bundled name or a path; by default all bundled rulesets. A line is written as soon as
it is known: players, verdicts, the proved bound on moves, what sentences need that stayed open, and
processor seconds of this process, making the game from its rules included.
"""

from __future__ import annotations

import argparse
import sys
import time

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import bundled, open_ruleset
from gemwright.validator.analysing import Analysis, Analyst

HEAD = (
    "| ruleset | players | every play ends | always a move | moves at most | open needs | seconds |"
)


def main(arguments: list[str]) -> int:
    """Print the table; 0 if all rulesets could be opened."""
    parser = argparse.ArgumentParser(prog="python -m tests.verdicts", description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=sorted(bundled()))
    print(HEAD)
    print("|---" * 7 + "|", flush=True)
    for name in parser.parse_args(arguments).rulesets:
        rules = open_ruleset(name, Reporter())
        if rules is None:
            print(f"cannot open {name}", file=sys.stderr)
            return 2
        for players in range(rules.players[0], rules.players[1] + 1):
            before = time.process_time()
            model = rules.instantiate(players, {}, Reporter())
            assert model is not None
            known = Analyst(name).analyse(model, True)
            print(_line(rules.name, players, known, time.process_time() - before), flush=True)
    return 0


def _line(name: str, players: int, known: Analysis, seconds: float) -> str:
    needs = f"{len(known.needs.open)} of {len(known.needs.seen)}"
    moves = "" if known.moves is None else f"{known.moves:,}"
    ends, move = known.termination, known.deadlock_free
    return f"| {name} | {players} | {ends} | {move} | {moves} | {needs} | {seconds:.1f} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
