"""The catalogue of defects: mutants of clean rules files, and what validation is to say of each.

    python -m tests.catalogue

prints every mutant with what was expected and what was found, then precision and recall. The files
lie in `tests/data/err/DEFECT/NAME.gem.yaml`; beside each, `NAME.expected` has

    clean NAME                    the file of `tests/data/err/clean` that it was made from
    finding CODE SEVERITY LINE    the one finding to be told, its line within one
    verdict PROPERTY VERDICT [N]  what is to be said of the game (with N players)

A file without a `finding` is to be told by its verdict alone. `tests/data/silent` has mutants that
mean the same as the clean file, or something else that is sound; nothing may be found in them.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gemwright.validator.api import FileReport, validate

DATA: Final = Path(__file__).parent / "data"
ERRORS: Final = DATA / "err"
SILENT: Final = DATA / "silent"
CLEAN: Final = ERRORS / "clean"


@dataclass(frozen=True, slots=True)
class Told:
    """One finding as the catalogue compares it."""

    code: str
    severity: str
    line: int

    def __str__(self) -> str:
        return f"{self.code} {self.severity} line {self.line}"

    def meets(self, other: Told) -> bool:
        """Whether it is the same finding, its line within one."""
        same = (self.code, self.severity) == (other.code, other.severity)
        return same and abs(self.line - other.line) <= 1


@dataclass(frozen=True, slots=True)
class Expected:
    """What is to be said of a verdict: `unproved` is either of unknown and refuted."""

    what: str
    verdict: str
    players: int | None

    def is_met(self, report: FileReport) -> bool:
        """Whether every game with the default options that it speaks of has the verdict."""
        games = [
            verdict
            for verdict in report.verdicts
            if not verdict.options and self.players in (None, verdict.players)
        ]
        found = {str(getattr(verdict, self.what)) for verdict in games}
        return bool(games) and (
            "proved" not in found if self.verdict == "unproved" else found == {self.verdict}
        )

    def __str__(self) -> str:
        return f"{self.what} {self.verdict}"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one defect."""

    defect: str
    path: Path
    clean: str
    finding: Told | None
    verdicts: tuple[Expected, ...]

    @property
    def name(self) -> str:
        """`DEFECT/NAME`."""
        return f"{self.defect}/{self.path.name.split('.')[0]}"


@dataclass(frozen=True, slots=True)
class Judged:
    """What validation said of a mutant.

    `detected`: the finding or verdict is there. `exact`: and nothing else was found.
    """

    mutant: Mutant
    found: tuple[Told, ...]
    detected: bool
    exact: bool


def mutants() -> list[Mutant]:
    """All mutants, by defect and name."""
    return [_read(path) for path in sorted(ERRORS.glob("*/*.expected"))]


def _read(path: Path) -> Mutant:
    clean, finding, verdicts = "", None, list[Expected]()
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *rest = line.split()
        if word == "clean":
            (clean,) = rest
        elif word == "finding":
            code, severity, number = rest
            finding = Told(code, severity, int(number))
        else:
            assert word == "verdict", f"{path}: {line}"
            players = int(rest[2]) if len(rest) > 2 else None
            verdicts.append(Expected(rest[0], rest[1], players))
    rules = path.with_name(path.name.replace(".expected", ".gem.yaml"))
    return Mutant(path.parent.name, rules, clean, finding, tuple(verdicts))


def told(path: Path) -> tuple[FileReport, tuple[Told, ...]]:
    """What validation says of a file."""
    (report,) = validate(path).files
    found = [each.diagnostic for each in report.active]
    return report, tuple(Told(each.code, str(each.severity), each.span.line) for each in found)


def judge(mutant: Mutant) -> Judged:
    """Validate a mutant and compare."""
    report, found = told(mutant.path)
    met = all(verdict.is_met(report) for verdict in mutant.verdicts)
    if mutant.finding is None:
        return Judged(mutant, found, met, met and not found)
    wanted = mutant.finding
    detected = met and any(each.meets(wanted) for each in found)
    return Judged(mutant, found, detected, detected and len(found) == 1)


def silent() -> list[Path]:
    """The files in which nothing may be found."""
    return sorted([*SILENT.glob("*.gem.yaml"), *CLEAN.glob("*.gem.yaml")])


def catalogue() -> dict[str, str]:
    """Every defect of the catalogue, with why it cannot be written in the language, or ''."""
    with (ERRORS / "catalogue.csv").open(encoding="utf-8", newline="") as file:
        return {row["defect"]: row["not_writable"] for row in csv.DictReader(file)}


def missed() -> dict[str, str]:
    """The mutants that are known to be missed, with the reason."""
    lines = (ERRORS / "missed.txt").read_text(encoding="utf-8").splitlines()
    return dict(_pair(line) for line in lines if line)


def _pair(line: str) -> tuple[str, str]:
    name, reason = line.split(": ", 1)
    return name, reason


def _lines(judgements: list[Judged]) -> Iterator[str]:
    for each in judgements:
        wanted = each.mutant.finding or ", ".join(map(str, each.mutant.verdicts))
        mark = "ok" if each.exact else "MORE" if each.detected else "MISSED"
        shown = "" if each.exact else f"; found: {', '.join(map(str, each.found)) or 'nothing'}"
        yield f"{mark:7}{each.mutant.name:28}{wanted}{shown}"


def main() -> int:
    """Print the table and the two numbers; 1 if a miss is not known or a known one was found."""
    judgements = [judge(mutant) for mutant in mutants()]
    print("\n".join(_lines(judgements)))
    for defect, reason in catalogue().items():
        if reason:
            print(f"-      {defect}: cannot be written: {reason}")
    alarms = {path.name: found for path in silent() if (found := told(path)[1])}
    for name, found in alarms.items():
        print(f"ALARM  {name}: {', '.join(map(str, found))}")
    right = sum(each.detected for each in judgements)
    wanted = sum(each.detected and each.mutant.finding is not None for each in judgements)
    extra = sum(len(each.found) for each in judgements) - wanted
    wrong = extra + sum(map(len, alarms.values()))
    writable = [defect for defect, reason in catalogue().items() if not reason]
    whole = {each.mutant.defect for each in judgements}
    whole -= {each.mutant.defect for each in judgements if not each.detected}
    print(f"\nmutants: {right} of {len(judgements)} detected, recall {right / len(judgements):.3f}")
    print(f"defects: {len(whole)} of {len(writable)} detected in all their mutants")
    print(f"silent files: {len(silent()) - len(alarms)} of {len(silent())} without a finding")
    print(f"precision: {right} right, {wrong} wrong findings, {right / (right + wrong):.3f}")
    lost = {each.mutant.name for each in judgements if not each.exact}
    return int(lost != set(missed()) or bool(alarms))


if __name__ == "__main__":
    sys.exit(main())
