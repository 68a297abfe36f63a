"""Sections of the report in which programs play against the clock, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.compiled.selecting import PYTHON, WASM
from gemwright.interpreter.game import load
from gemwright.interpreter.simulation.playing import REFERENCE
from tests.bench.c_compiler import compiler
from tests.bench.c_twin import CTwin
from tests.bench.checking import MakeTwin, PythonTwin, check
from tests.bench.contestants import SEED, engine, hand_written_c, python_twin
from tests.bench.printed_c import printed_c
from tests.bench.timing import Measured, Plan, rounded, table


def twins() -> Sequence[MakeTwin]:
    """The hand-written programs that can run here: the one in C needs a compiler."""
    return (PythonTwin, CTwin) if compiler() else (PythonTwin,)


def agreement(games: int) -> str:
    """Hold the hand-written programs against the reference, so many games per player count."""
    rows = [
        (players, games, f"{check(twins(), players, SEED, range(games)):,}")
        for players in (2, 3, 4)
    ]
    names = ", ".join(make.__name__ for make in twins())
    head = ("players", "games", "states that were equal")
    return f"Compared with the reference: {names}.\n\n{table(head, rows)}"


def splendor(plan: Plan) -> str:
    """Splendor with two players on every engine and by hand."""
    game = load("splendor", 2)
    contestants = [engine(game, name) for name in (WASM, PYTHON, REFERENCE)]
    contestants.append(python_twin(2))
    if compiler():
        contestants += [hand_written_c(2), printed_c(game, SEED)]
    found = plan.race(contestants)
    rate = {each.name: each.per_second for each in found}
    others = ("Python by hand", "C by hand", "C, printed")
    head = ("played by", "games/s", "moves/s", *(f"against {other}" for other in others))
    rows = [
        (
            each.name,
            rounded(each.per_second),
            rounded(each.moves_per_second),
            *(rounded(each.per_second / rate[one]) if one in rate else "-" for one in others),
        )
        for each in sorted(found, key=lambda each: -each.per_second)
    ]
    return table(head, rows)


def games(plan: Plan) -> str:
    """Every bundled game that is no variant, at every player count."""
    head = (
        "game", "players", "wasm games/s", "wasm moves/s", "Python moves/s", "reference moves/s",
        "wasm against the reference",
    )  # fmt: skip
    rows: list[Sequence[object]] = []
    for name, path in sorted(bundled().items()):
        if "variants" in path.parts:
            continue
        rules = load(name).ruleset
        assert rules is not None
        for players in range(rules.players[0], rules.players[1] + 1):
            rows.append((name, players, *_game_row(plan, name, players)))
    return table(head, rows)


def _game_row(plan: Plan, name: str, players: int) -> Sequence[object]:
    game = load(name, players)
    wasm, python, reference = plan.race([engine(game, each) for each in (WASM, PYTHON, REFERENCE)])
    return (
        rounded(wasm.per_second),
        *(rounded(each.moves_per_second) for each in (wasm, python, reference)),
        _times(wasm, reference),
    )


def _times(one: Measured, other: Measured) -> str:
    return rounded(one.per_second / other.per_second)
