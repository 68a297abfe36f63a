"""Lots under bounds and limits on their size: counted without going through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.compiled.flat.text import function_lines
from gemwright.interpreter.compiled.flat.verify import verify
from gemwright.interpreter.game import load
from gemwright.interpreter.state import State

from .agreement import COMPILED, Engines
from .legal import walk

LOTS = Path(__file__).parent / "data" / "lots_of_lots.gem.yaml"

AT_ONCE = (
    "exactly", "between", "no_more", "nearly_all", "wanted", "from_behind", "twice", "many",
    "one_red", "pay",
)  # fmt: skip
"""Actions whose lots are counted by polynomials, at least where they are small."""


@pytest.fixture(scope="module")
def lots() -> Engines:
    return Engines(load(LOTS))


@pytest.fixture(scope="module")
def states(lots: Engines) -> list[State]:
    """Decisions of some games: with full and with empty hands."""
    return [state for seed in range(4) for state in walk(lots.game, seed, 12)]


@pytest.mark.parametrize("engine", COMPILED)
def test_every_lot_is_found_in_the_order_of_the_reference(
    lots: Engines, states: list[State], engine: str
) -> None:
    found, seen = lots.compiled[engine], set()
    for state in states:
        data, decision = state.to_bytes(), state.pending[0]
        count = decision.count()
        assert found.count(data) == count
        numbers = sorted({*range(0, count, max(1, count // 25)), count - 1})
        moves = [decision.nth(number) for number in numbers]
        assert [found.move(data, number) for number in numbers] == moves
        seen |= {move.action for move in moves}
    assert seen == set(AT_ONCE)


def test_every_engine_plays_lots_of_lots(lots: Engines) -> None:
    assert verify(lots.program) == []
    lots.with_reference(6, 1)


def test_lots_are_counted_by_multiplication(lots: Engines) -> None:
    functions = {each.name: function_lines(each) for each in lots.program.functions}
    for action in AT_ONCE:
        assert any("powers_" in line for line in functions[f"pick_{action}"]), action
    # What can be neither too many for the lanes nor crosses a bound needs no other way.
    assert not any("ways_" in line for line in functions["pick_twice"])
    assert any("ways_" in line for line in functions["pick_many"])


def test_a_price_is_compared_with_a_purse_as_one_number(lots: Engines) -> None:
    (body,) = [each.body for each in lots.program.functions if each.name == "count_pay"]
    assert "bytes_" in str(body)
