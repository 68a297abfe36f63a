"""Opens a saved game together with the rules that it was played by."""

from __future__ import annotations

from pathlib import Path

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import fail, instantiate, open_named
from gemwright.interpreter.game import Game
from gemwright.interpreter.replay import mismatch
from gemwright.interpreter.saves import NewerSave, Save, SaveError, read_save


def open_save(path: Path, ruleset: str | None = None) -> tuple[Game, Save] | int:
    """A saved game and its rules, or the exit code after saying why not.

    Args:
        ruleset: what the person named; by default what the file names. A path in the file is looked
            for from the current folder, then from the folder of the file.
    """
    try:
        save = read_save(path)
    except NewerSave as newer:
        return fail(exits.FINDINGS, f"{path}: {newer}")
    except SaveError as broken:
        return fail(exits.FAILED, f"{path} is no saved game: {broken}")
    except OSError as failure:
        return fail(exits.FAILED, f"cannot read {path}: {failure.strerror or failure}")
    header = save.header
    name = ruleset or header.ruleset
    beside = path.parent / name
    if ruleset is None and not Path(name).exists() and beside.is_file():
        name = str(beside)
    rules = open_named(name)
    if isinstance(rules, int):
        return rules
    problem = mismatch(header, rules.name, rules.language, rules.digest)
    if problem:
        return fail(exits.FINDINGS, f"{path}: {problem}")
    game = instantiate(rules, header.players, header.options)
    if isinstance(game, int):
        return game
    if header.match and game.model.match is None:
        return fail(exits.FINDINGS, f"{path} is of a match, but `{game.name}` declares none")
    return game, save
