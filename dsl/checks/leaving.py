"""`leave PHASE` leads out of a phase, so it stands inside it."""

from __future__ import annotations

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model.game import Game, Point, Statement
from gemwright.dsl.model.traversal import nodes


def check_leaving(game: Game, reporter: Reporter) -> None:
    """Report each `leave` of a phase that is not being played there (G001)."""
    for point in game.points:
        inside = point.phase.split("/")
        for statement in nodes(_bodies(game, point)):
            if isinstance(statement, m.Leave) and statement.phase not in inside:
                text = f"`{statement.phase}` cannot be left in `{point.phase}`"
                help = "leave the phase at hand or one around it"
                notes = ((point.span, "it is played here"),)
                reporter.error("G001", statement.span, text, help, notes)


def _bodies(game: Game, point: Point) -> tuple[Statement, ...]:
    """What runs at a control point."""
    if isinstance(point, m.Do):
        return point.body
    if isinstance(point, m.Decide):
        actions = (*point.actions, *point.fallback, *point.anytime)
        return tuple(each for number in actions for each in game.actions[number].do)
    return ()
