"""What the languages of people ask of texts: into how many forms a count divides a noun.

Rules of whole numbers after the plural rules of the Unicode CLDR; a language that stands in no
family has two forms, one and other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

Plural: TypeAlias = Callable[[int], str]
"""The category of a count >= 0."""

CATEGORIES: Final = ("zero", "one", "two", "few", "many")
"""What a plural case may be called; the rest of a language's counts are `other`."""

FORMS: Final = ("nom", "gen", "dat", "acc", "ins", "loc", "voc", "the", "a")
"""The grammatical forms that a slot may ask a name for: cases and articles."""

OTHER: Final = "other"


def _alike(count: int) -> str:
    return OTHER


def _one_other(count: int) -> str:
    return "one" if count == 1 else OTHER


def _upto_one(count: int) -> str:
    return "one" if count <= 1 else OTHER


def _east_slavic(count: int) -> str:
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    few = 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14
    return "few" if few else "many"


def _polish(count: int) -> str:
    if count == 1:
        return "one"
    few = 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14
    return "few" if few else "many"


def _czech(count: int) -> str:
    return "one" if count == 1 else "few" if 2 <= count <= 4 else OTHER


def _lithuanian(count: int) -> str:
    if 11 <= count % 100 <= 19:
        return OTHER
    return "one" if count % 10 == 1 else "few" if 2 <= count % 10 <= 9 else OTHER


def _arabic(count: int) -> str:
    if count <= 2:
        return ("zero", "one", "two")[count]
    rest = count % 100
    return "few" if 3 <= rest <= 10 else "many" if rest >= 11 else OTHER


_FAMILIES: Final[tuple[tuple[str, Plural, tuple[str, ...]], ...]] = (
    ("ja ko lo my th vi zh id ms", _alike, ()),
    ("fr pt hy", _upto_one, ("one",)),
    ("uk ru be sr hr bs", _east_slavic, ("one", "few", "many")),
    ("pl", _polish, ("one", "few", "many")),
    ("cs sk", _czech, ("one", "few")),
    ("lt", _lithuanian, ("one", "few")),
    ("ar", _arabic, CATEGORIES),
)

_BY_LANGUAGE: Final[Mapping[str, tuple[Plural, tuple[str, ...]]]] = MappingProxyType(
    {name: (rule, used) for names, rule, used in _FAMILIES for name in names.split()}
)


def plural_of(language: str) -> Plural:
    """The plural rule of a language code such as `uk`."""
    return _BY_LANGUAGE.get(language, (_one_other, ("one",)))[0]


def categories_of(language: str) -> tuple[str, ...]:
    """The plural categories that a language has beside `other`."""
    return _BY_LANGUAGE.get(language, (_one_other, ("one",)))[1]
