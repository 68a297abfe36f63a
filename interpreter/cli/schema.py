"""`gemwright schema`: the JSON Schema of ruleset files, for editors."""

from __future__ import annotations

import argparse
import json

from gemwright.dsl.schema import ruleset_schema
from gemwright.interpreter.cli import exits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""


def run(args: argparse.Namespace) -> int:
    """Print the schema."""
    print(json.dumps(ruleset_schema(), indent=2, ensure_ascii=False))
    return exits.CLEAN
