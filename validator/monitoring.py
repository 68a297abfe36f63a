"""Monitored games: real play is held against the abstract systems.

What stops a game (a rule that breaks a limit, say) is a finding of the file. Play that leaves an
abstract system is a fault of this program: it raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.game import Game
from gemwright.validator.abstraction.ladder import climb
from gemwright.validator.analysing import proof_that_it_ends
from gemwright.validator.plays.monitor import Miss, Monitor

SEED: Final = 0


def monitor(
    path: str,
    games: int,
    players: int | None = None,
    options: Mapping[str, int | str | bool] | None = None,
) -> Iterator[tuple[int, int, tuple[Diagnostic, ...]]]:
    """Play games at each player count; for each: the count, the moves that were made, and what
    stopped games.

    Args:
        path: the rules file.
        games: how many games at each precision, at least 1.
        players: the only player count to play at.
        options: values of options, the defaults for those that are left out.

    Raises:
        Miss: the abstract system does not allow what the engine did.
    """
    rules = open_ruleset(path, Reporter())
    if rules is None:
        return
    for count in range(rules.players[0], rules.players[1] + 1):
        if players not in (None, count):
            continue
        model = rules.instantiate(count, options or {}, Reporter())
        if model is not None:
            yield (count, *_played(rules, Game(model, rules), games))


def watchers(game: Game) -> list[Monitor]:
    """A monitor for each precision, the first one with the proof that every play ends, if there is
    one."""
    proof = proof_that_it_ends(game.model)
    proved = [] if proof is None else [Monitor(game, *proof)]
    return [*proved, *(Monitor(game, lowered) for lowered in climb(game.model, bounds=True))]


def _played(rules: Ruleset, game: Game, games: int) -> tuple[int, tuple[Diagnostic, ...]]:
    moves, problems = 0, dict[Diagnostic, None]()
    for watching in watchers(game):
        for index in range(games):
            try:
                watched = watching.play(SEED, index)
            except Miss as miss:
                text = f"{rules.name}, {game.model.players} players, game {index}: {miss}"
                raise Miss(text) from None
            moves += watched.moves
            if watched.problem is not None:
                problems[watched.problem] = None
    return moves, tuple(problems)
