"""Resampling: the same to its player, uniform over the rest, and never a failure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import encode
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.information.deal import Group, deal
from gemwright.interpreter.information.hidden_values import free_values
from gemwright.interpreter.information.knowledge import known, memory
from gemwright.interpreter.information.resample import resample
from gemwright.interpreter.information.seen import log
from gemwright.interpreter.information.views import view
from gemwright.interpreter.moves import PASS, Move
from gemwright.interpreter.state import State

from .models import (
    ME,
    SPAN,
    Builder,
    assign,
    compare,
    face,
    local,
    lot,
    move_all,
    move_face,
    move_picked,
    move_top,
    num,
    numbers,
    openly,
    piece,
    place,
    read,
    scalar,
    seat,
    size_of,
    source,
    start,
)
from .sights import with_sight

RED, GREEN, BLUE = 0, 1, 2


class Parlour:
    """Three players hold three hidden stones each out of a hidden deck; seat 0 begins.

    They lay stones on the table, on racks where GREEN and BLUE look the same to others, or into the
    bag; `wish` is a secret number.
    """

    def __init__(self, together: bool = False, red: int = 5) -> None:
        build = Builder(3, red=red, green=5, blue=5)
        self.build = build
        self.deck = build.zone("deck", order="stack")
        self.hand = build.zone("hand", per=True)
        self.rack = build.zone("rack", per=True)
        self.table = build.zone("table")
        self.active = build.role("active")
        self.wish = build.variable("wish", t.Type(t.Base.INT, 0, 3), per=True)
        self.rank = build.variable("rank", t.Type(t.Base.INT, 0, 3))
        stone = piece("what", 1, self.hand, ME)
        red_stone = piece("what", 1, self.hand, ME)
        is_red = compare(t.PieceFace(t.Type(t.Base.FACE), SPAN, local(1)), "=", face(RED))
        wish = replace(scalar("number", 1, numbers(1, 3), 1, 3), secret=True)
        actions = [
            build.action("lay", move_picked(1, place(self.table)), self.on(), choose=(stone,)),
            build.action("hang", move_picked(1, place(self.rack, ME)), self.on(), choose=(stone,)),
            build.action(
                "wish", assign(self.wish, ":=", local(1), ME), self.on(),
                choose=(wish,), where=(compare(size_of(self.hand, ME), ">=", num(1)),),
            ),
            build.action(
                "red", move_picked(1, place(self.table)), self.on(),
                choose=(red_stone,), where=(is_red,),
            ),
            build.action(
                "give", move_picked(1, place(self.table), lot=True),
                choose=(lot("what", 1, (self.hand, ME)),),
            ),
        ]  # fmt: skip
        deal_out = [move_top(3, source(self.deck), place(self.hand, seat(who))) for who in range(3)]
        build.do(
            move_all(build.all, source(build.box), place(self.deck), shuffled=True),
            *deal_out, next=1,
        )  # fmt: skip
        if together:
            build.decide(None, actions[4], next=2, others=t.Players(), together=True, can_pass=True)
        else:
            build.decide(read(self.active), *actions[:4], next=2, otherwise=3)
        build.branch((compare(size_of(self.table), ">=", num(5)), 3), (None, 1))
        build.end()
        self.only_red = actions[3]
        self.game = with_sight(
            build.game(), deck="nobody", hand="owner", rack=(0, 1, 1), wish="owner", rank="nobody"
        )

    def on(self) -> m.Statement:
        return assign(self.active, ":=", t.Lookup(t.PLAYER, SPAN, (1, 2, 0), ME, 0, "left"))

    def start(self, seed: int = 1) -> State:
        return start(self.game, seed)


def played(parlour: Parlour, seed: int, moves: int) -> State:
    state, stream = parlour.start(seed), Stream(seed, 0, 7)
    for _ in range(moves):
        if not state.is_over:
            decision = state.pending[stream.below(len(state.pending))]
            state.apply(decision.sample(stream, "walk"), decision.player)
    return state


def check_the_same(state: State, made: State, player: int) -> None:
    assert view(made, player) == view(state, player)
    assert log(made, player) == log(state, player)
    assert view(made, None) == view(state, None)
    assert log(made, None) == log(state, None)
    for instance in range(made._machine.layout.instances):
        counts = made._machine.places.counts(instance, made.block)
        zone = made._machine.layout.instance_zone[instance]
        for viewer in (*range(made.model.players), None):
            bounds = known(made, viewer, instance)
            assert all(bounds[each] <= n for each, n in zip(zone.faces, counts, strict=True))
    assert len(encode(made.model, made.block)) == len(encode(state.model, state.block))


@pytest.mark.parametrize("together", [False, True])
def test_a_resampled_state_is_the_same_to_its_player(together: bool) -> None:
    parlour = Parlour(together)
    different = 0
    for seed in range(25):
        for moves in (0, 1, 3, 5):
            state = played(parlour, seed, moves)
            before = state.to_bytes()
            for player in range(3):
                made = resample(state, player, Stream(seed, moves, player))
                check_the_same(state, made, player)
                different += made.to_bytes() != before
            assert state.to_bytes() == before
    assert different > 200


def test_pieces_are_neither_lost_nor_made() -> None:
    parlour = Parlour()
    state = played(parlour, 3, 4)
    made = resample(state, 1, Stream(1))
    totals = []
    for each in (state, made):
        places = each._machine.places
        counts = [places.counts(at, each.block) for at in range(each._machine.layout.instances)]
        totals.append([sum(column) for column in zip(*counts, strict=True)])
    assert totals[0] == totals[1] == [5, 5, 5]


def test_a_resampled_game_can_be_played_on() -> None:
    parlour = Parlour()
    for seed in range(20):
        made = resample(played(parlour, seed, 2), seed % 3, Stream(seed))
        stream = Stream(seed, 1)
        while not made.is_over:
            made.apply(made.pending[0].sample(stream))
            for viewer in range(3):
                again = resample(made.clone(), viewer, stream)
                check_the_same(made, again, viewer)
        assert made.problem is None


def test_others_keep_only_what_everybody_has_seen() -> None:
    parlour = Parlour()
    state = played(parlour, 5, 3)
    made = resample(state, 1, Stream(5))
    assert log(made, 2) == log(state, None)
    assert memory(made).bounds(2) == memory(state).bounds(None)
    assert list(made.events) == []


def test_the_future_gets_a_fresh_key() -> None:
    state = Parlour().start()
    offset = state.model.chance_offset
    keys = {resample(state, 0, Stream(seed)).block[offset] for seed in range(5)}
    assert len(keys) == 5 and state.block[offset] not in keys


def test_a_finished_game_stays_as_it_is() -> None:
    parlour = Parlour()
    state, stream = parlour.start(), Stream(2)
    while not state.is_over:
        state.apply(state.pending[0].sample(stream))
    made = resample(state, 0, stream)
    assert made.to_bytes() == state.to_bytes() and made.result == state.result
    assert list(made.events) == [] and log(made, 0) == log(state, 0)


# -- who is asked


def test_whoever_is_asked_has_something_to_choose() -> None:
    """Seat 0 must lay a red stone, so in every world in which he is asked he holds one."""
    parlour = Parlour(red=2)
    points = tuple(
        replace(each, actions=(parlour.only_red,)) if isinstance(each, m.Decide) else each
        for each in parlour.game.points
    )
    game = replace(parlour.game, points=points)
    found = 0
    for seed in range(40):
        state = start(game, seed)
        if state.is_over:
            continue
        made = resample(state, 1, Stream(seed))
        assert [each.player for each in made.pending] == [0]
        found += 1
    assert found > 3


def test_sealed_picks_of_others_are_chosen_anew() -> None:
    parlour = Parlour(together=True)
    state = parlour.start(4)
    state.apply(state.pending[0].nth(1), 0)
    state.apply(PASS, 1)
    seen = set()
    for seed in range(30):
        made = resample(state, 1, Stream(seed))
        check_the_same(state, made, 1)
        assert [each.player for each in made.pending] == [2]
        seen.add(made.to_bytes()[-3 * state.model.sealed_stride :])
        made.apply(PASS, 2)
        assert made.problem is None
    assert len(seen) > 10


# -- hidden values


def test_secret_numbers_are_drawn_anew_once_they_are_written() -> None:
    parlour = Parlour()
    assert free_values(parlour.game) == {parlour.wish.id: (1, 2, 3)}
    state = parlour.start()
    cell = parlour.wish.offset
    assert all(resample(state, 1, Stream(seed)).block[cell] == 0 for seed in range(5))
    state.apply(Move("wish", (2,)))
    assert {resample(state, 1, Stream(seed)).block[cell] for seed in range(30)} == {1, 2, 3}
    assert all(resample(state, 0, Stream(seed)).block[cell] == 2 for seed in range(5))
    again = resample(resample(state, 1, Stream(1)), 1, Stream(2))
    assert again.block[cell] in (1, 2, 3)


@pytest.mark.parametrize("how", ["computed", "told", "published", "counter"])
def test_values_that_leave_a_trace_stay(how: str) -> None:
    parlour = Parlour()
    wish, game = parlour.wish, parlour.game
    statements: dict[str, m.Statement] = {
        "computed": assign(wish, "+=", num(1), ME),
        "told": m.Tell(SPAN, (), read(wish, ME), "wish", None),
        "published": assign(parlour.rank, ":=", openly(read(wish, ME))),
    }
    if how == "counter":
        point = m.Count(len(game.points), "turn", SPAN, (), wish.id, 3, 1, 1)
        game = replace(game, points=(*game.points, point))
    else:
        last = m.Action(9, "more", (), (), (statements[how],), 10, "list", (), SPAN)
        game = replace(game, actions=(*game.actions, last))
    assert wish.id not in free_values(game)


# -- dealing


def ways(groups: list[Group]) -> Counter[tuple[tuple[int, ...], ...]]:
    """All assignments of pieces to places, counted by what each group gets, by listing."""
    pieces = [face for group in groups for face in group.free()]
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for order in permutations(pieces):
        at, given, fits = 0, [], True
        for group in groups:
            size = len(group.free())
            share = order[at : at + size]
            at += size
            fits = fits and all(each in group.faces for each in share)
            kept = [each for each, n in group.kept.items() for _ in range(n)]
            given.append(tuple(sorted([*kept, *share])))
        if fits:
            found[tuple(given)] += 1
    return found


NESTED = [
    Group((0, 1), {0: 1, 1: 1}, {}),
    Group((0, 1, 2), {1: 1, 2: 2}, {2: 1}),
    Group((0, 1, 2), {0: 1}, {}),
    Group((3, 4), {3: 1, 4: 1}, {}),
]
CROSSED = [
    Group((0, 1), {0: 1, 1: 1}, {}),
    Group((1, 2), {1: 1, 2: 1}, {}),
    Group((0, 1, 2), {0: 1, 2: 1}, {}),
]


@pytest.mark.parametrize("groups", [NESTED, CROSSED], ids=["nested", "crossed"])
def test_pieces_are_dealt_uniformly(groups: list[Group]) -> None:
    """Chi-square against the list of all assignments, with a fixed stream."""
    expected = ways(groups)
    total, draws = sum(expected.values()), 4000
    stream = Stream(11)
    found = Counter(
        tuple(tuple(sorted(share)) for share in deal(groups, stream)) for _ in range(draws)
    )
    assert set(found) <= set(expected)
    chi = sum(
        (found[key] - draws * n / total) ** 2 / (draws * n / total) for key, n in expected.items()
    )
    freedom = len(expected) - 1
    assert chi < freedom + 4 * (2 * freedom) ** 0.5


def test_hidden_stacks_are_put_in_every_order() -> None:
    build = Builder(2, red=1, green=1, blue=1)
    deck = build.zone("deck", order="stack")
    build.do(move_all(build.all, source(build.box), place(deck), shuffled=True), next=1)
    build.decide(seat(0), build.action("stay"), next=1)
    state = start(with_sight(build.game(), deck="nobody"))
    orders = Counter(
        tuple(state._machine.places.pieces(deck.first, resample(state, 0, Stream(seed)).block))
        for seed in range(600)
    )
    assert len(orders) == 6 and min(orders.values()) > 60


def test_a_partly_seen_row_keeps_its_looks_and_gaps() -> None:
    build = Builder(2, red=3, green=2, blue=3)
    row = build.zone("row", order="row", slots=6)
    bag = build.zone("bag")
    box = source(build.box)
    laid = [move_face(1, each, box, place(row)) for each in (BLUE, RED, GREEN, RED)]
    away = [move_face(1, GREEN, source(row), place(build.box))]
    rest = m.MoveRandom(SPAN, (), num(5), build.all, box, place(bag), False)
    build.do(*laid, *away, rest, next=1)
    build.decide(seat(0), build.action("stay"), next=1)
    game = with_sight(build.game(), row=(0, 1, 1), bag="nobody", box="nobody")
    state = start(game)
    made = [resample(state, 0, Stream(seed)) for seed in range(40)]
    for each in made:
        check_the_same(state, each, 0)
    firsts = {each._machine.places.pieces(row.first, each.block)[0] for each in made}
    assert firsts == {GREEN, BLUE}
