"""`gemwright validate PATH...`:

all that can be known of rules files without playing them by hand.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from gemwright.dsl.diagnostics import Severity
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import add_game, fail, game_of, open_named
from gemwright.interpreter.cli.evidence import write_evidence
from gemwright.interpreter.cli.lines import clean
from gemwright.validator.api import ValidationReport, find_files, validate
from gemwright.validator.report import as_json, as_text

_FORMATS = ("text", "json", "sarif", "github", "junit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="rules files, folders to search for *.gem.yaml, or bundled names",
    )
    add_game(parser)
    parser.add_argument(
        "--format", choices=_FORMATS, default="text", help="how to print the findings"
    )
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument(
        "--no-inline-allow",
        action="store_true",
        help="comments in the files suppress nothing, as for files written by strangers",
    )
    parser.add_argument(
        "--quick", action="store_true", help="prove nothing: only what is found when a file loads"
    )
    parser.add_argument(
        "--recheck",
        action="store_true",
        help="also check every proof and every play that never ends again, by other means",
    )
    parser.add_argument(
        "--evidence",
        type=Path,
        metavar="FOLDER",
        help="write proofs and plays that never end there, for `check-cert` and `replay`",
    )
    parser.add_argument(
        "--monitor",
        type=int,
        metavar="N",
        help="also play N random games of each player count and check that proofs speak of them",
    )


def run(args: argparse.Namespace) -> int:
    """Validate and print; the exit code."""
    paths: list[str] = []
    for path in args.paths:
        found = find_files(path)
        if not found:
            return fail(exits.USAGE, f"there is no *.gem.yaml in {clean(path)}")
        paths += found
    unknown = [path for path in paths if _is_unknown_name(path)]
    if unknown:
        known = open_named(unknown[0])
        return known if isinstance(known, int) else exits.USAGE
    if args.monitor is not None and args.monitor < 1:
        return fail(exits.USAGE, f"--monitor {args.monitor}: at least 1")
    narrowed = _narrowed(args, paths)
    if isinstance(narrowed, int):
        return narrowed
    players, options = narrowed
    report = validate(
        *dict.fromkeys(paths),
        players=players,
        options=options,
        allow_comments=not args.no_inline_allow,
        proofs=not args.quick,
    )
    print(_shown(report, args.format))
    if args.evidence is not None:
        try:
            write_evidence(report, args.evidence)
        except OSError as failure:
            where = clean(str(failure.filename or args.evidence))
            return fail(exits.FAILED, f"cannot write {where}: {failure.strerror or failure}")
    if args.recheck:
        _recheck(report)
    broken = args.monitor is not None and _monitored(report, args.monitor, players, options)
    return exits.FINDINGS if broken else _code(report, args.strict)


def _monitored(
    report: ValidationReport,
    games: int,
    players: int | None,
    options: Mapping[str, int | str | bool] | None,
) -> bool:
    """Play the games of all files that load, tell of it on stderr: was any of them stopped?

    Play that leaves what proofs speak of is a fault of this program, and ends it as one.
    """
    from gemwright.validator.monitoring import monitor

    stopped = False
    for file in report.files:
        if not file.verdicts:
            continue
        for count, moves, problems in monitor(file.path, games, players, options):
            name = f"{clean(file.path)}: {_counted(count, 'player')}"
            print(f"{name}: {moves} monitored moves", file=sys.stderr)
            for each in problems:
                span = each.span
                where = f"{clean(span.path)}:{span.line}:{span.column}"
                print(f"{where}: a game stops: {each.message}", file=sys.stderr)
                stopped = True
    return stopped


def _recheck(report: ValidationReport) -> None:
    """Check all evidence again and tell of it on stderr.

    Evidence that does not hold is a fault of this program, and ends it as one.
    """
    from gemwright.validator.rechecking import recheck

    for file in report.files:
        held = recheck(file)
        told = f"{_counted(held.proofs, 'proof')}, {_counted(held.plays, 'endless play')}"
        print(f"{clean(file.path)}: checked again: {told}", file=sys.stderr)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _shown(report: ValidationReport, form: str) -> str:
    """The report in a form; what a form needs is imported where it is used."""
    if form == "json":
        return json.dumps(as_json(report), indent=2, ensure_ascii=False)
    if form == "sarif":
        from gemwright import __version__
        from gemwright.validator.formats.sarif import as_sarif

        return json.dumps(as_sarif(report, __version__), indent=2, ensure_ascii=False)
    if form == "github":
        from gemwright.validator.formats.github import as_github

        return as_github(report, secrets.token_hex(16))
    if form == "junit":
        from gemwright.validator.formats.junit import as_junit

        return as_junit(report)
    return as_text(report)


def _is_unknown_name(path: str) -> bool:
    """Whether a word is neither a path nor a bundled name."""
    from gemwright.interpreter.cli.bundled import bundled_rulesets

    if Path(path).exists() or "/" in path or "\\" in path or path.endswith((".yaml", ".yml")):
        return False
    return path not in bundled_rulesets()


def _narrowed(
    args: argparse.Namespace, paths: list[str]
) -> tuple[int | None, Mapping[str, int | str | bool] | None] | int:
    """The player count and options to look at, None for all of them; or an exit code."""
    if not args.option:
        if args.players is not None and args.players < 1:
            return fail(exits.USAGE, f"--players {args.players}: at least 1")
        return args.players, None
    if len(paths) != 1:
        return fail(exits.USAGE, "--option needs exactly one rules file")
    args.ruleset = paths[0]
    game = game_of(args, None)
    if isinstance(game, int):
        return game
    defaults = {spec.name: spec.values[0] for spec in game.ruleset.options} if game.ruleset else {}
    chosen = {name: value for name, value in game.options.items() if value != defaults.get(name)}
    return args.players, chosen


def _code(report: ValidationReport, strict: bool) -> int:
    if report.unreadable:
        return exits.FAILED
    if report.has(Severity.ERROR) or (strict and report.has(Severity.WARNING)):
        return exits.FINDINGS
    return exits.CLEAN
