"""`gemwright compile`: the flat program of a ruleset, for people or as a file for other tools."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import add_game, add_ruleset, fail, game_of
from gemwright.interpreter.compiled.flat.program import Program
from gemwright.interpreter.compiled.flat.text import text
from gemwright.interpreter.compiled.translate import ROOTS, flat_program

SHOW: Final = "text"
LANGUAGES: Final = (SHOW, "python", "wasm", "c")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_ruleset(parser)
    add_game(parser)
    parser.add_argument("--show", action="store_true", help="print the flat program, for people")
    parser.add_argument(
        "--to", choices=LANGUAGES, default=SHOW, help="what to write (default: text)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to; wasm needs it")


def run(args: argparse.Namespace) -> int:
    """Compile and write; an exit code."""
    if args.show and args.to != SHOW:
        return fail(exits.USAGE, "--show prints text; leave out --to")
    if args.to == "wasm" and args.output is None:
        return fail(exits.USAGE, "--to wasm writes bytes: say where to with -o FILE")
    game = game_of(args, None)
    if isinstance(game, int):
        return game
    content = _printed(flat_program(game.model), args.to)
    if args.output is None:
        sys.stdout.write(content.decode())
        return exits.CLEAN
    try:
        Path(args.output).write_bytes(content)
    except OSError as failure:
        return fail(exits.FAILED, f"cannot write {args.output}: {failure.strerror}")
    return exits.CLEAN


def _printed(program: Program, language: str) -> bytes:
    """A program in a language. Only what is asked for is loaded."""
    if language == "python":
        from gemwright.interpreter.compiled.printers.python import python_source

        return python_source(program).encode()
    if language == "wasm":
        from gemwright.interpreter.compiled.printers.wasm_module import WasmModule

        return WasmModule(program, ROOTS, _RESULTS).binary
    if language == "c":
        from gemwright.interpreter.compiled.printers.c import c_source

        return c_source(program, ROOTS).encode()
    return text(program).encode()


_RESULTS: Final = 1 << 22
"""Bytes of memory for the results of a batch."""
