"""What happened lately: a pick is told once, with what its move shows; a value once at last."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gemwright.dsl.labels.labels import Labels
from gemwright.interpreter.cli.changes import changes
from gemwright.interpreter.cli.naming import Naming
from gemwright.interpreter.cli.speech import speech
from gemwright.interpreter.cli.telling import Telling
from gemwright.interpreter.game import Game
from gemwright.interpreter.information import seen as s

RED, GREEN, BLUE = (0,), (1,), (2,)


@pytest.fixture
def telling(stall: Game) -> Telling:
    assert [face.name for face in stall.model.faces[:3]] == ["red", "green", "blue"]
    return Telling(Naming(stall.model, Labels("en", ""), speech("en")))


def zone(game: Game, name: str, seat: int = 0) -> tuple[int, int]:
    """The number of a family of zones, and of the instance of a seat."""
    found = next(each for each in game.model.zones if each.name == name)
    return found.id, found.first + seat


def face(game: Game, name: str) -> int:
    return next(each.id for each in game.model.faces if each.name == name)


def choice(game: Game, action: str, place: tuple[int, int | None], *looks: s.Look) -> s.SeenChoice:
    """P2 picks pieces for the first parameter of an action; nothing for the others."""
    found = next(each for each in game.model.actions if each.name == action)
    first, *others = found.parameters
    picks = [s.SeenPick(first.name, None, ((*place, looks),))]
    picks += [s.SeenPick(each.name, 0, None) for each in others]
    return s.SeenChoice(1, found.id, tuple(picks))


def move(source: int, target: int, *looks: s.Look) -> s.SeenMove:
    return s.SeenMove(source, target, looks, False, "", "", False)


def told(telling: Telling, events: Sequence[s.SeenEvent]) -> list[str]:
    return [line.text for line in changes(telling, events, 0, first=False)]


def test_what_was_picked_is_not_told_again_when_it_moves(stall: Game, telling: Telling) -> None:
    shelf, purse = zone(stall, "shelf"), zone(stall, "purse", 1)
    look = s.Look(RED, 2)
    events = [choice(stall, "take", shelf, look), move(shelf[1], purse[1], look)]
    assert told(telling, events) == ["P2: take: lot 2 red"]
    # but once only, and nothing else
    again = [*events, move(shelf[1], purse[1], look), move(shelf[1], purse[1], s.Look(BLUE, 2))]
    assert told(telling, again) == [
        "P2: take: lot 2 red",
        "  2 red go from the shelf to P2's purse.",
        "  2 blue go from the shelf to P2's purse.",
    ]


def test_a_hidden_pick_is_told_with_what_its_move_shows(stall: Game, telling: Telling) -> None:
    hand, other = zone(stall, "hand", 1), zone(stall, "hand", 0)
    unseen, plain = s.Look((), 1), s.Look((face(stall, "plain"),), 1)
    hidden = [choice(stall, "give", hand, unseen), move(hand[1], other[1], plain)]
    assert told(telling, hidden) == ["P2: give: given plain; to you"]
    still = [choice(stall, "give", hand, unseen), move(hand[1], other[1], unseen)]
    assert told(telling, still) == ["P2: give: given hidden; to you"]


def test_a_pick_from_an_unknown_one_of_several_places(stall: Game, telling: Telling) -> None:
    purse, shelf = zone(stall, "purse", 1), zone(stall, "shelf")
    look = s.Look(GREEN, 1)
    events = [choice(stall, "take", (purse[0], None), look), move(purse[1], shelf[1], look)]
    assert told(telling, events) == ["P2: take: lot 1 green"]


def test_of_a_value_the_last_change_is_told(stall: Game, telling: Telling) -> None:
    moves = next(each for each in stall.model.variables if each.name == "moves")
    events = [s.SeenPass(1, False), *(s.SeenValue(moves.id, 0, n) for n in (1, 2, 3))]
    assert told(telling, events) == ["P2 passes.", "  moves: now 3."]
