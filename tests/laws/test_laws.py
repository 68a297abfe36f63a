"""The laws of `law.py` over every bundled ruleset, player count and option.

With default options twenty games are played at every player count, one of them checked decision by
decision, all for their end and for conservation, two for replay. A single other value of an option
gets the same while a ruleset has few of them. With many, the player counts share twelve games of
each value, and take turns with the closer check and the replays. Of long games fewer are begun
where an option is not at its default. Longer runs are `python -m tests.soak`.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import Ruleset, bundled, open_ruleset
from gemwright.interpreter.game import Game
from gemwright.interpreter.option_sets import OptionSet, pairs, singles
from tests.laws.bounds import MOVES
from tests.laws.law import play_lawfully, replays

GAMES = 20
SHARED = 12
FEW = 64
"""So many configurations of one ruleset are played in full."""
ENOUGH_MOVES = 1_000
"""After so many moves in a configuration with an option no further game of it is begun."""

RULESETS = sorted(bundled())
GAMES_OF_THEIR_OWN = [name for name, path in bundled().items() if path.parent.name == name]


@cache
def ruleset(name: str) -> Ruleset:
    reporter = Reporter()
    found = open_ruleset(name, reporter)
    assert found is not None, reporter.diagnostics
    return found


def game(name: str, players: int, options: OptionSet) -> Game | None:
    """The game, or None where the options do not go together."""
    reporter = Reporter()
    model = ruleset(name).instantiate(players, options, reporter)
    if model is None:
        assert all(found.code == "O001" for found in reporter.diagnostics), reporter.diagnostics
        return None
    return Game(model, ruleset(name))


def counts(name: str) -> range:
    low, high = ruleset(name).players
    return range(low, high + 1)


def configurations() -> list[tuple[str, int, OptionSet]]:
    """Games with every single option; variants, which differ in a few lines, by default."""
    return [
        (name, players, options)
        for name in RULESETS
        for players in counts(name)
        for options in ({}, *(singles(ruleset(name)) if name in GAMES_OF_THEIR_OWN else ()))
    ]


def share(name: str, players: int, options: OptionSet) -> tuple[int, bool]:
    """How many games a configuration gets, and whether the first is checked closely."""
    several, values = counts(name), list(singles(ruleset(name)))
    if not options or (1 + len(values)) * len(several) <= FEW:
        return GAMES, True
    turn = values.index(options) % len(several)
    return SHARED // len(several), several[turn] == players


@pytest.mark.parametrize(
    ("name", "players", "options"),
    configurations(),
    ids=lambda value: str(value).replace(" ", "") if not isinstance(value, str) else value,
)
def test_every_configuration_keeps_the_laws(name: str, players: int, options: OptionSet) -> None:
    played = game(name, players, options)
    if played is None:
        return
    games, closely = share(name, players, options)
    moves = 0
    for index in range(games):
        if options and moves >= ENOUGH_MOVES:
            break
        again = closely and index < 2
        run = play_lawfully(played, 11, index, thorough=closely and index == 0, digests=again)
        moves += len(run.moves)
        if not options:
            assert len(run.moves) <= MOVES[name](players)
        if again:
            replays(played, 11, index, run)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_pairs_of_options_keep_the_laws(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(RULESETS))
    low, high = ruleset(name).players
    options = data.draw(st.sampled_from(list(pairs(ruleset(name)))))
    played = game(name, data.draw(st.integers(low, high)), options)
    if played is not None:
        seed = data.draw(st.integers(0, 2**64 - 1))
        replays(played, seed, 0, play_lawfully(played, seed, 0, thorough=False))


@pytest.mark.parametrize("name", RULESETS)
def test_replay_is_equal_across_processes_and_hash_seeds(name: str) -> None:
    script = (
        "import sys; from gemwright.interpreter.simulation.simulate import simulate; "
        "print(simulate(sys.argv[1], games=3, seed=5, engine='reference').digest)"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script, name],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
