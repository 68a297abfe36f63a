"""Findings of many games of one file: each is kept once, with the games that have it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gemwright.dsl.diagnostics import Diagnostic
from gemwright.dsl.source import Span
from gemwright.interpreter.option_sets import OptionSet
from gemwright.validator.findings import Finding, Step


class Collector:
    """Findings of many games, each kept once with the games that have it."""

    def __init__(self, general: tuple[Diagnostic, ...]) -> None:
        self._general = dict.fromkeys(general)
        self._games: dict[Diagnostic, list[tuple[int, OptionSet]]] = {}
        self._looked: list[tuple[int, OptionSet]] = []
        self._met: dict[tuple[str, Span], Diagnostic] = {}
        self._steps: dict[Diagnostic, tuple[Step, ...]] = {}
        self._defaults: set[Diagnostic] = set()
        """Findings that are looked for with the default options, and others only if asked for."""
        self.blocking: set[Diagnostic] = set()
        """Findings of games that could not be made."""

    def block(self, found: tuple[Diagnostic, ...]) -> None:
        """Take note of what kept a game from being made; `add` takes the findings."""
        self.blocking.update(found)

    def add_general(self, found: tuple[Diagnostic, ...]) -> None:
        """Take findings that belong to no single game."""
        self._general |= dict.fromkeys(found)

    def has_told(self, codes: Collection[str]) -> bool:
        """Whether there is a finding with one of these codes."""
        return any(each.code in codes for each in (*self._general, *self._games))

    def has_told_at(self, span: Span) -> bool:
        """Whether there is a finding at a place."""
        return any(each.span == span for each in (*self._general, *self._games))

    def add(self, players: int, options: OptionSet, found: tuple[Diagnostic, ...]) -> None:
        """Take the findings of one game."""
        self._looked.append((players, options))
        for each in found:
            if each not in self._general:
                self._games.setdefault(each, []).append((players, options))

    def found(self, players: int, options: OptionSet, found: tuple[Diagnostic, ...]) -> None:
        """Take what was found out later about a game that was added before."""
        for each in found:
            self._games.setdefault(each, []).append((players, options))

    def of_some(self, players: int, options: OptionSet, found: tuple[Diagnostic, ...]) -> None:
        """Take what is looked for with the default options, and others only if they are asked
        for."""
        self._defaults.update(found)
        self.found(players, options, found)

    def met(
        self,
        players: int,
        options: OptionSet,
        found: Iterable[tuple[Diagnostic, tuple[Step, ...]]],
    ) -> None:
        """Take what was met in a game that was played, with the moves that led there: one finding
        for a place, as it was met first, whatever the numbers were later."""
        once: dict[Diagnostic, None] = {}
        for each, steps in found:
            known = self._met.setdefault((each.code, each.span), each)
            self._steps.setdefault(known, steps)
            once[known] = None
        self.of_some(players, options, tuple(once))

    def findings(self) -> tuple[Finding, ...]:
        """All findings by place."""
        found = [Finding(each) for each in self._general]
        found += [
            Finding(each, self._applies(each, games), steps=self._steps.get(each, ()))
            for each, games in self._games.items()
        ]
        return tuple(sorted(found, key=by_place))

    def _applies(self, found: Diagnostic, games: list[tuple[int, OptionSet]]) -> str:
        """Which games a finding belongs to; '' for all."""
        if len(games) == len(self._looked):
            return ""
        defaults = [game for game in self._looked if not game[1]]
        plain = [game for game in games if not game[1]]
        if defaults and found in self._defaults and plain == defaults:
            return ""
        counts = sorted({players for players, _ in games})
        parts = [f"players {_ranges(counts)}"]
        if [players for players, _ in plain] != counts:
            parts.append(_options_text([options for _, options in games if options]))
        return ", ".join(parts)


def _options_text(sets: list[OptionSet]) -> str:
    """The smallest option sets that have a finding: pairs that contain a single one add nothing."""
    single = [options for options in sets if len(options) == 1]
    items = {item for options in single for item in _items(options)}
    shown = single + [each for each in sets if len(each) > 1 and not items & set(_items(each))]
    texts = list(dict.fromkeys(" and ".join(f"{k} = {v}" for k, v in _items(s)) for s in shown))
    text = "; ".join(texts[:4])
    return f"with {text}" + (f"; and {len(texts) - 4} more" if len(texts) > 4 else "")


def _items(options: OptionSet) -> list[tuple[str, str]]:
    """Options as texts, yes/no as the file writes them."""
    return [
        (name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in options.items()
    ]


def _ranges(counts: list[int]) -> str:
    """Sorted numbers as `2-4, 6`."""
    parts: list[list[int]] = []
    for count in counts:
        if parts and parts[-1][-1] == count - 1:
            parts[-1].append(count)
        else:
            parts.append([count])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def by_place(finding: Finding) -> tuple[str, int, int, str]:
    """The order in which findings are shown."""
    found = finding.diagnostic
    return found.span.path, found.span.line, found.span.column, found.code
