"""Which other files a ruleset may name, and where they are looked for.

A ruleset is a stranger's text: it may name files below its own folder and rulesets by name, and
nothing else. The text of a path is judged first, then the place it leads to through links; only
then is anything opened.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter, quoted
from gemwright.dsl.document.tree import Scalar

RULES_SUFFIX: Final = ".gem.yaml"
TABLE_SUFFIX: Final = ".csv"
VARIANTS: Final = "variants"

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_PART: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Located:
    """A file that may be read: its real place, and how it is shown."""

    real: Path
    shown: str


def locate_ruleset(folder: Path, shown: str, scalar: Scalar, reporter: Reporter) -> Located | None:
    """The base that an `extends` names.

    A name is looked for in the own folder, from a folder `variants` in the one above it, and among
    the bundled rulesets; anything else is a path below the own folder.

    Args:
        folder: the real folder of the file that says `extends`.
        shown: the path of that file as shown.
    """
    text = scalar.text
    if not _NAME.fullmatch(text):
        return _locate_below(folder, shown, scalar, RULES_SUFFIX, reporter)
    candidates = [(folder, _beside(shown, text + RULES_SUFFIX))]
    if folder.name == VARIANTS:
        candidates.append((folder.parent, _beside(shown, "..", text + RULES_SUFFIX)))
    for place, name in candidates:
        real = place / (text + RULES_SUFFIX)
        if os.path.lexists(real):
            return _inside(place, real, name, scalar, reporter)
    found = bundled_ruleset(text)
    if found is None:
        message = f"there is no ruleset {quoted(text)} beside this file or among the bundled ones"
        reporter.error("Y017", scalar.span, message, "give its name, or a path below this folder")
    return found


def locate_table(folder: Path, shown: str, scalar: Scalar, reporter: Reporter) -> Located | None:
    """The table that a `table`, `file` or `rulebook` names: a `.csv` path below `folder`."""
    return _locate_below(folder, shown, scalar, TABLE_SUFFIX, reporter)


def bundled_ruleset(name: str) -> Located | None:
    """A ruleset that came with the package, or one of its variants."""
    if not _NAME.fullmatch(name):
        return None
    root = bundled_root()
    if root is None:
        return None
    own = root / name / (name + RULES_SUFFIX)
    places = [own, *sorted(root.glob(f"*/{VARIANTS}/{name}{RULES_SUFFIX}"))]
    for place in places:
        if place.is_file():
            # The real file: an editable install holds links to the folder where its tables lie.
            return Located(place.resolve(), f"rulesets/{place.relative_to(root).as_posix()}")
    return None


def bundled_root() -> Path | None:
    """The folder of the bundled rulesets; None where the package is not unpacked to files."""
    try:
        # A folder without code is a namespace: only what lies in it has a path.
        inside = files("gemwright.rulesets").joinpath("README.md")
    except (ModuleNotFoundError, TypeError):
        return None
    return inside.parent if isinstance(inside, Path) else None


def _locate_below(
    folder: Path, shown: str, scalar: Scalar, suffix: str, reporter: Reporter
) -> Located | None:
    text = scalar.text
    if problem := _fault(text):
        message = f"the path {quoted(text)} {problem}"
        help = f"name a file below the folder of this one, such as tables/name{suffix}"
        reporter.error("Y013", scalar.span, message, help)
        return None
    if not text.endswith(suffix):
        message = f"{quoted(text)} does not end in `{suffix}`"
        reporter.error("Y017", scalar.span, message, f"name a `{suffix}` file")
        return None
    real = folder.joinpath(*text.split("/"))
    return _inside(folder, real, _beside(shown, text), scalar, reporter)


def _fault(text: str) -> str:
    """What is wrong with the text of a path, or an empty string."""
    if "\\" in text:
        return "holds a backslash"
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text):
        return "is an address or names a drive, which cannot be read from a ruleset"
    if text.startswith(("/", "~")):
        return "does not start in the folder of this file"
    parts = text.split("/")
    if any(part in (".", "..") for part in parts):
        return "goes through `.` or `..`"
    if len(text) > _LONGEST or not all(_PART.fullmatch(part) for part in parts):
        return "is not made of plain folder and file names"
    return ""


def _inside(
    folder: Path, real: Path, shown: str, scalar: Scalar, reporter: Reporter
) -> Located | None:
    """The file behind all links, if it lies below the folder behind all links."""
    try:
        target = real.resolve()
        root = folder.resolve()
    except (OSError, RuntimeError):
        message = f"the path {quoted(scalar.text)} leads in a circle of links"
        reporter.error("Y013", scalar.span, message)
        return None
    if not target.is_relative_to(root):
        message = f"the path {quoted(scalar.text)} leads out of the folder through a link"
        reporter.error("Y013", scalar.span, message, "put a copy of the file into the folder")
        return None
    return Located(target, shown)


def _beside(shown: str, *parts: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(shown), *parts))
