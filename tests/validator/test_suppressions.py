"""Comments that allow a finding: with a reason, where it is, and nothing else."""

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Severity
from gemwright.dsl.source import Span
from gemwright.interpreter.cli.main import main
from gemwright.validator.api import FileReport, validate
from gemwright.validator.findings import Finding
from gemwright.validator.suppressions import read_suppressions, suppress

from .test_validate import GOOD

CLAUSES = "id,kind,text\nA-1,rule,take stones\n"
# A finding that is no error and that this file alone causes: a mark that no clause has.
MARKED = GOOD.replace("language: 1\n", "language: 1\nrulebook: clauses.csv\n").replace(
    "    do: move lot to my purse", "    do: move lot to my purse\n    clause: A-2"
)


def file_report(tmp_path: Path, text: str) -> FileReport:
    (tmp_path / "clauses.csv").write_text(CLAUSES, encoding="utf-8")
    path = tmp_path / "pebbles.gem.yaml"
    path.write_text(text, encoding="utf-8")
    (report,) = validate(path).files
    return report


def codes(report: FileReport) -> list[str]:
    return [each.diagnostic.code for each in report.active]


def test_without_a_comment_the_finding_counts(tmp_path: Path) -> None:
    assert codes(file_report(tmp_path, MARKED)) == ["E015"]


@pytest.mark.parametrize(
    "allowed",
    [
        MARKED.replace("  take:\n", "  take: # validator: allow[E015] because it is to come\n"),
        MARKED.replace("  take:\n", "  # validator: allow[E015] because it is to come\n  take:\n"),
        MARKED.replace(
            "  take:\n",
            "  # validator: allow[E015, T001] because it is to come\n  # more\n\n  take:\n",
        ).replace(", T001", ""),
    ],
)
def test_a_comment_at_the_finding_allows_it(tmp_path: Path, allowed: str) -> None:
    report = file_report(tmp_path, allowed)
    assert codes(report) == []
    assert [each.suppressed for each in report.findings] == ["it is to come"]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("allow[E015]", ["V011", "E015"]),
        ("allow[E015] because ", ["V011", "E015"]),
        ("allow E015 because I say so", ["V011", "E015"]),
        ("allow[E999] because I say so", ["V011", "E015"]),
        ("allow[Y001] because I say so", ["V011", "E015"]),
        ("allow[E002] because I say so", ["V010", "E015"]),
        ("allow[E015, E002] because I say so", ["V010"]),
    ],
)
def test_a_comment_that_allows_nothing_is_a_finding(
    tmp_path: Path, comment: str, expected: list[str]
) -> None:
    text = MARKED.replace("  take:\n", f"  # validator: {comment}\n  take:\n")
    assert codes(file_report(tmp_path, text)) == expected


def test_a_comment_elsewhere_allows_nothing(tmp_path: Path) -> None:
    text = MARKED.replace("zones:\n", "# validator: allow[E015] because so\nzones:\n")
    assert codes(file_report(tmp_path, text)) == ["V010", "E015"]


def test_what_keeps_a_file_from_loading_cannot_be_allowed(tmp_path: Path) -> None:
    text = GOOD.replace(
        "    do: move lot to my purse",
        "    do: move lot to my purs # validator: allow[E002] because so",
    )
    report = file_report(tmp_path, text)
    assert "E002" in codes(report) and not report.verdicts


def test_unused_comments_are_told_only_when_all_was_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "pebbles.gem.yaml"
    text = GOOD.replace("zones:\n", "zones:\n  # validator: allow[E015] because so\n")
    path.write_text(text, encoding="utf-8")
    assert not validate(path, players=2).files[0].findings
    assert codes(validate(path).files[0]) == ["V010"]


def test_comments_of_a_base_hold_for_its_variants(tmp_path: Path) -> None:
    text = MARKED.replace("  take:\n", "  # validator: allow[E015] because so\n  take:\n")
    file_report(tmp_path, text)
    variant = tmp_path / "more.gem.yaml"
    variant.write_text("language: 1\nextends: pebbles.gem.yaml\n", encoding="utf-8")
    (report,) = validate(variant).files
    assert codes(report) == [] and len(report.findings) == 1


def test_files_of_strangers_allow_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MARKED.replace("  take:\n", "  # validator: allow[E015] because so\n  take:\n")
    file_report(tmp_path, text)
    path = str(tmp_path / "pebbles.gem.yaml")
    assert main(["validate", "--strict", path]) == 0
    assert "1 allowed by comments" in capsys.readouterr().out
    assert main(["validate", "--strict", "--no-inline-allow", path]) == 1
    assert "E015" in capsys.readouterr().out


def test_many_comments_are_read_in_one_pass() -> None:
    line = "a: b # validator: allow[E015] because so\n"
    found, problems = read_suppressions("rules.gem.yaml", line * 5_000)
    assert 0 < len(found) < 1_000 and not problems
    finding = Finding(
        Diagnostic("E015", Severity.WARNING, Span("rules.gem.yaml", 1, 1, 1, 2), "text")
    )
    (answered,) = suppress((finding,), found, (), False)
    assert answered.suppressed == "so"
