"""Placeholder until plans are read."""

from __future__ import annotations

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import Game


def plan_walks(game: Game, reporter: Reporter) -> Game | None:
    """Plan how each action is walked."""
    return game
