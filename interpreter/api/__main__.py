"""`python -m gemwright` is the command `gemwright`."""

import sys

from gemwright.interpreter.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
