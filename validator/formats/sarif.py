"""Validation reports as SARIF 2.1.0, the form of code scanning services (OASIS, 2020).

Columns are counted in code points. A result is recognised again by the fingerprint
`gemwright/v1`: the code, the file and the text of its line, so that lines added elsewhere do not
make it a new one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, Final
from urllib.parse import quote

from gemwright.dsl.codes.registry import CODES
from gemwright.dsl.diagnostics import Severity
from gemwright.dsl.source import Span
from gemwright.validator.findings import FileReport, Finding, Step, ValidationReport

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT: Final = "gemwright/v1"
MOST_STEPS: Final = 1_000
"""Code scanning keeps no more places of a flow."""
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def as_sarif(report: ValidationReport, version: str) -> dict[str, Any]:
    """The report as one SARIF log with one run.

    Args:
        report: what was found.
        version: the version of this package.
    """
    rules = sorted({each.diagnostic.code for file in report.files for each in file.findings})
    places = {code: place for place, code in enumerate(rules)}
    lines = _Lines()
    results = [
        _result(finding, places, lines) for file in report.files for finding in file.findings
    ]
    run = {
        "tool": {
            "driver": {
                "name": "gemwright",
                "semanticVersion": version,
                "rules": [_rule(code) for code in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [_invocation(report)],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    info = CODES[code]
    parts = (info.why, "Wrong:", info.bad, "Right:", info.good, f"How found: {info.decided}")
    return {
        "id": code,
        "name": info.name,
        "shortDescription": {"text": f"{info.summary}."},
        "fullDescription": {"text": info.why},
        "help": {"text": "\n\n".join(part.strip() for part in parts)},
    }


def _result(finding: Finding, places: Mapping[str, int], lines: _Lines) -> dict[str, Any]:
    found = finding.diagnostic
    message = finding.message + (f"; {found.help}" if found.help else "")
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": places[found.code],
        "level": _LEVELS[found.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": _place(found.span)}],
        "partialFingerprints": {FINGERPRINT: lines.fingerprint(found.code, found.span)},
    }
    if found.notes:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _place(span), "message": {"text": text}}
            for number, (span, text) in enumerate(found.notes, 1)
        ]
    if finding.steps:
        result["codeFlows"] = [_flow(finding.steps)]
    if finding.suppressed:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.suppressed}]
    return result


def _flow(steps: Sequence[Step]) -> dict[str, Any]:
    """A play as a thread flow, move by move; of a long one the last moves, where it comes to."""
    shown = steps[-MOST_STEPS:]
    left = len(steps) - len(shown)
    text = f"the last {MOST_STEPS} of {len(steps)} moves" if left else f"{len(steps)} moves"
    locations = [
        {
            "executionOrder": left + number,
            "location": {
                "physicalLocation": _place(step.span),
                "message": {"text": step.text},
            },
        }
        for number, step in enumerate(shown, 1)
    ]
    return {"message": {"text": text}, "threadFlows": [{"locations": locations}]}


def _place(span: Span) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"artifactLocation": {"uri": _uri(span.path)}, "region": region}


def _uri(path: str) -> str:
    """A relative path stays relative to where the command ran."""
    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    return quote(pure.as_posix())


def _invocation(report: ValidationReport) -> dict[str, Any]:
    unreadable = [file for file in report.files if file.unreadable]
    invocation: dict[str, Any] = {"executionSuccessful": not unreadable}
    if unreadable:
        invocation["toolExecutionNotifications"] = [_notification(file) for file in unreadable]
    return invocation


def _notification(file: FileReport) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": "the file cannot be read"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(file.path)}}}],
    }


class _Lines:
    """Texts of lines, and how often a finding of one kind was seen on such a line before."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}
        self._seen: Counter[str] = Counter()

    def fingerprint(self, code: str, span: Span) -> str:
        """What tells a finding from the others, wherever its line has gone: 32 hex digits."""
        text = "\n".join((code, PurePath(span.path).as_posix(), self._text(span)))
        self._seen[text] += 1
        return sha256(f"{text}\n{self._seen[text]}".encode()).hexdigest()[:32]

    def _text(self, span: Span) -> str:
        if span.path not in self._files:
            self._files[span.path] = _read(span.path)
        lines = self._files[span.path]
        return lines[span.line - 1].strip() if span.line <= len(lines) else ""


def _read(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError:
        return []
