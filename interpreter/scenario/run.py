"""Runs scenarios: sets the state up, makes the moves, compares, and tells what really ran.

The result of a scenario holds the marked elements of the ruleset that ran or refused, as the
engine's trace reports them. A scenario counts for a clause only if it names it, passes, and such an
element is among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter, Severity
from gemwright.dsl.document.tree import Entry
from gemwright.dsl.elaboration.options import OptionSpec
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import Ruleset
from gemwright.dsl.suggest import did_you_mean
from gemwright.interpreter.game import Game
from gemwright.interpreter.scenario.names import Names, text_of
from gemwright.interpreter.scenario.parts import Scenario
from gemwright.interpreter.scenario.play import Run

OptionValue = int | str | bool

_MOST_GAMES: Final = 64
"""So many games are kept loaded; a file with more option sets loads some again."""


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """What became of a scenario.

    `problems` are errors, or warnings X010 about clauses that nothing exercised. `elements` are the
    marked elements that ran or refused, in the order of the game model.
    """

    scenario: Scenario
    problems: tuple[Diagnostic, ...]
    elements: tuple[m.Element, ...]

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def exercised(self) -> tuple[str, ...]:
        """The clauses that the scenario names and that an element which ran carries."""
        ran = {clause for element in self.elements for clause in element.clauses}
        return tuple(clause for clause, _ in self.scenario.clauses if clause in ran)


class Games:
    """The games of one ruleset, loaded once per player count and options."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._loaded: dict[tuple[object, ...], Game | None] = {}

    def game(
        self, players: int, options: Mapping[str, OptionValue], reporter: Reporter
    ) -> Game | None:
        """A game; None if the ruleset does not allow it, which is then reported, or was before."""
        key = (players, *sorted((name, repr(value)) for name, value in options.items()))
        if key not in self._loaded:
            if len(self._loaded) >= _MOST_GAMES:
                self._loaded.clear()
            model = self.ruleset.instantiate(players, options, reporter)
            self._loaded[key] = None if model is None else Game(model, self.ruleset)
        return self._loaded[key]


def run_scenario(scenario: Scenario, games: Games) -> ScenarioResult:
    """Run one scenario; all that is wrong is in the result."""
    reporter = Reporter()
    ran: set[int] = set()
    game = _game(scenario, games, reporter)
    if game is None:
        if not reporter.has_errors:
            text = "the game of this scenario does not load"
            reporter.error("X002", scenario.span, text)
        return ScenarioResult(scenario, reporter.diagnostics, ())
    Run(scenario, game, Names(game.model, reporter), ran.update).play()
    elements = tuple(each for each in game.model.elements if each.id in ran)
    if not reporter.has_errors:
        _check_clauses(scenario, elements, games.ruleset, reporter)
    return ScenarioResult(scenario, reporter.diagnostics, elements)


def _check_clauses(
    scenario: Scenario,
    elements: tuple[m.Element, ...],
    ruleset: Ruleset,
    reporter: Reporter,
) -> None:
    """Warn of clauses that the rulebook lacks, or that nothing in the scenario exercised."""
    ran = {clause for element in elements for clause in element.clauses}
    known = [clause.id for clause in ruleset.clauses]
    for clause, span in scenario.clauses:
        if known and clause not in known:
            help = did_you_mean(clause, known)
            reporter.error("X003", span, f"the rulebook has no clause `{clause}`", help)
        elif clause not in ran:
            text = f"nothing that carries `{clause}` ran here, so this does not count for it"
            reporter.warning("X010", span, text)


def _game(scenario: Scenario, games: Games, reporter: Reporter) -> Game | None:
    low, high = games.ruleset.players
    players = low if scenario.players is None else scenario.players
    if not low <= players <= high:
        text = f"`{games.ruleset.name}` is for {low} to {high} players, not {players}"
        reporter.error("X002", scenario.players_span, text)
        return None
    options: dict[str, OptionValue] = {}
    specs = {spec.name: spec for spec in games.ruleset.options}
    for entry in scenario.options:
        value = _option(entry, specs, reporter)
        if value is not None:
            options[entry.key] = value
    if reporter.has_errors:
        return None
    return games.game(players, options, reporter)


def _option(
    entry: Entry, specs: Mapping[str, OptionSpec], reporter: Reporter
) -> OptionValue | None:
    spec = specs.get(entry.key)
    if spec is None:
        help = did_you_mean(entry.key, specs)
        reporter.error("X002", entry.key_span, f"there is no option `{entry.key}`", help)
        return None
    text, span = text_of(entry.value)
    value: OptionValue | None = spec.parse(text)
    if value is None:
        reporter.error("X002", span, f"option `{entry.key}` cannot be `{text}`")
    return value
