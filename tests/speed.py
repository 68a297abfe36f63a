"""How long validation takes for what people wait for, held against its goals.

    python -m tests.speed

prints seconds of processor time, imports left out: each is measured once, after a small file that
loads what is imported on use. It is a measurement and no test: a busy machine is slower.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.validator.analysing import Analyst
from gemwright.validator.api import validate

SMALL: Final = Path(__file__).parent / "data" / "err" / "clean"


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that is waited for, with the seconds that it may take."""

    name: str
    seconds: float
    run: Callable[[], object]


def loaded(name: str) -> None:
    """Read a ruleset and make its game at every player count, with the default options."""
    rules = open_ruleset(name, Reporter())
    assert rules is not None
    for players in range(rules.players[0], rules.players[1] + 1):
        assert rules.instantiate(players, {}, Reporter()) is not None


def proved(name: str, *counts: int) -> Callable[[], None]:
    """Prove what can be proved of games with the default options, with the search for plays."""
    rules = open_ruleset(name, Reporter())
    assert rules is not None
    models = [rules.instantiate(players, {}, Reporter()) for players in counts]

    def run() -> None:
        for model in models:
            assert model is not None
            Analyst(name).analyse(model, default=True)

    return run


def goals() -> Iterator[Goal]:
    """What is measured. Proofs begin from game models that are there already."""
    for name in ("thirty_carats", "diams", "splendor"):
        what = f"{name}: shape, names and types at all player counts"
        yield Goal(what, 0.5, lambda at=name: loaded(at))
    yield Goal(
        "grand_bazaar: all proofs at 2 to 5 players", 1.5, proved("grand_bazaar", 2, 3, 4, 5)
    )
    yield Goal("splendor: all proofs at 4 players", 10, proved("splendor", 4))
    for name in ("bids", "deal", "ring"):
        path = SMALL / f"{name}.gem.yaml"
        yield Goal(f"a further small file, {name}: everything", 0.15, lambda at=path: validate(at))


def main() -> int:
    """Print the table, as Markdown."""
    validate(SMALL / "stall.gem.yaml")
    print("| what | goal | measured |")
    print("|---|---|---|")
    for goal in goals():
        before = time.process_time()
        goal.run()
        taken = time.process_time() - before
        print(f"| {goal.name} | {goal.seconds:g} s | {taken:.2f} s |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
