"""Values that depend on the pick: read off the final states of accumulators after the binding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.walk.accumulators import TypeAccumulator
from gemwright.interpreter.walk.tables import Here

Finals = tuple[int, ...]
"""The final state of each accumulator."""


class Late:
    """A value that depends on the pick."""

    __slots__ = ("read",)

    def __init__(self, read: Callable[[Finals], Any]) -> None:
        self.read = read


Value = Any
"""A number or flag, or a `Late` one."""


def now(value: Value, finals: Finals) -> Any:
    """The value at some final states."""
    return value.read(finals) if isinstance(value, Late) else value


FOLDS: Final[dict[str, Callable[..., Any]]] = {
    "some": lambda values, empty: any(values),
    "every": lambda values, empty: all(values),
    "sum": lambda values, empty: sum(values),
    "count": lambda values, empty: sum(1 for value in values if value),
    "max": lambda values, empty: max(values, default=empty),
    "min": lambda values, empty: min(values, default=empty),
}
"""Folds over values; the second argument is the value of `max` and `min` of nothing."""


class TypeReader:
    """Reads a fold over types off a final state."""

    __slots__ = ("_accumulator", "_here", "_leaves", "_node", "_types")

    def __init__(
        self,
        here: Here,
        node: f.Typed,
        leaves: list[tuple[int, Value]],
        types: list[tuple[int, ...]],
        accumulator: TypeAccumulator,
    ) -> None:
        self._here = here
        self._node = node
        self._leaves = leaves
        self._types = types
        self._accumulator = accumulator

    def read(self, finals: Finals, state: int) -> Any:
        """The value of the fold."""
        for slot, value in self._leaves:
            self._here.frame[slot] = now(value, finals)
        shown = [
            (values, times)
            for number, values in enumerate(self._types)
            if (times := self._accumulator.times(state, number))
        ]
        return self._pairs(shown) if self._node.other else self._fold(shown)

    def _fold(self, shown: list[tuple[tuple[int, ...], int]]) -> Any:
        node, found = self._node, []
        for values, times in shown:
            self._set([slot for slot, _ in node.locals], values)
            if node.filter is None or self._evaluate(node.filter):
                value = self._evaluate(node.body)
                if node.op == "some" and value:
                    return True
                found.append(value * times if node.op == "sum" else value)
        return FOLDS[node.op](found, node.empty)

    def _pairs(self, shown: list[tuple[tuple[int, ...], int]]) -> bool:
        first = [slot for slot, _ in self._node.locals]
        for number, (values, times) in enumerate(shown):
            self._set(first, values)
            for other, _ in shown[number if times > 1 else number + 1 :]:
                self._set(self._node.other, other)
                if self._evaluate(self._node.body):
                    return True
        return False

    def _set(self, slots: Sequence[int], values: Sequence[int]) -> None:
        for slot, value in zip(slots, values, strict=True):
            self._here.frame[slot] = value

    def _evaluate(self, term: t.Term) -> Any:
        return self._here.value(term)
