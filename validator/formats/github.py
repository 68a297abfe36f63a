"""Validation reports as workflow commands of GitHub Actions: annotations on the lines of a change.

The text of rules files is hostile: what could end a command or begin another is escaped, and all
other output stands between `stop-commands` marks that the files cannot guess. Only ten errors and
ten warnings of a step are shown on the page, so the worst come first; the text after them has
everything.
"""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl.diagnostics import Severity
from gemwright.validator.findings import Finding, ValidationReport
from gemwright.validator.report import as_text

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_DATA = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_PROPERTY = (*_DATA, (":", "%3A"), (",", "%2C"))


def as_github(report: ValidationReport, token: str) -> str:
    """Annotations, worst first, then the text report.

    Args:
        report: what was found.
        token: a word that no file can know, made anew for each call; it ends the text.
    """
    lines = [*_annotations(report), f"::stop-commands::{token}", as_text(report), f"::{token}::"]
    return "\n".join(lines)


def _annotations(report: ValidationReport) -> Iterator[str]:
    active = [finding for file in report.files for finding in file.active]
    for severity in Severity:
        for finding in active:
            if finding.diagnostic.severity is severity:
                yield _command(finding)
    for file in report.files:
        if file.unreadable:
            yield f"::error file={escape_property(file.path)}::the file cannot be read"


def _command(finding: Finding) -> str:
    found = finding.diagnostic
    span = found.span
    properties = {
        "file": span.path,
        "line": str(span.line),
        "endLine": str(span.end_line),
        "col": str(span.column),
        "title": found.code,
    }
    shown = ",".join(f"{name}={escape_property(value)}" for name, value in properties.items())
    message = finding.message + (f"\n{found.help}" if found.help else "")
    return f"::{_COMMANDS[found.severity]} {shown}::{escape_data(message)}"


def escape_data(text: str) -> str:
    """A message as workflow commands want it."""
    for sign, code in _DATA:
        text = text.replace(sign, code)
    return text


def escape_property(text: str) -> str:
    """The value of a property as workflow commands want it."""
    for sign, code in _PROPERTY:
        text = text.replace(sign, code)
    return text
