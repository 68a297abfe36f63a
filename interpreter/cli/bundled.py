"""Which rulesets come with gemwright."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

_SUFFIX = ".gem.yaml"


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
    found: dict[str, Bundled] = {}
    for folder in _folders(files("gemwright.rulesets")):
        variants = folder / "variants"
        for each in (folder, variants):
            if each.is_dir():
                for name in _names(each):
                    languages = _languages(each, name) or _languages(folder, folder.name)
                    found[name] = Bundled(name, folder.name, languages)
    return found


def _folders(root: Traversable) -> list[Traversable]:
    inside = [each for each in root.iterdir() if each.is_dir()]
    return sorted(inside, key=lambda each: each.name)


def _names(folder: Traversable) -> list[str]:
    names = [each.name for each in folder.iterdir() if each.name.endswith(_SUFFIX)]
    return sorted(name.removesuffix(_SUFFIX) for name in names)


def _languages(folder: Traversable, name: str) -> tuple[str, ...]:
    """The languages of label files `NAME.LANG.yaml`."""
    found = []
    for each in folder.iterdir():
        stem, _, rest = each.name.removesuffix(".yaml").rpartition(".")
        if each.name.endswith(".yaml") and stem == name and rest not in ("gem", "test"):
            found.append(rest)
    return tuple(sorted(found))
