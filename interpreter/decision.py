"""A decision: what one player may choose now, listed, counted, sampled, checked and explained.

A decision keeps the block in which it arose, so it stays what it was when the state goes on. It is
a walk of small choices: first the action, then one entry per scalar, piece or lot cell. Only the
player whose decision it is may see its options: they may depend on what he alone knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.block import POINT, Block
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.events import Value
from gemwright.interpreter.moves import (
    PASS,
    Move,
    WalkValue,
    find_action,
    flat_values,
    grouped_values,
)
from gemwright.interpreter.option_space import Step

if TYPE_CHECKING:
    from gemwright.interpreter.machine import Machine, Offer

SAMPLERS = ("uniform", "walk", "small_first")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a pick is not legal.

    `line` is the position of the line of `where` that it breaks, None if no line is to blame.
    `text` is that line as the file says it, `values` what was compared in it. `kind` says in a word
    what is wrong: 'pass' (no passing here), 'unknown' (no such action), 'misfit' (no such pick),
    'fallback' (only when nothing else is possible), 'unlisted' (no action of this phase).
    """

    message: str
    line: int | None = None
    text: str = ""
    clauses: tuple[str, ...] = ()
    span: Span | None = None
    values: tuple[tuple[str, Value], ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a walk that can be completed to a legal move.

    `number` tells it from all other options of the game (`OptionSpace`). `parameter` is '' for the
    choice of an action. `cell` is the cell of a lot that the step counts.
    """

    step: Step
    number: int
    parameter: str = ""
    cell: m.LotCell | None = None


class Walks(Protocol):
    """What walks the parameters of one action: `gemwright.interpreter.walk.walker.Walker`."""

    def completable(self, block: Block, me: int, action: m.Action) -> bool:
        """Whether there is a complete pick."""

    def options(
        self, block: Block, me: int, action: m.Action, prefix: tuple[WalkValue, ...]
    ) -> tuple[WalkValue, ...]:
        """The next entries that can be completed."""

    def count(self, block: Block, me: int, action: m.Action) -> int:
        """The number of complete picks."""

    def nth(self, block: Block, me: int, action: m.Action, i: int) -> tuple[WalkValue, ...]:
        """The i-th complete pick, 0 <= i < count."""

    def moves(self, block: Block, me: int, action: m.Action) -> Iterator[tuple[WalkValue, ...]]:
        """All complete picks, in the order of `nth`."""

    def check(
        self, block: Block, me: int, action: m.Action, values: tuple[WalkValue, ...]
    ) -> Refusal | None:
        """Why a complete pick is not legal, or None."""

    def explain_option(
        self,
        block: Block,
        me: int,
        action: m.Action,
        prefix: tuple[WalkValue, ...],
        value: WalkValue,
    ) -> Refusal:
        """Why an entry is not offered after a prefix that is."""

    def explain_action(self, block: Block, me: int, action: m.Action) -> Refusal:
        """Why there is no complete pick."""

    def sample(
        self, block: Block, me: int, action: m.Action, stream: Stream, how: str
    ) -> tuple[WalkValue, ...]:
        """A complete pick by a named sampler."""


class Decision:
    """What `player` (0-based seat) may choose in `phase`; `actions` are the names offered."""

    __slots__ = (
        "_block",
        "_counted",
        "_machine",
        "_offered",
        "actions",
        "can_pass",
        "phase",
        "player",
    )

    def __init__(self, machine: Machine, block: Block, offer: Offer) -> None:
        self._machine = machine
        self._block = block
        self._offered = tuple(machine.model.actions[each] for each in offer.actions)
        self.player = offer.player
        self.phase = machine.model.points[block[POINT]].phase
        self.actions = tuple(action.name for action in self._offered)
        self.can_pass = offer.can_pass
        self._counted: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return f"Decision(player={self.player}, phase={self.phase!r}, actions={self.actions})"

    # -- walking

    def options(self, prefix: tuple[Step, ...] = ()) -> tuple[Option, ...]:
        """What may follow a prefix of steps; () after a complete move.

        Raises:
            ValueError: the prefix does not begin with an offered action.
        """
        space = self._machine.option_space
        if not prefix:
            names = self.actions + ((m.PASS_ACTION,) if self.can_pass else ())
            return tuple(Option(name, space.choice(name)) for name in names)
        if prefix[0] == m.PASS_ACTION and self.can_pass:
            return ()
        action = self._offered_action(prefix[0])
        entries = space.entries[action.name]
        picked = _walk_values(prefix[1:])
        at = len(picked)
        if at >= len(entries):
            return ()
        parameter, cell = entries[at].parameter, entries[at].cell
        steps = self._machine.walker.options(self._block, self.player, action, picked)
        number = space.number
        return tuple(Option(s, number(action.name, at, s), parameter, cell) for s in steps)

    def explain(self, prefix: tuple[Step, ...], step: Step) -> Refusal | None:
        """Why a step is not offered after a prefix of steps that are; None if it is.

        The first step is an action. Its reason is the first line of `where` that no pick can keep
        together with the lines before; so is that of a later step, for picks that begin so.

        Raises:
            ValueError: the prefix is not offered itself, or is complete.
        """
        for at, each in enumerate(prefix):
            if all(each != option.step for option in self.options(prefix[:at])):
                raise ValueError(f"{each!r} is not offered after {prefix[:at]}")
        if not prefix:
            return self._explain_action(step)
        action = self._offered_action(prefix[0])
        picked, entries = _walk_values(prefix[1:]), self._machine.option_space.entries[action.name]
        if len(picked) >= len(entries):
            raise ValueError("the move is complete")
        if any(option.step == step for option in self.options(prefix)):
            return None
        name = entries[len(picked)].parameter
        domain = next(each.domain for each in action.parameters if each.name == name)
        picks_piece = isinstance(domain, m.PieceDomain)
        if isinstance(step, str) or isinstance(step, tuple) is not picks_piece:
            return Refusal(f"`{name}` cannot be {step!r}", span=action.span, kind="misfit")
        walker = self._machine.walker
        return walker.explain_option(self._block, self.player, action, picked, step)

    def _explain_action(self, name: Step) -> Refusal | None:
        if name in self.actions or (name == m.PASS_ACTION and self.can_pass):
            return None
        if name == m.PASS_ACTION:
            return Refusal("passing is not possible here", kind="pass")
        action = find_action(self._machine.model, str(name))
        if action is None:
            return Refusal(f"there is no action `{name}`", kind="unknown")
        absent = self._absent(action)
        if absent is not None:
            return absent
        return self._machine.walker.explain_action(self._block, self.player, action)

    def move(self, steps: tuple[Step, ...]) -> Move:
        """The move of a complete walk."""
        if steps == (m.PASS_ACTION,):
            return PASS
        action = self._offered_action(steps[0])
        return Move(action.name, grouped_values(action, _walk_values(steps[1:])))

    def steps(self, move: Move) -> tuple[Step, ...]:
        """The walk of a move; the inverse of `move`."""
        if move.action == m.PASS_ACTION:
            return (m.PASS_ACTION,)
        return (move.action, *flat_values(self._offered_action(move.action), move.values))

    def _offered_action(self, name: Step) -> m.Action:
        for action in self._offered:
            if action.name == name:
                return action
        raise ValueError(f"{name!r} is not offered")

    def lies(self, instance: int, face: int) -> bool:
        """Whether such a piece lies in a zone instance; only for what the player sees."""
        return self._machine.places.count(instance, face, self._block) > 0

    # -- all moves

    def count(self) -> int:
        """The number of legal moves, pass included."""
        return sum(self._counts()) + self.can_pass

    def moves(self, limit: int | None = None) -> Iterator[Move]:
        """The legal moves in the order of `nth`: by action as offered, pass last."""
        return islice(self._moves(), limit)

    def nth(self, i: int) -> Move:
        """The i-th legal move, 0 <= i < count().

        Raises:
            IndexError: there are not so many.
        """
        left = i
        for action, count in zip(self._offered, self._counts(), strict=True):
            if 0 <= left < count:
                flat = self._machine.walker.nth(self._block, self.player, action, left)
                return Move(action.name, grouped_values(action, flat))
            left -= count
        if left == 0 and self.can_pass:
            return PASS
        raise IndexError(f"no move number {i}")

    def _counts(self) -> tuple[int, ...]:
        if self._counted is None:
            count = self._machine.walker.count
            self._counted = tuple(count(self._block, self.player, each) for each in self._offered)
        return self._counted

    def _moves(self) -> Iterator[Move]:
        for action in self._offered:
            for flat in self._machine.walker.moves(self._block, self.player, action):
                yield Move(action.name, grouped_values(action, flat))
        if self.can_pass:
            yield PASS

    # -- sampling

    def sample(self, stream: Stream, how: str = "uniform") -> Move:
        """A legal move by a named sampler.

        `uniform`: all moves alike, one draw. `walk`: uniform among the options of each step, which
        depends on declaration order. `small_first`: an action, then a size of its lots, then
        uniform.

        Raises:
            ValueError: there is no such sampler.
        """
        if how == "uniform":
            return self.nth(stream.below(self.count()))
        if how == "walk":
            return self._sample_walk(stream)
        if how != "small_first":
            raise ValueError(f"no sampler {how!r}; there are {', '.join(SAMPLERS)}")
        number = stream.below(len(self._offered) + self.can_pass)
        if number == len(self._offered):
            return PASS
        action = self._offered[number]
        flat = self._machine.walker.sample(self._block, self.player, action, stream, how)
        return Move(action.name, grouped_values(action, flat))

    def _sample_walk(self, stream: Stream) -> Move:
        steps: tuple[Step, ...] = ()
        while options := self.options(steps):
            steps = (*steps, options[stream.below(len(options))].step)
        return self.move(steps)

    # -- checking

    def check(self, move: Move) -> Refusal | None:
        """Why a move is not legal here, or None."""
        if move.action == m.PASS_ACTION:
            if self.can_pass and not move.values:
                return None
            return Refusal("passing is not possible here", kind="pass")
        action = find_action(self._machine.model, move.action)
        if action is None:
            return Refusal(f"there is no action `{move.action}`", kind="unknown")
        misfit = _misfit(action, move.values)
        if misfit:
            return Refusal(misfit, span=action.span, kind="misfit")
        if action not in self._offered:
            absent = self._absent(action)
            if absent is not None:
                return absent
        flat = flat_values(action, move.values)
        return self._machine.walker.check(self._block, self.player, action, flat)

    def _absent(self, action: m.Action) -> Refusal | None:
        """Why an action is not offered; None if it is listed and only lacks a complete pick."""
        point = self._machine.model.points[self._block[POINT]]
        assert isinstance(point, m.Decide)
        if action.id in (*point.actions, *point.anytime):
            return None
        if action.id in point.fallback and not any(
            each.id in point.fallback for each in self._offered
        ):
            text = f"`{action.name}` is possible only when nothing else is"
            return Refusal(text, span=point.span, kind="fallback")
        if action.id in point.fallback:
            return None
        text = f"`{action.name}` is not among the actions of `{point.phase}`"
        return Refusal(text, span=point.span, kind="unlisted")


def _walk_values(steps: Sequence[Step]) -> tuple[WalkValue, ...]:
    return tuple(step for step in steps if not isinstance(step, str))


def _misfit(action: m.Action, values: tuple[Value, ...]) -> str:
    """What is wrong with the shape of a pick, whatever the state."""
    if len(values) != len(action.parameters):
        return f"`{action.name}` takes {len(action.parameters)} picks, not {len(values)}"
    for parameter, value in zip(action.parameters, values, strict=True):
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            good = isinstance(value, tuple) and len(value) == len(domain.cells)
        elif isinstance(domain, m.PieceDomain):
            good = isinstance(value, tuple) and value in domain.options
        else:
            good = isinstance(value, int)
        if not good:
            return f"`{parameter.name}` of `{action.name}` cannot be {value!r}"
    return ""
