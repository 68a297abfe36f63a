"""No proof depends on what things are called: a file with every identifier renamed gets the same
verdicts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.validator.abstraction.lowering import lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.analysing import Analysis, Analyst

WORDS = frozenset(
    ["box", "me", "my", "players", "player", "end", "done", "pass", "first", "all", "any", "over"]
) | {"top", "bottom", "random", "change", "count", "table", "stock", "closing", "start", "at"}
"""Names that are words of the language somewhere, or columns of a table."""


def _names(game: m.Game) -> set[str]:
    """Everything that the file itself has named, as far as a game model tells."""
    found = {kind.name for kind in game.kinds} | {kind.plural for kind in game.kinds}
    found |= {face.name for face in game.faces}
    found |= {zone.name for zone in game.zones} | {action.name for action in game.actions}
    found |= {variable.name for variable in game.variables}
    found |= {p.name for action in game.actions for p in action.parameters}
    found |= {part for point in game.points for part in point.phase.split("/")}
    return {name for name in found if re.fullmatch(r"[a-z][a-z0-9_]*", name)} - WORDS - {"setup"}


def _renamed(rules: Ruleset, game: m.Game, folder: Path) -> Path:
    names = {name: f"x{n}_{name[::-1]}" for n, name in enumerate(sorted(_names(game)))}
    # A plural that is made by an s is kept in step with its kind.
    for kind in game.kinds:
        if kind.name in names and kind.plural == f"{kind.name}s":
            names[kind.plural] = f"{names[kind.name]}s"
    every = "|".join(sorted(names, key=len, reverse=True))
    for source in rules.document.folder.iterdir():
        if source.suffix not in (".csv", ".yaml"):
            continue
        # The head of a table may name a cell of a column as COLUMN_member.
        before = r"(?<![a-zA-Z0-9])" if source.suffix == ".csv" else r"(?<![\w@.-])"
        pattern = re.compile(rf"{before}({every})\b(?!\.csv)")
        text = pattern.sub(lambda found: names[found.group(1)], source.read_text("utf-8"))
        (folder / source.name).write_text(text, "utf-8")
    return folder / f"{rules.name}.gem.yaml"


def _loaded(path: str, players: int) -> tuple[Ruleset, m.Game]:
    reporter = Reporter()
    rules = open_ruleset(path, reporter)
    assert rules is not None, reporter.diagnostics
    game = rules.instantiate(players, {}, reporter)
    assert game is not None, reporter.diagnostics
    return rules, game


def _essence(found: Analysis) -> tuple[object, ...]:
    return found.termination, found.deadlock_free, found.moves, len(found.argument)


@pytest.mark.parametrize(("name", "players"), [("grand_bazaar", 3), ("lantern_market", 2)])
def test_names_do_not_matter(name: str, players: int, tmp_path: Path) -> None:
    rules, game = _loaded(name, players)
    _, other = _loaded(str(_renamed(rules, game, tmp_path)), players)
    assert not _names(game) & _names(other)
    assert _essence(Analyst("rules").analyse(game, True)) == _essence(
        Analyst("rules").analyse(other, True)
    )
    for precision in (Precision(), Precision(seats=True, laps=True)):
        one, two = lower(game, precision).system, lower(other, precision).system
        assert [e.guard for e in one.edges] == [e.guard for e in two.edges]
        assert [e.effects for e in one.edges] == [e.effects for e in two.edges]
