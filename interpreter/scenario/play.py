"""One run of one scenario: from its given state through its moves to its last expectation."""

from __future__ import annotations

from copy import copy
from typing import Final

from gemwright.dsl.document.tree import Entry, Map, Node, Scalar
from gemwright.dsl.source import Span
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.evaluation.effects import Trace
from gemwright.interpreter.game import Game
from gemwright.interpreter.information.knowledge import Memory
from gemwright.interpreter.information.sight import Sight
from gemwright.interpreter.match import Match
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.scenario.chance import ChanceMismatch, Script, read_outcomes
from gemwright.interpreter.scenario.expect import Expectations
from gemwright.interpreter.scenario.given import arrange
from gemwright.interpreter.scenario.names import Names, entries_of
from gemwright.interpreter.scenario.parts import (
    Expectation,
    PlayMove,
    PlayNextGame,
    PlayRandom,
    Scenario,
)
from gemwright.interpreter.state import IllegalMove, State

_MOST_MOVES: Final = 5_000
"""A game played at random to its end is given up after so many moves."""

_STREAM: Final = 1_000_004
"""The stream of random moves, apart from the game and its bots."""


class Stop(Exception):
    """The scenario cannot go on; the reason has been reported."""


class Run:
    """Plays a scenario of one game; all findings go to the reporter of `names`."""

    def __init__(self, scenario: Scenario, game: Game, names: Names, trace: Trace) -> None:
        self._scenario = scenario
        self._game = game
        self._names = names
        self._trace = trace
        self._expectations = Expectations(names, trace)
        self._moves = Stream(scenario.seed, 0, _STREAM)
        self._script: Script | None = None
        self._match: Match | None = None
        self._state: State

    def play(self) -> None:
        """Run it all, or up to the first thing that makes going on pointless."""
        scenario = self._scenario
        outcomes = read_outcomes(scenario.chance, self._names)
        if self._names.reporter.has_errors:
            return
        if outcomes:
            self._script = Script(self._game.model, outcomes, scenario.seed)
        try:
            self._begin()
            for item in scenario.play:
                self._item(item)
            if scenario.expect is not None:
                self._check(scenario.expect)
            self._unused()
        except Stop:
            pass
        except ChanceMismatch as mismatch:
            self._names.wrong("X006", mismatch.span, mismatch.message)
        except RuntimeProblem as problem:
            span = problem.span or scenario.span
            self._names.wrong("X009", scenario.span, f"{span.path}:{span.line}: {problem.message}")

    def _unused(self) -> None:
        for left in self._script.left if self._script is not None else ():
            self._names.wrong("X006", left.span, f"this {left.kind} never came")

    # -- beginning

    def _begin(self) -> None:
        given, seed = self._scenario.given, self._scenario.seed
        if given is None:
            self._state = self._game.start(seed, chance=self._script, trace=self._trace)
            self._stopped(self._scenario.span)
            return
        self._state = self._game.start(seed, trace=self._trace)
        self._given(given)

    def _given(self, given: tuple[Entry, ...]) -> None:
        """Put the given state in the place of the one after the setup."""
        self._stopped(self._scenario.span)
        block = arrange(self._game, self._state.block, given, self._names)
        if block is None:
            raise Stop
        state = State.started(self._game.machine, block, self._script, self._trace)
        # Nobody has seen anything yet: the pieces were laid out behind the players' backs.
        sight = Sight(self._game.machine.layout)
        nothing = (0,) * sum(len(zone.faces) for zone in self._game.machine.layout.instance_zone)
        memory = Memory(sight, {None: nothing})
        memory.share(state.events)
        state.events = memory
        self._state = state
        self._stopped(self._scenario.span)

    # -- going on

    def _item(self, item: PlayMove | PlayRandom | PlayNextGame | Expectation) -> None:
        if isinstance(item, Expectation):
            self._check(item)
        elif isinstance(item, PlayRandom):
            self._random(item)
        elif isinstance(item, PlayNextGame):
            self._next_game(item)
        else:
            self._move(item)

    def _move(self, item: PlayMove) -> None:
        seat = self._names.seat(item.seat)
        if seat is None:
            raise Stop
        move = self._names.move(item.move, seat, self._state.lies)
        if move is None:
            raise Stop
        if all(decision.player != seat for decision in self._state.pending):
            turns = [self._names.seats[each.player] for each in self._state.pending]
            text = f"{item.seat.key} is not asked now; {' and '.join(turns) or 'nobody'} decides"
            self._names.wrong("X007", item.seat.key_span, text)
            raise Stop
        try:
            self._state.apply(move, seat)
        except IllegalMove as illegal:
            refusal = illegal.refusal
            clauses = f" ({', '.join(refusal.clauses)})" if refusal.clauses else ""
            self._names.wrong("X007", item.span, f"refused: {refusal.message}{clauses}")
            raise Stop from None
        self._stopped(item.span)

    def _random(self, item: PlayRandom) -> None:
        most = _MOST_MOVES if item.times is None else item.times
        for done in range(most):
            if self._state.is_over:
                if item.times is not None:
                    text = f"the game was over after {done} of {most} random moves"
                    self._names.wrong("X007", item.span, text)
                    raise Stop
                return
            pending = self._state.pending
            decision = pending[self._moves.below(len(pending))]
            self._state.apply(decision.sample(self._moves), decision.player)
            self._stopped(item.span)
        if item.times is None and not self._state.is_over:
            self._names.wrong("X007", item.span, f"not over after {most} random moves")
            raise Stop

    def _stopped(self, span: Span) -> None:
        """End the scenario if a rule has stopped the game."""
        problem = self._state.problem
        if problem is None:
            return
        note = (problem.span, f"{problem.code}: {problem.message}")
        text = f"a rule stopped the game: {problem.message}"
        self._names.reporter.error("X009", span, text, problem.help, (note,))
        raise Stop

    # -- matches

    def _current_match(self) -> Match | None:
        """The match, with the game of this scenario as its current one."""
        if self._game.model.match is None:
            return None
        if self._match is None:
            self._match = Match(self._game, self._scenario.seed, several=True)
            self._match.state = self._state
            self._match.starter = self._starter(self._match)
        return self._match

    def _starter(self, match: Match) -> int | None:
        rules = self._game.model.match
        if rules is None or rules.start_variable is None:
            return None
        return self._state.block[self._game.model.variables[rules.start_variable].offset]

    def _closed(self, match: Match) -> Match:
        """The match with its last game counted, without going on."""
        self._trace_match()
        if match.is_over or match.state.result is None:
            return match
        counted = copy(match)
        counted.close_game()
        return counted

    def _trace_match(self) -> None:
        rules = self._game.model.match
        if rules is not None:
            self._trace(rules.elements)
            for key in rules.keys:
                self._trace(key.elements)

    def _next_game(self, item: PlayNextGame) -> None:
        match = self._current_match()
        problem = "the rules declare no match of several games" if match is None else ""
        if match is not None and match.state.result is None:
            problem = "the game is not over"
        if match is not None and not problem:
            self._trace_match()
            match.close_game()
            problem = "the match is over" if match.is_over else ""
        if match is None or problem:
            self._names.wrong("X007", item.span, problem)
            raise Stop
        self._state = match.state
        self._state.trace, self._state.chance = self._trace, self._script
        if item.given is not None:
            self._given(item.given)
        match.state = self._state
        match.starter = self._starter(match)

    # -- expectations

    def _check(self, expectation: Expectation) -> None:
        self._expectations.check(expectation, self._state)
        for entry in expectation.entries:
            if entry.key in ("points", "match_over", "match_winners"):
                self._check_match(entry)

    def _check_match(self, entry: Entry) -> None:
        match = self._current_match()
        if match is None:
            self._names.wrong("X008", entry.key_span, "the rules declare no match of several games")
            return
        counted = self._closed(match)
        if entry.key == "points":
            self._points(entry.value, counted.totals)
        elif entry.key == "match_over":
            wanted = entry.value.value if isinstance(entry.value, Scalar) else None
            if wanted is not counted.is_over:
                text = "the match is over" if counted.is_over else "the match is not over"
                self._names.wrong("X008", entry.value.span, text)
        else:
            self._match_winners(entry, counted)

    def _points(self, node: Node, totals: tuple[int, ...]) -> None:
        if not isinstance(node, Map):
            entries_of(node, self._names, "`points`")
            return
        for said in node.entries:
            seat = self._names.seat(said)
            wanted = said.value.value if isinstance(said.value, Scalar) else None
            if seat is not None and wanted != totals[seat]:
                text = f"{said.key} has {totals[seat]} points, not {wanted}"
                self._names.wrong("X008", said.value.span, text)

    def _match_winners(self, entry: Entry, match: Match) -> None:
        wanted = self._names.seat_list(entry.value)
        if match.outcome is None:
            self._names.wrong("X008", entry.key_span, "the match is not over")
        elif wanted is not None and sorted(wanted) != sorted(match.outcome.winners):
            actual = ", ".join(self._names.seats[seat] for seat in match.outcome.winners)
            self._names.wrong("X008", entry.value.span, f"the match is won by {actual}")
