"""The generated part of docs/rulebooks: clauses beside the lines that carry them, and the options.

    python -m tests.rulebooks [--write]

Each bundled game has a page; what people wrote on it stays, the part between the two marks is made
from the rules. Without a flag the pages are compared, `--write` makes the part anew.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from functools import cache
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.cli.bundled import bundled_rulesets
from gemwright.interpreter.cli.clause_page import page

FOLDER = Path(__file__).parents[1] / "docs" / "rulebooks"

BEGIN = "<!-- made from the rules by `python -m tests.rulebooks --write` -->"
END = "<!-- up to here -->"


def games() -> dict[str, Ruleset]:
    """The bundled games by name, without their variants."""
    found = {}
    for bundled in bundled_rulesets().values():
        if not bundled.is_variant:
            rules = open_ruleset(bundled.name, Reporter())
            assert rules is not None, bundled.name
            found[bundled.name] = rules
    return found


def made(rules: Ruleset) -> str:
    """What stands between the marks."""
    return _made(rules.name)


@cache
def _made(name: str) -> str:
    rules = open_ruleset(name, Reporter())
    assert rules is not None, name
    return "\n".join((BEGIN, "", *page(rules), "", END))


def path_of(name: str) -> Path:
    """The page of a game."""
    return FOLDER / f"{name}.md"


def renewed(text: str, rules: Ruleset) -> str:
    """A page with its generated part as the rules are now; at its end if it has none yet."""
    if BEGIN not in text:
        head = text or f"# {rules.title}: where each rule stands\n"
        return f"{head.rstrip()}\n\n{made(rules)}\n"
    before, _, rest = text.partition(BEGIN)
    return before + made(rules) + rest.partition(END)[2]


def difference(rules: Ruleset) -> str:
    """How a page differs from what the rules make of it; '' if it does not."""
    path = path_of(rules.name)
    text = path.read_text("utf-8") if path.is_file() else ""
    lines = difflib.unified_diff(
        text.splitlines(), renewed(text, rules).splitlines(), "the page", "the rules", lineterm=""
    )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Compare or write; 0 when nothing differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.rulebooks", description=__doc__)
    parser.add_argument("--write", action="store_true", help="make the part anew")
    options = parser.parse_args(arguments)
    code = 0
    for name, rules in games().items():
        lines = difference(rules)
        if lines and options.write:
            path = path_of(name)
            text = path.read_text("utf-8") if path.is_file() else ""
            path.write_text(renewed(text, rules), "utf-8", newline="\n")
            print(f"{path.name}: written")
        elif lines:
            print(lines)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
