"""`gemwright schema [rules|report]`: the JSON Schemas of ruleset files and of reports."""

from __future__ import annotations

import argparse
import json
from importlib import resources

from gemwright.dsl.document.schema import ruleset_schema
from gemwright.interpreter.cli import exits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare which schema is wanted."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=("rules", "report"),
        default="rules",
        help="rules: ruleset files, for editors; report: what validate --format json prints",
    )


def run(args: argparse.Namespace) -> int:
    """Print the schema."""
    if args.what == "report":
        folder = resources.files("gemwright.validator.formats")
        print(folder.joinpath("report.schema.json").read_text(encoding="utf-8"), end="")
    else:
        print(json.dumps(ruleset_schema(), indent=2, ensure_ascii=False))
    return exits.CLEAN
