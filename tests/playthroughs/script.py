"""A whole game as a text: state, views, what may be done, what is done, by which clauses, and what
comes of it. After the first decision only what has changed is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gemwright.dsl.source import Span, excerpt
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.cli.lines import wrap
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.game import Game
from gemwright.interpreter.information.knowledge import memory
from gemwright.interpreter.information.seen import see
from gemwright.interpreter.moves import Move
from gemwright.interpreter.state import State

from . import told
from .cells import Cells, truth
from .cells import seen as seen_cells

WIDTH = 100
OPTIONS = 8
"""So many moves of a decision are listed; of more the first half as many, and their number."""


def script(game: Game, seed: int) -> Iterator[str]:
    """The lines of a game of uniformly random players."""
    writer = _Writer(game)
    state = game.start(seed, trace=writer.trace)
    streams = [Stream(seed, 0, 1 + seat) for seat in range(game.players)]
    yield from writer.opening(state)
    number = 0
    while not state.is_over:
        decision = state.pending[0]
        number += 1
        move = decision.nth(streams[decision.player].below(decision.count()))
        yield from writer.decision(number, decision, move)
        before = len(state.events)
        state.apply(move, decision.player)
        yield from writer.outcome(state, before)
    yield from writer.end(state)


class _Writer:
    """Writes one game; remembers what was told last."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._model = game.model
        self._told: dict[str, str] = {}
        self._seen: dict[tuple[int, str], str] = {}
        self._clauses: dict[str, None] = {}

    def trace(self, elements: Sequence[int]) -> None:
        """Remember the clauses of the elements that ran."""
        for element in elements:
            self._clauses |= dict.fromkeys(self._model.elements[element].clauses)

    def opening(self, state: State) -> Iterator[str]:
        """The state after the setup."""
        yield "setup"
        yield from self._by()
        yield from self._state(state, whole=True)
        for _ in self._state(state, whole=False):
            pass  # from here on stacks are told by their tops, which changes nothing

    def decision(self, number: int, decision: Decision, move: Move) -> Iterator[str]:
        """Who chooses, among what, and what."""
        yield ""
        yield f"{number}. P{decision.player + 1} in {decision.phase}"
        count = decision.count()
        listed = count if count <= OPTIONS else OPTIONS // 2
        moves = [told.told_move(self._model, each) for each in decision.moves(listed)]
        more = f" | .. ({count:,})" if listed < count else ""
        yield from _line("may", " | ".join(moves) + more)
        yield from _line("does", told.told_move(self._model, move))

    def outcome(self, state: State, before: int) -> Iterator[str]:
        """What came of it, by which clauses, and how the state stands."""
        yield from self._by()
        yield from self._events(state, before)
        yield from self._state(state, whole=False)

    def end(self, state: State) -> Iterator[str]:
        """The result."""
        yield ""
        outcome = state.result
        if outcome is None:
            yield f"stopped: {state.problem.message if state.problem else ''}"
            return
        yield f"result: {outcome.reason}"
        for seat, rank in enumerate(outcome.ranks):
            wins = ", wins" if seat in outcome.winners else ""
            yield f"  P{seat + 1}: rank {rank}, score {outcome.scores[seat]}{wins}"

    def _by(self) -> Iterator[str]:
        clauses, self._clauses = self._clauses, {}
        if clauses:
            yield from _line("by", " ".join(sorted(clauses, key=_clause_order)))

    # -- events

    def _events(self, state: State, before: int) -> Iterator[str]:
        sight = memory(state).sight
        for each in list(state.events)[before:]:
            text = told.event(self._model, each, self._quote)
            if text:
                yield from _line("so", text)
            less: dict[str, list[int]] = {}
            for seat in range(self._model.players):
                shown = told.seen(self._model, each, see(sight, each, seat))
                if shown:
                    less.setdefault(shown, []).append(seat)
            for shown, seats in less.items():
                yield from _line("", f"{_seats(seats)}: {shown}")

    def _quote(self, span: Span) -> str:
        rules = self._game.ruleset
        text = None if rules is None else rules.document.text_of(span.path)
        return excerpt(text or "", span).removeprefix("openly ")

    # -- states

    def _state(self, state: State, whole: bool) -> Iterator[str]:
        cells = truth(state, whole)
        fresh = {name: text for name, text in cells.items() if self._told.get(name) != text}
        self._told |= cells
        yield from self._shown(fresh)
        yield from self._views(state, cells, whole)

    def _shown(self, fresh: Mapping[str, str]) -> Iterator[str]:
        for name, text in fresh.items():
            yield from _line("now", f"{name}: {text}")

    def _views(self, state: State, cells: Cells, whole: bool) -> Iterator[str]:
        """What players see otherwise than it is, as far as that has changed."""
        changed: dict[tuple[str, str], list[int]] = {}
        for seat in range(self._model.players):
            for name, text in seen_cells(state, seat, whole).items():
                less = "" if text == cells[name] else text
                if self._seen.get((seat, name), "") != less:
                    self._seen[seat, name] = less
                    changed.setdefault((name, less or "all of it"), []).append(seat)
        for (name, text), seats in changed.items():
            yield from _line("", f"{_seats(seats)} see {name}: {text}")


def _seats(seats: Sequence[int]) -> str:
    return " ".join(f"P{seat + 1}" for seat in seats)


def _line(head: str, text: str) -> Iterator[str]:
    yield from wrap(text, WIDTH, f"  {head:<5}", " " * 9)


def _clause_order(clause: str) -> tuple[str, int, str]:
    letters, _, number = clause.partition("-")
    digits = "".join(each for each in number if each.isdigit())
    return letters, int(digits), number
