"""A play that never ends, as something to show: found, shortened, told, and written as a trace."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.game import Game
from gemwright.interpreter.moves import move_to_text
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.saves import Header, Recorder
from gemwright.interpreter.state import IllegalMove, State
from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.budget import Budget, BudgetSpent
from gemwright.validator.plays.lasso import Lasso, Made, Sameness, Suspects, find_lasso

SEARCH: Final = 2_500
"""Moves that the engine makes in a search."""
SHORTENING: Final = 2_500
"""Moves that it makes to shorten what was found."""


@dataclass(frozen=True, slots=True)
class Endless:
    """A play that can go on for ever.

    `text` tells the circle move by move; `trace` is what `gemwright replay` reads, with `loop`, the
    number of decisions before the circle begins.
    """

    lasso: Lasso
    text: tuple[str, ...]
    trace: dict[str, Any]


def endless_play(
    model: m.Game, system: TransitionSystem, residual: Sequence[Sequence[int]], named: str
) -> Endless | None:
    """Search a play that goes on by the moves that a failed proof left over.

    Args:
        named: how a person names the rules, a bundled name or a path; the trace names them so.
    """
    suspects = suspects_of(model, system, residual)
    if not suspects:
        return None
    game = Game(model)
    try:
        found = find_lasso(game, suspects, Budget(SEARCH))
        if found is None:
            return None
        found = shortened(game, found, Budget(SHORTENING))
    except RuntimeProblem:
        return None
    return Endless(found, tuple(_told(model, found.circle)), trace_of(game, found, named))


def suspects_of(
    model: m.Game, system: TransitionSystem, residual: Sequence[Sequence[int]]
) -> Suspects:
    """The actions that edges stand for, by control point of the model."""
    found: dict[int, list[str]] = {}
    for edge in (system.edges[at] for group in residual for at in group):
        if edge.moves:
            name = m.PASS_ACTION if edge.action < 0 else model.actions[edge.action].name
            names = found.setdefault(system.points[edge.source].origin, [])
            if name not in names:
                names.append(name)
    return found


def shortened(game: Game, lasso: Lasso, budget: Budget) -> Lasso:
    """The same circle after fewer moves, as far as the budget goes: moves are left out, longer
    stretches first, as long as the rest can be made and the circle still closes. It begins as early
    as it can."""
    length = len(lasso.way) // 2
    try:
        while length >= 1:
            at = len(lasso.way) - length
            while at >= 0:
                shorter = replace(lasso, way=lasso.way[:at] + lasso.way[at + length :])
                if closes(game, shorter, budget):
                    lasso = shorter
                at -= length
            length //= 2
    except BudgetSpent:
        pass
    while lasso.way and lasso.way[-1] == lasso.circle[-1]:
        earlier = (lasso.way[-1], *lasso.circle[:-1])
        lasso = replace(lasso, way=lasso.way[:-1], circle=earlier)
    return lasso


def closes(game: Game, lasso: Lasso, budget: Budget) -> bool:
    """Whether a new game, played so, comes back to where the circle began."""
    same = Sameness(game.model)
    state = game.start(lasso.seed, lasso.game_index)
    if not _played(state, lasso.way, budget):
        return False
    before = same.key(state)
    return _played(state, lasso.circle, budget) and same.key(state) == before


def _played(state: State, moves: Sequence[Made], budget: Budget) -> bool:
    for seat, move in moves:
        budget.spend()
        try:
            state.apply(move, seat)
        except IllegalMove:
            return False
    return not state.is_over


def trace_of(game: Game, lasso: Lasso, named: str) -> dict[str, Any]:
    """The play once around the circle, in the form of a saved game as one object."""
    moves = (*lasso.way, *lasso.circle)
    play = saved_play(game, lasso.seed, lasso.game_index, moves, named)
    return {**play, "loop": len(lasso.way)}


def saved_play(
    game: Game, seed: int, game_index: int, moves: Sequence[Made], named: str
) -> dict[str, Any]:
    """Moves from the beginning of a game, in the form of a saved game as one object."""
    lines: list[dict[str, Any]] = []
    recorder = Recorder(lambda line: lines.append(json.loads(line)))
    state = game.start(seed, game_index)
    for seat, move in moves:
        state.apply(move, seat)
        recorder.decision(state, seat, move)
    model = game.model
    header = Header(
        gemwright="",
        language=model.language,
        ruleset=named,
        hash=model.digest,
        players=model.players,
        options=dict(model.options),
        seed=seed,
        seats=("random",) * model.players,
        game_index=game_index,
    )
    return {**header.to_json(), "lines": lines}


def _told(model: m.Game, circle: Sequence[Made]) -> list[str]:
    return [f"P{seat + 1}: {move_to_text(model, move)}" for seat, move in circle]
