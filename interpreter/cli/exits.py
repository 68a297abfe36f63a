"""The exit codes of the command, the same for every verb.

| code | constant | when |
|---:|---|---|
| 0 | `CLEAN` | clean, or done |
| 1 | `FINDINGS` | the input was read and something in it is not as it should be |
| 2 | `USAGE` | the command line is wrong |
| 3 | `FAILED` | no verdict: cannot read or write, a budget exhausted, an internal failure |
| 130 | `INTERRUPTED` | stopped from the keyboard |
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CLEAN: Final = 0
FINDINGS: Final = 1
USAGE: Final = 2
FAILED: Final = 3
INTERRUPTED: Final = 130

#: What `gemwright --help` says about each code, in the order of the table above.
MEANINGS: Final[Mapping[int, str]] = MappingProxyType(
    {
        CLEAN: "clean, or done",
        FINDINGS: "findings, a failed scenario, uncovered clauses, a differing replay",
        USAGE: "wrong usage",
        FAILED: "cannot read or write, a budget exhausted, or an internal failure",
        INTERRUPTED: "interrupted",
    }
)
