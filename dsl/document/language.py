"""Which version of the language a rules file is written in."""

from __future__ import annotations

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.shape import LANGUAGE
from gemwright.dsl.document.tree import Map, Scalar


def is_known(tree: Map, reporter: Reporter) -> bool:
    """Whether this program reads the language of a file; a later one is reported.

    A file without a number, or with something else in its place, counts as known: the check of
    its shape says what is wrong.
    """
    language = tree.get("language")
    number = language.value if isinstance(language, Scalar) else None
    if language is None or isinstance(number, bool) or not isinstance(number, int):
        return True
    if number <= LANGUAGE:
        return True
    message = f"the file is written in language {number}; this program knows {LANGUAGE}"
    reporter.error("S005", language.span, message, "use a newer version of this program")
    return False
