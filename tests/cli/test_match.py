"""Matches: points, who starts, ties that are played off."""

import pytest

from gemwright.interpreter.chance import Stream
from gemwright.interpreter.game import load
from gemwright.interpreter.match import Match

from .conftest import DATA


def played(options: dict[str, int | str], seed: int = 3) -> tuple[Match, list[int | None]]:
    """A match of random games, and who started each of them."""
    match = Match(load(DATA / "stall.gem.yaml", 3, options), seed, several=True)
    luck = Stream(seed, 0, 9)
    starters = []
    while not match.is_over:
        starters.append(match.starter)
        while not match.state.is_over:
            match.state.apply(match.state.pending[0].sample(luck))
        assert match.problem is None
        match.close_game()
    return match, starters


def test_points_add_up_and_decide() -> None:
    match, starters = played({"games": 3})
    assert len(match.played) == len(starters) == 3
    for seat in range(3):
        scores = [game.outcome.scores[seat] for game in match.played]
        assert [game.points[seat] for game in match.played] == scores
        assert match.totals[seat] == sum(score or 0 for score in scores)
    assert match.outcome is not None
    best = max(match.totals)
    assert match.outcome.winners == tuple(s for s in range(3) if match.totals[s] == best)


def test_the_left_neighbour_of_the_last_starter_starts() -> None:
    _, starters = played({"games": 4, "next_start": "left"})
    first = starters[0]
    assert first is not None
    assert starters == [(first + step) % 3 for step in range(4)]


def test_the_winner_of_the_last_game_starts() -> None:
    match, starters = played({"games": 5, "next_start": "winner"})
    pairs = [
        (starter, game.outcome.winners)
        for starter, game in zip(starters[1:], match.played, strict=False)
        if len(game.outcome.winners) == 1
    ]
    assert pairs
    assert all((starter,) == winners for starter, winners in pairs)


def test_a_chosen_starter_changes_no_other_chance() -> None:
    left, _ = played({"games": 2, "next_start": "left"})
    free, _ = played({"games": 2})
    tick = left.game.model.chance_offset + 1
    assert left.state.block[tick] == free.state.block[tick]


def test_a_tie_is_played_off_only_where_the_rules_say_so() -> None:
    for seed in range(60):
        shared, _ = played({"games": 1, "series_tie": "shared"}, seed)
        assert shared.outcome is not None
        if len(shared.outcome.winners) > 1:
            break
    else:
        pytest.fail("no tie in 60 games")
    extra, _ = played({"games": 1, "series_tie": "extra_game"}, seed)
    assert extra.outcome is not None
    assert len(extra.played) > 1
    assert len(extra.outcome.winners) == 1


def test_a_single_game_has_no_match_result() -> None:
    match = Match(load(DATA / "stall.gem.yaml"), 1)
    while not match.state.is_over:
        match.state.apply(next(match.state.pending[0].moves()))
    match.close_game()
    assert match.is_over
    assert match.outcome is None
    with pytest.raises(ValueError, match="no game has just ended"):
        match.close_game()
