"""Everything that a state of Splendor holds, so that programs which keep it differently compare."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.information.views import slots
from gemwright.interpreter.moves import Move
from gemwright.interpreter.state import State

GEMS = ("white", "blue", "green", "red", "black")
LEVELS = ("level_1", "level_2", "level_3")
EMPTY = -1

Choice = tuple[str, int, tuple[int, ...]]
"""A move: the action, the number of a card, noble, gem or level (else EMPTY), the tokens."""

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """A state. Cards and nobles are numbered as their tables list them, levels and seats from 0.

    Decks are listed from the bottom. Cards that lie in no order are sorted. `ended` is the reason
    of the result, '' before the end. `moves` are the legal moves of `active`, sorted.
    """

    bank: Numbers
    tokens: tuple[Numbers, ...]
    decks: tuple[Numbers, ...]
    rows: tuple[Numbers, ...]
    reserved: tuple[Numbers, ...]
    reserved_unseen: tuple[Numbers, ...]
    bought: tuple[Numbers, ...]
    court: Numbers
    nobles: tuple[Numbers, ...]
    first: int
    active: int
    last_round: bool
    idle: int
    rounds: int
    draws: int
    moves: tuple[Choice, ...]
    ended: str
    scores: Numbers
    winners: Numbers


@cache
def card_table() -> tuple[dict[str, str], ...]:
    """The rows of the table of cards."""
    return _table("developments.csv")


@cache
def noble_table() -> tuple[dict[str, str], ...]:
    """The rows of the table of nobles."""
    return _table("nobles.csv")


def _table(name: str) -> tuple[dict[str, str], ...]:
    with bundled()["splendor"].with_name(name).open(encoding="utf-8") as rows:
        return tuple(csv.DictReader(rows))


def _names(table: tuple[dict[str, str], ...]) -> list[str]:
    return [row["name"] for row in table]


def per_gem(row: dict[str, str]) -> Numbers:
    """The cells of a row that stand under the gems."""
    return tuple(int(row[gem]) for gem in GEMS)


# -- of the reference


class ReferenceFacts:
    """Reads states of the reference engine."""

    def __init__(self, state: State) -> None:
        self._model = state.model
        numbers: dict[str, int] = {}
        for table in (_names(card_table()), _names(noble_table()), GEMS, LEVELS):
            numbers |= {name: number for number, name in enumerate(table)}
        self._number = {face.id: numbers.get(face.name, EMPTY) for face in self._model.faces}
        self._zones = {zone.name: zone for zone in self._model.zones}
        self._variables = {variable.name: variable for variable in self._model.variables}

    def facts(self, state: State) -> Facts:
        """All of a state."""
        result = state.result
        decision = None if result else state.pending[0]
        return Facts(
            bank=self._counts(state, "bank")[0],
            tokens=self._counts(state, "purse"),
            decks=self._sequences(state, "deck"),
            rows=self._sequences(state, "row"),
            reserved=self._sets(state, "reserved"),
            reserved_unseen=self._sets(state, "reserved_unseen"),
            bought=self._sets(state, "bought"),
            court=self._sets(state, "court")[0],
            nobles=self._sets(state, "visitors"),
            first=self._variable(state, "first"),
            active=decision.player if decision else EMPTY,
            last_round=bool(self._variable(state, "last_round")),
            idle=self._variable(state, "idle"),
            rounds=min(200, self._variable(state, "times in round")),
            draws=state.block[self._model.chance_offset + 1],
            moves=tuple(sorted(map(self.choice, decision.moves()))) if decision else (),
            ended=result.reason if result else "",
            scores=tuple(score or 0 for score in result.scores) if result else (),
            winners=result.winners if result else (),
        )

    def choice(self, move: Move) -> Choice:
        """A move of the reference."""
        first, *more = move.values
        if move.action in ("take_different", "return_tokens"):
            assert isinstance(first, tuple)
            return move.action, EMPTY, first
        if isinstance(first, int):
            return move.action, self._number[first], ()
        paid = more[0] if more else ()
        assert isinstance(paid, tuple)
        return move.action, self._number[first[1]], paid

    def _counts(self, state: State, name: str) -> tuple[Numbers, ...]:
        zone = self._zones[name]
        starts = [zone.offset + zone.stride * at for at in range(zone.size)]
        return tuple(tuple(state.block[at : at + len(zone.faces)]) for at in starts)

    def _sets(self, state: State, name: str) -> tuple[Numbers, ...]:
        numbers = [self._number[face] for face in self._zones[name].faces]
        return tuple(
            tuple(number for number, count in zip(numbers, counts, strict=True) if count)
            for counts in self._counts(state, name)
        )

    def _sequences(self, state: State, name: str) -> tuple[Numbers, ...]:
        zone = self._zones[name]
        return tuple(
            tuple(
                self._number[face - 1] if face else EMPTY for face in slots(state, zone.first + at)
            )
            for at in range(zone.size)
        )

    def _variable(self, state: State, name: str) -> int:
        return state.block[self._variables[name].offset]
