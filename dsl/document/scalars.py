"""Plain scalars of the YAML 1.2 core schema, and the texts that readers of YAML disagree on.

`resolve` is given a scalar without quotes. It is our own, and not that of a YAML library, since
those turn `no`, `1:30`, `010` or `2024-01-02` into values that the author did not mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.diagnostics import quoted

_NULLS: Final = frozenset({"", "~", "null"})
_BOOLS: Final = {"true": True, "false": False}
_OLD_WORDS: Final = frozenset(("yes", "no", "on", "off"))
_WORDS: Final = frozenset(("true", "false", "null"))
_NUMBER_STARTS: Final = frozenset("0123456789+-.")
_INT: Final = re.compile(r"0|-?[1-9][0-9]{0,8}")
_LONG_INT: Final = re.compile(r"[-+]?[0-9]{10,}")
_OLD_INT: Final = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*)")
_SEXAGESIMAL: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_FLOAT: Final = re.compile(
    r"[-+]?(?:(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)"
    r"|[-+]?\.inf|\.nan",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?[ \t]*(?:Z|[-+][0-9:]+)?)?"
)
#: Longer texts are no number, word or date; it keeps the patterns off long sentences.
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Trouble:
    """A scalar that must be written otherwise."""

    code: str
    message: str
    help: str


def resolve(text: str) -> str | int | bool | Trouble | None:
    """The value of a plain scalar: nothing, a boolean, a whole number of at most 9 digits, text."""
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text)
    if len(text) > _LONGEST:
        return _long_number(text) if _LONG_INT.fullmatch(text) else text
    return _trouble(text) or text


def _trouble(text: str) -> Trouble | None:
    if text.lower() in _OLD_WORDS:
        kind = "true" if text.lower() in ("yes", "on") else "false"
        message = f"older YAML readers take {quoted(text)} as {kind}"
        return Trouble("Y002", message, f'quote it: "{text}", or write {kind} for a flag')
    if text.lower() in _WORDS:
        message = f"YAML readers disagree on what {quoted(text)} is"
        return Trouble("Y002", message, f'write {text.lower()}, or quote it: "{text}"')
    if text[0] not in _NUMBER_STARTS:
        return None
    if _LONG_INT.fullmatch(text):
        return _long_number(text)
    if _OLD_INT.fullmatch(text):
        return Trouble("Y004", f"YAML readers disagree on the number {quoted(text)}", _odd(text))
    if _SEXAGESIMAL.fullmatch(text):
        return _sexagesimal(text)
    if _FLOAT.fullmatch(text):
        message = f"{quoted(text)} is not a whole number"
        return Trouble("Y005", message, f'numbers are whole here; text goes in quotes: "{text}"')
    if _DATE.fullmatch(text):
        message = f"many YAML readers take {quoted(text)} as a date"
        return Trouble("Y006", message, f'quote it: "{text}"')
    return None


def _long_number(text: str) -> Trouble:
    digits = len(text.lstrip("+-"))
    message = f"a number has {digits} digits, more than the 9 that a number may have"
    return Trouble("Y004", message, "use a smaller number, or quote it if it is text")


def _odd(text: str) -> str:
    """The numbers that may have been meant, as help."""
    sign = "-" if text.startswith("-") else ""
    body = text.lstrip("+-").replace("_", "").lower()
    readings: list[int] = []
    if body.isdigit():
        readings.append(int(body))
        if len(body) > 1 and body.startswith("0") and not set(body) & set("89"):
            readings.append(int(body, 8))
    elif body[2:]:
        readings.append(int(body[2:], {"x": 16, "o": 8, "b": 2}[body[1]]))
    words = " or ".join(sign + str(n) if n else "0" for n in dict.fromkeys(readings))
    written = f"write {words}, or " if words else ""
    return f'{written}quote it if it is text: "{text}"' if len(text) <= 40 else "write it plainly"


def _sexagesimal(text: str) -> Trouble:
    message = f"older YAML readers take {quoted(text)} as a number to base 60"
    parts = text.partition(".")[0].lstrip("+-").replace("_", "").split(":")
    if len(parts) <= 3 and len(text) <= 20:
        value = 0
        for part in parts:
            value = value * 60 + int(part)
        message += f", here {'-' if text.startswith('-') else ''}{value}"
    shown = f': "{text}"' if len(text) <= 40 else ""
    return Trouble("Y003", message, f"quote it{shown}; a range is written 2..5")
