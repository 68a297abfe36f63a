"""Differences between two rulesets in plain English, for people who know the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from gemwright.dsl.comparison.elements import ADDED, REMOVED, USUAL, Change

Namer = Callable[[str, str], str]
"""What an element of a section is called."""

HEADINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "players": "players",
        "options": "options",
        "components": "components",
        "kinds": "kinds of pieces",
        "tables": "tables",
        "zones": "places",
        "state": "what is kept track of",
        "define": "how things are reckoned",
        "setup": "setup",
        "effects": "what happens",
        "phases": "course of the game",
        "actions": "what players may do",
        "result": "result",
        "match": "match",
        "clauses": "clauses of the rulebook",
    }
)

_VALUES: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("players", "players"): "for {} players",
        ("players", "default_players"): "{} play unless another number is asked for",
        ("options", "range"): "{name} may be any number in {}",
        ("options", "needs"): "{name} is possible if {}",
        ("components", "pieces"): "there are {} pieces of the kind {name}",
        ("kinds", "count"): "there are {} of each {name}",
        ("kinds", "members"): "{name} is one of {}",
        ("zones", "limit"): "{name} holds {}",
        ("zones", "holds"): "{name} is for {}",
        ("zones", "per"): "{name} belongs to {}",
        ("zones", "order"): "{name} lies as {}",
        ("zones", "refill"): "{name} is filled up from {}",
        ("zones", "seen_by"): "{name} is seen by {}",
        ("state", "range"): "{name} is within {}",
        ("state", "type"): "{name} is {}",
        ("state", "start"): "{name} begins at {}",
        ("state", "seen_by"): "{name} is seen by {}",
        ("define", "is"): "{name} is {}",
        ("phases", "start"): "{name} begins with {}",
        ("phases", "if"): "{name} takes place if {}",
        ("phases", "each"): "{name} is for each {}",
        ("phases", "by"): "{name} is a choice of {}",
        ("phases", "actions"): "in {name} one may {}",
        ("phases", "otherwise"): "in {name}, where nothing of that is possible: {}",
        ("phases", "repeat"): "{name} is repeated {}",
        ("phases", "at once"): "in {name} all choose at once: {}",
        ("phases", "steps"): "{name} is made of {}",
        ("phases", "cap times"): "{name} takes place at most {} times",
        ("result", "score"): "the score is {}",
        ("result", "winner"): "the winner is who has {}",
        ("result", "nobody"): "nobody wins if {}",
        ("result", "ties"): "ties are {}",
        ("match", "games"): "a match has {} games",
        ("match", "points"): "a game brings {} points",
    }
)
"""What a field says; `{}` is its value."""

_LINES: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "where": (
            "{name} is possible only if `{after}`",
            "{name} is possible also without `{before}`",
            "{name} is possible only if `{after}` (before: `{before}`)",
        ),
        "do": (
            "{name}: new: `{after}`",
            "{name}: no longer: `{before}`",
            "{name}: `{after}` (before: `{before}`)",
        ),
        "next": (
            "after {name}, new: `{after}`",
            "after {name}, no longer: `{before}`",
            "after {name}: `{after}` (before: `{before}`)",
        ),
        "setup": (
            "new: `{after}`",
            "no longer: `{before}`",
            "`{after}` (before: `{before}`)",
        ),
    }
)
"""How a line is told that is new, gone, or changed."""


def worded(change: Change, name: Namer) -> list[str]:
    """A difference in one line, of a whole element with its fields below."""
    if change.section == "clauses":
        return [_clause(change)]
    called = name(change.section, change.element)
    if not change.what:
        return _element(change, called)
    if change.section == "options" and change.what == "values":
        return _option(change, called)
    before, after = change.before.strip(), change.after.strip()
    if change.what in _LINES:
        added, removed, changed = _LINES[change.what]
        form = added if change.kind == ADDED else removed if change.kind == REMOVED else changed
        return [form.format(name=called, before=before, after=after)]
    if change.what.startswith("row "):
        called = f"{called}, {change.what.removeprefix('row ')}"
    return [_value(change, called, _shown(change, before), _shown(change, after))]


def _shown(change: Change, value: str) -> str:
    """A value as it reads in a sentence."""
    if value and change.what == "limit":
        return f"at most {value}"
    return value.replace("..", " to ") if change.what in ("players", "range") else value


def _element(change: Change, name: str) -> list[str]:
    if change.kind == REMOVED:
        return [f"{name} is gone"]
    return [f"{name} is new", *(f"  {line}" for line in change.after.splitlines())]


def _clause(change: Change) -> str:
    if change.kind == REMOVED:
        return f"no rule carries out {change.element} any more: {change.before}"
    if change.kind == ADDED:
        return f"{change.element} is carried out: {change.after}"
    return f"{change.element} reads: {change.after} (before: {change.before})"


def _option(change: Change, name: str) -> list[str]:
    """Which values an option lost and won, and whether another one is the default."""
    before, after = change.before.split(", "), change.after.split(", ")
    told = []
    if before[0] != after[0]:
        told.append(f"{name} is {after[0]} unless something else is chosen (before: {before[0]})")
    new = [value for value in after[1:] if value not in before]
    lost = [value for value in before if value not in after]
    if new:
        told.append(f"{name} may also be {', '.join(new)}")
    if lost:
        told.append(f"{name} can no longer be {', '.join(lost)}")
    return told or [f"the values of {name} stand in another order: {change.after}"]


def _value(change: Change, name: str, before: str, after: str) -> str:
    key = (change.section, change.what)
    usual = USUAL.get(key, "nothing")
    form = _VALUES.get(key)
    if form is None:
        what = "" if change.what.startswith("row ") else f", {change.what}"
        return f"{name}{what}: {after or usual} (before: {before or usual})".lstrip(", ")
    if not after and key not in USUAL:
        return f"no longer: {form.format(before, name=name)}"
    if not before and key not in USUAL:
        return f"new: {form.format(after, name=name)}"
    return f"{form.format(after or usual, name=name)} (before: {before or usual})"
