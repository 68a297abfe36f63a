"""The hand-written programs play Splendor as the rules file says."""

from __future__ import annotations

import pytest

from tests.bench import splendor_twin as twin
from tests.bench.checking import PythonTwin, check
from tests.bench.facts import Choice
from tests.bench.racing import twins


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hand_written_programs_play_the_reference_game(players: int) -> None:
    assert check(twins(), players, 5, range(1)) > 100


def test_a_difference_is_found() -> None:
    """A program that loses a chip must not pass."""

    class Careless(PythonTwin):
        def play(self, wanted: Choice) -> None:
            super().play(wanted)
            self._game.bank[0] = max(0, self._game.bank[0] - 1)

    with pytest.raises(AssertionError, match="Careless, game 0"):
        check([Careless], 2, 5, range(1))


def test_a_return_with_every_kind_of_token_is_counted_once() -> None:
    """Three out of six kinds with one each are twenty."""
    assert len(twin.returns([1] * 6, 3)) == len(set(twin.returns([1] * 6, 3))) == 20


def test_payments_replace_gems_by_gold() -> None:
    held = [2, 1, 0, 0, 0, 2]
    assert twin.payments([2, 1, 0, 0, 0], held) == [
        (0, 1, 0, 0, 0, 2), (1, 0, 0, 0, 0, 2), (1, 1, 0, 0, 0, 1), (2, 0, 0, 0, 0, 1),
        (2, 1, 0, 0, 0, 0),
    ]  # fmt: skip
    assert twin.payments([3, 1, 1, 1, 0], held) == []
