"""Whether a player has something to choose, on a path."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.validator.picking import Picking
from gemwright.validator.symbols import Path, Value


class Completion:
    """Completability of the actions of one game."""

    def __init__(self, picking: Picking) -> None:
        self.picking = picking
        self.game = picking.game

    def stuck(self, actions: Sequence[int], seat: Value, path: Path) -> list[Path]:
        """Paths that together have every state in which no action has a complete pick."""
        return [path]
