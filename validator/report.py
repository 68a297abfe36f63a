"""Validation reports as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from gemwright.dsl.diagnostics import Severity
from gemwright.dsl.render import render
from gemwright.validator.findings import FileReport, Finding, ValidationReport, Verdict

MOST_NEEDS: Final = 4
"""So many unproved needs of sentences are shown in a line of text."""
MOST_SHOWN: Final = 20
"""So many findings per file are shown as text; JSON has all of them."""


def as_text(report: ValidationReport) -> str:
    """All findings as lines that begin `path:line:column: `, then one line per file."""
    lines: list[str] = []
    for file in report.files:
        lines.extend(_file_lines(file))
    return "\n".join(lines)


def _file_lines(file: FileReport) -> Iterator[str]:
    texts: dict[str, str | None] = {}
    active = file.active
    for finding in active[:MOST_SHOWN]:
        shown = replace(finding.diagnostic, message=finding.message)
        yield render(shown, lambda path: texts.setdefault(path, _text(path)))
    if len(active) > MOST_SHOWN:
        yield f"{file.path}: {len(active) - MOST_SHOWN} more findings"
    yield from _verdict_lines(file)
    yield f"{file.path}: {_summary(file)}"


def _summary(file: FileReport) -> str:
    """How it went, in one line."""
    counts = [
        f"{number} {severity.value}{'s' if number != 1 and severity is not Severity.INFO else ''}"
        for severity in Severity
        if (number := file.count(severity))
    ]
    if allowed := len(file.findings) - len(file.active):
        counts.append(f"{allowed} allowed by comments")
    text = ", ".join(counts) or "nothing found"
    if file.verdicts and not any(verdict.tried for verdict in file.verdicts):
        text += "; proofs not tried"
    if file.verdicts:
        number = len(file.verdicts)
        text += f"; {number} game{'' if number == 1 else 's'} looked at ({file.sampled})"
    return text


def _verdict_lines(file: FileReport) -> Iterator[str]:
    """What was proved of the games with the default options or those asked for, then how many
    others were; nothing of what was not tried."""
    tried = [verdict for verdict in file.verdicts if verdict.tried]
    plain = [verdict for verdict in tried if file.asked or not verdict.options]
    for tell in (_verdict_text, _conserved_text, _needs_text, _winners_text):
        texts: dict[str, list[int]] = {}
        for verdict in plain:
            texts.setdefault(tell(verdict), []).append(verdict.players)
        for text, counts in texts.items():
            if text:
                yield f"{file.path}: players {', '.join(map(str, counts))}: {text}"
    others = [verdict for verdict in file.verdicts if verdict.options and not file.asked]
    if tried and others:
        proved = sum(verdict.termination == "proved" for verdict in others)
        text = f"with other options: {proved} of {len(others)} games proved to end"
        left = sum(not verdict.tried for verdict in others)
        yield f"{file.path}: {text}" + (f", {left} not tried" if left else "")


def _verdict_text(verdict: Verdict) -> str:
    """A verdict in words."""
    if verdict.termination == "proved":
        text = "every play ends"
        if verdict.moves is not None:
            text += f", after at most {verdict.moves} moves"
        if verdict.argument:
            text += f" (falling: {'; '.join(verdict.argument)})"
    elif verdict.termination == "refuted":
        text = "play can go on for ever"
        if verdict.trace is not None:
            way = verdict.trace["loop"]
            begin = f"after {way} move{'' if way == 1 else 's'}" if way else "from the start"
            text += f": {begin} {'; '.join(verdict.circle)}; and again"
    else:
        text = "whether every play ends is unknown"
        if verdict.residual:
            text += f" (open: {', '.join(verdict.residual[:6])})"
    if verdict.termination != "proved" and verdict.capped:
        text += "; it ends by the declared cap"
    moves = {
        "proved": "there is always something to choose",
        "refuted": "somebody can be left with nothing to choose",
        "unknown": "whether there is always something to choose is unknown",
    }
    return f"{text}; {moves[verdict.deadlock_free]}"


def _conserved_text(verdict: Verdict) -> str:
    """The pieces that are neither made nor lost; '' if nothing is known of them."""
    return f"conserved: {'; '.join(verdict.conserved)}" if verdict.conserved else ""


def _needs_text(verdict: Verdict) -> str:
    """Whether sentences can always be done; '' if that was not asked."""
    if not verdict.needs:
        return ""
    if not verdict.open_needs:
        return "every number stays in its range, and what a sentence takes is always there"
    shown = [f"{each.text} (line {each.line})" for each in verdict.open_needs[:MOST_NEEDS]]
    if len(verdict.open_needs) > MOST_NEEDS:
        shown.append(f"{len(verdict.open_needs) - MOST_NEEDS} more")
    return f"not proved of what sentences need: {'; '.join(shown)}"


def _winners_text(verdict: Verdict) -> str:
    """Who won none of the games that were tried; '' if everybody won one."""
    if verdict.winners is None:
        return ""
    missing = [seat for seat in range(verdict.players) if seat not in verdict.winners]
    seats = ", ".join(f"P{seat + 1}" for seat in missing)
    return f"no play was found that {seats} wins" if missing else ""


def _text(path: str) -> str | None:
    """The text of a file for the excerpt; None if it cannot be shown."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return None


def as_json(report: ValidationReport) -> dict[str, Any]:
    """The report as one object, as docs describe it."""
    return {"files": [_file_json(file) for file in report.files]}


def _file_json(file: FileReport) -> dict[str, Any]:
    return {
        "path": file.path,
        "findings": [_finding_json(finding) for finding in file.findings],
        "verdicts": [_verdict_json(verdict) for verdict in file.verdicts],
        "sampled": file.sampled,
    }


def _finding_json(finding: Finding) -> dict[str, Any]:
    found = finding.diagnostic
    return {
        "code": found.code,
        "severity": found.severity.value,
        "path": found.span.path,
        "line": found.span.line,
        "column": found.span.column,
        "end_line": found.span.end_line,
        "end_column": found.span.end_column,
        "message": found.message,
        "help": found.help,
        "applies_to": finding.applies_to,
        "suppressed": finding.suppressed or None,
        "steps": [
            {
                "path": step.span.path,
                "line": step.span.line,
                "column": step.span.column,
                "message": step.text,
            }
            for step in finding.steps
        ],
        "notes": [
            {"path": span.path, "line": span.line, "column": span.column, "message": text}
            for span, text in found.notes
        ],
    }


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "players": verdict.players,
        "options": dict(verdict.options),
        "termination": verdict.termination,
        "capped": verdict.capped,
        "deadlock_free": verdict.deadlock_free,
        "expected": verdict.expected,
        "moves": verdict.moves,
        "argument": list(verdict.argument),
        "residual": list(verdict.residual),
        "exhausted": verdict.exhausted,
        "tried": verdict.tried,
        "certificate": verdict.certificate,
        "trace": verdict.trace,
        "conserved": list(verdict.conserved),
        "needs": verdict.needs,
        "open_needs": [
            {"path": each.path, "line": each.line, "text": each.text} for each in verdict.open_needs
        ],
        "winners": None if verdict.winners is None else [seat + 1 for seat in verdict.winners],
    }
