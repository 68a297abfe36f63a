"""The forms of a report that other programs read, held against their own schemas and parsers."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gemwright.dsl.diagnostics import Diagnostic, Severity
from gemwright.dsl.source import Span
from gemwright.interpreter.cli.main import main
from gemwright.validator.api import validate
from gemwright.validator.findings import FileReport, Finding, Step, ValidationReport
from gemwright.validator.formats.github import as_github
from gemwright.validator.formats.junit import as_junit
from gemwright.validator.formats.sarif import FINGERPRINT, MOST_STEPS, as_sarif
from gemwright.validator.report import as_json

from .test_validate import GOOD

# The schema as the npm package @microsoft/jest-sarif 1.0.0-beta.0 ships it (MIT).
SARIF_SCHEMA = Path(__file__).parents[1] / "data" / "sarif-2.1.0-rtm.5.json"

FORMS = {
    "clean": GOOD,
    "warning": GOOD.replace("zones:\n", "zones:\n  # validator: allow\n"),
    "error": GOOD.replace("to my purse", "to my purs"),
    "two places": GOOD.replace("  purse: {", "  heap: {holds: stone}\n  purse: {"),
    "not YAML": GOOD.replace("setup: |", "setup: ["),
    "nothing": "",
}


@pytest.fixture(params=sorted(FORMS))
def report(request: pytest.FixtureRequest, tmp_path: Path) -> ValidationReport:
    path = tmp_path / "pebbles.gem.yaml"
    path.write_text(FORMS[request.param], encoding="utf-8")
    return validate(path)


def made(*findings: Finding, path: str = "rules.gem.yaml") -> ValidationReport:
    return ValidationReport((FileReport(path, findings, ()),))


def finding(message: str, severity: Severity = Severity.ERROR, suppressed: str = "") -> Finding:
    span = Span("rules.gem.yaml", 3, 5, 3, 9)
    return Finding(Diagnostic("E002", severity, span, message, "help"), suppressed=suppressed)


# -- SARIF


def check_sarif(log: dict[str, Any]) -> None:
    schema = json.loads(SARIF_SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(schema).validate(log)


def test_sarif_keeps_its_schema(report: ValidationReport) -> None:
    log = as_sarif(report, "1.2.3")
    check_sarif(log)
    (run,) = log["runs"]
    assert len(run["results"]) == len(report.files[0].findings)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_tells_the_play_that_comes_to_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "pebbles.gem.yaml"
    path.write_text(GOOD.replace("  purse: {", "  purse: {limit: 1, "), encoding="utf-8")
    log = as_sarif(validate(path), "1.2.3")
    check_sarif(log)
    (result,) = log["runs"][0]["results"]
    (flow,) = result["codeFlows"]
    (thread,) = flow["threadFlows"]
    assert result["ruleId"] == "R003" and thread["locations"]
    line = next(n for n, text in enumerate(GOOD.splitlines(), 1) if text == "  take:")
    for number, each in enumerate(thread["locations"], 1):
        place = each["location"]
        assert each["executionOrder"] == number
        assert re.fullmatch(r"P\d: take: lot .*", place["message"]["text"])
        assert place["physicalLocation"]["region"]["startLine"] == line
    assert flow["message"]["text"] == f"{len(thread['locations'])} moves"


def test_sarif_keeps_the_end_of_a_long_play() -> None:
    span = Span("rules.gem.yaml", 3, 5, 3, 9)
    steps = tuple(Step(span, f"P1: wait {number}") for number in range(MOST_STEPS + 7))
    found = Finding(Diagnostic("R003", Severity.ERROR, span, "full"), steps=steps)
    log = as_sarif(made(found), "1.2.3")
    check_sarif(log)
    (flow,) = log["runs"][0]["results"][0]["codeFlows"]
    shown = flow["threadFlows"][0]["locations"]
    assert [len(shown), shown[0]["executionOrder"]] == [MOST_STEPS, 8]
    assert shown[-1]["location"]["message"]["text"] == steps[-1].text


def test_the_schema_refuses_what_is_no_sarif() -> None:
    log = as_sarif(made(finding("x")), "1.2.3")
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        check_sarif(log)


def test_sarif_tells_what_a_comment_allows() -> None:
    log = as_sarif(made(finding("x", suppressed="it is so in the rulebook")), "1.2.3")
    check_sarif(log)
    (result,) = log["runs"][0]["results"]
    assert result["suppressions"] == [
        {"kind": "inSource", "justification": "it is so in the rulebook"}
    ]


def test_sarif_of_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    log = as_sarif(validate(tmp_path / "none.gem.yaml"), "1.2.3")
    check_sarif(log)
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False


def test_a_fingerprint_survives_lines_that_are_added_above(tmp_path: Path) -> None:
    path = tmp_path / "pebbles.gem.yaml"

    def prints(text: str) -> list[str]:
        path.write_text(text, encoding="utf-8")
        (run,) = as_sarif(validate(path), "1.2.3")["runs"]
        return [result["partialFingerprints"][FINGERPRINT] for result in run["results"]]

    before = prints(FORMS["error"])
    assert before and prints("# a line\n# and another\n" + FORMS["error"]) == before
    assert prints(FORMS["error"].replace("my purs", "my prse")) != before


# -- GitHub annotations


def test_hostile_text_cannot_begin_a_workflow_command() -> None:
    hostile = "100%\r\n::error::pwned\n::set-output name=x::y"
    text = as_github(made(finding(hostile), path="a,b:c%.gem.yaml"), "secret")
    commands = [line for line in text.splitlines() if line.startswith("::")]
    assert commands[0].startswith("::error ")
    before_stop = commands[: commands.index("::stop-commands::secret")]
    assert len(before_stop) == 1
    assert "100%25%0D%0A::error::pwned%0A::set-output" in before_stop[0]
    assert text.splitlines()[-1] == "::secret::"


def test_annotations_begin_with_the_worst() -> None:
    findings = [finding("w", Severity.WARNING), finding("i", Severity.INFO), finding("e")]
    text = as_github(made(*findings, finding("allowed", suppressed="why")), "secret")
    kinds = re.findall(r"^::(error|warning|notice) ", text, flags=re.MULTILINE)
    assert kinds == ["error", "warning", "notice"]


# -- JUnit


def test_junit_counts_what_it_holds(report: ValidationReport) -> None:
    root = ElementTree.fromstring(as_junit(report))
    for suite in root.iter("testsuite"):
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases) >= 1
        failed = [case for case in cases if case.find("failure") is not None]
        assert int(suite.attrib["failures"]) == len(failed)
        assert len(failed) == report.files[0].count(Severity.ERROR)


def test_junit_of_hostile_text_is_still_xml() -> None:
    hostile = made(finding("<a>&]]>'\""), path="\x1b[31m<x>.gem.yaml")
    root = ElementTree.fromstring(as_junit(hostile))
    assert [case.attrib["name"] for case in root.iter("testcase")] == ["E002 rules.gem.yaml:3:5"]


# -- JSON


def test_json_keeps_the_published_schema(
    report: ValidationReport, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schema", "report"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(as_json(report))


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "github", "text"])
def test_every_form_is_printed_and_says_the_same(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pebbles.gem.yaml"
    path.write_text(FORMS["error"], encoding="utf-8")
    assert main(["validate", str(path), "--format", form]) == 1
    assert "E002" in capsys.readouterr().out
