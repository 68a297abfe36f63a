"""What all functions of a program share while it is lowered."""

from __future__ import annotations

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.lower.columns import Columns
from gemwright.interpreter.compiled.lower.handling import Handling
from gemwright.interpreter.compiled.lower.memory import Memory
from gemwright.interpreter.compiled.lower.somelot import SomeLots
from gemwright.interpreter.compiled.lower.terms import Terms


class Parts:
    """Memory, kept sums, handling of pieces, and the names of functions that are written."""

    def __init__(self, model: m.Game) -> None:
        self.model = model
        self.memory = Memory(model)
        self.columns = Columns(self.memory)
        self.lots = SomeLots(self.memory)
        self.handling = Handling(self.memory)
        self._names: set[str] = set()

    def terms(self, writer: Writer) -> Terms:
        """What lowers the terms of one function."""
        return Terms(self.memory, self.columns, self.lots, writer)

    def is_new(self, name: str) -> bool:
        """Whether a function is asked for the first time."""
        new = name not in self._names
        self._names.add(name)
        return new
