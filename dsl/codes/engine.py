"""What `gemwright explain` says about problems met while a game runs: the codes R001 to R006."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes.base import CodeInfo

ENGINE_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "R001",
        "value-left-its-range",
        "a rule gives a number, player or position a value outside what the file declares",
        "Ranges are promises that every engine and every proof builds on; they never clamp.",
        "phases:\n  over:\n    do: |\n      score[first] += 21\n      end game\n",
        (
            "phases:\n"
            "  over:\n"
            "    do: |\n"
            "      score[first] := min(20, score[first] + 21)\n"
            "      end game\n"
        ),
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R002",
        "pieces-are-missing",
        "a sentence moves or draws more pieces than there are",
        "Effects never fail on a legal pick: `where` must ask for what `do` takes.",
        (
            "phases:\n"
            "  over:\n"
            "    do: |\n"
            "      move 3 red from bank to hand[first]\n"
            "      end game\n"
        ),
        (
            "phases:\n"
            "  over:\n"
            "    do: |\n"
            "      move min(3, bank[red]) red from bank to hand[first]\n"
            "      end game\n"
        ),
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R003",
        "zone-is-full",
        "a sentence puts more pieces into a zone than its limit, its slots or its kinds allow",
        "A limit is a promise, not a filter on moves: rules must leave room or ask for it.",
        "zones:\n  hand: {limit: 3}\n",
        (
            "zones:\n"
            "  hand: {limit: 3}\n"
            "actions:\n"
            "  take:\n"
            "    where: |\n"
            "      size of lot = 1\n"
            "      size of my hand <= 2\n"
        ),
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R004",
        "top-of-an-empty-stack",
        "a rule uses the top of a stack that is empty",
        "There is no piece to speak of; only the test `deck.top is x` is always allowed.",
        "phases:\n  over:\n    do: |\n      score[first] := shown.top.worth\n      end game\n",
        (
            "phases:\n"
            "  over:\n"
            "    do: |\n"
            "      if shown is not empty: score[first] := shown.top.worth\n"
            "      end game\n"
        ),
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R005",
        "steps-without-a-decision",
        "100,000 sentences and phases ran between two decisions",
        "Phases go round without asking anybody, and nothing that they change ends it.",
        "phases:\n  over: {do: first := left of first, next: over, decreases: size of bank}\n",
        "phases:\n  over: {do: end game}\n",
        "Seen in one game: the game stops at the phase.",
    ),
    CodeInfo(
        "R006",
        "nobody-can-go-on",
        "a player must choose but has nothing to choose, or a loop over players is out of players",
        "A decision without a pick needs `otherwise`; a loop without players needs an end.",
        "phases:\n  turns: {otherwise: null}\n",
        "phases:\n  turns: {otherwise: over}\n",
        "Seen in one game: the game stops at the phase.",
    ),
)
