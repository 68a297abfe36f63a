"""`gemwright replay`: plays a saved game or a trace again and says where it differs."""

from __future__ import annotations

import argparse
from pathlib import Path

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import (
    add_engine,
    fail,
    language_of,
    telling_of,
)
from gemwright.interpreter.cli.changes import history
from gemwright.interpreter.cli.lines import clean, wrap
from gemwright.interpreter.cli.loading import open_save
from gemwright.interpreter.cli.screen import Line, Screen, make_screen
from gemwright.interpreter.cli.table import Table
from gemwright.interpreter.compiled.selecting import AUTO
from gemwright.interpreter.events import Event
from gemwright.interpreter.game import Game
from gemwright.interpreter.information import views
from gemwright.interpreter.match import Match
from gemwright.interpreter.moves import Move
from gemwright.interpreter.replay import Replayed, replay
from gemwright.interpreter.saves import Save
from gemwright.interpreter.simulation.playing import REFERENCE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="a saved game or a trace")
    parser.add_argument("--seat", metavar="S", help="show what one seat saw, such as P1")
    add_engine(parser)
    parser.add_argument("--lang", metavar="L", help="the language to tell it in, such as uk")


def run(args: argparse.Namespace) -> int:
    """Replay; an exit code."""
    if args.engine not in (AUTO, REFERENCE):
        return fail(exits.USAGE, f"--engine {args.engine}: only the reference engine replays games")
    opened = open_save(Path(args.file))
    if isinstance(opened, int):
        return opened
    game, save = opened
    screen = make_screen(plain=True)
    if args.seat is None:
        done = replay(game, save)
    else:
        seat = _seat(args.seat, game)
        if seat < 0:
            return fail(exits.USAGE, f"--seat {args.seat}: the seats are {', '.join(game.seats)}")
        language = language_of(args, game)
        if isinstance(language, int):
            return language
        done = _Watched(screen, game, save, seat, language).replay()
    return _report(screen, args.file, save, done)


def _seat(text: str, game: Game) -> int:
    """The seat of 'P2' or '2'; -1 if there is none."""
    name = text.upper() if text.upper().startswith("P") else f"P{text}"
    return game.seats.index(name) if name in game.seats else -1


class _Watched:
    """A replay that shows what one seat saw."""

    def __init__(self, screen: Screen, game: Game, save: Save, seat: int, language: str) -> None:
        self._screen = screen
        self._game = game
        self._save = save
        self._seat = seat
        self._telling = telling_of(game, language, save.header.seats)
        self._table = Table(self._telling.naming)
        self._index: int | None = None
        self._read = 0

    def replay(self) -> Replayed:
        """Replay and show."""
        done = replay(self._game, self._save, after=self._after)
        view = views.view(done.match.state, self._seat)
        self._screen.show([Line(""), *self._table.lines(view, self._screen.width), Line("")])
        return done

    def _after(self, match: Match, player: int, move: Move, events: tuple[Event, ...]) -> None:
        if match.index != self._index:
            self._index, self._read = match.index, 0
        seen = views.log(match.state, self._seat)
        new, self._read = seen[self._read :], len(seen)
        for line in history(self._telling, new, self._seat):
            indent = line.text[: len(line.text) - len(line.text.lstrip())]
            texts = wrap(line.text, self._screen.width, indent, indent + "    ")
            self._screen.show(Line(text, line.style) for text in texts)


def _report(screen: Screen, file: str, save: Save, done: Replayed) -> int:
    """Say how the replay ended."""
    if done.difference is not None:
        where = f"{file}:{done.difference.line}"
        screen.show([Line(f"{where}: differs: {clean(done.difference.text)}", "bad")])
        return exits.FINDINGS
    torn = "; the last line is torn and was left out" if save.torn else ""
    screen.show([Line(f"{file}: {done.decisions} decisions replayed, no difference{torn}", "good")])
    screen.show(Line(text) for text in _standing(done.match))
    return exits.CLEAN


def _standing(match: Match) -> list[str]:
    """How the game stands at the end of the file."""
    problem = match.problem
    if problem is not None:
        span = problem.span
        return [f"{span.path}:{span.line}:{span.column}: {clean(problem.message)} [{problem.code}]"]
    outcome = match.state.result
    if outcome is None:
        waiting = ", ".join(f"P{decision.player + 1}" for decision in match.state.pending)
        return [f"the game is not over: {waiting} to choose"]
    winners = ", ".join(f"P{seat + 1}" for seat in outcome.winners) or "nobody"
    return [f"{outcome.reason}; winner: {winners}; scores: {', '.join(map(str, outcome.scores))}"]
