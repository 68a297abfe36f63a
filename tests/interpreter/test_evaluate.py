"""Each term class means what `gemwright.dsl.model.terms` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Block, Layout, initial_block
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.problem import RuntimeProblem

from .models import (
    INT,
    ME,
    SPAN,
    Builder,
    all_in,
    arithmetic,
    compare,
    count_in,
    face,
    flag,
    local,
    num,
    numbers,
    openly,
    read,
    seat,
    size_of,
    top_of,
    vector,
)

RED, GREEN, BLUE = 0, 1, 2


class Bench:
    """A model with one zone of each order, a block, and an evaluator."""

    def __init__(self) -> None:
        build = Builder(3, red=4, green=3, blue=2)
        self.hand = build.zone("hand", per=True)
        self.deck = build.zone("deck", order="stack")
        self.shelf = build.zone("shelf", order="row", slots=3)
        self.score = build.number("score", 0, 9, start=5)
        self.held = build.variable("held", INT, start=2, per=True)
        build.end()
        self.model = build.game()
        self.layout = Layout(self.model)
        self.block = initial_block(self.model, 0)
        self.published: list[tuple[t.Openly, Any]] = []
        self.evaluator = Evaluator(self.layout)
        self.all = build.all

    def __call__(self, term: t.Term, *slots: object, block: Block | None = None) -> Any:
        frame: list[object] = [*slots, *[0] * 10]
        here = self.block if block is None else block
        return self.evaluator.value(term, here, frame, self.publish)

    def publish(self, term: t.Openly, value: Any) -> None:
        self.published.append((term, value))

    def elements(self, domain: t.Domain, *slots: object) -> list[int]:
        return list(self.evaluator.elements(domain, self.block, [*slots, *[0] * 10]))

    def put(self, instance: int, *faces: int) -> None:
        for each in faces:
            self.evaluator.places.put(instance, each, 1, self.block)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def vectors(faces: Sequence[int]) -> t.Type:
    return t.Type(t.Base.VECTOR, faces=tuple(faces))


# -- reads


def test_pieces_lie_in_the_box_at_first(bench: Bench) -> None:
    box = bench.model.zones[0]
    assert bench(all_in(box)) == (4, 3, 2)
    assert bench(size_of(box)) == 9
    assert bench(size_of(bench.deck)) == 0
    assert bench(size_of(bench.hand, seat(2))) == 0


def test_a_variable_is_read_at_its_position(bench: Bench) -> None:
    bench.block[bench.held.offset + 1] = 7
    assert bench(read(bench.score)) == 5
    assert bench(read(bench.held, ME), 1) == 7
    assert bench(read(bench.held, ME), 2) == 2


@pytest.mark.parametrize("position", [-1, 3])
def test_a_position_outside_is_a_problem(bench: Bench, position: int) -> None:
    with pytest.raises(RuntimeProblem) as found:
        bench(read(bench.held, seat(position)))
    assert found.value.code == "R001"


def test_an_unordered_zone_counts(bench: Bench) -> None:
    bench.put(bench.hand.first + 1, RED, BLUE, BLUE)
    assert bench(all_in(bench.hand, seat(1))) == (1, 0, 2)
    assert bench(count_in(bench.hand, face(BLUE), seat(1))) == 2
    assert bench(size_of(bench.hand, seat(1))) == 3
    assert bench(size_of(bench.hand, seat(0))) == 0


def test_a_stack_has_a_top(bench: Bench) -> None:
    assert bench(top_of(bench.deck)) == -1
    bench.put(bench.deck.first, RED, BLUE, RED, GREEN)
    assert bench(top_of(bench.deck)) == GREEN
    assert bench(all_in(bench.deck)) == (2, 1, 1)
    assert bench(count_in(bench.deck, face(RED))) == 2
    assert bench(size_of(bench.deck)) == 4


def test_a_row_has_gaps(bench: Bench) -> None:
    bench.put(bench.shelf.first, RED, BLUE, RED)
    bench.evaluator.places.take(bench.shelf.first, RED, 1, bench.block)
    offset = bench.shelf.offset
    assert bench.block[offset : offset + 3] == [0, BLUE + 1, RED + 1]
    assert bench(size_of(bench.shelf)) == 2
    assert bench(all_in(bench.shelf)) == (1, 0, 1)


def test_the_test_of_an_empty_top_is_total(bench: Bench) -> None:
    assert bench(compare(top_of(bench.deck), "=", face(RED))) is False
    worth = t.Lookup(INT, SPAN, (3, 4, 5), top_of(bench.deck), 0, "worth")
    with pytest.raises(RuntimeProblem) as found:
        bench(worth)
    assert found.value.code == "R004"


def test_a_lookup_may_give_a_vector(bench: Bench) -> None:
    cost = t.Lookup(vectors(bench.all), SPAN, ((1, 0, 0), (0, 2, 1)), local(1), 5, "cost")
    assert bench(cost, 0, 6) == (0, 2, 1)


def test_a_table_has_a_default_outside(bench: Bench) -> None:
    table = t.Table(INT, SPAN, (1, 2, 3, 4, 5, 6), (local(1), local(2)), (3, 0), (2, 3), 9, "table")
    assert bench(table, 0, 3, 0) == 1
    assert bench(table, 0, 4, 2) == 6
    assert bench(table, 0, 5, 0) == 9
    assert bench(table, 0, 3, -1) == 9


def test_picked_pieces_know_their_zone(bench: Bench) -> None:
    picked = local(1, t.Type(t.Base.PIECE, faces=bench.all))
    piece = (bench.hand.first + 1, BLUE)
    assert bench(t.PieceFace(INT, SPAN, picked), 0, piece) == BLUE
    for index, expected in [(seat(1), True), (seat(0), False), (None, True)]:
        came = t.PieceFrom(t.FLAG, SPAN, picked, bench.hand.id, index)
        assert bench(came, 0, piece) is expected


def test_a_lot_is_summed_over_its_sources(bench: Bench) -> None:
    lot = t.LotVector(vectors(bench.all), SPAN, local(1), (0, 1, 2, 0, 1, 2))
    assert bench(lot, 0, (1, 0, 2, 3, 1, 0)) == (4, 1, 2)


def test_players_who_are_out(bench: Bench) -> None:
    bench.block[bench.model.out_offset + 1] = 1
    assert bench(t.IsOut(t.FLAG, SPAN, seat(1))) == 1
    assert bench(t.IsOut(t.FLAG, SPAN, seat(0))) == 0
    assert bench.elements(t.Players()) == [0, 2]


def test_openly_publishes_in_the_order_of_reading(bench: Bench) -> None:
    hidden = openly(compare(size_of(bench.deck), "=", num(0)))
    both = t.And(t.FLAG, SPAN, (hidden, openly(flag(False)), openly(flag(True))))
    assert bench(both) is False
    assert [value for _, value in bench.published] == [True, 0]


# -- vectors


def test_cells_of_a_vector(bench: Bench) -> None:
    some = vector((RED, BLUE), 4, 6)
    assert bench(t.VectorIndex(INT, SPAN, some, face(BLUE))) == 6
    assert bench(t.VectorIndex(INT, SPAN, some, face(GREEN))) == 0
    assert bench(t.VectorSum(INT, SPAN, some)) == 10
    assert bench(t.Widen(vectors(bench.all), SPAN, some, (0, -1, 1))) == (4, 0, 6)


@pytest.mark.parametrize(
    ("op", "expected"), [("+", (3, 5, 3)), ("-", (1, -3, 1)), ("less", (1, 0, 1))]
)
def test_vector_arithmetic(bench: Bench, op: str, expected: tuple[int, ...]) -> None:
    left, right = vector(bench.all, 2, 1, 2), vector(bench.all, 1, 4, 1)
    assert bench(t.VectorOp(left.type, SPAN, op, left, right)) == expected


@pytest.mark.parametrize(
    ("right", "below", "equal"),
    [((2, 1), True, False), ((1, 1), True, True), ((9, 0), False, False)],
)
def test_vector_tests(bench: Bench, right: tuple[int, int], below: bool, equal: bool) -> None:
    left = vector((RED, BLUE), 1, 1)
    other = vector((RED, BLUE), *right)
    assert bench(t.VectorCompare(t.FLAG, SPAN, "<=", left, other)) is below
    assert bench(t.VectorCompare(t.FLAG, SPAN, "=", left, other)) is equal
    assert bench(t.VectorCompare(t.FLAG, SPAN, "!=", left, other)) is not equal


def test_a_built_vector_evaluates_its_body_per_face(bench: Bench) -> None:
    body = arithmetic(local(3), "*", num(10))
    assert bench(t.VectorBuild(vectors(bench.all), SPAN, 3, body)) == (0, 10, 20)


# -- numbers and conditions


def test_arithmetic(bench: Bench) -> None:
    assert bench(arithmetic(num(7), "+", num(5))) == 12
    assert bench(arithmetic(num(7), "-", num(9))) == -2
    assert bench(arithmetic(num(7), "*", num(5))) == 35
    assert bench(t.Extreme(INT, SPAN, "min", (num(3), num(1), num(2)))) == 1
    assert bench(t.Extreme(INT, SPAN, "max", (num(3), num(1)))) == 3
    assert bench(t.If(INT, SPAN, flag(True), num(1), num(2))) == 1
    assert bench(t.If(INT, SPAN, flag(False), num(1), num(2))) == 2


@pytest.mark.parametrize(
    ("op", "expected"),
    [("<", "100"), ("<=", "110"), (">", "001"), (">=", "011"), ("=", "010"), ("!=", "101")],
)
def test_comparisons(bench: Bench, op: str, expected: str) -> None:
    found = "".join(str(int(bench(compare(num(n), op, num(5))))) for n in (4, 5, 6))
    assert found == expected


def test_conditions_stop_early(bench: Bench) -> None:
    broken = read(bench.held, seat(-1))
    assert bench(t.And(t.FLAG, SPAN, (flag(False), broken))) is False
    assert bench(t.Or(t.FLAG, SPAN, (flag(True), broken))) is True
    assert bench(t.Or(t.FLAG, SPAN, (flag(False), flag(False)))) is False
    assert bench(t.Not(t.FLAG, SPAN, flag(False))) is True


# -- domains and folds


def test_players_clockwise(bench: Bench) -> None:
    assert bench.elements(t.Players(start=seat(2))) == [2, 0, 1]
    assert bench.elements(t.Players(other=ME), 1) == [0, 2]
    assert bench.elements(t.Players(seat(1), seat(2))) == [1, 0]


def test_numbers_and_pieces(bench: Bench) -> None:
    assert bench.elements(numbers(2, 4)) == [2, 3, 4]
    assert bench.elements(numbers(2, 1)) == []
    assert bench.elements(t.Pieces(vector(bench.all, 2, 0, 1), bench.all)) == [RED, BLUE]
    assert bench.elements(t.Pieces(vector(bench.all, 2, 3, 1), (BLUE, GREEN))) == [BLUE, GREEN]


def fold(
    op: str, domain: t.Domain, body: t.Term | None = None, keep: t.Term | None = None
) -> t.Fold:
    return t.Fold(INT, SPAN, op, 4, domain, keep, body, 99)


def test_folds_over_numbers(bench: Bench) -> None:
    odd = t.Or(t.FLAG, SPAN, tuple(compare(local(4), "=", num(n)) for n in (1, 3)))
    square = arithmetic(local(4), "*", local(4))
    assert bench(fold("sum", numbers(1, 4), square)) == 30
    assert bench(fold("sum", numbers(1, 4), square, odd)) == 10
    assert bench(fold("count", numbers(1, 4), None, odd)) == 2
    assert bench(fold("max", numbers(1, 4), square, odd)) == 9
    assert bench(fold("min", numbers(1, 4), square)) == 1
    assert bench(fold("some", numbers(1, 4), odd)) is True
    assert bench(fold("every", numbers(1, 4), odd)) is False


def test_folds_over_nothing(bench: Bench) -> None:
    nothing = numbers(1, 0)
    found = [bench(fold(op, nothing, local(4))) for op in ("sum", "max", "min", "some", "every")]
    assert found == [0, 99, 99, False, True]
    assert bench(fold("count", nothing)) == 0


def test_folds_over_pieces_weigh_sums_and_counts_only(bench: Bench) -> None:
    pieces = t.Pieces(vector(bench.all, 3, 0, 2), bench.all)
    plus_one = arithmetic(local(4), "+", num(1))
    assert bench(fold("sum", pieces, plus_one)) == 3 * 1 + 2 * 3
    assert bench(fold("count", pieces)) == 5
    assert bench(fold("count", pieces, None, compare(local(4), "=", num(BLUE)))) == 2
    assert bench(fold("max", pieces, plus_one)) == 3


def test_some_lot_searches_the_sub_multisets(bench: Bench) -> None:
    lot = local(5, vectors(bench.all))
    two_alike = t.And(
        t.FLAG,
        SPAN,
        (
            compare(t.VectorSum(INT, SPAN, lot), "=", num(2)),
            compare(t.VectorIndex(INT, SPAN, lot, face(BLUE)), "=", num(2)),
        ),
    )
    found = [
        bench(t.SomeLot(t.FLAG, SPAN, 5, vector(bench.all, 3, 0, blues), two_alike))
        for blues in (1, 2)
    ]
    assert found == [False, True]
