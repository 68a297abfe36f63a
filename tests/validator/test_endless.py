"""Plays that never end: found by playing, shortened, and replayed by a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.interpreter.game import Game
from gemwright.validator.abstraction.lowering import lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.linear.budget import Budget
from gemwright.validator.plays.endless import closes, endless_play
from gemwright.validator.plays.lasso import find_lasso
from gemwright.validator.proving import prove

SWAPPING = """\
language: 1
game: swapping
players: 2..3
kinds:
  stone: {members: [red, blue], count: 6}
zones:
  bank: {holds: stone}
  hand: {holds: stone, per: player}
  spent: {holds: stone}
setup: move every stone to bank
phases:
  start: round
  round:
    each: player as active
    cap: {times: 50, to: end}
    start: act
    next: |
      to end when size of spent >= 10
      to round
    phases:
      act: {by: active, actions: [take, burn], otherwise: pass, next: over}
      over:
        if: size of hand[active] > 4
        by: active
        actions: [give_back]
actions:
  take:
    choose: {lot: stones from bank}
    where: size of lot >= 1 and size of lot <= 2
    do: move lot to my hand
  burn:
    choose: {s: stone from my hand}
    where: size of my hand >= 3
    do: move s to spent
  give_back:
    choose: {lot: stones from my hand}
    where: size of lot = size of my hand - 4
    do: move lot to bank
result:
  score: size of hand
  winner: [highest size of hand]
  ties: shared
"""


def game_of(folder: Path, players: int) -> Game:
    """The game, from a file in a folder."""
    path = folder / "swapping.gem.yaml"
    path.write_text(SWAPPING, encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    assert rules is not None, [each.message for each in reporter.diagnostics]
    model = rules.instantiate(players, {}, reporter)
    assert model is not None, [each.message for each in reporter.diagnostics]
    return Game(model, rules)


def test_a_circle_of_real_moves_is_found_and_told(tmp_path: Path) -> None:
    game = game_of(tmp_path, 2)
    system = lower(game.model, Precision()).system
    ending = prove(system).termination
    assert ending.verdict == "unknown"
    found = endless_play(game.model, system, ending.residual, "swapping")
    assert found is not None and not found.lasso.by_chance
    assert closes(game, found.lasso, Budget(1_000))
    actions = [move.action for _, move in found.lasso.circle]
    assert actions == ["take", "give_back", "take", "give_back"]
    assert len(found.text) == 4 and found.text[0].startswith("P")
    assert found.trace["loop"] == len(found.lasso.way)


def test_every_move_on_the_way_is_needed(tmp_path: Path) -> None:
    game = game_of(tmp_path, 2)
    system = lower(game.model, Precision()).system
    found = endless_play(game.model, system, prove(system).termination.residual, "swapping")
    assert found is not None
    lasso = found.lasso
    assert len(lasso.way) >= 3
    for at in range(len(lasso.way)):
        shorter = replace(lasso, way=lasso.way[:at] + lasso.way[at + 1 :])
        assert not closes(game, shorter, Budget(1_000))


def test_a_fresh_process_replays_the_trace(tmp_path: Path) -> None:
    game = game_of(tmp_path, 2)
    system = lower(game.model, Precision()).system
    rules = str(tmp_path / "swapping.gem.yaml")
    found = endless_play(game.model, system, prove(system).termination.residual, rules)
    assert found is not None
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(found.trace), encoding="utf-8")
    command = [sys.executable, "-m", "gemwright", "replay", str(trace)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no difference" in done.stdout


def test_moves_that_only_fall_give_no_circle(tmp_path: Path) -> None:
    game = game_of(tmp_path, 2)
    points = {point.id: ["burn"] for point in game.model.points}
    assert find_lasso(game, points, Budget(300)) is None


def test_a_search_is_the_same_twice(tmp_path: Path) -> None:
    game = game_of(tmp_path, 2)
    points = {point.id: ["take", "give_back", "pass"] for point in game.model.points}
    first = find_lasso(game, points, Budget(4_000))
    assert first is not None
    assert find_lasso(game, points, Budget(4_000)) == first
