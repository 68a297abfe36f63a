"""Codes of findings about what games of a ruleset do: the letters of the validator."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes_base import CodeInfo

PROOF_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "T013",
        "stale-expectation",
        "what the file expects of its games is not what is found",
        "An expectation that nobody notices to be wrong protects nothing; so both ways are errors.",
        "expect:\n  - {id: terminates, expect: refuted, because: players may pass for ever}\n",
        "expect:\n  - {id: terminates, expect: proved, because: the deck only shrinks}\n",
        "Compared with the verdict for the default options at each player count that it names.",
    ),
)
