"""Small readings of the positioned tree that every declaration needs: texts, clauses, ranges,
sub-parsers."""

from __future__ import annotations

import re

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.tree import Map, Node, Scalar, Seq
from gemwright.dsl.grammar.parse import parse
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.source import Span, TextMap

_RANGE = re.compile(r"^\s*(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)\s*$")
_CLAUSE = re.compile(r"^[A-Za-z]+-[0-9]+[a-z]?$")


def text_of(node: Node | None) -> str | None:
    """The text of a scalar: numbers and booleans as written."""
    if not isinstance(node, Scalar) or node.value is None:
        return None
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    return str(node.value)


def syntax_of(node: Node | None, start: str, reporter: Reporter) -> Syntax | None:
    """Parse a scalar with one of the grammar's start rules."""
    text = text_of(node)
    if text is None or not isinstance(node, Scalar):
        return None
    return parse(text, start, node.map, reporter)


def header_of(key: str, span: Span, reporter: Reporter) -> tuple[str, tuple[str, ...]] | None:
    """`name(a, b)` of a define or an effect."""
    places = tuple((span.line, span.column + n) for n in range(len(key) + 1))
    found = parse(key, "header", TextMap(span.path, places), reporter)
    return None if found is None else (found.word(0), found.words()[1:])


def clauses_of(node: Node | None, reporter: Reporter) -> tuple[str, ...]:
    """The `clause` key: one mark or a list of marks."""
    entry = node.get("clause") if isinstance(node, Map) else None
    if entry is None:
        return ()
    items = entry.items if isinstance(entry, Seq) else (entry,)
    found: list[str] = []
    for item in items:
        text = text_of(item)
        if text is None or not _CLAUSE.match(text):
            reporter.error(
                "E014",
                item.span,
                "this is no clause mark",
                "write the rulebook's letter and number, as in `X-12`",
            )
        else:
            found.append(text)
    return tuple(found)


def range_of(node: Node | None, reporter: Reporter) -> tuple[int, int] | None:
    """`a..b`, both included; a single number is a range of one."""
    text = text_of(node)
    if text is None or node is None:
        return None
    found = _RANGE.match(text)
    if (
        found is None
        and isinstance(node, Scalar)
        and isinstance(node.value, int)
        and not isinstance(node.value, bool)
    ):
        return node.value, node.value
    if found is None:
        return None
    low, high = found.group(1), found.group(2)
    if len(low) > 10 or len(high) > 10 or int(low) > int(high):
        reporter.error(
            "E006",
            node.span,
            f"`{text[:40]}` is no range",
            "write the smaller number first, of at most 9 digits",
        )
        return None
    return int(low), int(high)


def entries(node: Node | None) -> tuple[tuple[str, Span, Node], ...]:
    """Key, its place and value of a map; nothing for anything else."""
    if not isinstance(node, Map):
        return ()
    return tuple((entry.key, entry.key_span, entry.value) for entry in node.entries)
