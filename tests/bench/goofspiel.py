"""Goofspiel as a rules file against OpenSpiel's own, if the package `open_spiel` is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from gemwright.interpreter.chance import Stream
from gemwright.interpreter.compiled.selecting import PYTHON, WASM
from gemwright.interpreter.game import load
from gemwright.interpreter.simulation.playing import REFERENCE
from tests.bench.contestants import SEED, engine
from tests.bench.timing import Contestant, Plan, rounded, table

RULES = Path(__file__).with_name("goofspiel.gem.yaml")
PLAYERS = 2
MOVES = 26
"""Bids in a game: thirteen of each player."""

MISSING = "The package `open_spiel` is not installed: `pip install open_spiel`."


def there() -> bool:
    """Whether OpenSpiel is installed."""
    return find_spec("pyspiel") is not None


def same_games(games: int) -> int:
    """Play the same bids in both programs, prizes from 13 down; how many decisions were equal.

    Raises:
        AssertionError: legal bids or scores differ.
    """
    import pyspiel

    ours = load(RULES, options={"prizes": "descending"})
    theirs = pyspiel.load_game("goofspiel(points_order=descending,returns_type=total_points)")
    compared = 0
    for number in range(games):
        state, other, luck = ours.start(SEED, number), theirs.new_initial_state(), Stream(number)
        while not state.is_over:
            bids = []
            for decision in state.pending:
                legal = [move.values[0] for move in decision.moves()]
                # OpenSpiel plays the last bids, which are no choice, by itself.
                wanted = [] if other.is_terminal() else other.legal_actions(decision.player)
                hand = [bid[1] for bid in legal if isinstance(bid, tuple)]
                assert hand == wanted or (len(hand) == 1 and not wanted)
                compared += 1
                bids.append(luck.below(len(legal)))
                state.apply(decision.nth(bids[-1]), decision.player)
            if not other.is_terminal():
                legal_of = [other.legal_actions(player) for player in range(PLAYERS)]
                pairs = zip(legal_of, bids, strict=True)
                other.apply_actions([legal[at] for legal, at in pairs])
        assert state.result is not None
        assert other.is_terminal()
        assert list(state.result.scores) == other.returns()
    return compared


def speed(plan: Plan) -> str:
    """Both programs, at random."""
    if not there():
        return MISSING
    game = load(RULES)
    contestants = [engine(game, name) for name in (WASM, PYTHON, REFERENCE)]
    found = plan.race([*contestants, _inside(), _from_python()])
    rate = {each.name: each.per_second for each in found}
    rows = [
        (
            each.name,
            rounded(each.per_second),
            rounded(each.moves_per_second),
            rounded(each.per_second / rate[_INSIDE]),
        )
        for each in sorted(found, key=lambda each: -each.per_second)
    ]
    head = ("played by", "games/s", "moves/s", "against OpenSpiel, all in C++")
    compared = same_games(200)
    note = f"In 200 games with equal bids {compared:,} decisions and all scores were equal."
    return f"{table(head, rows)}\n\n{note}"


_INSIDE = "OpenSpiel, all in C++ (`evaluate_bots`)"


def _inside() -> Contestant:
    """OpenSpiel's game between OpenSpiel's random players, played inside it."""
    import pyspiel

    game = pyspiel.load_game("goofspiel")
    bots = [pyspiel.make_uniform_random_bot(seat, 1 + seat) for seat in range(PLAYERS)]

    def run(first: int, times: int) -> int:
        for number in range(first, first + times):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
        return times * MOVES

    return Contestant(_INSIDE, run)


def _from_python() -> Contestant:
    """OpenSpiel's game, move by move from Python."""
    import pyspiel

    game = pyspiel.load_game("goofspiel")

    def run(first: int, times: int) -> int:
        luck = Random(first)
        for _ in range(times):
            _play(game.new_initial_state(), luck)
        return times * MOVES

    return Contestant("OpenSpiel, from Python", run)


def _play(state: Any, luck: Random) -> None:
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choices(outcomes, chances)[0])
        else:
            bids = [luck.choice(state.legal_actions(seat)) for seat in range(PLAYERS)]
            state.apply_actions(bids)
