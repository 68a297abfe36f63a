"""Limits on sums over the cells of lots, and filters on single kinds: what lines ask of a pick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Const, Expr


@dataclass(frozen=True, slots=True)
class Gain:
    """What one kind adds to a sum: `factors` per lot times its count, or any function of it.

    `opaque` reads the placeholders of the lots in `lots`.
    """

    kind: int
    factors: tuple[tuple[int, Expr], ...] = ()
    opaque: Expr | None = None
    lots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """`low <= constant + all gains <= high`; None for no bound."""

    low: int | None
    high: int | None
    constant: Expr
    gains: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that reads the placeholders of `lots`, which stand for counts of one kind."""

    kind: int
    lots: tuple[int, ...]
    condition: Expr


@dataclass(slots=True)
class Asked:
    """What lines ask.

    `whole` says of each line whether its test can be left out, `local` whether it is whole and
    asks nothing but of single kinds.
    """

    limits: list[Limit] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    fixed: list[Expr] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    local: list[bool] = field(default_factory=list)


def limits_of(op: str) -> tuple[int | None, int | None]:
    """What `total op 0` says of the total."""
    if op in (">", ">="):
        return int(op == ">"), None
    if op in ("<", "<="):
        return None, -int(op == "<")
    return 0, 0


def merged(limits: Sequence[Limit]) -> list[Limit]:
    """Limits with those on the same sum made one."""
    found: dict[tuple[Expr, tuple[Gain, ...]], Limit] = {}
    for each in limits:
        # Sums that differ by what is known are the same.
        key = (ops.FALSE if isinstance(each.constant, Const) else each.constant, each.gains)
        known = found.get(key)
        if known is None:
            found[key] = each
            continue
        moved = _same_constant(each, known.constant)
        lows = [one for one in (known.low, moved.low) if one is not None]
        highs = [one for one in (known.high, moved.high) if one is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        found[key] = Limit(low, high, known.constant, known.gains)
    return list(found.values())


def _same_constant(limit: Limit, constant: Expr) -> Limit:
    """The same limit with another constant that is known."""
    by = constant.low - limit.constant.low if isinstance(constant, Const) else 0
    low = None if limit.low is None else limit.low + by
    high = None if limit.high is None else limit.high + by
    return Limit(low, high, constant, limit.gains)
