"""Views, logs and knowledge: who sees what, by what zones and variables declare."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter import events as e
from gemwright.interpreter.block import Layout
from gemwright.interpreter.information import seen as s
from gemwright.interpreter.information.knowledge import known, memory
from gemwright.interpreter.information.seen import Look, see
from gemwright.interpreter.information.seen_json import seen_to_json
from gemwright.interpreter.information.sight import Sight
from gemwright.interpreter.information.views import ZoneView, view, view_to_json
from gemwright.interpreter.machine import Machine
from gemwright.interpreter.moves import PASS, Move
from gemwright.interpreter.state import State

from .models import (
    INT,
    ME,
    SPAN,
    BruteWalker,
    Builder,
    assign,
    local,
    lot,
    move_all,
    move_face,
    move_picked,
    move_top,
    num,
    numbers,
    piece,
    place,
    read,
    scalar,
    seat,
    source,
    start,
)
from .sights import with_sight

RED, GREEN, BLUE = 0, 1, 2


class Desk:
    """Three seats, zones of every order and sight, actions of every sort of parameter.

    The hands hold 1 red and 1 green each, the pile red (bottom), green, blue (top), the open stack
    and the row green, blue. On a rack GREEN and BLUE look the same to others.
    """

    def __init__(self, together: bool = False) -> None:
        build = Builder(3, red=9, green=9, blue=9)
        self.hand = build.zone("hand", per=True)
        self.rack = build.zone("rack", per=True)
        self.bag = build.zone("bag")
        self.pile = build.zone("pile", order="stack")
        self.stack = build.zone("stack", order="stack")
        self.row = build.zone("row", order="row", slots=3)
        self.mark = build.number("mark")
        self.note = build.variable("note", t.Type(t.Base.INT, 0, 9), per=True)
        self.choices(build)
        box = source(build.box)
        laid = [
            *(move_face(1, each, box, place(self.pile)) for each in (RED, GREEN, BLUE)),
            *(move_face(1, each, box, place(self.stack)) for each in (GREEN, BLUE)),
            *(move_face(1, each, box, place(self.row)) for each in (GREEN, BLUE)),
            *(
                move_face(1, each, box, place(self.hand, seat(who)))
                for who in range(3)
                for each in (RED, GREEN)
            ),
        ]
        build.do(*laid, next=1)
        others = t.Players() if together else None
        by = None if others else seat(0)
        build.decide(
            by, *range(len(build.actions)), next=1, others=others, can_pass=True, together=together
        )
        self.game = with_sight(
            build.game(),
            hand="owner", rack=(0, 1, 1), bag="nobody", pile="nobody", note="owner",
        )  # fmt: skip
        self.state = start(self.game)
        self.sight = Sight(Layout(self.game))

    def choices(self, build: Builder) -> None:
        hand = source(self.hand, ME)
        to_rack, to_bag = place(self.rack, ME), place(self.bag)
        secret = replace(scalar("wish", 1, numbers(1, 9), 1, 9), secret=True)
        whom = scalar("whom", 1, t.Players(other=ME), type=t.PLAYER)
        build.action("hang", move_picked(1, to_rack), choose=(piece("what", 1, self.hand, ME),))
        build.action(
            "throw", move_picked(1, to_bag, lot=True), choose=(lot("what", 1, (self.hand, ME)),)
        )
        build.action("note", assign(self.note, ":=", local(1), ME), choose=(secret,))
        build.action("peek", m.Show(SPAN, (), source(self.hand, local(1)), ME), choose=(whom,))
        build.action("open", m.Show(SPAN, (), hand, None))
        build.action("tell", m.Tell(SPAN, (), num(7), "seven", local(1)), choose=(whom,))
        build.action("draw", move_top(1, source(self.pile), place(self.hand, ME)))
        build.action("turn", move_top(1, source(self.pile), place(self.row)))
        build.action("mix", m.Shuffle(SPAN, (), source(self.pile)))
        build.action("bury", move_all((RED,), hand, place(self.pile)))

    def zone(self, zone: m.Zone, viewer: int | None, index: int = 0) -> ZoneView:
        return view(self.state, viewer).zones[zone.first + index]

    def known(self, viewer: int | None, zone: m.Zone, index: int = 0) -> dict[int, int]:
        bounds = known(self.state, viewer, zone.first + index)
        return {face: bound for face, bound in bounds.items() if bound}

    def do(self, action: str, *values: e.Value) -> None:
        self.state.apply(Move(action, values))

    def last(self, viewer: int | None, number: int = 1) -> s.SeenEvent:
        return s.log(self.state, viewer)[-number]

    def way(self, one: m.Zone, other: m.Zone, viewer: int | None, *faces: int) -> s.SeenEvent:
        event = e.Moved(one.first, other.first, tuple((each, 1) for each in faces), "", "")
        found = see(self.sight, event, viewer)
        assert found is not None
        return found


# -- zones


def test_an_owner_sees_his_zone_and_others_its_size() -> None:
    desk = Desk()
    own, other = desk.zone(desk.hand, 0), desk.zone(desk.hand, 1)
    assert (own.seen, own.size, own.pieces) == ("full", 2, (Look((RED,), 1), Look((GREEN,), 1)))
    assert (other.seen, other.size, other.pieces, other.sequence) == ("hidden", 2, (), None)


def test_alike_faces_are_counted_together() -> None:
    desk = Desk()
    desk.do("hang", (desk.hand.first, GREEN))
    other = desk.zone(desk.rack, 1)
    assert (other.seen, other.pieces) == ("partly", (Look((GREEN, BLUE), 1),))
    assert desk.zone(desk.rack, 0).pieces == (Look((GREEN,), 1),)


def test_ordered_zones_show_their_sequence() -> None:
    desk = Desk()
    assert desk.zone(desk.stack, 1).sequence == ((GREEN,), (BLUE,))
    assert desk.zone(desk.row, 1).sequence == ((GREEN,), (BLUE,), ())
    hidden = desk.zone(desk.pile, 1)
    assert (hidden.sequence, hidden.size) == (None, 3)


def test_an_ordered_zone_of_alike_faces_shows_looks_in_order() -> None:
    desk = Desk()
    game = with_sight(desk.game, stack=(0, 0, 1))
    state = start(game)
    shown = view(state, 1).zones[desk.stack.first]
    assert shown.sequence == ((RED, GREEN), (BLUE,))
    assert dict(shown.known) == {GREEN: 1, BLUE: 1}


def test_a_spectator_sees_what_everybody_sees() -> None:
    desk = Desk()
    assert desk.zone(desk.hand, None).seen == "hidden"
    assert desk.zone(desk.rack, None).seen == "partly"
    assert desk.zone(desk.row, None).seen == "full"
    assert [each.name for each in view(desk.state, None).variables] == ["mark"]


def test_what_no_one_viewer_joins_a_spectator_does_not_tell_apart() -> None:
    desk = Desk()
    sight = ((0, 0, 1), (0, 1, 1), (0, 1, 2))
    zones = tuple(
        replace(zone, sight=(sight,)) if zone.name == "bag" else zone for zone in desk.game.zones
    )
    seen = Sight(Layout(replace(desk.game, zones=zones)))
    assert seen.looks(desk.bag.first, None) == ((RED, GREEN, BLUE),)
    assert seen.looks(desk.bag.first, 1) == ((RED,), (GREEN, BLUE))


# -- the rest of a view


def test_variables_follow_their_sight() -> None:
    desk = Desk()
    desk.do("note", 4)
    cells = {each.name: each.cells for each in view(desk.state, 0).variables}
    assert cells == {"mark": ((0, 0),), "note": ((0, 4),)}
    cells = {each.name: each.cells for each in view(desk.state, 1).variables}
    assert cells["note"] == ((1, 0),)


def test_a_view_says_whose_decision_it_is() -> None:
    desk = Desk()
    assert view(desk.state, 1).deciding == (0,)
    assert view(desk.state, 0).awaited and not view(desk.state, 1).awaited
    assert view(desk.state, 0).phase == "turn"


def test_sealed_picks_are_seen_by_nobody_else() -> None:
    desk = Desk(together=True)
    before = view(desk.state, 1), s.log(desk.state, 1)
    desk.state.apply(Move("note", (3,)), 0)
    assert (view(desk.state, 1), s.log(desk.state, 1)) == before
    assert view(desk.state, None).deciding == (0, 1, 2)
    own = view(desk.state, 0)
    assert own.sealed and not own.awaited and own.sealed_pick == Move("note", (3,))
    desk.state.apply(PASS, 1)
    assert view(desk.state, 1).sealed_pick == PASS


def test_a_problem_shows_its_code_only() -> None:
    desk = Desk()
    desk.do("turn")
    desk.do("turn")
    shown = view(desk.state, 1)
    assert shown.stopped == "R003" and shown.deciding == ()


def test_views_and_logs_are_plain_data() -> None:
    desk = Desk()
    desk.do("hang", (desk.hand.first, RED))
    desk.do("throw", (0, 1, 0))
    desk.do("note", 2)
    desk.do("tell", 1)
    desk.do("peek", 1)
    desk.do("mix")
    data = view_to_json(desk.game, view(desk.state, 1))
    assert json.loads(json.dumps(data)) == data
    zones = {(each["zone"], each["of"]): each for each in data["zones"]}
    assert zones["rack", "P1"]["looks"] == [{"faces": ["red"], "count": 1}]
    assert zones["row", ""]["sequence"] == ["green", "blue", None]
    assert zones["hand", "P1"] == {"zone": "hand", "of": "P1", "size": 0, "known": {}}
    for viewer in (0, 1, None):
        log = [seen_to_json(desk.game, event) for event in s.log(desk.state, viewer)]
        assert json.loads(json.dumps(log)) == log
    assert {"event": "fact", "text": "seven", "value": 7, "private": True} in [
        seen_to_json(desk.game, event) for event in s.log(desk.state, 1)
    ]


# -- moves in the log


@pytest.mark.parametrize(
    ("viewer", "looks"),
    [
        (0, (Look((RED,), 1), Look((GREEN,), 1))),
        (1, (Look((RED,), 1), Look((GREEN, BLUE), 1))),
        (None, (Look((RED,), 1), Look((GREEN, BLUE), 1))),
    ],
)
def test_a_move_joins_what_both_ends_show(viewer: int | None, looks: tuple[Look, ...]) -> None:
    desk = Desk()
    event = desk.way(desk.hand, desk.rack, viewer, GREEN, RED)
    assert isinstance(event, s.SeenMove)
    assert event.pieces == looks


def test_a_move_between_hidden_zones_shows_a_count() -> None:
    desk = Desk()
    event = desk.way(desk.hand, desk.bag, 1, GREEN, RED, RED)
    assert isinstance(event, s.SeenMove)
    assert (event.pieces, event.count) == ((Look((), 3),), 3)


def test_the_order_of_a_move_is_shown_only_with_an_ordered_zone_in_sight() -> None:
    desk = Desk()
    ordered = desk.way(desk.pile, desk.row, 1, BLUE, RED)
    assert isinstance(ordered, s.SeenMove) and ordered.in_order
    assert ordered.pieces == (Look((BLUE,), 1), Look((RED,), 1))
    plain = desk.way(desk.pile, desk.hand, 0, BLUE, RED)
    assert isinstance(plain, s.SeenMove) and not plain.in_order
    assert plain.pieces == (Look((RED,), 1), Look((BLUE,), 1))


def test_the_order_of_hidden_faces_does_not_show_through_alike_ones() -> None:
    desk = Desk()
    one = desk.way(desk.hand, desk.rack, 1, BLUE, RED, GREEN)
    other = desk.way(desk.hand, desk.rack, 1, GREEN, BLUE, RED)
    assert one == other


# -- choices in the log


def picks(event: s.SeenEvent | None) -> tuple[s.SeenPick, ...]:
    assert isinstance(event, s.SeenChoice)
    return event.picks


def test_a_picked_lot_is_seen_by_those_who_see_where_it_lies() -> None:
    desk = Desk()
    desk.do("throw", (1, 1, 0))
    at = (desk.hand.id, desk.hand.first)
    (own,), (other,) = picks(desk.last(0, 2)), picks(desk.last(1, 2))
    assert own.pieces == ((*at, (Look((RED,), 1), Look((GREEN,), 1))),)
    assert other.pieces == ((*at, (Look((), 2),)),)


def test_a_picked_piece_is_seen_by_those_who_see_where_it_lies() -> None:
    desk = Desk()
    desk.do("hang", (desk.hand.first, GREEN))
    (own,), (other,) = picks(desk.last(0, 2)), picks(desk.last(1, 2))
    assert own.pieces == ((desk.hand.id, desk.hand.first, (Look((GREEN,), 1),)),)
    assert other.pieces == ((desk.hand.id, desk.hand.first, (Look((), 1),)),)


def test_a_secret_pick_and_what_it_writes_are_seen_by_its_player() -> None:
    desk = Desk()
    desk.do("note", 5)
    assert picks(desk.last(0, 2)) == (s.SeenPick("wish", 5, None),)
    assert desk.last(0) == s.SeenValue(desk.note.id, 0, 5)
    assert picks(desk.last(1)) == (s.SeenPick("wish", None, None),)


def test_a_lot_whose_zone_the_pick_does_not_name_shows_what_all_its_instances_show() -> None:
    desk = Desk()
    far = t.Arithmetic(INT, SPAN, "+", ME, num(1))
    action = m.Action(
        0, "take", (lot("what", 1, (desk.rack, far)),), (), (), 10, "list", (), SPAN
    )  # fmt: skip
    sight = Sight(Layout(replace(desk.game, actions=(action,))))
    event = e.Chosen(0, 0, ((0, 1, 1),), (False,))
    (pick,) = picks(see(sight, event, 1))
    assert pick.pieces == ((desk.rack.id, None, (Look((GREEN, BLUE), 2),)),)


# -- telling and showing


def test_what_is_told_or_shown_reaches_its_addressee() -> None:
    desk = Desk()
    desk.do("tell", 1)
    assert isinstance(desk.last(1), s.SeenFact)
    assert isinstance(desk.last(0), s.SeenChoice) and isinstance(desk.last(None), s.SeenChoice)
    desk.do("peek", 1)
    pieces = (Look((RED,), 1), Look((GREEN,), 1))
    assert desk.last(0) == s.SeenPieces(desk.hand.first + 1, pieces, True)
    assert isinstance(desk.last(2), s.SeenChoice)
    desk.do("open")
    assert desk.last(None) == s.SeenPieces(desk.hand.first, pieces, False)


# -- knowledge


def test_what_the_setup_names_is_known_though_the_box_is_hidden() -> None:
    desk = Desk()
    desk.state = start(with_sight(desk.game, box="nobody"))
    assert desk.known(1, desk.hand) == {RED: 1, GREEN: 1}
    assert desk.known(2, desk.game.zones[0]) == {RED: 5, GREEN: 3, BLUE: 6}


@pytest.mark.parametrize("how", ["random", "hidden"])
def test_what_the_setup_draws_or_hides_is_not_known(how: str) -> None:
    desk = Desk()
    box, to = source(desk.game.zones[0]), place(desk.bag)
    drawn: m.Statement = m.MoveRandom(SPAN, (), num(1), (RED, GREEN), box, to, False)
    if how == "hidden":
        drawn = m.MoveFace(SPAN, (), num(1), read(desk.note, seat(0)), box, to, False)
    first = desk.game.points[0]
    assert isinstance(first, m.Do)
    points = (replace(first, body=(*first.body, drawn)), *desk.game.points[1:])
    desk.state = start(with_sight(replace(desk.game, points=points), box="nobody"))
    assert desk.known(1, desk.bag) == {}
    assert known(desk.state, 1, 0)[RED] < 5


def test_arrivals_from_an_open_zone_are_known() -> None:
    desk = Desk()
    assert desk.known(1, desk.hand) == {RED: 1, GREEN: 1}
    assert desk.known(None, desk.pile) == {RED: 1, GREEN: 1, BLUE: 1}


def test_an_unseen_departure_lowers_every_face() -> None:
    desk = Desk()
    desk.do("draw")
    assert desk.known(1, desk.pile) == {}
    assert desk.known(0, desk.pile) == {RED: 1, GREEN: 1}
    assert desk.known(1, desk.hand) == {RED: 1, GREEN: 1}


def test_a_departure_of_alike_faces_lowers_those() -> None:
    desk = Desk()
    desk.do("hang", (desk.hand.first, GREEN))
    assert desk.known(1, desk.hand) == {RED: 1}
    desk.do("hang", (desk.hand.first, RED))
    assert desk.known(1, desk.rack) == {RED: 1}


def test_a_seen_departure_takes_that_face() -> None:
    desk = Desk()
    desk.do("turn")
    assert desk.known(1, desk.pile) == {RED: 1, GREEN: 1}


def test_showing_sets_exact_bounds_for_whoever_sees() -> None:
    desk = Desk()
    desk.do("draw")
    desk.do("throw", (1, 0, 0))
    assert desk.known(2, desk.hand) == {}
    desk.do("open")
    assert desk.known(2, desk.hand) == {GREEN: 1, BLUE: 1}


def test_a_shuffle_changes_no_bound() -> None:
    desk = Desk()
    before = desk.known(1, desk.pile)
    desk.do("mix")
    assert desk.known(1, desk.pile) == before


def test_copies_remember_their_own_games() -> None:
    desk = Desk()
    memory(desk.state).bounds(1)
    twin = desk.state.clone()
    desk.do("draw")
    twin.apply(Move("turn"))
    assert desk.known(1, desk.pile) == {}
    assert known(twin, 1, desk.pile.first) == {RED: 1, GREEN: 1, BLUE: 0}
    assert s.log(twin, 1)[-1] != desk.last(1)


def test_a_restored_state_knows_nothing_of_hidden_places() -> None:
    desk = Desk()
    desk.state = State.resting(Machine(desk.game, BruteWalker), desk.state.block.copy())
    assert desk.known(1, desk.hand) == {} and desk.known(1, desk.row) == {GREEN: 1, BLUE: 1}
    desk.do("bury")
    assert desk.known(0, desk.pile) == {RED: 1}
    assert desk.known(1, desk.pile) == {}


def test_knowledge_is_no_part_of_the_state() -> None:
    desk = Desk()
    before = desk.state.digest()
    desk.state.view(1)
    assert desk.state.digest() == before
