"""Operators that C and Python write alike, between their two arguments."""

from __future__ import annotations

from typing import Final

INFIX: Final = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "bit_and": "&",
    "bit_or": "|",
    "shift_left": "<<",
    "shift_right": ">>",
}
