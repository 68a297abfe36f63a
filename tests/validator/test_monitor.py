"""The monitor accepts real play of sound systems, and misses what is taken away from them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gemwright.interpreter.cli.main import main
from gemwright.interpreter.game import Game, load
from gemwright.validator.abstraction.ladder import climb, rungs
from gemwright.validator.abstraction.lowering import Lowered, lower
from gemwright.validator.abstraction.transitions import Edge, Transfer
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.linear.affine import ONE, at_most, number, unknown
from gemwright.validator.plays.monitor import Miss, Monitor

LEVELS = (
    Precision(),
    Precision(seats=True),
    Precision(seats=True, laps=True),
    Precision(seats=True, laps=True, members=True),
)


@pytest.mark.parametrize("level", range(len(LEVELS)))
@pytest.mark.parametrize(("name", "players"), [("grand_bazaar", 3), ("thirty_points", 3)])
def test_play_stays_inside(name: str, players: int, level: int) -> None:
    game = load(name, players)
    monitor = Monitor(game, lower(game.model, LEVELS[level]))
    assert all(monitor.play(11, index).problem is None for index in range(2))


@pytest.fixture(scope="module")
def bazaar() -> tuple[Game, Lowered]:
    game = load("grand_bazaar", 2)
    return game, lower(game.model, Precision())


def _with_edges(lowered: Lowered, edges: list[Edge]) -> Lowered:
    return replace(lowered, system=replace(lowered.system, edges=tuple(edges)))


def test_no_edge_can_be_spared(bazaar: tuple[Game, Lowered]) -> None:
    game, lowered = bazaar
    edges = lowered.system.edges
    needed = 0
    for position in range(len(edges)):
        rest = [edge for number_, edge in enumerate(edges) if number_ != position]
        try:
            Monitor(game, _with_edges(lowered, rest)).play(3, 0)
        except Miss:
            needed += 1
    # Two pairs of edges cover for one another in a single short game.
    assert needed >= len(edges) - 4


def test_a_wrong_amount_is_missed(bazaar: tuple[Game, Lowered]) -> None:
    game, lowered = bazaar

    def wrong(edge: Edge) -> Edge:
        effects = tuple(
            replace(effect, amount=effect.amount + ONE) if isinstance(effect, Transfer) else effect
            for effect in edge.effects
        )
        return replace(edge, effects=effects)

    edges = [wrong(edge) if not edge.moves else edge for edge in lowered.system.edges]
    assert edges != list(lowered.system.edges)
    with pytest.raises(Miss, match="no way from"):
        Monitor(game, _with_edges(lowered, edges)).play(3, 0)


def test_a_guard_that_is_too_strong_is_missed(bazaar: tuple[Game, Lowered]) -> None:
    game, lowered = bazaar
    hands = next(n for n, cell in enumerate(lowered.system.cells) if cell.label == "hand")

    def narrowed(edge: Edge) -> Edge:
        return replace(edge, guard=(*edge.guard, at_most(unknown(hands), number(2))))

    edges = [narrowed(e) if e.label == "trade" else e for e in lowered.system.edges]
    with pytest.raises(Miss):
        Monitor(game, _with_edges(lowered, edges)).play(3, 0)


def test_a_broken_rule_is_a_finding_and_no_miss(tmp_path: Path) -> None:
    path = tmp_path / "broken.gem.yaml"
    path.write_text(
        """
language: 1
game: broken
players: 2
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
    actions: [take]
    decreases: size of pile
actions:
  take: {do: move 1 red from pile to my hand}
result:
  score: size of hand
""",
        "utf-8",
    )
    game = load(path, 2)
    for level in LEVELS:
        watched = Monitor(game, lower(game.model, level)).play(0, 0)
        assert watched.moves == 4
        assert watched.problem is not None and watched.problem.code == "R002"


def test_a_condition_that_cannot_be_asked_is_no_fault_of_play(tmp_path: Path) -> None:
    """Before the setup the pile is empty, and what lies on top of it decides the moves."""
    path = tmp_path / "tops.gem.yaml"
    path.write_text(TOPS, "utf-8")
    game = load(path, 2)
    lowered = lower(game.model, Precision())
    assert list(lowered.vocabulary.condition_cells())
    assert Monitor(game, lowered).play(0, 0).moves == 4


TOPS = """
language: 1
game: tops
players: 2
kinds:
  stone: {columns: {worth: 1..3}, rows: [[red, 1], [blue, 3]], count: 2}
zones:
  pile: {holds: stone, order: stack, seen_by: all}
  hand: {holds: stone, per: player}
setup: move every stone to pile, shuffled
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take, leave]
    otherwise: over
    decreases: size of pile
  over: {do: end game}
actions:
  take:
    where: |
      pile is not empty
      (top of pile).worth > 2
    do: move top of pile to my hand
  leave:
    where: |
      pile is not empty
      (top of pile).worth <= 2
    do: move top of pile to box
result:
  score: size of hand
"""


def test_a_large_game_stays_inside_at_every_precision() -> None:
    game = load("diams", 3)
    for lowered in climb(game.model):
        assert Monitor(game, lowered).play(5, 0).problem is None


def test_validate_plays_monitored_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "draining.gem.yaml"
    path.write_text(DRAINING, "utf-8")
    words = ["validate", str(path), "--quick", "--monitor", "1"]
    for more, expected in (
        ((), {2: 4, 3: 4}),
        (("--players", "2"), {2: 4}),
        (("--players", "3", "--option", "most=2"), {3: 2}),
    ):
        assert main([*words, *more]) == 0
        told = re.findall(r": (\d) players: (\d+) monitored moves", capsys.readouterr().err)
        # Each precision plays one game, and so does the proof.
        each = {
            int(players): int(count) / (1 + len(rungs(load(path, int(players)).model)))
            for players, count in told
        }
        assert each == expected


def test_a_number_of_games_is_at_least_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "grand_bazaar", "--quick", "--monitor", "0"]) == 2
    assert "--monitor 0: at least 1" in capsys.readouterr().err


DRAINING = """
language: 1
game: draining
players: 2..3
options:
  most: {values: [4, 2]}
kinds:
  stone: {members: [red], count: 9}
zones:
  pile: {holds: stone}
  hand: {holds: stone, per: player}
setup: move every stone to pile
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    otherwise: over
    decreases: size of pile
  over: {do: end game}
actions:
  take:
    where: size of pile > 9 - most
    do: move 1 red from pile to my hand
result:
  score: size of hand
"""
