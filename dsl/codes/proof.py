"""Codes of findings about what the games of a ruleset do: what `gemwright validate` finds."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

_KEPT: Final = (
    "Told where the file says `expect: [{id: conserved, expect: proved}]`. From the sentences: "
    "exact for what they name, whether or not play comes to them."
)

PROOF_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "C001",
        "creation",
        "pieces come out of the box after the setup, though the file expects that all are in play",
        "There are more pieces on the table than the rules speak of.",
        'actions:\n  take: {do: "move lot to my hand\\n'
        'move (openly min(1, box[red])) red to my hand"}\n'
        "expect:\n  - {id: conserved, expect: proved, because: all stones stay}\n",
        "expect:\n  - {id: conserved, expect: proved, because: all stones stay}\n",
        _KEPT,
    ),
    CodeInfo(
        "C002",
        "loss",
        "pieces go into the box after the setup, though the file expects that all stay in play",
        "What lies in the box is out of the game, and sooner or later there is not enough.",
        "actions:\n  take: {do: move lot to box}\n"
        "expect:\n  - {id: conserved, expect: proved, because: all stones stay}\n",
        "expect:\n  - {id: conserved, expect: proved, because: all stones stay}\n",
        _KEPT,
    ),
    CodeInfo(
        "D001",
        "no-legal-move",
        "somebody has nothing to choose, and the rules do not say what happens then",
        "At the table nobody would know how to go on.",
        "phases:\n  turns: {each: player as active, otherwise: null, next: over}\n"
        "actions:\n  take: {where: size of lot = 1 and size of bank = 18}\n",
        "phases:\n  turns: {each: player as active, otherwise: pass, next: over}\n"
        "actions:\n  take: {where: size of lot = 1 and size of bank = 18}\n",
        "Found by random games, so it is never wrong; that none shows it proves nothing. The "
        "verdict `deadlock_free` says what is proved.",
    ),
    CodeInfo(
        "D002",
        "dead-action",
        "an action is never legal",
        "A condition that is always false is most likely mistyped.",
        "phases:\n  turns: {actions: [take, rest]}\n"
        "actions:\n  rest: {where: false, do: move bank to my hand}\n",
        "phases:\n  turns: {actions: [take, rest]}\n"
        "actions:\n  rest: {where: size of bank = 1, do: move bank to my hand}\n",
        "Told if a condition is false in every game of the matrix once options are put in, or if "
        "it is proved of every game that no play comes to a state in which all conditions hold.",
    ),
    CodeInfo(
        "D003",
        "shadowed-action",
        "an action does what another one does, and is legal only when that one is",
        "One of the two is most likely not what was meant; players see the same move twice.",
        "phases:\n  turns: {actions: [take, rest, wait]}\n"
        "actions:\n  rest: {where: size of bank >= 1, do: move bank to my hand}\n"
        "  wait: {where: size of bank >= 1 and size of bank <= 2, do: move bank to my hand}\n",
        "phases:\n  turns: {actions: [take, rest, wait]}\n"
        "actions:\n  rest: {where: size of bank >= 1, do: move bank to my hand}\n"
        "  wait: {where: size of bank >= 1 and size of bank <= 2, do: move bank to my secret}\n",
        "By comparing picks, conditions and effects part by part: never wrong, but actions that "
        "mean the same in other words are not seen. Told if every game of the matrix has it.",
    ),
    CodeInfo(
        "E004",
        "constant-condition",
        "a condition holds always, or never, whatever the state is",
        "It decides nothing, so most likely a number or a sign in it is wrong.",
        "actions:\n  take:\n    where: |\n      size of lot = 1\n      size of bank >= 0\n",
        "actions:\n  take:\n    where: |\n      size of lot = 1\n      size of bank >= 1\n",
        "From the ranges of state, columns and zones: never wrong, but most conditions that could "
        "be shown constant by a longer argument are not seen. Told if every game has it.",
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
        "phases:\n  over: {do: 'first := seat(1)', next: \"to end when size of hand[first] >= 5\\n"
        "to wait\"}\n  wait: {decreases: size of deck, do: 'first := seat(2)', next: wait}\n",
        "phases:\n  over: {do: 'first := seat(1)', next: \"to end when size of hand[first] >= 5\\n"
        "to wait\"}\n  wait: {do: 'first := seat(2)', next: end}\n",
        "Exact for what lies inside; that play really comes there is not shown.",
    ),
    CodeInfo(
        "G006",
        "dead-branch",
        "a line of `next` is never taken",
        "Lines are tried from top to bottom; one above takes its cases, or it never holds.",
        "phases:\n  turns:\n    next: |\n      to over when size of bank <= 9\n"
        "      to over when size of bank <= 3\n      to over\n",
        "phases:\n  turns:\n    next: |\n      to over when size of bank <= 3\n"
        "      to over when size of bank <= 9\n      to over\n",
        "From ranges, from lines above that hold whenever this one does, and from what is proved "
        "of all plays: never wrong, but not all is found. Told if every game of the matrix has "
        "it.",
    ),
    CodeInfo(
        "T013",
        "stale-expectation",
        "what the file expects of its games is not what is found",
        "An expectation that nobody sees to be wrong protects nothing; so both ways are errors.",
        "expect:\n  - {id: terminates, expect: refuted, because: told}\n",
        "expect:\n  - {id: terminates, expect: proved, because: the bank shrinks}\n",
        "Compared with the verdict for the default options, for options asked for by `--option`, "
        "and for every game with values of options that the expectation names; a game with just "
        "these is proved as thoroughly as the default one. What stays unknown is a warning.",
    ),
    CodeInfo(
        "V001",
        "unused",
        "nothing uses what is declared",
        "What is declared and never used is most likely a reference that was forgotten.",
        "actions:\n  rest: {where: size of bank = 1, do: move bank to my hand}\n",
        "phases:\n  turns: {actions: [take, rest]}\n"
        "actions:\n  rest: {where: size of bank = 1, do: move bank to my hand}\n",
        "Exact for actions that are never offered, names that stand nowhere else, state that "
        "nothing reads, and options of which no value changes any game. Told of the file itself, "
        "not of its bases, and if no game of the matrix uses it.",
    ),
    CodeInfo(
        "W001",
        "unreachable-win",
        "the game is to end when something holds that never can",
        "A goal out of reach leaves the end to chance or to a cap.",
        "phases:\n  turns:\n    next: |\n      to over when some player p has score[p] >= 25\n"
        "      to over\n",
        "phases:\n  turns:\n    next: |\n      to over when some player p has score[p] >= 15\n"
        "      to over\n",
        "From the ranges of state, columns and zones, and from what is proved of all plays: where "
        "it is told the goal is out of reach. That it is not told does not show that it is within.",
    ),
)
