"""Names on the table: what a name tells is not told again, numbers may have names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .conftest import Command

TIERS = Path(__file__).parents[1] / "scenario" / "data"

CASES = [
    ("", "row of 1", "oak [tier 1, worth 1]"),
    ("faces: {tier_1: tier one}\n", "row of tier one", "oak [tier tier one, worth 1]"),
    ("columns: {tier: ''}\n", "row of 1", "elm; oak; row"),
    ('kinds: {tree: {called: "{name} of {worth}"}}\n', "row of 1", "oak of 1 [tier 1]"),
]


@pytest.mark.parametrize(("labels", "row", "card"), CASES)
def test_names_and_what_is_printed(command: Command, labels: str, row: str, card: str) -> None:
    table = table_of(command, labels)
    assert f"{row} " in table
    assert card in table


def test_a_name_may_tell_all_there_is(command: Command) -> None:
    called = 'called: {no worth: "{name}", other: "{name} of {worth}"}'
    table = table_of(command, f"columns: {{tier: ''}}\nkinds: {{tree: {{{called}}}}}\n")
    assert "oak of 1" in table
    assert "[" not in table.partition("you may")[0]


def table_of(command: Command, labels: str) -> str:
    for name in ("tiers.gem.yaml", "tiers.csv"):
        shutil.copy(TIERS / name, name)
    Path("tiers.en.yaml").write_text(f"title: Tiers\n{labels}", encoding="utf-8")
    shown = command("play", "tiers.gem.yaml", "--plain", "--seed", "1", "--seats", "human,random")
    return "; ".join(line.strip() for line in shown.out.splitlines())
