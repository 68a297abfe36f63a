"""A game at one terminal: whose turn it is, what each person may see, and leaving at any time."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from gemwright.interpreter import views
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.changes import changes, history
from gemwright.interpreter.cli.facts import facts_of
from gemwright.interpreter.cli.keeping import Keeper
from gemwright.interpreter.cli.lines import clean, wrap
from gemwright.interpreter.cli.prompts import Asker, Command
from gemwright.interpreter.cli.screen import EndOfInput, Line, Screen
from gemwright.interpreter.cli.table import Table
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.cli.typed import normal
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.match import Match
from gemwright.interpreter.moves import Move
from gemwright.interpreter.players import HUMAN, Player, make_players
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.state import State

_LOG_LINES = 40


class _Quit(Exception):
    """The person wants to leave."""


class Bots:
    """The strategies of the seats without a person, made anew for each game of a match."""

    def __init__(self, seats: tuple[str, ...], seed: int) -> None:
        self._seats = seats
        self._seed = seed
        self._index: int | None = None
        self._players: tuple[Player | None, ...] = ()

    def player(self, match: Match, seat: int) -> Player | None:
        """Who plays a seat in the current game; None for a person."""
        if match.index != self._index:
            self._index = match.index
            self._players = make_players(self._seats, self._seed, match.index)
        return self._players[seat]

    def catch_up(self, match: Match, decision: Decision) -> None:
        """Let a strategy draw for a decision of the save, so that it goes on from there."""
        player = self.player(match, decision.player)
        if player is not None:
            player.choose(decision, decision.count())


class Session:
    """One match or game, played to its end or left."""

    def __init__(
        self,
        screen: Screen,
        match: Match,
        seats: tuple[str, ...],
        keeper: Keeper,
        bots: Bots,
        telling: Telling,
        clauses: Mapping[str, str],
    ) -> None:
        self._screen = screen
        self._match = match
        self._keeper = keeper
        self._bots = bots
        self._humans = [seat for seat, who in enumerate(seats) if who == HUMAN]
        self._telling = telling
        self._table = Table(self._telling, facts_of(match.game.model))
        commands = {
            "view": Command("the whole table again", self._view),
            "log": Command("what you have seen lately; `log all` for everything", self._log),
            "about": Command("`about NAME`: what is printed on a piece", self._about),
            "save": Command("`save FILE`: keep the game in a file", self._save),
            "quit": Command("save and leave", self._quit),
        }
        self._asker = Asker(screen, self._telling, commands, clauses)
        self._reader_seat: int | None = None
        self._read: dict[int | None, int] = {}

    def run(self) -> int:
        """Play; an exit code."""
        try:
            return self._play()
        except (EndOfInput, _Quit):
            return self._leave(exits.CLEAN)
        except KeyboardInterrupt:
            return self._leave(exits.INTERRUPTED)

    # -- playing

    def _play(self) -> int:
        match = self._match
        while not match.is_over:
            state = match.state
            if state.is_over:
                self._end_game()
                continue
            try:
                self._decide(state.pending[0])
            except RuntimeProblem as problem:
                span = problem.span or state.model.points[state.block[0]].span
                where = f"{span.path}:{span.line}:{span.column}"
                return self._stopped(f"{where}: {problem.message} [{problem.code}]")
            self._tell_trouble()
        problem_found = match.problem
        if problem_found is not None:
            span = problem_found.span
            where = f"{span.path}:{span.line}:{span.column}"
            return self._stopped(f"{where}: {problem_found.message} [{problem_found.code}]")
        self._end_match()
        return exits.CLEAN

    def _decide(self, decision: Decision) -> None:
        player = self._bots.player(self._match, decision.player)
        if player is None:
            self._turn_to(decision.player)
            self._show_turn(decision.player)
            move = self._asker.ask(decision)
        else:
            move = player.choose(decision, decision.count())
        self._make(decision, move)
        if not self._humans:
            self._show_changes(None)

    def _make(self, decision: Decision, move: Move) -> None:
        state = self._match.state
        state.apply(move, decision.player)
        self._keeper.recorder.decision(state, decision.player, move)

    def _turn_to(self, seat: int) -> None:
        """Give the terminal to another person, without showing him what the last one saw."""
        if len(self._humans) > 1 and self._reader_seat != seat:
            self._screen.clear()
            text = f"{self._telling.seat(seat)}: your turn. Press Enter when nobody else looks."
            self._screen.ask(text)
            self._screen.clear()
        self._reader_seat = seat

    # -- showing

    def _show_turn(self, seat: int) -> None:
        self._show_changes(seat)
        view = views.view(self._match.state, seat)
        self._screen.show([Line(""), *self._table.lines(view, self._screen.width), Line("")])

    def _show_changes(self, viewer: int | None) -> None:
        """What the viewer has not read yet."""
        seen = views.log(self._match.state, viewer)
        start = self._read.get(viewer, 0)
        self._read[viewer] = len(seen)
        lines = self._wrapped(changes(self._telling, seen[start:], viewer, first=start == 0))
        if lines and viewer is not None:
            lines = [Line(""), Line("since your last turn" if start else "so far", "title"), *lines]
        self._screen.show(lines)

    def _wrapped(self, lines: list[Line]) -> list[Line]:
        shown = []
        for line in lines:
            indent = line.text[: len(line.text) - len(line.text.lstrip())]
            for text in wrap(line.text, self._screen.width, indent, indent + "    "):
                shown.append(Line(text, line.style))
        return shown

    def _say(self, text: str, style: str = "") -> None:
        self._screen.show(Line(line, style) for line in wrap(text, self._screen.width))

    def _viewer(self) -> int | None:
        """Whose eyes may see the screen when nobody is asked."""
        return self._humans[0] if len(self._humans) == 1 else None

    # -- commands

    def _view(self, words: str) -> None:
        view = views.view(self._match.state, self._reader_seat)
        self._screen.show(self._table.lines(view, self._screen.width, full=True))

    def _log(self, words: str) -> None:
        seen = views.log(self._match.state, self._reader_seat)
        lines = self._wrapped(history(self._telling, seen, self._reader_seat))
        self._screen.show(lines if words == "all" else lines[-_LOG_LINES:])

    def _about(self, words: str) -> None:
        wanted = normal(words)
        found = False
        for face in self._telling.model.faces:
            if wanted in (normal(face.name), normal(self._telling.face(face.id))):
                found = True
                printed = ", ".join(self._table.printed(face.id)) or "nothing that the rules read"
                self._say(f"{self._telling.face(face.id)} ({face.kind}): {printed}")
        if not found:
            self._say(f"there is no piece or member `{clean(words)}`", "bad")

    def _save(self, words: str) -> None:
        if not words:
            path = self._keeper.save_somewhere(self._match.game.name)
            self._say(f"saved in {path}" if path else "cannot save", "good" if path else "bad")
            return
        try:
            self._keeper.save_as(Path(words))
        except FileExistsError:
            self._say(f"{words} is there already: say another name", "bad")
        except OSError as failure:
            self._say(f"cannot write {words}: {failure.strerror or failure}", "bad")
        else:
            self._say(f"saved in {words}; every move from now on is kept there", "good")

    def _quit(self, words: str) -> None:
        raise _Quit

    # -- ends

    def _end_game(self) -> None:
        """Tell a result and go on to the next game."""
        match = self._match
        state: State = match.state
        outcome = state.result
        assert outcome is not None
        viewer = self._viewer()
        self._show_changes(viewer)
        view = views.view(state, viewer)
        self._screen.show([Line(""), *self._table.lines(view, self._screen.width), Line("")])
        played = match.close_game()
        self._keeper.recorder.result(played, match.several)
        head, *ranks = self._telling.outcome(outcome)
        self._screen.show([Line(head, "title"), *(Line(f"  {text}") for text in ranks)])
        self._read.clear()
        if match.several:
            totals = ", ".join(f"P{seat + 1} {n}" for seat, n in enumerate(match.totals))
            self._say(f"game {len(match.played)} of {match.games}; points so far: {totals}")

    def _end_match(self) -> None:
        outcome = self._match.outcome
        if outcome is not None:
            self._keeper.recorder.match(outcome)
            winners = " and ".join(self._telling.seat(seat) for seat in outcome.winners)
            self._say(f"the match is over: {winners} won", "title")
        if self._keeper.path is not None:
            self._say(f"the game is kept in {self._keeper.path}", "dim")
        self._keeper.close()

    def _stopped(self, text: str) -> int:
        """A rule broke its own declaration: the fault of the file, not of the players."""
        self._say(f"the rules stopped the game: {clean(text)}", "bad")
        path = self._keeper.save_somewhere(self._match.game.name)
        if path is not None:
            self._say(f"the game so far is kept in {path}")
        self._keeper.close()
        return exits.FINDINGS

    def _leave(self, code: int) -> int:
        path = self._keeper.save_somewhere(self._match.game.name)
        self._keeper.close()
        if path is None:
            self._say("the game could not be saved", "bad")
            return exits.FAILED
        # The command stands on one line of its own, unwrapped, to be copied.
        lines = [Line(""), Line("saved; to go on:")]
        self._screen.show([*lines, Line(f"gemwright play --resume {shlex.quote(str(path))}")])
        return code

    def _tell_trouble(self) -> None:
        trouble = self._keeper.trouble()
        if trouble:
            self._say(f"{trouble}; the game goes on unsaved, `save FILE` keeps it elsewhere", "bad")
