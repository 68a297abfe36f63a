"""That a walker says what listing every pick says."""

from __future__ import annotations

from gemwright.interpreter.walk.walker import Walker

from .lots import Flat, Table


def agrees(table: Table, most: int = 60) -> None:
    """Count, moves, options, nth, rank, check, sizes and reasons equal the listing's."""
    listing = table.listing()
    legal = list(listing.moves())
    walker, block, action = table.walker, table.block, table.action
    assert walker.count(block, 0, action) == len(legal)
    assert walker.completable(block, 0, action) == bool(legal)
    assert list(walker.moves(block, 0, action)) == legal
    step = 1 + len(legal) // most
    for i in range(0, len(legal), step):
        assert walker.nth(block, 0, action, i) == legal[i]
        assert walker.rank(block, 0, action, legal[i]) == i
        assert walker.check(block, 0, action, legal[i]) is None
        _along(walker, table, legal[i])
    picks = walker.picks(block, 0, action)
    assert picks.sizes() == listing.sizes()
    for flat in legal[:: 1 + len(legal) // 5]:
        for at in range(len(flat) + 1):
            assert picks.best(flat[:at]) == listing.best(flat[:at])
    assert picks.best(()) == listing.best(())
    _all_tried(table, set(legal))


def _along(walker: Walker, table: Table, flat: Flat) -> None:
    legal = list(table.listing().moves())
    for at in range(len(flat)):
        wanted = dict.fromkeys(x[at] for x in legal if x[:at] == flat[:at])
        assert list(walker.options(table.block, 0, table.action, flat[:at])) == list(wanted)


def _all_tried(table: Table, legal: set[Flat]) -> None:
    """Every pick of the domains is legal or refused, as listed."""
    listing = table.listing()
    for number, flat in enumerate(listing._tried(0, ())):
        if number > 400:
            break
        refusal = table.walker.check(table.block, 0, table.action, flat)
        assert (refusal is None) == (flat in legal)
