"""Options have dense numbers that depend on the rules alone, and what is not offered a reason."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision, Option
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.option_space import OptionSpace, Step
from gemwright.interpreter.state import State

RULESETS = sorted(bundled())
DECISIONS = 25
"""Decisions of one random game that are looked at."""


def played(game: Game, seed: int) -> Iterator[State]:
    """The first states of a random game."""
    state, stream = game.start(seed), Stream(seed, 1)
    for _ in range(DECISIONS):
        if not state.pending:
            return
        yield state
        decision = state.pending[-1]
        state.apply(decision.sample(stream, "small_first"), decision.player)


def walked(
    decision: Decision, stream: Stream
) -> Iterator[tuple[tuple[Step, ...], tuple[Option, ...]]]:
    """The options along one random walk."""
    steps: tuple[Step, ...] = ()
    while options := decision.options(steps):
        yield steps, options
        steps = (*steps, options[stream.below(len(options))].step)


def fingerprint() -> str:
    """What the numbers of all bundled rulesets are, and what is offered in random games."""
    found = hashlib.sha256()
    for name in RULESETS:
        game = load(name)
        space = game.option_space
        for number in range(space.size):
            option = space.option(number)
            cell = option.entry.cell
            found.update(f"{number} {option.entry.action} {option.entry.parameter} ".encode())
            found.update(f"{cell and (cell.source, cell.face)} {option.step}\n".encode())
        for state in played(game, 5):
            for steps, options in walked(state.pending[0], Stream(5, 2)):
                found.update(f"{name} {steps} {[o.number for o in options]}\n".encode())
    return found.hexdigest()


@pytest.mark.parametrize("name", RULESETS)
def test_numbers_are_dense_and_name_their_option(name: str) -> None:
    game = load(name)
    space = game.option_space
    met: set[int] = set()
    for state in played(game, 1):
        for decision in state.pending:
            for steps, options in walked(decision, Stream(1, 2)):
                numbers = [option.number for option in options]
                assert len(set(numbers)) == len(numbers)
                for option in options:
                    named = space.option(option.number)
                    assert named.step == option.step
                    assert named.entry.action == (steps[0] if steps else "")
                    assert named.entry.parameter == option.parameter
                    assert named.entry.cell == option.cell
                met.update(numbers)
    assert met <= set(range(space.size))
    names = [space.option(number) for number in range(space.size)]
    places = {(id(each.entry), each.step) for each in names}
    assert len(places) == space.size
    with pytest.raises(IndexError):
        space.option(space.size)
    with pytest.raises(IndexError):
        space.option(-1)


def test_numbers_are_the_same_in_every_process() -> None:
    """Another process, other hashes of texts, the same numbers."""
    code = "from tests.interpreter.test_options import fingerprint; print(fingerprint())"
    root = Path(__file__).parents[2]
    prints = []
    for seed in ("1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        prints.append(done.stdout.strip())
    assert prints[0] == prints[1]


def test_a_space_belongs_to_a_choice_of_options() -> None:
    """Fewer jewels are fewer that can be picked."""

    def size(jewels: int) -> int:
        return load("grand_bazaar", options={"jewels_per_type": jewels}).option_space.size

    assert size(10) == size(10) > size(3)


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_not_offered_has_a_reason(name: str) -> None:
    """Every step of the space is offered, or explained; nothing is both or neither."""
    game = load(name)
    for state in played(game, 2):
        decision = state.pending[0]
        for steps, options in walked(decision, Stream(2, 2)):
            offered = {option.step for option in options}
            for step in steps_of(game.option_space, steps)[:40]:
                refusal = decision.explain(steps, step)
                assert (refusal is None) is (step in offered), (steps, step, refusal)
                assert refusal is None or refusal.message
            with pytest.raises(ValueError, match="not offered"):
                decision.explain((*steps, "no such step"), 0)


def steps_of(space: OptionSpace, prefix: tuple[Step, ...]) -> list[Step]:
    """Every step that could ever stand after a prefix."""
    named = [space.option(number) for number in range(space.size)]
    if not prefix:
        return [each.step for each in named if not each.entry.action]
    entry = space.entries[str(prefix[0])][len(prefix) - 1]
    return [each.step for each in named if each.entry is entry]


def test_a_reason_names_the_line_or_the_domain() -> None:
    decision = load("grand_bazaar", players=2).start(seed=3).pending[0]
    refusal = decision.explain(("trade",), 4)
    assert refusal is not None and refusal.kind == "domain"
    refusal = decision.explain(("trade", 0, 0, 0), 5)
    assert refusal is not None and refusal.line is not None and refusal.clauses
    assert decision.explain((), "trade") is None
    for step, kind in (("pass", "pass"), ("nothing", "unknown"), ("only_sell", "fallback")):
        refusal = decision.explain((), step)
        assert refusal is not None and refusal.kind == kind
    refusal = decision.explain((), "sell_too_little")
    assert refusal is not None and refusal.kind == "stuck" and refusal.text
    refusal = decision.explain(("trade",), (0, 0))
    assert refusal is not None and refusal.kind == "misfit"
    with pytest.raises(ValueError, match="complete"):
        decision.explain(decision.steps(decision.nth(0)), 0)
