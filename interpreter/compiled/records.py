"""Reads what a machine keeps of a game."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import POINT
from gemwright.interpreter.compiled.flat.program import CellRange
from gemwright.interpreter.compiled.lower.playing import LOW_WIDTH, Record
from gemwright.interpreter.compiled.lower.result import has_scores
from gemwright.interpreter.outcome import Outcome


class Records:
    """Reads the records of one game model."""

    def __init__(self, model: m.Game) -> None:
        self._at = Record(model)
        self._model = model
        self._names = (*(action.name for action in model.actions), m.PASS_ACTION)
        self._reasons = {
            point.id: point.reason for point in model.points if isinstance(point, m.End)
        }
        self._point = CellRange(model.low[POINT], model.high[POINT]).width

    def moves(self, record: Sequence[int]) -> int:
        """How many moves were made."""
        return record[self._at.moves]

    def branching(self, record: Sequence[int]) -> tuple[int, int, int] | None:
        """The least, sum and greatest number of legal moves; None without a move."""
        at = self._at
        if not record[at.moves]:
            return None
        total = record[at.low] + (record[at.high] << LOW_WIDTH)
        return record[at.least], total, record[at.most]

    def actions(self, record: Sequence[int]) -> dict[str, int]:
        """How often each action was taken, those that were."""
        counts = record[self._at.actions : self._at.length]
        return {name: count for name, count in zip(self._names, counts, strict=True) if count}

    def result(self, record: Sequence[int]) -> Sequence[int]:
        """What says how a game was decided, beside the control point where it ended."""
        return (record[self._at.ended], *record[self._at.scores : self._at.actions])

    def point(self, state: bytes) -> int:
        """The control point at which a state rests."""
        return int.from_bytes(state[: self._point], "little")

    def outcome(self, state: bytes, record: Sequence[int]) -> Outcome | None:
        """The result of a game, None if it was not played to its end."""
        at, players = self._at, self._model.players
        if not record[at.ended]:
            return None
        scores: tuple[int | None, ...] = (None,) * players
        if has_scores(self._model):
            scores = tuple(record[at.scores : at.ranks])
        bits = record[at.winners]
        winners = tuple(seat for seat in range(players) if bits >> seat & 1)
        reason = self._reasons[self.point(state)]
        return Outcome(scores, tuple(record[at.ranks : at.winners]), winners, reason)
