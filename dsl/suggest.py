"""Guessing which name was meant.

A name is near when its distance (letters left out, added, exchanged, or two neighbours swapped) is
at most a third of its length, and at least one. Callers pass only names that would be allowed at
the place: same kind, same scope.
"""

from __future__ import annotations

from collections.abc import Iterable

#: Longer words get no suggestion: nobody mistypes them by chance, and the work is quadratic.
_LONGEST = 40
_MOST = 2


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """A question such as "did you mean `bank`?", or an empty string.

    At most two names, those at the smallest distance; none when more than two are equally near.
    """
    names = nearest(word, candidates)
    if not 1 <= len(names) <= _MOST:
        return ""
    return f"did you mean {' or '.join(f'`{name}`' for name in names)}?"


def nearest(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates at the smallest distance that still counts as near, in order of letters."""
    if len(word) > _LONGEST:
        return []
    best, names = max(1, len(word) // 3) + 1, list[str]()
    for name in sorted(set(candidates)):
        if name == word or abs(len(name) - len(word)) > best:
            continue
        far = distance(word, name)
        if far < best:
            best, names = far, [name]
        elif far == best and names:
            names.append(name)
    return names


def distance(a: str, b: str) -> int:
    """Optimal string alignment distance, without regard to capitals. O(len(a) * len(b))."""
    a, b = a.lower(), b.lower()
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, right in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
