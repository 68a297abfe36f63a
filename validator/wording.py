"""Expressions over cells in words."""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.validator.affine import Affine
from gemwright.validator.transitions import Cell


def sum_text(expression: Affine, cells: Sequence[Cell]) -> str:
    """A sum of cells as people would write it: `bank + 2 hand of all - price[red]`.

    Cells that differ in their index only are named together when all of them occur alike. A
    constant comes last, the sum of nothing is `0`.
    """
    parts: list[tuple[int, str]] = []
    left = dict(expression.terms)
    for cell, coefficient in expression.terms:
        if cell not in left:
            continue
        group = _group(cell, cells)
        if len(group) > 1 and all(left.get(each) == coefficient for each in group):
            parts.append((coefficient, _together(cells[cell])))
        else:
            group = [cell]
            parts.append((coefficient, cells[cell].label))
        for each in group:
            del left[each]
    if expression.constant:
        parts.append((expression.constant, ""))
    return _joined(parts)


def _group(cell: int, cells: Sequence[Cell]) -> list[int]:
    """The cells that differ from one in their index only."""
    one = cells[cell]
    if not one.index:
        return [cell]
    key = (one.kind, one.name, one.family)
    return [at for at, each in enumerate(cells) if (each.kind, each.name, each.family) == key]


def _together(cell: Cell) -> str:
    name = f"{cell.name} of all"
    return f"{name} ({cell.family})" if cell.family else name


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
