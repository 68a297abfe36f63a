"""The shape of a rules file as a JSON Schema: which fields stand where, with which kinds of value.

The schema serves editors as published, and `schema` checks files by it. Its patterns are ours
alone and simple; nothing a file says becomes a pattern. Every part has a `description` in words
that complete "should be ...", every map of fixed fields a `title` in words that complete "is not a
field of ...".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Schema: TypeAlias = dict[str, Any]

LANGUAGE: Final = 1
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
#: The end as readers of both kinds see it: for some, `$` also matches before a last line end.
NAME_PATTERN: Final = r"^[a-z][a-z0-9_]*$(?!\n)"
#: `name` or `name(a, b)`: the name and its parameters; the inside is parsed later.
SIGNATURE_PATTERN: Final = r"^[a-z][a-z0-9_]*( *\([^()]*\))?$(?!\n)"
_RANGE_PATTERN: Final = r"\.\."
_ORDER_PATTERN: Final = r"^(stack|row of .+)$(?!\n)"

_TEXT: Final[Schema] = {"type": "string", "description": "text"}
_NAME: Final[Schema] = {"type": "string", "pattern": NAME_PATTERN, "description": "a name"}
_WHOLE: Final[Schema] = {"type": "integer", "description": "a whole number"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 1, "description": "a number from 1 on"}
_EXPRESSION: Final[Schema] = {
    "type": ["string", "integer", "boolean"],
    "description": "an expression in one text",
}
_SENTENCES: Final[Schema] = {"type": "string", "description": "sentences in one text"}
_RANGE: Final[Schema] = {
    "type": "string",
    "pattern": _RANGE_PATTERN,
    "description": "a range such as `1..9`",
}
_VALUE: Final[Schema] = {
    "type": ["string", "integer", "boolean"],
    "description": "a name, a number, true or false",
}
_CELL: Final[Schema] = {
    "type": ["string", "integer", "boolean", "object"],
    "additionalProperties": {"type": "integer"},
    "description": "a single value for a cell, or a map from members to numbers",
}


def _list(items: Schema, description: str, least: int = 1) -> Schema:
    return {"type": "array", "items": items, "minItems": least, "description": description}


def _either(description: str, *alternatives: Schema) -> Schema:
    return {"anyOf": list(alternatives), "description": description}


def _named(value: Schema, what: str, pattern: str = NAME_PATTERN, least: int = 0) -> Schema:
    """A map from names that the author chooses."""
    schema: Schema = {
        "type": "object",
        "additionalProperties": value,
        "propertyNames": {"pattern": pattern},
        "description": f"a map from names to {what}",
    }
    if least:
        schema["minProperties"] = least
    return schema


def _fields(title: str, properties: Mapping[str, Schema], *required: str, **more: Any) -> Schema:
    """A map of fixed fields."""
    schema: Schema = {
        "type": "object",
        "title": title,
        "properties": dict(properties),
        "additionalProperties": False,
        "description": f"a map with the fields of {title}",
    }
    if required:
        schema["required"] = list(required)
    return {**schema, **more}


def _one_of(*forms: str) -> list[Schema]:
    return [{"required": [form]} for form in forms]


_NAMES: Final = _list(_NAME, "a list of names")
_CLAUSE: Final = _either(
    "a clause mark or a list of them", _TEXT, _list(_TEXT, "a list of clause marks")
)
_LABEL: Final = _either(
    "text, or a map from languages to text", _TEXT, _named(_TEXT, "text", least=1)
)


def _option() -> Schema:
    return _fields(
        "an option",
        {
            "values": _list(_VALUE, "a list of values, the default first"),
            "range": _RANGE,
            "clause": _CLAUSE,
            "needs": _EXPRESSION,
            "label": _LABEL,
        },
        "values",
    )


def _kind() -> Schema:
    column = _either(
        "a range, a kind, `flag`, `test(lot)`, or a map with `per` and `range`",
        _TEXT,
        _fields("a column", {"per": _NAME, "range": _RANGE}, "per", "range"),
    )
    members = _either("a list of names or a range", _NAMES, _RANGE)
    long = _fields(
        "a kind",
        {
            "members": members,
            "table": _TEXT,
            "rows": _list(_list(_CELL, "a list of cells"), "a list of rows"),
            "every combination": _EXPRESSION,
            "one per": {"enum": ["player"], "description": "`player`"},
            "named": _NAMES,
            "columns": _named(column, "columns"),
            "count": _EXPRESSION,
            "plural": _NAME,
            "clause": _CLAUSE,
        },
        oneOf=_one_of("members", "table", "rows", "every combination", "one per"),
        dependentRequired={"named": ["one per"]},
    )
    return _either("a list of members, a range, a union of kinds, or a map", _NAMES, _TEXT, long)


def _table() -> Schema:
    by = _list(_TEXT, "a list of kinds and ranges")
    fields = {"file": _TEXT, "by": by, "range": _RANGE, "default": _WHOLE, "clause": _CLAUSE}
    return _fields("a table", fields, "file", "by")


def _zone() -> Schema:
    order = {"type": "string", "pattern": _ORDER_PATTERN, "description": "`stack` or `row of 4`"}
    return _fields(
        "a zone",
        {
            "holds": _TEXT,
            "per": _TEXT,
            "order": order,
            "refill": _NAME,
            "limit": _EXPRESSION,
            "seen_by": _either("who sees it, or a map from columns", _TEXT, _named(_TEXT, "text")),
            "clause": _CLAUSE,
        },
        "holds",
    )


def _state() -> Schema:
    fields = {
        "type": _TEXT,
        "range": _RANGE,
        "per": _TEXT,
        "start": _EXPRESSION,
        "seen_by": _TEXT,
        "clause": _CLAUSE,
    }
    long = _fields("a state", fields, anyOf=_one_of("type", "range"))
    return _either("a type such as `flag` or `0..5`, or a map", _TEXT, long)


def _define() -> Schema:
    long = _fields("a definition", {"is": _EXPRESSION, "clause": _CLAUSE}, "is")
    return _either("an expression in one text, or a map with `is`", _EXPRESSION, long)


def _effect() -> Schema:
    long = _fields("an effect", {"do": _SENTENCES, "clause": _CLAUSE}, "do")
    return _either("sentences in one text, or a map with `do`", _SENTENCES, long)


def _phase(reference: str) -> Schema:
    again = _fields("an otherwise branch", {"actions": _NAMES}, "actions")
    cap = _fields("a cap", {"times": _EXPRESSION, "to": _TEXT}, "times", "to")
    measures = _list(_EXPRESSION, "a list of expressions")
    return _fields(
        "a phase",
        {
            "if": _EXPRESSION,
            "each": _TEXT,
            "by": _TEXT,
            "actions": _NAMES,
            "otherwise": _either("a phase, `pass`, or a map with `actions`", _NAME, again),
            "repeat": _TEXT,
            "at once": {"type": "boolean", "description": "true or false"},
            "anytime": _named(_NAMES, "lists of actions"),
            "do": _SENTENCES,
            "steps": _NAMES,
            "start": _NAME,
            "phases": _named({"$ref": reference}, "phases", least=1),
            "next": _TEXT,
            "cap": cap,
            "decreases": _either("an expression or a list of them", _EXPRESSION, measures),
            "clause": _CLAUSE,
        },
        oneOf=_one_of("do", "actions", "steps", "phases"),
        dependentRequired={
            "by": ["actions"],
            "otherwise": ["actions"],
            "start": ["phases"],
            "phases": ["start"],
        },
    )


def _phases(reference: str) -> Schema:
    return {
        "type": "object",
        "title": "the phases",
        "properties": {"start": _NAME},
        "required": ["start"],
        "additionalProperties": {"$ref": reference},
        "propertyNames": {"pattern": NAME_PATTERN},
        "description": "a map with `start` and phases by name",
    }


def _action() -> Schema:
    fields = {
        "choose": _named(_TEXT, "domains"),
        "where": _EXPRESSION,
        "do": _SENTENCES,
        "clause": _CLAUSE,
    }
    return _fields("an action", fields)


def _winner() -> Schema:
    marked = _fields("a key", {"key": _TEXT, "clause": _CLAUSE}, "key")
    key = _either("a key such as `highest points`, or a map with `key` and `clause`", _TEXT, marked)
    return _list(key, "a list of keys such as `highest points`")


def _result() -> Schema:
    winner = _winner()
    fields = {
        "score": _EXPRESSION,
        "winner": winner,
        "nobody": _EXPRESSION,
        "ties": _TEXT,
        "clause": _CLAUSE,
    }
    return _fields("a result", fields, anyOf=_one_of("score", "winner"))


def _match() -> Schema:
    winner = _winner()
    fields = {
        "games": _EXPRESSION,
        "points": _EXPRESSION,
        "first": _TEXT,
        "first_player": _NAME,
        "winner": winner,
        "ties": _TEXT,
        "clause": _CLAUSE,
    }
    return _fields("a match", fields, "games", "points")


def _expectation() -> Schema:
    players = _either("a number or a list of numbers", _COUNT, _list(_COUNT, "a list of numbers"))
    verdict = {"enum": ["proved", "refuted", "unknown"], "description": "a verdict"}
    claim = {"enum": ["terminates", "always_a_move", "conserved"], "description": "a claim"}
    measures = _list(_EXPRESSION, "a list of expressions")
    return _fields(
        "an expectation",
        {
            "id": claim,
            "players": players,
            "expect": verdict,
            "options": _named(_VALUE, "values"),
            "because": _TEXT,
            "decreases": _either("an expression or a list of them", _EXPRESSION, measures),
            "trace": _TEXT,
        },
        "id",
        "expect",
    )


def _ruleset(phase: str) -> Schema:
    players = _either("a number or a range such as `2..5`", _COUNT, _RANGE)
    language = {"enum": [LANGUAGE], "description": f"the number {LANGUAGE}"}
    properties = {
        "language": language,
        "game": _NAME,
        "extends": _TEXT,
        "title": _LABEL,
        "players": players,
        "default_players": _COUNT,
        "rulebook": _TEXT,
        "options": _named(_option(), "options"),
        "kinds": _named(_kind(), "kinds"),
        "tables": _named(_table(), "tables"),
        "zones": _named(_zone(), "zones"),
        "state": _named(_state(), "states"),
        "define": _named(_define(), "expressions", SIGNATURE_PATTERN),
        "setup": _SENTENCES,
        "effects": _named(_effect(), "sentences", SIGNATURE_PATTERN),
        "phases": _phases(phase),
        "actions": _named(_action(), "actions"),
        "result": _result(),
        "match": _match(),
        "expect": _list(_expectation(), "a list of expectations", least=0),
    }
    return _fields("a ruleset", properties, "language", "game", "players", "phases", "result")


def whole_schema() -> Schema:
    """The schema of a complete ruleset: one that extends nothing, or a merged one."""
    return {
        "$schema": DIALECT,
        **_ruleset("#/$defs/phase"),
        "$defs": {"phase": _phase("#/$defs/phase")},
    }


def ruleset_schema() -> Schema:
    """The published JSON Schema (draft 2020-12) of a rules file.

    A file with `extends` says only what differs: nothing is required, and `null` removes.
    """
    return {
        "$schema": DIALECT,
        "$id": "https://gemwright.invalid/ruleset.schema.json",
        "title": "a ruleset",
        "type": "object",
        "if": {"required": ["extends"]},
        "then": _as_overlay(_ruleset("#/$defs/overlay_phase")),
        "else": _ruleset("#/$defs/phase"),
        "$defs": {
            "phase": _phase("#/$defs/phase"),
            "overlay_phase": _as_overlay(_phase("#/$defs/overlay_phase")),
        },
    }


#: What asks for fields, which an overlay may leave to its base.
_DEMANDS: Final = ("required", "oneOf", "dependentRequired", "minProperties")


def _as_overlay(schema: Schema) -> Schema:
    """A part of the schema, with nothing required and every field removable by null."""
    made: Schema = {}
    for key, value in schema.items():
        if key in _DEMANDS or (key == "anyOf" and _is_demand(value)):
            continue
        if key == "properties":
            made[key] = {name: _removable(part) for name, part in value.items()}
        elif key == "additionalProperties" and isinstance(value, dict):
            made[key] = _removable(value)
        elif key == "anyOf":
            made[key] = [_as_overlay(part) for part in value]
        else:
            made[key] = value
    return made


def _removable(schema: Schema) -> Schema:
    return {"anyOf": [_as_overlay(schema), {"type": "null"}]}


def _is_demand(alternatives: list[Schema]) -> bool:
    return all(set(part) == {"required"} for part in alternatives)
