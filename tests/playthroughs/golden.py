"""The texts that are kept: which there are, what they hold, and how they differ from the rules."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gemwright.interpreter.cli.bundled import bundled_rulesets
from gemwright.interpreter.game import load

from .script import script

FOLDER = Path(__file__).parent / "golden"

SEEDS = range(1, 9)
"""A new text takes the one of these that makes the shortest game."""

_SEED = re.compile(r"^seed (\d+)$", re.M)
_MOST_SHOWN = 60

_LEGEND = """\
may  what may be chosen (how many moves in all)     does  what was chosen
by   the clauses of what ran or was tested          so    what came of it
now  what has changed; below a line: how players see it, where they see less
"""


@dataclass(frozen=True, slots=True)
class Playthrough:
    """The game of a ruleset at a player count, with its default options."""

    ruleset: str
    players: int

    @property
    def path(self) -> Path:
        """Where its text is kept."""
        return FOLDER / f"{self.ruleset}-{self.players}.txt"

    @property
    def seed(self) -> int | None:
        """The seed of the text that is kept; None if there is none."""
        found = _SEED.search(self.path.read_text("utf-8")) if self.path.is_file() else None
        return int(found[1]) if found else None

    def text(self, seed: int) -> str:
        """Play the game and tell it."""
        game = load(self.ruleset, self.players)
        head = f"{self.ruleset}, {self.players} players\nseed {seed}\n\n{_LEGEND}\n"
        return head + "\n".join(script(game, seed)) + "\n"

    def write(self) -> None:
        """Make the text anew, with its own seed, or the seed of the shortest game."""
        seed = self.seed
        texts = [self.text(each) for each in (SEEDS if seed is None else (seed,))]
        FOLDER.mkdir(exist_ok=True)
        shortest = min(texts, key=lambda text: text.count("\n"))
        self.path.write_text(shortest, "utf-8", newline="\n")

    def difference(self) -> str:
        """How the kept text differs from the game as it is played now; '' if it does not."""
        seed = self.seed
        if seed is None:
            return f"{self.path.name} is missing: run `python -m tests.playthroughs --write`"
        kept = self.path.read_text("utf-8").splitlines()
        lines = difflib.unified_diff(
            kept, self.text(seed).splitlines(), "as it was kept", "as it is played", lineterm=""
        )
        shown = list(lines)
        if len(shown) > _MOST_SHOWN:
            left = len(shown) - _MOST_SHOWN
            shown = [*shown[:_MOST_SHOWN], f".. {left} more lines that differ"]
        return "\n".join(shown)


def playthroughs() -> Iterator[Playthrough]:
    """All of them: a game at each player count, a variant at the one it is mostly played with."""
    for bundled in bundled_rulesets().values():
        rules = load(bundled.name).ruleset
        assert rules is not None
        low, high = rules.players
        counts = range(low, high + 1)
        if bundled.is_variant:
            counts = range(rules.default_players, rules.default_players + 1)
        yield from (Playthrough(bundled.name, count) for count in counts)


def strays() -> list[str]:
    """Kept texts that belong to no game."""
    expected = {each.path for each in playthroughs()}
    return sorted(path.name for path in FOLDER.iterdir() if path not in expected)
