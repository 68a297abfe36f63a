"""Plays many random games of bundled rulesets and checks the laws; can be stopped and resumed.

    python -m tests.soak --games 10000 --progress soak.json [MODE] [RULESET ...]

Games are numbered from 0 under one seed. Progress is kept per ruleset and player count after every
hundred games; a run that is started again goes on where the last one stopped. The last lines are
the summary for docs/evidence.md. By default the laws are checked. Other modes:

* `--options`: so many games with each single option value, and with pairs of values, at most 256
  of a ruleset.
* `--monitor`: games are held against the abstract systems that proofs speak of and against the
  certificates. So many games of each ruleset are shared out among its player counts. Games take
  turns with the precisions; every 50th is played by the reference, the rest by the fastest engine.
* `--engines`: every engine plays, and whole states, chance, results and counts must be those of the
  reference.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import date
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import Ruleset, bundled, open_ruleset
from gemwright.interpreter.compiled.games import CompiledGame
from gemwright.interpreter.game import Game, load
from gemwright.interpreter.option_sets import OptionSet, singles
from gemwright.validator.matrix import matrix
from gemwright.validator.monitoring import watchers
from tests.compiled.agreement import COMPILED, REFERENCE, Engines
from tests.laws.bounds import MOVES
from tests.laws.law import play_lawfully, replays

CHUNK = 100


def main(arguments: list[str]) -> int:
    """Run the soak; 0 when every law held."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=sorted(bundled()))
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--monitor", dest="play", action="store_const", const=monitored)
    what.add_argument("--options", dest="play", action="store_const", const=with_options)
    what.add_argument("--engines", dest="play", action="store_const", const=on_all_engines)
    parser.set_defaults(play=soak)
    parser.add_argument("--progress", type=Path, default=Path("soak.json"))
    options = parser.parse_args(arguments)
    done: dict[str, dict[str, int]] = {}
    if options.progress.is_file():
        done = json.loads(options.progress.read_text("utf-8"))
    for name in options.rulesets:
        reporter = Reporter()
        ruleset = open_ruleset(name, reporter)
        if ruleset is None:
            print(f"cannot open {name}", file=sys.stderr)
            return 2
        for players in range(ruleset.players[0], ruleset.players[1] + 1):
            options.play(name, players, options.games, options.seed, done, options.progress)
    print(f"{date.today().isoformat()}, seed {options.seed}:")
    for key, counts in sorted(done.items()):
        games, moves, longest = counts["games"], counts["moves"], counts["longest"]
        sets = f"{counts['sets']} option sets, " if "sets" in counts else ""
        told = f"{sets}{games} games, {moves} moves, longest {longest}"
        if "systems" in counts:
            told += f", {counts['systems']} systems, {counts['certificates']} with a certificate"
        print(f"  {key}: {told}")
    return 0


def soak(
    name: str, players: int, games: int, seed: int, done: dict[str, dict[str, int]], progress: Path
) -> None:
    """Play games `done` to `games`; every tenth one decision by decision and replayed."""
    key = f"{name}, {players} players"
    counts = done.setdefault(key, {"games": 0, "moves": 0, "longest": 0})
    game = load(name, players)
    while counts["games"] < games:
        index = counts["games"]
        again = index % 10 == 0
        run = play_lawfully(game, seed, index, thorough=index % 100 == 0, digests=again)
        assert len(run.moves) <= MOVES[name](players), f"{key}: game {index} is too long"
        if again:
            replays(game, seed, index, run)
        counts["games"] += 1
        counts["moves"] += len(run.moves)
        counts["longest"] = max(counts["longest"], len(run.moves))
        if counts["games"] % CHUNK == 0 or counts["games"] == games:
            progress.write_text(json.dumps(done, indent=1), "utf-8")
            print(f"{key}: {counts['games']} of {games}", file=sys.stderr)


def with_options(
    name: str, players: int, games: int, seed: int, done: dict[str, dict[str, int]], progress: Path
) -> None:
    """Play `games` games with each option set; the first one decision by decision and replayed.

    Single values are played at every player count; pairs of values, 256 of a ruleset at most, take
    turns over the player counts. Sets whose options do not go together count as no games.
    """
    key = f"{name}, {players} players, options"
    counts = done.setdefault(key, {"sets": 0, "games": 0, "moves": 0, "longest": 0})
    ruleset = load(name, players).ruleset
    assert ruleset is not None
    chosen = _option_sets(ruleset, players)
    while counts["sets"] < len(chosen):
        options = chosen[counts["sets"]]
        model = ruleset.instantiate(players, options, Reporter())
        for index in range(games if model is not None else 0):
            assert model is not None
            game, first = Game(model, ruleset), index == 0
            run = play_lawfully(game, seed, index, thorough=first, digests=first)
            if first:
                replays(game, seed, index, run)
            counts["games"] += 1
            counts["moves"] += len(run.moves)
            counts["longest"] = max(counts["longest"], len(run.moves))
        counts["sets"] += 1
        progress.write_text(json.dumps(done, indent=1), "utf-8")
    print(f"{key}: {counts['sets']} option sets", file=sys.stderr)


def _option_sets(ruleset: Ruleset, players: int) -> list[OptionSet]:
    low, high = ruleset.players
    single = list(singles(ruleset))
    double = matrix(ruleset).sets[1 + len(single) :]
    return [*single, *double[players - low :: high - low + 1]]


def monitored(
    name: str, players: int, games: int, seed: int, done: dict[str, dict[str, int]], progress: Path
) -> None:
    """Play games `done` to this player count's share of `games`; every step must lie inside an
    abstract system, and go down where there is a certificate for that one."""
    key = f"{name}, {players} players, monitored"
    counts = done.setdefault(key, {"games": 0, "moves": 0, "longest": 0})
    game = load(name, players)
    assert game.ruleset is not None
    low, high = game.ruleset.players
    share = games // (high - low + 1) + (players - low < games % (high - low + 1))
    if counts["games"] >= share:
        return
    fast, monitors = CompiledGame(game), watchers(game)
    counts["systems"] = len(monitors)
    counts["certificates"] = sum(each.descent is not None for each in monitors)
    while counts["games"] < share:
        index = counts["games"]
        # Games take turns with the precisions: all see many games, none sees all of them.
        monitor = monitors[index % len(monitors)]
        slow = index % 50 == 0
        watched = monitor.play(seed, index) if slow else monitor.play_compiled(fast, seed, index)
        assert watched.problem is None, f"{key}: game {index}: {watched.problem}"
        counts["games"] += 1
        counts["moves"] += watched.moves
        counts["longest"] = max(counts["longest"], watched.moves)
        if counts["games"] % CHUNK == 0 or counts["games"] == share:
            progress.write_text(json.dumps(done, indent=1), "utf-8")
            print(f"{key}: {counts['games']} of {share}", file=sys.stderr)


def on_all_engines(
    name: str, players: int, games: int, seed: int, done: dict[str, dict[str, int]], progress: Path
) -> None:
    """Play games `done` to `games` on the reference, as Python, as WebAssembly and as C."""
    key = f"{name}, {players} players, all engines"
    counts = done.setdefault(key, {"games": 0, "moves": 0, "longest": 0})
    if counts["games"] >= games:
        return
    here = Engines(load(name, players))
    while counts["games"] < games:
        first = counts["games"]
        more = min(CHUNK, games - first)
        moves = [each.moves for each in here.compare((REFERENCE, *COMPILED), more, seed, first)]
        counts["games"] += more
        counts["moves"] += sum(moves)
        counts["longest"] = max(counts["longest"], *moves)
        progress.write_text(json.dumps(done, indent=1), "utf-8")
        print(f"{key}: {counts['games']} of {games}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
