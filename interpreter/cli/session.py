"""A game at one terminal: whose turn it is, what each person may see, and leaving at any time."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from gemwright.dsl.labels.text import Filling
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.answers import Answers
from gemwright.interpreter.cli.changes import changes, history
from gemwright.interpreter.cli.keeping import Keeper
from gemwright.interpreter.cli.lines import wrap
from gemwright.interpreter.cli.prompts import Asker
from gemwright.interpreter.cli.saying import number_of
from gemwright.interpreter.cli.screen import EndOfInput, Line, Screen
from gemwright.interpreter.cli.speech import ENGLISH
from gemwright.interpreter.cli.table import Table
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.cli.typed import normal
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.information import views
from gemwright.interpreter.information.seen import SeenChoice, SeenEvent, SeenPass
from gemwright.interpreter.match import Match
from gemwright.interpreter.moves import Move
from gemwright.interpreter.problem import RuntimeProblem
from gemwright.interpreter.simulation.players import HUMAN, Player, make_players
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
        answers: Answers,
    ) -> None:
        self._screen = screen
        self._match = match
        self._keeper = keeper
        self._bots = bots
        self._humans = [seat for seat, who in enumerate(seats) if who == HUMAN]
        self._telling = telling
        self._naming = telling.naming
        self._speech = telling.speech
        self._answers = answers
        self._table = Table(self._naming)
        commands = {
            "view": self._view,
            "log": self._log,
            "about": self._about,
            "save": self._save,
            "quit": self._quit,
        }
        self._asker = Asker(screen, self._telling, commands, answers)
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
        if match.is_over and match.problem is None:
            self._show_end()
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
            text = self._line("your_turn", seat=self._naming.seat(seat))
            if normal(self._screen.ask(text)) in (
                "quit",
                normal(self._speech.say("commands.quit")),
            ):
                raise _Quit
            self._screen.clear()
        self._reader_seat = seat

    # -- showing

    def _show_turn(self, seat: int) -> None:
        self._show_changes(seat)
        view = views.view(self._match.state, seat)
        self._screen.show([Line(""), *self._table.lines(view, self._screen.width), Line("")])

    def _show_changes(self, viewer: int | None) -> None:
        """What the viewer has not read yet; when a game is resumed, from his own last choice on."""
        seen = views.log(self._match.state, viewer)
        start = self._read.get(viewer, _last_choice(seen, viewer))
        self._read[viewer] = len(seen)
        lines = self._wrapped(changes(self._telling, seen[start:], viewer, first=start == 0))
        if lines and viewer is not None:
            title = self._speech.say("log.since" if start else "log.so_far")
            lines = [Line(""), Line(title, "title"), *lines]
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

    def _line(self, key: str, **slots: Filling) -> str:
        """A sentence of the section `session`."""
        return self._speech.say(f"session.{key}", **slots)

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
        every = ("all", normal(self._speech.say("commands.all")))
        wanted = len(lines) if normal(words) in every else number_of(words) or _LOG_LINES
        self._screen.show(lines[-wanted:])

    def _about(self, words: str) -> None:
        wanted = normal(words)
        if not wanted:
            self._say(self._line("say_about"), "bad")
            return
        found = False
        for face in self._telling.model.faces:
            name = self._naming.face(face.id)
            spelled = (*self._telling.labels.spellings("faces", face.name), name.write(""))
            if wanted in map(normal, spelled):
                found = True
                printed = self._naming.printed(face.id) or [self._line("about_nothing")]
                facts = self._speech.listed(printed)
                kind = self._naming.label("kinds", face.kind)
                self._say(self._line("about", name=name, kind=kind, facts=facts))
        if not found:
            self._say(self._line("no_piece", word=words), "bad")

    def _save(self, words: str) -> None:
        if not words:
            path = self._keeper.save_somewhere(self._match.game.name)
            text = self._line("saved", path=str(path)) if path else self._line("cannot_save")
            self._say(text, "good" if path else "bad")
            return
        try:
            self._keeper.save_as(Path(words))
        except FileExistsError:
            self._say(self._line("there_already", path=words), "bad")
        except OSError as failure:
            why = str(failure.strerror or failure)
            self._say(self._line("cannot_write", path=words, why=why), "bad")
        else:
            self._say(self._line("saved_here", path=words), "good")

    def _quit(self, words: str) -> None:
        raise _Quit

    # -- ends

    def _end_game(self) -> None:
        """Tell a result and go on to the next game."""
        match = self._match
        state: State = match.state
        self._show_changes(self._viewer())
        # The result is that of the game that ends here, the next one may begin at once.
        lines = self._result_lines(state)
        played = match.close_game()
        self._keeper.recorder.result(played, match.several)
        self._screen.show(lines)
        self._read.clear()
        if match.several:
            totals = [
                self._speech.say("result.points", player=self._naming.player(seat), points=points)
                for seat, points in enumerate(match.totals)
            ]
            points = self._speech.listed(totals)
            number, games = len(match.played), match.games
            self._say(self._speech.say("result.games", number=number, games=games, points=points))

    def _show_end(self) -> None:
        """The result of a game that had ended before it was resumed."""
        self._screen.show(self._result_lines(self._match.state))

    def _result_lines(self, state: State) -> list[Line]:
        outcome = state.result
        assert outcome is not None
        view = views.view(state, self._viewer())
        head, *ranks = self._answers.outcome(outcome)
        table = self._table.lines(view, self._screen.width)
        result = [Line(head, "title"), *(Line(f"  {text}") for text in ranks)]
        return [Line(""), *table, Line(""), *result]

    def _end_match(self) -> None:
        outcome = self._match.outcome
        if outcome is not None:
            self._keeper.recorder.match(outcome)
            winners = [self._naming.seat(seat) for seat in outcome.winners]
            players = self._speech.listed(winners, "lists.and")
            self._say(self._speech.say("result.match", players=players), "title")
        if self._keeper.path is not None:
            self._say(self._line("kept", path=str(self._keeper.path)), "dim")
        self._keeper.close()

    def _stopped(self, text: str) -> int:
        """A rule broke its own declaration: the fault of the file, not of the players."""
        self._say(self._line("stopped", text=text), "bad")
        path = self._keeper.save_somewhere(self._match.game.name)
        if path is not None:
            self._say(self._line("kept_so_far", path=str(path)))
        self._keeper.close()
        return exits.FINDINGS

    def _leave(self, code: int) -> int:
        path = self._keeper.save_somewhere(self._match.game.name)
        self._keeper.close()
        if path is None:
            self._say(self._line("not_saved"), "bad")
            return exits.FAILED
        # The command stands on one line of its own, unwrapped, to be copied.
        lines = [Line(""), Line(self._line("to_go_on"))]
        language = self._speech.language
        spoken = "" if language == ENGLISH else f" --lang {language}"
        command = f"gemwright play --resume {shlex.quote(str(path))}{spoken}"
        self._screen.show([*lines, Line(command)])
        return code

    def _tell_trouble(self) -> None:
        trouble = self._keeper.trouble()
        if trouble:
            path, why = trouble
            text = self._line("cannot_write", path=path, why=why)
            self._say(self._line("unsaved", trouble=text), "bad")


def _last_choice(seen: Sequence[SeenEvent], viewer: int | None) -> int:
    """Where the last choice of a viewer stands in what he has seen; 0 if he has made none."""
    own = [
        number
        for number, event in enumerate(seen)
        if isinstance(event, SeenChoice | SeenPass) and event.player == viewer
    ]
    return own[-1] if own else 0
