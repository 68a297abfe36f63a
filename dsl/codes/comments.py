"""What `gemwright explain` says about comments for the validator: the codes V010 and V011."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

COMMENT_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "V010",
        "unused-allowance",
        "a comment allows a finding that is not there",
        "Left behind, it would hide the next fault on its line.",
        "zones:\n  # validator: allow[D002] because a variant needs it\n  bank: {holds: gem}\n",
        "zones:\n  bank: {holds: gem}\n",
        "Exact, when all player counts and options are looked at; otherwise it is not reported.",
    ),
    CodeInfo(
        "V011",
        "unreadable-allowance",
        "a comment for the validator lacks a reason, or names a code that cannot be allowed",
        "A reader must see why a finding is accepted; faults of text and of components never are.",
        "zones:\n  # validator: allow[D002]\n  bank: {holds: gem}\n",
        "zones:\n  # validator: allow[D002] because a variant needs it\n  bank: {holds: gem}\n",
        "Exact.",
    ),
)
