"""What `gemwright explain` says about problems met while a game runs: the codes R001 to R006."""

from __future__ import annotations

from typing import Final

from gemwright.dsl.codes_base import CodeInfo

ENGINE_CODES: Final[tuple[CodeInfo, ...]] = (
    CodeInfo(
        "R001",
        "value-left-its-range",
        "a rule gives a number, player or position a value outside what the file declares",
        "Ranges are promises that every engine and every proof builds on; they never clamp.",
        "state:\n  score: 0..10\nactions:\n  win: {do: score += 11}\n",
        "state:\n  score: 0..10\nactions:\n  win: {do: 'score := min(10, score + 11)'}\n",
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R002",
        "pieces-are-missing",
        "a sentence moves or draws more pieces than there are",
        "Effects never fail on a legal pick: `where` must ask for what `do` takes.",
        "actions:\n  buy: {do: move 3 coin from my purse to bank}\n",
        "actions:\n  buy: {where: 'my purse[coin] >= 3', do: move 3 coin from my purse to bank}\n",
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R003",
        "zone-is-full",
        "a sentence puts more pieces into a zone than its limit, its slots or its kinds allow",
        "A limit is a promise, not a filter on moves: rules must leave room or ask for it.",
        "zones:\n  hand: {holds: card, per: player, limit: 3}\n"
        "actions:\n  draw: {do: move top of deck to my hand}\n",
        "zones:\n  hand: {holds: card, per: player, limit: 3}\n"
        "actions:\n  draw: {where: size of my hand < 3, do: move top of deck to my hand}\n",
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R004",
        "top-of-an-empty-stack",
        "a rule uses the top of a stack that is empty",
        "There is no piece to speak of; only the test `deck.top is x` is always allowed.",
        "actions:\n  peek: {do: 'trump := deck.top.colour'}\n",
        "actions:\n  peek: {where: deck is not empty, do: 'trump := deck.top.colour'}\n",
        "Seen in one game: the game stops at the sentence.",
    ),
    CodeInfo(
        "R005",
        "steps-without-a-decision",
        "100,000 sentences and phases ran between two decisions",
        "Phases go round without asking anybody, and nothing that they change ends it.",
        "phases:\n  start: a\n  a: {do: score += 0, next: a}\n",
        "phases:\n  start: a\n  a: {do: score += 1, next: [end when score = 10, a]}\n",
        "Seen in one game: the game stops at the phase.",
    ),
    CodeInfo(
        "R006",
        "nobody-can-go-on",
        "a player must choose but has nothing to choose, or a loop over players is out of players",
        "A decision without a pick needs `otherwise`; a loop without players needs an end.",
        "phases:\n  turn: {by: buyer, actions: [buy], next: turn}\n",
        "phases:\n  turn: {by: buyer, actions: [buy], otherwise: pass, next: turn}\n",
        "Seen in one game: the game stops at the phase.",
    ),
)
