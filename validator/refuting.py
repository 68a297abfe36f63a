"""Plays that never end as findings, where the file does not say itself that there are some."""

from __future__ import annotations

from typing import Any

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.validator.findings import Step, Verdict


def endless_findings(
    game: m.Game, verdict: Verdict
) -> tuple[tuple[Diagnostic, tuple[Step, ...]], ...]:
    """The finding for a game that is refuted to end, with its play; () where the file expects
    anything of it: what is not as expected is another finding."""
    if verdict.termination != "refuted" or verdict.expected is not None or verdict.trace is None:
        return ()
    trace = verdict.trace
    moves = [line for line in trace["lines"] if "move" in line]
    circle = moves[trace["loop"] :]
    actions = {action.name: action for action in game.actions}
    acting = [actions[each] for each in dict.fromkeys(map(_name, circle)) if each in actions]
    code = "T001" if acting else "T002"
    reporter = Reporter()
    report = reporter.warning if verdict.capped else reporter.error
    notes = tuple((action.span, "so is this one") for action in acting[1:])
    told = "; ".join(verdict.circle[:6]) + ("; .." if len(verdict.circle) > 6 else "")
    what = "this is part of a play" if acting else "everybody may pass, in a play"
    report(
        code,
        acting[0].span if acting else _asked(game),
        f"{what} that goes on for ever: {told}",
        "a cap alone ends it; `expect` may say that it is meant so"
        if verdict.capped
        else "let something fall each time, or declare a `cap`",
        notes,
    )
    steps = tuple(
        Step(_span(game, actions, line), f"{line['player']}: {_name(line)}") for line in moves
    )
    return tuple((each, steps) for each in reporter.diagnostics)


def _name(line: dict[str, Any]) -> str:
    return str(line["move"]["action"])


def _span(game: m.Game, actions: dict[str, m.Action], line: dict[str, Any]) -> Span:
    action = actions.get(_name(line))
    return _asked(game) if action is None else action.span


def _asked(game: m.Game) -> Span:
    """The first decision at which somebody may pass."""
    return next(
        (each.span for each in game.points if isinstance(each, m.Decide) and each.can_pass),
        game.points[game.start].span,
    )
