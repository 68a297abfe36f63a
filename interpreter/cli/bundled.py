"""Which rulesets come with gemwright: names, variants, languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemwright.dsl.labels.files import languages_beside
from gemwright.dsl.ruleset import bundled

_VARIANTS = "variants"


@dataclass(frozen=True, slots=True)
class Bundled:
    """A bundled ruleset: its name, the game whose folder it lies in, and its languages."""

    name: str
    base: str
    languages: tuple[str, ...]

    @property
    def is_variant(self) -> bool:
        """Whether it lies among the variants of another ruleset."""
        return self.name != self.base


def bundled_rulesets() -> Mapping[str, Bundled]:
    """All bundled rulesets by name, each game followed by its variants."""
    found = [_described(name, path) for name, path in bundled().items()]
    order = sorted(found, key=lambda each: (each.base, each.is_variant, each.name))
    return {each.name: each for each in order}


def _described(name: str, path: Path) -> Bundled:
    folder = path.parent.parent if path.parent.name == _VARIANTS else path.parent
    # A variant speaks the languages of its game, and perhaps more.
    languages = {*languages_beside(path.parent, name), *languages_beside(folder, folder.name)}
    return Bundled(name, folder.name, tuple(sorted(languages)))
