"""Labels: what things are called and told for people, in one language, from files
`NAME.LANG.yaml` beside the rules.

A variant uses the labels of its bases, its own first. A name that the language lacks is taken from
the English labels, then from the identifier; a sentence that it lacks is left to the runner, who
has one for every case in each of his languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.labels.check import missing, sound_labels
from gemwright.dsl.labels.files import (
    NAME,
    LabelFile,
    is_language,
    label_file_name,
    languages_beside,
    read_label_file,
)
from gemwright.dsl.labels.languages import plural_of
from gemwright.dsl.labels.text import Text, plain_text, spellings, write
from gemwright.dsl.labels.vocabulary import Vocabulary, vocabulary
from gemwright.dsl.model.game import Game
from gemwright.dsl.source import SourceFile, Span

if TYPE_CHECKING:
    from gemwright.dsl.ruleset import Ruleset

ENGLISH: Final = "en"

#: Section, element and field of a text.
Key: TypeAlias = tuple[str, str, str]

_SUFFIX: Final = ".gem.yaml"
_NOWHERE: Final = Span("", 1, 1, 1, 1)

_SECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "face": "faces",
        "zone": "zones",
        "parameter": "parameters",
        "phase": "phases",
        "option": "options",
        "kind": "kinds",
        "column": "columns",
    }
)


@dataclass(frozen=True, slots=True)
class Labels:
    """The texts of one language, and the English names behind them.

    `lacking` is how many names of the game the language does not have.
    """

    language: str
    title: str
    texts: Mapping[Key, Text] = field(default_factory=dict)
    english: Mapping[Key, Text] = field(default_factory=dict)
    lacking: int = 0

    def sentence(self, section: str, key: str, field: str = NAME) -> Text | None:
        """A text of the language, None if it has none."""
        return self.texts.get((section, key, field))

    def named(self, section: str, key: str) -> Text:
        """What an element is called: in the language, else in English, else its identifier."""
        at = (section, key, NAME)
        found = self.texts.get(at) or self.english.get(at)
        return found or plain_text(key.replace("_", " "), _NOWHERE)

    def has_name(self, section: str, key: str) -> bool:
        """Whether the language itself names an element."""
        return (section, key, NAME) in self.texts

    def spellings(self, section: str, key: str) -> tuple[str, ...]:
        """Every way to write the name of an element, also its identifier and English name."""
        at = (section, key, NAME)
        texts = [each[at] for each in (self.texts, self.english) if at in each]
        return (*(word for text in texts for word in spellings(text)), key)

    def name(self, category: str, key: str) -> str:
        """The name of a 'face', 'zone', 'parameter', 'phase', 'state', 'option', 'column' or
        'kind'."""
        return self._written(_SECTIONS.get(category, category), key)

    def action(self, name: str) -> str:
        """The name of an action."""
        return self._written("actions", name)

    def _written(self, section: str, key: str) -> str:
        return write(self.named(section, key), {}, plural_of(self.language))


def load_labels(
    ruleset: Ruleset, model: Game, language: str, reporter: Reporter | None = None
) -> Labels:
    """The labels of a game in a language; problems of label files go to the reporter.

    A text with a problem is left out, so there is always something to show.
    """
    report = reporter if reporter is not None else Reporter()
    known = vocabulary(model, ruleset.document.text_of)
    files = label_files(ruleset, language, report)
    texts = _sound(ruleset.name, files, known, report)
    english: Mapping[Key, Text] = {}
    if language != ENGLISH:
        others = label_files(ruleset, ENGLISH, Reporter())
        english = _sound(ruleset.name, others, known, Reporter())
    title = _title(ruleset, files, language)
    lacking = sum(len(keys) for _, keys in missing(files, known, language))
    return Labels(language, title, texts, english, lacking)


def _title(ruleset: Ruleset, files: tuple[LabelFile, ...], language: str) -> str:
    """The title that stands nearest to the ruleset: in its label file, or in its rules file.

    A title that the rules say without a language is one in every language.
    """
    said = {file.path: file.title for file in files}
    node = ruleset.document.tree.get("title")
    for source in reversed(ruleset.document.files[: len(ruleset.document.chain)]):
        found = said.get(_beside(source, language))
        if not found and node is not None and node.span.path == source.path:
            found = ruleset.titles.get(language) if ruleset.titles else ruleset.title
        if found:
            return found
    return ruleset.title


def labelled(ruleset: Ruleset) -> tuple[str, ...]:
    """The languages in which a ruleset or one of its bases has a label file, sorted."""
    found: set[str] = set()
    for source in ruleset.document.files:
        if source.real.name.endswith(_SUFFIX):
            name = source.real.name.removesuffix(_SUFFIX)
            found.update(languages_beside(source.real.parent, name))
    return tuple(sorted(found))


def label_files(ruleset: Ruleset, language: str, reporter: Reporter) -> tuple[LabelFile, ...]:
    """The label files of a ruleset and its bases in a language, base first."""
    return tuple(_read(ruleset, language, reporter)) if is_language(language) else ()


def _read(ruleset: Ruleset, language: str, reporter: Reporter) -> Iterator[LabelFile]:
    for source in ruleset.document.files:
        if not source.real.name.endswith(_SUFFIX):
            continue
        shown = _beside(source, language)
        real = source.real.with_name(Path(shown).name)
        if real.is_file():
            file = read_label_file(real, shown, language, reporter)
            if file is not None:
                yield file


def _beside(rules: SourceFile, language: str) -> str:
    """The path of the label file of a rules file, as it is shown."""
    folder = rules.path[: len(rules.path) - len(rules.real.name)]
    return folder + label_file_name(rules.real.name.removesuffix(_SUFFIX), language)


def _sound(
    name: str, files: tuple[LabelFile, ...], known: Vocabulary, reporter: Reporter
) -> dict[Key, Text]:
    """The texts of files over one another, base first.

    A text of a base that does not fit a variant is left out in silence: the variant has changed
    what it is about.
    """
    return {
        (each.section, each.key, each.field): each.text
        for file in files
        for each in sound_labels(file, known, reporter if file.is_of(name) else Reporter())
    }
