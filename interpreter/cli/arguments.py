"""What verbs share: the arguments that name a game, and loading it with all problems told.

Exit codes: what the command line itself gets wrong is `USAGE`, a file with errors `FINDINGS`, a
file that cannot be read `FAILED`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.labels.labels import ENGLISH, Labels, labelled, load_labels
from gemwright.dsl.render import render
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.bundled import bundled_rulesets
from gemwright.interpreter.cli.lines import clean
from gemwright.interpreter.cli.naming import Naming
from gemwright.interpreter.cli.speech import languages, speech
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.compiled.selecting import AUTO, ENGINES
from gemwright.interpreter.game import Game
from gemwright.interpreter.simulation.players import HUMAN, RANDOM, sampler_of

Options = Mapping[str, int | str | bool]


# -- declaring


def add_ruleset(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """The positional RULESET."""
    parser.add_argument(
        "ruleset",
        metavar="RULESET",
        nargs="?" if optional else None,
        help="a bundled name (see `gemwright list`) or the path of a .gem.yaml file",
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    """`--players` and `--option`."""
    parser.add_argument("--players", type=int, metavar="N", help="how many players")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the rules; may be repeated for other options",
    )


def add_seats(parser: argparse.ArgumentParser, default: str) -> None:
    """`--seats`."""
    parser.add_argument(
        "--seats",
        metavar="WHO,WHO,..",
        help=f"who plays, in seat order: human, random, random:walk (default: {default})",
    )


def add_seed(parser: argparse.ArgumentParser, default: str) -> None:
    """`--seed`."""
    parser.add_argument(
        "--seed", type=int, metavar="S", help=f"where all chance comes from (default: {default})"
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """`--engine`."""
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default=AUTO,
        help="what plays; `auto` takes the fastest that is installed",
    )


# -- reading


def fail(code: int, text: str) -> int:
    """Say on stderr what is wrong; the exit code."""
    print(f"gemwright: {text}", file=sys.stderr)
    return code


def print_diagnostics(found: Iterable[Diagnostic]) -> None:
    """Findings on stderr, each with its line of the file."""
    texts: dict[str, str | None] = {}
    for each in found:
        path = each.span.path
        if path not in texts:
            texts[path] = _text_of(path)
        print(render(each, texts.get), file=sys.stderr)


def _text_of(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return None


def open_named(name: str) -> Ruleset | int:
    """The ruleset of a bundled name or a path, or the exit code after saying why not."""
    if not _is_path(name):
        known = bundled_rulesets()
        if name not in known:
            from gemwright.dsl.suggest import did_you_mean

            hint = did_you_mean(name, sorted(known)) or "`gemwright list` shows what there is"
            return fail(exits.USAGE, f"no bundled ruleset is called `{clean(name)}`; {hint}")
    elif not Path(name).is_file():
        return fail(exits.FAILED, f"cannot read {clean(name)}: there is no such file")
    reporter = Reporter()
    rules = open_ruleset(name, reporter)
    if rules is None:
        print_diagnostics(reporter.diagnostics)
        return exits.FINDINGS
    return rules


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.endswith((".yaml", ".yml")) or Path(name).is_file()


def load_named(name: str, players: int | None, options: Options) -> Game | int:
    """The game of a bundled name or a path, or the exit code after saying why there is none."""
    rules = open_named(name)
    return rules if isinstance(rules, int) else instantiate(rules, players, options)


def instantiate(rules: Ruleset, players: int | None, options: Options) -> Game | int:
    """The game of a ruleset, or the exit code after saying why there is none.

    Option values that are text are read as the rules file writes them.
    """
    low, high = rules.players
    count = players or rules.default_players or low
    if not low <= count <= high:
        allowed = f"{low}" if low == high else f"{low} to {high}"
        return fail(exits.USAGE, f"`{rules.name}` is for {allowed} players, not {count}")
    chosen = _chosen(rules, options)
    if isinstance(chosen, int):
        return chosen
    reporter = Reporter()
    model = rules.instantiate(count, chosen, reporter)
    if model is None:
        print_diagnostics(reporter.diagnostics)
        return exits.USAGE if options else exits.FINDINGS
    return Game(model, rules)


def _chosen(rules: Ruleset, options: Options) -> dict[str, int | str | bool] | int:
    """Option values as the rules know them."""
    from gemwright.dsl.suggest import did_you_mean

    known = {spec.name: spec for spec in rules.options}
    chosen: dict[str, int | str | bool] = {}
    for name, given in options.items():
        if name not in known:
            hint = did_you_mean(name, sorted(known)) or f"there are {', '.join(known) or 'none'}"
            return fail(exits.USAGE, f"`{rules.name}` has no option `{clean(name)}`; {hint}")
        value = known[name].parse(given) if isinstance(given, str) else given
        if value is None:
            text = (
                f"option `{name}` cannot be `{clean(str(given))}`; it can be {known[name].domain}"
            )
            return fail(exits.USAGE, text)
        chosen[name] = value
    return chosen


def option_value(value: int | str | bool) -> str:
    """An option value as a person writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def split_options(given: Iterable[str]) -> dict[str, str] | int:
    """The words of `--option` as names and values, or the exit code."""
    options: dict[str, str] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name:
            return fail(exits.USAGE, f"--option {each}: say NAME=VALUE")
        if name.strip() in options:
            return fail(exits.USAGE, f"--option {each}: `{name.strip()}` has a value already")
        options[name.strip()] = value.strip()
    return options


def game_of(args: argparse.Namespace, seats: tuple[str, ...] | None) -> Game | int:
    """The game that the arguments of `add_ruleset` and `add_game` name."""
    options = split_options(args.option)
    if isinstance(options, int):
        return options
    if args.players is not None and seats is not None and args.players != len(seats):
        return fail(exits.USAGE, f"--players {args.players}, but {len(seats)} in --seats")
    return load_named(args.ruleset, args.players or (len(seats) if seats else None), options)


def seats_of(args: argparse.Namespace) -> tuple[str, ...] | int | None:
    """The strategies of `--seats`, None if it is not given, or the exit code."""
    if args.seats is None:
        return None
    seats = tuple(each.strip() for each in args.seats.split(","))
    for strategy in seats:
        try:
            sampler_of(strategy)
        except ValueError as unknown:
            return fail(exits.USAGE, f"--seats: {unknown}")
    return seats


def default_seats(players: int, human: bool) -> tuple[str, ...]:
    """All random, the first a person if wanted."""
    return (HUMAN, *([RANDOM] * (players - 1))) if human else (RANDOM,) * players


# -- words


def language_of(args: argparse.Namespace, game: Game) -> str | int:
    """The language of `--lang`, by default English, or the exit code: one that the runner speaks
    or that the rules have labels in."""
    wanted: str | None = args.lang
    if wanted is None:
        return ENGLISH
    rules = game.ruleset
    known = set(languages()) | (set(labelled(rules)) if rules is not None else set())
    if wanted in known:
        return wanted
    text = f"--lang {clean(wanted)}: there are no labels; there is {', '.join(sorted(known))}"
    return fail(exits.USAGE, text)


def telling_of(game: Game, language: str, seats: tuple[str, ...]) -> Telling:
    """Sentences for a game in a language; what is wrong with its label files goes to stderr."""
    rules = game.ruleset
    if rules is None:
        labels = Labels(language, "")
    else:
        reporter = Reporter()
        labels = load_labels(rules, game.model, language, reporter)
        print_diagnostics(each for each in reporter.diagnostics if each.severity == "error")
    files = rules.document.files if rules is not None else ()
    naming = Naming(game.model, labels, speech(language), seats)
    return Telling(naming, {file.path: file.text for file in files})


def clause_texts(game: Game) -> dict[str, str]:
    """The rulebook's clauses by id."""
    if game.ruleset is None:
        return {}
    return {clause.id: clause.text for clause in game.ruleset.clauses}
