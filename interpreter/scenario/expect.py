"""`expect`: compares a state with what a scenario says of it.

Only what is said is compared. Every expectation that fails is a finding of its own, with what is so
instead. Elements whose working an expectation observes are handed to the trace: the start value
behind a compared state variable, the lines behind a count or a full list of legal moves, the lines
that refuse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gemwright.dsl.document.tree import Entry, Map, Node, Scalar
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.block import POINT
from gemwright.interpreter.evaluation.effects import Trace
from gemwright.interpreter.scenario.legal import LegalExpectations
from gemwright.interpreter.scenario.names import Names, entries_of, text_of
from gemwright.interpreter.scenario.parts import Expectation
from gemwright.interpreter.scenario.seen import SeenExpectations
from gemwright.interpreter.scenario.zones import GAP, Content, read_contents
from gemwright.interpreter.state import State


class Expectations:
    """Checks `expect` blocks against states of one game."""

    def __init__(self, names: Names, trace: Trace) -> None:
        self._names = names
        self._trace = trace
        self._legal = LegalExpectations(names, trace)
        self._seen = SeenExpectations(names, trace)

    def check(self, expectation: Expectation, state: State) -> None:
        """Compare; what differs is reported."""
        for entry in expectation.entries:
            if entry.key in _CHECKS:
                _CHECKS[entry.key](self, entry, state)
            elif self._legal.knows(entry.key):
                self._legal.check(entry, state)
            elif self._seen.knows(entry.key):
                self._seen.check(entry, state)

    def fail(self, span: Span, message: str) -> None:
        """Report an expectation that does not hold."""
        self._names.wrong("X008", span, message)

    # -- the state

    def _zones(self, entry: Entry, state: State) -> None:
        entries = entries_of(entry.value, self._names, "`zones`")
        for content in read_contents(entries, self._names):
            pieces = held(content, state)
            if not content_fits(content, pieces):
                is_there = show_pieces(self._names.model, content.zone, pieces)
                text = f"`{content.label}` holds {is_there}, not {self._wanted(content)}"
                self.fail(content.span, text)

    def _wanted(self, content: Content) -> str:
        if content.size is not None:
            return f"{content.size} pieces"
        text = show_pieces(self._names.model, content.zone, content.pieces)
        return f"{text} and others" if content.more else text

    def _state(self, entry: Entry, state: State) -> None:
        for said in entries_of(entry.value, self._names, f"`{entry.key}`"):
            variable = self._names.variable(said)
            if variable is None:
                continue
            if variable.element is not None:
                self._trace((variable.element,))
            if variable.index and isinstance(said.value, Map):
                for cell in said.value.entries:
                    position = self._names.position(variable, cell)
                    if position is not None:
                        self._cell(variable, position, cell.value, state)
                continue
            for position in range(variable.size):
                self._cell(variable, position, said.value, state)

    def _cell(self, variable: m.Variable, position: int, node: Node, state: State) -> None:
        wanted = self._names.value(node, variable.type)
        actual = state.block[variable.offset + position]
        if wanted is not None and wanted != actual:
            label = variable.labels[position]
            name = f"{variable.name}[{label}]" if label else variable.name
            is_now = self._names.show(actual, variable.type)
            text = f"`{name}` is {is_now}, not {self._names.show(wanted, variable.type)}"
            self.fail(node.span, text)

    def _out(self, entry: Entry, state: State) -> None:
        offset = self._names.model.out_offset
        out = [seat for seat in range(self._names.model.players) if state.block[offset + seat]]
        self._same_seats(entry, out, "out")

    def _turn(self, entry: Entry, state: State) -> None:
        if text_of(entry.value)[0] == "nobody":
            if state.pending:
                self.fail(entry.value.span, f"{self._seats(_turns(state))} decides, not nobody")
            return
        self._same_seats(entry, _turns(state), "to decide")

    def _phase(self, entry: Entry, state: State) -> None:
        wanted = self._names.phase(entry.value)
        actual = self._names.model.points[state.block[POINT]].phase
        if wanted is not None and wanted != actual:
            where = f"`{actual}`" if actual else "over"
            self.fail(entry.value.span, f"the game is in {where}, not in `{wanted}`")

    # -- the result

    def _over(self, entry: Entry, state: State) -> None:
        wanted = entry.value.value if isinstance(entry.value, Scalar) else None
        if not isinstance(wanted, bool):
            self._names.wrong("X001", entry.value.span, "`over` is true or false")
        elif wanted != state.is_over:
            text = "the game is over" if state.is_over else "the game is not over"
            self.fail(entry.value.span, text)

    def _winners(self, entry: Entry, state: State) -> None:
        if self._has_result(entry, state) and state.result is not None:
            self._same_seats(entry, list(state.result.winners), "the winners")

    def _scores(self, entry: Entry, state: State) -> None:
        if not self._has_result(entry, state) or state.result is None:
            return
        for said in entries_of(entry.value, self._names, "`scores`"):
            seat = self._names.seat(said)
            if seat is None:
                continue
            actual = state.result.scores[seat]
            wanted = said.value.value if isinstance(said.value, Scalar) else None
            if wanted != actual or isinstance(wanted, bool):
                self.fail(said.value.span, f"the score of {said.key} is {actual}, not {wanted}")

    def _reason(self, entry: Entry, state: State) -> None:
        if self._has_result(entry, state) and state.result is not None:
            wanted, actual = text_of(entry.value)[0], state.result.reason
            if wanted != actual:
                self.fail(entry.value.span, f"the game ended as {actual}, not as {wanted}")

    def _has_result(self, entry: Entry, state: State) -> bool:
        if state.result is None:
            self.fail(entry.key_span, "the game is not over")
        return state.result is not None

    # -- seats

    def _same_seats(self, entry: Entry, actual: Sequence[int], what: str) -> None:
        wanted = self._names.seat_list(entry.value)
        if wanted is not None and sorted(wanted) != sorted(actual):
            text = f"{what}: {self._seats(actual)}, not {self._seats(wanted)}"
            self.fail(entry.value.span, text)

    def _seats(self, seats: Sequence[int]) -> str:
        return ", ".join(self._names.seats[seat] for seat in sorted(seats)) or "nobody"


def _turns(state: State) -> list[int]:
    return [decision.player for decision in state.pending]


def held(content: Content, state: State) -> list[int]:
    """The pieces of an instance as `Content.pieces` has them, gaps of a row included."""
    machine = state._machine
    zone = content.zone
    if zone.order == "row":
        offset = machine.layout.instance_offset[content.instance]
        return [cell - 1 for cell in state.block[offset : offset + zone.slots]]
    return machine.places.pieces(content.instance, state.block)


def content_fits(content: Content, pieces: Sequence[int]) -> bool:
    """Whether pieces are what a content describes."""
    real = [face for face in pieces if face != GAP]
    if content.size is not None:
        return len(real) == content.size
    wanted = list(content.pieces)
    if not content.listed or content.zone.order == "counts":
        left = Counter(wanted) - Counter(real)
        return not left and (content.more or len(wanted) == len(real))
    if content.zone.order == "stack":
        return real == wanted or (content.more and real[len(real) - len(wanted) :] == wanted)
    if content.more:
        return list(pieces[: len(wanted)]) == wanted
    gaps = [GAP] * (len(pieces) - len(wanted))
    return list(pieces) == wanted + gaps


def show_pieces(model: m.Game, zone: m.Zone, pieces: Sequence[int]) -> str:
    """Pieces in words: counts, or the order from the top down or from the left."""
    names = [model.faces[face].name if face != GAP else "empty" for face in pieces]
    if not [name for name in names if name != "empty"]:
        return "nothing"
    if zone.order == "counts":
        return ", ".join(f"{count} {name}" for name, count in Counter(names).items())
    if zone.order == "stack":
        names.reverse()
    shown = ", ".join(names[:12])
    return f"[{shown}, .. {len(names)} in all]" if len(names) > 12 else f"[{shown}]"


_CHECKS: Final[Mapping[str, Callable[[Expectations, Entry, State], None]]] = {
    "zones": Expectations._zones,
    "state": Expectations._state,
    "roles": Expectations._state,
    "out": Expectations._out,
    "turn": Expectations._turn,
    "phase": Expectations._phase,
    "over": Expectations._over,
    "winners": Expectations._winners,
    "scores": Expectations._scores,
    "reason": Expectations._reason,
}
