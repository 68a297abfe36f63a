"""Validate rules files from Python, and check a ruleset in a test of one's own.

`validate` answers with a report and never raises for what a file says. `check_ruleset` is made for
test suites of third parties: it raises an AssertionError that lists all that is wrong.
"""

from __future__ import annotations

from pathlib import Path

from gemwright.validator.checking import problems_of
from gemwright.validator.findings import FileReport, Finding, ValidationReport, Verdict
from gemwright.validator.validating import find_files, validate

__all__ = [
    "FileReport",
    "Finding",
    "ValidationReport",
    "Verdict",
    "check_ruleset",
    "find_files",
    "validate",
]


def check_ruleset(path: str | Path, *, games: int = 20) -> None:
    """Validate a ruleset, run its scenarios, and play random games with their laws checked.

    Args:
        path: a rules file, or a bundled name.
        games: how many random games to play per player count.

    Raises:
        AssertionError: something is wrong; the message lists all of it.
    """
    problems = problems_of(str(path), games)
    if problems:
        lines = "\n".join(f"- {problem}" for problem in problems)
        raise AssertionError(f"{path}: {len(problems)} problems\n{lines}")
