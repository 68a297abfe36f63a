"""`gemwright explain`: what a finding means, with a bad and a good example."""

from __future__ import annotations

import argparse

from gemwright.dsl.codes.registry import CODES, CodeInfo
from gemwright.dsl.suggest import did_you_mean
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import fail
from gemwright.interpreter.cli.lines import clean, grid


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("code", metavar="CODE", nargs="?", help="a code; without one, all of them")


def run(args: argparse.Namespace) -> int:
    """Print the page of a code, or the list of all codes."""
    if args.code is None:
        for line in grid([(info.code, info.name, info.summary) for info in CODES.values()]):
            print(line)
        return exits.CLEAN
    wanted = args.code.strip()
    names = {info.name: info.code for info in CODES.values()}
    code = names.get(wanted.lower(), wanted.upper())
    if code not in CODES:
        hint = did_you_mean(wanted, sorted({*CODES, *names})) or "`gemwright explain` lists them"
        return fail(exits.USAGE, f"there is no code `{clean(wanted)}`; {hint}")
    print("\n".join(_page(CODES[code])))
    return exits.CLEAN


def _page(info: CodeInfo) -> list[str]:
    page = [f"{info.code} {info.name}", "", info.summary]
    if info.why:
        page += ["", info.why]
    for title, example in (("Bad:", info.bad), ("Good:", info.good)):
        if example:
            page += ["", title, "", *(f"    {line}".rstrip() for line in example.splitlines())]
    if info.decided:
        page += ["", f"How it is decided: {info.decided}"]
    return page
