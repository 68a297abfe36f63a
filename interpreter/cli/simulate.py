"""`gemwright simulate`: many games between strategies and their statistics."""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import (
    add_engine,
    add_game,
    add_ruleset,
    add_seats,
    add_seed,
    default_seats,
    fail,
    game_of,
    option_value,
    seats_of,
)
from gemwright.interpreter.cli.lines import clean, columns
from gemwright.interpreter.cli.screen import Plain
from gemwright.interpreter.compiled.machine import TooLong
from gemwright.interpreter.game import Game
from gemwright.interpreter.simulation.game_rows import head
from gemwright.interpreter.simulation.parallel import missing
from gemwright.interpreter.simulation.players import HUMAN
from gemwright.interpreter.simulation.playing import MOST_MOVES, Work
from gemwright.interpreter.simulation.simulate import KeepRow, Progress, simulate, with_engine
from gemwright.interpreter.simulation.tally import SimulationResult, Spread


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_ruleset(parser)
    add_game(parser)
    add_seats(parser, "all random")
    add_seed(parser, "0")
    parser.add_argument("--games", type=int, required=True, metavar="N", help="how many games")
    parser.add_argument("--match", action="store_true", help="play N matches of several games")
    add_engine(parser)
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="J", help="processes that play (extra `sim`)"
    )
    parser.add_argument(
        "--records", type=Path, metavar="FILE.csv", help="write a row for each game"
    )
    parser.add_argument(
        "--most-moves",
        type=int,
        default=MOST_MOVES,
        metavar="M",
        help=f"give a game up after so many decisions (default: {MOST_MOVES})",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print")


def run(args: argparse.Namespace) -> int:
    """Play and print; an exit code."""
    wrong = _wrong_usage(args)
    if wrong:
        return fail(exits.USAGE, wrong)
    seats = seats_of(args)
    if isinstance(seats, int):
        return seats
    if seats is not None and HUMAN in seats:
        return fail(exits.USAGE, "a person cannot take part in a simulation: use `gemwright play`")
    begun = time.perf_counter()
    game = game_of(args, seats)
    if isinstance(game, int):
        return game
    if args.match and game.model.match is None:
        return fail(exits.USAGE, f"the rules of `{game.name}` declare no match")
    loading = time.perf_counter() - begun
    seats = seats or default_seats(game.players, human=False)
    try:
        work = Work(game.model, seats, args.seed or 0, args.match, args.most_moves)
        with_engine(work, args.engine)
    except ValueError as reason:
        return fail(exits.USAGE, f"--engine {args.engine}: {reason}")
    try:
        with _records(args.records, args.seed or 0, game.players) as keep_row:
            result = _simulate(args, game, seats, keep_row)
    except TooLong as reason:
        return fail(exits.FAILED, str(reason))
    except OSError as error:
        if args.records is None:
            raise
        return fail(exits.FAILED, f"cannot write {args.records}: {error.strerror}")
    result = replace(result, setup_seconds=round(result.setup_seconds + loading, 6))
    if args.format == "json":
        print(json.dumps(result.to_json(), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_text(result)))
    for problem, games in result.problems.items():
        print(f"{clean(problem)} ({games} games)", file=sys.stderr)
    return exits.FINDINGS if result.problems else exits.CLEAN


def _wrong_usage(args: argparse.Namespace) -> str:
    if args.games < 0:
        return f"--games {args.games}: say 0 or more"
    if args.jobs < 1:
        return f"--jobs {args.jobs}: say 1 or more"
    if args.jobs > 1 and missing():
        return f"--jobs {args.jobs}: {missing()}"
    return f"--most-moves {args.most_moves}: say 1 or more" if args.most_moves < 1 else ""


@contextmanager
def _records(path: Path | None, seed: int, players: int) -> Iterator[KeepRow | None]:
    """What writes the rows of games to a file as they come."""
    if path is None:
        yield None
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head(players))
        yield lambda row: writer.writerow(row.cells(seed, players))


def _simulate(
    args: argparse.Namespace, game: Game, seats: tuple[str, ...], keep_row: KeepRow | None
) -> SimulationResult:
    progress = _progress(args.games) if sys.stderr.isatty() else None
    try:
        return simulate(
            game,
            games=args.games,
            seed=args.seed or 0,
            seats=seats,
            jobs=args.jobs,
            match=args.match,
            most_moves=args.most_moves,
            engine=args.engine,
            progress=progress,
            keep_row=keep_row,
        )
    finally:
        if progress is not None:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _progress(games: int) -> Progress:
    """Shows how far a simulation is and how fast, a few times a second."""
    begun = shown = time.monotonic()

    def show(done: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown > 0.2 or done == games:
            shown = now
            rate = done / max(now - begun, 1e-9)
            line = f"\r{done} of {games} ({done / games:.0%}), {rate:,.1f} a second\x1b[K"
            print(line, end="", file=sys.stderr, flush=True)

    return show


# -- text


def _text(result: SimulationResult) -> list[str]:
    options = ", ".join(f"{name}={option_value(value)}" for name, value in result.options.items())
    rows = [
        ("options", options or "none"),
        ("seats", ", ".join(result.seats)),
        ("seed", str(result.seed)),
        ("engine", result.engine),
        ("sampler", result.sampler),
        ("games", _games(result)),
        ("moves", f"{result.moves} in all; per game {_spread(result.length, 'median')}"),
        ("choices", f"per decision {_spread(result.branching, 'mean')}"),
        ("wins", _wins(result)),
        ("actions", ", ".join(f"{name} {count}" for name, count in result.actions.items())),
        ("time", _time(result)),
        ("digest", result.digest),
    ]
    if result.match is not None:
        wins = ", ".join(f"P{n} {won}" for n, won in enumerate(result.match.wins, 1))
        points = ", ".join(f"P{n} {points}" for n, points in enumerate(result.match.points, 1))
        rows.insert(6, ("matches", f"{result.match.matches}; won {wins}; points {points}"))
    head = f"{result.ruleset}, {result.players} players"
    return [head, *columns(rows, Plain.width)]


def _games(result: SimulationResult) -> str:
    counts = {
        "finished": result.finished,
        "by stalemate": result.stalemates,
        "by the cap": result.capped,
        "without a winner": result.nobody,
        "given up": result.unfinished,
        "stopped by a rule": sum(result.problems.values()),
    }
    told = [f"{n} {what}" for what, n in counts.items() if n or what == "finished"]
    return f"{result.games}: {', '.join(told)}"


def _spread(spread: Spread, middle: str) -> str:
    if spread.min is None:
        return "-"
    return f"{spread.min} to {spread.max}, {middle} {spread.middle}"


def _wins(result: SimulationResult) -> str:
    finished = max(1, result.finished)
    return ", ".join(
        f"P{seat} {won} ({won / finished:.1%})" for seat, won in enumerate(result.wins, 1)
    )


def _time(result: SimulationResult) -> str:
    return (
        f"{result.seconds:.2f} s ({result.setup_seconds:.2f} s before); "
        f"{result.games_per_second:,.1f} games/s, {result.moves_per_second:,.0f} moves/s"
    )
