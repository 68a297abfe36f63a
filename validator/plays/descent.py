"""Does a real game go down as the certificate of its rules says?

A game is given as the abstract states at its decisions, which is all of it that can be seen. What a
proof says of single steps holds of several in a row, too: points are left for later groups only,
measures never rise and keep above their least value, quantities of facts and splits stay as they
are. A run of states in which nothing at all changes for the proof must be a single state. The
certificate is read as the file that it is; whether its reasons are right is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from gemwright.validator.certificate.forms import Json

Run = Sequence["Seen"]


class Rise(Exception):
    """The game goes on against the proof."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An abstract state in which a game rests: a point and the values of all cells."""

    point: int
    values: tuple[int, ...]


class Descent:
    """Follows games through one certificate."""

    def __init__(self, certificate: Json) -> None:
        self._proof = certificate["proof"]

    def follow(self, run: Run) -> None:
        """Follow a game from one observed state to the next.

        Raises:
            Rise: it goes against the proof.
        """
        self._order(self._proof, run)

    def _order(self, groups: list[Json], run: Run) -> None:
        places = {point: at for at, group in enumerate(groups) for point in group["points"]}
        for at, part in _parts([places.get(each.point, -1) for each in run], run):
            if at < 0:
                raise Rise("play is at a point that the proof does not know there")
            stage = groups[at]["stage"]
            if len(part) > 1:
                if stage is None:
                    raise Rise("play goes on where no step should be left")
                self._stage(stage, part)

    def _stage(self, stage: Json, run: Run) -> None:
        if stage["kind"] == "measure":
            self._measure(stage, run)
        elif stage["kind"] == "facts":
            self._facts(stage, run)
        elif stage["kind"] == "split":
            self._split(stage, run)
        else:
            taken = set(stage["points"])
            self._order(stage["then"], [each for each in run if each.point not in taken])

    def _measure(self, stage: Json, run: Run) -> None:
        offsets = {int(point): value for point, value in stage["offsets"].items()}
        measure = stage["measure"]
        values = [_value(measure, each) + offsets.get(each.point, 0) for each in run]
        if min(values) < stage["low"]:
            raise Rise(f"a measure is {min(values)}, and {stage['low']} was to be the least")
        for _, part in _parts([-value for value in values], run):
            if len(part) > 1:
                self._order(stage["then"], part)

    def _facts(self, stage: Json, run: Run) -> None:
        """A fact holds of a run that leaves its point; of another one the proof says no more."""
        for fact in stage["facts"]:
            sign, expression = fact["constraint"]
            value = _same(expression, run)
            if value < 0 or (sign == "=" and value):
                if any(each.point == fact["point"] for each in run[:-1]):
                    raise Rise("a fact does not hold where play has passed its point")
                return
        self._order(stage["then"], run)

    def _split(self, stage: Json, run: Run) -> None:
        half = "low" if _same(stage["quantity"], run) <= stage["most"] else "high"
        self._order(stage[half]["then"], run)


def _parts(ranks: Sequence[int], run: Run) -> Iterator[tuple[int, Run]]:
    """Maximal parts of a run with the same rank, which must never fall."""
    begin = 0
    for at, (one, other) in enumerate(pairwise(ranks), 1):
        if other < one:
            raise Rise(f"from state {at} of {len(run)} on play goes back up")
        if other > one:
            yield one, run[begin:at]
            begin = at
    if run:
        yield ranks[-1], run[begin:]


def _same(expression: list[Any], run: Run) -> int:
    values = {_value(expression, each) for each in run}
    if len(values) > 1:
        raise Rise("a quantity changes that was to stay as it is")
    return values.pop()


def _value(expression: list[Any], seen: Seen) -> int:
    constant, *terms = expression
    return int(constant + sum(factor * seen.values[cell] for cell, factor in terms))
