"""Whether a value fits the schema: the quick answer against the answer of the schema library."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gemwright.dsl.compose import load_document
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.fitting import fits
from gemwright.dsl.ruleset import bundled
from gemwright.dsl.shape import whole_schema
from gemwright.dsl.tree import plain

SCHEMA = whole_schema()
OTHER = st.sampled_from(
    (None, True, 0, 1, -3, "", "name", "Not a name", "1..9", "name\n", [], ["a"], {}, {"a": 1})
)
NAMES = ("range", "where", "repeat", "other", "Not a name")


@cache
def ruleset(name: str) -> Any:
    document = load_document(bundled()[name], name, Reporter())
    assert document is not None
    return plain(document.tree)


@cache
def library() -> Draft202012Validator:
    return Draft202012Validator(SCHEMA)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values in a tree but itself."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, inner in parts:
        found.append((*path, key))
        if isinstance(inner, dict | list):
            found += places(inner, (*path, key))
    return found


@pytest.mark.parametrize("name", bundled())
def test_bundled_rules_fit(name: str) -> None:
    assert fits(ruleset(name), SCHEMA)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_changed_rules_fit_if_the_library_says_so(data: st.DataObject) -> None:
    tree = deepcopy(ruleset(data.draw(st.sampled_from(("lantern_market", "thirty_points")))))
    *way, last = data.draw(st.sampled_from(places(tree)))
    part = tree
    for step in way:
        part = part[step]
    change = data.draw(st.sampled_from(("other", "gone", "more")))
    if change == "other":
        part[last] = data.draw(OTHER)
    elif change == "gone":
        del part[last]
    elif isinstance(part, dict):
        part[data.draw(st.sampled_from(NAMES))] = data.draw(OTHER)
    assert fits(tree, SCHEMA) == library().is_valid(tree)
