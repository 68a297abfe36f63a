"""`gemwright diff A B`: what changes for a player between two rulesets."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from gemwright.dsl.comparison.elements import CHANGED, Change, compare
from gemwright.dsl.comparison.words import HEADINGS, Namer, worded
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.labels.labels import ENGLISH, Labels, load_labels
from gemwright.dsl.labels.languages import plural_of
from gemwright.dsl.labels.text import write
from gemwright.dsl.model.game import Game as Model
from gemwright.dsl.ruleset import Ruleset
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import (
    fail,
    instantiate,
    open_named,
    split_options,
)
from gemwright.interpreter.cli.lines import clean, wrap

_WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "a", metavar="A", help="a bundled name or a path; alone: a variant, compared with its base"
    )
    parser.add_argument("b", metavar="B", nargs="?", help="what A is compared with: the newer one")
    parser.add_argument("--players", type=int, metavar="N", help="count pieces for N players")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="count pieces with an option of either ruleset; may be repeated",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print it"
    )


def run(args: argparse.Namespace) -> int:
    """Print the differences; the exit code."""
    sides = _sides(args)
    if isinstance(sides, int):
        return sides
    a, b = sides
    models = _models(args, a, b)
    if isinstance(models, int):
        return models
    changes = sorted(
        (*compare(a, b), *_components(models)),
        key=lambda change: list(HEADINGS).index(change.section),
    )
    namer = _Names((b, a), [pair[1] for pair in models] + [pair[0] for pair in models]).name
    if args.format == "json":
        print(json.dumps(_as_json(a, b, changes, namer), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_text(a, b, changes, namer)))
    return exits.CLEAN


def _sides(args: argparse.Namespace) -> tuple[Ruleset, Ruleset] | int:
    """The two rulesets, or the exit code after saying why there are none."""
    first = open_named(args.a)
    if isinstance(first, int):
        return first
    if args.b is not None:
        second = open_named(args.b)
        return second if isinstance(second, int) else (first, second)
    chain = first.document.chain
    if len(chain) < 2:
        return fail(exits.USAGE, f"`{first.name}` extends nothing: say what to compare it with")
    base = open_named(str(first.document.files[len(chain) - 2].real))
    return base if isinstance(base, int) else (base, first)


# -- pieces


def _models(args: argparse.Namespace, a: Ruleset, b: Ruleset) -> list[tuple[Model, Model]] | int:
    """The games of both rulesets at every player count that both have, or at the one asked for."""
    options = split_options(args.option)
    if isinstance(options, int):
        return options
    known = [{spec.name for spec in rules.options} for rules in (a, b)]
    strange = sorted(set(options) - known[0] - known[1])
    if strange:
        return fail(exits.USAGE, f"neither ruleset has an option `{clean(strange[0])}`")
    low, high = max(a.players[0], b.players[0]), min(a.players[1], b.players[1])
    counts = range(low, high + 1) if args.players is None else (args.players,)
    found = []
    for count in counts:
        pair = []
        for rules, names in ((a, known[0]), (b, known[1])):
            own = {name: value for name, value in options.items() if name in names}
            game = instantiate(rules, count, own)
            if isinstance(game, int):
                return game
            pair.append(game.model)
        found.append((pair[0], pair[1]))
    return found


def _components(models: Sequence[tuple[Model, Model]]) -> Iterator[Change]:
    """Kinds that both have of which there are more or fewer pieces, over the player counts."""
    counted: dict[str, list[tuple[int, int, int]]] = {}
    for one, two in models:
        before, after = _pieces(one), _pieces(two)
        for kind in before.keys() & after.keys():
            if before[kind] != after[kind]:
                counted.setdefault(kind, []).append((one.players, before[kind], after[kind]))
    span = models[0][1].points[0].span if models else None
    for kind, rows in sorted(counted.items()):
        alike = len(rows) == len(models) and len({row[1:] for row in rows}) == 1
        for players, old, new in rows[:1] if alike else rows:
            assert span is not None
            what = "pieces" if alike else f"pieces with {players} players"
            yield Change("components", kind, what, CHANGED, str(old), str(new), span)


def _pieces(model: Model) -> dict[str, int]:
    counts: dict[str, int] = {}
    for face in model.faces:
        counts[face.kind] = counts.get(face.kind, 0) + face.count
    return {kind: count for kind, count in counts.items() if count}


# -- printing


class _Names:
    """English names of the elements of either ruleset."""

    def __init__(self, rulesets: Sequence[Ruleset], models: Sequence[Model]) -> None:
        by_digest = {model.digest: model for model in models}
        self._labels = [
            load_labels(rules, by_digest[rules.digest], ENGLISH, Reporter())
            for rules in rulesets
            if rules.digest in by_digest
        ] or [Labels(ENGLISH, "")]

    def name(self, section: str, element: str) -> str:
        """A name in quotes; a nested phase by its own name."""
        if not element:
            return ""
        key = element.rsplit("/", 1)[-1]
        section = "kinds" if section == "components" else section
        labels = next((each for each in self._labels if each.has_name(section, key)), None)
        if labels is None or section in ("options", "define", "effects", "tables"):
            return f"`{key}`"
        written = write(labels.named(section, key), {}, plural_of(ENGLISH))
        return f'"{clean(written)}"'


def _as_json(a: Ruleset, b: Ruleset, changes: Sequence[Change], namer: Namer) -> dict[str, Any]:
    return {
        "a": {"name": a.name, "title": a.title},
        "b": {"name": b.name, "title": b.title},
        "changes": [
            {
                "section": change.section,
                "element": change.element,
                "what": change.what,
                "kind": change.kind,
                "before": change.before,
                "after": change.after,
                "clauses": list(change.clauses),
                "path": change.span.path,
                "line": change.span.line,
                "text": "\n".join(worded(change, namer)),
            }
            for change in changes
        ],
    }


def _text(a: Ruleset, b: Ruleset, changes: Sequence[Change], namer: Namer) -> Iterator[str]:
    yield f"{clean(b.title)} ({b.name}) compared with {clean(a.title)} ({a.name})"
    if not changes:
        yield "nothing changes for a player"
    heading = ""
    for change in changes:
        if change.section != heading:
            heading = change.section
            yield ""
            yield HEADINGS[heading]
        head, *rest = worded(change, namer)
        marks = f"   [{', '.join(change.clauses)}]" if change.clauses else ""
        for line in (head + (marks if change.section != "clauses" else ""), *rest):
            indent = "  " + " " * (len(line) - len(line.lstrip()))
            yield from wrap(clean(line), _WIDTH, indent, indent + "  ")
