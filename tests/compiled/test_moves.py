"""Move by move on compiled engines: what is legal, what a move leads to, roll-outs."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
import wasmtime

from gemwright.interpreter.chance import Stream, key
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.machine import Machine, OutOfWork, PlayedGame
from gemwright.interpreter.compiled.records import Records
from gemwright.interpreter.compiled.selecting import WASM
from gemwright.interpreter.compiled.wasm_engine import machine_of

from .agreement import COMPILED, of_all
from .legal import same_moves, walk


@pytest.mark.parametrize("engine", COMPILED)
def test_legal_moves_of_every_kind_of_decision(engine: str) -> None:
    found = of_all().compiled[engine]
    for seed in (1, 2):
        for state in walk(found.game, seed, 40):
            same_moves(found, state)


@pytest.mark.parametrize("engine", COMPILED)
def test_many_steps_at_once_are_single_steps(engine: str) -> None:
    found = of_all().compiled[engine]
    states = [state.to_bytes() for state in walk(found.game, 4, 30)]
    moves = [found.count(state) - 1 for state in states]
    together = found.steps(states, moves)
    assert together == [
        found.steps([state], [move])[0] for state, move in zip(states, moves, strict=True)
    ]


@pytest.mark.parametrize("engine", COMPILED)
def test_a_move_that_is_not_there(engine: str) -> None:
    found = of_all().compiled[engine]
    state = found.game.start(1).to_bytes()
    with pytest.raises(IndexError):
        found.move(state, found.count(state))
    with pytest.raises(IndexError):
        found.move(state, -1)


@pytest.mark.parametrize("change", [lambda state: state[:-1], lambda state: state + b"\0"])
def test_what_is_no_state_by_its_length_is_refused(change: Callable[[bytes], bytes]) -> None:
    found = of_all().compiled[WASM]
    state = found.game.start(1).to_bytes()
    for ask in (
        found.count,
        found.line,
        lambda bad: found.steps([state, bad], [0, 0]),
        lambda bad: found.roll_outs(bad, 1, 0, 1, 10),
    ):
        with pytest.raises(ValueError, match=f"{len(state)} bytes"):
            ask(change(state))


def test_roll_outs_are_the_same_on_all_engines_and_those_of_the_reference() -> None:
    here = of_all().game
    state = walk(here, 9, 10)[-1]
    python, *others = (
        of_all().compiled[engine].roll_outs(state.to_bytes(), 77, 5, 6, 1000) for engine in COMPILED
    )
    assert all(other == python for other in others)
    records = Records(here.model)
    for number, found in enumerate(python, 5):
        assert found is not None
        rolled = here.restore(state.to_bytes())
        rolled.block[here.model.chance_offset] = key(77, number)
        rolled.block[here.model.chance_offset + 1] = 0
        luck = [Stream(77, number, seat + 1) for seat in range(3)]
        while not rolled.is_over:
            decision = rolled.pending[0]
            move = decision.nth(luck[decision.player].below(decision.count()))
            rolled.apply(move, decision.player)
        assert found.state == rolled.to_bytes()
        assert records.outcome(found.state, found.record) == rolled.result


@pytest.mark.parametrize("engine", COMPILED)
def test_a_line_goes_where_the_reference_goes(engine: str) -> None:
    """To the end of a game: who decides, how many moves there are, and every state between."""
    found, luck = of_all().compiled[engine], Stream(3, 0, 1)
    state = found.game.start(6)
    line = found.line(state.to_bytes())
    while not state.is_over:
        decision = state.pending[0]
        assert (line.player, line.count) == (decision.player, decision.count())
        with pytest.raises(IndexError):
            line.step(line.count)
        number = luck.below(line.count)
        state.apply(decision.nth(number), decision.player)
        assert bool(line.step(number)) is not state.is_over
        assert line.to_bytes() == state.to_bytes()
    assert line.count == 0


def test_the_public_call_does_what_the_raw_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the interface below the library is not as expected."""
    monkeypatch.setitem(sys.modules, "wasmtime._bindings", None)
    monkeypatch.delattr(wasmtime, "_bindings")
    here = of_all()
    slow, fast = CompiledGame(here.game, machine_of(here.program)), here.compiled[WASM]
    calls = {each.__qualname__ for each in slow._machine._functions.values()}
    assert calls == {"_checked.<locals>.call"}
    assert {each.__qualname__ for each in fast._machine._functions.values()} != calls
    state = here.game.start(1).to_bytes()
    assert slow.steps([state], [0]) == fast.steps([state], [0])
    assert list(slow.play(4, 0, 3, 1000)) == list(fast.play(4, 0, 3, 1000))


def batch_of(machine: Machine, work: int) -> list[PlayedGame | None]:
    try:
        return machine.batch(1, 0, 8, 100, work)
    except OutOfWork:
        return []


@pytest.mark.parametrize("engine", COMPILED)
def test_a_machine_that_runs_out_of_work_says_so_and_goes_on(engine: str) -> None:
    machine = of_all().compiled[engine]._machine
    with pytest.raises(OutOfWork):
        machine.batch(1, 0, 3, 100, work=1)
    whole = machine.batch(1, 0, 8, 100)
    assert len(whole) == 8
    work = 1
    while not (some := batch_of(machine, work)):
        work *= 2
    assert 0 < len(some) < 8
    assert some == whole[: len(some)]
