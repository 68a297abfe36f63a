"""Codes of findings about what the games of a ruleset do: what `gemwright validate` finds."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes_base import CodeInfo

PROOF_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "D001",
        "no-legal-move",
        "somebody has nothing to choose, and the rules do not say what happens then",
        "At the table nobody would know how to go on.",
        "phases:\n  turns: {each: player as active, otherwise: null, next: over}\n"
        "actions:\n  take: {where: size of lot = 1 and size of bank = 1}\n",
        "phases:\n  turns: {each: player as active, otherwise: pass, next: over}\n"
        "actions:\n  take: {where: size of lot = 1 and size of bank = 1}\n",
        "Found by random games, so it is never wrong; that none shows it proves nothing. The "
        "verdict `deadlock_free` says what is proved.",
    ),
    CodeInfo(
        "D002",
        "dead-action",
        "an action is never legal",
        "A condition that is always false is most likely mistyped.",
        "phases:\n  turns: {actions: [take, rest]}\nactions:\n  rest: {where: false}\n",
        "phases:\n  turns: {actions: [take, rest]}\nactions:\n  rest: {where: size of bank = 1}\n",
        "Told if a condition is false in every game of the matrix once options are put in.",
    ),
    CodeInfo(
        "G002",
        "unreachable-phase",
        "play never comes to a phase",
        "Rules that are never used are most likely a `next` that was forgotten.",
        "phases:\n  lost: {do: end game}\n",
        "phases:\n  over: {do: 'first := seat(1)', next: lost}\n  lost: {do: end game}\n",
        "Exact on the phase graph, which has all ways that play may go; told if no game of the "
        "matrix comes there.",
    ),
    CodeInfo(
        "G003",
        "no-end",
        "no way through the phases leads to the end of the game",
        "Such a game can only be left, not finished.",
        "phases:\n  over: {do: 'first := seat(1)', next: turns}\n",
        "phases:\n  over: {do: 'first := seat(1)', next: end}\n",
        "Exact on the phase graph: where it is told no play ends.",
    ),
    CodeInfo(
        "G004",
        "trap",
        "play can come to phases that it never leaves, and in which no game ends",
        "Whoever gets there plays for ever.",
        "phases:\n  over: {do: 'first := seat(1)', next: \"to end when score[first] = 1\\n"
        "to wait\"}\n  wait: {decreases: size of deck, do: 'first := seat(2)', next: wait}\n",
        "phases:\n  over: {do: 'first := seat(1)', next: \"to end when score[first] = 1\\n"
        "to wait\"}\n  wait: {do: 'first := seat(2)', next: end}\n",
        "Exact for what lies inside; that play really comes there is not shown.",
    ),
    CodeInfo(
        "T013",
        "stale-expectation",
        "what the file expects of its games is not what is found",
        "An expectation that nobody sees to be wrong protects nothing; so both ways are errors.",
        "expect:\n  - {id: terminates, expect: refuted, because: told}\n",
        "expect:\n  - {id: terminates, expect: proved, because: the bank shrinks}\n",
        "Compared with the verdict for the default options at each player count that it names.",
    ),
    CodeInfo(
        "V001",
        "unused",
        "nothing uses what is declared",
        "What is declared and never used is most likely a reference that was forgotten.",
        "actions:\n  rest: {where: size of bank = 1}\n",
        "phases:\n  turns: {actions: [take, rest]}\nactions:\n  rest: {where: size of bank = 1}\n",
        "Exact for actions; told if no game of the matrix offers it.",
    ),
)
