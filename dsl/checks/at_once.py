"""What actions of a phase `at once` may do: nothing that would make the order of players matter.

All picks are sealed first and then done in seat order. So what one of them does may touch only the
zones and state of the player who chose, without chance, and shows nothing on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model.game import Action, Decide, Game, Place, Source, Statement
from gemwright.dsl.model.terms import Local, Term
from gemwright.dsl.model.traversal import nodes

ME: Final = 0
"""The frame slot of the player who acts."""

HELP: Final = "do this in a phase after it, when all have chosen"


def check_at_once(game: Game, reporter: Reporter) -> None:
    """Report what actions of phases `at once` may not do (G011)."""
    sealed: dict[int, None] = {}
    for point in game.points:
        if isinstance(point, Decide) and point.together:
            sealed.update(dict.fromkeys((*point.actions, *point.fallback)))
    for number in sealed:
        action = game.actions[number]
        for statement in nodes(action.do):
            if isinstance(statement, Statement):
                for why in _faults(game, action, statement):
                    text = f"`{action.name}` is done at once with the others, so it {why}"
                    reporter.error("G011", statement.span, text, HELP)


def _faults(game: Game, action: Action, statement: Statement) -> Iterator[str]:
    match statement:
        case m.Show() | m.Tell():
            yield "may not show or tell anything"
        case m.Leave() | m.EndGame():
            yield "may not end what the others do as well"
        case m.Eliminate(player=player) if not _is_me(player):
            yield "may eliminate nobody else"
        case m.Shuffle() | m.AssignRandom() | m.MoveRandom():
            yield "may not draw at random"
        case m.Assign(variable=variable, index=index) if not _is_me(index):
            name = game.variables[variable].name
            yield f"may not change `{name}`, which is not only its player's"
    target = getattr(statement, "to", None)
    if isinstance(target, Place):
        yield from _moves(game, action, statement, target)


def _moves(game: Game, action: Action, move: Statement, target: Place) -> Iterator[str]:
    if getattr(move, "shuffled", False) or target.at == "random":
        yield "may not shuffle"
    for end in (*_sources(action, move), target):
        zone = None if end is None else game.zones[end.zone]
        if end is None or zone is None:
            yield "may not move pieces from everywhere"
        elif zone.index != "player" or not _is_me(end.index):
            yield f"may not move pieces from or to `{zone.name}`, which is not only its player's"


def _sources(action: Action, move: Statement) -> tuple[Source | None, ...]:
    if isinstance(move, m.MovePicked):
        picked = next(each for each in action.parameters if each.slot == move.slot)
        assert not isinstance(picked.domain, m.ValueDomain), "values do not move"
        return picked.domain.sources
    return (getattr(move, "source", None),)


def _is_me(term: Term | None) -> bool:
    return isinstance(term, Local) and term.slot == ME
