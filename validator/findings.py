"""What validation finds: findings, verdicts and reports as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from gemwright.dsl.diagnostics import Diagnostic, Severity
from gemwright.dsl.source import Span
from gemwright.validator.certificate.forms import Json

Verdict3 = Literal["proved", "refuted", "unknown"]

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a play that shows a finding: the place of its action, and the move in words."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a file, once for all games that have it.

    `applies_to` says which games those are, '' for all that were looked at. `suppressed` is the
    reason that a comment in the file gives for it; then it counts no more. '' if there is none.
    `steps` are the moves of a play that comes to it, () if it needs no play to be seen.
    """

    diagnostic: Diagnostic
    applies_to: str = ""
    suppressed: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def message(self) -> str:
        """The message with what it applies to."""
        if not self.applies_to:
            return self.diagnostic.message
        return f"{self.diagnostic.message} (applies to {self.applies_to})"


@dataclass(frozen=True, slots=True, order=True)
class Need:
    """What a sentence needs: where it stands, and what has to hold there."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of one game: a player count and the options that differ from the defaults.

    `termination` speaks of the rules without a declared cap, which `capped` tells of. `expected` is
    what the file declares about termination, None if nothing.
    """

    players: int
    options: Mapping[str, int | str | bool]
    termination: Verdict3
    capped: bool
    deadlock_free: Verdict3
    expected: str | None
    moves: int | None = None
    """No play has more moves than these; None: no bound is known."""
    argument: tuple[str, ...] = ()
    """The quantities that fall, one after another, where termination is proved."""
    certificate: Json | None = None
    """The proof, in the form that `check-cert` reads."""
    residual: tuple[str, ...] = ()
    """What may go on for ever as far as the proof can tell."""
    exhausted: bool = False
    """Whether it is unknown because a budget was spent."""
    circle: tuple[str, ...] = ()
    """The moves that a play can repeat for ever, where termination is refuted."""
    trace: Json | None = None
    """That play, in the form that `replay` reads."""
    conserved: tuple[str, ...] = ()
    """Sums of pieces that stay, as `bank + hand of all players = 40`."""
    needs: int = 0
    """Of how many things that sentences need it was asked whether they always hold."""
    open_needs: tuple[Need, ...] = ()
    """Those of them that were not proved."""
    winners: tuple[int, ...] | None = None
    """The seats that won a game when some were tried, counted from 0; None if none was tried."""
    broken: tuple[str, Json] | None = None
    """The code of what broke in a random game, and that game in the form that `replay` reads."""
    tried: bool = True
    """Whether anything was tried to prove or refute it."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file.

    `unreadable` when it could not be read at all; `sampled` says what was looked at; `asked`:
    options that a person asked for.
    """

    path: str
    findings: tuple[Finding, ...]
    verdicts: tuple[Verdict, ...]
    sampled: str = ""
    asked: bool = False
    unreadable: bool = False

    def count(self, severity: Severity) -> int:
        """The number of findings of a severity that no comment suppresses."""
        return sum(each.diagnostic.severity is severity for each in self.active)

    @property
    def active(self) -> tuple[Finding, ...]:
        """The findings that count."""
        return tuple(each for each in self.findings if not each.suppressed)


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """All files of one validation, in the order given."""

    files: tuple[FileReport, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error and every file was read."""
        return not self.unreadable and not self.has(Severity.ERROR)

    @property
    def unreadable(self) -> bool:
        """Whether a file could not be read."""
        return any(file.unreadable for file in self.files)

    def has(self, severity: Severity) -> bool:
        """Whether there is any finding of a severity."""
        return any(file.count(severity) for file in self.files)
