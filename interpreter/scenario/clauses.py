"""Which elements of a rules file carry each clause of the rulebook, and which scenarios hold them.

A clause of kind rule or example is covered when an element carries it and a scenario that names the
clause passes and such an element ran, or refused a move, in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import Ruleset
from gemwright.dsl.source import Span
from gemwright.interpreter.option_sets import OptionSet, singles
from gemwright.interpreter.scenario.files import FileResult, read_all, run_file
from gemwright.interpreter.scenario.run import Games

COUNTED = ("rule", "example")
"""The kinds of clauses that must be covered."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rulebook with what holds it.

    `elements` are `file:line`, `scenarios` names.
    """

    id: str
    kind: str
    text: str
    elements: tuple[str, ...]
    scenarios: tuple[str, ...]

    @property
    def covered(self) -> bool:
        """Whether it has what its kind demands."""
        return self.kind not in COUNTED or bool(self.elements and self.scenarios)


@dataclass(frozen=True, slots=True)
class Coverage:
    """All clauses of a ruleset in the order of the rulebook; `problems` concern scenario files."""

    ruleset: str
    clauses: tuple[Clause, ...]
    files: tuple[FileResult, ...]
    problems: tuple[Diagnostic, ...]

    @property
    def uncovered(self) -> tuple[str, ...]:
        """The ids of clauses that lack an element or a scenario."""
        return tuple(clause.id for clause in self.clauses if not clause.covered)


def coverage(ruleset: Ruleset, sets: Iterable[tuple[int, OptionSet]] | None = None) -> Coverage:
    """Run the scenarios of a ruleset and tell which clauses they hold.

    Args:
        sets: player counts and options whose elements count; by default all player counts, and
            every
            single option value at the smallest.
    """
    reporter = Reporter()
    games = Games(ruleset)
    files = tuple(run_file(file, games) for file in read_all(ruleset, reporter))
    places = {
        clause: [f"{span.path}:{span.line}" for span in spans]
        for clause, spans in _places(_elements(games, sets)).items()
    }
    held: dict[str, list[str]] = {}
    for file in files:
        for result in file.results:
            if not result.passed:
                continue
            for clause in result.exercised:
                held.setdefault(clause, []).append(result.scenario.name)
    clauses = tuple(
        Clause(
            each.id,
            each.kind,
            each.text,
            tuple(places.get(each.id, ())),
            tuple(dict.fromkeys(held.get(each.id, ()))),
        )
        for each in ruleset.clauses
    )
    return Coverage(ruleset.name, clauses, files, reporter.diagnostics)


def _elements(games: Games, sets: Iterable[tuple[int, OptionSet]] | None) -> Iterable[m.Element]:
    """The elements of all games that are looked at; those that do not load add none."""
    low, high = games.ruleset.players
    if sets is None:
        sets = [(players, {}) for players in range(low, high + 1)]
        sets += [(low, options) for options in singles(games.ruleset)]
    for players, options in sets:
        game = games.game(players, options, Reporter())
        if game is not None:
            yield from game.model.elements


def carried(ruleset: Ruleset) -> Mapping[str, tuple[Span, ...]]:
    """By clause the places of the rules that carry it, in the order of the files; no scenario runs.

    Looked at are all player counts, and every single option value at the smallest.
    """
    return {
        clause: tuple(spans) for clause, spans in _places(_elements(Games(ruleset), None)).items()
    }


def _places(elements: Iterable[m.Element]) -> dict[str, list[Span]]:
    """Clause -> where what carries it stands, one place a line."""
    found: dict[str, dict[tuple[str, int], Span]] = {}
    for element in elements:
        for clause in element.clauses:
            span = element.span
            found.setdefault(clause, {}).setdefault((span.path, span.line), span)
    return {clause: [places[at] for at in sorted(places)] for clause, places in found.items()}
