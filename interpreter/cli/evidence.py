"""Evidence in files: proofs for `check-cert`, plays that never end, and games in which a
rule breaks, for `replay`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gemwright.interpreter.cli.arguments import option_value

if TYPE_CHECKING:
    from gemwright.validator.certificate.forms import Json
    from gemwright.validator.findings import ValidationReport, Verdict


def write_evidence(report: ValidationReport, folder: Path) -> tuple[Path, ...]:
    """Write every certificate and trace of a report into a folder, made if need be; the files.

    Raises:
        OSError: a file cannot be written.
    """
    written = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in _named(report):
        path = folder / name
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.append(path)
    return tuple(written)


def _named(report: ValidationReport) -> Iterator[tuple[str, Json]]:
    """File names with what goes into them; two rules files of one name are numbered."""
    seen: dict[str, int] = {}
    for file in report.files:
        stem = Path(file.path).name.removesuffix(".gem.yaml")
        seen[stem] = seen.get(stem, 0) + 1
        if seen[stem] > 1:
            stem = f"{stem}-{seen[stem]}"
        for verdict in file.verdicts:
            if verdict.certificate is not None:
                yield f"{stem}-{_which(verdict)}.certificate.json", verdict.certificate
            if verdict.trace is not None:
                yield f"{stem}-{_which(verdict)}.trace.json", verdict.trace
            if verdict.broken is not None:
                code, play = verdict.broken
                yield f"{stem}-{_which(verdict)}-{code}.trace.json", play


def _which(verdict: Verdict) -> str:
    options = "".join(
        f"-{name}-{option_value(value)}" for name, value in sorted(verdict.options.items())
    )
    return f"{verdict.players}p{options}"
