"""The checks behind `check_ruleset`: findings, scenarios, and laws that every random game must
keep.

The laws: no piece is lost or made, every legal move can be made, a game ends within the given
number of moves, and the same seed with the same moves gives the same final state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter, Severity
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import Game
from gemwright.interpreter.moves import Move
from gemwright.interpreter.scenario.files import FileResult, read_all, run_file
from gemwright.interpreter.scenario.run import Games
from gemwright.interpreter.state import State
from gemwright.validator.findings import Finding
from gemwright.validator.validating import validate

MOST_MOVES: Final = 20_000
"""A random game that is longer counts as one that does not end."""


def problems_of(path: str, games: int) -> list[str]:
    """All that is wrong with a ruleset, in words; at most one problem per random game."""
    report = validate(path)
    found = [
        _finding(finding)
        for file in report.files
        for finding in file.findings
        if finding.diagnostic.severity is Severity.ERROR
    ]
    if not report.files or report.unreadable:
        found.append("the rules cannot be read")
    rules = None if found else open_ruleset(path, Reporter())
    if rules is None:
        return found
    found.extend(_scenario_problems(rules))
    for players in range(rules.players[0], rules.players[1] + 1):
        model = rules.instantiate(players, {}, Reporter())
        if model is not None:
            found.extend(_game_problems(Game(model, rules), games))
    return found


def _finding(finding: Finding) -> str:
    return _said(finding.diagnostic, finding.message)


def _said(found: Diagnostic, message: str = "") -> str:
    span = found.span
    return f"{span.path}:{span.line}:{span.column}: {found.code}: {message or found.message}"


def _scenario_problems(rules: Ruleset) -> Iterator[str]:
    reporter = Reporter()
    games = Games(rules)
    for file in read_all(rules, reporter):
        yield from _failed(run_file(file, games))
    yield from (_said(each) for each in reporter.diagnostics)


def _failed(file: FileResult) -> Iterator[str]:
    for result in file.results:
        for problem in result.problems:
            if problem.severity is Severity.ERROR:
                yield _said(problem, f"scenario {result.scenario.name}: {problem.message}")


def _game_problems(game: Game, games: int) -> Iterator[str]:
    for index in range(games):
        problem = _play(game, index)
        if problem:
            yield f"{game.players} players, seed 0, game {index}: {problem}"


def _play(game: Game, index: int) -> str:
    """Play one random game and play it again; what is wrong, or ''."""
    stream = Stream(0, index, 1)
    state = game.start(0, index)
    moves: list[tuple[int, Move]] = []
    while not state.is_over:
        problem = _unconserved(state)
        if problem:
            return f"after {len(moves)} moves {problem}"
        if len(moves) >= MOST_MOVES:
            return f"not over after {MOST_MOVES} moves"
        decision = state.pending[0]
        move = decision.sample(stream)
        moves.append((decision.player, move))
        state.apply(move, decision.player)
    if state.problem is not None:
        return _said(state.problem)
    again = game.start(0, index)
    for seat, move in moves:
        again.apply(move, seat)
    if again.digest() != state.digest() or again.result != state.result:
        return "the same seed and moves lead to another end"
    return _unconserved(state)


def _unconserved(state: State) -> str:
    """Which pieces were lost or made, or ''."""
    places = state._machine.places
    for face in state.model.faces:
        there = sum(places.count(each, face.id, state.block) for each in _instances(state.model))
        if there != face.count:
            return f"there are {there} `{face.name}`, not {face.count}"
    return ""


def _instances(model: m.Game) -> range:
    return range(sum(zone.size for zone in model.zones))
