"""`gemwright test PATH...`: runs scenario files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from gemwright.dsl.diagnostics import Diagnostic, Severity
from gemwright.dsl.render import render, to_json
from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import fail
from gemwright.interpreter.cli.lines import clean
from gemwright.interpreter.scenario.files import FileResult, run_scenarios
from gemwright.interpreter.scenario.parts import SUFFIX
from gemwright.interpreter.scenario.run import ScenarioResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help=f"scenario files, folders to search for *{SUFFIX}, or bundled names",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "junit"),
        default="text",
        help="how to print the results",
    )


def run(args: argparse.Namespace) -> int:
    """Run all scenarios; the exit code."""
    files: list[str] = []
    for path in args.paths:
        found = _scenario_files(path)
        if not found:
            return fail(exits.USAGE, f"there is no *{SUFFIX} in {clean(path)}")
        files += found
    unreadable = [path for path in files if not _readable(path)]
    results = [run_scenarios(path) for path in dict.fromkeys(files)]
    _print(results, args.format)
    if unreadable:
        return fail(exits.FAILED, f"cannot read {clean(', '.join(unreadable))}")
    return exits.CLEAN if all(result.passed for result in results) else exits.FINDINGS


def _scenario_files(path: str) -> list[str]:
    """What stands beside a bundled ruleset, a folder's files with its subfolders', or the path."""
    rules = bundled().get(path)
    if rules is not None:
        beside = rules.with_name(path + SUFFIX)
        return [str(beside)] if beside.is_file() else []
    if not Path(path).is_dir():
        return [path]
    return [str(each) for each in sorted(Path(path).rglob(f"*{SUFFIX}")) if each.is_file()]


def _readable(path: str) -> bool:
    try:
        with open(path, "rb"):
            return True
    except OSError:
        return False


def _print(results: Sequence[FileResult], form: str) -> None:
    if form == "json":
        print(json.dumps(_as_json(results), indent=2, ensure_ascii=False))
    elif form == "junit":
        print("\n".join(_junit(results)))
    else:
        print("\n".join(_text(results)))


def _passed(file: FileResult) -> tuple[int, int]:
    """How many scenarios passed, of how many."""
    return sum(result.passed for result in file.results), len(file.results)


# -- text


def _text(results: Sequence[FileResult]) -> Iterator[str]:
    sources = _Sources()
    for file in results:
        for problem in _problems(file):
            yield render(problem, sources.text)
        for result in file.results:
            if not result.passed:
                yield f"FAILED {clean(result.scenario.name)}"
        passed, all_ = _passed(file)
        verdict = "passed" if file.passed else "FAILED"
        yield f"{clean(file.path)}: {verdict}, {passed} of {all_} scenarios"


def _problems(file: FileResult) -> Iterator[Diagnostic]:
    yield from file.problems
    for result in file.results:
        yield from result.problems


class _Sources:
    """The texts of files, read once."""

    def __init__(self) -> None:
        self._texts: dict[str, str | None] = {}

    def text(self, path: str) -> str | None:
        """The text of a file; None if it cannot be read."""
        if path not in self._texts:
            try:
                self._texts[path] = Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeError):
                self._texts[path] = None
        return self._texts[path]


# -- json


def _as_json(results: Sequence[FileResult]) -> dict[str, Any]:
    counts = [_passed(file) for file in results]
    return {
        "files": [_file_json(file) for file in results],
        "passed": sum(passed for passed, _ in counts),
        "failed": sum(number - passed for passed, number in counts),
    }


def _file_json(file: FileResult) -> dict[str, Any]:
    return {
        "path": file.path,
        "ruleset": file.ruleset,
        "passed": file.passed,
        "problems": [to_json(problem) for problem in file.problems],
        "scenarios": [_scenario_json(result) for result in file.results],
    }


def _scenario_json(result: ScenarioResult) -> dict[str, Any]:
    return {
        "name": result.scenario.name,
        "line": result.scenario.span.line,
        "passed": result.passed,
        "clauses": [clause for clause, _ in result.scenario.clauses],
        "exercised": list(result.exercised),
        "elements": [f"{each.span.path}:{each.span.line}" for each in result.elements],
        "problems": [to_json(problem) for problem in result.problems],
    }


# -- junit


def _junit(results: Sequence[FileResult]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<testsuites>"
    for file in results:
        passed, number = _passed(file)
        broken = [each for each in file.problems if each.severity is Severity.ERROR]
        name, failures = _attribute(file.path), number - passed
        cases = number + bool(broken)
        counts = f'tests="{cases}" failures="{failures}" errors="{int(bool(broken))}"'
        yield f"<testsuite name={name} {counts}>"
        if broken:
            yield f'<testcase name="file" classname={name}>'
            yield f"<error>{_content(_said(broken))}</error></testcase>"
        for result in file.results:
            case = f"<testcase name={_attribute(result.scenario.name)} classname={name}"
            if result.passed:
                yield f"{case}/>"
            else:
                errors = [each for each in result.problems if each.severity is Severity.ERROR]
                yield f"{case}><failure>{_content(_said(errors))}</failure></testcase>"
        yield "</testsuite>"
    yield "</testsuites>"


def _said(problems: Sequence[Diagnostic]) -> str:
    return "\n".join(
        f"{each.span.path}:{each.span.line}:{each.span.column}: {each.code}: {each.message}"
        for each in problems
    )


def _attribute(text: str) -> str:
    return quoteattr(clean(text))


def _content(text: str) -> str:
    return escape("\n".join(clean(line) for line in text.splitlines()))
