"""From the tree of a label file to texts: templates, slots, and the conditions of cases.

Only the form of a text is judged here. Which slots it may use, and which elements of the rules it
may name, is judged in `check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gemwright.dsl.diagnostics import Reporter, quoted
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar
from gemwright.dsl.labels.languages import CATEGORIES, FORMS
from gemwright.dsl.labels.text import COUNT, READER, REST, SAME, Case, Condition, Part, Slot, Text
from gemwright.dsl.source import Span, TextMap
from gemwright.dsl.suggest import did_you_mean

SHAPE: Final = "L001"

_SLOT: Final = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(?::(?P<form>[a-z]+))?")
_PIECE: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_BARE: Final = (*FORMS, *CATEGORIES, "you")
_CASE_HELP: Final = (
    "cases are made of `you`, `no SLOT`, `one`, `SLOT few`, a form; the last `other`"
)


class TextReader:
    """Reads the texts of one file; `categories` are the plural cases of its language."""

    def __init__(self, reporter: Reporter, categories: Sequence[str]) -> None:
        self._reporter = reporter
        self._categories = tuple(categories)

    def text(self, node: Node) -> Text | None:
        """A text or a map of cases; None after reporting what is wrong with it."""
        if isinstance(node, Map):
            return self._cases(node)
        parts = self._template(node)
        return None if parts is None else Text((Case((), parts, node.span),), node.span)

    def _cases(self, node: Map) -> Text | None:
        cases: list[Case] = []
        good = True
        for entry in node.entries:
            conditions = self._conditions(entry)
            parts = self._template(entry.value)
            if conditions is None or parts is None:
                good = False
            elif cases and not cases[-1].conditions:
                good = self._wrong(entry.key_span, "no case can follow `other`", "put it before")
            else:
                cases.append(Case(conditions, parts, entry.value.span))
        if good and (not cases or cases[-1].conditions):
            message = "the cases leave open what is written when none of them fits"
            good = self._wrong(node.span.start(), message, "end with a case `other`")
        return Text(tuple(cases), node.span) if good else None

    # -- conditions

    def _conditions(self, entry: Entry) -> tuple[Condition, ...] | None:
        if entry.key == REST:
            return ()
        found = [self._condition(word, span) for word, span in _words(entry)]
        known = tuple(each for each in found if each is not None)
        return known if len(known) == len(found) else None

    def _condition(self, text: str, span: Span) -> Condition | None:
        match text.split():
            case [word] if word in FORMS:
                return Condition("form", "", word, span)
            case ["you"]:
                return Condition("you", READER, "", span)
            case [word] if word in CATEGORIES:
                return self._plural(COUNT, word, span)
            case ["no", slot]:
                return Condition("no", slot, "", span)
            case ["hidden", slot]:
                return Condition("hidden", slot, "", span)
            case [slot, "you"]:
                return Condition("you", slot, "", span)
            case [slot, word] if word in CATEGORIES:
                return self._plural(slot, word, span)
        hint = did_you_mean(text, _BARE) or _CASE_HELP
        self._wrong(span, f"{quoted(text)} is no case of a text", hint)
        return None

    def _plural(self, slot: str, word: str, span: Span) -> Condition | None:
        if word in self._categories:
            return Condition("plural", slot, word, span)
        used = ", ".join(f"`{each}`" for each in (*self._categories, REST))
        self._wrong(span, f"no count is `{word}` in this language", f"its cases are {used}")
        return None

    # -- templates

    def _template(self, node: Node) -> tuple[Part, ...] | None:
        if not isinstance(node, Scalar) or node.value is None:
            self._wrong(node.span, "a text is asked for here", 'write it; an empty one is `""`')
            return None
        parts: list[Part] = []
        good, end = True, 0
        for found in _PIECE.finditer(node.text):
            parts.append(node.text[end : found.start()])
            end = found.end()
            if found[0] in ("{{", "}}"):
                parts.append(found[0][0])
                continue
            slot = self._slot(found, node.map)
            good = good and slot is not None
            if slot is not None:
                parts.append(slot)
        parts.append(node.text[end:])
        return tuple(_joined(parts)) if good else None

    def _slot(self, found: re.Match[str], places: TextMap) -> Slot | None:
        span = places.span(found.start(), found.end())
        named = None if found[1] is None else _SLOT.fullmatch(found[1].strip())
        if named is None:
            help = "write `{name}` or `{name:form}`; a brace itself is doubled"
            self._wrong(span, f"{quoted(found[0])} is no slot", help)
            return None
        form = named["form"] or ""
        if form and form not in (*FORMS, SAME):
            help = did_you_mean(form, (*FORMS, SAME)) or f"there are {', '.join((*FORMS, SAME))}"
            self._wrong(span, f"{quoted(form)} is no grammatical form", help)
            return None
        return Slot(named["name"], form, span)

    def _wrong(self, span: Span, message: str, help: str) -> bool:
        self._reporter.error(SHAPE, span, message, help)
        return False


def _words(entry: Entry) -> Iterator[tuple[str, Span]]:
    """The conditions of a case, each with its place."""
    at = 0
    for part in entry.key.split(","):
        start = at + len(part) - len(part.lstrip())
        yield part.strip(), entry.key_map.span(start, at + len(part.rstrip()))
        at += len(part) + 1


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Parts with neighbouring pieces of text put together, and at least one part."""
    text = ""
    empty = True
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            yield text
        yield part
        text, empty = "", False
    if text or empty:
        yield text
