"""Codes of findings about plays that go on: what `gemwright validate` finds (letter T)."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

_MET: Final = (
    "Met in one of a few random games with the default options, so it is never wrong; that no "
    "game meets it proves nothing."
)
_PLAYED: Final = (
    "A proof that every play ends is tried first; what it leaves open guides a search by real "
    "moves. The play that is found is made move by move by the engine and comes back to the same "
    "state, so it is never wrong. Told where `expect` says nothing of the game, and as a warning "
    "where a `cap` ends the play."
)

TERMINATION_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "T001",
        "idle-swap",
        "moves lead back to the state in which they were made",
        "Players who like the present state can repeat them until everybody else goes home.",
        "phases:\n  turns: {actions: [take, give]}\n"
        "actions:\n  give:\n    where: size of my hand >= 1 and my hand[red] >= 1\n"
        "    do: move 1 red from my hand to bank\n",
        "phases:\n  turns: {actions: [take, give], decreases: [size of bank, size of deck]}\n"
        "actions:\n  give:\n    where: my hand[red] >= 1 and deck is not empty\n"
        "    do: |\n      move 1 red from my hand to secret[me]\n"
        "      move top of deck to shown\n",
        _PLAYED,
    ),
    CodeInfo(
        "T002",
        "mutual-pass",
        "everybody may pass, again and again, and nothing changes",
        "If nobody wants to move first the game never ends.",
        "phases:\n  turns: {actions: [take, pass]}\n",
        "phases:\n  turns: {actions: [take]}\n",
        _PLAYED,
    ),
    CodeInfo(
        "T006",
        "skippable-end",
        "a game waits for an exact number, and play jumps over it",
        "The end that the rules speak of is then never met, or only by luck.",
        "phases:\n  turns:\n    each: player as active\n    next: |\n"
        "      to over when size of bank = 3\n      to turns\n",
        "phases:\n  turns:\n    each: player as active\n    next: |\n"
        "      to over when size of bank <= 3\n      to turns\n",
        "Met in a random game with the default options, or seen from the steps in which a state "
        "variable goes: never wrong. That it is not told proves nothing.",
    ),
    CodeInfo(
        "T011",
        "wrong-measure",
        "what `decreases` names does not fall in some round",
        "It is the author's reason why the loop ends; a reason that is not true helps nobody.",
        "phases:\n  turns: {decreases: size of deck}\n",
        "phases:\n  turns: {decreases: size of bank}\n",
        _MET,
    ),
    CodeInfo(
        "T012",
        "cap-too-small",
        "a cap cuts off a game that would have ended by itself",
        "Such a game is decided before it is over, without need.",
        "phases:\n  turns: {each: null, by: first, decreases: null, cap: {times: 3, to: end}, "
        "next: turns}\n",
        "phases:\n  turns: {each: null, by: first, decreases: null, cap: {times: 99, to: end}, "
        "next: turns}\n",
        "Every play without the cap was proved to end, and the cap was met in one of a few random "
        "games; so it is never wrong, but rare plays are not seen.",
    ),
)
