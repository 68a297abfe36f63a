"""Findings of the shape of a file: fields and their kinds of value (letter S)."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

_SCHEMA: Final = "against the JSON Schema of rulesets; exact"

SHAPE_CODES: Final = (
    CodeInfo(
        "S001",
        "unknown-field",
        "A field that does not exist at this place.",
        "A misspelt field would otherwise be ignored, and the rule with it.",
        "phasess: {start: turn, turn: {do: pass}}\n",
        "phases: {start: turn, turn: {do: pass}}\n",
        _SCHEMA,
    ),
    CodeInfo(
        "S002",
        "wrong-type",
        "A value of the wrong kind.",
        "The field means nothing with such a value.",
        'players: "2-4"\n',
        "players: 2..4\n",
        _SCHEMA,
    ),
    CodeInfo(
        "S003",
        "missing-field",
        "A field that is needed is not there.",
        "The element has no meaning without it.",
        "language: 1\ngame: market\nphases: {start: turn, turn: {do: pass}}\n"
        "result: {score: points}\n",
        "language: 1\ngame: market\nplayers: 2..4\nphases: {start: turn, turn: {do: pass}}\n"
        "result: {score: points}\n",
        _SCHEMA,
    ),
    CodeInfo(
        "S004",
        "ambiguous-form",
        "An element has two forms at once, such as a phase with both `do` and `actions`.",
        "Each form says alone what happens; it would be open which one counts.",
        "phases:\n  start: turn\n  turn: {do: pass, by: active, actions: [take]}\n",
        "phases:\n  start: turn\n  turn: {by: active, actions: [take]}\n",
        _SCHEMA,
    ),
    CodeInfo(
        "S005",
        "language-version",
        "The file is written in a version of the language that this program does not know.",
        "Reading it by older rules could give another game.",
        "language: 2\n",
        "language: 1\n",
        "by comparing numbers; exact",
    ),
    CodeInfo(
        "S006",
        "bad-name",
        "A name with other characters than small letters, digits and underscores.",
        "Names are used inside sentences and saved games; what players read, in any language "
        "and script, comes from label files.",
        "zones:\n  Bank: {holds: stone}\n",
        "zones:\n  bank: {holds: stone}\n",
        _SCHEMA,
    ),
    CodeInfo(
        "S007",
        "empty-range",
        "A range whose end is below its start.",
        "No number lies in it.",
        "players: 5..2\n",
        "players: 2..5\n",
        "by comparing the two numbers; exact",
    ),
)
