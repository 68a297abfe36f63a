"""Named ways to draw a pick.

Statistics say which one was used: they differ by orders of magnitude.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from gemwright.interpreter.chance import Stream
from gemwright.interpreter.walk.picks import Flat, Picks


def uniform(picks: Picks, stream: Stream) -> Flat:
    """Every pick alike: one draw below the count."""
    return picks.nth(stream.below(picks.count()))


def walk(picks: Picks, stream: Stream) -> Flat:
    """Alike among the options of each step; depends on the order of declaration."""
    prefix: Flat = ()
    while weights := picks.weights(prefix):
        prefix = (*prefix, list(weights)[stream.below(len(weights))])
    return prefix


def small_first(picks: Picks, stream: Stream) -> Flat:
    """First a size of the lots, all sizes that occur alike, then every pick of that size alike."""
    sizes = picks.sizes()
    size = list(sizes)[stream.below(len(sizes))]
    return picks.nth_of_size(size, stream.below(sizes[size]))


SAMPLERS: Final[Mapping[str, Callable[[Picks, Stream], Flat]]] = {
    "uniform": uniform,
    "walk": walk,
    "small_first": small_first,
}
