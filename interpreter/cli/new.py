"""`gemwright new`: a variant of a ruleset to start from, with its scenario file."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from gemwright.dsl.ruleset import Ruleset
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import fail, open_named
from gemwright.interpreter.cli.hints import Hint, hints
from gemwright.interpreter.cli.lines import wrap

_SUFFIX = ".gem.yaml"
_SCHEMA = "gemwright.schema.json"
_WIDTH = 96

_RULES = """\
# yaml-language-server: $schema={schema}
{editor}
language: {language}
game: {name}
extends: {base}
title: {title}

{overlay}
{hints}"""

_EDITOR = (
    "The line above lets an editor complete and check this file; `gemwright schema > {schema}` "
    "makes the schema."
)
_OVERLAY = (
    "What stands here replaces the same element of `{base}`: maps are merged by key, lists and "
    "blocks of sentences are replaced whole, and `null` takes an element away. Take the `# ` off "
    "the lines of a hint below to begin with it; `gemwright diff {name}.gem.yaml` says what has "
    "changed."
)

_SCENARIOS = """\
# Scenarios of `{name}`: `gemwright test {name}.test.yaml` plays them.
language: {language}
ruleset: {name}.gem.yaml
scenarios:
  - name: the game can be set up
    players: {players}
    seed: 1
    expect: {{over: false}}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME", help="the name of the variant, such as my_variant")
    parser.add_argument("--extends", metavar="RULESET", required=True, help="what it starts from")


def run(args: argparse.Namespace) -> int:
    """Write NAME.gem.yaml and NAME.test.yaml in the current folder."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", args.name):
        return fail(exits.USAGE, f"`{args.name}` is no name: use lower-case letters, digits and _")
    rules = open_named(args.extends)
    if isinstance(rules, int):
        return rules
    base = args.extends.removesuffix(_SUFFIX)
    if "/" in base or "\\" in base or base == args.name:
        text = "a variant can extend a bundled ruleset or another file of the current folder"
        return fail(exits.USAGE, text)
    count = rules.default_players or rules.players[0]
    files = {
        Path(args.name + _SUFFIX): _rules(args.name, base, rules),
        Path(f"{args.name}.test.yaml"): _SCENARIOS.format(
            language=rules.language,
            name=args.name,
            players=count,
        ),
    }
    for path in files:
        if path.exists():
            return fail(exits.FAILED, f"{path} is there already; nothing was written")
    return _write(files)


def _write(files: dict[Path, str]) -> int:
    for path, text in files.items():
        try:
            with path.open("x", encoding="utf-8") as out:
                out.write(text)
        except OSError as failure:
            return fail(exits.FAILED, f"cannot write {path}: {failure.strerror or failure}")
    for path in files:
        print(path)
    return exits.CLEAN


def _rules(name: str, base: str, rules: Ruleset) -> str:
    return _RULES.format(
        schema=_SCHEMA,
        language=rules.language,
        name=name,
        base=base,
        title=name.replace("_", " "),
        editor="\n".join(_comment(_EDITOR.format(schema=_SCHEMA))),
        overlay="\n".join(_comment(_OVERLAY.format(base=base, name=name))),
        hints="\n".join(_commented(hints(rules))),
    )


def _comment(text: str) -> Iterator[str]:
    yield from (f"# {line}" for line in wrap(text, _WIDTH))


def _commented(found: Iterable[Hint]) -> Iterator[str]:
    for hint in found:
        yield ""
        yield from _comment(hint.about)
        yield "#"
        yield from (f"# {line}".rstrip() for line in hint.lines)
    yield ""
