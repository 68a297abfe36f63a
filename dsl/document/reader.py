"""From an untrusted YAML file to the positioned tree.

Problems are collected; a file whose layout is broken, or that uses parts of YAML that the language
does without, gives no tree.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.builder import MAX_DEPTH, Builder
from gemwright.dsl.document.syntax_help import continues_text, explain
from gemwright.dsl.document.textfile import place_in, read_text
from gemwright.dsl.document.textmap import Lines, Place
from gemwright.dsl.document.tree import Map
from gemwright.dsl.source import SourceFile, Span

#: Brackets open at once, also counted in texts and comments: a bound on the parser's own work.
#: The exact depth is counted on its events.
_MAX_BRACKETS: Final = 400
#: Files up to this size are read again after a bare colon, to find further problems.
_RETRY_BYTES: Final = 64 * 1024
_RETRIES: Final = 8
_MOST_REPORTED: Final = 20

_BRACKET: Final = re.compile(r"[\[\]{}]")
_TAB_INDENT: Final = re.compile(r"^ *(\t)", re.MULTILINE)


def read_yaml(
    real: Path, shown: str, reporter: Reporter, asked: Span | None = None
) -> tuple[Map, SourceFile] | None:
    """Read one YAML file; `asked` is the place that names it, if another file does.

    Gives the tree also when single values are wrong (they are reported, and stand in the tree as
    text), and None when the file as a whole cannot be used. Never raises for what a file holds.
    """
    source = read_text(real, shown, reporter, asked)
    if source is None or not _layout_is_sane(source, reporter):
        return None
    tree = _tree(source, reporter)
    return None if tree is None else (tree, source)


def _layout_is_sane(source: SourceFile, reporter: Reporter) -> bool:
    """The checks that need no parser: a wall of brackets, and tabs at the start of lines."""
    open_brackets = 0
    for found in _BRACKET.finditer(source.text):
        open_brackets = open_brackets + 1 if found.group() in "[{" else max(0, open_brackets - 1)
        if open_brackets > _MAX_BRACKETS:
            span = place_in(source.text, found.start(), source.path)
            message = f"more than {_MAX_BRACKETS} brackets are open at this place"
            reporter.error("Y009", span, message, f"at most {MAX_DEPTH} levels are allowed")
            return False
    tabs = [found.start(1) for found in _TAB_INDENT.finditer(source.text)]
    for offset in tabs[:_MOST_REPORTED]:
        span = place_in(source.text, offset, source.path)
        message = "the line is indented with a tab (U+0009)"
        reporter.error("Y012", span, message, "indent with spaces")
    return not tabs


def _tree(source: SourceFile, reporter: Reporter) -> Map | None:
    """Parse a text; behind a bare colon, parse again as if it were none, to find more."""
    text, broken = source.text, False
    retries = _RETRIES if len(text) <= _RETRY_BYTES else 0
    while True:
        lines = Lines(text)
        builder = Builder(source.path, lines, reporter)
        stop = builder.run(text)
        if stop is None:
            break
        broken = True
        finding = explain(stop, source.path, lines)
        reporter.error(finding.code, finding.span, finding.message, finding.help, finding.notes)
        if "mapping values" not in stop.problem or continues_text(stop, lines) or retries == 0:
            break
        retries -= 1
        text = _without_colon(text, lines, stop.place)
    return None if broken or builder.fatal else builder.root()


def _without_colon(text: str, lines: Lines, place: Place) -> str:
    """The text with a colon made harmless; nothing moves."""
    offset = lines.starts[place[0]] + place[1]
    return text[:offset] + "_" + text[offset + 1 :]
