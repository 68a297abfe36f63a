"""Information by syntax: who may know what a term reads. See `docs/language.md`, information."""

from __future__ import annotations

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import Game


def check_information(game: Game, reporter: Reporter) -> None:
    """Report every read that its reader may not make."""
