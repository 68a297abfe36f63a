"""Whole games on two engines, compared state for state."""

from __future__ import annotations

from functools import cache

from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.compiled.selecting import PYTHON, WASM
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.players import RANDOM
from gemwright.interpreter.playing import MOST_MOVES, REFERENCE, GameRecord, Work, table

COMPILED = (PYTHON, WASM)


def configurations() -> list[tuple[str, int]]:
    """Every bundled ruleset at every player count."""
    found: list[tuple[str, int]] = []
    for name in sorted(bundled()):
        rules = load(name).ruleset
        assert rules is not None
        found += [(name, players) for players in range(rules.players[0], rules.players[1] + 1)]
    return found


def is_base(name: str) -> bool:
    """Whether a bundled ruleset is no variant of another one."""
    return "variants" not in bundled()[name].parts


@cache
def game(name: str, players: int) -> Game:
    """A bundled game with its default options."""
    return load(name, players)


@cache
def compiled(name: str, players: int, engine: str) -> CompiledGame:
    """The same on a compiled engine."""
    return CompiledGame(game(name, players), engine)


def records(
    here: Game, engine: str, games: int, seed: int, most_moves: int = MOST_MOVES
) -> list[GameRecord]:
    """Games between random players."""
    work = Work(here.model, (RANDOM,) * here.players, seed, False, most_moves, engine)
    return [each.games[0] for each in table(here, work).play(range(games))]


def compare(here: Game, engines: tuple[str, ...], games: int, seed: int) -> None:
    """Assert that engines play the same games; the message says where they part."""
    first = records(here, engines[0], games, seed)
    for engine in engines[1:]:
        for number, (one, other) in enumerate(
            zip(first, records(here, engine, games, seed), strict=True)
        ):
            assert one == other, f"game {number} of seed {seed} on {engine}: {here.options}"


def with_reference(here: Game, games: int, seed: int) -> None:
    """Compare all engines."""
    compare(here, (REFERENCE, *COMPILED), games, seed)
