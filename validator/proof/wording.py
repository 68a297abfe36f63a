"""Expressions over cells in words."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.validator.abstraction.transitions import Cell
from gemwright.validator.linear.affine import Affine

Part = tuple[int, str, str, str]
"""Coefficient, name, index, family."""


def sum_text(expression: Affine, cells: Sequence[Cell]) -> str:
    """A sum of cells as people would write it: `bank + 2 hand of all - price[red] + 3`.

    All families of one place are named as the place, all indices of one name as `of all`. A
    constant comes last, the sum of nothing is `0`.
    """
    left = dict(expression.terms)
    parts: list[Part] = []
    for cell, coefficient in expression.terms:
        if cell in left:
            group, place = _place(cell, coefficient, left, cells)
            parts.append((coefficient, place.name, place.index, "" if group else place.family))
            for each in group or [cell]:
                del left[each]
    texts = [(coefficient, text) for coefficient, text in _gathered(parts, cells)]
    if expression.constant:
        texts.append((expression.constant, ""))
    return _joined(texts)


def _place(
    cell: int, coefficient: int, left: dict[int, int], cells: Sequence[Cell]
) -> tuple[list[int], Cell]:
    """The cells of the whole place of a cell, if all of them are there alike, and the cell."""
    here = cells[cell]
    group = [at for at, each in enumerate(cells) if each.place == here.place >= 0]
    whole = len(group) > 1 and all(left.get(each) == coefficient for each in group)
    return (group if whole else []), here


def _gathered(parts: Sequence[Part], cells: Sequence[Cell]) -> list[tuple[int, str]]:
    """Parts that differ in their index only as one, when there are all of them."""
    found: list[tuple[int, str]] = []
    for part in parts:
        coefficient, name, index, family = part
        indices = list(dict.fromkeys(each.index for each in cells if each.name == name))
        alike = [(coefficient, name, each, family) for each in indices]
        if not index or len(indices) < 2 or not all(each in parts for each in alike):
            found.append((coefficient, Cell(cells[0].kind, 0, 0, name, index, family).label))
        elif part == alike[0]:
            found.append((coefficient, f"{name} of all" + (f" ({family})" if family else "")))
    return found


def _joined(parts: Sequence[tuple[int, str]]) -> str:
    ordered = [part for part in parts if part[0] > 0] + [part for part in parts if part[0] < 0]
    text = ""
    for coefficient, name in ordered:
        sign = "-" if coefficient < 0 else "+"
        amount = abs(coefficient)
        word = name if amount == 1 and name else f"{amount} {name}".rstrip()
        if not text:
            text = word if sign == "+" else f"-{word}"
        else:
            text += f" {sign} {word}"
    return text or "0"
