"""Scenario files on disk:

which belong to a ruleset, which ruleset they test, and running them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gemwright.dsl.diagnostics import Diagnostic, Reporter, Severity
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.scenario.parts import SUFFIX, Scenario, ScenarioFile, read_scenarios
from gemwright.interpreter.scenario.run import Games, ScenarioResult, run_scenario

RULES_SUFFIX = ".gem.yaml"


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of a scenario file. `problems` are those of the file itself or of its ruleset."""

    path: str
    real: Path
    ruleset: str
    problems: tuple[Diagnostic, ...]
    results: tuple[ScenarioResult, ...]

    @property
    def passed(self) -> bool:
        """Whether the file was read and every scenario passed."""
        readable = not any(each.severity is Severity.ERROR for each in self.problems)
        return readable and all(result.passed for result in self.results)


def run_scenarios(
    path: Path | str,
    *,
    shown: str | None = None,
    ruleset: Ruleset | None = None,
    only: Callable[[Scenario], bool] = lambda scenario: True,
) -> FileResult:
    """Run the scenarios of a file.

    Args:
        path: the file; `shown` is how messages name it.
        ruleset: run on these rules instead of those that the file names.
        only: which scenarios to run.
    """
    real = Path(path)
    name = shown or str(path)
    reporter = Reporter()
    file = read_scenarios(real, name, reporter)
    if file is None:
        return FileResult(name, real, "", reporter.diagnostics, ())
    if ruleset is None:
        ruleset = _open(file, reporter)
        if ruleset is None:
            return FileResult(name, real, file.ruleset, reporter.diagnostics, ())
    return run_file(file, Games(ruleset), only)


def run_file(
    file: ScenarioFile,
    games: Games,
    only: Callable[[Scenario], bool] = lambda scenario: True,
) -> FileResult:
    """Run the scenarios of a file that was read."""
    results = tuple(run_scenario(each, games) for each in file.scenarios if only(each))
    return FileResult(file.path, file.real, games.ruleset.name, (), results)


def _open(file: ScenarioFile, reporter: Reporter) -> Ruleset | None:
    if Path(file.ruleset).is_absolute() or "\\" in file.ruleset or ":" in file.ruleset:
        text = "a ruleset is a name, or a path from this file on with `/`"
        reporter.error("X002", file.ruleset_span, text)
        return None
    where = ruleset_of(file)
    rules = open_ruleset(where, reporter)
    if rules is None:
        text = f"the ruleset `{file.ruleset}` cannot be used"
        reporter.error("X002", file.ruleset_span, text, "see its own findings, or write its path")
    return rules


def ruleset_of(file: ScenarioFile) -> str:
    """The path or bundled name of the ruleset that a scenario file tests.

    A name is looked for beside the file, then, from a folder `tests`, in the folder above, then
    among the bundled rulesets. A path is relative to the file.
    """
    real, shown = file.real.parent, Path(file.path).parent
    if file.ruleset.endswith(RULES_SUFFIX):
        return str(shown / file.ruleset)
    name = f"{file.ruleset}{RULES_SUFFIX}"
    if (real / name).is_file():
        return str(shown / name)
    if real.name == "tests" and (real.parent / name).is_file():
        above = shown.parent if shown.name == "tests" else real.parent
        return str(above / name)
    return file.ruleset


def scenario_files_of(ruleset: Ruleset) -> list[tuple[Path, str]]:
    """The scenario files of a ruleset, as (real, shown), by name.

    They are `NAME.test.yaml` beside the rules and `tests/*.test.yaml` below them.
    """
    folder = ruleset.document.folder
    shown = _shown_folder(ruleset)
    below = sorted((folder / "tests").glob(f"*{SUFFIX}"))
    found = [folder / f"{ruleset.name}{SUFFIX}", *below]
    pairs = []
    for real in found:
        if real.is_file():
            pairs.append((real, str(shown / real.relative_to(folder))))
    return pairs


def read_all(ruleset: Ruleset, reporter: Reporter) -> list[ScenarioFile]:
    """The scenario files of a ruleset that test it, read; problems go to the reporter."""
    found = []
    for real, shown in scenario_files_of(ruleset):
        file = read_scenarios(real, shown, reporter)
        if file is not None and _tests(file, ruleset):
            found.append(file)
    return found


def _tests(file: ScenarioFile, ruleset: Ruleset) -> bool:
    """Whether a file beside a ruleset tests it, and not another one of the folder."""
    return Path(file.ruleset).name.removesuffix(RULES_SUFFIX) == ruleset.name


def _shown_folder(ruleset: Ruleset) -> Path:
    folder = ruleset.document.folder
    for source in ruleset.document.files:
        if source.real.parent == folder:
            return Path(source.path).parent
    return folder
