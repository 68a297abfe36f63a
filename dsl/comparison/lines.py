"""Which lines of two texts belong together: equal ones, and those that were most likely changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

_ALIKE: Final = 0.6
"""Lines at least this similar count as one line that was changed."""


def paired(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Lines that differ: (old, new), (old, '') for one that is gone, ('', new) for a new one."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i, j, k, n in matcher.get_opcodes():
        if tag != "equal":
            yield from _block(before[i:j], after[k:n])


def _block(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The lines of one stretch: each old one with the new one that is most like it, if any."""
    left = list(after)
    for old in before:
        best = max(left, key=lambda new: _likeness(old, new), default="")
        if best and _likeness(old, best) >= _ALIKE:
            left.remove(best)
            yield old, best
        else:
            yield old, ""
    yield from (("", new) for new in left)


def _likeness(one: str, two: str) -> float:
    return SequenceMatcher(None, one.split(), two.split(), autojunk=False).ratio()
