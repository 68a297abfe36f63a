"""What a block of sentences can do: which transfers between zones, which changes of state, where
it can go.

Read off the sentences without running them, so everything here may happen and need not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gemwright.dsl.elaboration import folding
from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Term
from gemwright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class Transfer:
    """Pieces that move from a zone family to another; `source` None: from wherever they lie.

    `count` is None where the number is not one term (a lot, a vector, all of them), `slot` the
    parameter that was picked, if it was.
    """

    source: int | None
    target: int
    count: Term | None
    slot: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class Change:
    """A state variable that is changed; `op` is ':=', '+=', '-=' or 'random'. Eliminating a player
    is a change of variable None."""

    variable: int | None
    op: str
    value: Term | None
    span: Span


def statements(body: tuple[m.Statement, ...]) -> Iterator[m.Statement]:
    """All sentences of a block, those in branches and loops too, in order."""
    for statement in body:
        yield statement
        match statement:
            case m.IfDo():
                yield from statements(statement.then)
                yield from statements(statement.otherwise)
            case m.ForEach():
                yield from statements(statement.body)


def possible_actions(game: m.Game) -> tuple[m.Action, ...]:
    """The actions that some decision offers and whose conditions are not false for certain."""
    offered: set[int] = set()
    for point in game.points:
        if isinstance(point, m.Decide):
            offered |= {*point.actions, *point.fallback, *point.anytime}
    return tuple(
        action
        for action in game.actions
        if action.id in offered
        and not any(folding.scalar(line.condition) == 0 for line in action.where)
    )


def has_chance(body: tuple[m.Statement, ...]) -> bool:
    """Whether anything in a block is drawn."""
    return any(_draws(statement) for statement in statements(body))


def _draws(statement: m.Statement) -> bool:
    if isinstance(statement, m.MoveRandom | m.Shuffle | m.AssignRandom):
        return True
    moves = m.MovePicked | m.MoveEnd | m.MoveFace | m.MoveVector | m.MoveAll
    if isinstance(statement, moves):
        return statement.shuffled or statement.to.at == "random"
    return False


def transfers(body: tuple[m.Statement, ...]) -> tuple[Transfer, ...]:
    """What may move."""
    found: list[Transfer] = []
    for each in statements(body):
        match each:
            case m.MovePicked():
                found.append(Transfer(None, each.to.zone, None, each.slot, each.span))
            case m.MoveEnd() | m.MoveFace() | m.MoveRandom():
                found.append(Transfer(each.source.zone, each.to.zone, each.count, None, each.span))
            case m.MoveVector():
                found.append(Transfer(each.source.zone, each.to.zone, None, None, each.span))
            case m.MoveAll():
                source = None if each.source is None else each.source.zone
                found.append(Transfer(source, each.to.zone, None, None, each.span))
    return tuple(found)


def changes(body: tuple[m.Statement, ...]) -> tuple[Change, ...]:
    """What may change."""
    found: list[Change] = []
    for each in statements(body):
        match each:
            case m.Assign():
                found.append(Change(each.variable, each.op, each.value, each.span))
            case m.AssignRandom():
                found.append(Change(each.variable, "random", None, each.span))
            case m.Eliminate():
                found.append(Change(None, ":=", each.player, each.span))
    return tuple(found)


Exit = tuple[Span, int, str]
"""Where, to which control point, and whether it is a 'leave' or an 'end'."""


def ends_of(game: m.Game) -> Mapping[str, int]:
    """The control points where a game ends, by reason."""
    return {point.reason: point.id for point in game.points if isinstance(point, m.End)}


def exits(body: tuple[m.Statement, ...], ends: Mapping[str, int]) -> tuple[bool, tuple[Exit, ...]]:
    """Whether a block can run to its end, and where it can go instead."""
    found: list[Exit] = []
    through = True
    for statement in body:
        match statement:
            case m.Leave():
                found.append((statement.span, statement.target, "leave"))
                through = False
            case m.EndGame():
                found.append((statement.span, ends[statement.reason], "end"))
                through = False
            case m.IfDo():
                then, first = exits(statement.then, ends)
                other, second = exits(statement.otherwise, ends)
                found.extend((*first, *second))
                through = then or other
            case m.ForEach():
                found.extend(exits(statement.body, ends)[1])
        if not through:
            break
    return through, tuple(found)
