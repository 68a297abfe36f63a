"""Rules files that want too much time or memory: engines stop, say so, and stay usable."""

from __future__ import annotations

import pytest

from gemwright.interpreter.compiled import games
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.machine import Machine, OutOfWork, TooLong
from gemwright.interpreter.compiled.python_machine import PythonMachine
from gemwright.interpreter.compiled.translate import flat_program
from gemwright.interpreter.compiled.wasm_engine import machine_of
from gemwright.interpreter.game import Game, load

from .c_machine import CMachine

HOSTILE = """\
language: 1
game: hostile
players: 2
kinds:
  stone: {{members: [{members}], count: 1}}
zones:
  pool: {{holds: stone}}
  hand: {{holds: stone, per: player}}
state:
  points: {{range: 0..99}}
setup: move every stone to pool
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    decreases: 99 - points
actions:
  take:
    choose: {{x: 0..255, y: 0..255}}
    where: sum of (pool[s] * x - hand[me][s] * y) over stone s >= x - y
    do: points += 1
result: {{score: points}}
"""
"""65,536 picks, each of which asks about every stone, move after move."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("hostile") / "hostile.gem.yaml"
    path.write_text(HOSTILE.format(members=", ".join(f"s{n}" for n in range(300))), "utf-8")
    return load(path)


@pytest.mark.parametrize("make", [PythonMachine, machine_of, CMachine])
def test_a_move_that_needs_too_much_work_is_stopped(hostile: Game, make: type[Machine]) -> None:
    """On every engine by the same budget, however the engine is asked."""
    machine, state = make(flat_program(hostile.model)), hostile.start(1).to_bytes()
    work = 1 << 16
    for _ in range(2):
        with pytest.raises(OutOfWork):
            machine.batch(1, 0, 3, 1000, work)
        with pytest.raises(OutOfWork):
            machine.roll_outs(state, 1, 0, 3, 1000, work)
        with pytest.raises(OutOfWork):
            machine.steps([state], [0], work)


def test_a_game_is_given_up_when_no_game_may_have_so_much(
    hostile: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "MOST_WORK", 1 << 16)

    class Poor(PythonMachine):
        """What one call may do is little as well."""

        def batch(self, seed: int, first: int, n: int, most: int, work: int = 1 << 8) -> list:
            return super().batch(seed, first, n, most, work)

    played = CompiledGame(hostile, Poor(flat_program(hostile.model))).play(1, 5, 2, 1000)
    with pytest.raises(TooLong) as stop:
        next(played)
    assert stop.value.game == 5


def test_memory_is_small_and_cannot_grow(hostile: Game) -> None:
    """What a module asks for is what it gets: the state, some arrays, room for results."""
    memory = machine_of(flat_program(hostile.model))._memory
    assert len(memory) < 8 << 20
