"""`legal`, `legal_some`, `illegal` and `count`:

what may be chosen at a decision, and what may not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final

from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq
from gemwright.interpreter.decision import Decision, Refusal
from gemwright.interpreter.evaluation.effects import Trace
from gemwright.interpreter.moves import Move, find_action, move_to_text
from gemwright.interpreter.scenario.names import Names, text_of
from gemwright.interpreter.state import IllegalMove, State

_MOST_LISTED: Final = 20_000
_SHOWN: Final = 5


class LegalExpectations:
    """Checks these expectations against states of one game."""

    def __init__(self, names: Names, trace: Trace) -> None:
        self._names = names
        self._trace = trace

    def knows(self, key: str) -> bool:
        """Whether an expectation is one of these."""
        return key in _CHECKS

    def check(self, entry: Entry, state: State) -> None:
        """Compare; what differs is reported."""
        _CHECKS[entry.key](self, entry, state)

    def _legal(self, entry: Entry, state: State) -> None:
        for decision, node in self._by_seat(entry, state):
            wanted = self._moves(node, decision)
            if wanted is None:
                continue
            self._observe(decision)
            listed = list(islice(decision.moves(), _MOST_LISTED))
            missing = [move for move in wanted if move not in listed]
            extra = [move for move in listed if move not in wanted]
            if missing:
                self._fail(node, f"not legal: {self._show(missing)}")
            if extra:
                self._fail(node, f"legal too: {self._show(extra)}")

    def _some(self, entry: Entry, state: State) -> None:
        for decision, node in self._by_seat(entry, state):
            for item in node.items if isinstance(node, Seq) else (node,):
                move = self._names.move(item, decision.player, decision.lies)
                refusal = None if move is None else decision.check(move)
                if refusal is not None:
                    self._fail(item, f"not legal: {refusal.message}")

    def _count(self, entry: Entry, state: State) -> None:
        for decision, node in self._by_seat(entry, state):
            wanted = node.value if isinstance(node, Scalar) else None
            if not isinstance(wanted, int) or isinstance(wanted, bool):
                self._names.wrong("X001", node.span, "`count` is a number of legal moves")
                continue
            self._observe(decision)
            actual = decision.count()
            if actual != wanted:
                self._fail(node, f"{actual} moves are legal, not {wanted}")

    def _illegal(self, entry: Entry, state: State) -> None:
        if not isinstance(entry.value, Seq):
            self._names.wrong("X001", entry.value.span, "`illegal` is a list of `{move, because}`")
            return
        for item in entry.value.items:
            keys = [each.key for each in item.entries] if isinstance(item, Map) else []
            if "move" not in keys or set(keys) - {"move", "because", "by"}:
                text = "an illegal move is `{move: .., because: .., by: seat}`"
                self._names.wrong("X001", item.span, text)
            elif isinstance(item, Map):
                self._refused(item, state)

    def _refused(self, item: Map, state: State) -> None:
        by, node = item.get("by"), item.get("move")
        assert node is not None
        seat = self._names.seat(by) if by is not None else self._only(item, state)
        move = None if seat is None else self._names.move(node, seat, state.lies)
        if move is None:
            return
        try:
            state.clone().apply(move, seat)
        except IllegalMove as illegal:
            self._reason(item, move, illegal.refusal)
        else:
            self._fail(node, f"`{self._text(move)}` is legal")

    def _reason(self, item: Map, move: Move, refusal: Refusal) -> None:
        """Compare why a move is refused; without a line its action itself refuses."""
        action = find_action(self._names.model, move.action)
        if refusal.line is None and action is not None:
            self._trace(action.elements)
        because = item.get("because")
        if because is None:
            return
        wanted = " ".join(text_of(because)[0].split())
        given = (refusal.message, refusal.text)
        if wanted in refusal.clauses or any(wanted in " ".join(each.split()) for each in given):
            return
        text = f"refused for another reason: {refusal.text or refusal.message}"
        if refusal.clauses:
            text += f" ({', '.join(refusal.clauses)})"
        self._fail(because, text)

    # -- which decision

    def _by_seat(self, entry: Entry, state: State) -> list[tuple[Decision, Node]]:
        """Decisions with what is said of them: by seat, or of the only one that is awaited."""
        node = entry.value
        seats = self._names.seats
        keyed = isinstance(node, Map) and all(each.key in seats for each in node.entries)
        if not isinstance(node, Map) or not node.entries or not keyed:
            seat = self._only(entry, state)
            return [] if seat is None else [(_decision(state, seat), node)]
        found = []
        for each in node.entries:
            seat = self._names.seats.index(each.key)
            if any(decision.player == seat for decision in state.pending):
                found.append((_decision(state, seat), each.value))
            else:
                self._fail(each.value, f"{each.key} has nothing to choose now")
        return found

    def _only(self, where: Entry | Map, state: State) -> int | None:
        if len(state.pending) == 1:
            return state.pending[0].player
        span = where.key_span if isinstance(where, Entry) else where.span
        text = "several players decide: say who" if state.pending else "nobody has to decide"
        self._names.wrong("X008", span, text)
        return None

    def _moves(self, node: Node, decision: Decision) -> list[Move] | None:
        if not isinstance(node, Seq):
            self._names.wrong("X001", node.span, "`legal` is a list of moves")
            return None
        found = [self._names.move(item, decision.player, decision.lies) for item in node.items]
        good = [move for move in found if move is not None]
        return good if len(good) == len(found) else None

    # -- reporting

    def _observe(self, decision: Decision) -> None:
        """All lines of what is offered were tested to know the number of moves."""
        for name in decision.actions:
            action = find_action(self._names.model, name)
            for line in action.where if action is not None else ():
                self._trace(line.elements)

    def _show(self, moves: Sequence[Move]) -> str:
        texts = [f"`{self._text(move)}`" for move in moves[:_SHOWN]]
        if len(moves) > _SHOWN:
            texts.append(f"and {len(moves) - _SHOWN} more")
        return "; ".join(texts)

    def _text(self, move: Move) -> str:
        return move_to_text(self._names.model, move)

    def _fail(self, node: Node, message: str) -> None:
        self._names.wrong("X008", node.span, message)


def _decision(state: State, seat: int) -> Decision:
    return next(decision for decision in state.pending if decision.player == seat)


_CHECKS: Final[Mapping[str, Callable[[LegalExpectations, Entry, State], None]]] = {
    "legal": LegalExpectations._legal,
    "legal_some": LegalExpectations._some,
    "illegal": LegalExpectations._illegal,
    "count": LegalExpectations._count,
}
