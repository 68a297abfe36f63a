"""A ruleset: a rules file with its bases, read and checked as shape; `instantiate` makes game
models of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.compose import Document, load_document
from gemwright.dsl.document.paths import bundled_root
from gemwright.dsl.document.schema import check_shape
from gemwright.dsl.document.tables import read_table
from gemwright.dsl.document.tree import Map, Scalar
from gemwright.dsl.elaboration.elaborate import elaborate
from gemwright.dsl.elaboration.options import OptionSpec, read_options
from gemwright.dsl.elaboration.reading import range_of, text_of
from gemwright.dsl.model.game import Game
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean

LANGUAGE = 1
SUFFIX = ".gem.yaml"
KINDS = ("rule", "example", "physical", "advice")


@dataclass(frozen=True, slots=True)
class ClauseText:
    """A numbered clause of the rulebook, in our own words."""

    id: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A readable ruleset. `players` are the smallest and greatest count; `path` as the user
    gave it."""

    name: str
    title: str
    titles: Mapping[str, str]
    path: str
    players: tuple[int, int]
    default_players: int
    options: tuple[OptionSpec, ...]
    clauses: tuple[ClauseText, ...]
    document: Document

    @property
    def language(self) -> int:
        """The version of the language that the file is written in."""
        return LANGUAGE

    @property
    def digest(self) -> str:
        """SHA-256 over rules files and tables."""
        return self.document.digest

    def instantiate(
        self, players: int, options: Mapping[str, int | str | bool], reporter: Reporter
    ) -> Game | None:
        """The game model at a player count with options that differ from the defaults, or None
        after errors."""
        place = self._place("players")
        low, high = self.players
        if not low <= players <= high:
            reporter.error(
                "O002",
                place,
                f"{self.name} is for {low} to {high} players, not {players}",
                "choose another number of players",
            )
            return None
        known = {spec.name: spec for spec in self.options}
        for name, value in options.items():
            spec = known.get(name)
            if spec is None:
                reporter.error(
                    "O003",
                    self._place("options"),
                    f"there is no option `{name[:40]}`",
                    did_you_mean(name, sorted(known)),
                )
                return None
            if not spec.accepts(value):
                reporter.error(
                    "O004",
                    spec.span,
                    f"option `{name}` cannot be `{str(value)[:40]}`",
                    f"it can be {spec.domain}",
                )
                return None
        game = elaborate(self.document, self.options, self.title, players, options, reporter)
        if game is not None:
            self._check_marks(game, reporter)
        return game

    def _check_marks(self, game: Game, reporter: Reporter) -> None:
        """Warn of marks that the rulebook lacks; a variant's own letters need no rulebook."""
        known = {clause.id for clause in self.clauses}
        letters = {id.partition("-")[0] for id in known}
        for element in game.elements:
            for mark in element.clauses:
                if mark not in known and mark.partition("-")[0] in letters:
                    reporter.warning(
                        "E015",
                        element.span,
                        f"the rulebook has no clause {mark}",
                        did_you_mean(mark, sorted(known)) or f"see {self._rulebook()}",
                    )

    def _rulebook(self) -> str:
        return text_of(self.document.tree.get("rulebook")) or "`rulebook`"

    def _place(self, key: str) -> Span:
        entry = self.document.tree.entry(key)
        return entry.key_span if entry is not None else self.document.tree.span


def bundled() -> dict[str, Path]:
    """Bundled rulesets and variants: name -> file."""
    root = bundled_root()
    if root is None:
        return {}
    found = sorted(root.glob(f"*/*{SUFFIX}")) + sorted(root.glob(f"*/variants/*{SUFFIX}"))
    return {path.name.removesuffix(SUFFIX): path for path in found}


def open_ruleset(name_or_path: str, reporter: Reporter) -> Ruleset | None:
    """Open a bundled ruleset by name, or a file by path; all problems go to the reporter."""
    files = bundled()
    path = files.get(name_or_path)
    if path is None:
        path = Path(name_or_path)
        if not name_or_path.endswith(SUFFIX) and not path.is_file():
            here = Span(name_or_path, 1, 1, 1, 1)
            reporter.error(
                "O005",
                here,
                "there is no bundled ruleset of this name",
                did_you_mean(name_or_path, sorted(files))
                or "`gemwright list` shows all; a file ends in .gem.yaml",
            )
            return None
    document = load_document(
        path, name_or_path if name_or_path not in files else str(path), reporter
    )
    if document is None or not check_shape(document.tree, reporter):
        return None
    return _read(document, name_or_path, reporter)


def _read(document: Document, path: str, reporter: Reporter) -> Ruleset | None:
    tree = document.tree
    node = tree.get("players")
    players = range_of(node, reporter)
    if players is None or not 1 <= players[0] <= players[1] <= 12:
        reporter.error(
            "S002",
            node.span if node is not None else tree.span,
            "this is no number of players",
            "write `players: 2..4`, within 1 to 12",
        )
        return None
    default = range_of(tree.get("default_players"), reporter)
    first = (
        default[0] if default is not None and players[0] <= default[0] <= players[1] else players[0]
    )
    title = tree.get("title")
    titles = (
        {entry.key: text_of(entry.value) or "" for entry in title.entries}
        if isinstance(title, Map)
        else {}
    )
    shown = (
        text_of(title)
        or titles.get("en")
        or next(iter(titles.values()), document.name.replace("_", " "))
    )
    options = read_options(tree, reporter)
    clauses = _clauses(document, reporter)
    if reporter.has_errors:
        return None
    return Ruleset(document.name, shown, titles, path, players, first, options, clauses, document)


def _clauses(document: Document, reporter: Reporter) -> tuple[ClauseText, ...]:
    node = document.tree.get("rulebook")
    if not isinstance(node, Scalar):
        return ()
    table = read_table(document, node, reporter)
    if table is None:
        return ()
    found: list[ClauseText] = []
    heads = [cell.text for cell in table.columns]
    for row in table.rows:
        cells = dict(zip(heads, row, strict=True))
        if not {"id", "kind", "text"} <= set(cells):
            reporter.error(
                "Y020",
                table.columns[0].span,
                "a rulebook has the columns id, kind and text",
                "mend the first line",
            )
            return ()
        if cells["kind"].text not in KINDS:
            reporter.error(
                "Y020",
                cells["kind"].span,
                f"`{cells['kind'].text[:40]}` is no kind of clause",
                f"write {', '.join(KINDS)}",
            )
        found.append(ClauseText(cells["id"].text, cells["kind"].text, cells["text"].text))
    return tuple(found)
