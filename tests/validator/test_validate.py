"""`validate`: every game of the matrix is made, every finding appears once, exit codes are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.cli.main import main
from gemwright.validator.api import check_ruleset, validate
from gemwright.validator.certificate.checker import check
from gemwright.validator.matrix import MOST_PAIRS, matrix

GOOD = """\
language: 1
game: pebbles
players: 2..3
options:
  first: {values: [seat_1, random]}
  most: {values: [2], range: 1..3}
kinds:
  stone:
    members: [red, blue]
    count: 3
zones:
  heap: {holds: stone}
  purse: {holds: stone, per: player}
state:
  starter: player
setup: |
  move every stone to heap
  if first is random: starter := random player
  else: starter := seat(1)
phases:
  start: turns
  turns:
    each: player clockwise from starter as mover
    by: mover
    actions: [take]
    otherwise: pass
    next: end
actions:
  take:
    choose: {lot: stones from heap}
    where: |
      size of lot >= 1
      size of lot <= most
    do: move lot to my purse
result:
  score: size of purse
  winner:
    - highest size of purse
"""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "pebbles.gem.yaml"
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_verdicts_cover_the_matrix(good: Path) -> None:
    report = validate(good)
    assert report.ok, report.files[0].findings
    verdicts = report.files[0].verdicts
    assert [verdict.players for verdict in verdicts if not verdict.options] == [2, 3]
    two = [dict(verdict.options) for verdict in verdicts if verdict.players == 2]
    single = [{}, {"first": "random"}, {"most": 1}, {"most": 3}]
    pairs = [{"first": "random", "most": 1}, {"first": "random", "most": 3}]
    assert two[: len(single)] == single
    both = [dict(verdict.options) for verdict in verdicts if len(verdict.options) == 2]
    assert sorted(both, key=str) == pairs
    plain = [verdict for verdict in verdicts if not verdict.options]
    assert {verdict.termination for verdict in plain} == {"proved"}
    assert not any(verdict.capped for verdict in verdicts)


def test_pairs_are_sampled_and_said(tmp_path: Path) -> None:
    path = tmp_path / "many.gem.yaml"
    many = "".join(f"  o{n}: {{values: [a, b, c, d]}}\n" for n in range(9))
    path.write_text(GOOD.replace("options:\n", f"options:\n{many}"), encoding="utf-8")
    rules = open_ruleset(str(path), Reporter())
    assert rules is not None
    look = matrix(rules)
    assert look.pairs > MOST_PAIRS == look.pairs_taken
    assert len(look.sets) == 1 + 9 * 3 + 3 + MOST_PAIRS
    assert f"{MOST_PAIRS} of {look.pairs} pairs" in look.note


def test_options_that_do_not_go_together_are_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "needs.gem.yaml"
    text = GOOD.replace("range: 1..3}", "range: 1..3, needs: first is random or most is 2}")
    path.write_text(text, encoding="utf-8")
    report = validate(path)
    assert report.ok, report.files[0].findings
    sets = [dict(verdict.options) for verdict in report.files[0].verdicts]
    assert {"most": 1} not in sets
    assert {"first": "random", "most": 1} in sets


def test_a_finding_of_some_games_appears_once(tmp_path: Path) -> None:
    path = tmp_path / "some.gem.yaml"
    path.write_text(GOOD.replace("count: 3", "count: 3 - players"), encoding="utf-8")
    report = validate(path)
    found = report.files[0].findings
    assert len(found) == len({finding.diagnostic for finding in found})


def test_a_file_that_does_not_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.gem.yaml"
    path.write_text(GOOD.replace("size of lot >= 1", "size of lod >= 1"), encoding="utf-8")
    assert main(["validate", str(path)]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{path}:")
    assert main(["validate", str(path), "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["files"][0]["path"] == str(path)
    assert data["files"][0]["verdicts"] == []
    finding = data["files"][0]["findings"][0]
    assert {"code", "severity", "line", "column", "message", "help"} <= set(finding)


def test_json_of_a_good_file(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(good), "--format", "json"]) == 0
    verdict = json.loads(capsys.readouterr().out)["files"][0]["verdicts"][0]
    assert verdict["players"] == 2 and verdict["options"] == {}
    assert verdict["termination"] == "proved" and verdict["capped"] is False
    assert verdict["expected"] is None
    assert check(verdict["certificate"]) == verdict["moves"]


def test_exit_codes(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["validate", str(tmp_path)]) == 0
    assert main(["validate", str(empty)]) == 2
    assert main(["validate", str(tmp_path / "no.gem.yaml")]) == 3
    assert main(["validate", "no_such_game"]) == 2
    assert main(["validate", str(good), "--players", "2", "--option", "most=3"]) == 0


def test_a_folder_is_searched_with_its_subfolders(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    below = good.parent / "a" / "b"
    below.mkdir(parents=True)
    (below / "other.gem.yaml").write_text(GOOD, encoding="utf-8")
    assert main(["validate", str(good.parent), "--format", "json"]) == 0
    paths = [file["path"] for file in json.loads(capsys.readouterr().out)["files"]]
    assert sorted(paths) == sorted([str(good), str(below / "other.gem.yaml")])


def test_long_reports_are_cut_in_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.gem.yaml"
    lines = "".join(f"      size of lod{n} >= 1\n" for n in range(40))
    path.write_text(GOOD.replace("      size of lot >= 1\n", lines), encoding="utf-8")
    assert main(["validate", str(path)]) == 1
    assert "20 more findings" in capsys.readouterr().out


# -- for the tests of others


def test_check_ruleset_accepts_a_good_file(good: Path) -> None:
    check_ruleset(good, games=3)


def test_check_ruleset_lists_what_is_wrong(good: Path) -> None:
    (good.parent / "pebbles.test.yaml").write_text(
        "language: 1\nruleset: pebbles\nscenarios: [{name: a, expect: {over: true}}]\n",
        encoding="utf-8",
    )
    with pytest.raises(AssertionError, match="the game is not over"):
        check_ruleset(good, games=1)
    good.write_text(GOOD.replace("to my purse", "to my purze"), encoding="utf-8")
    with pytest.raises(AssertionError, match="purze"):
        check_ruleset(good, games=1)


FALLS = """\
language: 1
game: falls
players: 2
options:
  returns: {values: [%s]}
  most: {values: [1], range: 1..5}
kinds:
  stone: {members: [red], count: 3}
zones:
  pile: {holds: stone}
  hand: {holds: stone, per: player}
setup: move every stone to pile
phases:
  start: turns
  turns:
    each: player as active, again and again
    cap: {times: 50, to: over}
    actions: [take, put_back]
    otherwise: over
  over: {do: end game}
actions:
  take:
    choose: {lot: stones from pile}
    where: size of lot >= 1 and size of lot <= most
    do: move lot to my hand
  put_back:
    where: returns and my hand is not empty
    do: move 1 red from my hand to pile
result:
  score: size of hand
"""
NAMED = "expect:\n  - {id: terminates, options: {%s}, expect: %s, because: told}\n"


def _falls(folder: Path, values: str, expect: str = "") -> Path:
    path = folder / "falls.gem.yaml"
    path.write_text(FALLS % values + expect, encoding="utf-8")
    return path


def test_options_asked_for_are_looked_at_like_the_defaults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _falls(tmp_path, "true, false")
    main(["validate", str(path), "--option", "returns=false"])
    told = capsys.readouterr().out
    assert "players 2: every play ends, after at most 3 moves" in told
    assert "(players 2; options as given: returns = false)" in told
    assert "with other options" not in told and "there are no options" not in told


def test_findings_of_options_asked_for_are_told(tmp_path: Path) -> None:
    path = _falls(tmp_path, "false, true")
    (report,) = validate(path, options={"returns": True}).files
    (verdict,) = report.verdicts
    assert verdict.termination == "refuted" and verdict.winners is not None
    assert "T001" in {each.diagnostic.code for each in report.findings}


@pytest.mark.parametrize(
    ("values", "named", "expect", "fits"),
    [
        ("true, false", "returns: false", "proved", True),
        ("true, false", "returns: false", "refuted", False),
        ("true, false", "returns: false, most: 3", "unknown", False),
        ("false, true", "returns: true", "proved", False),
        ("false, true", "returns: true", "refuted", True),
    ],
)
def test_expectations_that_name_options_are_held_both_ways(
    tmp_path: Path, values: str, named: str, expect: str, fits: bool
) -> None:
    (report,) = validate(_falls(tmp_path, values, NAMED % (named, expect))).files
    told = [each for each in report.findings if each.diagnostic.code == "T013"]
    assert [each.diagnostic.severity.value for each in told] == ([] if fits else ["error"])
    assert all("with returns" in each.applies_to for each in told)
    assert ("1 more that `expect` names" in report.sampled) == ("most" in named)


def test_what_is_not_tried_is_not_told_as_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _falls(tmp_path, "true, false")
    main(["validate", str(path), "--quick"])
    told = capsys.readouterr().out
    assert "proofs not tried" in told
    assert "unknown" not in told and "with other options" not in told
    others = [each for each in validate(path).files[0].verdicts if each.options]
    assert others and not any(each.tried or each.exhausted for each in others)
