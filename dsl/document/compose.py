"""One ruleset from a file and those that it extends.

An overlay says only what differs: maps merge by key, all else is replaced whole, and `null`
removes. Every node of the merged tree keeps the span, and so the file, that it came from. The
digest of a ruleset covers the text of all its rules files and tables, and nothing of where they
lie.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter, quoted
from gemwright.dsl.document.language import is_known
from gemwright.dsl.document.paths import RULES_SUFFIX, Located, locate_ruleset, locate_table
from gemwright.dsl.document.reader import read_yaml
from gemwright.dsl.document.textfile import read_text
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar
from gemwright.dsl.source import SourceFile, Span

MAX_CHAIN: Final = 8
#: Tables of one ruleset, and bytes of all files together.
_MAX_TABLES: Final = 64
_MAX_TOTAL: Final = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """A ruleset as read and merged.

    `files` are the rules files, base first, then the tables; `name` is that of the file that was
    asked for, `folder` its real folder. `chain` holds the names of all rules files, base first.
    `digest` is the SHA-256 of the texts in hex.
    """

    tree: Map
    files: tuple[SourceFile, ...]
    name: str
    folder: Path
    chain: tuple[str, ...]
    digest: str
    tables: tuple[tuple[Scalar, SourceFile], ...] = ()
    """The tables of kinds and functions by the scalar that names each, read once and for all."""

    def table_at(self, scalar: Scalar) -> SourceFile | None:
        """The table that a scalar of the tree names; None if it is none of `tables`."""
        for named, source in self.tables:
            if named.span == scalar.span:
                return source
        return None

    def folder_of(self, span: Span) -> Path:
        """The real folder of the file that a span lies in: where its paths start."""
        for source in self.files:
            if source.path == span.path:
                return source.real.parent
        return self.folder

    def text_of(self, path: str) -> str | None:
        """The text of a file of this ruleset by its shown path, for `render`."""
        for source in self.files:
            if source.path == path:
                return source.text
        return None


@dataclass(frozen=True, slots=True)
class _Layer:
    """One rules file of a chain."""

    tree: Map
    source: SourceFile

    @property
    def name(self) -> str:
        return self.source.real.name.removesuffix(RULES_SUFFIX)


def load_document(real: Path, shown: str, reporter: Reporter) -> Document | None:
    """Read a rules file and all that it extends.

    Gives None when a file as a whole cannot be used; single wrong values are reported and stay in
    the tree as text.
    """
    layers = _chain(real, shown, reporter)
    if layers is None:
        return None
    tree = Map((), Span(shown, 1, 1, 1, 1))
    for number, layer in enumerate(layers):
        tree = layer.tree if number == 0 else _merged(tree, layer.tree, reporter)
    rules = tuple(layer.source for layer in layers)
    named = tuple(_tables(tree, rules, reporter))
    tables = tuple({source.real: source for _, source in named}.values())
    top = layers[-1]
    digest = _digest(rules, tables)
    chain = tuple(layer.name for layer in layers)
    folder = top.source.real.parent
    return Document(tree, rules + tables, top.name, folder, chain, digest, named)


# -- the chain of files -----------------------------------------------------------------------


def _chain(real: Path, shown: str, reporter: Reporter) -> list[_Layer] | None:
    """The rules files, base first."""
    layers: list[_Layer] = []
    try:
        place: Located | None = Located(real.resolve(), shown)
    except (OSError, RuntimeError, ValueError):
        place = Located(real, shown)
    asked: Span | None = None
    while place is not None:
        read = read_yaml(place.real, place.shown, reporter, asked)
        # A base in a later language may mean something else by the same words.
        if read is None or not is_known(read[0], reporter):
            return None
        layers.insert(0, _Layer(*read))
        base = read[0].get("extends")
        if base is None:
            return layers
        asked = base.span
        place = _base(base, layers, reporter)
    return None


def _base(base: Node, layers: list[_Layer], reporter: Reporter) -> Located | None:
    if not isinstance(base, Scalar) or not isinstance(base.value, str) or not base.value:
        message = "`extends` must be the name of a ruleset or a path, as text"
        reporter.error("S002", base.span.start(), message)
        return None
    source = layers[0].source
    place = locate_ruleset(source.real.parent, source.path, base, reporter)
    if place is None:
        return None
    known = [layer.source.real for layer in layers]
    if place.real in known:
        ring = [layer.name for layer in reversed(layers[: known.index(place.real) + 1])]
        shown = " extends ".join(quoted(name) for name in (*ring, ring[0]))
        message = f"a ruleset cannot extend itself: {shown}"
        reporter.error("Y014", base.span, message, "remove one `extends` of the circle")
        return None
    if len(layers) >= MAX_CHAIN:
        message = f"more than {MAX_CHAIN} rulesets extend one another"
        reporter.error("Y009", base.span, message, "merge some of them")
        return None
    return place


# -- merging ----------------------------------------------------------------------------------


def _merged(base: Map, over: Map, reporter: Reporter) -> Map:
    """`base` changed by `over`. Depth is that of the trees, so recursion is bounded."""
    entries = {entry.key: entry for entry in base.entries}
    for entry in over.entries:
        below = entries.get(entry.key)
        if isinstance(entry.value, Scalar) and entry.value.value is None:
            if below is None:
                message = f"there is no {quoted(entry.key)} in the base that could be removed"
                help = "remove the line, or correct the name"
                reporter.warning("Y019", entry.key_span, message, help)
            entries.pop(entry.key, None)
        elif isinstance(entry.value, Map):
            under = below.value if below is not None else None
            start = under if isinstance(under, Map) else Map((), entry.value.span)
            value = _merged(start, entry.value, reporter)
            entries[entry.key] = Entry(entry.key, entry.key_span, value, entry.key_map)
        else:
            entries[entry.key] = entry
    return Map(tuple(entries.values()), over.span)


# -- tables and digest ------------------------------------------------------------------------


def _tables(
    tree: Map, rules: tuple[SourceFile, ...], reporter: Reporter
) -> Iterator[tuple[Scalar, SourceFile]]:
    """The text of every table of kinds and constant functions, each file read once."""
    folders = {source.path: source.real.parent for source in rules}
    seen: dict[Path, SourceFile | None] = {}
    total = sum(len(source.text) for source in rules)
    for scalar in _table_names(tree):
        folder = folders[scalar.span.path]
        place = locate_table(folder, scalar.span.path, scalar, reporter)
        if place is None:
            continue
        if place.real not in seen:
            source = read_text(place.real, place.shown, reporter, scalar.span)
            seen[place.real] = source
            total += 0 if source is None else len(source.text)
        if len(seen) > _MAX_TABLES or total > _MAX_TOTAL:
            message = f"the ruleset has more than {_MAX_TABLES} tables, or {_MAX_TOTAL} bytes"
            reporter.error("Y009", scalar.span, message)
            return
        known = seen[place.real]
        if known is not None:
            yield scalar, known


def _table_names(tree: Map) -> Iterator[Scalar]:
    for section, field in (("kinds", "table"), ("tables", "file")):
        elements = tree.get(section)
        for entry in elements.entries if isinstance(elements, Map) else ():
            name = entry.value.get(field) if isinstance(entry.value, Map) else None
            if isinstance(name, Scalar) and isinstance(name.value, str):
                yield name


def _digest(rules: tuple[SourceFile, ...], tables: tuple[SourceFile, ...]) -> str:
    """SHA-256 over all texts, each with its kind and length, so that no two splits agree."""
    state = hashlib.sha256(b"gemwright ruleset 1\n")
    for kind, sources in (("rules", rules), ("table", tables)):
        for source in sources:
            data = source.text.encode()
            state.update(f"{kind} {len(data)}\n".encode())
            state.update(data)
    return state.hexdigest()
