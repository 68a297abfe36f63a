"""Saved games and traces: JSON lines that replay on every engine, machine and version.

The first line is the header. Then come, in order, decisions `{"player": "P1", "move": {..}}`, the
digest of the state after every 20 decisions `{"state": ".."}`, the result of each game
`{"result": {..}}` and, after a match of several games, `{"match": {..}}`. A file that was cut off
while its last line was written is whole up to the line before. What is not known is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gemwright.interpreter.match import MatchOutcome, PlayedGame
from gemwright.interpreter.moves import Move, move_to_json
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.state import State

FORMAT: Final = "gemwright-trace"
VERSION: Final = 1
STATE_EVERY: Final = 20
"""A digest of the state stands after so many decisions."""


class SaveError(ValueError):
    """A file that is no saved game."""


class NewerSave(SaveError):
    """A saved game in a format that this version does not know."""


@dataclass(frozen=True, slots=True)
class Header:
    """What names a game exactly, beside its decisions.

    `ruleset` is how the person named it: a bundled name or a path. `hash` is the digest of the rule
    files. `seats` are strategy names. `match` tells a match of several games from a single game.
    """

    gemwright: str
    language: int
    ruleset: str
    hash: str
    players: int
    options: Mapping[str, int | str]
    seed: int
    seats: tuple[str, ...]
    game_index: int = 0
    match: bool = False

    def to_json(self) -> dict[str, Any]:
        """The first line of a file."""
        data: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        data.update({name: getattr(self, name) for name in _HEADER_TYPES})
        return data | {"options": dict(self.options), "seats": list(self.seats)}


_HEADER_TYPES: Final[Mapping[str, type]] = {
    "gemwright": str,
    "language": int,
    "ruleset": str,
    "hash": str,
    "players": int,
    "options": dict,
    "seed": int,
    "seats": list,
    "game_index": int,
    "match": bool,
}

_MOST_PLAYERS: Final = 100

_OPTIONAL: Final = ("gemwright", "seats", "game_index", "match")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line after the header; `line` is 1-based."""

    line: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Save:
    """A file that was read.

    `torn` says that a half-written last line was left out; `size` is the length in bytes of what is
    whole. `is_trace` tells a single JSON object, which cannot be gone on with, from JSON lines.
    """

    header: Header
    entries: tuple[Entry, ...]
    torn: bool = False
    is_trace: bool = False
    size: int = field(default=0, compare=False)

    @property
    def decisions(self) -> int:
        """How many decisions it holds."""
        return sum("move" in entry.data for entry in self.entries)


# -- writing


def outcome_to_json(outcome: Outcome | None) -> dict[str, Any] | None:
    """A result as plain data; None for a game that did not reach one."""
    if outcome is None:
        return None
    return {
        "reason": outcome.reason,
        "scores": list(outcome.scores),
        "ranks": list(outcome.ranks),
        "winners": [f"P{seat + 1}" for seat in outcome.winners],
    }


def result_to_json(played: PlayedGame, several: bool) -> dict[str, Any]:
    """The line of a finished game, with its points if it is one of a match."""
    data: dict[str, Any] = {"result": outcome_to_json(played.outcome)}
    return data | {"points": list(played.points)} if several else data


def match_to_json(outcome: MatchOutcome) -> dict[str, Any]:
    """The line of a finished match."""
    return {
        "match": {
            "points": list(outcome.points),
            "ranks": list(outcome.ranks),
            "winners": [f"P{seat + 1}" for seat in outcome.winners],
        }
    }


def canonical(data: object) -> bytes:
    """Plain data as bytes that do not depend on machine or version: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


class Recorder:
    """Writes a game line by line."""

    def __init__(self, write: Callable[[str], None], decisions: int = 0) -> None:
        """Go on after so many decisions; a new file begins with `header`.

        Args:
            write: takes one line with its end, and keeps it at once.
        """
        self._out = write
        self._decisions = decisions

    def header(self, header: Header) -> None:
        """Write the first line."""
        self._write(header.to_json())

    def decision(self, state: State, player: int, move: Move) -> None:
        """Write a decision, after it was made: `state` is what it led to."""
        self._write({"player": f"P{player + 1}", "move": move_to_json(state.model, move)})
        self._decisions += 1
        if self._decisions % STATE_EVERY == 0:
            self._write({"state": state.digest()})

    def result(self, played: PlayedGame, several: bool) -> None:
        """Write the result of a game."""
        self._write(result_to_json(played, several))

    def match(self, outcome: MatchOutcome) -> None:
        """Write the result of a match."""
        self._write(match_to_json(outcome))

    def _write(self, data: Mapping[str, Any]) -> None:
        self._out(json.dumps(data, ensure_ascii=False) + "\n")


# -- reading


def read_save(path: Path) -> Save:
    """Read a file of JSON lines, or one JSON object that holds the header's keys and `lines`.

    Raises:
        SaveError: this is no saved game; the message says why and where.
        OSError: the file cannot be read.
    """
    return parse_save(path.read_bytes())


def parse_save(raw: bytes) -> Save:
    """The saved game in the bytes of a file, see `read_save`.

    Raises:
        SaveError: this is no saved game; the message says why and where.
    """
    if _is_object(raw) and "lines" in json.loads(raw):
        return _read_object(raw)
    lines = raw.split(b"\n")
    torn = bool(lines[-1].strip()) and not _is_object(lines[-1])
    whole = lines[:-1] if torn else lines
    entries = [
        Entry(number, _object(line, number)) for number, line in enumerate(whole, 1) if line.strip()
    ]
    if not entries:
        raise SaveError("the file is empty" if not torn else "line 1 is no JSON object")
    first = dict(entries[0].data)
    size = sum(len(line) + 1 for line in whole) if torn else len(raw)
    return Save(_header(first), tuple(entries[1:]), torn, size=size)


def _read_object(raw: bytes) -> Save:
    """A trace as one JSON object, over however many lines it is printed."""
    data = _object(raw, 1)
    lines = data.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise SaveError("`lines` is no list of JSON objects")
    entries = tuple(Entry(number, line) for number, line in enumerate(lines, 2))
    return Save(_header(data), entries, is_trace=True, size=len(raw))


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _object(line: bytes, number: int) -> Mapping[str, Any]:
    if not _is_object(line):
        raise SaveError(f"line {number} is no JSON object")
    data: Mapping[str, Any] = json.loads(line)
    return data


def _header(data: Mapping[str, Any]) -> Header:
    """The header of the first line.

    Raises:
        SaveError: it is none, or one of another format.
    """
    if data.get("format") != FORMAT:
        raise SaveError(f'line 1 is no header: `format` is not "{FORMAT}"')
    version = data.get("version")
    if not isinstance(version, int) or version < 1:
        raise SaveError("line 1: `version` is no number")
    if version > VERSION:
        raise NewerSave(f"the file has format {version}, but this version reads up to {VERSION}")
    known = {name: data[name] for name in _HEADER_TYPES if name in data}
    for name, kind in _HEADER_TYPES.items():
        if name not in known and name not in _OPTIONAL:
            raise SaveError(f"line 1: `{name}` is missing")
        if name in known and type(known[name]) is not kind:
            raise SaveError(f"line 1: `{name}` cannot be {json.dumps(known[name])}")
    if not 1 <= known["players"] <= _MOST_PLAYERS:
        raise SaveError(f"line 1: {known['players']} players are not possible")
    known["seats"] = tuple(map(str, known.get("seats") or ["random"] * known["players"]))
    if len(known["seats"]) != known["players"]:
        raise SaveError(f"line 1: {len(known['seats'])} seats for {known['players']} players")
    return Header(**{"gemwright": ""} | known)
