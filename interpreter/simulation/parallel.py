"""Plays the games of a simulation in several processes at once, by the package `joblib`."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Final

from gemwright.interpreter.game import Game
from gemwright.interpreter.simulation.game_rows import GameRow, rows_of
from gemwright.interpreter.simulation.playing import REFERENCE, Table, Work, table
from gemwright.interpreter.simulation.tally import Counts

_PARTS_PER_JOB: Final = 16
_LARGEST_PART: Final = {REFERENCE: 16}
_LARGEST_COMPILED: Final = 1024


@dataclass(frozen=True, slots=True)
class Part:
    """Some games in a row, played elsewhere: counts, final states one after another, rows."""

    counts: Counts
    finals: bytes
    rows: tuple[GameRow, ...]


def missing() -> str:
    """Why several processes cannot be had, naming the extra that brings them; '' if they can."""
    if find_spec("joblib") is None:
        return "several jobs need the extra `sim`: pip install 'gemwright[sim]'"
    return ""


def play_in_processes(work: Work, count: int, jobs: int, *, rows: bool) -> Iterator[Part]:
    """Play the games 0 .. count - 1 in `jobs` processes; the parts come in order.

    Args:
        rows: make a row of each game.
    """
    from joblib import Parallel, delayed

    packed = pickle.dumps(work)
    tasks = (delayed(_play_part)(packed, games, rows) for games in parts(work, count, jobs))
    # As few are sent ahead as keep everybody busy; more would only wait in memory.
    parallel = Parallel(jobs, return_as="generator", batch_size=1, pre_dispatch=2 * jobs)
    yield from parallel(tasks)


def parts(work: Work, count: int, jobs: int) -> list[range]:
    """The numbers 0 .. count - 1 in ranges: long ones cost less, short ones are shared better."""
    largest = _LARGEST_PART.get(work.engine, _LARGEST_COMPILED)
    size = max(1, min(largest, count // (jobs * _PARTS_PER_JOB)))
    return [range(low, min(low + size, count)) for low in range(0, count, size)]


def _play_part(packed: bytes, games: range, rows: bool) -> Part:
    work, here = _table(packed)
    counts, finals, told = Counts(work.model.players), bytearray(), list[GameRow]()
    for number, played in zip(games, here.play(games), strict=True):
        counts.add(played)
        for game in played.games:
            finals += game.final
        if rows:
            told += rows_of(number, played)
    return Part(counts, bytes(finals), tuple(told))


@lru_cache(maxsize=1)
def _table(packed: bytes) -> tuple[Work, Table]:
    """What a process keeps from one part to the next: loading costs more than a few games."""
    work: Work = pickle.loads(packed)
    return work, table(Game(work.model), work)
