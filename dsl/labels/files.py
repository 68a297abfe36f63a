"""Label files `NAME.LANG.yaml`: their sections, and what each may hold.

An entry is a text for one element of the rules, such as (`actions`, `take`, `log`). A section maps
elements to a name, or to a map of a name with further texts; `moves`, `facts` and `clauses` hold
sentences for what has no name of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from gemwright.dsl.diagnostics import Reporter, quoted
from gemwright.dsl.document.reader import read_yaml
from gemwright.dsl.document.tree import Entry, Map, Node
from gemwright.dsl.elaboration.reading import text_of
from gemwright.dsl.labels.languages import categories_of
from gemwright.dsl.labels.reader import SHAPE, TextReader
from gemwright.dsl.labels.text import Text
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean

NAME: Final = "name"
"""The field of what an element is called."""

FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "faces": (NAME,),
        "kinds": (NAME, "called", "counted", "hidden"),
        "columns": (NAME,),
        "zones": (NAME, "place", "empty"),
        "state": (NAME, "log", "show"),
        "parameters": (NAME,),
        "phases": (NAME, "ask", "log"),
        "options": (NAME,),
        "actions": (NAME, "move", "log", "ask"),
        "moves": (NAME,),
        "facts": (NAME,),
        "clauses": (NAME,),
    }
)
"""Sections and the texts that their entries may have. The `ask` of an action is a map: a question
for each of its picks, kept as the field `ask PICK`."""

_TITLE: Final = "title"
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_NO_LANGUAGES: Final = ("gem", "test")


@dataclass(frozen=True, slots=True)
class Label:
    """A text for an element of the rules."""

    section: str
    key: str
    field: str
    text: Text
    key_span: Span


@dataclass(frozen=True, slots=True)
class LabelFile:
    """What a label file says; `path` as it is shown, `title` '' if it gives none."""

    language: str
    path: str
    title: str
    labels: tuple[Label, ...]

    def is_of(self, name: str) -> bool:
        """Whether the file belongs to a ruleset itself, not to one of its bases."""
        return Path(self.path).name == label_file_name(name, self.language)

    @property
    def start(self) -> Span:
        """The first place of the file."""
        return Span(self.path, 1, 1, 1, 1)


def is_language(text: str) -> bool:
    """Whether a text is a language code: `en`, `pt-BR`."""
    return _LANGUAGE.fullmatch(text) is not None and text not in _NO_LANGUAGES


def label_file_name(ruleset: str, language: str) -> str:
    """The name of the label file of a ruleset in a language."""
    return f"{ruleset}.{language}.yaml"


def languages_beside(folder: Path, name: str) -> tuple[str, ...]:
    """The languages of the label files of a ruleset, sorted."""
    words = [path.name.removeprefix(f"{name}.") for path in folder.glob(f"{name}.*.yaml")]
    found = {word.removesuffix(".yaml") for word in words}
    return tuple(sorted(each for each in found if is_language(each)))


def read_label_file(real: Path, shown: str, language: str, reporter: Reporter) -> LabelFile | None:
    """Read one label file; None if it is not readable at all. Broken texts are left out."""
    read = read_yaml(real, shown, reporter)
    if read is None:
        return None
    tree = read[0]
    reader = _FileReader(reporter, TextReader(reporter, categories_of(language)))
    return LabelFile(language, shown, text_of(tree.get(_TITLE)) or "", tuple(reader.labels(tree)))


class _FileReader:
    """Reads the sections of one file."""

    def __init__(self, reporter: Reporter, texts: TextReader) -> None:
        self._reporter = reporter
        self._texts = texts

    def labels(self, tree: Map) -> Iterator[Label]:
        """All labels of the file."""
        for entry in tree.entries:
            if entry.key == _TITLE:
                self._texts.text(entry.value)
            elif entry.key not in FIELDS:
                hint = did_you_mean(entry.key, (*FIELDS, _TITLE))
                help = hint or f"there are {', '.join((_TITLE, *FIELDS))}"
                message = f"{quoted(entry.key)} is no section of a label file"
                self._reporter.error(SHAPE, entry.key_span, message, help)
            elif isinstance(entry.value, Map):
                for each in entry.value.entries:
                    yield from self._entry(entry.key, each)
            else:
                message = f"`{entry.key}` maps elements of the rules to texts"
                self._reporter.error(SHAPE, entry.value.span, message, "write `ELEMENT: text`")

    def _entry(self, section: str, entry: Entry) -> Iterator[Label]:
        """One element: its name alone, or a map of fields."""
        fields = FIELDS[section]
        node = entry.value
        if not isinstance(node, Map) or not any(each.key in fields for each in node.entries):
            yield from self._label(section, entry, NAME, node)
            return
        for each in node.entries:
            if each.key not in fields:
                help = did_you_mean(each.key, fields) or f"there are {', '.join(fields)}"
                message = f"{quoted(each.key)} is no text of an element of `{section}`"
                self._reporter.error(SHAPE, each.key_span, message, help)
            elif section == "actions" and each.key == "ask":
                yield from self._questions(entry, each.value)
            else:
                yield from self._label(section, entry, each.key, each.value)

    def _questions(self, entry: Entry, node: Node) -> Iterator[Label]:
        if not isinstance(node, Map):
            help = "write `PICK: question` for each pick"
            self._reporter.error(SHAPE, node.span, "`ask` maps picks to questions", help)
            return
        for each in node.entries:
            text = self._texts.text(each.value)
            if text is not None:
                yield Label("actions", entry.key, f"ask {each.key}", text, each.key_span)

    def _label(self, section: str, entry: Entry, field: str, node: Node) -> Iterator[Label]:
        text = self._texts.text(node)
        if text is not None:
            yield Label(section, entry.key, field, text, entry.key_span)
