"""What happened since somebody last looked, in few lines."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.interpreter import seen as s
from gemwright.interpreter.cli.screen import Line
from gemwright.interpreter.cli.telling import Telling


def changes(
    telling: Telling, events: Sequence[s.SeenEvent], viewer: int | None, first: bool
) -> list[Line]:
    """What happened lately: choices to the left, what came of them below.

    Of a value only the last change is told; what a choice picked is not told again when it moves.
    With `first` the events are those from the start of the game, and its setup is left out.
    """
    recent = _after_setup(events) if first else events
    return history(telling, _without_repeats(recent), viewer)


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


def _without_repeats(events: Sequence[s.SeenEvent]) -> list[s.SeenEvent]:
    last = {
        (event.variable, event.position): number
        for number, event in enumerate(events)
        if isinstance(event, s.SeenValue)
    }
    kept: list[s.SeenEvent] = []
    picked: list[tuple[s.Look, ...]] = []
    for number, event in enumerate(events):
        if isinstance(event, s.SeenPhase):
            continue
        if isinstance(event, s.SeenValue) and last[event.variable, event.position] != number:
            continue
        if isinstance(event, s.SeenChoice):
            places = [place for pick in event.picks for place in pick.pieces or ()]
            picked = [looks for _, _, looks in places]
        elif isinstance(event, s.SeenMove) and event.pieces in picked:
            picked.remove(event.pieces)
            continue
        kept.append(event)
    return kept
