"""Every engine plays the same games as the reference: states, results, chance and counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.compiled.flat.verify import verify
from gemwright.interpreter.compiled.machine import GivenUp
from gemwright.interpreter.compiled.selecting import PYTHON, WASM
from gemwright.interpreter.game import RulesetError, load
from gemwright.interpreter.option_sets import pairs, singles
from gemwright.interpreter.simulation.playing import REFERENCE
from gemwright.interpreter.simulation.simulate import simulate

from .agreement import ALL, COMPILED, ENGINES, C, Engines, configurations, is_base, of_all
from .legal import same_moves, walk


@pytest.mark.parametrize(("name", "players"), configurations())
def test_every_configuration(name: str, players: int) -> None:
    """Its program is sound; it plays as the reference does, and alike in every language.

    Of a variant a few games are enough: the parts that it is made of are played elsewhere.
    """
    here = Engines(load(name, players))
    assert verify(here.program) == []
    if not is_base(name):
        here.compare((REFERENCE, WASM), 3, 11)
        return
    here.with_reference(20, 11)
    here.compare((WASM, C), 100, 12)
    # Sums over whole stores take Python long.
    here.compare((PYTHON, WASM), 25 if name == "diams" else 100, 12)
    for state in walk(here.game, 21, 8):
        for engine in COMPILED:
            same_moves(here.compiled[engine], state)


@pytest.mark.parametrize("name", [name for name in sorted(bundled()) if is_base(name)])
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_options_alone_and_in_pairs(name: str, data: st.DataObject) -> None:
    rules = load(name).ruleset
    assert rules is not None
    sets = [*singles(rules), *pairs(rules)]
    if not sets:
        return
    options = data.draw(st.sampled_from(sets))
    players = data.draw(st.integers(*rules.players))
    try:
        here = load(name, players, options)
    except RulesetError:
        return  # the rules refuse this pair
    Engines(here).compare((REFERENCE, WASM), 3, data.draw(st.integers(0, 1 << 64)))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"strict": "false"}, {"seals": "false"}])
def test_every_part_of_the_language(players: int, options: dict[str, str]) -> None:
    here = Engines(load(ALL, players, options))
    assert verify(here.program) == []
    here.with_reference(8, 3)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_simulation_has_the_digest_of_the_reference(engine: str) -> None:
    here = load(ALL, 3)
    wanted = simulate(here, games=12, seed=5, engine="reference")
    found = simulate(here, games=12, seed=5, engine=engine)
    assert found.engine == engine
    assert found.digest == wanted.digest
    assert (found.wins, found.actions, found.branching, found.length) == (
        wanted.wins, wanted.actions, wanted.branching, wanted.length,
    )  # fmt: skip
    together = simulate(here, games=12, seed=5, engine=engine, jobs=2)
    assert together.digest == wanted.digest


@pytest.mark.parametrize("engine", COMPILED)
def test_games_that_go_on_for_too_many_moves_are_left_where_the_reference_leaves_them(
    engine: str,
) -> None:
    here = of_all()
    wanted = here.records("reference", 5, 1, most_moves=7)
    assert here.records(engine, 5, 1, most_moves=7) == wanted


BROKEN = """\
language: 1
game: broken
players: 2
kinds:
  stone: {members: [red, green], count: 3}
zones:
  pool: {holds: stone}
  hand: {holds: stone, per: player, limit: 2}
state:
  points: {range: 0..2}
setup: |
  move every stone to pool
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take, wait]
    decreases: size of pool
actions:
  take:
    choose: {s: stone}
    where: pool[s] >= 1
    do: |
      move 1 s from pool to hand[me]
      points += 1
  wait: {do: "move 1 red from pool to hand[me]"}
result: {score: size of hand}
"""


@pytest.mark.parametrize("engine", COMPILED)
def test_a_game_in_which_a_rule_breaks_ends_as_the_reference_says(
    engine: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.gem.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    here = Engines(load(path))
    wanted = here.records("reference", 20, 0)
    assert len({each.problem for each in wanted}) > 1
    assert here.records(engine, 20, 0) == wanted


@pytest.mark.parametrize("engine", COMPILED)
def test_a_line_is_over_where_a_rule_breaks(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.gem.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    here = Engines(load(path)).compiled[engine]
    line = here.line(here.game.start(1).to_bytes())
    with pytest.raises(GivenUp):
        while line.step(0):
            pass
    assert line.count == 0
    with pytest.raises(IndexError):
        line.step(0)
