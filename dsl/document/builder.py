"""Builds the positioned tree of one YAML document from parser events, under budgets.

Never by the constructors of the YAML library: text, whole numbers, true, false and nothing are all
that a file can hold. The parser is always the one of libyaml: the one in Python is slower by far,
accepts other files and is driven into its recursion limit by nesting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from gemwright.dsl.diagnostics import UNSAFE, Reporter, quoted
from gemwright.dsl.document.scalars import Trouble, resolve
from gemwright.dsl.document.syntax_help import Stop
from gemwright.dsl.document.textmap import Lines, Place, scalar_map
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq
from gemwright.dsl.source import Span

MAX_DEPTH: Final = 40
MAX_NODES: Final = 20_000
MAX_SCALAR: Final = 8 * 1024
MAX_BLOCK: Final = 32 * 1024
MAX_KEY: Final = 128
MAX_PROBLEMS: Final = 200

_STYLES: Final = {"": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}

#: Findings after which the tree does not say what the author meant.
_FATAL: Final = frozenset(("Y007", "Y008", "Y009", "Y010", "Y011", "Y012", "Y015"))


class _TooMuch(Exception):
    """A budget is used up; the finding has been reported."""


def _events(text: str) -> Iterator[yaml.Event]:
    if not yaml.__with_libyaml__:
        raise RuntimeError("PyYAML is installed without libyaml; install one of its wheels")
    # The stubs of PyYAML do not know of its parser in C.
    from yaml.cyaml import CParser  # type: ignore[attr-defined]

    parser: Any = CParser(text)
    while (event := parser.get_event()) is not None:
        yield event


@dataclass(slots=True)
class _Frame:
    """A list or map that is being read."""

    start: Place
    is_map: bool
    in_flow: bool
    muted: bool
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: Scalar | None = None
    awaits_value: bool = False
    comma_reported: bool = False


class Builder:
    """Builds the tree of one document from parser events, with an explicit stack."""

    def __init__(self, path: str, lines: Lines, reporter: Reporter) -> None:
        self.path, self.lines, self.reporter = path, lines, reporter
        self.stack: list[_Frame] = []
        self.top: Node | None = None
        self.documents = self.nodes = self.problems = 0
        self.fatal = False
        self.alias: Span | None = None
        self.troubled: Span | None = None
        self.last_end: Place = (0, 0)

    def run(self, text: str) -> Stop | None:
        """Read all events; gives where the parser stopped, if it did."""
        try:
            for event in _events(text):
                self._event(event)
        except _TooMuch:
            self.fatal = True
        except yaml.MarkedYAMLError as error:
            return _stop_of(error)
        except yaml.YAMLError:
            # All other refusals of the parser concern characters, which were checked before.
            self._error("Y012", Span(self.path, 1, 1, 1, 1), "the text holds a bad character")
        finally:
            self._report_alias()
        self._check_document()
        return None

    def root(self) -> Map | None:
        """The map at the top, or None after reporting that there is none."""
        if self.top is None or isinstance(self.top, Map):
            return self.top
        self._error(
            "S002",
            self.top.span.start(),
            f"a ruleset is a map of fields, but the file holds {_kind(self.top)}",
            "begin with `language: 1`",
        )
        return None

    # -- events ---------------------------------------------------------------------------------

    def _event(self, event: yaml.Event) -> None:
        match event:
            case yaml.ScalarEvent():
                self._count(event)
                self._scalar(event)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._count(event)
                self._open(event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._close(event)
            case yaml.AliasEvent():
                self._count(event)
                place = _place(event.start_mark)
                self._place_node(self._nothing(place, _place(event.end_mark)))
            case yaml.DocumentStartEvent():
                self._document(event)
            case _:
                pass

    def _document(self, event: Any) -> None:
        self.documents += 1
        span = self._span(event.start_mark, event.start_mark, width=3)
        if self.documents == 2:
            message = "a second document begins here; a file holds one"
            self._error("Y011", span, message, "remove the line, or move the rest to its own file")
            raise _TooMuch
        if event.version or event.tags:
            self._error("Y010", span, "YAML directives are not part of the language", "remove it")

    def _count(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            span = self._span(event.start_mark, event.end_mark)
            message = f"the file holds more than {MAX_NODES} values"
            self._error("Y009", span, message, "move long tables to CSV files of their own")
            raise _TooMuch
        if getattr(event, "tag", None) is not None:
            span = self._span(event.start_mark, event.start_mark, width=1)
            message = "YAML tags (`!name`) are not part of the language"
            self._error("Y010", span, message, "remove the tag, or quote the text")
        if event.anchor is not None:
            self._note_alias(event)

    def _note_alias(self, event: Any) -> None:
        """Remember the first anchor or alias: one finding says all about a tower of them."""
        self.fatal = True
        muted = bool(self.stack) and self.stack[-1].muted
        if self.alias is None and not muted and not self._is_merge_value():
            self.alias = self._span(event.start_mark, event.start_mark, width=1)

    def _report_alias(self) -> None:
        if self.alias is not None:
            message = "anchors (`&name`) and aliases (`*name`) are not allowed: the budget is 0"
            help = "write the value out, quote the text, or share rules by `extends`"
            self._error("Y007", self.alias, message, help)

    def _open(self, event: Any) -> None:
        start = _place(event.start_mark)
        if len(self.stack) >= MAX_DEPTH:
            message = f"the file is nested deeper than {MAX_DEPTH} levels"
            self._error("Y009", self._span(event.start_mark, event.start_mark, 1), message)
            raise _TooMuch
        is_map = isinstance(event, yaml.MappingStartEvent)
        parent = self.stack[-1] if self.stack else None
        in_flow = bool(event.flow_style) or (parent is not None and parent.in_flow)
        muted = self._is_merge_value() or (parent is not None and parent.muted)
        self.stack.append(_Frame(start, is_map, in_flow, muted))

    def _close(self, event: Any) -> None:
        frame = self.stack.pop()
        if frame.in_flow:
            self.last_end = _place(event.end_mark)
        end = self.last_end
        span = Span(self.path, frame.start[0] + 1, frame.start[1] + 1, end[0] + 1, end[1] + 1)
        if frame.is_map:
            self._place_node(Map(tuple(frame.entries.values()), span))
        else:
            self._place_node(Seq(tuple(frame.items), span))

    # -- scalars --------------------------------------------------------------------------------

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        style = _STYLES[event.style or ""]
        text = event.value
        start, end = _place(event.start_mark), _place(event.end_mark)
        is_block = style in ("literal", "folded")
        limit = MAX_BLOCK if is_block else MAX_SCALAR
        if len(text) > limit:
            span = self._span(event.start_mark, event.start_mark, width=1)
            message = f"a text has {len(text)} characters, more than the {limit} it may have"
            self._error("Y009", span, message)
            raise _TooMuch
        map, span = scalar_map(self.path, self.lines, text, style, start, end)
        self.last_end = (span.end_line - 1, span.end_column - 1)
        if found := UNSAFE.search(text.replace("\n", "").replace("\t", "")):
            message = f"an escape makes the character U+{ord(found.group()):04X}, not allowed here"
            self._error("Y012", span, message, "remove it")
        self._check_flow(text, style, span)
        value = self._value(text, style, span)
        self._place_node(Scalar(value, span, map, style))

    def _value(self, text: str, style: str, span: Span) -> str | int | bool | None:
        if style != "plain" or (text == "<<" and self._expects_key()):
            return text
        value = resolve(text)
        if isinstance(value, Trouble):
            self._error(value.code, span, value.message, value.help)
            self.troubled = span
            return text
        return value

    def _check_flow(self, text: str, style: str, span: Span) -> None:
        """Report commas of an expression that YAML took as the end of an item."""
        frame = self.stack[-1] if self.stack else None
        if frame is None or not frame.in_flow or style != "plain" or frame.comma_reported:
            return
        open_brackets = text.count("(") - text.count(")")
        valueless = frame.is_map and frame.awaits_value and text == "" and self._no_colon(span)
        if open_brackets == 0 and not valueless:
            return
        frame.comma_reported = True
        at = frame.key.span if valueless and frame.key is not None else span
        if at == self.troubled:
            return
        shape = "{ }" if frame.is_map else "[ ]"
        message = f"inside {shape} a comma ends the text before it"
        if valueless:
            message = "this field has no value; " + message
        help = "put the expression in quotes, or give each field a line of its own"
        self._error("Y015", at, message, help)

    def _no_colon(self, span: Span) -> bool:
        """Whether no colon stands between a key and its empty value."""
        key = self.stack[-1].key
        if key is None or span.line > len(self.lines.starts):
            return False  # the key was reported, or the file ends here, which the parser says
        start = self.lines.starts[key.span.end_line - 1] + key.span.end_column - 1
        end = self.lines.starts[span.line - 1] + span.column - 1
        return not self.lines.text[start:end].lstrip(" \n").startswith(":")

    def _nothing(self, start: Place, end: Place) -> Scalar:
        map, span = scalar_map(self.path, self.lines, "", "plain", start, end)
        self.last_end = end
        return Scalar(None, span, map)

    # -- placing nodes --------------------------------------------------------------------------

    def _place_node(self, node: Node) -> None:
        if not self.stack:
            self.top = node
            return
        frame = self.stack[-1]
        if not frame.is_map:
            frame.items.append(node)
        elif frame.awaits_value:
            self._add_entry(frame, node)
        else:
            frame.key, frame.awaits_value = self._key(node), True

    def _key(self, node: Node) -> Scalar | None:
        """A node as a key, or None after reporting what is wrong with it."""
        if not isinstance(node, Scalar):
            self._error("Y016", node.span.start(), f"{_kind(node)} cannot be a key")
            return None
        if not isinstance(node.value, str):
            written = quoted(node.text) if node.text else "nothing"
            message = f"a key must be text, but is {written}"
            self._error("Y016", node.span, message, "keys are names; a text can be quoted")
            return None
        if len(node.value) > MAX_KEY:
            message = f"a key has {len(node.value)} characters, more than the {MAX_KEY} it may have"
            self._error("Y009", node.span, message)
            return None
        if node.value == "<<" and node.style == "plain":
            message = "the merge key `<<` is not part of the language"
            self._error("Y008", node.span, message, "share rules by `extends`")
        return node

    def _add_entry(self, frame: _Frame, value: Node) -> None:
        key, frame.key, frame.awaits_value = frame.key, None, False
        if key is None:
            return
        name = key.text
        if name in frame.entries:
            first = frame.entries[name].key_span
            message = f"the key {quoted(name)} stands twice in this map"
            self._error("Y001", key.span, message, "", ((first, "first here"),))
            return
        frame.entries[name] = Entry(name, key.span, value, key.map)

    def _expects_key(self) -> bool:
        return bool(self.stack) and self.stack[-1].is_map and not self.stack[-1].awaits_value

    def _is_merge_value(self) -> bool:
        frame = self.stack[-1] if self.stack else None
        return (
            frame is not None
            and frame.awaits_value
            and frame.key is not None
            and frame.key.value == "<<"
            and frame.key.style == "plain"
        )

    # -- findings -------------------------------------------------------------------------------

    def _check_document(self) -> None:
        if not self.fatal and (self.top is None or self._is_empty(self.top)):
            message = "the file holds no ruleset: it is empty"
            self._error("Y011", Span(self.path, 1, 1, 1, 1), message, "begin with `language: 1`")

    def _is_empty(self, node: Node) -> bool:
        return isinstance(node, Scalar) and node.value is None and node.style == "plain"

    def _span(self, start: Any, end: Any, width: int = 0) -> Span:
        line, column = start.line + 1, start.column + 1
        if width:
            return Span(self.path, line, column, line, column + width)
        return Span(self.path, line, column, end.line + 1, end.column + 1)

    def _error(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        if self.stack and self.stack[-1].muted:
            return
        self.fatal = self.fatal or code in _FATAL
        self.problems += 1
        self.reporter.error(code, span, message, help, notes)
        if self.problems == MAX_PROBLEMS:
            message = f"reading stops after {MAX_PROBLEMS} problems"
            self.reporter.error("Y009", span, message, "mend the ones above first")
            raise _TooMuch


def _kind(node: Node) -> str:
    match node:
        case Map():
            return "a map"
        case Seq():
            return "a list"
        case Scalar():
            return "a single value"


def _place(mark: Any) -> Place:
    return mark.line, mark.column


def _stop_of(error: Any) -> Stop:
    place = _place(error.problem_mark) if error.problem_mark else (0, 0)
    began = _place(error.context_mark) if error.context_mark else place
    return Stop(error.problem or "", place, error.context or "", began)
