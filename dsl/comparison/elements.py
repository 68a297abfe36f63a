"""What differs between two rulesets, element by element: the composed trees side by side.

Layout, comments, clause marks and the order of fields make no difference. Short forms of an element
are compared with long ones. Lines of conditions and sentences are compared one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from gemwright.dsl.comparison.lines import paired
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.tables import read_table
from gemwright.dsl.document.tree import Map, Node, Scalar, Seq
from gemwright.dsl.elaboration.reading import entries, text_of
from gemwright.dsl.ruleset import Ruleset
from gemwright.dsl.source import Span

ADDED: Final = "added"
REMOVED: Final = "removed"
CHANGED: Final = "changed"

_SECTIONS: Final = (
    "options", "kinds", "tables", "zones", "state", "define", "effects", "phases", "actions",
)  # fmt: skip
USUAL: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("zones", "seen_by"): "all",
        ("zones", "limit"): "any number",
        ("zones", "order"): "counts",
        ("zones", "per"): "the table",
        ("state", "seen_by"): "all",
        ("state", "start"): "its lowest value or 0",
        ("kinds", "count"): "1",
        ("result", "ties"): "shared",
    }
)
"""What a field means that a file leaves out, by section and field."""

_LINES: Final = ("where", "do", "setup", "next")
"""Fields that hold lines: conditions, sentences, ways."""
_SHORT: Final[Mapping[str, str]] = {"define": "is", "effects": "do", "state": "type"}
"""What the short form of an element of a section stands for."""
_SILENT: Final = ("clause", "label")
_FOR_THE_VALIDATOR: Final = ("decreases",)
_MARK: Final = re.compile(r"@([A-Za-z]+-[0-9]+[a-z]?)")
_MARKS: Final = re.compile(r"(\s*@[A-Za-z]+-[0-9]+[a-z]?)+\s*$")
_NUMBER: Final = re.compile(r"-?\d+")
_RANGE: Final = re.compile(r"(-?\d+)\s*\.\.\s*(-?\d+)")
_COMMENT: Final = re.compile(r"(^|\s+)#.*$")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two rulesets, A and B.

    `section` is a section of a rules file, `element` the name in it ('' for the section itself; of
    a nested phase its path), `what` the field ('' for the whole element). `before` is how A has it,
    '' if it has not; `after` the same for B; of a whole element a line for each field. `span` is
    where B says so, or A if B does not. `clauses` are the marks of what was changed, in both.
    """

    section: str
    element: str
    what: str
    kind: str
    before: str
    after: str
    span: Span
    clauses: tuple[str, ...] = ()


def compare(a: Ruleset, b: Ruleset) -> tuple[Change, ...]:
    """All differences that matter to a player, in the order of the sections of a rules file."""
    one, two = a.document.tree, b.document.tree
    found = [*_heads(one, two)]
    for section in _SECTIONS:
        if section == "actions":
            found += _field("setup", "", "setup", one.get("setup"), two.get("setup"))
        found += _section(section, one.get(section), two.get(section))
    for section in ("result", "match"):
        found += _fields(section, "", one.get(section), two.get(section))
    return (*found, *_tables(a, b), *_clauses(a, b))


def _heads(one: Map, two: Map) -> Iterator[Change]:
    for key in ("players", "default_players"):
        yield from _field("players", "", key, one.get(key), two.get(key))


# -- elements


def _section(section: str, one: Node | None, two: Node | None, path: str = "") -> Iterator[Change]:
    """The elements of a map by name: those that are gone, those that are new, then the rest."""
    before, after = dict(_elements(one)), dict(_elements(two))
    for name, node in before.items():
        if name not in after:
            yield _whole(section, path + name, REMOVED, node)
    for name, node in after.items():
        if name not in before:
            yield _whole(section, path + name, ADDED, node)
    for name, node in before.items():
        if name in after:
            yield from _fields(section, path + name, node, after[name])


def _elements(node: Node | None) -> Iterator[tuple[str, Node]]:
    """Names and elements; of a map of phases also where it starts."""
    yield from ((re.sub(r"\s+", "", key), value) for key, _, value in entries(node))


def _whole(section: str, element: str, kind: str, node: Node) -> Change:
    told = "\n".join(_summary(section, node))
    before, after = (told, "") if kind == REMOVED else ("", told)
    return Change(section, element, "", kind, before, after, node.span, marks_of(node))


def _summary(section: str, node: Node) -> Iterator[str]:
    """The fields of an element, each in a line; the phases inside one by their names."""
    for key, value in _as_fields(section, node).items():
        if key == "phases":
            yield f"{key}: {', '.join(name for name, _ in _elements(value))}"
        elif key not in _FOR_THE_VALIDATOR:
            yield f"{key}: {plain(value)}"


def _as_fields(section: str, node: Node | None) -> dict[str, Node]:
    """The fields of an element, whatever form it has."""
    if isinstance(node, Map):
        return {key: value for key, _, value in entries(node) if key not in _SILENT}
    if node is None:
        return {}
    if section == "kinds" and isinstance(node, Seq):
        return {"members": node}
    return {_SHORT.get(section, "is"): node}


def _fields(section: str, element: str, one: Node | None, two: Node | None) -> Iterator[Change]:
    """The fields of one element."""
    before, after = _as_fields(section, one), _as_fields(section, two)
    for key in dict.fromkeys((*before, *after)):
        if key in _FOR_THE_VALIDATOR:
            continue
        if section == "phases" and key == "phases":
            yield from _section(section, before.get(key), after.get(key), f"{element}/")
        elif section == "options" and key == "values":
            yield from _values(element, before, after)
        else:
            yield from _field(section, element, key, before.get(key), after.get(key))


def _field(
    section: str, element: str, what: str, one: Node | None, two: Node | None
) -> Iterator[Change]:
    if what in _LINES and not (isinstance(one, Map) or isinstance(two, Map)):
        yield from _line_changes(section, element, what, one, two)
    elif isinstance(one, Map) and isinstance(two, Map):
        for key in dict.fromkeys((*(e.key for e in one.entries), *(e.key for e in two.entries))):
            yield from _field(section, element, f"{what} {key}", one.get(key), two.get(key))
    else:
        before, after, node = plain(one), plain(two), two or one
        usual = USUAL.get((section, what), "")
        if (before or usual) != (after or usual) and node is not None:
            marks = tuple(dict.fromkeys((*marks_of(one), *marks_of(two))))
            yield _value(section, element, what, before, after, node.span, marks)


def _values(
    element: str, before: Mapping[str, Node], after: Mapping[str, Node]
) -> Iterator[Change]:
    """The values of an option: what one side lists and the range of the other covers is in both."""
    one, two = before.get("values"), after.get("values")
    first, second = plain(one).split(", "), plain(two).split(", ")
    had = [*first, *(each for each in second if each not in first and _covers(before, each))]
    has = [*second, *(each for each in first if each not in second and _covers(after, each))]
    node = two or one
    if had != has and node is not None:
        marks = tuple(dict.fromkeys((*marks_of(one), *marks_of(two))))
        told = (", ".join(had), ", ".join(has))
        yield _value("options", element, "values", *told, node.span, marks)


def _covers(option: Mapping[str, Node], value: str) -> bool:
    """Whether a value lies in the range of an option."""
    ends = _RANGE.fullmatch(plain(option.get("range")))
    number = _NUMBER.fullmatch(value)
    return ends is not None and number is not None and int(ends[1]) <= int(value) <= int(ends[2])


def _value(
    section: str,
    element: str,
    what: str,
    before: str,
    after: str,
    span: Span,
    marks: tuple[str, ...],
) -> Change:
    kind = ADDED if not before else REMOVED if not after else CHANGED
    return Change(section, element, what, kind, before, after, span, marks)


def _line_changes(
    section: str, element: str, what: str, one: Node | None, two: Node | None
) -> Iterator[Change]:
    node = two or one
    if node is None:
        return
    first, second = _marked_lines(one), _marked_lines(two)
    for before, after in paired(tuple(first), tuple(second)):
        marks = tuple(dict.fromkeys((*first.get(before, ()), *second.get(after, ()))))
        yield _value(section, element, what, before, after, node.span, marks)


# -- texts


def _marked_lines(node: Node | None) -> dict[str, tuple[str, ...]]:
    """The lines of a text without comments, each with its marks; equal lines are told apart by
    the number of spaces behind them."""
    lines: dict[str, tuple[str, ...]] = {}
    margin = 0
    for raw in (text_of(node) or "").splitlines():
        text = _COMMENT.sub("", raw)
        bare = _MARKS.sub("", text).rstrip()
        if not bare.strip():
            continue
        depth = len(bare) - len(bare.lstrip())
        margin = margin if lines else depth
        line = "  " * ((depth - margin) // 2) + " ".join(bare.split())
        while line in lines:
            line += " "
        lines[line] = tuple(_MARK.findall(text))
    return lines


def lines_of(node: Node | None) -> list[str]:
    """The lines of a text, without marks and comments."""
    return [line.rstrip() for line in _marked_lines(node)]


def marks_of(node: Node | None) -> tuple[str, ...]:
    """The clauses that a node and all in it carry, each once."""
    found: list[str] = []
    match node:
        case Scalar():
            found += [mark for marks in _marked_lines(node).values() for mark in marks]
        case Seq():
            found += [mark for item in node.items for mark in marks_of(item)]
        case Map():
            for entry in node.entries:
                if entry.key == "clause":
                    found += plain(entry.value).split(", ")
                else:
                    found += marks_of(entry.value)
    return tuple(dict.fromkeys(found))


def plain(node: Node | None) -> str:
    """A node in one line."""
    match node:
        case None:
            return ""
        case Scalar():
            lines = [line.strip() for line in lines_of(node)]
            return "; ".join(lines)
        case Seq():
            return ", ".join(plain(item) for item in node.items)
        case Map() if node.get("key") is not None:
            return plain(node.get("key"))
        case Map():
            fields = [(each.key, each.value) for each in node.entries if each.key not in _SILENT]
            return ", ".join(f"{key}: {plain(value)}" for key, value in fields)


# -- tables


def _tables(a: Ruleset, b: Ruleset) -> Iterator[Change]:
    """The rows of tables that both have."""
    for section, field in (("kinds", "table"), ("tables", "file")):
        one, two = a.document.tree.get(section), b.document.tree.get(section)
        after = dict(_elements(two))
        for name, node in _elements(one):
            other = after.get(name)
            first = node.get(field) if isinstance(node, Map) else None
            second = other.get(field) if isinstance(other, Map) else None
            if isinstance(first, Scalar) and isinstance(second, Scalar):
                yield from _rows(section, name, _grid(a, first), _grid(b, second), second.span)


def _grid(rules: Ruleset, scalar: Scalar) -> dict[str, tuple[str, ...]]:
    """The rows of a table by their first cell, each as `column value`."""
    table = read_table(rules.document, scalar, Reporter())
    if table is None:
        return {}
    heads = [cell.text for cell in table.columns]
    return {
        row[0].text: tuple(
            f"{head} {cell.text}"
            for head, cell in zip(heads[1:], row[1:], strict=True)
            if head != "source"
        )
        for row in table.rows
    }


def _rows(
    section: str,
    name: str,
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str]],
    span: Span,
) -> Iterator[Change]:
    for key in dict.fromkeys((*before, *after)):
        one, two = before.get(key), after.get(key)
        if one == two:
            continue
        if one is None or two is None:
            kind = ADDED if one is None else REMOVED
            yield Change(
                section, name, f"row {key}", kind, ", ".join(one or ()), ", ".join(two or ()), span
            )
        else:
            lost = [cell for cell in one if cell not in two]
            new = [cell for cell in two if cell not in one]
            yield Change(
                section, name, f"row {key}", CHANGED, ", ".join(lost), ", ".join(new), span
            )


# -- clauses


def _clauses(a: Ruleset, b: Ruleset) -> Iterator[Change]:
    """Clauses of the rulebook that only one of the two carries out, or that read differently."""
    carried = [set(marks_of(rules.document.tree)) for rules in (a, b)]
    texts = [{clause.id: clause.text for clause in rules.clauses} for rules in (a, b)]
    for id in dict.fromkeys((*texts[0], *texts[1])):
        before, after = (
            text.get(id, "") if id in marks else ""
            for text, marks in zip(texts, carried, strict=True)
        )
        if before != after:
            kind = ADDED if not before else REMOVED if not after else CHANGED
            yield Change("clauses", id, "", kind, before, after, b.document.tree.span, (id,))
