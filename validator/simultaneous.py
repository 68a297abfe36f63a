"""Decisions that all make at once: nobody may touch what is not his own, and no order may matter.

The sealed picks are carried out in seat order. They could be in any order if each of them changes
only the places and the state of the one who chose, draws nothing and shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.source import Span
from gemwright.validator.doing import has_chance, statements

_ME = 0
"""The slot of the one who chooses."""


def check_simultaneous(game: m.Game, reporter: Reporter) -> None:
    """Report what actions of simultaneous decisions must not do, each sentence once."""
    for point in game.points:
        if isinstance(point, m.Decide) and point.together:
            for number in (*point.actions, *point.fallback):
                _check_action(game, game.actions[number], reporter)


def _check_action(game: m.Game, action: m.Action, reporter: Reporter) -> None:
    for each in statements(action.do):
        if isinstance(each, m.Show | m.Tell | m.Eliminate) or has_chance((each,)):
            _report_order(each.span, "this draws, shows or takes somebody out", reporter)
        for index, owned, span in _changed(game, action, each):
            if not owned:
                _report_order(span, "this changes what belongs to all", reporter)
            elif not _is_me(index):
                reporter.error(
                    "D005",
                    span,
                    "this changes what belongs to somebody else while all choose at once",
                    "change only what is `my`; do the rest in a phase behind the decision",
                )


def _report_order(span: Span, what: str, reporter: Reporter) -> None:
    reporter.error(
        "D007",
        span,
        f"{what} while all choose at once, so the order of players matters",
        "do it in a phase behind the decision, where an order is named",
    )


def _changed(
    game: m.Game, action: m.Action, statement: m.Statement
) -> Iterator[tuple[t.Term | None, bool, Span]]:
    """What a sentence changes: the index, and whether it is one of several by player."""
    span = statement.span
    match statement:
        case m.Assign() | m.AssignRandom():
            variable = game.variables[statement.variable]
            yield statement.index, variable.index == "player", span
        case m.MovePicked():
            yield from _places(game, (statement.to,), span)
            yield from _places(game, _sources(action, statement.slot), span)
        case m.MoveEnd() | m.MoveFace() | m.MoveVector() | m.MoveRandom():
            yield from _places(game, (statement.source, statement.to), span)
        case m.MoveAll():
            if statement.source is None:
                yield None, False, span
            else:
                yield from _places(game, (statement.source, statement.to), span)


def _sources(action: m.Action, slot: int) -> tuple[m.Source, ...]:
    for parameter in action.parameters:
        if parameter.slot == slot and isinstance(parameter.domain, m.LotDomain | m.PieceDomain):
            return parameter.domain.sources
    return ()


def _places(
    game: m.Game, places: tuple[m.Place | m.Source, ...], span: Span
) -> Iterator[tuple[t.Term | None, bool, Span]]:
    for place in places:
        yield place.index, game.zones[place.zone].index == "player", span


def _is_me(index: t.Term | None) -> bool:
    return isinstance(index, t.Local) and index.slot == _ME
