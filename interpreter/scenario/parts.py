"""Scenario files: tests of rules in YAML, read here into typed parts with their positions.

Reading checks the shape; whether names and values fit the ruleset is found out when a scenario runs
(`gemwright.interpreter.scenario.run`). Every problem is a diagnostic with a code X...
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.reader import read_yaml
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean

LANGUAGE: Final = 1
SUFFIX: Final = ".test.yaml"

_FILE_KEYS: Final = ("language", "ruleset", "scenarios")
_SCENARIO_KEYS: Final = (
    "name",
    "clauses",
    "players",
    "options",
    "seed",
    "chance",
    "given",
    "play",
    "expect",
)
GIVEN_KEYS: Final = ("phase", "roles", "state", "zones", "out")
CHANCE_KINDS: Final = ("shuffle", "draw", "player", "number", "member", "place")
EXPECT_KEYS: Final = (
    "zones",
    "state",
    "roles",
    "out",
    "turn",
    "phase",
    "legal",
    "legal_some",
    "illegal",
    "count",
    "sees",
    "not_sees",
    "knows",
    "log_contains",
    "log_lacks",
    "over",
    "points",
    "match_over",
    "match_winners",
    "winners",
    "scores",
    "reason",
)


@dataclass(frozen=True, slots=True)
class Expectation:
    """An `expect` block; `at_end` for the one that closes a scenario."""

    entries: tuple[Entry, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class PlayMove:
    """A move by a named seat; `seat` and `move` are as written."""

    seat: Entry
    move: Node
    span: Span


@dataclass(frozen=True, slots=True)
class PlayRandom:
    """Random moves: `times` of them, or to the end of the game when None."""

    times: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class PlayNextGame:
    """The next game of a match, from a given state if there is one."""

    given: tuple[Entry, ...] | None
    span: Span


PlayItem = PlayMove | PlayRandom | PlayNextGame | Expectation


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario as written. `clauses` are the ids that it is about, with their places."""

    name: str
    span: Span
    clauses: tuple[tuple[str, Span], ...]
    players: int | None
    players_span: Span
    options: tuple[Entry, ...]
    seed: int
    chance: tuple[Entry, ...]
    given: tuple[Entry, ...] | None
    play: tuple[PlayItem, ...]
    expect: Expectation | None

    def is_about(self, clause: str) -> bool:
        """Whether the scenario names a clause."""
        return any(clause == each for each, _ in self.clauses)


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A scenario file: its ruleset (name as written) and its scenarios in order."""

    path: str
    real: Path
    ruleset: str
    ruleset_span: Span
    scenarios: tuple[Scenario, ...]


def read_scenarios(real: Path, shown: str, reporter: Reporter) -> ScenarioFile | None:
    """Read a scenario file; None if its shape is wrong, which the reporter then says."""
    found = read_yaml(real, shown, reporter)
    if found is None:
        return None
    before = len(reporter.diagnostics)
    read = _Reader(reporter).file(found[0], real, shown)
    return read if len(reporter.diagnostics) == before else None


class _Reader:
    """Turns the tree of a scenario file into its parts, reporting what does not belong."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def file(self, tree: Map, real: Path, shown: str) -> ScenarioFile | None:
        self._keys(tree, _FILE_KEYS, "a scenario file")
        language = self._int(tree, "language", None)
        if language is None:
            self._wrong(tree.span, "`language: 1` is missing")
        elif language != LANGUAGE:
            text = f"this version reads scenario files of language 1, not {language}"
            self._wrong(_at(tree, "language"), text, "a newer gemwright may read it")
        ruleset = self._text(tree, "ruleset")
        if ruleset is None:
            self._wrong(tree.span, "`ruleset` is missing: the name of the rules to test")
            return None
        scenarios = self._scenarios(tree)
        self._names_differ(scenarios)
        return ScenarioFile(shown, real, ruleset, _at(tree, "ruleset"), tuple(scenarios))

    def _scenarios(self, tree: Map) -> list[Scenario]:
        node = tree.get("scenarios")
        if not isinstance(node, Seq):
            self._wrong(node.span if node else tree.span, "`scenarios` is a list of scenarios")
            return []
        found = []
        for item in node.items:
            if isinstance(item, Map):
                found.append(self._scenario(item))
            else:
                self._wrong(item.span, "a scenario is a mapping with a `name`")
        return found

    def _names_differ(self, scenarios: Sequence[Scenario]) -> None:
        seen: dict[str, Span] = {}
        for scenario in scenarios:
            first = seen.setdefault(scenario.name, scenario.span)
            if first != scenario.span:
                text = f"there is already a scenario `{scenario.name}`"
                note = ((first, "the first one"),)
                self._reporter.error("X001", scenario.span, text, notes=note)

    def _scenario(self, tree: Map) -> Scenario:
        self._keys(tree, _SCENARIO_KEYS, "a scenario")
        name = self._text(tree, "name")
        if name is None:
            self._wrong(tree.span, "a scenario needs a `name`")
        seed = self._int(tree, "seed", 0)
        given = self._map(tree, "given")
        if given is not None:
            self._keys(given, GIVEN_KEYS, "`given`")
        expect = self._map(tree, "expect")
        return Scenario(
            name or "",
            _at(tree, "name"),
            self._clauses(tree),
            self._int(tree, "players", None),
            _at(tree, "players"),
            _entries(self._map(tree, "options")) or (),
            seed or 0,
            self._chance(tree),
            _entries(given),
            self._play(tree),
            None if expect is None else self._expect(expect),
        )

    def _clauses(self, tree: Map) -> tuple[tuple[str, Span], ...]:
        node = tree.get("clauses")
        if node is None:
            return ()
        found = []
        for item in node.items if isinstance(node, Seq) else (node,):
            if isinstance(item, Scalar) and isinstance(item.value, str):
                found.append((item.value, item.span))
            else:
                self._wrong(item.span, "a clause is an id, such as R-7")
        return tuple(found)

    def _chance(self, tree: Map) -> tuple[Entry, ...]:
        found = []
        for item in self._items(tree, "chance"):
            if not isinstance(item, Map) or len(item.entries) != 1:
                kinds = ", ".join(CHANCE_KINDS)
                self._wrong(item.span, f"an outcome is one of {kinds} with what comes")
                continue
            self._keys(item, CHANCE_KINDS, "`chance`")
            found.append(item.entries[0])
        return tuple(found)

    def _play(self, tree: Map) -> tuple[PlayItem, ...]:
        found = (self._play_item(item) for item in self._items(tree, "play"))
        return tuple(item for item in found if item is not None)

    def _play_item(self, item: Node) -> PlayItem | None:
        if not isinstance(item, Map) or len(item.entries) != 1:
            text = "an item of `play` is `SEAT: move`, `random:`, `expect:` or `next_game:`"
            self._wrong(item.span, text)
            return None
        entry = item.entries[0]
        if entry.key == "expect":
            if isinstance(entry.value, Map):
                return self._expect(entry.value)
            self._wrong(entry.value.span, "`expect` is a mapping")
            return None
        if entry.key == "random":
            return self._random(entry)
        if entry.key == "next_game":
            return self._next_game(entry)
        return PlayMove(entry, entry.value, item.span)

    def _next_game(self, entry: Entry) -> PlayNextGame:
        if not isinstance(entry.value, Map):
            if not (isinstance(entry.value, Scalar) and entry.value.value is None):
                self._wrong(entry.value.span, "`next_game` is followed by `given` or nothing")
            return PlayNextGame(None, entry.key_span)
        self._keys(entry.value, ("given",), "`next_game`")
        given = self._map(entry.value, "given")
        if given is not None:
            self._keys(given, GIVEN_KEYS, "`given`")
        return PlayNextGame(_entries(given), entry.key_span)

    def _random(self, entry: Entry) -> PlayRandom | None:
        value = entry.value.value if isinstance(entry.value, Scalar) else None
        if value == "end":
            return PlayRandom(None, entry.key_span)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return PlayRandom(value, entry.key_span)
        self._wrong(entry.value.span, "`random` is a number of moves, or `end`")
        return None

    def _expect(self, tree: Map) -> Expectation:
        self._keys(tree, EXPECT_KEYS, "`expect`")
        return Expectation(tree.entries, tree.span)

    # -- values

    def _keys(self, tree: Map, known: Iterable[str], where: str) -> None:
        names = list(known)
        for entry in tree.entries:
            if entry.key not in names:
                help = did_you_mean(entry.key, names) or f"known: {', '.join(names)}"
                self._wrong(entry.key_span, f"{where} has no key `{entry.key}`", help)

    def _text(self, tree: Map, key: str) -> str | None:
        node = tree.get(key)
        if node is None:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.value:
            return node.value
        self._wrong(node.span, f"`{key}` is a text")
        return ""

    def _int(self, tree: Map, key: str, default: int | None) -> int | None:
        node = tree.get(key)
        if node is None:
            return default
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        self._wrong(node.span, f"`{key}` is a whole number")
        return default

    def _map(self, tree: Map, key: str) -> Map | None:
        node = tree.get(key)
        if node is None or isinstance(node, Map):
            return node
        self._wrong(node.span, f"`{key}` is a mapping")
        return None

    def _items(self, tree: Map, key: str) -> tuple[Node, ...]:
        node = tree.get(key)
        if node is None:
            return ()
        if isinstance(node, Seq):
            return node.items
        self._wrong(node.span, f"`{key}` is a list")
        return ()

    def _wrong(self, span: Span, message: str, help: str = "") -> None:
        self._reporter.error("X001", span, message, help)


def _at(tree: Map, key: str) -> Span:
    """Where a key's value stands, or the whole mapping if it is not there."""
    node = tree.get(key)
    return tree.span if node is None else node.span


def _entries(tree: Map | None) -> tuple[Entry, ...] | None:
    return None if tree is None else tree.entries
