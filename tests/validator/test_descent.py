"""Games go down as certificates say, and wrong certificates are noticed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.game import Game, load
from gemwright.validator.abstraction.lowering import Lowered, lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.analysing import proof_that_it_ends
from gemwright.validator.plays.descent import Descent, Rise, Seen
from gemwright.validator.plays.monitor import Miss, Monitor
from gemwright.validator.plays.symmetry import one_of_each

Json = dict[str, Any]


@pytest.fixture(scope="module")
def bazaar() -> tuple[Game, Lowered, Json]:
    game = load("grand_bazaar", 2)
    proof = proof_that_it_ends(game.model)
    assert proof is not None
    return game, *proof


def _stages(certificate: Json) -> list[Json]:
    """The groups of a proof that have a stage, the outermost first."""
    found: list[Json] = []
    todo = [certificate["proof"]]
    while todo:
        for group in todo.pop(0):
            if group["stage"] is not None:
                found.append(group)
                todo.append(group["stage"]["then"])
    return found


def test_play_goes_down(bazaar: tuple[Game, Lowered, Json]) -> None:
    game, lowered, certificate = bazaar
    monitor = Monitor(game, lowered, certificate)
    assert monitor.play(3, 0).moves == monitor.play_compiled(CompiledGame(game), 3, 0).moves == 52


def _nothing(group: Json) -> None:
    group["stage"] = None


def _upwards(group: Json) -> None:
    constant, *terms = group["stage"]["measure"]
    group["stage"]["measure"] = [-constant, *([name, -factor] for name, factor in terms)]


def _bottomless(group: Json) -> None:
    group["stage"]["low"] += 100


@pytest.mark.parametrize("spoil", [_nothing, _upwards, _bottomless])
def test_a_wrong_certificate_is_noticed(
    bazaar: tuple[Game, Lowered, Json], spoil: Callable[[Json], None]
) -> None:
    game, lowered, certificate = bazaar
    wrong = copy.deepcopy(certificate)
    spoil(_stages(wrong)[0])
    with pytest.raises(Miss, match="against the certificate"):
        Monitor(game, lowered, wrong).play(3, 0)


def test_the_certificate_must_be_of_that_system(bazaar: tuple[Game, Lowered, Json]) -> None:
    game, lowered, certificate = bazaar
    with pytest.raises(ValueError, match="another system"):
        Monitor(game, lowered, {**certificate, "digest": "0" * 64})


LEFT: Json = {"points": [0, 1], "stage": None}
END: list[Json] = [{"points": [0], "stage": None}, {"points": [1], "stage": None}]


@pytest.mark.parametrize(
    ("stage", "good", "bad"),
    [
        # A measure with offsets: between the points it falls by one.
        (
            {"kind": "measure", "measure": [0, [0, 1]], "offsets": {"0": 1}, "low": 0, "then": END},
            [(0, 2), (1, 2), (0, 0), (1, 0)],
            [(0, 2), (1, 2), (0, 2)],
        ),
        # A fact holds as soon as its point is left; else the proof says nothing.
        (
            {
                "kind": "facts",
                "facts": [{"point": 1, "constraint": [">=", [-3, [0, 1]]]}],
                "then": END,
            },
            [(0, 2), (0, 2), (1, 2)],
            [(0, 2), (1, 2), (0, 2)],
        ),
        (
            {
                "kind": "split",
                "quantity": [0, [0, 1]],
                "most": 1,
                "low": {"then": END},
                "high": {"then": [LEFT]},
            },
            [(0, 1), (1, 1)],
            [(0, 2), (1, 2)],
        ),
        # The point that is taken out may come again and again, the other one may not.
        (
            {"kind": "contraction", "points": [1], "then": [{"points": [0], "stage": None}]},
            [(1, 0), (0, 0), (1, 0)],
            [(0, 0), (1, 0), (0, 0)],
        ),
    ],
)
def test_stages(stage: Json, good: list[tuple[int, int]], bad: list[tuple[int, int]]) -> None:
    descent = Descent({"proof": [{"points": [0, 1], "stage": stage}]})
    descent.follow([Seen(point, (value,)) for point, value in good])
    with pytest.raises(Rise):
        descent.follow([Seen(point, (value,)) for point, value in bad])


def test_games_of_which_others_stand_for_them_are_renamed() -> None:
    """Who begins is drawn, and the system has only games that the first seat begins."""
    game = load("lantern_market", 3)
    whole = lower(game.model, Precision(seats=True, laps=True))
    lowered = one_of_each(whole)
    assert lowered.turned and len(lowered.system.edges) < len(whole.system.edges)
    monitor, fast = Monitor(game, lowered), CompiledGame(game)
    assert all(monitor.play_compiled(fast, 1, index, 1).moves for index in range(6))
    strict = Monitor(game, replace(lowered, turned=()))
    with pytest.raises(Miss):
        for index in range(6):
            strict.play_compiled(fast, 1, index, 1)
