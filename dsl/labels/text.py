"""A text of a label file: a template with named slots, or several of them by case.

`take {lot}` is a text; so is a map of cases, of which the first that fits is taken:

    you, no lot: You take nothing.
    you: You take {lot}.
    no lot: "{player} takes nothing."
    other: "{player} takes {lot}."

A slot may ask for a grammatical form, `{zone:gen}`; `{name:same}` hands on the form that was asked
of the text itself. A case is a list of conditions, see `Condition`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from gemwright.dsl.labels.languages import OTHER, Plural
from gemwright.dsl.source import Span

SAME: Final = "same"
"""The form of a slot that hands on the form asked of the whole text."""

COUNT: Final = "count"
"""The slot that a bare plural category speaks of."""

READER: Final = "player"
"""The slot that a bare `you` speaks of."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of a template that is filled; `form` is '' where none is asked for."""

    name: str
    form: str
    span: Span


Part: TypeAlias = str | Slot


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for a case.

    `test` is 'form' (the form asked of the text is `word`), 'plural' (the number in `slot` is of
    category `word`), 'you' (`slot` is the reader), 'no' (nothing, nobody, zero, or no is in
    `slot`), or 'hidden' (the reader cannot know what is in `slot`).
    """

    test: str
    slot: str
    word: str
    span: Span


@dataclass(frozen=True, slots=True)
class Case:
    """A template with what must hold for it; without conditions it always fits."""

    conditions: tuple[Condition, ...]
    parts: tuple[Part, ...]
    span: Span

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of the template."""
        return tuple(part for part in self.parts if isinstance(part, Slot))


@dataclass(frozen=True, slots=True)
class Text:
    """Cases in the order of the file; the last one always fits."""

    cases: tuple[Case, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Fill:
    """What stands in a slot: how it is written in a form, and what cases may ask of it."""

    write: Callable[[str], str]
    number: int | None = None
    you: bool = False
    nothing: bool = False
    hidden: bool = False


Filling: TypeAlias = Fill | str | int


def filled(value: Filling) -> Fill:
    """A plain text or number as what stands in a slot."""
    if isinstance(value, Fill):
        return value
    number = value if isinstance(value, int) else None
    return Fill(lambda form: str(value), number, nothing=value in (0, ""))


def write(text: Text, slots: Mapping[str, Filling], plural: Plural, form: str = "") -> str:
    """A text with its slots filled, in a grammatical form.

    Slots that the text does not use may be given; one that it uses and that is missing is a fault
    of ours: texts are checked when they are read.
    """
    fills = {name: filled(value) for name, value in slots.items()}
    case = next(each for each in text.cases if _fits(each, fills, plural, form))
    written = []
    for part in case.parts:
        if isinstance(part, str):
            written.append(part)
        else:
            asked = form if part.form == SAME else part.form
            written.append(fills[part.name].write(asked))
    return "".join(written)


def _fits(case: Case, fills: Mapping[str, Fill], plural: Plural, form: str) -> bool:
    return all(_holds(each, fills, plural, form) for each in case.conditions)


def _holds(asked: Condition, fills: Mapping[str, Fill], plural: Plural, form: str) -> bool:
    if asked.test == "form":
        return form == asked.word
    fill = fills.get(asked.slot)
    match asked.test:
        case "plural":
            number = 1 if fill is None or fill.number is None else fill.number
            return plural(abs(number)) == asked.word
        case "you":
            return fill is not None and fill.you
        case "no":
            return fill is not None and fill.nothing
    assert asked.test == "hidden", asked
    return fill is not None and fill.hidden


def spellings(text: Text) -> tuple[str, ...]:
    """Every way in which a text without slots may be written: what a person may type for it."""
    plain = [part for case in text.cases if len(case.parts) == 1 for part in case.parts]
    return tuple(dict.fromkeys(part for part in plain if isinstance(part, str)))


def plain_text(text: str, span: Span) -> Text:
    """A text without slots and cases."""
    return Text((Case((), (text,), span),), span)


def slots_of(text: Text) -> tuple[Slot, ...]:
    """The slots of all cases."""
    return tuple(slot for case in text.cases for slot in case.slots)


def told_by(text: Text, case: Case) -> frozenset[str]:
    """The slots that a reader of a case knows of: used in it, or tested by it or before it."""
    told = {slot.name for slot in case.slots}
    for each in text.cases:
        told |= {condition.slot for condition in each.conditions}
        if each is case:
            break
    return frozenset(told)


REST: Final = OTHER
"""The key of the case that always fits."""
