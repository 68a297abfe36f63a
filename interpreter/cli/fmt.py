"""`gemwright fmt PATH... [--check]`: the canonical layout of rules files, comments kept."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.formatting import Formatted, format_file
from gemwright.dsl.render import render
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import fail
from gemwright.interpreter.cli.lines import clean
from gemwright.validator.api import find_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="files, or folders to search for *.gem.yaml"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; say which files are not in layout"
    )


def run(args: argparse.Namespace) -> int:
    """Lay out the files; the worst of their exit codes."""
    codes = [exits.CLEAN]
    for path in args.paths:
        files = find_files(path)
        if not files:
            return fail(exits.USAGE, f"there is no *.gem.yaml in {clean(path)}")
        codes += [_one(file, args.check) for file in dict.fromkeys(files)]
    return max(codes)


def _one(shown: str, check: bool) -> int:
    path = Path(shown)
    reporter = Reporter()
    found = format_file(path, shown, reporter)
    if found is None:
        for each in reporter.diagnostics:
            print(render(each, lambda _: None))
        return exits.FINDINGS if path.is_file() and os.access(path, os.R_OK) else exits.FAILED
    if found.after == found.before:
        return exits.CLEAN
    if check:
        print(f"{clean(shown)}: not in canonical layout")
        return exits.FINDINGS
    problem = _write(path, found)
    if problem:
        return fail(exits.FAILED, f"{clean(shown)} cannot be written: {problem}")
    print(f"{clean(shown)}: laid out")
    return exits.CLEAN


def _write(path: Path, found: Formatted) -> str:
    """Exchange the file in one step, so that no half of it is ever there; '' or the problem."""
    target = path.resolve()
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=target.parent, delete=False
        ) as made:
            made.write(found.after)
        os.chmod(made.name, target.stat().st_mode)
        os.replace(made.name, target)
    except OSError as error:
        return error.strerror or "unknown reason"
    return ""
