"""Events, moves and results in short notation, with the names of the rules file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter import events as e
from gemwright.interpreter.information import seen as s
from gemwright.interpreter.moves import Move, instance_label, move_to_text

from .cells import counted, label, value


def told_move(model: m.Game, move: Move) -> str:
    """A move in one line."""
    return move_to_text(model, move)


Quote = Callable[[Span], str]
"""What the rules say at a place."""


def event(model: m.Game, each: e.Event, quote: Quote = lambda span: "") -> str:
    """An event with everything in it; '' for what the line of the move says already."""
    match each:
        case e.Moved():
            pieces = counted(model, [((f,), n) for f, n in each.faces])
            return _moved(model, pieces, each.source, each.target, each.to_end)
        case e.Shuffled():
            return f"shuffle {instance_label(model, each.instance)}"
        case e.Assigned():
            return _assigned(model, each.variable, each.position, each.value)
        case e.Published():
            to = "all" if each.to is None else " ".join(f"P{seat + 1}" for seat in each.to)
            what = each.text or (quote(each.span) if each.span is not None else "")
            return f"told to {to}: {what} = {value(model, each.type, each.value)}"
        case e.Shown():
            to = "all" if each.to is None else " ".join(f"P{seat + 1}" for seat in each.to)
            pieces = counted(model, [((f,), n) for f, n in each.faces])
            return f"{instance_label(model, each.instance)} shown to {to}: {pieces}"
        case e.Passed():
            return f"P{each.player + 1} passes{' because nothing else is possible' * each.forced}"
        case e.Eliminated():
            return f"P{each.player + 1} is out"
        case e.Entered():
            return f"> {each.phase}"
        case e.Ended():
            return f"the end: {each.reason}"
    return ""


def _moved(model: m.Game, pieces: str, source: int, target: int, end: str) -> str:
    where = f"{end} of " if end in ("top", "bottom", "random") else ""
    return f"{pieces}: {instance_label(model, source)} -> {where}{instance_label(model, target)}"


def _assigned(model: m.Game, variable: int, position: int, number: int) -> str:
    declared = model.variables[variable]
    if not declared.name.isidentifier():
        return ""
    name = label(declared.name, declared.labels[position])
    return f"{name} = {value(model, declared.type, number)}"


def seen(model: m.Game, actual: e.Event, each: s.SeenEvent | None) -> str:
    """How one player sees an event, where that is less than everything; '' where it is all."""
    if each is None:
        return "nothing" if event(model, actual) else ""
    match each, actual:
        case s.SeenMove(), e.Moved():
            pieces = counted(model, [(look.faces, look.count) for look in each.pieces])
            text = _moved(model, pieces, each.source, each.target, each.to_end)
            return "" if _sorted(text) == _sorted(event(model, actual)) else text
        case s.SeenChoice(), e.Chosen():
            return "; ".join(_hidden_picks(model, each))
    return ""


def _sorted(text: str) -> list[str]:
    """The words of a move: pieces in another order are the same pieces."""
    return sorted(text.replace(",", " ").replace(":", " ").split())


def _hidden_picks(model: m.Game, choice: s.SeenChoice) -> Iterator[str]:
    """The picks of a choice that a player does not see whole."""
    for pick in choice.picks:
        if pick.value is None and pick.pieces is None:
            yield f"{pick.name} in secret"
        for _, _, looks in pick.pieces or ():
            if any(len(look.faces) != 1 for look in looks):
                yield f"{pick.name} {counted(model, [(look.faces, look.count) for look in looks])}"
