"""Game models made from texts."""

from __future__ import annotations

from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.ruleset import open_ruleset


def model_of(folder: Path, text: str, players: int = 2) -> m.Game:
    """The model of rules that are written into a folder; they must load."""
    path = folder / "small.gem.yaml"
    path.write_text(text, "utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    assert rules is not None, [each.message for each in reporter.diagnostics]
    model = rules.instantiate(players, {}, reporter)
    assert model is not None, [each.message for each in reporter.diagnostics]
    return model
