"""Plays a saved game again and says where it differs from the file, if it does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gemwright.interpreter.decision import Decision
from gemwright.interpreter.events import Event
from gemwright.interpreter.game import Game
from gemwright.interpreter.match import Match
from gemwright.interpreter.moves import Move, move_from_json, move_to_text
from gemwright.interpreter.saves import (
    Entry,
    Header,
    Save,
    match_to_json,
    result_to_json,
)
from gemwright.interpreter.state import IllegalMove

Before = Callable[[Match, Decision], None]
"""Told of each decision before it is made."""

After = Callable[[Match, int, Move, tuple[Event, ...]], None]
"""Told of each decision after it was made: the match, the seat, the move, what happened."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a file and the game part: the line of the file (1-based) and what is there."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of it. `match` stands where the file ends, or before the line that differs."""

    match: Match
    decisions: int
    difference: Difference | None


def mismatch(header: Header, name: str, language: int, digest: str) -> str:
    """Why a file does not belong to a ruleset of this name, language and digest; '' if it does."""
    if header.language != language:
        return (
            f"the game was saved with language {header.language}, "
            f"but the rules of `{name}` are written in language {language}"
        )
    if header.hash != digest:
        return (
            f"the game was saved with other rules than those of `{name}` now "
            f"(saved {header.hash[:12]}, now {digest[:12]})"
        )
    return ""


def replay(
    game: Game, save: Save, before: Before | None = None, after: After | None = None
) -> Replayed:
    """Play the decisions of a file and compare every digest and result on the way.

    The caller has made sure by `mismatch` that the file belongs to the game.
    """
    header = save.header
    match = Match(game, header.seed, header.game_index, several=header.match)
    run = _Run(match, before, after)
    for entry in save.entries:
        text = run.take(entry)
        if text:
            return Replayed(match, run.decisions, Difference(entry.line, text))
    return Replayed(match, run.decisions, None)


class _Run:
    """One replay in progress."""

    def __init__(self, match: Match, before: Before | None, after: After | None) -> None:
        self._match = match
        self._before = before
        self._after = after
        self.decisions = 0

    def take(self, entry: Entry) -> str:
        """Follow one line; how the game differs from it, or ''."""
        data = entry.data
        if "move" in data:
            return self._decision(data)
        if "state" in data:
            return self._state(data["state"])
        if "result" in data:
            return self._result(data)
        if "match" in data:
            return self._ended(data)
        return ""

    def _decision(self, data: Mapping[str, Any]) -> str:
        match, state = self._match, self._match.state
        if state.problem is not None:
            return f"the game has stopped: {state.problem.message}"
        if state.is_over:
            return "the game is over, but a decision follows"
        seats, name = match.game.seats, data.get("player")
        if name not in seats:
            return f"there is no player {json.dumps(name)}"
        player = seats.index(name)
        written = data["move"]
        move = (
            move_from_json(state.model, player, written)
            if isinstance(written, Mapping)
            else "the move is no JSON object"
        )
        if isinstance(move, str):
            return move
        self._announce(player)
        try:
            events = state.apply(move, player)
        except IllegalMove as illegal:
            return f"{name} cannot choose `{move_to_text(state.model, move)}`: {_why(illegal)}"
        self.decisions += 1
        if self._after is not None:
            self._after(match, player, move, events)
        return ""

    def _announce(self, player: int) -> None:
        for decision in self._match.state.pending:
            if decision.player == player and self._before is not None:
                self._before(self._match, decision)

    def _state(self, digest: object) -> str:
        now = self._match.state.digest()
        return "" if digest == now else f"the state is {now}, the file says {digest}"

    def _result(self, data: Mapping[str, Any]) -> str:
        match = self._match
        if match.state.result is None or match.is_over:
            return "the file has a result, but the game goes on"
        several = match.several
        played = match.close_game()
        return _compared(result_to_json(played, several), data)

    def _ended(self, data: Mapping[str, Any]) -> str:
        outcome = self._match.outcome
        if outcome is None:
            return "the file has the result of a match, but no match has ended"
        return _compared(match_to_json(outcome), data)


def _why(illegal: IllegalMove) -> str:
    """The message of a refusal, with the line of the rules that it breaks."""
    refusal = illegal.refusal
    if not refusal.text or refusal.text in refusal.message:
        return refusal.message
    return f"{refusal.message}: {refusal.text}"


def _compared(ours: Mapping[str, Any], written: Mapping[str, Any]) -> str:
    """How a written line differs from what came out; keys that only it has do not count."""
    differing = [
        f"{name} {json.dumps(value)}, the file says {json.dumps(written.get(name))}"
        for name, value in ours.items()
        if written.get(name) != value
    ]
    return "the game ends with " + "; ".join(differing) if differing else ""
