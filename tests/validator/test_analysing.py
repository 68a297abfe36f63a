"""Verdicts in validation: proofs, what a file expects of them, certificates in place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.cli.main import main
from gemwright.validator.analysing import Analyst
from gemwright.validator.api import ValidationReport, validate
from gemwright.validator.report import as_text
from gemwright.validator.rules.fingerprint import fingerprint

PILE = """\
language: 1
game: pile
players: 2
options:
  label: {values: [plain, fancy]}
  least: {values: [1, 0]}
kinds:
  stone: {members: [red], count: 9}
zones:
  pile: {holds: stone}
  hand: {holds: stone, per: player}
setup: move every stone to pile
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    otherwise: finished_
    decreases: size of pile
  finished_: {do: end game}
actions:
  take:
    choose: {lot: stones from pile}
    where: size of lot >= least
    do: move lot to my hand
result:
  score: size of hand if label is plain else hand[me][red]
"""

EXPECT = "expect:\n  - {id: terminates, expect: %s, because: told}\n"


def _file(folder: Path, text: str) -> Path:
    path = folder / "pile.gem.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_falling_pile_is_proved_to_end(tmp_path: Path) -> None:
    (report,) = validate(_file(tmp_path, PILE)).files
    verdict = next(each for each in report.verdicts if not each.options)
    assert (verdict.termination, verdict.deadlock_free, verdict.moves) == ("proved", "proved", 9)
    assert verdict.argument == ("pile",)


def test_a_pile_that_need_not_fall_is_not_proved(tmp_path: Path) -> None:
    (report,) = validate(_file(tmp_path, PILE)).files
    verdict = next(each for each in report.verdicts if each.options == {"least": 0})
    assert (verdict.termination, verdict.residual, verdict.tried) == ("unknown", ("take",), True)


def test_a_pile_that_need_not_fall_is_refuted_by_a_play(tmp_path: Path) -> None:
    text = PILE.replace("values: [1, 0]", "values: [0, 1]")
    (report,) = validate(_file(tmp_path, text)).files
    verdict = next(each for each in report.verdicts if not each.options)
    assert verdict.termination == "refuted" and verdict.certificate is None
    assert verdict.trace is not None
    made = [line for line in verdict.trace["lines"] if "move" in line]
    assert len(made) == verdict.trace["loop"] + len(verdict.circle)
    assert [each[:8] for each in verdict.circle] == ["P1: take", "P2: take"]


def test_replay_reads_the_trace_of_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _file(tmp_path, PILE.replace("values: [1, 0]", "values: [0, 1]"))
    assert main(["validate", str(path), "--players", "2", "--format", "json"]) == 1
    verdict = json.loads(capsys.readouterr().out)["files"][0]["verdicts"][0]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(verdict["trace"]), "utf-8")
    assert main(["replay", str(trace)]) == 0
    assert "2 decisions replayed, no difference" in capsys.readouterr().out


def test_nothing_is_proved_unless_asked_for(tmp_path: Path) -> None:
    (report,) = validate(_file(tmp_path, PILE), proofs=False).files
    assert {each.termination for each in report.verdicts} == {"unknown"}


@pytest.mark.parametrize(
    ("least", "expect", "fits"),
    [
        (1, "proved", True),
        (1, "refuted", False),
        (1, "unknown", False),
        (0, "proved", False),
        (0, "unknown", False),
        (0, "refuted", True),
    ],
)
def test_expectations_are_held_both_ways(
    tmp_path: Path, least: int, expect: str, fits: bool
) -> None:
    text = PILE.replace("values: [1, 0]", f"values: [{least}, {1 - least}]") + EXPECT % expect
    (report,) = validate(_file(tmp_path, text)).files
    codes = [finding.diagnostic.code for finding in report.findings]
    assert codes == ([] if fits else ["T013"])
    assert report.verdicts and report.verdicts[0].expected == expect
    if not fits:
        assert report.findings[0].diagnostic.span.line == text.count("\n")


@pytest.mark.parametrize(("stuck", "wrong"), [(False, {"refuted"}), (True, {"proved", "refuted"})])
def test_it_can_be_expected_that_there_is_always_a_move(
    tmp_path: Path, stuck: bool, wrong: set[str]
) -> None:
    text = PILE.replace("    otherwise: finished_\n", "") if stuck else PILE
    for expect in ("proved", "refuted"):
        listed = EXPECT.replace("terminates", "always_a_move") % expect
        (report,) = validate(_file(tmp_path, text + listed)).files
        told = {finding.diagnostic.code for finding in report.findings}
        assert ("T013" in told) == (expect in wrong)


def test_options_that_change_nothing_in_play_share_a_fingerprint(tmp_path: Path) -> None:
    rules = open_ruleset(str(_file(tmp_path, PILE)), Reporter())
    assert rules is not None
    sets = ({}, {"label": "fancy"}, {"least": 0})
    models = [rules.instantiate(2, options, Reporter()) for options in sets]
    plain, fancy, none = (fingerprint(model) for model in models if model is not None)
    assert plain == fancy != none


def test_verdicts_do_not_depend_on_what_was_asked_before(tmp_path: Path) -> None:
    rules = open_ruleset(str(_file(tmp_path, PILE)), Reporter())
    assert rules is not None
    model = rules.instantiate(2, {}, Reporter())
    assert model is not None
    assert Analyst("pile").analyse(model, True) == Analyst("pile").analyse(model, True)


def test_check_cert_reads_what_validate_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _file(tmp_path, PILE)
    assert main(["validate", str(path), "--format", "json"]) == 0
    printed = capsys.readouterr().out
    report = tmp_path / "report.json"
    report.write_text(printed, "utf-8")
    assert main(["check-cert", str(report)]) == 0
    assert "2 players: every play ends, after at most 9 moves" in capsys.readouterr().out
    data = json.loads(printed)
    certificate = data["files"][0]["verdicts"][0]["certificate"]
    single = tmp_path / "single.json"
    single.write_text(json.dumps(certificate), "utf-8")
    assert main(["check-cert", str(single)]) == 0
    certificate["moves"] -= 1
    single.write_text(json.dumps(certificate), "utf-8")
    capsys.readouterr()
    assert main(["check-cert", str(single)]) == 1
    assert "refused: the proof bounds the moves by 9" in capsys.readouterr().out


@pytest.mark.parametrize(("text", "code"), [("{", 3), ("[]", 1), ('{"files": []}', 1)])
def test_check_cert_on_other_files(tmp_path: Path, text: str, code: int) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, "utf-8")
    assert main(["check-cert", str(path)]) == code
    assert main(["check-cert", str(tmp_path / "none.json")]) == 3


STORE = """\
language: 1
game: store
players: 2..3
kinds:
  stone: {members: [red, blue], count: 9}
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
  spent: {holds: stone}
state:
  made: {range: 0..18}
  idle: 0..3
setup: move every stone to bank
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    otherwise: over
    decreases: size of bank
  over: {do: end game}
actions:
  take:
    choose: {s: stone from bank}
    do: |
      move s to my hand
      made += 1
      idle += 1
result:
  score: size of hand
"""


def test_pieces_that_stay_and_what_sentences_need(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "store.gem.yaml"
    path.write_text(STORE, "utf-8")
    assert main(["validate", str(path), "--players", "2", "--format", "json"]) == 1
    (verdict,) = json.loads(capsys.readouterr().out)["files"][0]["verdicts"]
    assert verdict["conserved"] == ["bank + hand of all players = 18"]
    # As many are made as were taken; nothing keeps `idle` from passing 3.
    line = STORE.splitlines().index("      idle += 1") + 1
    assert [(each["line"], each["text"]) for each in verdict["open_needs"]] == [(line, "idle <= 3")]
    assert verdict["needs"] > 1
    assert main(["validate", str(path), "--players", "2"]) == 1
    text = capsys.readouterr().out
    assert "players 2: conserved: bank + hand of all players = 18" in text
    assert f"not proved of what sentences need: idle <= 3 (line {line})" in text


def test_a_sentence_that_can_always_be_done_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "store.gem.yaml"
    path.write_text(STORE.replace("      idle += 1\n", "").replace("  idle: 0..3\n", ""), "utf-8")
    (report,) = validate(path, players=3).files
    (verdict,) = report.verdicts
    assert verdict.needs and not verdict.open_needs
    assert "every number stays in its range" in as_text(ValidationReport((report,)))
