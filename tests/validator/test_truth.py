"""What is proved of tiny games is true of all of their plays, and so is every step of these plays
in the abstract systems.

Each file was chosen because something that proofs once took for granted does not hold in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from tests.exhaustive import Truth
from tests.truth import compare, tiny

FILES: Final = Path(__file__).parents[1] / "data" / "truth"

TRUE: Final = {
    "always_missing": "R001R002",
    "clockwise": "endless",
    "cost_without_pieces": "endless",
    "either_decides": "stuck",
    "frozen_sum": "endless",
    "high_index": "endless",
    "missing_member": "R002",
    "no_opponent": "stuck",
    "no_pieces": "endless",
    "no_place": "R001",
    "nobody_left": "R006",
    "nothing_shuffled": "endless",
    "nothing_to_draw": "R002",
    "own_stack": "",
    "pick_is_gone": "R002",
    "sealed_bounds": "",
    "shuffled_top": "endless",
    "sum_of_a_pick": "endless",
    "top_is_no_choice": "stuck",
    "two_lots": "stuck",
    "two_pieces": "stuck",
    "unknown_hand": "endless",
}
"""What really comes of each: '' if every play ends well."""


@pytest.mark.parametrize("name", sorted(TRUE))
def test_no_proof_contradicts_all_plays(name: str) -> None:
    rules = open_ruleset(str(FILES / f"{name}.gem.yaml"), Reporter())
    assert rules is not None
    model = rules.instantiate(rules.players[0], {}, Reporter())
    assert model is not None
    found = compare(model)
    assert found.wrong == ()
    assert _comes_of(found.truth) == TRUE[name]


def _comes_of(truth: Truth) -> str:
    assert truth.whole
    if truth.endless:
        return "endless"
    codes = sorted({each.code for each in truth.problems})
    return "stuck" if truth.stuck else "".join(codes)


def test_every_file_is_looked_at() -> None:
    assert sorted(path.name.removesuffix(".gem.yaml") for path in FILES.iterdir()) == sorted(TRUE)


SMALL: Final = (5, 9, 10, 12, 28, 29, 39, 44, 50, 51)
"""Numbers of games that cost little."""


@pytest.mark.parametrize("number", SMALL)
def test_no_proof_contradicts_all_plays_of_a_game_made_at_random(
    number: int, tmp_path: Path
) -> None:
    model = tiny(number, tmp_path)
    assert model is not None
    assert compare(model).wrong == ()
