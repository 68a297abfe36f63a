"""Findings that an author accepts, said in the rules file with a reason.

    # validator: allow[T001] because chips may be taken and given back for ever, as in the rulebook

The comment stands on the line of the finding, or on lines of its own right above it. Several codes
are separated by commas. A suppressed finding stays in the report, with its reason, and counts no
more. A comment without a reason, with a code that does not exist or that nobody may allow, or that
suppresses nothing is a finding itself.

Findings about the text of a file (Y), about lost or created components (C), and errors that keep
the file from being loaded cannot be allowed by the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from gemwright.dsl.codes.registry import CODES
from gemwright.dsl.diagnostics import Diagnostic, Reporter, quoted
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean
from gemwright.validator.findings import Finding

_MARK: Final = re.compile(r"#\s*validator:(?P<rest>.*)")
_ALLOW: Final = re.compile(r"\s*allow\[(?P<codes>[^\]]*)\](?P<why>.*)")
_REASON: Final = re.compile(r"\s+because\s+(?P<reason>\S.*)")
_NEVER: Final = "YC"
_MOST: Final = 200
"""So many comments of one file are read; the rest suppress nothing."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: which codes it allows on which line, and why."""

    codes: tuple[str, ...]
    reason: str
    line: int
    span: Span


def read_suppressions(path: str, text: str) -> tuple[tuple[Suppression, ...], tuple[Finding, ...]]:
    """The comments of a file, and what is wrong with some of them."""
    reporter = Reporter()
    lines = text.splitlines()
    found: list[Suppression] = []
    for number, line in enumerate(lines):
        mark = _MARK.search(line)
        if mark is None or len(found) >= _MOST:
            continue
        span = Span(path, number + 1, mark.start() + 1, number + 1, len(line) + 1)
        target = _target(lines, number) if not line[: mark.start()].strip() else number
        one = _read(mark.group("rest"), target + 1, span, reporter)
        if one is not None:
            found.append(one)
    return tuple(found), tuple(Finding(each) for each in reporter.diagnostics)


def _target(lines: list[str], number: int) -> int:
    """The line that a comment on a line of its own speaks of: the next that is no comment."""
    for after in range(number + 1, len(lines)):
        if lines[after].strip() and not lines[after].lstrip().startswith("#"):
            return after
    return number


def _read(text: str, line: int, span: Span, reporter: Reporter) -> Suppression | None:
    allow = _ALLOW.fullmatch(text)
    if allow is None:
        reporter.warning(
            "V011",
            span,
            "this comment for the validator cannot be read",
            "write `# validator: allow[CODE] because REASON`",
        )
        return None
    reason = _REASON.fullmatch(allow.group("why"))
    if reason is None:
        reporter.warning(
            "V011", span, "this comment gives no reason", "write `because` and why it is right so"
        )
        return None
    codes = tuple(dict.fromkeys(code.strip() for code in allow.group("codes").split(",")))
    wrong = [code for code in codes if code not in CODES]
    for code in wrong:
        help = did_you_mean(code, sorted(CODES)) or "`gemwright explain` lists all codes"
        reporter.warning("V011", span, f"there is no code {quoted(code)}", help)
    for code in codes:
        if code in CODES and code[0] in _NEVER:
            message = f"{code} cannot be allowed by the file that has it"
            reporter.warning("V011", span, message, "mend its cause")
    known = tuple(code for code in codes if code in CODES and code[0] not in _NEVER)
    return Suppression(known, reason.group("reason").strip(), line, span) if known else None


def suppress(
    findings: tuple[Finding, ...],
    suppressions: tuple[Suppression, ...],
    blocking: Collection[Diagnostic],
    all_looked_at: bool,
) -> tuple[Finding, ...]:
    """The findings with the reasons of their suppressions, and the suppressions that do nothing.

    Args:
        findings: all findings of one file.
        suppressions: the comments of that file and of its bases.
        blocking: findings that kept a game from being made; these stay.
        all_looked_at: whether every game was looked at; else unused comments are no finding.
    """
    used: set[tuple[Suppression, str]] = set()
    answered = []
    for finding in findings:
        stays = bool(finding.suppressed) or finding.diagnostic in blocking
        by = None if stays else _allowing(finding, suppressions)
        if by is not None:
            used.add((by, finding.diagnostic.code))
            finding = replace(finding, suppressed=by.reason)
        answered.append(finding)
    if all_looked_at:
        answered.extend(_unused(suppressions, used))
    return tuple(answered)


def _allowing(finding: Finding, suppressions: tuple[Suppression, ...]) -> Suppression | None:
    found = finding.diagnostic
    for each in suppressions:
        here = each.span.path == found.span.path and each.line == found.span.line
        if here and found.code in each.codes:
            return each
    return None


def _unused(
    suppressions: tuple[Suppression, ...], used: set[tuple[Suppression, str]]
) -> Iterator[Finding]:
    reporter = Reporter()
    for each in suppressions:
        for code in each.codes:
            if (each, code) not in used:
                message = f"there is no {code} here to allow"
                reporter.warning("V010", each.span, message, "remove the code or the comment")
    yield from (Finding(each) for each in reporter.diagnostics)
