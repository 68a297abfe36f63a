"""Chance: a counter-based generator that is part of the language, and what a game draws with it.

A draw is a pure function of (key, tick): the SplitMix64 finaliser over `key + (tick + 1) * GAMMA`.
The key is mixed from (seed, game index, stream); stream 0 is the game itself, a bot at seat s uses
stream s + 1. Key and tick stand in the state block, so a copied or saved state replays. Test
vectors are in tests/interpreter/test_chance.py; every engine must meet them.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final, Protocol

GAMMA: Final = 0x9E3779B97F4A7C15
MASK: Final = 0xFFFF_FFFF_FFFF_FFFF


def finalise(value: int) -> int:
    """The SplitMix64 finaliser of a 64-bit number."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def key(seed: int, game_index: int = 0, stream: int = 0) -> int:
    """The 64-bit key of a stream. Each argument counts modulo 2^64 and is mixed in by one round."""
    mixed = 0
    for part in (seed, game_index, stream):
        mixed = finalise((mixed + part + GAMMA) & MASK)
    return mixed


def draw(stream_key: int, tick: int, n: int) -> int:
    """The draw number `tick` (0-based) below n, 1 <= n <= 2^64: one finalised word, scaled down."""
    word = finalise((stream_key + (tick + 1) * GAMMA) & MASK)
    if n <= 0x1_0000_0000:
        return ((word >> 32) * n) >> 32
    return (word * n) >> 64


def fresh_seed() -> int:
    """A seed that nobody can foretell, 0 .. 2^32 - 1: short enough to read out and type again."""
    return secrets.randbits(32)


class Stream:
    """A stream of draws outside a game: for bots, samplers and shuffled seats."""

    __slots__ = ("key", "tick")

    def __init__(self, seed: int, game: int = 0, stream: int = 0) -> None:
        self.key = key(seed, game, stream)
        self.tick = 0

    def below(self, n: int) -> int:
        """The next number in 0 .. n - 1; one tick.

        Raises:
            ValueError: n is below 1 or above 2^64.
        """
        if not 1 <= n <= MASK + 1:
            raise ValueError(f"cannot draw below {n}")
        self.tick += 1
        return draw(self.key, self.tick - 1, n)


class Chance(Protocol):
    """What the effects of a game ask of chance. A scenario may answer from a script instead.

    All arguments are what is possible, in the order that the language fixes; every answer is one of
    the possibilities. `zone` is the zone instance that is drawn from or shuffled.
    """

    def piece(self, zone: int, faces: Sequence[int], counts: Sequence[int]) -> int:
        """The position in `faces` of one piece drawn from `counts[i]` pieces each, sum > 0."""

    def shuffle(self, zone: int, faces: list[int]) -> list[int]:
        """The pieces (given in face order) from bottom to top."""

    def player(self, seats: Sequence[int]) -> int:
        """One of one or more seats."""

    def value(self, values: Sequence[int]) -> int:
        """One of one or more numbers or faces."""

    def place(self, zone: int, n: int) -> int:
        """A position 0 .. n - 1 counted from the bottom of a stack; n >= 1."""


class BlockChance:
    """The chance of the language: key and tick are two cells of the state block."""

    __slots__ = ("block", "offset")

    def __init__(self, block: list[int], offset: int) -> None:
        self.block = block
        self.offset = offset

    def below(self, n: int) -> int:
        """The next number in 0 .. n - 1; always one tick."""
        block, offset = self.block, self.offset
        tick = block[offset + 1]
        block[offset + 1] = tick + 1
        return draw(block[offset], tick, n)

    def piece(self, zone: int, faces: Sequence[int], counts: Sequence[int]) -> int:
        """One draw over the remaining pieces, laid out in the order of `faces`."""
        left = self.below(sum(counts))
        for position, count in enumerate(counts):
            if left < count:
                return position
            left -= count
        raise AssertionError("a draw beyond the sum of the counts")

    def shuffle(self, zone: int, faces: list[int]) -> list[int]:
        """Fisher-Yates from the last place down to the second: len - 1 draws."""
        order = list(faces)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def player(self, seats: Sequence[int]) -> int:
        """One draw."""
        return seats[self.below(len(seats))]

    def value(self, values: Sequence[int]) -> int:
        """One draw."""
        return values[self.below(len(values))]

    def place(self, zone: int, n: int) -> int:
        """One draw."""
        return self.below(n)
