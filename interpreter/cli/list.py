"""`gemwright list`: the bundled rulesets and variants, their players, options and languages."""

from __future__ import annotations

import argparse
import json
from typing import Any

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.elaboration.options import OptionSpec
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import print_diagnostics
from gemwright.interpreter.cli.bundled import Bundled, bundled_rulesets
from gemwright.interpreter.cli.lines import clean, columns
from gemwright.interpreter.cli.screen import Plain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print")


def run(args: argparse.Namespace) -> int:
    """Print what is bundled."""
    found: list[tuple[Bundled, Ruleset]] = []
    code = exits.CLEAN
    for bundled in bundled_rulesets().values():
        reporter = Reporter()
        rules = open_ruleset(bundled.name, reporter)
        if rules is None:
            print_diagnostics(reporter.diagnostics)
            code = exits.FINDINGS
        else:
            found.append((bundled, rules))
    if args.format == "json":
        data = {"rulesets": [_data(bundled, rules) for bundled, rules in found]}
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        for bundled, rules in found:
            print("\n".join(_text(bundled, rules, Plain.width)))
    return code


def _data(bundled: Bundled, rules: Ruleset) -> dict[str, Any]:
    low, high = rules.players
    return {
        "name": bundled.name,
        "title": rules.title,
        "variant_of": bundled.base if bundled.is_variant else None,
        "players": {"min": low, "max": high, "default": rules.default_players or low},
        "languages": list(bundled.languages),
        "options": [_option(spec) for spec in rules.options],
    }


def _option(spec: OptionSpec) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": spec.name,
        "default": spec.values[0] if spec.values else spec.low,
        "values": list(spec.values),
        "label": spec.label,
        "clauses": list(spec.clauses),
    }
    if spec.low is not None:
        data["range"] = {"min": spec.low, "max": spec.high}
    return data


def _text(bundled: Bundled, rules: Ruleset, width: int) -> list[str]:
    low, high = rules.players
    indent = "  " if bundled.is_variant else ""
    players = f"{low} players" if low == high else f"{low}-{high} players"
    parts = [f"{bundled.name}: {clean(rules.title)}", players]
    if bundled.is_variant:
        parts.append(f"a variant of {bundled.base}")
    if bundled.languages:
        parts.append(f"languages {' '.join(bundled.languages)}")
    rows = [(spec.name, spec.domain) for spec in rules.options]
    return [indent + "; ".join(parts), *columns(rows, width, indent + "    ")]
