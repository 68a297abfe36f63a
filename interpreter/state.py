"""The state of a game in progress.

A state is a block of integers, the events so far, and at most one problem that stopped it. `apply`
works on a copy of the block and exchanges it at the end: decisions and clones taken before keep
theirs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gemwright.dsl.diagnostics import Diagnostic
from gemwright.dsl.model.game import PASS_ACTION, Game
from gemwright.interpreter.block import Block, encode
from gemwright.interpreter.chance import Chance, Stream
from gemwright.interpreter.decision import Decision, Refusal
from gemwright.interpreter.evaluation.effects import Trace
from gemwright.interpreter.events import Event
from gemwright.interpreter.machine import Machine, Offer, Passing, Ran
from gemwright.interpreter.moves import Move, find_action
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.problem import RuntimeProblem

if TYPE_CHECKING:
    from gemwright.interpreter.information.views import SeenEvent, View


class IllegalMove(ValueError):
    """A move that is not legal; `refusal` says why. The state is as before."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class History:
    """The events of a game in order. Copies share one list until their games part."""

    __slots__ = ("_events", "_length")

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Event]:
        for position in range(self._length):
            yield self._events[position]

    def since(self, start: int) -> list[Event]:
        """The events from number `start` (0-based) on."""
        return self._events[start : self._length]

    def copy(self) -> History:
        """A history that goes on by itself."""
        twin = History()
        twin._events, twin._length = self._events, self._length
        return twin

    def extend(self, events: list[Event]) -> None:
        """Add events; a list that another copy has already continued is left to it."""
        if len(self._events) != self._length:
            self._events = self._events[: self._length]
        self._events.extend(events)
        self._length += len(events)


class State:
    """A game in progress. Made by `Game.start` and `Game.restore`; belongs to whoever holds it.

    `events` and `block` hold hidden information: what a player may know is in `view` and `log`.
    A `chance` that was injected at the start is shared with clones.
    """

    __slots__ = (
        "_machine",
        "_offers",
        "_pending",
        "block",
        "chance",
        "events",
        "problem",
        "result",
        "trace",
    )

    def __init__(
        self,
        machine: Machine,
        block: Block,
        events: History | None = None,
        chance: Chance | None = None,
        trace: Trace | None = None,
    ) -> None:
        self._machine = machine
        self.block = block
        self.events = History() if events is None else events
        self.chance = chance
        self.trace = trace
        self.problem: Diagnostic | None = None
        self.result: Outcome | None = None
        self._offers: tuple[Offer, ...] = ()
        self._pending: tuple[Decision, ...] | None = None

    @classmethod
    def started(
        cls, machine: Machine, block: Block, chance: Chance | None, trace: Trace | None
    ) -> State:
        """A state after the setup, at its first decision."""
        state = cls(machine, block, None, chance, trace)
        state._take(machine.start(block, chance, trace))
        return state

    @classmethod
    def resting(cls, machine: Machine, block: Block) -> State:
        """A state whose block rests at a decision or an end; its events so far are not known."""
        state = cls(machine, block)
        state._offers = machine.offers(block)
        state.result = machine.outcome(block)
        return state

    @property
    def model(self) -> Game:
        """The game model."""
        return self._machine.model

    @property
    def is_over(self) -> bool:
        """Whether nothing can be chosen any more: a result, or a problem."""
        return self.result is not None or self.problem is not None

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The decisions that are awaited, in seat order; several only where picks are sealed."""
        if self._pending is None:
            machine, block = self._machine, self.block
            self._pending = tuple(Decision(machine, block, offer) for offer in self._offers)
        return self._pending

    # -- going on

    def apply(
        self, move: Move, player: int | None = None, passing: Passing | None = None
    ) -> tuple[Event, ...]:
        """Make a move and go on to the next decision: the events that this caused.

        Args:
            move: a complete move, checked here.
            player: the seat that chooses; by default the first whose decision is awaited.
            passing: called with the block, for reading only, at each control point on the way.

        Raises:
            IllegalMove: the move is not legal; nothing has changed.
        """
        decision = self._decision(player)
        try:
            refusal = decision.check(move)
        except RuntimeProblem as problem:
            self._stop(problem)
            return ()
        if self.trace is not None:
            self._trace_lines(move, refusal)
        if refusal is not None:
            raise IllegalMove(refusal)
        action = None if move.action == PASS_ACTION else find_action(self.model, move.action)
        block = self.block.copy()
        chance = self.chance
        number = None if action is None else action.id
        ran = self._machine.choose(
            block, decision.player, number, move.values, chance, self.trace, passing
        )
        self.block = block
        self._take(ran)
        return tuple(ran.events)

    def _decision(self, player: int | None) -> Decision:
        for decision in self.pending:
            if player is None or decision.player == player:
                return decision
        text = "the game is over" if self.is_over else f"player {player} has nothing to choose now"
        raise IllegalMove(Refusal(text))

    def _take(self, ran: Ran) -> None:
        self.events.extend(ran.events)
        self.problem, self.result = ran.problem, ran.outcome
        self._offers, self._pending = ran.offers, None

    def _stop(self, problem: RuntimeProblem) -> None:
        point = self.model.points[self.block[0]]
        self.problem = problem.diagnostic(point.span)
        self._offers, self._pending = (), None

    def _trace_lines(self, move: Move, refusal: Refusal | None) -> None:
        """Report the lines of `where` that were tested, up to the one that refuses."""
        action = find_action(self.model, move.action)
        if action is None or self.trace is None:
            return
        tested = 0 if refusal is not None and refusal.line is None else len(action.where)
        if refusal is not None and refusal.line is not None:
            tested = refusal.line + 1
        for line in action.where[:tested]:
            self.trace(line.elements)

    def clone(self) -> State:
        """An independent state; cheap: the block is copied, events are shared."""
        twin = State(self._machine, self.block, self.events.copy(), self.chance, self.trace)
        twin.problem, twin.result = self.problem, self.result
        twin._offers, twin._pending = self._offers, self._pending
        return twin

    def lies(self, instance: int, face: int) -> bool:
        """Whether a piece of a face lies in a zone instance; hidden information."""
        return self._machine.places.count(instance, face, self.block) > 0

    # -- for saving and comparing

    def to_bytes(self) -> bytes:
        """The block in canonical form, equal on every engine; it holds all hidden information."""
        return encode(self.model, self.block)

    def digest(self) -> str:
        """SHA-256 of `to_bytes`, in hex."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    # -- what players may know

    def view(self, player: int | None) -> View:
        """What a player may know now; None is a spectator, who sees what everybody sees."""
        from gemwright.interpreter.information import views

        return views.view(self, player)

    def log(self, player: int | None) -> tuple[SeenEvent, ...]:
        """What a player, or a spectator (None), has seen so far."""
        from gemwright.interpreter.information import views

        return views.log(self, player)

    def resample(self, player: int, stream: Stream) -> State:
        """A state that the player cannot tell from this one, hidden things drawn anew."""
        from gemwright.interpreter.information import resample

        return resample.resample(self, player, stream)
