"""Each statement does what `gemwright.dsl.model.game` says, to the block and to the events."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Layout, initial_block
from gemwright.interpreter.chance import key
from gemwright.interpreter.evaluation import effects as engine
from gemwright.interpreter.evaluation.effects import Effects
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.evaluation.places import Places
from gemwright.interpreter.events import (
    Assigned,
    Eliminated,
    Moved,
    Published,
    Shown,
    Shuffled,
    Value,
)
from gemwright.interpreter.problem import RuntimeProblem

from .models import (
    ME,
    SPAN,
    Builder,
    assign,
    compare,
    face,
    flag,
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
    seat,
    size_of,
    source,
    top_of,
    vector,
)

RED, GREEN, BLUE = 0, 1, 2


class Script:
    """A chance whose answers are given."""

    def __init__(self, *answers: int | list[int]) -> None:
        self.answers = list(answers)
        self.asked: list[object] = []

    def _next(self, *asked: object) -> int:
        self.asked.append(asked)
        answer = self.answers.pop(0)
        assert isinstance(answer, int)
        return answer

    def piece(self, zone: int, faces: Sequence[int], counts: Sequence[int]) -> int:
        return self._next("piece", tuple(faces), tuple(counts))

    def shuffle(self, zone: int, faces: list[int]) -> list[int]:
        self.asked.append(("shuffle", faces))
        answer = self.answers.pop(0)
        assert isinstance(answer, list)
        return answer

    def player(self, seats: Sequence[int]) -> int:
        return self._next("player", tuple(seats))

    def value(self, values: Sequence[int]) -> int:
        return self._next("value", tuple(values))

    def place(self, zone: int, n: int) -> int:
        return self._next("place", n)


class Bench:
    """A model with zones of each order and an `Effects` on a block after the start."""

    def __init__(self, *answers: int | list[int]) -> None:
        build = Builder(2, red=4, green=3, blue=2)
        self.box = build.box
        self.hand = build.zone("hand", per=True)
        self.deck = build.zone("deck", order="stack")
        self.pile = build.zone("pile", order="stack")
        self.shelf = build.zone("shelf", order="row", slots=3, refill=self.deck)
        self.tray = build.zone("tray", limit=2)
        self.score = build.number("score", 0, 9, start=5)
        self.held = build.variable("held", t.Type(t.Base.INT, 0, 9), start=2, per=True)
        self.leader = build.variable("leader", t.Type(t.Base.PLAYER, optional=True), start=-1)
        self.trump = build.variable("trump", t.Type(t.Base.FACE, faces=build.all))
        self.yes = build.variable("yes", t.FLAG)
        build.end("finished")
        build.end("stalemate")
        build.do(next=0)
        self.model = build.game()
        self.layout = Layout(self.model)
        self.block = initial_block(self.model, key(1))
        self.places = Places(self.layout)
        self.script = Script(*answers)
        chance = self.script if answers else None
        self.effects = Effects(Evaluator(self.layout, self.places), self.block, chance)
        self.all = build.all

    def lay(self, zone: m.Zone, *faces: int, number: int = 0) -> None:
        """Take pieces from the box to a zone, one by one, without events."""
        for each in faces:
            self.places.take(self.box.first, each, 1, self.block)
            self.places.put(zone.first + number, each, 1, self.block)

    def run(self, *statements: m.Statement, slots: tuple[object, ...] = (0,)) -> int | None:
        return self.effects.run(statements, [*slots, *[0] * 10])

    def fails(self, *statements: m.Statement) -> RuntimeProblem:
        with pytest.raises(RuntimeProblem) as found:
            self.run(*statements)
        assert found.value.span == SPAN
        return found.value

    def lies(self, zone: m.Zone, number: int = 0) -> list[int]:
        return self.places.pieces(zone.first + number, self.block)

    def cells(self, zone: m.Zone) -> list[int]:
        return self.block[zone.offset : zone.offset + zone.stride]

    def value(self, variable: m.Variable, position: int = 0) -> int:
        return self.block[variable.offset + position]


@pytest.fixture
def bench() -> Bench:
    return Bench()


# -- moving by face


def test_a_face_moves_between_unordered_zones(bench: Bench) -> None:
    bench.run(move_face(2, GREEN, source(bench.box), place(bench.hand, ME)), slots=(1,))
    assert bench.lies(bench.hand, 1) == [GREEN, GREEN]
    assert bench.lies(bench.box) == [RED] * 4 + [GREEN] + [BLUE] * 2
    hand = bench.hand.first + 1
    assert bench.effects.events == [Moved(bench.box.first, hand, ((GREEN, 2),), "", "")]


def test_moving_nothing_is_no_event(bench: Bench) -> None:
    bench.run(move_face(0, GREEN, source(bench.box), place(bench.tray)))
    assert bench.effects.events == []


def test_missing_pieces_are_a_problem(bench: Bench) -> None:
    problem = bench.fails(move_face(3, BLUE, source(bench.box), place(bench.tray)))
    assert problem.code == "R002"
    assert problem.message == "cannot take 3 `blue` from `box`: 2 there"


def test_a_limit_is_an_assertion(bench: Bench) -> None:
    bench.run(move_face(2, RED, source(bench.box), place(bench.tray)))
    problem = bench.fails(move_face(1, GREEN, source(bench.box), place(bench.tray)))
    assert problem.code == "R003"


def test_the_top_of_an_empty_stack_cannot_move(bench: Bench) -> None:
    move = m.MoveFace(
        SPAN, (), num(1), top_of(bench.deck), source(bench.box), place(bench.tray), False
    )
    assert bench.fails(move).code == "R004"


def test_a_vector_moves_cell_by_cell(bench: Bench) -> None:
    counts = vector(bench.all, 1, 0, 2)
    bench.run(m.MoveVector(SPAN, (), counts, source(bench.box), place(bench.pile), False))
    assert bench.lies(bench.pile) == [RED, BLUE, BLUE]
    assert isinstance(bench.effects.events[0], Moved)
    assert bench.effects.events[0].faces == ((RED, 1), (BLUE, 2))


def test_a_face_leaves_a_stack_topmost_first(bench: Bench) -> None:
    bench.lay(bench.deck, RED, GREEN, RED, BLUE)
    bench.run(move_face(1, RED, source(bench.deck), place(bench.tray)))
    assert bench.lies(bench.deck) == [RED, GREEN, BLUE]
    assert bench.cells(bench.deck)[4:] == [0] * 6


# -- ends of stacks


def test_the_top_and_the_bottom_of_a_stack(bench: Bench) -> None:
    bench.lay(bench.deck, RED, GREEN, BLUE)
    bench.run(move_top(2, source(bench.deck), place(bench.pile)))
    assert bench.lies(bench.pile) == [BLUE, GREEN]
    bench.run(move_top(1, source(bench.deck), place(bench.pile, at="bottom"), end="bottom"))
    assert bench.lies(bench.pile) == [RED, BLUE, GREEN]
    deck, pile = bench.deck.first, bench.pile.first
    assert bench.effects.events == [
        Moved(deck, pile, ((BLUE, 1), (GREEN, 1)), "top", "top"),
        Moved(deck, pile, ((RED, 1),), "bottom", "bottom"),
    ]


def test_a_stack_runs_out_unless_the_number_is_an_assertion(bench: Bench) -> None:
    bench.lay(bench.deck, RED, GREEN)
    bench.run(move_top(3, source(bench.deck), place(bench.pile)))
    assert bench.lies(bench.pile) == [GREEN, RED]
    problem = bench.fails(move_top(1, source(bench.deck), place(bench.pile), exact=True))
    assert problem.code == "R002"


def test_any_place_of_a_stack_is_its_top(bench: Bench) -> None:
    bench.lay(bench.deck, GREEN)
    bench.run(move_face(1, RED, source(bench.box), place(bench.deck)))
    assert bench.lies(bench.deck) == [GREEN, RED]


@pytest.mark.parametrize(("among", "asked", "answer"), [(2, 2, 1), (9, 4, 3), (1, 1, 0)])
def test_a_random_place_among_the_bottom(among: int, asked: int, answer: int) -> None:
    bench = Bench(answer)
    bench.lay(bench.deck, GREEN, GREEN, GREEN)
    bench.run(move_face(1, RED, source(bench.box), place(bench.deck, at="random", among=among)))
    assert bench.script.asked == [("place", asked)]
    assert bench.lies(bench.deck).index(RED) == answer


# -- all pieces


def test_all_pieces_keep_their_order_from_stack_to_stack(bench: Bench) -> None:
    bench.lay(bench.deck, RED, GREEN, RED)
    bench.lay(bench.pile, BLUE)
    bench.run(move_all(bench.all, source(bench.deck), place(bench.pile)))
    assert bench.lies(bench.pile) == [BLUE, RED, GREEN, RED]
    bench.run(move_face(1, BLUE, source(bench.pile), place(bench.deck)))
    bench.run(move_all(bench.all, source(bench.pile), place(bench.deck, at="bottom")))
    assert bench.lies(bench.deck) == [RED, GREEN, RED, BLUE]


def test_all_pieces_from_wherever_they_lie(bench: Bench) -> None:
    bench.lay(bench.hand, RED, BLUE, number=1)
    bench.lay(bench.deck, RED, GREEN)
    bench.lay(bench.pile, RED)
    bench.run(move_all((RED, BLUE), None, place(bench.pile)))
    assert bench.lies(bench.pile) == [RED, RED, BLUE, RED, BLUE, RED]
    assert [event.source for event in bench.effects.events if isinstance(event, Moved)] == [
        bench.box.first,
        bench.hand.first + 1,
        bench.deck.first,
    ]


def test_all_pieces_with_a_filter(bench: Bench) -> None:
    keep = compare(local(9), "!=", face(GREEN))
    move = m.MoveAll(SPAN, (), bench.all, source(bench.box), 9, keep, place(bench.pile), False)
    bench.run(move)
    assert bench.lies(bench.pile) == [RED] * 4 + [BLUE] * 2


# -- chance


def test_shuffled_shuffles_the_whole_target_in_face_order() -> None:
    bench = Bench([BLUE, RED, GREEN])
    bench.lay(bench.pile, BLUE)
    bench.lay(bench.deck, GREEN, RED)
    bench.run(move_all(bench.all, source(bench.deck), place(bench.pile), shuffled=True))
    assert bench.script.asked == [("shuffle", [RED, GREEN, BLUE])]
    assert bench.lies(bench.pile) == [BLUE, RED, GREEN]
    assert bench.effects.events[-1] == Shuffled(bench.pile.first)


def test_shuffle(bench: Bench) -> None:
    bench.lay(bench.deck, RED, RED, GREEN, BLUE)
    bench.run(m.Shuffle(SPAN, (), source(bench.deck)))
    assert sorted(bench.lies(bench.deck)) == [RED, RED, GREEN, BLUE]
    assert bench.block[bench.model.chance_offset + 1] == 3


def test_random_pieces_are_single_draws_over_what_remains() -> None:
    bench = Bench(1, 0)
    faces = (RED, BLUE)
    move = m.MoveRandom(SPAN, (), num(2), faces, source(bench.box), place(bench.tray), False)
    bench.run(move)
    assert bench.script.asked == [("piece", faces, (4, 2)), ("piece", faces, (4, 1))]
    assert bench.lies(bench.tray) == [RED, BLUE]


def test_more_random_pieces_than_there_are(bench: Bench) -> None:
    move = m.MoveRandom(SPAN, (), num(3), (BLUE,), source(bench.box), place(bench.pile), False)
    assert bench.fails(move).code == "R002"


def test_a_random_player_is_still_in() -> None:
    bench = Bench(1, 7, GREEN)
    bench.block[bench.model.out_offset] = 1
    bench.run(
        m.AssignRandom(SPAN, (), bench.leader.id, None, t.Players()),
        m.AssignRandom(SPAN, (), bench.score.id, None, numbers(5, 7)),
        m.AssignRandom(SPAN, (), bench.trump.id, None, t.Faces((RED, GREEN))),
    )
    assert bench.script.asked == [("player", (1,)), ("value", (5, 6, 7)), ("value", (0, 1))]
    assert [bench.value(each) for each in (bench.leader, bench.score, bench.trump)] == [1, 7, GREEN]


# -- rows


def test_a_row_is_refilled_at_the_end_of_the_sentence(bench: Bench) -> None:
    bench.lay(bench.shelf, RED, GREEN, RED)
    bench.lay(bench.deck, GREEN, BLUE)
    bench.run(move_face(2, RED, source(bench.shelf), place(bench.tray)))
    assert bench.lies(bench.shelf) == [BLUE, GREEN, GREEN]
    deck, shelf, tray = (zone.first for zone in (bench.deck, bench.shelf, bench.tray))
    assert bench.effects.events == [
        Moved(shelf, tray, ((RED, 2),), "", ""),
        Moved(deck, shelf, ((BLUE, 1), (GREEN, 1)), "top", "", refill=True),
    ]


def test_an_empty_stack_leaves_the_gap(bench: Bench) -> None:
    bench.lay(bench.shelf, RED, GREEN, RED)
    bench.lay(bench.deck, BLUE)
    bench.run(move_face(2, RED, source(bench.shelf), place(bench.tray)))
    assert bench.cells(bench.shelf) == [BLUE + 1, GREEN + 1, 0]
    bench.lay(bench.shelf, RED)
    assert bench.lies(bench.shelf) == [BLUE, GREEN, RED]


def test_a_full_row_takes_no_more(bench: Bench) -> None:
    bench.lay(bench.shelf, RED, GREEN, RED)
    assert bench.fails(move_face(1, RED, source(bench.box), place(bench.shelf))).code == "R003"


def test_rows_are_refilled_from_the_stack_of_the_same_index() -> None:
    build = Builder(2, red=4, blue=2)
    deck = build.zone("deck", per=True, order="stack")
    row = build.zone("row", per=True, order="row", slots=1, refill=deck)
    build.end()
    model = build.game()
    layout = Layout(model)
    places, block = Places(layout), initial_block(model, 0)
    for instance, which in [(deck.first, 0), (deck.first + 1, 1), (row.first + 1, 0)]:
        places.put(instance, which, 1, block)
    effects = Effects(Evaluator(layout, places), block)
    effects.run((move_face(1, 0, source(row, seat(1)), place(build.box)),), [0] * 10)
    assert places.pieces(row.first + 1, block) == [1]
    assert places.pieces(deck.first, block) == [0]


# -- picks


def act(bench: Bench, do: m.Statement, parameter: m.Parameter, value: Value) -> None:
    action = m.Action(0, "take", (parameter,), (), (do,), 10, "list", (), SPAN)
    bench.effects.act(action, 1, (value,))


def test_a_picked_piece_carries_its_zone(bench: Bench) -> None:
    bench.lay(bench.hand, RED, number=0)
    bench.lay(bench.hand, RED, number=1)
    picked = piece("which", 1, bench.hand)
    act(bench, move_picked(1, place(bench.tray)), picked, (bench.hand.first, RED))
    assert (bench.lies(bench.hand, 0), bench.lies(bench.hand, 1)) == ([], [RED])


def test_a_picked_lot_goes_back_to_where_it_came_from(bench: Bench) -> None:
    bench.lay(bench.hand, RED, RED, number=1)
    bench.lay(bench.deck, BLUE, RED)
    picked = lot("sold", 1, (bench.hand, ME), (bench.deck, None))
    value = (1, 0, 0, 1, 0, 1)
    act(bench, move_picked(1, place(bench.pile), lot=True), picked, value)
    assert bench.lies(bench.pile) == [RED, RED, BLUE]
    assert bench.lies(bench.hand, 1) == [RED]
    hand, deck, pile = bench.hand.first + 1, bench.deck.first, bench.pile.first
    assert bench.effects.events == [
        Moved(hand, pile, ((RED, 1),), "", "top"),
        Moved(deck, pile, ((RED, 1), (BLUE, 1)), "", "top"),
    ]


# -- state


def test_assignments(bench: Bench) -> None:
    bench.run(
        assign(bench.score, ":=", num(3)),
        assign(bench.score, "+=", num(4)),
        assign(bench.held, "-=", num(1), ME),
        assign(bench.yes, ":=", compare(num(1), "=", num(1))),
        slots=(1,),
    )
    assert [bench.value(bench.score), bench.value(bench.held, 1)] == [7, 1]
    assert bench.effects.events[2:] == [
        Assigned(bench.held.id, 1, 1),
        Assigned(bench.yes.id, 0, 1),
    ]
    assert type(bench.value(bench.yes)) is int


@pytest.mark.parametrize(("op", "value"), [(":=", 10), (":=", -1), ("+=", 5), ("-=", 6)])
def test_a_value_stays_in_its_range(bench: Bench, op: str, value: int) -> None:
    problem = bench.fails(assign(bench.score, op, num(value)))
    assert problem.code == "R001"
    assert "declared 0..9" in problem.message
    assert bench.value(bench.score) == 5


def test_nobody_and_empty_tops_as_values(bench: Bench) -> None:
    bench.run(assign(bench.leader, ":=", seat(1)), assign(bench.leader, ":=", seat(-1)))
    assert bench.value(bench.leader) == -1
    assert bench.fails(assign(bench.leader, ":=", seat(2))).code == "R001"
    assert bench.fails(assign(bench.trump, ":=", top_of(bench.deck))).code == "R004"


def test_let_freezes_a_value(bench: Bench) -> None:
    bench.run(
        m.Let(SPAN, (), 3, "before", read(bench.score)),
        assign(bench.score, ":=", num(1)),
        assign(bench.held, ":=", local(3), ME),
    )
    assert bench.value(bench.held) == 5


def test_elimination(bench: Bench) -> None:
    out = m.Eliminate(SPAN, (), seat(1))
    bench.run(out, out)
    assert bench.effects.events == [Eliminated(1)]
    assert bench.block[bench.model.out_offset : bench.model.out_offset + 2] == [0, 1]


# -- flow


def test_for_each_evaluates_its_domain_once(bench: Bench) -> None:
    bench.run(
        assign(bench.score, ":=", num(2)),
        m.ForEach(
            SPAN,
            (),
            3,
            "n",
            t.Numbers(num(1), read(bench.score)),
            (assign(bench.score, "+=", local(3)),),
        ),
    )
    assert bench.value(bench.score) == 5


def test_for_each_over_pieces_knows_the_counts(bench: Bench) -> None:
    pieces = t.Pieces(vector(bench.all, 2, 0, 1), bench.all)
    body = (
        assign(bench.held, ":=", local(3), seat(0)),
        assign(bench.held, "+=", local(4), seat(1)),
    )
    bench.run(m.ForEach(SPAN, (), 3, "k", pieces, body, 4))
    assert (bench.value(bench.held, 0), bench.value(bench.held, 1)) == (BLUE, 5)


def test_if_runs_one_block(bench: Bench) -> None:
    then, otherwise = assign(bench.score, ":=", num(1)), assign(bench.score, ":=", num(2))
    for holds, expected in [(True, 1), (False, 2)]:
        bench.run(m.IfDo(SPAN, (), flag(holds), (then,), (otherwise,)))
        assert bench.value(bench.score) == expected


def test_leave_and_end_stop_the_effect_at_once(bench: Bench) -> None:
    never = assign(bench.score, ":=", num(0))
    leave = m.Leave(SPAN, (), 7, "turn")
    inner = m.ForEach(SPAN, (), 3, "n", numbers(1, 3), (leave, never))
    assert bench.run(m.IfDo(SPAN, (), flag(True), (inner,), ()), never) == 7
    assert bench.run(m.EndGame(SPAN, (), "stalemate"), never) == 1
    assert bench.value(bench.score) == 5


def test_too_many_steps(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "STEP_BUDGET", 50)
    body = (assign(bench.score, ":=", num(1)),)
    bench.run(m.ForEach(SPAN, (), 3, "n", numbers(1, 49), body))
    problem = bench.fails(*body)
    assert problem.code == "R005"


# -- what becomes known


def test_show_and_tell(bench: Bench) -> None:
    bench.lay(bench.deck, RED, GREEN, GREEN)
    bench.run(
        m.Show(SPAN, (), source(bench.deck), ME),
        m.Show(SPAN, (), source(bench.tray), None),
        m.Tell(SPAN, (), read(bench.score), "my score", seat(0)),
        slots=(1,),
    )
    assert bench.effects.events == [
        Shown(bench.deck.first, (1,), ((RED, 1), (GREEN, 2))),
        Shown(bench.tray.first, None, ()),
        Published("my score", 5, (0,), bench.score.type, SPAN),
    ]


def test_what_a_statement_reads_openly_is_published(bench: Bench) -> None:
    hidden = openly(compare(size_of(bench.deck), "=", num(0)))
    bench.run(m.IfDo(SPAN, (), hidden, (), ()))
    (event,) = bench.effects.events
    assert event == Published("", 1, None, t.FLAG, SPAN)
    assert isinstance(event, Published) and type(event.value) is int


def test_marked_elements_are_traced(bench: Bench) -> None:
    ran: list[tuple[int, ...]] = []
    bench.effects.trace = ran.append
    marked = m.Let(SPAN, (4, 5), 3, "x", num(1))
    bench.run(m.IfDo(SPAN, (6,), flag(False), (marked,), ()), marked)
    assert ran == [(6,), (4, 5)]
