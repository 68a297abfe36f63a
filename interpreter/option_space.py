"""All options that can ever be offered in a game, numbered without gaps.

The numbers depend on the model alone: the same ruleset, player count and options give the same
numbers in every process and on every machine. `pass` is 0; then come the actions in declared order;
then, action by action, each entry of its walk with all its values in the order of the walk. A
decision offers a few of them at a time: `Option.number` says which, so that whoever learns to play
has one action space and masks it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base, Faces, Players
from gemwright.interpreter.moves import WalkValue

Step = str | WalkValue
"""One choice of a walk: the name of an action first, then walk values."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the walk of an action: a parameter, or a cell of a picked lot.

    `action` is the name of the action that it belongs to; '' for the choice of an action, whose
    `parameter` is '' too.
    """

    action: str
    parameter: str
    cell: m.LotCell | None


@dataclass(frozen=True, slots=True)
class NumberedOption:
    """What a number stands for: a step of an entry."""

    entry: Entry
    step: Step


def walk_entries(action: m.Action) -> tuple[Entry, ...]:
    """The entries of the walk of an action, in order."""
    found: list[Entry] = []
    for parameter in action.parameters:
        if isinstance(parameter.domain, m.LotDomain):
            found.extend(Entry(action.name, parameter.name, c) for c in parameter.domain.cells)
        else:
            found.append(Entry(action.name, parameter.name, None))
    return tuple(found)


class OptionSpace:
    """The options of one game model by number, 0 .. `size` - 1.

    Attributes:
        entries: per action name the entries of its walk.
        size: how many options there are.
    """

    def __init__(self, model: m.Game) -> None:
        self.entries = {action.name: walk_entries(action) for action in model.actions}
        self.size = 0
        self._entries: list[Entry] = []
        self._steps: list[Sequence[Step]] = []
        self._firsts: list[int] = []
        """Per entry, the choice of an action first: its steps, and the number of the first one."""
        self._places: dict[str, int] = {}
        self._add(Entry("", "", None), (m.PASS_ACTION, *self.entries))
        for action in model.actions:
            self._places[action.name] = len(self._entries)
            values = _walk_values(model, action)
            for entry, steps in zip(self.entries[action.name], values, strict=True):
                self._add(entry, steps)

    def _add(self, entry: Entry, steps: Sequence[Step]) -> None:
        self._entries.append(entry)
        self._steps.append(steps)
        self._firsts.append(self.size)
        self.size += len(steps)

    def option(self, number: int) -> NumberedOption:
        """What a number stands for.

        Raises:
            IndexError: there is no such number.
        """
        if not 0 <= number < self.size:
            raise IndexError(f"no option {number}")
        at = bisect_right(self._firsts, number) - 1
        return NumberedOption(self._entries[at], self._steps[at][number - self._firsts[at]])

    def choice(self, action: str) -> int:
        """The number of the choice of an action, or of `pass`."""
        return self._steps[0].index(action)

    def number(self, action: str, at: int, step: WalkValue) -> int:
        """The number of a step as the entry `at` (from 0) of the walk of an action.

        Raises:
            ValueError: no such step can ever be offered there.
        """
        place = self._places[action] + at
        return self._firsts[place] + self._steps[place].index(step)


def _walk_values(model: m.Game, action: m.Action) -> Iterator[Sequence[WalkValue]]:
    """All values that each entry of a walk can ever have, in the order of the walk."""
    for parameter in action.parameters:
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            for cell in domain.cells:
                yield range(cell.high + 1)
        elif isinstance(domain, m.PieceDomain):
            yield domain.options
        else:
            yield _single_values(model, parameter, domain)


def _single_values(
    model: m.Game, parameter: m.Parameter, domain: m.ValueDomain
) -> Sequence[WalkValue]:
    if isinstance(domain.domain, Players):
        return range(model.players)
    if isinstance(domain.domain, Faces):
        return domain.domain.faces
    assert parameter.type.base in (Base.INT, Base.FLAG), "pieces are picked from zones"
    return range(domain.low, domain.high + 1)
