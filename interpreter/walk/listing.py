"""Walking by listing:

every pick is tried. For actions with few picks, and to test the passes against.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gemwright.dsl.model import game as m
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.moves import WalkValue
from gemwright.interpreter.walk.domains import Choices, taken_by
from gemwright.interpreter.walk.picks import Flat


class Listing:
    """The picks of one action at one decision, found by trying all.

    Args:
        frame: a fresh frame with the chooser in slot 0.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        choices: Choices,
        action: m.Action,
        block: Block,
        frame: Frame,
    ) -> None:
        self._evaluator = evaluator
        self._choices = choices
        self._action = action
        self._block = block
        self._frame = frame
        self._legal: list[Flat] | None = None

    def completable(self) -> bool:
        """See `Picks`."""
        return bool(self._legal) or next(self._found(), None) is not None

    def count(self) -> int:
        """See `Picks`."""
        return len(self._all())

    def weights(self, prefix: Flat) -> dict[WalkValue, int]:
        """See `Picks`."""
        at = len(prefix)
        found: dict[WalkValue, int] = {}
        for flat in self._all():
            if flat[:at] == prefix and len(flat) > at:
                found[flat[at]] = found.get(flat[at], 0) + 1
        return found

    def nth(self, i: int) -> Flat:
        """See `Picks`."""
        if not 0 <= i < len(self._all()):
            raise IndexError("no such pick")
        return self._all()[i]

    def moves(self) -> Iterator[Flat]:
        """See `Picks`."""
        return iter(self._all())

    def sizes(self) -> dict[int, int]:
        """See `Picks`."""
        found: dict[int, int] = {}
        for flat in self._all():
            found[self._size(flat)] = found.get(self._size(flat), 0) + 1
        return dict(sorted(found.items()))

    def nth_of_size(self, size: int, i: int) -> Flat:
        """See `Picks`."""
        return [flat for flat in self._all() if self._size(flat) == size][i]

    def best(self, prefix: Flat) -> int:
        """See `Picks`."""
        best = -1
        for flat in self._tried(0, ()):
            if flat[: len(prefix)] == prefix:
                best = max(best, self._held())
        return best

    # -- trying

    def _all(self) -> list[Flat]:
        if self._legal is None:
            self._legal = list(self._found())
        return self._legal

    def _found(self) -> Iterator[Flat]:
        wanted = len(self._action.where)
        return (flat for flat in self._tried(0, ()) if self._held() == wanted)

    def _held(self) -> int:
        """How many leading lines hold in the frame."""
        for number, line in enumerate(self._action.where):
            if not self._evaluator.value(line.condition, self._block, self._frame):
                return number
        return len(self._action.where)

    def _tried(self, number: int, picked: Flat) -> Iterator[Flat]:
        """Every pick of the domains; the frame holds it while the caller looks at it."""
        if number == len(self._action.parameters):
            yield picked
            return
        parameter = self._action.parameters[number]
        if isinstance(parameter.domain, m.LotDomain):
            for counts in self._lots(number, parameter.domain, picked):
                self._frame[parameter.slot] = counts
                yield from self._tried(number + 1, (*picked, *counts))
            return
        taken = self._taken(number, picked)
        for value in self._choices.single(parameter, self._block, self._frame, taken):
            self._frame[parameter.slot] = value
            yield from self._tried(number + 1, (*picked, value))

    def _lots(self, number: int, domain: m.LotDomain, picked: Flat) -> Iterator[tuple[int, ...]]:
        """The lots that can be taken beside the picks before; they may share pieces."""
        left = self._taken(number, picked)
        cells = self._choices.available(domain, self._block, self._frame)
        for counts in product(*[range(count + 1) for _, count in cells]):
            total: dict[tuple[int, int], int] = {}
            for (where, count), n in zip(cells, counts, strict=True):
                total[where] = total.get(where, left.get(where, 0)) + n
                if total[where] > count:
                    break
            else:
                yield counts

    def _taken(self, number: int, picked: Flat) -> dict[tuple[int, int], int]:
        """What earlier picks take, by where it lies."""
        taken = taken_by(picked)
        at = 0
        for parameter in self._action.parameters[:number]:
            if not isinstance(parameter.domain, m.LotDomain):
                at += 1
                continue
            cells = self._choices.available(parameter.domain, self._block, self._frame)
            for (where, _), n in zip(cells, picked[at : at + len(cells)], strict=True):
                assert isinstance(n, int)
                taken[where] = taken.get(where, 0) + n
            at += len(cells)
        return taken

    def _size(self, flat: Flat) -> int:
        """How many pieces the lots of a pick hold."""
        size = at = 0
        for parameter in self._action.parameters:
            if isinstance(parameter.domain, m.LotDomain):
                width = len(parameter.domain.cells)
                size += sum(n for n in flat[at : at + width] if isinstance(n, int))
                at += width
            else:
                at += 1
        return size
