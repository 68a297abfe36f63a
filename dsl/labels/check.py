"""Judges label files against the rules: slots, names, and what is missing.

Slots are judged whenever labels are loaded; a text with a bad slot is left out. Names and what is
missing need the vocabulary of all player counts and options, so they are judged by `validate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gemwright.dsl.diagnostics import Reporter, quoted
from gemwright.dsl.labels.files import Label, LabelFile
from gemwright.dsl.labels.text import COUNT, Case, Text, slots_of, told_by
from gemwright.dsl.labels.vocabulary import BOX, Slots, Vocabulary
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean

_IDENTIFIERS: Final = "en"
"""The language in which identifiers read as names, so that a label file need not repeat them."""

_MOST_LISTED: Final = 12


# -- slots


def sound_labels(file: LabelFile, known: Vocabulary, reporter: Reporter) -> tuple[Label, ...]:
    """The labels of a file whose slots can all be filled; the others are reported.

    Labels of elements that are not there are left out in silence: another player count, option or
    ruleset may have them.
    """
    return tuple(each for each in file.labels if _is_sound(each, known, reporter))


def _is_sound(label: Label, known: Vocabulary, reporter: Reporter) -> bool:
    if not known.has(label.section, label.key):
        return False
    slots = known.slots(label.section, label.key, label.field)
    return check_slots(label.text, slots, reporter)


def check_slots(text: Text, slots: Slots, reporter: Reporter) -> bool:
    """Whether a text uses only slots that it is given; what it does not tell is a warning."""
    good = True
    conditions = [each for case in text.cases for each in case.conditions]
    asked = [(each.slot, each.span) for each in conditions if each.slot]
    for name, span in (*((each.name, each.span) for each in slots_of(text)), *asked):
        if name not in slots.allowed and not (name == COUNT and not _is_used(text, name)):
            there = ", ".join(f"`{each}`" for each in sorted(slots.allowed)) or "none"
            help = did_you_mean(name, sorted(slots.allowed)) or f"its slots are: {there}"
            reporter.error("L003", span, f"this text has no slot {quoted(name)}", help)
            good = False
    for case in text.cases if good else ():
        _check_told(text, case, slots, reporter)
    return good


def _is_used(text: Text, name: str) -> bool:
    return any(part.name == name for part in slots_of(text))


def _check_told(text: Text, case: Case, slots: Slots, reporter: Reporter) -> None:
    """A slot that a case leaves out is lost to the reader, unless the case itself tells it."""
    if not any(not isinstance(part, str) or part.strip() for part in case.parts):
        return  # an empty text says nothing on purpose
    lost = sorted(slots.needed - told_by(text, case))
    if lost:
        names = ", ".join(f"`{{{each}}}`" for each in lost)
        message = f"this text does not tell {names}"
        reporter.warning("L004", case.span, message, f"put {names} in, or test it in the case")


# -- names


def check_names(
    file: LabelFile, known: Vocabulary, others: Mapping[str, Iterable[str]], reporter: Reporter
) -> None:
    """Report labels of elements that do not exist.

    Args:
        others: by section further names that exist, of what no player meets.
    """
    reported: set[Span] = set()
    for label in file.labels:
        found = _name_problem(label, known, others)
        if found is not None and label.key_span not in reported:
            reported.add(label.key_span)
            reporter.error("L002", label.key_span, *found)


def _name_problem(
    label: Label, known: Vocabulary, others: Mapping[str, Iterable[str]]
) -> tuple[str, str] | None:
    """What is wrong with the element that a label names, and what to do; None if it exists."""
    if label.section == "moves":
        return _move_problem(label.key, known)
    if label.field.startswith("ask ") and label.key in known.actions:
        picks = known.actions[label.key]
        pick = label.field.removeprefix("ask ")
        return None if pick in picks else _unknown(pick, f"picks of `{label.key}`", picks)
    names = (*known.met.get(label.section, ()), *others.get(label.section, ()))
    return None if label.key in names else _unknown(label.key, label.section, names)


def _unknown(name: str, what: str, names: Sequence[str]) -> tuple[str, str]:
    hint = did_you_mean(name, sorted(set(names)))
    return f"there is no {quoted(name)} among the {what} of the rules", hint


def _move_problem(key: str, known: Vocabulary) -> tuple[str, str] | None:
    ends = key.split(" to ")
    zones = (*known.met.get("zones", ()), BOX)
    if len(ends) != 2:
        return f"{quoted(key)} does not say from where to where", "write `ZONE to ZONE`"
    return next((_unknown(end, "zones", zones) for end in ends if end not in zones), None)


# -- what is missing


def missing(
    files: Sequence[LabelFile], known: Vocabulary, language: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """By section the elements that a player meets and that the files give no name.

    Numbers need none, nor do faces of a kind whose cards are `called` by what is printed on them.
    """
    if language == _IDENTIFIERS:
        return
    named = {(each.section, each.key) for file in files for each in file.labels}
    called = {each.key for file in files for each in file.labels if each.field == "called"}
    for section in ("faces", "columns", "zones", "state", "parameters", "phases", "actions"):
        lost = [
            key
            for key in known.met.get(section, ())
            if (section, key) not in named and not key.isdecimal()
        ]
        if section == "faces":
            lost = [key for key in lost if known.kind_of[key] not in called]
        if lost:
            yield section, tuple(lost)


def without_sentence(files: Sequence[LabelFile], known: Vocabulary) -> tuple[str, ...]:
    """The actions whose moves are told by a pattern of the runner, not by a sentence of a file."""
    told = {
        each.key
        for file in files
        for each in file.labels
        if each.section == "actions" and each.field == "log"
    }
    return tuple(each for each in known.met.get("actions", ()) if each not in told)


def check_complete(files: Sequence[LabelFile], known: Vocabulary, reporter: Reporter) -> None:
    """Report what the label files of one language, the last one first in line, leave out."""
    last = files[-1]
    if not any(file.title for file in files) and last.language != _IDENTIFIERS:
        reporter.warning(
            "L005", last.start, "the game has no title in this language", "add `title`"
        )
    for section, keys in missing(files, known, last.language):
        message = f"`{section}` lacks {_listed(keys)}"
        help = "until then players read the English name"
        reporter.warning("L005", last.start, message, help)
    untold = without_sentence(files, known)
    if untold:
        message = f"no sentence tells the moves of {_listed(untold)}"
        help = "give the action a `log` and a `move`; until then names are put in a row"
        reporter.info("L006", last.start, message, help)


def _listed(keys: Sequence[str]) -> str:
    shown = ", ".join(quoted(each) for each in keys[:_MOST_LISTED])
    left = len(keys) - _MOST_LISTED
    return f"{shown} and {left} more" if left > 0 else shown
