"""Proofs on small systems: verdicts at the edge of the argument, bounds, and what they rest on."""

from __future__ import annotations

import pytest

from gemwright.validator.abstraction.edge_builder import EdgeBuilder
from gemwright.validator.abstraction.transitions import CellKind, TransitionSystem
from gemwright.validator.linear.affine import ONE, at_least, at_most, number
from gemwright.validator.linear.budget import Budget
from gemwright.validator.proof.invariants import infer
from gemwright.validator.proof.steps import steps_of
from gemwright.validator.proof.wording import sum_text
from gemwright.validator.proving import Proofs, prove
from tests.validator.playing_systems import walk
from tests.validator.systems import (
    Sketch,
    closing_card,
    either_way,
    laps,
    market,
    nothing,
    reshuffling,
)

ENDING = {
    "laps 2": laps(2, 27),
    "laps 5": laps(5, 27),
    "no reshuffle": reshuffling(0),
    "two reshuffles": reshuffling(2),
    "closing card, one at a time": closing_card(1),
    "closing card, two at a time": closing_card(2),
    "either way": either_way(),
    "market of 3, just small enough": market(3, 30, 10),
    "market of 4, just small enough": market(4, 36, 9),
}
ENDLESS = {
    "unlimited reshuffles": reshuffling(None),
    "market of 2": market(2, 25, 10),
    "market of 3, one stone too many": market(3, 31, 10),
    "market of 4, one stone too many": market(4, 37, 9),
    "market with voluntary passes and many stones": market(3, 31, 10, may_pass=True),
}


@pytest.fixture(scope="module")
def proofs() -> dict[str, Proofs]:
    """All of them proved once."""
    return {name: prove(system) for name, system in {**ENDING, **ENDLESS}.items()}


@pytest.mark.parametrize("name", ENDING)
def test_what_ends_is_proved_with_a_bound(proofs: dict[str, Proofs], name: str) -> None:
    found = proofs[name].termination
    assert found.verdict == "proved" and not found.residual
    assert found.moves is not None
    for seed in range(8):
        moves = sum(step.moves for _, step in walk(ENDING[name], seed, 30_000))
        assert moves <= found.moves


@pytest.mark.parametrize("name", ENDLESS)
def test_what_may_go_on_is_not(proofs: dict[str, Proofs], name: str) -> None:
    found = proofs[name].termination
    assert found.verdict == "unknown" and found.certificate is None and not found.exhausted
    assert found.residual


@pytest.mark.parametrize(("name", "moves"), [("laps 2", 26 * 2), ("laps 5", 26 * 5)])
def test_the_bound_of_laps_is_exact(proofs: dict[str, Proofs], name: str, moves: int) -> None:
    assert proofs[name].termination.moves == moves


def test_the_residual_is_taking_and_giving_back(proofs: dict[str, Proofs]) -> None:
    (circle,) = proofs["market of 2"].termination.residual
    edges = ENDLESS["market of 2"].edges
    kinds = {edges[at].label.translate(str.maketrans("", "", "01")) for at in circle}
    assert kinds == {"act to over", "over to done", "done to act"}
    taken = [at for at in circle if edges[at].label == "act0 to over0"]
    assert len(taken) == 1, "neither buying nor passing"


@pytest.mark.parametrize("name", [*ENDING, *ENDLESS])
def test_invariants_hold_in_play(name: str) -> None:
    system = {**ENDING, **ENDLESS}[name]
    known = infer(system, steps_of(system), Budget(100_000))
    visited = 0
    for seed in range(20):
        for (point, cells), _ in walk(system, seed, 300):
            visited += 1
            for constraint in known[point]:
                assert constraint.holds(cells.__getitem__), (system.points[point].label, constraint)
    assert visited > 50


def test_the_argument_in_words(proofs: dict[str, Proofs]) -> None:
    lines = [(level.text, level.most) for level in proofs["laps 2"].termination.levels]
    assert lines == [("deck", 26), ("-seat", 52)]


def test_what_is_conserved(proofs: dict[str, Proofs]) -> None:
    system = ENDING["market of 3, just small enough"]
    found = proofs["market of 3, just small enough"].conserved
    told = [f"{sum_text(each.sum, system.cells)} = {each.value}" for each in found]
    assert told == ["bank + hand of all = 30", "deck + row + bought = 40"]


def test_what_is_copied_is_not_conserved() -> None:
    sketch = Sketch("start", "turn")
    shelf = sketch.cell(CellKind.ZONE, 0, 9, 3, "shelf")
    hand = sketch.cell(CellKind.ZONE, 0, 9, 0, "hand")
    sketch.edge("start", "turn", nothing)
    sketch.edge("turn", "turn", lambda edge: edge.move(shelf, hand, ONE), moves=1)
    (kept,) = prove(sketch.system()).conserved
    assert kept.value == 3
    sketch.edge("turn", "turn", lambda edge: edge.add(shelf, ONE), moves=1)
    assert not prove(sketch.system()).conserved


def dwindling(least: int) -> TransitionSystem:
    """A counter falls by one or two a turn as long as it is at least `least`."""
    sketch = Sketch("start", "turn")
    counter = sketch.cell(CellKind.COUNTER, 0, 9, 9, "counter")

    def turn(edge: EdgeBuilder) -> None:
        fall = edge.parameter(1, 2, "fall")
        edge.assume(at_least(edge.value(counter), number(least)))
        edge.require(at_least(edge.value(counter) - fall, number(0)), "R001", "range", None)
        edge.add(counter, -fall)

    sketch.edge("start", "turn", nothing)
    sketch.edge("turn", "turn", turn, moves=1)
    return sketch.system()


def test_obligations_are_asked_without_what_they_give() -> None:
    assert not prove(dwindling(2)).doubts
    (doubt,) = prove(dwindling(1)).doubts
    assert doubt.obligation.code == "R001"


def test_unreachable_points_and_dead_edges() -> None:
    sketch = Sketch("start", "turn", "never", "END")
    counter = sketch.cell(CellKind.COUNTER, 0, 9, 3, "counter")
    sketch.edge("start", "turn", nothing)
    sketch.edge("turn", "END", lambda e: e.assume(at_most(e.value(counter), number(3))))
    sketch.edge("turn", "never", lambda e: e.assume(at_least(e.value(counter), number(4))))
    sketch.edge("never", "never", nothing)
    found = prove(sketch.system())
    assert (found.unreached, found.dead) == ((2,), (2, 3))
    assert found.termination.verdict == "proved"


def test_a_small_budget_leaves_everything_open() -> None:
    found = prove(market(3, 30, 10), Budget(50))
    assert found.termination.verdict == "unknown" and found.termination.exhausted


def test_proofs_are_the_same_twice() -> None:
    first, second = prove(market(3, 30, 10)), prove(market(3, 30, 10))
    assert first == second


def test_weights_are_found_when_no_cell_will_do() -> None:
    """Two stones of one zone become one of another, three of which become one of the first."""
    sketch = Sketch("start", "turn")
    left = sketch.cell(CellKind.ZONE, 0, None, 10, "left")
    right = sketch.cell(CellKind.ZONE, 0, None, 10, "right")
    sketch.edge("start", "turn", nothing)
    for source, target, price in ((left, right, 2), (right, left, 3)):
        sketch.edge(
            "turn",
            "turn",
            lambda e, s=source, t=target, p=price: (e.add(s, number(-p)), e.add(t, ONE))[0],
            moves=1,
        )
    found = prove(sketch.system()).termination
    assert found.verdict == "proved"
    assert any("left" in level.text and "right" in level.text for level in found.levels)
