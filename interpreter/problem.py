"""A rule broke its own declaration while a game ran: that stops the game, never the program.

The codes: R001 a value left its range, R002 pieces are missing, R003 a zone is full, R004 the top
of an empty stack was used, R005 too many steps without a decision, R006 nobody can go on.
"""

from __future__ import annotations

from gemwright.dsl.diagnostics import Diagnostic, Severity
from gemwright.dsl.source import Span


class RuntimeProblem(Exception):
    """Raised inside the engine; `State.apply` and `Game.start` turn it into `State.problem`.

    A query of a decision (options, check) lets it through, since it has no state to stop.
    """

    def __init__(self, code: str, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span

    def diagnostic(self, fallback: Span) -> Diagnostic:
        """The problem as a value, at its own place or else at `fallback`."""
        return Diagnostic(self.code, Severity.ERROR, self.span or fallback, self.message)
