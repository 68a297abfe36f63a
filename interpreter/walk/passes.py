"""Exact counting of picks kind by kind: the graph of accumulator states, and passes over it.

A pick is one vector per kind. Two picks that leave all accumulators in equal states can be finished
alike. Each pick is one path through the graph, so weights are exact counts. Vectors of a kind that
do the same to every accumulator form one class and share their edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from itertools import repeat
from typing import Final

from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.walk.accumulators import DEAD, Accumulator, Step

BUDGET: Final = 200_000
"""States that one level of a pass may reach."""

Vector = tuple[int, ...]
Domains = list[list[Vector]]
"""Per kind the vectors that may be picked, in lexicographic order."""

Fixed = Sequence[dict[int, int]]
"""Per kind the coordinates that are picked already."""


class WalkBudget(RuntimeProblem):
    """A pass reached more states than it may; load-time bounds keep rules files far below."""

    def __init__(self, states: int) -> None:
        text = f"counting the picks reached {states:,} states at one kind; {BUDGET:,} are allowed"
        super().__init__("K002", text)


class Pass:
    """The graph of all picks of some domains, and exact passes over it.

    Args:
        domains: per kind its vectors.
        accumulators: finished, over the same domains.
        value: of each tuple of final states; picks with value 0 are not counted.
    """

    __slots__ = ("_class_of", "_classes", "_edges", "_free", "_reached", "_values", "domains")

    def __init__(
        self,
        domains: Domains,
        accumulators: Sequence[Accumulator],
        value: Callable[[tuple[int, ...]], int],
    ) -> None:
        self.domains = domains
        self._classes: list[list[list[int]]] = []
        self._class_of: list[list[int]] = []
        self._edges: list[list[list[int]]] = []
        working = [number for number, each in enumerate(accumulators) if not each.idle()]
        moving = [accumulators[number] for number in working]
        level: list[tuple[int, ...]] = [tuple(each.start() for each in moving)]
        for kind in range(len(domains)):
            level = self._forward(kind, level, moving)
        self._values = []
        finals = [0] * len(accumulators)
        for state in level:
            for number, each in zip(working, state, strict=True):
                finals[number] = each
            self._values.append(value(tuple(finals)))
        self._free: list[list[int]] | None = None
        self._reached: list[tuple[dict[int, int], list[int]]] = []

    def _forward(
        self, kind: int, level: list[tuple[int, ...]], accumulators: Sequence[Accumulator]
    ) -> list[tuple[int, ...]]:
        """Add the edges of one kind; the states after it."""
        classes: dict[tuple[int, ...], list[int]] = {}
        rows = [each.does(kind) for each in accumulators]
        does = zip(*rows, strict=True) if rows else repeat((), len(self.domains[kind]))
        for at, each in enumerate(does):
            classes.setdefault(each, []).append(at)
        moves = [
            _moves(accumulator.step(kind), {state[number] for state in level}, doings)
            for number, (accumulator, doings) in enumerate(
                zip(accumulators, zip(*classes, strict=True), strict=True)
            )
        ]
        found: dict[tuple[int, ...], int] = {}
        edges = []
        for state in level:
            ways = [known[old] for known, old in zip(moves, state, strict=True)]
            edges.append([
                DEAD if DEAD in after else found.setdefault(after, len(found))
                for after in (zip(*ways, strict=True) if ways else repeat((), len(classes)))
            ])  # fmt: skip
            if len(found) > BUDGET:
                raise WalkBudget(len(found))
        self._classes.append(list(classes.values()))
        self._class_of.append([0] * len(self.domains[kind]))
        for number, positions in enumerate(classes.values()):
            for at in positions:
                self._class_of[kind][at] = number
        self._edges.append(edges)
        return list(found)

    # -- counting

    def any(self) -> bool:
        """Whether there is a pick."""
        return any(self._values)

    def best(self, fixed: Fixed) -> int:
        """The greatest value of a pick that agrees with what is fixed; -1 if there is none."""
        best = list(self._values)
        for kind in reversed(range(len(self.domains))):
            open = [bool(each) for each in self._weights(kind, fixed[kind])]
            best = [
                max((best[to] for to, good in zip(row, open, strict=True) if good and to >= 0),
                    default=-1)
                for row in self._edges[kind]
            ]  # fmt: skip
        return best[0] if best else -1

    def count(self, fixed: Fixed) -> int:
        """The number of picks that agree with what is fixed."""
        return self._backward(fixed, 0)[0][0]

    def by_value(self) -> dict[int, int]:
        """The number of picks by their value, small first; value 0 is left out."""
        weights = [1]
        for kind in range(len(self.domains)):
            weights = self._pushed(kind, weights, self._weights(kind, {}))
        found: dict[int, int] = {}
        for value, weight in zip(self._values, weights, strict=True):
            if value and weight:
                found[value] = found.get(value, 0) + weight
        return dict(sorted(found.items()))

    def only(self, value: int) -> Pass:
        """The same picks without those of another value."""
        twin = copy(self)
        twin._values = [each if each == value else 0 for each in self._values]
        twin._free = None
        return twin

    def offers(self, fixed: Fixed, kind: int, coordinate: int) -> dict[int, int]:
        """The number of picks by the value of one coordinate that is not fixed."""
        counts = self._backward(fixed, kind + 1)[0]
        weights = self._forth(fixed, kind)
        found: dict[int, int] = {}
        ways = [0] * len(self._classes[kind])
        for weight, row in zip(weights, self._edges[kind], strict=True):
            if weight:
                for number, to in enumerate(row):
                    if to >= 0:
                        ways[number] += weight * counts[to]
        for number, positions in enumerate(self._classes[kind]):
            if ways[number]:
                for at in self._matching(kind, positions, fixed[kind]):
                    value = self.domains[kind][at][coordinate]
                    found[value] = found.get(value, 0) + ways[number]
        return dict(sorted(found.items()))

    def _backward(self, fixed: Fixed, down_to: int) -> list[list[int]]:
        """Counts of finished picks per state, for the levels `down_to` .. K."""
        if self._free is None:
            self._free = [[int(bool(each)) for each in self._values]]
            for kind in reversed(range(len(self.domains))):
                self._free.insert(0, self._before(kind, {}, self._free[0]))
        last = len(self.domains) - 1
        while last >= down_to and not fixed[last]:
            last -= 1
        counts = self._free[max(last + 1, down_to) :]
        for kind in range(last, down_to - 1, -1):
            counts.insert(0, self._before(kind, fixed[kind], counts[0]))
        return counts

    def _before(self, kind: int, fixed: dict[int, int], after: list[int]) -> list[int]:
        """Counts of finished picks per state before a kind, from those after it."""
        weights = self._weights(kind, fixed)
        return [
            sum([weight * after[to] for weight, to in zip(weights, row, strict=True) if to >= 0])
            for row in self._edges[kind]
        ]

    def _forth(self, fixed: Fixed, kind: int) -> list[int]:
        """The number of ways to each state before a kind; a walk asks kind after kind, so what was
        worked out for the same beginning is kept."""
        weights = [1]
        for before in range(kind):
            known = self._reached[before] if before < len(self._reached) else None
            if known is None or known[0] != fixed[before]:
                del self._reached[before:]
                weights = self._pushed(before, weights, self._weights(before, fixed[before]))
                self._reached.append((fixed[before], weights))
            else:
                weights = known[1]
        return weights

    def _pushed(self, kind: int, weights: list[int], classes: list[int]) -> list[int]:
        """Weights of the states after a kind."""
        following = len(self._edges[kind + 1]) if kind + 1 < len(self._edges) else len(self._values)
        found = [0] * following
        for weight, row in zip(weights, self._edges[kind], strict=True):
            if weight:
                for ways, to in zip(classes, row, strict=True):
                    if to >= 0:
                        found[to] += weight * ways
        return found

    def _weights(self, kind: int, fixed: dict[int, int]) -> list[int]:
        """The number of vectors of each class that agree with what is fixed."""
        classes = self._classes[kind]
        if not fixed:
            return [len(each) for each in classes]
        return [len(self._matching(kind, each, fixed)) for each in classes]

    def _matching(self, kind: int, positions: list[int], fixed: dict[int, int]) -> list[int]:
        if not fixed:
            return positions
        domain = self.domains[kind]
        wanted = list(fixed.items())
        if len(wanted) == 1:
            coordinate, count = wanted[0]
            return [at for at in positions if domain[at][coordinate] == count]
        return [at for at in positions if all([domain[at][c] == n for c, n in wanted])]

    # -- kind by kind

    def descend(self, fixed: Fixed, i: int) -> list[Vector]:
        """The i-th pick that agrees with what is fixed, in lexicographic order of its vectors.

        Raises:
            IndexError: there are not so many.
        """
        counts = self._backward(fixed, 0)
        if not 0 <= i < counts[0][0]:
            raise IndexError(f"no pick number {i}")
        state, picked = 0, []
        for kind in range(len(self.domains)):
            after = counts[kind + 1]
            for at, to in self._next(kind, state, fixed):
                if i < after[to]:
                    picked.append(self.domains[kind][at])
                    state = to
                    break
                i -= after[to]
        return picked

    def walks(self, fixed: Fixed) -> Iterator[list[Vector]]:
        """All picks that agree with what is fixed, in the order of `descend`."""
        counts = self._backward(fixed, 0)
        if not counts[0][0]:
            return
        last = len(self.domains)
        picked: list[Vector] = []
        todo = [self._open(0, 0, fixed, counts)] if last else []
        if not last:
            yield []
        while todo:
            step = next(todo[-1], None)
            if step is None:
                todo.pop()
                if picked:
                    picked.pop()
                continue
            at, to = step
            kind = len(todo) - 1
            if len(todo) == last:
                yield [*picked, self.domains[kind][at]]
            else:
                picked.append(self.domains[kind][at])
                todo.append(self._open(kind + 1, to, fixed, counts))

    def _open(
        self, kind: int, state: int, fixed: Fixed, counts: list[list[int]]
    ) -> Iterator[tuple[int, int]]:
        after = counts[kind + 1]
        return (each for each in self._next(kind, state, fixed) if after[each[1]])

    def _next(self, kind: int, state: int, fixed: Fixed) -> Iterator[tuple[int, int]]:
        """(position, next state) of the vectors of a kind that go on, in their order."""
        row, class_of = self._edges[kind][state], self._class_of[kind]
        wanted = fixed[kind]
        for at, vector in enumerate(self.domains[kind]):
            to = row[class_of[at]]
            if to >= 0 and (not wanted or all([vector[c] == n for c, n in wanted.items()])):
                yield at, to


def _moves(step: Step, states: set[int], doings: Sequence[int]) -> dict[int, list[int]]:
    """Where each state of one accumulator goes by each class of vectors."""
    return {state: [step(state, each) for each in doings] for state in states}
