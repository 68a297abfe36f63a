"""Sums over the kinds of one lot, as a table of states keeps them.

`Account` is one sum: what each kind gains, and at which totals somebody looks. Two conditions on
the same gains share an account.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr, Var


@dataclass(frozen=True, slots=True)
class Group:
    """Kinds that are counted together. `gains` by kind, over the placeholder of the lot; `worth`
    of their sum, over the placeholder `count`, is gained at the last kind."""

    gains: tuple[tuple[int, Expr], ...]
    count: Var
    worth: Expr

    @property
    def last(self) -> int:
        """The kind at which the group is complete."""
        return max(kind for kind, _ in self.gains)


@dataclass(slots=True)
class Account:
    """A sum over kinds: `gains` by kind, over the placeholder of the lot, and groups.

    `cuts` are totals c such that somebody asks for `total >= c`; with `whole` the total is read.
    """

    gains: tuple[tuple[int, Expr], ...]
    groups: tuple[Group, ...]
    cuts: list[Expr] = field(default_factory=list)
    whole: bool = False


class Accounts:
    """The accounts of one table."""

    def __init__(self) -> None:
        self.all: list[Account] = []

    def number(self, gains: Sequence[tuple[int, Expr]], groups: Sequence[Group] = ()) -> int:
        """The account of some gains; a known one if there is one."""
        merged: dict[int, Expr] = {}
        for kind, gain in gains:
            merged[kind] = ops.add(merged.get(kind, ops.FALSE), gain)
        key = tuple(sorted(merged.items(), key=lambda each: each[0])), tuple(groups)
        for number, each in enumerate(self.all):
            if (each.gains, each.groups) == key:
                return number
        self.all.append(Account(*key))
        return len(self.all) - 1

    def compared(self, number: int, sign: str, constant: Expr) -> None:
        """Say that `total + constant` is compared with 0."""
        cut = ops.sub(ops.FALSE, constant)
        above = ops.add(cut, ops.TRUE)
        wanted = {"<": (cut,), ">=": (cut,), "<=": (above,), ">": (above,)}.get(sign, (cut, above))
        account = self.all[number]
        account.cuts.extend(each for each in wanted if each not in account.cuts)
