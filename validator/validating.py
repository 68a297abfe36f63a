"""Validation of rules files: every game of the matrix is made, and what is found is collected."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter, Severity
from gemwright.dsl.labels.vocabulary import Gatherer
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.validator.collecting import Collector, by_place
from gemwright.validator.findings import FileReport, Finding, ValidationReport
from gemwright.validator.judging import GameOf, judged
from gemwright.validator.labelling import label_findings
from gemwright.validator.matrix import Matrix, matrix
from gemwright.validator.suppressions import read_suppressions, suppress
from gemwright.validator.using import idle_options, unread_state, unused_names

RULES_SUFFIX: Final = ".gem.yaml"

_PLAYABLE: Final = "LTDRVW"
"""Letters of the findings that leave the rules playable."""

_STRUCTURAL: Final = frozenset({"G002", "G003", "G004"})
"""So do these."""

_MISFIT: Final = "O001"
"""Options that do not go together: such a game does not exist, and no finding in it counts."""


def validate(
    *paths: str | Path,
    players: int | None = None,
    options: Mapping[str, int | str | bool] | None = None,
    allow_comments: bool = True,
    proofs: bool = True,
) -> ValidationReport:
    """Find all that can be known of rules files without playing them by hand.

    Args:
        paths: files, folders (searched for `*.gem.yaml`, subfolders included), or bundled names.
        players: look at this player count only.
        options: look at these options only.
        allow_comments: whether comments in the files may suppress findings.
        proofs: whether to prove what can be proved; without, all verdicts are unknown.
    """
    reports = []
    for path in paths:
        for each in find_files(path):
            reports.append(_validate_one(each, players, options, allow_comments, proofs))
    return ValidationReport(tuple(reports))


def find_files(path: str | Path, suffix: str = RULES_SUFFIX) -> list[str]:
    """The files that a path stands for, as they are shown:

    itself, or what a folder holds by name.
    """
    folder = Path(path)
    if not folder.is_dir():
        return [str(path)]
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        found += [str(Path(place) / name) for name in sorted(names) if name.endswith(suffix)]
    return found


def _validate_one(
    path: str,
    players: int | None,
    options: Mapping[str, int | str | bool] | None,
    allow_comments: bool,
    proofs: bool,
) -> FileReport:
    reporter = Reporter()
    rules = open_ruleset(path, reporter)
    if rules is None:
        findings = tuple(Finding(each) for each in reporter.diagnostics)
        return FileReport(path, findings, (), unreadable=not _readable(path))
    look = matrix(rules)
    if players is not None or options is not None:
        look = _narrowed(look, players, options)
    collected = Collector(reporter.diagnostics)
    words = Gatherer(rules.document.text_of)
    games = _games(rules, look, collected, words)
    whole = players is None and options is None
    own = rules.document.files[len(rules.document.chain) - 1].path if whole else None
    verdicts = judged(games, path, proofs and not collected.blocking, collected, own)
    if whole and verdicts:
        collected.add_general(label_findings(rules, words.vocabulary()))
        collected.add_general(unused_names(rules))
        plain = [game.model for game in games if len(game.options) <= 1]
        collected.add_general(unread_state(rules, plain))
        played = [(game.players, game.options, game.model) for game in games]
        collected.add_general(idle_options(rules, played, look))
    findings = collected.findings()
    if allow_comments:
        findings = _commented(rules, findings, collected, whole)
    loads = not any(_stops(each.diagnostic) for each in findings)
    return FileReport(path, findings, verdicts if loads else (), look.note, look.asked)


def _stops(found: Diagnostic) -> bool:
    """Whether a finding keeps the rules from being played; what is wrong with labels or with the
    game that the rules make does not."""
    playable = found.code[0] in _PLAYABLE or found.code in _STRUCTURAL
    return found.severity is Severity.ERROR and not playable


def _commented(
    rules: Ruleset, findings: tuple[Finding, ...], collected: Collector, all_looked_at: bool
) -> tuple[Finding, ...]:
    """The findings as the comments of the file and of its bases leave them.

    What is wrong with a comment is a finding of the file that holds it, not of its variants.
    """
    count = len(rules.document.chain)
    *bases, own = rules.document.files[:count]
    inherited = [each for file in bases for each in read_suppressions(file.path, file.text)[0]]
    left = suppress(findings, tuple(inherited), collected.blocking, False)
    comments, wrong = read_suppressions(own.path, own.text)
    left = suppress(left, comments, collected.blocking, all_looked_at)
    return tuple(sorted((*left, *wrong), key=by_place))


def _readable(path: str) -> bool:
    try:
        with open(path, "rb"):
            return True
    except OSError:
        return False


def _narrowed(
    look: Matrix, players: int | None, options: Mapping[str, int | str | bool] | None
) -> Matrix:
    """Only what was asked for."""
    counts = look.players if players is None else (players,)
    if options is None:
        return replace(look, players=counts)
    return Matrix(counts, (options,), 0, 0, asked=True)


def _games(rules: Ruleset, look: Matrix, collected: Collector, words: Gatherer) -> list[GameOf]:
    """Instantiate every game; findings are collected, games that exist are kept.

    `words` gathers the names of the games with at most one option changed: pairs add none.
    """
    games = []
    for place, players in enumerate(look.players):
        for number, options in enumerate(look.sets):
            # Each pair is looked at with one number of players, in turn, unless it is named.
            in_turn = len(options) > 1 and not look.asked and options not in look.named
            if in_turn and number % len(look.players) != place:
                continue
            reporter = Reporter()
            model = rules.instantiate(players, options, reporter)
            found = reporter.diagnostics
            if model is None and options and any(each.code == _MISFIT for each in found):
                continue
            collected.add(players, options, found)
            if model is None:
                collected.block(found)
            if model is not None:
                if len(options) <= 1:
                    words.add(model)
                games.append(GameOf(model, players, options, look.asked))
    return games
