"""What is known of one code of a finding; the tables are in the `codes_*` modules beside this."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """One kind of finding. Codes are permanent: one that is retired stays here.

    `code` is a letter and three digits, `name` its stem (`duplicate-key`). `summary` says what is
    wrong in one sentence, `why` why it matters. `bad` is the smallest text that shows the finding,
    `good` the same text put right; a test reads both. `decided` says how it is found, and whether
    it can miss one or be mistaken.
    """

    code: str
    name: str
    summary: str
    why: str
    bad: str
    good: str
    decided: str
