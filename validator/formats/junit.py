"""Validation reports as JUnit XML: a suite per file, a case per finding and per verdict."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from gemwright.dsl.diagnostics import Severity, cleaned
from gemwright.validator.findings import FileReport, Finding, ValidationReport, Verdict


def as_junit(report: ValidationReport) -> str:
    """The report as an XML document.

    An error is a failure; a warning or a remark passes and keeps its text as output; a suppressed
    finding counts as skipped.
    """
    root = ElementTree.Element("testsuites", name="gemwright validate")
    for file in report.files:
        root.append(_suite(file))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _suite(file: FileReport) -> ElementTree.Element:
    cases = [_case(finding, file) for finding in file.findings]
    cases += [_verdict(verdict, file) for verdict in file.verdicts]
    if not cases:
        case = ElementTree.Element("testcase", classname=cleaned(file.path), name="load")
        if file.unreadable:
            ElementTree.SubElement(case, "error", message="the file cannot be read")
        cases = [case]
    suite = ElementTree.Element(
        "testsuite",
        name=cleaned(file.path),
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors=str(sum(case.find("error") is not None for case in cases)),
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
    )
    suite.extend(cases)
    return suite


def _case(finding: Finding, file: FileReport) -> ElementTree.Element:
    found = finding.diagnostic
    place = f"{cleaned(found.span.path)}:{found.span.line}:{found.span.column}"
    case = ElementTree.Element(
        "testcase", classname=cleaned(file.path), name=f"{found.code} {place}"
    )
    text = finding.message + (f"\n{found.help}" if found.help else "")
    if finding.suppressed:
        ElementTree.SubElement(case, "skipped", message=finding.suppressed)
    elif found.severity is Severity.ERROR:
        failure = ElementTree.SubElement(case, "failure", type=found.code, message=finding.message)
        failure.text = text
    else:
        ElementTree.SubElement(case, "system-out").text = f"{found.severity.value}: {text}"
    return case


def _verdict(verdict: Verdict, file: FileReport) -> ElementTree.Element:
    options = ", ".join(f"{name} = {value}" for name, value in verdict.options.items())
    name = f"{verdict.players} players" + (f", {options}" if options else "")
    case = ElementTree.Element("testcase", classname=cleaned(file.path), name=name)
    said = f"termination {verdict.termination}; deadlock free {verdict.deadlock_free}"
    ElementTree.SubElement(case, "system-out").text = said
    return case
