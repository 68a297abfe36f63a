"""Scenario files are read strictly, run on real rules, and say exactly what does not hold."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

import pytest

from gemwright.interpreter.cli.main import main
from gemwright.interpreter.game import load
from gemwright.interpreter.scenario.clauses import coverage
from gemwright.interpreter.scenario.files import FileResult, run_scenarios

DATA = Path(__file__).parent / "data"
HEAD = "language: 1\nruleset: shelf.gem.yaml\nscenarios:\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("shelf.gem.yaml", "shelf_clauses.csv"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    return tmp_path


def run(folder: Path, scenario: str) -> FileResult:
    path = folder / "t.test.yaml"
    body = indent(scenario.strip("\n"), "    ").replace("    ", "  - ", 1)
    path.write_text(HEAD + body + "\n", encoding="utf-8")
    return run_scenarios(path)


def codes(result: FileResult) -> list[str]:
    found = list(result.problems) + [each for one in result.results for each in one.problems]
    return [each.code for each in found]


def messages(result: FileResult) -> str:
    found = list(result.problems) + [each for one in result.results for each in one.problems]
    return "\n".join(f"{each.message} | {each.help}" for each in found)


def test_the_sample_passes() -> None:
    result = run_scenarios(DATA / "shelf.test.yaml")
    assert result.passed, messages(result)
    assert [len(each.exercised) for each in result.results] == [3, 2, 1, 2]


# -- reading

BAD_SHAPES = [
    ("name: a\nplays: []", "did you mean `play`?"),
    ("name: a\nplay: [{P1: pass, P2: pass}]", "an item of `play`"),
    ("name: a\nexpect: {turns: P1}", "did you mean `turn`?"),
    ("name: a\ngiven: {zone: {}}", "did you mean `zones`?"),
    ("name: a\nchance: [{shuffel: {deck: [one]}}]", "did you mean `shuffle`?"),
    ("name: a\nplay: [{random: many}]", "`random` is a number of moves"),
    ("name: a\nplayers: two", "`players` is a whole number"),
    ("clauses: [T-1]", "needs a `name`"),
    ("name: a\nplay:\n  - next_game: 3", "`next_game`"),
]


@pytest.mark.parametrize(("scenario", "text"), BAD_SHAPES)
def test_a_wrong_shape_is_refused(folder: Path, scenario: str, text: str) -> None:
    result = run(folder, scenario)
    assert set(codes(result)) == {"X001"}
    assert text in messages(result)
    assert all(each.span.line >= 4 for each in result.problems)


def test_two_scenarios_of_one_name_are_refused(folder: Path) -> None:
    result = run(folder, "name: a\n").problems
    assert not result
    path = folder / "t.test.yaml"
    path.write_text(HEAD + "  - name: a\n  - name: a\n", encoding="utf-8")
    assert "already a scenario" in messages(run_scenarios(path))


def test_a_newer_language_is_refused(folder: Path) -> None:
    path = folder / "t.test.yaml"
    path.write_text("language: 2\nruleset: shelf\nscenarios: []\n", encoding="utf-8")
    assert "not 2" in messages(run_scenarios(path))


def test_an_unknown_ruleset_is_told(folder: Path) -> None:
    path = folder / "t.test.yaml"
    path.write_text("language: 1\nruleset: nothing_like_it\nscenarios: []\n", encoding="utf-8")
    assert "X002" in codes(run_scenarios(path))


@pytest.mark.parametrize("name", ["/etc/passwd", "C:\\\\x.gem.yaml", "https://x.org/a.gem.yaml"])
def test_a_ruleset_from_anywhere_is_refused(folder: Path, name: str) -> None:
    path = folder / "t.test.yaml"
    path.write_text(f'language: 1\nruleset: "{name}"\nscenarios: []\n', encoding="utf-8")
    result = run_scenarios(path)
    assert codes(result) == ["X002"]
    assert "a ruleset is a name" in messages(result)


def test_rules_are_found_from_a_folder_tests(folder: Path) -> None:
    (folder / "tests").mkdir()
    path = folder / "tests" / "more.test.yaml"
    path.write_text("language: 1\nruleset: shelf\nscenarios: [{name: a}]\n", encoding="utf-8")
    assert run_scenarios(path).passed


# -- what a scenario says that cannot be

BAD_SCENARIOS = [
    ("name: a\nplayers: 9", "X002", "2 to 3 players"),
    ("name: a\noptions: {startr: seat_1}", "X002", "no option"),
    ("name: a\noptions: {rounds: 9}", "X002", "cannot be `9`"),
    ("name: a\nclauses: [T-77]", "X003", "no clause `T-77`"),
    ("name: a\ngiven: {zones: {shelff: {red: 1}}}", "X003", "did you mean `shelf`?"),
    ("name: a\ngiven: {zones: {shelf: {rod: 1}, bag: rest}}", "X003", "did you mean `red`?"),
    ("name: a\ngiven: {phase: turnz}", "X003", "did you mean"),
    (
        "name: a\ngiven: {zones: {purse: {P1: {red: 1}}}}",
        "X004",
        "1 `red` too many: the game has 4",
    ),
    ("name: a\ngiven: {zones: {shelf: {red: 1}}}", "X004", "2 of 4 `red` would be lost"),
    (
        "name: a\ngiven: {zones: {deck: {one: 1, two: 1}, pile: rest}}",
        "X004",
        "write its pieces as a",
    ),
    ("name: a\ngiven: {state: {steps: 99}}", "X005", "0..30"),
    (
        "name: a\ngiven: {phase: turns, roles: {mover: P2}, out: [P2]}",
        "X005",
        "`mover` cannot be P2",
    ),
    ("name: a\nchance: [{player: P3}]", "X003", "no player `P3`"),
    ("name: a\nchance: [{draw: red}]", "X006", "never came"),
    ("name: a\nchance: [{player: P1}, {shuffle: {deck: [one]}}]", "X006", "the next outcome is a"),
    (
        "name: a\nchance: [{shuffle: {deck: [one, one]}}]",
        "X006",
        "not among what is shuffled",
    ),
    (
        "name: a\noptions: {starter: seat_1}\nplay: [{P2: {take: {lot: {red: 1}}}}]",
        "X007",
        "P1 decides",
    ),
    (
        "name: a\noptions: {starter: seat_1}\nplay: [{P1: {take: {lot: {red: 3}}}}]",
        "X007",
        "refused",
    ),
    (
        "name: a\noptions: {starter: seat_1}\nplay: [{P1: {tke: {lot: {red: 3}}}}]",
        "X007",
        "`take`?",
    ),
]


@pytest.mark.parametrize(("scenario", "code", "text"), BAD_SCENARIOS)
def test_what_cannot_be_is_told(folder: Path, scenario: str, code: str, text: str) -> None:
    result = run(folder, scenario)
    assert code in codes(result), messages(result)
    assert text in messages(result)


# -- expectations that do not hold

START = (
    "name: a\noptions: {starter: seat_1}\nchance: [{shuffle: {deck: [one, two, three]}}]\nexpect: "
)

FAILING = [
    ("{turn: P2}", "to decide: P1, not P2"),
    ("{turn: nobody}", "P1 decides"),
    ("{phase: finish}", "not in `finish`"),
    ("{zones: {shelf: {red: 3}}}", "holds 3 red, 3 green, 3 blue, not 3 red"),
    ("{zones: {deck: [three, four, rest]}}", "holds [three,"),
    ("{zones: {hand: {size: 2}}}", "holds 1 one, not 2 pieces"),
    ("{state: {steps: 1}}", "`steps` is 0, not 1"),
    ("{state: {taken: {P1: 1}}}", "`taken[P1]` is 0, not 1"),
    ("{out: [P1]}", "out: nobody, not P1"),
    ("{count: 3}", "moves are legal, not 3"),
    ("{legal: [{take: {lot: {red: 1}}}]}", "legal too:"),
    ("{legal: [{take: {lot: {red: 3}}}]}", "not legal: `take: lot 3 red`"),
    ("{legal_some: [{take: {lot: {red: 3}}}]}", "not legal"),
    ("{illegal: [{move: {take: {lot: {red: 2}}}}]}", "is legal"),
    ("{illegal: [{move: {take: {lot: {red: 3}}}, because: T-3}]}", "refused for another reason"),
    ("{sees: {P2: {hand: {P1: {one: 1}}}}}", "P2 does not see"),
    ("{not_sees: {P1: [hand P1]}}", "P1 sees `hand[P1]`"),
    ("{not_sees: {P1: [steps]}}", "P1 sees `steps`"),
    ("{knows: {P2: {hand: {P1: {one: 1}}}}}", "P2 knows nothing"),
    ("{log_contains: {P2: 'nothing like this'}}", "nothing in the log"),
    ("{log_lacks: {P2: {event: phase}}}", "has this"),
    ("{over: true}", "the game is not over"),
    ("{winners: [P1]}", "the game is not over"),
    ("{points: {P1: 0}}", "no match"),
]


@pytest.mark.parametrize(("expect", "text"), FAILING)
def test_an_expectation_that_fails_says_what_is_so(folder: Path, expect: str, text: str) -> None:
    result = run(folder, START + expect)
    assert codes(result)[:1] == ["X008"], messages(result)
    assert text in messages(result)
    assert not result.passed


HOLDING = [
    "{zones: {deck: [three, rest], hand: {P1: {one: 1}, P2: [two]}, pile: empty}}",
    "{zones: {shelf: {red: 3, rest: any}}, turn: P1, phase: play/turns, over: false, out: []}",
    "{count: 10, legal_some: [{take: {lot: {red: 2}}}, {give: {gift: one, to: P2}}]}",
    "{sees: {P2: {steps: 0, taken: {P1: 0}, shelf: {red: 3, green: 3, blue: 3}}}}",
    "{log_contains: {P1: {event: phase}}, knows: {P1: {hand: {P2: empty}}}}",
]


@pytest.mark.parametrize("expect", HOLDING)
def test_an_expectation_that_holds(folder: Path, expect: str) -> None:
    result = run(folder, START + expect)
    assert result.passed, messages(result)


# -- given states


def test_given_lays_out_pieces_and_enters_the_phase(folder: Path) -> None:
    result = run(
        folder,
        """
name: a
players: 3
given:
  phase: turns
  roles: {mover: P1, round: 2}
  state: {first: P2}
  zones: {purse: {P3: {red: 4}}, shelf: {green: 1}, bag: rest, deck: [six, rest], hand: empty}
  out: [P3]
expect:
  zones: {bag: {green: 3, blue: 4}, shelf: {green: 1}, deck: [six, rest]}
  state: {first: P2, round: 2}
  turn: P1
  out: [P3]
""",
    )
    assert result.passed, messages(result)


def test_loops_go_on_from_the_given_role(folder: Path) -> None:
    result = run(
        folder,
        """
name: a
players: 3
given: {phase: turns, roles: {mover: P3, round: 2}, state: {first: P2}}
play:
  - P3: {take: {lot: {red: 1}}}
  - P1: {take: {lot: {red: 1}}}
expect: {over: true}
""",
    )
    assert result.passed, messages(result)


def test_a_phase_without_a_decision_runs_on(folder: Path) -> None:
    result = run(
        folder,
        """
name: a
given: {phase: finish, zones: {hand: {P1: [one, two], P2: empty}, deck: rest}}
expect: {over: true, winners: [P1], scores: {P1: 2, P2: 0}}
""",
    )
    assert result.passed, messages(result)


# -- what counts


def test_a_clause_that_nothing_exercised_is_a_warning(folder: Path) -> None:
    result = run(folder, "name: a\nclauses: [T-7]\nplay: [{random: 0}]")
    assert codes(result) == ["X010"]
    assert result.passed
    assert result.results[0].exercised == ()


def test_every_clause_of_the_sample_is_covered() -> None:
    game = load(DATA / "shelf.gem.yaml")
    assert game.ruleset is not None
    found = coverage(game.ruleset)
    by_id = {clause.id: clause for clause in found.clauses}
    assert set(found.uncovered) <= {"T-1"}
    assert by_id["T-3"].scenarios == ("taking from the shelf",)
    assert by_id["T-10"].covered and not by_id["T-10"].elements


# -- the command


def test_exit_codes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(folder, "name: a\nexpect: {turn: [P1, P2]}")
    assert main(["test", str(DATA)]) == 0
    assert main(["test", str(folder)]) == 1
    assert main(["test", str(folder / "nothing.test.yaml")]) == 3
    empty = folder / "empty"
    empty.mkdir()
    assert main(["test", str(empty)]) == 2
    capsys.readouterr()


def test_formats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(folder, "name: a <b>\nexpect: {over: true}")
    assert main(["test", str(folder), "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["passed"], data["failed"]) == (0, 1)
    assert data["files"][0]["scenarios"][0]["problems"][0]["code"] == "X008"
    assert main(["test", str(folder), "--format", "junit"]) == 1
    assert "a &lt;b&gt;" in capsys.readouterr().out
    assert main(["test", str(folder)]) == 1
    assert f"{folder}/t.test.yaml:5:" in capsys.readouterr().out


def test_clauses_command(capsys: pytest.CaptureFixture[str]) -> None:
    main(["clauses", str(DATA / "shelf.gem.yaml"), "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert data["ruleset"] == "shelf"
    first = next(clause for clause in data["clauses"] if clause["id"] == "T-3")
    assert first["kind"] == "rule" and first["scenarios"]
    assert first["elements"][0].startswith(str(DATA / "shelf.gem.yaml") + ":")
