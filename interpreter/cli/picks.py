"""One pick of a walk: from what a person typed to the entries of the walk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base
from gemwright.interpreter.cli.speech import Speech
from gemwright.interpreter.cli.typed import Unclear, source_names
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.moves import instance_label
from gemwright.interpreter.option_space import Step


def walks(decision: Decision, steps: tuple[Step, ...], width: int) -> Iterator[tuple[Step, ...]]:
    """Every way to go on by `width` entries, in the order of the walk; none is a dead end."""
    if width == 0:
        yield steps
        return
    for option in decision.options(steps):
        yield from walks(decision, (*steps, option.step), width - 1)


def entries(
    model: m.Game, parameter: m.Parameter, data: object, offered: Sequence[Step], spoken: Speech
) -> tuple[Step, ...] | Unclear:
    """The walk entries of one pick that was read as data, or what is wrong with it.

    `offered` is what may come next; the counts of a lot are not compared with it.
    """
    if isinstance(parameter.domain, m.LotDomain):
        return _lot(model, parameter.domain, data, spoken)
    named = [step for step in offered if _means(model, parameter, step, data)]
    if not named:
        return Unclear(spoken.say("typed.not_now"))
    if len(named) > 1:
        places = [instance_label(model, step[0]) for step in named if isinstance(step, tuple)]
        return Unclear(spoken.say("typed.say_place", places=", ".join(places)))
    return (named[0],)


def _lot(
    model: m.Game, domain: m.LotDomain, data: object, spoken: Speech
) -> tuple[Step, ...] | Unclear:
    names = source_names(model, domain)
    lots = data if len(names) > 1 else {names[0]: data}
    assert isinstance(lots, Mapping)
    counts = [0] * len(domain.cells)
    for source, lot in lots.items():
        for name, count in lot.items():
            at = _cell(model, domain, names.index(source), name)
            if at is None:
                return Unclear(spoken.say("typed.impossible", word=name))
            counts[at] = count
    return tuple(counts)


def _cell(model: m.Game, domain: m.LotDomain, source: int, name: str) -> int | None:
    for position, cell in enumerate(domain.cells):
        if cell.source == source and model.faces[cell.face].name == name:
            return position
    return None


def _means(model: m.Game, parameter: m.Parameter, step: Step, data: object) -> bool:
    """Whether a step is what was said."""
    if isinstance(step, tuple):
        if isinstance(data, Mapping):
            place = instance_label(model, step[0])
            return (data["from"], data["piece"]) == (place, model.faces[step[1]].name)
        return model.faces[step[1]].name == data
    base = parameter.type.base
    if not isinstance(step, int):
        return False
    if base is Base.PLAYER:
        return data == (f"P{step + 1}" if step >= 0 else "nobody")
    if base is Base.FACE:
        return model.faces[step].name == data
    return data == step
