"""`new`: what it writes loads, plays and is laid out well, and so does each of its hints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.bundled import bundled_rulesets

from .conftest import Command

BASES = (*bundled_rulesets(), "stall.gem.yaml")


def hints(rules: str) -> list[list[str]]:
    """The lines of each hint of a new variant, without their comment signs."""
    _, *parts = rules.split("\n#\n")
    return [
        [line.removeprefix("#").removeprefix(" ") for line in part.split("\n\n")[0].splitlines()]
        for part in parts
    ]


def single_changes(hint: list[str]) -> list[list[str]]:
    """A hint as a whole, or each of its options by itself."""
    if hint[0] != "options:":
        return [hint]
    return [[hint[0], line] for line in hint[1:]]


@pytest.mark.parametrize("base", BASES)
def test_a_new_variant_loads_plays_and_has_a_scenario(command: Command, base: str) -> None:
    assert command("new", "mine", "--extends", base).code == exits.CLEAN
    for words in (
        ("test", "mine.test.yaml"),
        ("simulate", "mine.gem.yaml", "--games", "2", "--engine", "reference"),
        ("fmt", "--check", "mine.gem.yaml"),
        ("diff", "mine.gem.yaml"),
    ):
        answer = command(*words)
        assert answer.code == exits.CLEAN, answer
    assert "nothing changes for a player" in answer.out
    lines = Path("mine.gem.yaml").read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("base", BASES)
def test_every_hint_loads_as_it_stands(command: Command, base: str) -> None:
    command("new", "mine", "--extends", base)
    path = Path("mine.gem.yaml")
    rules = path.read_text(encoding="utf-8")
    found = hints(rules)
    assert [hint[0].split(":")[0] for hint in found][:1] == ["players"]
    assert "actions:" in [hint[0] for hint in found]
    for hint in found:
        for change in single_changes(hint):
            path.write_text(rules + "\n".join(change) + "\n", encoding="utf-8")
            played = command("simulate", "mine.gem.yaml", "--games", "1", "--engine", "reference")
            assert played.code == exits.CLEAN, (change, played.err)


def test_a_hint_for_an_option_is_another_default(command: Command) -> None:
    command("new", "mine", "--extends", "stall.gem.yaml")
    path = Path("mine.gem.yaml")
    rules = path.read_text(encoding="utf-8")
    (options,) = (hint for hint in hints(rules) if hint[0] == "options:")
    path.write_text(rules + "\n".join(options) + "\n", encoding="utf-8")
    played = command("simulate", "mine.gem.yaml", "--games", "1", "--format", "json")
    assert json.loads(played.out)["options"]["rounds"] == 4
    assert "`rounds` is 4 unless" in command("diff", "mine.gem.yaml").out
