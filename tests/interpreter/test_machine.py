"""Control points, decisions and states, on small models made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import decode, encode, initial_block
from gemwright.interpreter.chance import Stream, key
from gemwright.interpreter.decision import Option
from gemwright.interpreter.events import (
    Assigned,
    Chosen,
    Ended,
    Entered,
    Moved,
    Passed,
    Published,
)
from gemwright.interpreter.machine import Machine
from gemwright.interpreter.moves import PASS, Move
from gemwright.interpreter.outcome import Outcome
from gemwright.interpreter.state import IllegalMove, State

from .models import (
    INT,
    ME,
    SPAN,
    BruteWalker,
    Builder,
    assign,
    compare,
    face,
    flag,
    local,
    lot,
    lot_vector,
    move_face,
    move_picked,
    num,
    numbers,
    openly,
    place,
    read,
    scalar,
    seat,
    size_of,
    source,
    start,
)

RED, GREEN, BLUE = 0, 1, 2


def total(vector: t.Term) -> t.Term:
    return t.VectorSum(INT, SPAN, vector)


def size_is(zone: m.Zone, op: str, count: int, index: t.Term | None = None) -> t.Term:
    return compare(size_of(zone, index), op, num(count))


# -- one decision after another


class Takes:
    """Two players in turn take 1 or 2 stones from the box until it holds at most `left`."""

    def __init__(self, reds: int = 5, **decide: Any) -> None:
        self.build = build = Builder(2, red=reds)
        self.hand = build.zone("hand", per=True)
        self.now = build.role("now")
        self.counter = build.variable("counter", t.Type(t.Base.INT, 0, 2))
        self.origin = build.variable("origin", t.PLAYER)
        amount = scalar("amount", 1, numbers(1, 2), 1, 2)
        there = compare(local(1), "<=", size_of(build.box))
        move = m.MoveFace(
            SPAN, (), local(1), face(RED), source(build.box), place(self.hand, ME), False
        )
        self.take = build.action("take", move, choose=(amount,), where=(there,))
        build.add(m.LoopStart(0, "", SPAN, (), self.counter.id, self.origin.id, seat(1), 1))
        build.add(
            m.LoopTest(
                0, "", SPAN, (), self.counter.id, self.origin.id, None, 2, self.now.id, True, 2, 4
            )
        )
        build.decide(read(self.now), self.take, next=3, **decide)
        build.branch((size_is(build.box, "=", 0), 4), (None, 1))
        build.end()
        build.result = m.Result(
            size_of(self.hand, ME), (m.Key(True, size_of(self.hand, ME), "", (), SPAN),), None, ()
        )
        self.model = build.game()


def test_a_whole_game() -> None:
    game = Takes(reds=5)
    state = start(game.model)
    (decision,) = state.pending
    assert (decision.player, decision.phase, decision.actions) == (1, "turn", ("take",))
    assert list(decision.moves()) == [Move("take", (1,)), Move("take", (2,))]
    assert list(state.events) == [Assigned(game.now.id, 0, 1), Entered("turn")]
    events = state.apply(Move("take", (2,)))
    assert events == (
        Chosen(1, 0, (2,), (False,)),
        Moved(game.build.box.first, game.hand.first + 1, ((RED, 2),), "", ""),
        Assigned(game.now.id, 0, 0),
    )
    state.apply(Move("take", (2,)), player=0)
    assert list(state.pending[0].moves()) == [Move("take", (1,))]
    events = state.apply(Move("take", (1,)))
    assert events[-1] == Ended("finished")
    assert state.is_over and state.pending == ()
    assert state.result == Outcome((2, 3), (2, 1), (1,), "finished")


def test_an_illegal_move_changes_nothing() -> None:
    state = start(Takes(reds=3).model)
    before, events = state.digest(), len(state.events)
    for move, player, text in [
        (Move("take", (3,)), None, "not in the domain"),
        (Move("take", ()), None, "takes 1 picks"),
        (Move("take", ((1, 2),)), None, "cannot be"),
        (Move("give", ()), None, "no action"),
        (PASS, None, "passing"),
        (Move("take", (1,)), 0, "player 0 has nothing"),
    ]:
        with pytest.raises(IllegalMove, match=text):
            state.apply(move, player)
    assert (state.digest(), len(state.events), len(state.pending)) == (before, events, 1)


def test_a_refusal_names_its_line_and_traces_the_lines_that_were_tested() -> None:
    build = Builder(1, red=1)
    lines = (flag(True), compare(local(1), "<", num(2)), flag(True))
    take = build.action("take", choose=(scalar("n", 1, numbers(1, 2)),), where=lines)
    build.decide(seat(0), take, next=1)
    build.end()
    ran: list[tuple[int, ...]] = []
    state = start(build.game(), trace=ran.append)
    ran.clear()
    with pytest.raises(IllegalMove) as found:
        state.apply(Move("take", (2,)))
    refusal = found.value.refusal
    assert (refusal.line, refusal.text, refusal.clauses) == (1, "line 1", ("C-1",))
    assert ran == [(0,), (1,)]
    ran.clear()
    state.apply(Move("take", (1,)))
    assert ran[:3] == [(0,), (1,), (2,)]


def test_decisions_keep_their_block() -> None:
    state = start(Takes(reds=5).model)
    (before,) = state.pending
    twin = state.clone()
    state.apply(Move("take", (2,)))
    state.apply(Move("take", (2,)))
    assert before.count() == 2
    assert twin.pending == (before,)
    twin.apply(Move("take", (1,)))
    assert [type(event) for event in twin.events][:3] == [Assigned, Entered, Chosen]
    assert len(state.events) == 8
    assert len(twin.events) == 5


def test_a_state_is_restored_from_its_bytes() -> None:
    game = Takes(reds=5)
    state = start(game.model)
    state.apply(Move("take", (2,)))
    machine = Machine(game.model, BruteWalker)
    twin = State.resting(machine, decode(game.model, state.to_bytes()))
    assert twin.block == state.block
    assert twin.pending[0].player == 0
    assert encode(game.model, twin.block) == state.to_bytes()
    for data in (state.to_bytes()[:-1], state.to_bytes() + b"\0", b"\xff" * len(state.to_bytes())):
        with pytest.raises(ValueError, match=r"bytes|holds"):
            decode(game.model, data)


def test_the_same_seed_is_the_same_game() -> None:
    build = Builder(2, red=3, green=3)
    deck = build.zone("deck", order="stack")
    everything = m.MoveAll(SPAN, (), build.all, source(build.box), 9, None, place(deck), True)
    build.do(everything, next=1)
    build.end()
    model = build.game()
    digests = [start(model, seed).digest() for seed in (1, 1, 2, 3)]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3


# -- walking, counting, sampling


def test_a_walk_goes_action_by_action_and_entry_by_entry() -> None:
    build = Builder(2, red=2, green=1)
    hand = build.zone("hand", per=True)
    sold = lot("sold", 1, (build.box, None), high=2)
    to = scalar("to", 2, t.Players(other=ME), type=t.PLAYER)
    some = compare(total(lot_vector(sold)), "=", num(2))
    sell = build.action(
        "sell", move_picked(1, place(hand, local(2)), lot=True), choose=(sold, to), where=(some,)
    )
    nothing = build.action("wait")
    build.decide(seat(0), sell, nothing, next=1, can_pass=True)
    build.end()
    decision = start(build.game()).pending[0]
    assert decision.options() == (Option("sell", 1), Option("wait", 2), Option("pass", 0))
    assert isinstance(sold.domain, m.LotDomain)
    first = decision.options(("sell",))
    assert first == (
        Option(1, 4, "sold", sold.domain.cells[0]),
        Option(2, 5, "sold", sold.domain.cells[0]),
    )
    assert [each.step for each in decision.options(("sell", 1))] == [1]
    assert decision.options(("sell", 1, 1)) == (Option(1, 10, "to"),)
    assert decision.options(("sell", 1, 1, 1)) == ()
    assert decision.options(("wait",)) == decision.options(("pass",)) == ()
    move = decision.move(("sell", 1, 1, 1))
    assert move == Move("sell", ((1, 1), 1))
    assert decision.steps(move) == ("sell", 1, 1, 1)
    moves = list(decision.moves())
    assert moves == [move, Move("sell", ((2, 0), 1)), Move("wait"), PASS]
    assert [decision.nth(i) for i in range(decision.count())] == moves
    assert list(decision.moves(2)) == moves[:2]
    with pytest.raises(IndexError):
        decision.nth(4)
    for how in ("uniform", "walk", "small_first"):
        stream = Stream(5)
        found = {decision.sample(stream, how) for _ in range(60)}
        assert found == set(moves)
    with pytest.raises(ValueError, match="no sampler"):
        decision.sample(Stream(1), "best")


def test_a_uniform_sample_is_one_draw() -> None:
    stream = Stream(5)
    start(Takes().model).pending[0].sample(stream)
    assert stream.tick == 1


# -- who has nothing to choose


def never(build: Builder, name: str = "never") -> int:
    return build.action(name, where=(flag(False),))


def test_otherwise_goes_to_a_control_point() -> None:
    build = Builder(2, red=1)
    build.decide(seat(0), never(build), next=2, otherwise=1)
    build.do(next=2, phase="other")
    build.end()
    state = start(build.game())
    assert [*state.events] == [Entered("turn"), Entered("other"), Ended("finished")]


def test_otherwise_offers_further_actions() -> None:
    build = Builder(2, red=1)
    last = build.action("last")
    build.decide(seat(0), never(build), next=1, fallback=(last,))
    build.end()
    state = start(build.game())
    assert state.pending[0].actions == ("last",)
    with pytest.raises(IllegalMove):
        state.apply(Move("never"))
    state.apply(Move("last"))
    assert state.is_over


def test_further_actions_are_refused_while_others_are_possible() -> None:
    build = Builder(2, red=1)
    first, last, alien = build.action("first"), build.action("last"), build.action("alien")
    build.decide(seat(0), first, next=1, fallback=(last,))
    build.decide(seat(0), alien, next=2)
    build.end()
    state = start(build.game())
    for name, text in [("last", "only when nothing else"), ("alien", "not among")]:
        with pytest.raises(IllegalMove, match=text):
            state.apply(Move(name))


def test_otherwise_pass_is_by_force() -> None:
    build = Builder(2, red=1)
    build.decide(seat(1), never(build), next=1, fallback_pass=True)
    build.end()
    state = start(build.game())
    assert [*state.events] == [Entered("turn"), Passed(1, forced=True), Ended("finished")]


def test_a_window_is_always_asked() -> None:
    build = Builder(2, red=1)
    build.decide(seat(1), never(build), next=1, can_pass=True, otherwise=1)
    build.end()
    state = start(build.game())
    assert list(state.pending[0].moves()) == [PASS]
    assert state.apply(PASS) == (Passed(1), Ended("finished"))


def test_nothing_to_choose_and_no_way_out_stops_the_game() -> None:
    build = Builder(2, red=1)
    build.decide(seat(1), never(build), next=1)
    build.end()
    state = start(build.game())
    assert state.problem is not None and state.problem.code == "R006"
    assert state.is_over and state.result is None and state.pending == ()


# -- repeats and anytime


def repeating(at_most: int | None) -> tuple[m.Game, m.Variable]:
    build = Builder(2, red=9)
    used = build.number("used", 0, 5)
    hand = build.zone("hand", per=True)
    take = build.action("take", move_face(1, RED, source(build.box), place(hand, ME)))
    build.decide(
        seat(0), take, next=1, can_pass=True, repeat=True, counter=used.id, at_most=at_most
    )
    build.decide(seat(1), take, next=2)
    build.end()
    return build.game(), used


def test_repeat_until_pass() -> None:
    model, _ = repeating(None)
    state = start(model)
    for _ in range(4):
        state.apply(Move("take"))
    assert state.pending[0].player == 0
    state.apply(PASS)
    assert state.pending[0].player == 1


@pytest.mark.parametrize("moves", [1, 2])
def test_repeat_at_most(moves: int) -> None:
    model, used = repeating(2)
    state = start(model)
    for number in range(moves):
        assert state.block[used.offset] == number
        state.apply(Move("take"))
    if moves == 1:
        state.apply(PASS)
    assert state.pending[0].player == 1
    assert state.block[used.offset] == 0


def test_anytime_actions_come_back_to_the_same_decision() -> None:
    build = Builder(2, red=1)
    hand = build.zone("hand", per=True)
    swap = build.action(
        "swap",
        move_face(1, RED, source(build.box), place(hand, ME)),
        where=(size_is(build.box, ">", 0),),
    )
    take = build.action("take")
    build.decide(seat(0), take, next=1, anytime=(swap,))
    build.decide(seat(1), never(build), next=2, anytime=(swap,), fallback_pass=True)
    build.end()
    state = start(build.game())
    assert [each.actions for each in state.pending] == [("take", "swap")]
    state.apply(Move("swap"))
    assert [(each.player, each.actions) for each in state.pending] == [(0, ("take",))]
    state.apply(Move("take"))
    assert state.is_over


def test_anytime_actions_do_not_count_as_moves() -> None:
    build = Builder(2, red=1)
    free = build.action("free")
    build.decide(seat(0), never(build), next=1, anytime=(free,), fallback_pass=True)
    build.end()
    assert start(build.game()).is_over


def test_leave_goes_to_its_target() -> None:
    build = Builder(2, red=1)
    used = build.number("used", 0, 5)
    quit_ = build.action("quit", m.Leave(SPAN, (), 2, "turn"))
    again = build.action("again")
    build.decide(
        seat(0), again, quit_, next=1, can_pass=True, repeat=True, counter=used.id, at_most=3
    )
    build.end()
    build.end("stalemate")
    state = start(build.game())
    state.apply(Move("again"))
    state.apply(Move("quit"))
    assert state.result is not None and state.result.reason == "stalemate"
    assert state.block[used.offset] == 0


# -- branches, loops, counts


def test_a_branch_takes_the_first_true_arm_and_publishes_what_it_read() -> None:
    build = Builder(2, red=1)
    hidden = openly(size_is(build.box, "=", 1))
    build.branch((flag(False), 1), (hidden, 2), (openly(flag(True)), 1), (None, 1))
    build.end("stalemate")
    build.end("finished")
    ran: list[tuple[int, ...]] = []
    state = start(build.game(), trace=ran.append)
    assert state.result is not None and state.result.reason == "finished"
    assert next(iter(state.events)) == Published("", 1, None, t.FLAG, SPAN)
    assert (1,) in ran and (0,) not in ran


def loop(
    values: tuple[int, ...] | None, endless: bool, out: tuple[int, ...] = (), players: int = 3
) -> State:
    """A loop from seat 1 whose body lets player 0 choose to go on."""
    build = Builder(players, red=1)
    now = build.role("now") if values is None else build.number("day")
    counter, origin = build.number("counter"), build.variable("origin", t.PLAYER)
    at = None if values is not None else origin.id
    first = None if values is not None else seat(1)
    go = build.action("go")
    build.do(*(m.Eliminate(SPAN, (), seat(each)) for each in out), next=1)
    build.add(m.LoopStart(0, "", SPAN, (), counter.id, at, first, 2))
    build.add(m.LoopTest(0, "", SPAN, (), counter.id, at, values, players, now.id, endless, 3, 4))
    build.decide(seat(0), go, next=2)
    build.end()
    return start(build.game())


def bound(state: State, steps: int) -> list[int]:
    """What the loop bound to its role, playing on for some steps."""
    for _ in range(steps):
        if not state.is_over:
            state.apply(Move("go"))
    return [event.value for event in state.events if isinstance(event, Assigned)]


def test_loops_over_players_and_values() -> None:
    assert bound(loop(None, endless=False), 9) == [1, 2, 0]
    assert bound(loop(None, endless=True), 5) == [1, 2, 0, 1, 2, 0]
    assert bound(loop((7, 8, 9), endless=False), 9) == [7, 8, 9]
    assert bound(loop((7, 8), endless=True), 3) == [7, 8, 7, 8]
    assert bound(loop((), endless=False), 1) == []


def test_players_who_are_out_are_skipped() -> None:
    assert bound(loop(None, endless=False, out=(1,)), 9) == [2, 0]
    assert bound(loop(None, endless=True, out=(0, 2)), 3) == [1, 1, 1, 1]
    assert loop(None, endless=False, out=(0, 1, 2)).is_over


def test_an_endless_loop_of_nobody_stops() -> None:
    state = loop(None, endless=True, out=(0, 1, 2))
    assert state.problem is not None and state.problem.code == "R006"


def test_a_capped_phase() -> None:
    build = Builder(1, red=1)
    rounds = build.number("rounds", 0, 3)
    build.add(m.Count(0, "turn", SPAN, (), rounds.id, 3, 1, 2))
    build.decide(seat(0), build.action("go"), next=0)
    build.end("capped")
    state = start(build.game())
    for _ in range(3):
        assert not state.is_over
        state.apply(Move("go"))
    assert state.result is not None and state.result.reason == "capped"


def test_control_that_never_rests_is_stopped() -> None:
    build = Builder(1, red=1)
    build.branch((None, 0))
    build.end()
    state = start(build.game())
    assert state.problem is not None
    assert (state.problem.code, state.problem.span) == ("R005", SPAN)


def test_a_problem_in_an_effect_stops_the_game_where_it_is() -> None:
    build = Builder(1, red=1)
    score = build.number("score", 0, 3)
    add = build.action("add", assign(score, "+=", num(2)))
    build.decide(seat(0), add, next=0)
    build.end()
    state = start(build.game())
    state.apply(Move("add"))
    events = state.apply(Move("add"))
    assert events == (Chosen(0, 0, (), ()),)
    assert state.problem is not None and state.problem.code == "R001"
    assert state.is_over and state.block[score.offset] == 2
    with pytest.raises(IllegalMove, match="over"):
        state.apply(Move("add"))


def test_phases_are_entered_once() -> None:
    build = Builder(1, red=1)
    build.do(next=1, phase="a/b")
    build.do(next=2, phase="a/b")
    build.decide(seat(0), build.action("go"), next=3, phase="a/c")
    build.decide(seat(0), 0, next=4, phase="a/c")
    build.end()
    state = start(build.game())
    state.apply(Move("go"))
    assert [event.phase for event in state.events if isinstance(event, Entered)] == ["a/b", "a/c"]


# -- models that cannot start


def test_pieces_need_a_box() -> None:
    build = Builder(1, red=1)
    build.zones[0] = replace(build.zones[0], name="bag")
    build.end()
    with pytest.raises(ValueError, match="no box"):
        initial_block(build.game(), key(1))
