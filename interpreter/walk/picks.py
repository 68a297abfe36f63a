"""The picks of one action at one decision, walked by passes.

Single picks are an outer loop in parameter order; for each combination of them there is one pass
over the kinds of the lots. Everything is counted, so an option is offered exactly if it can be
completed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from gemwright.dsl.model import game as m
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.moves import WalkValue
from gemwright.interpreter.walk.binding import Binding
from gemwright.interpreter.walk.domains import Choices, Shape, taken_by
from gemwright.interpreter.walk.locals import Locals
from gemwright.interpreter.walk.passes import Domains, Pass
from gemwright.interpreter.walk.spread import Spread
from gemwright.interpreter.walk.tables import Here

Flat = tuple[WalkValue, ...]
Singles = dict[int, WalkValue]
"""Single picks by parameter number."""

_NO_LOTS: Final = Spread(Pass([], [], lambda finals: 1), [], [])
"""The one way to pick no lots at all."""

_KEPT: Final = 4096
"""Passes that are kept for one decision."""


class Picks(Protocol):
    """The legal picks of one action at one decision; a prefix is the first entries of a walk."""

    def weights(self, prefix: Flat) -> dict[WalkValue, int]:
        """The number of picks by the next entry, in the order of the walk; only numbers above 0."""

    def completable(self) -> bool:
        """Whether there is a pick."""

    def count(self) -> int:
        """The number of picks."""

    def nth(self, i: int) -> Flat:
        """The i-th pick; IndexError if there are not so many."""

    def moves(self) -> Iterator[Flat]:
        """All picks in the order of `nth`."""

    def sizes(self) -> dict[int, int]:
        """The number of picks by how many pieces their lots hold together, small first."""

    def nth_of_size(self, size: int, i: int) -> Flat:
        """The i-th pick of a size."""

    def best(self, prefix: Flat) -> int:
        """How many leading lines a pick that begins so can keep; -1 if nothing begins so."""


class Plan:
    """What does not change between decisions: an action's plan and the shape of its walk."""

    __slots__ = ("action", "early", "late", "shape", "walk")

    def __init__(self, action: m.Action, walk: f.WalkPlan) -> None:
        self.action = action
        self.walk = walk
        self.shape = Shape(action, walk.lots.kinds)
        self.early: dict[int, tuple[f.Node, ...]] = {}
        """The leading lines that read no lot, by how many single picks they need."""
        lines, parameters = walk.lots.lines, action.parameters
        read = 0
        for depth in walk.depths:
            if any(isinstance(each.domain, m.LotDomain) for each in parameters[:depth]):
                break
            self.early[depth] = (*self.early.get(depth, ()), lines[read])
            read += 1
        self.late = lines[read:]
        """The lines that are left when all single picks are made."""

    def frame(self, me: int) -> Frame:
        """A fresh frame."""
        frame: Frame = [0] * self.walk.lots.frame_size
        frame[0] = me
        return frame


class PassPicks:
    """Picks of an action in normal form."""

    def __init__(
        self, choices: Choices, locals: Locals, plan: Plan, block: Block, frame: Frame
    ) -> None:
        self._choices = choices
        self._plan = plan
        self._shape = plan.shape
        self._block = block
        self._frame = frame
        self._here = Here(choices.evaluator, locals, plan.walk.lots, block, frame)
        self._passes: dict[tuple[WalkValue, ...], Spread | None] = {}
        self._count: int | None = None

    # -- counting

    def completable(self) -> bool:
        """See `Picks`."""
        return any(found is not None and found.any() for _, found in self._each(()))

    def count(self) -> int:
        """See `Picks`."""
        if self._count is None:
            self._count = self._total(())
        return self._count

    def _total(self, prefix: Flat) -> int:
        fixed = self._shape.fixed(prefix)
        return sum(found.count(fixed) for _, found in self._each(prefix) if found is not None)

    def weights(self, prefix: Flat) -> dict[WalkValue, int]:
        """See `Picks`."""
        if len(prefix) >= self._shape.width:
            return {}
        place = self._shape.places[len(prefix)]
        fixed = self._shape.fixed(prefix)
        total: dict[WalkValue, int] = {}
        for singles, found in self._each(prefix):
            if found is None:
                continue
            if place.cell < 0:
                value = singles[place.parameter]
                total[value] = total.get(value, 0) + found.count(fixed)
                continue
            for n, count in found.offers(fixed, place.kind, place.coordinate).items():
                total[n] = total.get(n, 0) + count
        if place.cell >= 0:
            total = dict(sorted(total.items()))
        return {value: count for value, count in total.items() if count}

    def nth(self, i: int) -> Flat:
        """See `Picks`."""
        prefix: Flat = ()
        shape = self._shape
        while len(prefix) < shape.width:
            if len(prefix) >= shape.tail and not shape.trailing:
                return self._finish(prefix, i)
            for value, count in self.weights(prefix).items():
                if 0 <= i < count:
                    prefix = (*prefix, value)
                    break
                i -= count
            else:
                raise IndexError("no such pick")
        if i or not self._total(prefix):
            raise IndexError("no such pick")
        return prefix

    def _finish(self, prefix: Flat, i: int) -> Flat:
        for singles, found in self._each(prefix):
            if found is not None:
                return self._shape.flat(singles, found.descend(self._shape.fixed(prefix), i))
        raise IndexError("no such pick")

    def moves(self) -> Iterator[Flat]:
        """See `Picks`."""
        if self._shape.trailing or self._shape.tail > self._shape.leading:
            yield from self._walk(())
            return
        free = self._shape.fixed(())
        for singles, found in self._each(()):
            if found is not None:
                for vectors in found.walks(free):
                    yield self._shape.flat(singles, vectors)

    def _walk(self, prefix: Flat) -> Iterator[Flat]:
        shape = self._shape
        if len(prefix) == shape.width:
            yield prefix
        elif len(prefix) >= shape.tail and not shape.trailing:
            for singles, found in self._each(prefix):
                for vectors in found.walks(shape.fixed(prefix)) if found is not None else ():
                    yield shape.flat(singles, vectors)
        else:
            for value in self.weights(prefix):
                yield from self._walk((*prefix, value))

    # -- by size

    def sizes(self) -> dict[int, int]:
        """See `Picks`."""
        total: dict[int, int] = {}
        for _, found in self._sized():
            for value, count in found.by_value().items():
                total[value - 1] = total.get(value - 1, 0) + count
        return dict(sorted(total.items()))

    def nth_of_size(self, size: int, i: int) -> Flat:
        """See `Picks`: in the order of single picks, then of kinds."""
        free = self._shape.fixed(())
        for singles, found in self._sized():
            here = found.only(1 + size)
            count = here.count(free)
            if 0 <= i < count:
                return self._shape.flat(singles, here.descend(free, i))
            i -= count
        raise IndexError("no such pick")

    def _sized(self) -> Iterator[tuple[Singles, Spread]]:
        for singles in self._singles(()):
            binding, open = self._binding(singles)
            found = binding.legal(self._plan.late, sized=True)
            if found is not None:
                yield singles, Spread(found, open, self._shape.cells)

    # -- reasons

    def best(self, prefix: Flat) -> int:
        """See `Picks`."""
        best = -1
        fixed = self._shape.fixed(prefix)
        for singles in self._singles(prefix, check=False):
            binding, open = self._binding(singles)
            found = binding.leading(self._plan.walk.lots.lines)
            best = max(best, Spread(found, open, self._shape.cells).best(fixed))
        return best

    # -- single picks and passes

    def _each(self, prefix: Flat) -> Iterator[tuple[Singles, Spread | None]]:
        for singles in self._singles(prefix):
            yield singles, self._pass(singles)

    def _singles(self, prefix: Flat, check: bool = True) -> Iterator[Singles]:
        """All single picks that agree with a prefix and do not fail a line by themselves."""
        wanted: Singles = {}
        for place, value in zip(self._shape.places, prefix, strict=False):
            if place.cell < 0:
                wanted[place.parameter] = value
        places = self._shape.singles
        yield from self._fill(places, 0, wanted, {}, check)

    def _fill(
        self, places: Sequence[int], at: int, wanted: Singles, picked: Singles, check: bool
    ) -> Iterator[Singles]:
        self._set(picked)
        if check and not self._hold(at):
            return
        if at == len(places):
            yield dict(picked)
            return
        number = places[at]
        parameter, taken = self._shape.parameters[number], taken_by(picked.values())
        values = self._choices.single(parameter, self._block, self._frame, taken)
        for value in values:
            if number not in wanted or wanted[number] == value:
                yield from self._fill(places, at + 1, wanted, {**picked, number: value}, check)

    def _set(self, singles: Singles) -> None:
        for number, value in singles.items():
            self._frame[self._shape.parameters[number].slot] = value

    def _hold(self, count: int) -> bool:
        """Whether the lines hold that are read when so many single picks are made."""
        lines = self._plan.early.get(count)
        if lines is None:
            return True
        binding = self._bound([], [])
        return all(binding.fixed(line) for line in lines)

    def _pass(self, singles: Singles) -> Spread | None:
        if not self._shape.cells:
            return _NO_LOTS  # all lines were read when the single picks were made
        key = tuple(singles.values())
        if key not in self._passes:
            if len(self._passes) >= _KEPT:
                self._passes.clear()
            binding, open = self._binding(singles)
            found = binding.legal(self._plan.late)
            spread = None if found is None else Spread(found, open, self._shape.cells)
            self._passes[key] = spread
        return self._passes[key]

    def _binding(self, singles: Singles) -> tuple[Binding, list[int]]:
        """A binding over the kinds of which something may be picked, and the numbers of those."""
        self._set(singles)
        taken = taken_by(singles.values())
        domains = self._choices.vectors(self._shape, self._block, self._frame, taken)
        open = [kind for kind, domain in enumerate(domains) if len(domain) > 1]
        return self._bound(open, [domains[kind] for kind in open]), open

    def _bound(self, open: Sequence[int], domains: Domains) -> Binding:
        kinds = [self._here.plan.kinds[kind] for kind in open]
        return Binding(self._here, kinds, domains, [self._shape.lots_of[kind] for kind in open])
