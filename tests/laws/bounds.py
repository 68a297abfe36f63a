"""The greatest number of moves of a game by the rulebooks' own arguments, at default options."""

from __future__ import annotations

from collections.abc import Callable

CARDS = 18
"""Transaction cards, and so replacements in one sale."""


def carats(players: int, days: tuple[tuple[int, int], ...] = ((2, 4), (3, 3), (4, 2))) -> int:
    """Moves of a game of 30 Carats, by the price of the bank and of an inspection each day.

    A sale is a card, a combination, an offer of each opponent and a swap; from four players on the
    seller is asked before each offer and at the end whether he inspects. Whatever he pays for
    inspections was in play, or was drawn back from the bag, five nuggets at most, in a bank swap
    that itself has a price. After an inspection he may have to show another card. A penalty tries
    no card twice. Each new day is opened by naming its first player.
    """
    moves = len(days) - 1
    for bank, price in days:
        asked = players if players > 3 else 0
        inspections = (5 * (players + 1) + 5 - bank) // price if players > 3 else 0
        sale = 1 + 1 + (players - 1) + 1 + asked
        moves += players * (sale + 2 * inspections + CARDS)
    return moves


MOVES: dict[str, Callable[[int], int]] = {
    # 26 rounds in which each player trades once (B-5, B-26).
    "grand_bazaar": lambda players: 26 * players,
    "grand_bazaar_big_table": lambda players: 26 * players,
    # Step by step a turn is at most eight sales or purchases of single pieces and a pass.
    "grand_bazaar_stepwise": lambda players: 26 * players * 9,
    # At most 71 turns are begun (36, and 35 more for the one reshuffle), of three moves each.
    "thirty_points": lambda players: 71 * 3,
    # A game of the five has no reshuffle.
    "thirty_points_five": lambda players: 36 * 3,
    "thirty_carats": carats,
    # A card that fails was shown before it is replaced.
    "thirty_carats_bluff": lambda players: carats(players) + 3 * players * CARDS,
    # Each opponent may be chosen and take his offer back.
    "thirty_carats_loose_offers": lambda players: carats(players) + 3 * players * 2 * players,
    "thirty_carats_short": lambda players: carats(players, ((2, 3), (3, 2))),
    # Six evenings in which each player visits, takes and serves once (L-5, L-6); a festival has
    # eight.
    "lantern_market": lambda players: 6 * 3 * players,
    "lantern_market_festival": lambda players: 8 * 3 * players,
    # Each turn draws at least one of the 53 - 3n - 3 cards that are left after dealing, or the
    # closing card, and has three decisions at most: draw, act, discard. Three rounds.
    "diams": lambda players: 3 * (51 - 3 * players) * 3,
    "diams_new_collections": lambda players: 3 * (51 - 3 * players) * 3,
    "diams_quick": lambda players: (51 - 3 * players) * 3,
    # 200 rounds; a turn is an action, perhaps a return of chips, perhaps a noble.
    "splendor": lambda players: 200 * players * 3,
    "splendor_published": lambda players: 200 * players * 3,
    "splendor_quick": lambda players: 200 * players * 3,
    # Without returns at most 620 chips are taken, 90 cards reserved and 90 bought; ten nobles.
    "splendor_as_printed": lambda players: 620 + 90 + 90 + 10,
}
