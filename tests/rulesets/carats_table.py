"""A table of 30 Carats for tests: any holding, card and combination, at any decision of a sale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gemwright.interpreter.block import Block, Layout
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.evaluation.places import Places
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.state import State

Lot = tuple[int, ...]
"""Counts per stone: the colours in seat order, nuggets last."""


class Table:
    """One game model, and states of it that are laid out by hand."""

    def __init__(self, players: int, options: Mapping[str, int | str | bool] | None = None) -> None:
        self.players = players
        self.game: Game = load("thirty_carats", players, options or {})
        layout = Layout(self.game.model)
        self._places = Places(layout)
        self._instance = {label: at for at, label in enumerate(layout.instance_label)}
        self._face = {face.name: face.id for face in self.game.model.faces}
        self._states: dict[str, State] = {}
        names = [face.name for face in self.game.model.faces]
        self.stones = [*names[:players], "nugget"]

    def decision(
        self,
        phase: str,
        holding: Lot,
        card: str,
        combination: Lot = (),
        earlier: Sequence[Lot] = (),
    ) -> Decision:
        """What the player in turn may do there when he holds this; he must have something to do."""
        found = self.find(phase, holding, card, combination, earlier)
        assert found is not None
        return found

    def find(
        self,
        phase: str,
        holding: Lot,
        card: str,
        combination: Lot = (),
        earlier: Sequence[Lot] = (),
    ) -> Decision | None:
        """What the player in turn may do there; None if the phase has nothing to choose for him.

        Args:
            phase: the last name of the path of a phase with a decision.
            holding: what he has behind his screen.
            earlier: offers that lie on the table already, of the first players that are not he.
        """
        state = self._reached(phase)
        player = state.pending[0].player
        block = state.block.copy()
        self._lay(block, f"screen[P{player + 1}]", holding)
        self._lay(block, "combination", combination)
        others = [seat for seat in range(self.players) if seat != player]
        offers = [*earlier, *[()] * self.players]
        for seat, lot in zip(others, offers, strict=False):
            self._lay(block, f"offer[P{seat + 1}]", lot)
        self._set(block, "played", {card: 1})
        pending = State.resting(state._machine, block).pending
        return pending[0] if pending else None

    def seat(self, phase: str) -> int:
        """Who decides in `decision`, 0-based; it is the number of his colour, too."""
        return self._reached(phase).pending[0].player

    def _reached(self, phase: str) -> State:
        """A state of some random game in which that phase decides."""
        if phase not in self._states:
            stream = Stream(3, 0, 1)
            state = self.game.start(7)
            while state.pending[0].phase.split("/")[-1] != phase:
                state.apply(state.pending[0].sample(stream), state.pending[0].player)
            self._states[phase] = state
        return self._states[phase]

    def _lay(self, block: Block, label: str, lot: Lot) -> None:
        self._set(block, label, dict(zip(self.stones, lot, strict=False)))

    def _set(self, block: Block, label: str, contents: Mapping[str, int]) -> None:
        at = self._instance[label]
        for face in self._places.pieces(at, block):
            self._places.take(at, face, 1, block)
        for name, count in contents.items():
            self._places.put(at, self._face[name], count, block)
