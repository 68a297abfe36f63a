"""Places of one kind of number: named by it, told apart by it, and known from the setup."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.game import Game, load
from gemwright.interpreter.information.knowledge import known
from gemwright.interpreter.moves import Move, move_from_json
from gemwright.interpreter.scenario.files import run_scenarios

RULES = Path(__file__).parent / "data" / "tiers.gem.yaml"


@pytest.fixture(scope="module")
def tiers() -> Game:
    return load(RULES, 2)


def passes(folder: Path, scenario: str) -> str:
    """What is wrong with a scenario; '' if it passes."""
    for name in ("tiers.gem.yaml", "tiers.csv"):
        (folder / name).write_text((RULES.parent / name).read_text("utf-8"), "utf-8")
    path = folder / "tiers.test.yaml"
    indented = scenario.strip("\n").replace("\n", "\n    ")
    path.write_text(f"language: 1\nruleset: tiers\nscenarios:\n  - {indented}\n", "utf-8")
    result = run_scenarios(path)
    problems = [*result.problems, *(found for one in result.results for found in one.problems)]
    return "\n".join(each.message for each in problems)


ROWS = """
name: a
given:
  phase: turns
  roles: {mover: P1}
  zones:
    row: {'1': [oak, ash], '2': [fir, empty]}
    stock: {'1': rest, '2': rest}
    kept: {P1: [yew]}
"""


def test_a_piece_is_named_without_the_one_zone_where_it_lies(tmp_path: Path) -> None:
    more = """
play:
  - expect:
      legal_some: [{take: {t: oak}}, {take: {t: fir}}, {look: {pile: 1}}]
      illegal: [{move: {take: {t: yew}}, because: is from my kept}, {move: {take: {t: elm}}}]
  - P1: {take: {t: fir}}
  - P2: {take: {t: ash}}
expect: {zones: {kept: {P1: {fir: 1, yew: 1}, P2: [ash]}}}
"""
    assert passes(tmp_path, ROWS + more.strip("\n")) == ""


def test_equal_pieces_in_two_zones_need_theirs(tiers: Game) -> None:
    state = tiers.start(0)
    data: dict[str, object] = {"action": "drop", "s": "red"}
    found = move_from_json(tiers.model, 0, data, state.lies)
    assert isinstance(found, str) and "purse[P1], purse[P2]" in found
    named = move_from_json(
        tiers.model, 0, {"action": "drop", "s": {"from": "purse[P2]", "piece": "red"}}
    )
    assert isinstance(named, Move) and state.pending[0].check(named) is None


def test_the_rest_goes_back_to_where_it_lay(tmp_path: Path) -> None:
    more = """
expect:
  zones: {stock: {'1': {elm: 1}, '2': {box_tree: 1}}}
"""
    assert passes(tmp_path, ROWS + more.strip("\n")) == ""


def test_a_number_names_a_member_in_tables_and_moves(tiers: Game) -> None:
    faces = {each.name: each for each in tiers.model.faces}
    assert faces["tier_2"].is_called("2") and faces["tier_2"].is_called("tier_2")
    assert not faces["tier_2"].is_called("1") and not faces["oak"].is_called("2")
    state = tiers.start(0)
    stocks = {"stock[1]": {"oak", "ash", "elm"}, "stock[2]": {"fir", "yew", "box_tree"}}
    labels = tiers.machine.layout.instance_label
    for label, names in stocks.items():
        pieces = tiers.machine.places.pieces(labels.index(label), state.block)
        assert len(pieces) == 1 and tiers.model.faces[pieces[0]].name in names
    move = move_from_json(tiers.model, 0, {"action": "look", "pile": 2})
    assert move == Move("look", (faces["tier_2"].id,))


@pytest.mark.parametrize(("target", "is_known"), [("shown", True), ("hidden", False)])
def test_a_draw_that_all_see_leaves_the_setup_known(
    tmp_path: Path, target: str, is_known: bool
) -> None:
    rules = RULES.read_text("utf-8").replace("from box to shown", f"from box to {target}")
    (tmp_path / "tiers.csv").write_text((RULES.parent / "tiers.csv").read_text("utf-8"), "utf-8")
    (tmp_path / "tiers.gem.yaml").write_text(rules, "utf-8")
    game = load(tmp_path / "tiers.gem.yaml", 2)
    state = game.start(4)
    labels = game.machine.layout.instance_label
    for label in ("stock[1]", "stock[2]"):
        lies = game.machine.places.pieces(labels.index(label), state.block)
        found = known(state, 0, labels.index(label))
        assert [face for face, count in found.items() if count] == (lies if is_known else [])
