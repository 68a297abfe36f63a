"""One line of play on a compiled engine, move by move: for searches and for learning."""

from __future__ import annotations

from gemwright.interpreter.compiled.lower.deciding import ACTOR, TOTAL
from gemwright.interpreter.compiled.lower.playing import RESUME, STEP
from gemwright.interpreter.compiled.machine import Machine


class Line:
    """A state that stays in the machine between moves, so a move is one call.

    The machine holds one state: a line is over when anything else is asked of its game, another
    line too. Whoever comes back to a state keeps its bytes and begins a line from them.

    Args:
        state: in canonical bytes.

    Raises:
        GivenUp: a rule breaks on the way to the first decision.
    """

    def __init__(self, machine: Machine, state: bytes) -> None:
        self._machine = machine
        self._step = machine.function(STEP)
        self._total = machine.first(TOTAL)
        self._actor = machine.first(ACTOR)
        machine.load(state)
        self._count = 0 if machine.call(RESUME) else self._total()

    @property
    def count(self) -> int:
        """The number of legal moves of the first decision; 0 at an end."""
        return self._count

    @property
    def player(self) -> int:
        """Whose decision that is; it means nothing at an end."""
        return self._actor()

    def step(self, number: int) -> int:
        """Make legal move number `number`; how many there are now, 0 at an end.

        Raises:
            IndexError: there is no such move.
            GivenUp: a rule breaks; the line is over.
        """
        if not 0 <= number < self._count:
            raise IndexError(f"no move number {number}")
        self._count = 0
        if not self._step(number):
            self._count = self._total()
        return self._count

    def to_bytes(self) -> bytes:
        """The state as it is now, in canonical bytes."""
        return self._machine.save()
