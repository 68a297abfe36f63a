"""Whether a value fits a JSON Schema, for the keywords that the schema of rulesets uses.

It answers yes or no at once. What is wrong with a value that does not fit is found by the schema
library, which takes longer to load than a whole ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_Test = Callable[[Any, Any, "_Schema"], bool]


def fits(value: object, schema: Mapping[str, Any]) -> bool:
    """Whether a value of maps, lists, texts, numbers, truth values and None fits a schema.

    Args:
        schema: of draft 2020-12, with references into itself only. A keyword that is not known
            here is an error of ours.
    """
    return _Schema(schema, schema).accepts(value)


class _Schema:
    """A part of a schema, and the whole of it for references."""

    def __init__(self, part: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
        self.part = part
        self.whole = whole

    def accepts(self, value: Any) -> bool:
        return all(_KEYWORDS[key](value, told, self) for key, told in self.part.items())

    def below(self, part: Mapping[str, Any]) -> _Schema:
        return _Schema(part, self.whole)

    def referred(self, reference: str) -> _Schema:
        part: Any = self.whole
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]
        return self.below(part)


def _is_one(value: Any, names: Any, schema: _Schema) -> bool:
    listed = [names] if isinstance(names, str) else names
    return any(_is(value, name) for name in listed)


def _is(value: object, name: str) -> bool:
    if isinstance(value, bool) or name == "boolean":
        return isinstance(value, bool) and name == "boolean"
    return isinstance(value, _TYPES[name])


def _all_items(value: Any, items: Any, schema: _Schema) -> bool:
    return not isinstance(value, list) or all(map(schema.below(items).accepts, value))


def _fields(value: Any, fields: Any, schema: _Schema) -> bool:
    return not isinstance(value, dict) or all(
        schema.below(field).accepts(value[name]) for name, field in fields.items() if name in value
    )


def _other_fields(value: Any, told: Any, schema: _Schema) -> bool:
    if not isinstance(value, dict):
        return True
    known = schema.part.get("properties", ())
    others = [inner for name, inner in value.items() if name not in known]
    return not others if told is False else all(map(schema.below(told).accepts, others))


def _needed(value: Any, names: Any, schema: _Schema) -> bool:
    return not isinstance(value, dict) or all(name in value for name in names)


def _companions(value: Any, told: Any, schema: _Schema) -> bool:
    return not isinstance(value, dict) or all(
        _needed(value, names, schema) for name, names in told.items() if name in value
    )


def _count(value: Any, alternatives: Any, schema: _Schema) -> int:
    return sum(schema.below(each).accepts(value) for each in alternatives)


def _has_items(value: Any, least: Any, schema: _Schema) -> bool:
    return not isinstance(value, list) or len(value) >= least


def _has_fields(value: Any, least: Any, schema: _Schema) -> bool:
    return not isinstance(value, dict) or len(value) >= least


def _same(value: Any, other: Any) -> bool:
    """Whether values are the same: true is not 1 here."""
    return type(value) is type(other) and bool(value == other)


def _anything(value: Any, told: Any, schema: _Schema) -> bool:
    return True


_TYPES: Final[Mapping[str, type]] = {
    "string": str,
    "integer": int,
    "object": dict,
    "array": list,
    "null": type(None),
}
_KEYWORDS: Final[Mapping[str, _Test]] = {
    "type": _is_one,
    "enum": lambda value, listed, schema: any(_same(value, each) for each in listed),
    "pattern": lambda value, pattern, schema: (
        not isinstance(value, str) or re.search(pattern, value) is not None
    ),
    "minimum": lambda value, least, schema: (
        isinstance(value, bool) or not isinstance(value, int) or value >= least
    ),
    "items": _all_items,
    "minItems": _has_items,
    "properties": _fields,
    "additionalProperties": _other_fields,
    "propertyNames": lambda value, told, schema: (
        not isinstance(value, dict) or all(map(schema.below(told).accepts, value))
    ),
    "minProperties": _has_fields,
    "required": _needed,
    "dependentRequired": _companions,
    "anyOf": lambda value, told, schema: _count(value, told, schema) > 0,
    "oneOf": lambda value, told, schema: _count(value, told, schema) == 1,
    "$ref": lambda value, told, schema: schema.referred(told).accepts(value),
    **dict.fromkeys(("title", "description", "$schema", "$defs"), _anything),
}
