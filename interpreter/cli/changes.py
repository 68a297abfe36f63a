"""What happened since somebody last looked, in few lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemwright.interpreter.cli.naming import Naming
from gemwright.interpreter.cli.screen import Line
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.information import seen as s


def changes(
    telling: Telling, events: Sequence[s.SeenEvent], viewer: int | None, first: bool
) -> list[Line]:
    """What happened lately: choices to the left, what came of them below.

    Of a value only the last change is told; what a choice picked is not told again when it moves,
    and a pick that becomes known by moving is told with the choice. The end of the game is left to
    the result. With `first` the events are those from the start of the game, and its setup is left
    out.
    """
    recent = _after_setup(events) if first else events
    return history(telling, _without_repeats(telling.naming, recent), viewer)


def history(telling: Telling, events: Sequence[s.SeenEvent], viewer: int | None) -> list[Line]:
    """Seen events one by one; those that say nothing are left out."""
    lines = []
    for event in events:
        text = telling.event(event, viewer)
        if text:
            leads = isinstance(event, s.SeenChoice | s.SeenPass | s.SeenEnd | s.SeenOut)
            lines.append(Line(text) if leads else Line(f"  {text}", "dim"))
    return lines


def _after_setup(events: Sequence[s.SeenEvent]) -> Sequence[s.SeenEvent]:
    for number, event in enumerate(events):
        if isinstance(event, s.SeenChoice | s.SeenPass | s.SeenEnd):
            return events[number:]
    return ()


def _without_repeats(naming: Naming, events: Sequence[s.SeenEvent]) -> list[s.SeenEvent]:
    last = {
        (event.variable, event.position): number
        for number, event in enumerate(events)
        if isinstance(event, s.SeenValue)
    }
    kept: list[s.SeenEvent] = []
    at, untold = 0, set[_Spot]()
    for number, event in enumerate(events):
        match event:
            case s.SeenPhase() | s.SeenEnd():
                continue
            case s.SeenValue() if last[event.variable, event.position] != number:
                continue
            case s.SeenChoice():
                at, untold = len(kept), _spots(event)
            case s.SeenMove():
                spot = _moved(naming, kept[at], event, untold) if untold else None
                if spot is not None:
                    untold.remove(spot)
                    kept[at] = _told(kept[at], spot, event)
                    continue
        kept.append(event)
    return kept


_Spot = tuple[int, int]
"""A pick of a choice, and one of the places that it picks from."""


def _spots(choice: s.SeenChoice) -> set[_Spot]:
    """Where a choice picks pieces."""
    return {
        (number, position)
        for number, pick in enumerate(choice.picks)
        for position in range(len(pick.pieces or ()))
    }


def _moved(
    naming: Naming, choice: s.SeenEvent, move: s.SeenMove, untold: set[_Spot]
) -> _Spot | None:
    """Which of the picked pieces a move moves; None if they are others.

    Where the pick alone does not tell which of a family of zones is meant, any of them will do.
    """
    assert isinstance(choice, s.SeenChoice)
    for number, position in sorted(untold):
        pieces = choice.picks[number].pieces
        assert pieces is not None
        family, instance, looks = pieces[position]
        if instance is None and naming.zone_of(move.source).id == family:
            instance = move.source
        blurred = any(len(look.faces) != 1 for look in looks)
        same = looks == move.pieces or (blurred and move.count == sum(n.count for n in looks))
        if instance == move.source and move.count and same:
            return number, position
    return None


def _told(choice: s.SeenEvent, spot: _Spot, move: s.SeenMove) -> s.SeenChoice:
    """The choice with what its move shows of the picked pieces."""
    assert isinstance(choice, s.SeenChoice)
    number, position = spot
    pick = choice.picks[number]
    assert pick.pieces is not None
    zone, instance, _ = pick.pieces[position]
    pieces = (*pick.pieces[:position], (zone, instance, move.pieces), *pick.pieces[position + 1 :])
    picks = (*choice.picks[:number], replace(pick, pieces=pieces), *choice.picks[number + 1 :])
    return replace(choice, picks=picks)
