"""`gemwright play`: a game in the terminal, new or resumed."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gemwright import __version__
from gemwright.interpreter.chance import fresh_seed
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.answers import Answers
from gemwright.interpreter.cli.arguments import (
    add_game,
    add_ruleset,
    add_seats,
    add_seed,
    clause_texts,
    default_seats,
    fail,
    game_of,
    language_of,
    option_value,
    seats_of,
    split_options,
    telling_of,
)
from gemwright.interpreter.cli.keeping import Keeper
from gemwright.interpreter.cli.lines import clean, wrap
from gemwright.interpreter.cli.loading import open_save
from gemwright.interpreter.cli.naming import Naming
from gemwright.interpreter.cli.screen import Line, Screen, make_screen
from gemwright.interpreter.cli.session import Bots, Session
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.game import Game
from gemwright.interpreter.match import Match
from gemwright.interpreter.replay import replay
from gemwright.interpreter.saves import Header, Save
from gemwright.interpreter.simulation.players import sampler_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_ruleset(parser, optional=True)
    add_game(parser)
    add_seats(parser, "human, the others random")
    add_seed(parser, "fresh, and shown")
    parser.add_argument(
        "--save", metavar="FILE", help="keep every move in FILE; go on with it if it is there"
    )
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--match", action="store_true", help="play all games of a match")
    parser.add_argument("--plain", action="store_true", help="lines of text only, no colour")
    parser.add_argument("--lang", metavar="L", help="the language to play in, such as uk")


def run(args: argparse.Namespace) -> int:
    """Play; an exit code."""
    if args.resume is not None and args.save is not None:
        return fail(exits.USAGE, "--resume FILE goes on in FILE itself; leave --save out")
    file = args.resume or args.save
    if args.resume is not None or (file is not None and Path(file).exists()):
        return _resume(args, Path(file))
    if args.ruleset is None:
        return fail(exits.USAGE, "say which RULESET to play, or --resume FILE")
    return _begin(args)


# -- a new game


def _begin(args: argparse.Namespace) -> int:
    seats = seats_of(args)
    if isinstance(seats, int):
        return seats
    game = game_of(args, seats)
    if isinstance(game, int):
        return game
    language = language_of(args, game)
    if isinstance(language, int):
        return language
    rules = game.model.match
    if args.match and rules is None:
        return fail(exits.USAGE, f"the rules of `{game.name}` declare no match")
    several = rules is not None and (args.match or rules.games > 1)
    header = Header(
        gemwright=__version__,
        language=game.model.language,
        ruleset=args.ruleset,
        hash=game.model.digest,
        players=game.players,
        options=dict(game.model.options),
        seed=fresh_seed() if args.seed is None else args.seed,
        seats=seats or default_seats(game.players, human=True),
        match=several,
    )
    try:
        keeper = Keeper.begin(header, Path(args.save) if args.save else None)
    except OSError as failure:
        return fail(exits.FAILED, f"cannot write {args.save}: {failure.strerror or failure}")
    match = Match(game, header.seed, several=several)
    bots = Bots(header.seats, header.seed)
    return _play(args, language, game, header, match, keeper, bots)


# -- a game that was left


def _resume(args: argparse.Namespace, path: Path) -> int:
    opened = open_save(path, args.ruleset)
    if isinstance(opened, int):
        return opened
    game, save = opened
    language = language_of(args, game)
    if isinstance(language, int):
        return language
    if save.is_trace:
        return fail(exits.USAGE, f"{path} is a trace: `gemwright replay` shows it")
    options = split_options(args.option)
    if isinstance(options, int):
        return options
    conflict = _conflict(args, save, options)
    if conflict:
        return fail(exits.USAGE, f"{path} holds a game with {conflict}; say nothing else, or that")
    for strategy in save.header.seats:
        try:
            sampler_of(strategy)
        except ValueError as unknown:
            return fail(exits.FINDINGS, f"{path}: {unknown}")
    bots = Bots(save.header.seats, save.header.seed)
    done = replay(game, save, before=bots.catch_up)
    if done.difference is not None:
        where = f"{path}:{done.difference.line}"
        return fail(exits.FINDINGS, f"{where}: cannot be resumed: {clean(done.difference.text)}")
    try:
        keeper = Keeper.resume(save, path)
    except OSError as failure:
        return fail(exits.FAILED, f"cannot write {path}: {failure.strerror or failure}")
    note = Resumed(done.decisions, save.torn)
    return _play(args, language, game, save.header, done.match, keeper, bots, note)


def _conflict(args: argparse.Namespace, save: Save, options: Mapping[str, str]) -> str:
    """What the command line says against the saved game, or ''."""
    header = save.header
    if args.players is not None and args.players != header.players:
        return f"{header.players} players"
    if args.seed is not None and args.seed != header.seed:
        return f"seed {header.seed}"
    if args.seats is not None and args.seats.replace(" ", "") != ",".join(header.seats):
        return f"seats {','.join(header.seats)}"
    for name, value in options.items():
        if name in header.options and value != option_value(header.options[name]):
            return f"option {name}={option_value(header.options[name])}"
    return ""


# -- both


@dataclass(frozen=True, slots=True)
class Resumed:
    """What is to be said of a resumed game: the moves that were played, and if a line was torn."""

    moves: int
    torn: bool


def _play(
    args: argparse.Namespace,
    language: str,
    game: Game,
    header: Header,
    match: Match,
    keeper: Keeper,
    bots: Bots,
    note: Resumed | None = None,
) -> int:
    screen = make_screen(args.plain)
    telling = telling_of(game, language, header.seats)
    introduce(screen, game, telling, header, note)
    answers = Answers(telling, clause_texts(game))
    return Session(screen, match, header.seats, keeper, bots, telling, answers).run()


def introduce(
    screen: Screen, game: Game, telling: Telling, header: Header, note: Resumed | None
) -> None:
    """The name of the game and what it takes to play the same one again."""
    naming, say = telling.naming, telling.speech.say
    seats = [
        say("session.intro_seat", player=naming.player(seat), who=naming.strategy(seat))
        for seat in range(len(header.seats))
    ]
    listed = telling.speech.listed
    told = [say("session.intro", title=naming.title, seats=listed(seats))]
    changed = _changed(game, naming)
    if changed:
        told.append(say("session.options", options=listed(changed)))
    told.append(say("session.seed", seed=str(header.seed)))
    if header.match and game.model.match is not None:
        told.append(say("session.match", games=game.model.match.games))
    if note is not None:
        told.append(say("session.resumed", moves=note.moves))
        told += [say("session.torn")] if note.torn else []
    if telling.labels.lacking:
        told.append(say("session.lacking", count=telling.labels.lacking))
    lines = [Line(line) for text in told for line in wrap(text, screen.width)]
    screen.show([Line(lines[0].text, "title"), *lines[1:]])


def _changed(game: Game, naming: Naming) -> list[str]:
    """The options that differ from the defaults of the rules; named where the labels name them."""
    specs = game.ruleset.options if game.ruleset is not None else ()
    defaults = {spec.name: spec.values[0] for spec in specs if spec.values}
    return [
        f"{_option_name(naming, name)}={option_value(value)}"
        for name, value in game.options.items()
        if defaults.get(name) != value
    ]


def _option_name(naming: Naming, name: str) -> str:
    """What an option is called; by default as it is typed."""
    return naming.label("options", name) if naming.labels.has_name("options", name) else name
