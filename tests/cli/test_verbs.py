"""`list`, `explain`, `schema` and `new`."""

import json
from pathlib import Path

import pytest

from gemwright.dsl.codes.registry import CODES
from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.cli import exits

from .conftest import Command

# -- list


def test_list_names_every_bundled_ruleset(command: Command) -> None:
    answer = command("list", "--format", "json")
    assert answer.code == exits.CLEAN
    rulesets = json.loads(answer.out)["rulesets"]
    assert {each["name"] for each in rulesets} == set(bundled())
    for each in rulesets:
        assert 1 <= each["players"]["min"] <= each["players"]["default"] <= each["players"]["max"]
        for option in each["options"]:
            assert option["default"] == option["values"][0]


def test_list_as_text_fits_a_terminal(command: Command) -> None:
    answer = command("list")
    assert answer.code == exits.CLEAN
    for name in bundled():
        assert f"{name}: " in answer.out


# -- explain


def test_explain_shows_a_code_with_examples(command: Command) -> None:
    with_examples = [info for info in CODES.values() if info.bad and info.good]
    assert with_examples
    info = with_examples[0]
    for word in (info.code, info.code.lower(), info.name):
        answer = command("explain", word)
        assert answer.code == exits.CLEAN
        assert info.summary in answer.out
        assert info.bad.splitlines()[0] in answer.out
        assert "Good:" in answer.out


def test_explain_alone_lists_every_code(command: Command) -> None:
    lines = command("explain").out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)


def test_explain_of_an_unknown_code_is_wrong_usage(command: Command) -> None:
    assert command("explain", "Q999").code == exits.USAGE


# -- schema


def test_schema_is_a_json_schema(command: Command) -> None:
    answer = command("schema")
    assert answer.code == exits.CLEAN
    assert "2020-12" in json.loads(answer.out)["$schema"]


# -- new


def test_new_writes_a_variant_that_plays(command: Command) -> None:
    answer = command("new", "small_stall", "--extends", "stall.gem.yaml")
    assert answer.code == exits.CLEAN
    assert answer.out.split() == ["small_stall.gem.yaml", "small_stall.test.yaml"]
    rules = Path("small_stall.gem.yaml").read_text(encoding="utf-8")
    assert rules.startswith("# yaml-language-server: $schema=")
    played = command("simulate", "small_stall.gem.yaml", "--games", "1", "--format", "json")
    assert json.loads(played.out)["ruleset"] == "small_stall"
    assert command("test", "small_stall.test.yaml").code == exits.CLEAN


@pytest.mark.parametrize("there", ["small_stall.gem.yaml", "small_stall.test.yaml"])
def test_new_never_writes_over_a_file(command: Command, there: str) -> None:
    Path(there).write_text("mine", encoding="utf-8")
    answer = command("new", "small_stall", "--extends", "stall.gem.yaml")
    assert answer.code == exits.FAILED
    assert there in answer.err
    assert [path.name for path in Path().glob("small_stall*")] == [there]
    assert Path(there).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["Stall", "../x", "x.y", "", "1st", "stall"])
def test_new_takes_names_only(command: Command, name: str) -> None:
    answer = command("new", name, "--extends", "stall.gem.yaml")
    assert answer.code in (exits.USAGE, exits.FAILED)
    assert len(list(Path().iterdir())) == 2


def test_scenarios_of_a_bundled_ruleset_run_by_its_name(command: Command) -> None:
    answer = command("test", "lantern_market_festival", "--format", "json")
    assert answer.code == exits.CLEAN
    (file,) = json.loads(answer.out)["files"]
    assert file["path"].endswith("lantern_market_festival.test.yaml")
    assert command("test", "lantern_market_fest").code == exits.FAILED
