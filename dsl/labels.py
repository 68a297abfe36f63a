"""Labels: what things are called for people, in one language, from files `NAME.LANG.yaml`
beside the rules.

A label file is a map of sections (`title`, `faces`, `zones`, `parameters`, `players`, `phases`,
`state`,
`actions`) from identifiers to texts. Where it has no word, the identifier stands with spaces. A
variant uses
the labels of its bases, its own first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.reader import read_yaml
from gemwright.dsl.reading import entries, text_of
from gemwright.dsl.tree import Map

if TYPE_CHECKING:
    from gemwright.dsl.ruleset import Ruleset

SECTIONS = {
    "face": "faces",
    "zone": "zones",
    "parameter": "parameters",
    "player": "players",
    "phase": "phases",
    "state": "state",
    "option": "options",
    "kind": "kinds",
}


@dataclass(frozen=True, slots=True)
class Labels:
    """Texts of one language by section and identifier."""

    language: str
    title: str
    texts: Mapping[str, Mapping[str, str]]

    def name(self, category: str, key: str) -> str:
        """The text of a 'face', 'zone', 'parameter', 'player', 'phase', 'state', 'option' or
        'kind'."""
        return self.texts.get(SECTIONS.get(category, category), {}).get(key, key.replace("_", " "))

    def action(self, name: str) -> str:
        """The text of an action."""
        return self.texts.get("actions", {}).get(name, name.replace("_", " "))


def load_labels(ruleset: Ruleset, language: str, reporter: Reporter | None = None) -> Labels:
    """The labels of a ruleset in a language; problems of label files go to the reporter."""
    report = reporter if reporter is not None else Reporter()
    texts: dict[str, dict[str, str]] = {}
    title = ruleset.titles.get(language, "")
    for source in ruleset.document.files:
        if not source.real.name.endswith(".gem.yaml"):
            continue
        name = source.real.name.removesuffix(".gem.yaml")
        file = source.real.with_name(f"{name}.{language}.yaml")
        if language.isalpha() and file.is_file():
            title = _merge(file, texts, report) or title
    return Labels(language, title or ruleset.title, texts)


def _merge(file: Path, texts: dict[str, dict[str, str]], reporter: Reporter) -> str:
    """Add one file's texts over what is known; its title."""
    read = read_yaml(file, file.name, reporter)
    if read is None:
        return ""
    tree: Map = read[0]
    for section, _, node in entries(tree):
        if isinstance(node, Map):
            known = texts.setdefault(section, {})
            for key, _, value in entries(node):
                known[key] = text_of(value) or key
    return text_of(tree.get("title")) or ""
