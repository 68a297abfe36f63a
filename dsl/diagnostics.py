"""Findings: problems in a user's file as values.

A pass reports what it finds to a `Reporter` and goes on; nothing about a user's file is raised.
Text of the file is hostile until shown otherwise: it enters a message through `quoted`, and every
message is cleaned of control characters on its way into the reporter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gemwright.dsl.codes.registry import CODES
from gemwright.dsl.source import Span

#: No message repeats more characters of a file than this in one piece.
ECHO_LIMIT: Final = 80
_MESSAGE_LIMIT: Final = 600

#: Characters that could change how a terminal, an editor or a log shows the text around them:
#: controls, line and paragraph separators, direction marks, byte order marks, surrogates.
UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


class Severity(StrEnum):
    """How bad a finding is: only an error keeps a file from being played."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `message` is one sentence, subject first, lower case, without a full stop; `help` says what to
    do, or is empty. `notes` are further places with a word on each, such as the first of two
    equal keys.
    """

    code: str
    severity: Severity
    span: Span
    message: str
    help: str = ""
    notes: tuple[tuple[Span, str], ...] = ()


def cleaned(text: str) -> str:
    """`text` with each unsafe character replaced by its visible name such as `<U+202E>`."""
    return UNSAFE.sub(_visible, text)


def quoted(text: str, limit: int = 60) -> str:
    """A piece of a user's file for use in a message: in backticks, cleaned, cut at `limit`.

    `limit` is at most `ECHO_LIMIT`; what is cut away shows as three dots.
    """
    limit = min(limit, ECHO_LIMIT) - 2
    safe = cleaned(text[:limit]).replace("`", "'")
    if len(text) > limit or len(safe) > limit:
        safe = safe[: limit - 3] + "..."
    return f"`{safe}`"


def _visible(found: re.Match[str]) -> str:
    return f"<U+{ord(found.group()):04X}>"


class Reporter:
    """Collects the findings of all passes over one ruleset. Not shared between threads."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}

    def add(self, found: Diagnostic) -> None:
        """Take a finding that another reporter collected."""
        self._found[found] = None

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        """Report something that keeps the file from being played."""
        self._add(code, Severity.ERROR, span, message, help, notes)

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        """Report something that is most likely a mistake, but has a meaning."""
        self._add(code, Severity.WARNING, span, message, help, notes)

    def info(
        self,
        code: str,
        span: Span,
        message: str,
        help: str = "",
        notes: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        """Report something worth knowing."""
        self._add(code, Severity.INFO, span, message, help, notes)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, without repetitions, by path, line, column and code."""
        return tuple(sorted(self._found, key=_order))

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(found.severity is Severity.ERROR for found in self._found)

    def error_starts(self) -> frozenset[tuple[str, int, int]]:
        """Path, line and column of every error: where later passes need not complain again."""
        return frozenset(
            (found.span.path, found.span.line, found.span.column)
            for found in self._found
            if found.severity is Severity.ERROR
        )

    def _add(
        self,
        code: str,
        severity: Severity,
        span: Span,
        message: str,
        help: str,
        notes: tuple[tuple[Span, str], ...],
    ) -> None:
        assert code in CODES, f"code {code} is not in the registry"
        safe_notes = tuple((place, _bounded(text)) for place, text in notes)
        found = Diagnostic(code, severity, span, _bounded(message), _bounded(help), safe_notes)
        self._found[found] = None


def _bounded(text: str) -> str:
    safe = cleaned(text)
    return safe if len(safe) <= _MESSAGE_LIMIT else safe[: _MESSAGE_LIMIT - 3] + "..."


def _order(found: Diagnostic) -> tuple[str, int, int, str, str]:
    return found.span.path, found.span.line, found.span.column, found.code, found.message
