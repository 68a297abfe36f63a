"""Measures programs against each other: in turns, in one process, by medians."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from statistics import median

Clock = Callable[[], float]

LARGEST = 1 << 24


@dataclass(frozen=True, slots=True)
class Contestant:
    """Something that does a number of things, as often as asked.

    `run(first, times)` does number `first` and those that follow; it returns how many smaller
    things (moves) they were made of.
    """

    name: str
    run: Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Measured:
    """Medians over the rounds."""

    name: str
    per_second: float
    moves_per_second: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to measure: so many rounds, in each of which everybody runs for so many seconds.

    `clock` counts the processor time of this process: on a machine that does other work as well,
    that says more than the time of day.
    """

    rounds: int = 5
    seconds: float = 0.5
    clock: Clock = time.process_time

    def race(self, contestants: Sequence[Contestant]) -> list[Measured]:
        """Measure contestants in turns."""
        times = [self.calibrated(each) for each in contestants]
        runs: list[list[tuple[float, float]]] = [[] for _ in contestants]
        for turn in range(self.rounds):
            for each, often, found in zip(contestants, times, runs, strict=True):
                seconds, moves = self._timed(each, turn * often, often)
                found.append((often / seconds, moves / seconds))
        return [
            Measured(
                each.name, median(rate for rate, _ in found), median(rate for _, rate in found)
            )
            for each, found in zip(contestants, runs, strict=True)
        ]

    def one(self, name: str, action: Callable[[], object]) -> float:
        """Seconds that an action takes, the median over the rounds."""

        def run(first: int, times: int) -> int:
            for _ in range(times):
                action()
            return times

        (measured,) = self.race([Contestant(name, run)])
        return 1 / measured.per_second

    def calibrated(self, contestant: Contestant) -> int:
        """How often a contestant has to run to take its time; this also warms it up."""
        often = 1
        while True:
            seconds, _ = self._timed(contestant, 0, often)
            if seconds >= self.seconds / 4 or often >= LARGEST:
                return max(1, min(LARGEST, int(often * self.seconds / max(seconds, 1e-9))))
            often *= 2

    def _timed(self, contestant: Contestant, first: int, often: int) -> tuple[float, int]:
        begun = self.clock()
        moves = contestant.run(first, often)
        return max(self.clock() - begun, 1e-9), moves


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown; what comes after the first column stands to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def rounded(number: float, digits: int = 3) -> str:
    """A number with so many digits that count at least, and commas."""
    if number == 0:
        return "0"
    places = max(0, digits - 1 - floor(log10(abs(number))))
    return f"{number:,.{places}f}"
