"""Looking into terms, domains, statements and whole models, whatever they are made of.

Which fields of a class can hold something inside is read off its annotations, once per class.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from gemwright.dsl.model import game as model
from gemwright.dsl.model import terms
from gemwright.dsl.model import terms as t

_DOMAINS: Final = (t.Faces, t.Players, t.Numbers, t.Pieces)
_PLAIN: Final = frozenset(("int", "str", "bool", "None", "tuple", "Span", "Type"))


def _inner(cls: type[Any]) -> tuple[str, ...]:
    return tuple(
        each.name
        for each in fields(cls)
        if not _PLAIN.issuperset(re.findall(r"\w+", str(each.type)))
    )


INNER: Final[Mapping[type, tuple[str, ...]]] = {
    each: _inner(each)
    for module in (terms, model)
    for each in vars(module).values()
    if isinstance(each, type) and is_dataclass(each)
}
"""By class of terms and of the model: the fields that can hold more of it, in order."""


def parts(node: t.Term | t.Domain) -> list[t.Term]:
    """The terms directly inside a term or domain, domains of folds opened, in order."""
    found: list[t.Term] = []
    for name in INNER[type(node)]:
        value = getattr(node, name)
        if isinstance(value, t.Term):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(value)
        elif isinstance(value, _DOMAINS):
            found.extend(parts(value))
    return found


def within(node: t.Term | t.Domain) -> Iterator[t.Term]:
    """All terms inside a term or domain, a term itself included."""
    todo = [node] if isinstance(node, t.Term) else parts(node)
    while todo:
        here = todo.pop()
        yield here
        todo.extend(parts(here))


def mentions(node: t.Term | t.Domain, slots: Iterable[int]) -> bool:
    """Whether a term reads one of the frame slots."""
    wanted = set(slots)
    return any(isinstance(each, t.Local) and each.slot in wanted for each in within(node))


def nodes(root: object) -> Iterator[object]:
    """Everything that a part of a model is made of: points, statements, terms, domains; itself
    included."""
    todo = [root]
    while todo:
        here = todo.pop()
        if isinstance(here, tuple):
            todo.extend(each for each in here if not isinstance(each, int | str))
        elif type(here) in INNER:
            yield here
            todo.extend([getattr(here, name) for name in INNER[type(here)]])
