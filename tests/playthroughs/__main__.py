"""The command of the package: see its docstring."""

from __future__ import annotations

import argparse
import sys

from . import __doc__ as about
from .golden import FOLDER, playthroughs, strays


def main(arguments: list[str]) -> int:
    """Compare or write; 0 when nothing differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.playthroughs",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rulesets", metavar="RULESET", nargs="*", help="by default all of them")
    parser.add_argument("--write", action="store_true", help="make the texts anew")
    options = parser.parse_args(arguments)
    differing = 0
    for each in playthroughs():
        if options.rulesets and each.ruleset not in options.rulesets:
            continue
        if options.write:
            each.write()
        difference = "" if options.write else each.difference()
        differing += bool(difference)
        done = "written" if options.write else "as kept"
        print(f"{each.path.name}: {'differs' if difference else done}")
        print(difference, end="\n" if difference else "")
    for name in strays() if options.write and not options.rulesets else ():
        (FOLDER / name).unlink()
        print(f"{name}: removed")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
