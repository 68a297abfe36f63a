"""The command `gemwright`: takes the words of a command line, gives an exit code.

A verb is one module of this folder with two functions,

    def add_arguments(parser: argparse.ArgumentParser) -> None
    def run(args: argparse.Namespace) -> int        # one of the codes of `exits`

and one row in `VERBS`. The module is imported only when its verb is asked for, so `--help` and
`--version` answer at once. To add a verb: write the module, add the row, and take the name out
of `RESERVED` if it stands there.

Invariant: whatever happens in a verb, a person sees a sentence and never a Python traceback.
"""

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Final, TextIO

from gemwright.interpreter.cli import exits

#: verb -> (its module, one line of help), in the order in which `--help` shows them.
VERBS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "list": (
            "gemwright.interpreter.cli.list",
            "show the bundled rulesets, their variants, players and options",
        ),
        "play": (
            "gemwright.interpreter.cli.play",
            "play a game in the terminal, against people or bots",
        ),
        "simulate": (
            "gemwright.interpreter.cli.simulate",
            "play many games and show their statistics",
        ),
        "validate": (
            "gemwright.interpreter.cli.validate",
            "find all that can be known of a ruleset without playing it by hand",
        ),
        "test": (
            "gemwright.interpreter.cli.test",
            "run scenario files",
        ),
        "replay": (
            "gemwright.interpreter.cli.replay",
            "play a saved game or a counterexample again and say where it differs",
        ),
        "check-cert": (
            "gemwright.interpreter.cli.check_cert",
            "check that a proof of termination proves what it says",
        ),
        "graph": (
            "gemwright.interpreter.cli.graph",
            "draw the phases of a game and the ways between them",
        ),
        "clauses": (
            "gemwright.interpreter.cli.clauses",
            "show which elements and scenarios hold each clause of the rulebook",
        ),
        "diff": (
            "gemwright.interpreter.cli.diff",
            "say in plain words what changes for a player between two rulesets",
        ),
        "schema": (
            "gemwright.interpreter.cli.schema",
            "print the JSON Schema of ruleset files or of reports",
        ),
        "explain": (
            "gemwright.interpreter.cli.explain",
            "say what a finding means, with a bad and a good example",
        ),
        "compile": (
            "gemwright.interpreter.cli.compile",
            "show the program that the fast engines run",
        ),
        "new": (
            "gemwright.interpreter.cli.new",
            "write a variant of a ruleset to start from",
        ),
        "fmt": (
            "gemwright.interpreter.cli.fmt",
            "lay rules files out in the one canonical way, comments kept",
        ),
    }
)

#: Names that a later version will give a meaning, kept free until then.
RESERVED: Final = ("report", "tournament")

_USAGE: Final = "usage: gemwright VERB [ARGUMENTS]\n       gemwright --help | --version"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (default: that of the process) and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    _print_anywhere(sys.stdout)
    _print_anywhere(sys.stderr)
    try:
        code = _answer(words)
        # Output that is still buffered must fail here, where it can be handled.
        sys.stdout.flush()
    except BrokenPipeError:
        # A reader such as `head` has seen enough and needs no message, but what it did not read
        # may have held findings, so this is never reported as clean.
        _drop_output()
        return exits.FAILED
    except OSError as failure:
        _drop_output()
        print(f"gemwright: cannot write the output: {failure.strerror or failure}", file=sys.stderr)
        return exits.FAILED
    return code


def _answer(words: list[str]) -> int:
    """Run the command line; let only failures of the output pass."""
    try:
        return _dispatch(words)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return exits.INTERRUPTED
    except Exception as failure:
        # A failed `open` names its file, and a verb should have said so; a failed write does not.
        if isinstance(failure, OSError) and failure.filename is None:
            raise
        return _internal_failure(failure)


def _dispatch(words: list[str]) -> int:
    """Answer the general options, or hand the rest of the line to the verb."""
    match words:
        case []:
            print(_overview(), file=sys.stderr)
            return exits.USAGE
        case ["-h" | "--help", *_]:
            print(_overview())
            return exits.CLEAN
        case ["--version", *_]:
            from gemwright import __version__

            print(f"gemwright {__version__}")
            return exits.CLEAN
        case [verb, *rest] if verb in VERBS:
            return _run_verb(verb, rest)
        case [word, *_]:
            return _refuse(word)
    raise AssertionError(words)


def _run_verb(verb: str, rest: list[str]) -> int:
    module_name, summary = VERBS[verb]
    module = import_module(module_name)
    parser = argparse.ArgumentParser(
        prog=f"gemwright {verb}", description=_sentence(summary), allow_abbrev=False
    )
    module.add_arguments(parser)
    try:
        args = parser.parse_args(rest)
    except SystemExit as stop:
        # argparse leaves this way after --help (0) and after wrong usage (2).
        return exits.USAGE if stop.code else exits.CLEAN
    code: int = module.run(args)
    return code


def _refuse(word: str) -> int:
    """Say why the first word of the line is no verb."""
    if word in RESERVED:
        problem = f"`{word}` is a reserved name: not available in this version"
    elif word.startswith("-"):
        problem = f"unknown option `{word}`; a verb comes first"
    else:
        from gemwright.dsl.suggest import did_you_mean

        hint = did_you_mean(word, VERBS)
        problem = f"unknown verb `{word}`" + (f"; {hint}" if hint else "")
    print(f"gemwright: {problem}", file=sys.stderr)
    print(_USAGE, file=sys.stderr)
    return exits.USAGE


def _overview() -> str:
    width = max(map(len, VERBS))
    verbs = [f"  {verb:<{width}}  {summary}" for verb, (_, summary) in VERBS.items()]
    codes = [f"  {code:>3}  {meaning}" for code, meaning in exits.MEANINGS.items()]
    parts = [
        _USAGE,
        "\nWrites, checks and plays the rules of turn-based card and token games.\n",
        "verbs:",
        *verbs,
        "\n`gemwright VERB --help` tells more of one verb.\n",
        "exit codes:",
        *codes,
    ]
    return "\n".join(parts)


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _print_anywhere(stream: TextIO) -> None:
    """Let a stream that knows few letters show the others as escapes instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Send what stdout still holds nowhere: Python flushes it again at exit, and must not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _internal_failure(failure: Exception) -> int:
    """Say in one line that gemwright itself failed; the traceback goes to a file."""
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    where = _keep_traceback(failure)
    please = f"please report it with {where}" if where else "please report"
    print(f"internal error: {what}; {please}", file=sys.stderr)
    return exits.FAILED


def _keep_traceback(failure: Exception) -> str:
    """Write the traceback to a new file in the temp folder; its path, or "" if that fails."""
    try:
        handle, path = tempfile.mkstemp(prefix="gemwright-", suffix=".txt", text=True)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as out:
            out.writelines(traceback.format_exception(failure))
    except OSError:
        return ""
    return path
