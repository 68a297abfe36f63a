"""`gemwright clauses RULESET`:

rulebook clause -> elements of the file -> scenarios that exercise them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from gemwright.dsl.diagnostics import Severity
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import (
    add_game,
    add_ruleset,
    game_of,
    open_named,
    print_diagnostics,
)
from gemwright.interpreter.cli.clause_page import page
from gemwright.interpreter.cli.lines import clean, wrap
from gemwright.interpreter.option_sets import OptionSet
from gemwright.interpreter.scenario.clauses import Clause, Coverage, coverage

_WIDTH = 78


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_ruleset(parser)
    add_game(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="how to print it; `markdown` makes a page without running the scenarios",
    )


def run(args: argparse.Namespace) -> int:
    """Print the clauses; the exit code."""
    rules = open_named(args.ruleset)
    if isinstance(rules, int):
        return rules
    if args.format == "markdown":
        print("\n".join(page(rules)))
        return exits.CLEAN
    sets: list[tuple[int, OptionSet]] | None = None
    if args.players is not None or args.option:
        game = game_of(args, None)
        if isinstance(game, int):
            return game
        sets = [(game.players, game.options)]
    found = coverage(rules, sets)
    if args.format == "json":
        print(json.dumps(_as_json(found), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_text(found)))
    print_diagnostics(found.problems)
    failed = [file for file in found.files if not file.passed]
    for file in failed:
        print(f"{clean(file.path)}: failed; see `gemwright test`", file=sys.stderr)
    broken = failed or any(each.severity is Severity.ERROR for each in found.problems)
    return exits.FINDINGS if broken or found.uncovered else exits.CLEAN


def _as_json(found: Coverage) -> dict[str, Any]:
    return {
        "ruleset": found.ruleset,
        "clauses": [
            {
                "id": clause.id,
                "text": clause.text,
                "kind": clause.kind,
                "elements": list(clause.elements),
                "scenarios": list(clause.scenarios),
            }
            for clause in found.clauses
        ],
        "uncovered": list(found.uncovered),
    }


def _text(found: Coverage) -> Iterator[str]:
    for clause in found.clauses:
        yield from _clause(clause)
    if not found.clauses:
        yield f"{found.ruleset} names no rulebook, so there are no clauses"
        return
    counted = sum(clause.covered for clause in found.clauses)
    line = f"{found.ruleset}: {counted} of {len(found.clauses)} clauses are covered"
    if found.uncovered:
        line += f"; not: {', '.join(found.uncovered)}"
    yield from wrap(line, _WIDTH, "", "  ")


def _clause(clause: Clause) -> Iterator[str]:
    mark = "  " if clause.covered else "! "
    yield from wrap(f"{clause.id} ({clause.kind}) {clean(clause.text)}", _WIDTH, mark, "    ")
    if clause.elements:
        yield from wrap(clean(", ".join(clause.elements)), _WIDTH, "    in ", "       ")
    if clause.scenarios:
        yield from wrap(clean("; ".join(clause.scenarios)), _WIDTH, "    by ", "       ")
