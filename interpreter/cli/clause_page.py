"""The clauses of a rulebook beside the lines of rules that carry them, and the options, as Markdown
for a page of documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gemwright.dsl.elaboration.options import OptionSpec
from gemwright.dsl.ruleset import ClauseText, Ruleset
from gemwright.dsl.source import Span
from gemwright.interpreter.cli.arguments import option_value
from gemwright.interpreter.scenario.clauses import COUNTED, carried

_CLAUSE = re.compile(r",? *clause: *(\[[^\]]*\]|[\w-]+)")
_WIDEST = 90
"""So many letters of a line of rules are shown."""


def clause_table(rules: Ruleset) -> Iterator[str]:
    """A row for each clause: its text in our own words, and the lines that carry it."""
    places = carried(rules)
    yield "| clause | in own words | lines of the rules |"
    yield "|---|---|---|"
    for clause in rules.clauses:
        lines = "<br>".join(_lines(rules, places.get(clause.id, ())))
        yield f"| {clause.id} | {_cell(clause.text)} | {lines or _nowhere(clause)} |"


def _nowhere(clause: ClauseText) -> str:
    """Why no line carries a clause."""
    return "nothing carries it" if clause.kind in COUNTED else f"{clause.kind}: nothing to play"


def _lines(rules: Ruleset, spans: Sequence[Span]) -> Iterator[str]:
    """Numbers and texts of lines, their marks and comments left out."""
    for span in spans:
        lines = (rules.document.text_of(span.path) or "").split("\n")
        text = lines[span.line - 1] if span.line <= len(lines) else ""
        yield f"{span.line} `{_rule(text)}`"


def _rule(line: str) -> str:
    bare = _CLAUSE.sub("", line.split(" @")[0].split(" # ")[0])
    text = " ".join(bare.split()).replace("|", "\\|")
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def option_table(rules: Ruleset) -> Iterator[str]:
    """A row for each option: its default, what else may be chosen, clauses, and its line."""
    yield "| option | default | also | clauses | line |"
    yield "|---|---|---|---|---|"
    for spec in rules.options:
        default, *others = map(option_value, spec.values)
        also = [f"`{value}`" for value in others]
        if spec.low is not None and spec.low != spec.high:
            also.append(f"{spec.low} to {spec.high}")
        cells = (
            f"`{spec.name}`",
            f"`{default}`",
            ", ".join(also) or "nothing else",
            ", ".join(spec.clauses) or "-",
            str(spec.span.line),
        )
        yield f"| {' | '.join(cells)} |"


def how_to_change(options: Sequence[OptionSpec]) -> str:
    """How an option is chosen, with the first one that leaves a choice as the example."""
    found: Mapping[str, str] = {
        spec.name: option_value(spec.values[1]) for spec in options if len(spec.values) > 1
    }
    if not found:
        return "Nothing is left to choose."
    name, value = next(iter(found.items()))
    return (
        f"An option is chosen when a game begins, as in `--option {name}={value}`, or for good in "
        "a variant that puts another value first."
    )


def page(rules: Ruleset) -> Iterator[str]:
    """Both tables, each under its heading."""
    yield "## Clauses"
    yield ""
    yield from clause_table(rules) if rules.clauses else ("The rules name no rulebook.",)
    yield ""
    yield "## Options"
    yield ""
    if rules.options:
        yield how_to_change(rules.options)
        yield ""
        yield from option_table(rules)
    else:
        yield "There are none."
