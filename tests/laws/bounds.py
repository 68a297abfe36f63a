"""The greatest number of moves of a game by the rulebooks' own arguments, at default options."""

from __future__ import annotations

from collections.abc import Callable

MOVES: dict[str, Callable[[int], int]] = {
    # 26 rounds in which each player trades once (B-5, B-26).
    "grand_bazaar": lambda players: 26 * players,
    "grand_bazaar_big_table": lambda players: 26 * players,
    # Step by step a turn is at most eight sales or purchases of single pieces and a pass.
    "grand_bazaar_stepwise": lambda players: 26 * players * 9,
    # At most 71 turns are begun (36, and 35 more for the one reshuffle), of three moves each.
    "thirty_points": lambda players: 71 * 3,
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
