"""Sums and counts over what is printed on pieces are those of reading each piece."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemwright.dsl.model import terms as t
from gemwright.interpreter.evaluation.printed_functions import printed_fold
from gemwright.interpreter.problem import RuntimeProblem

from .models import INT, SPAN, all_in, arithmetic, compare, face, local, num, read, seat, size_of
from .test_evaluate import Bench

PIECE, OTHER = 4, 2
"""The slots of the piece and of what a fold depends on beside it."""

WORTH = (2, 5, 1)


def worth() -> t.Lookup:
    return t.Lookup(INT, SPAN, WORTH, local(PIECE), 0, "worth")


def keeps(bench: Bench, term: t.Fold) -> bool:
    """Whether answers are kept, not read anew."""

    def anew(block: object, frame: object, publish: object) -> int:
        return -1

    return printed_fold(bench.evaluator, term, anew) is not anew


def fold(bench: Bench, op: str, keep: t.Term | None, body: t.Term | None) -> t.Fold:
    domain = t.Pieces(all_in(bench.hand, seat(1)), bench.all)
    return t.Fold(INT, SPAN, op, PIECE, domain, keep, body)


def laid(counts: tuple[int, int, int]) -> Bench:
    bench = Bench()
    for each, count in enumerate(counts):
        bench.put(bench.hand.first + 1, *[each] * count)
    return bench


@given(
    counts=st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 2)),
    low=st.lists(st.integers(0, 6), min_size=1, max_size=4),
)
def test_what_is_kept_depends_on_another_slot(counts: tuple[int, int, int], low: list[int]) -> None:
    bench = laid(counts)
    keep = compare(worth(), ">=", local(OTHER))
    number, total = fold(bench, "count", keep, None), fold(bench, "sum", keep, worth())
    assert keeps(bench, number) and keeps(bench, total)
    for least in low:
        kept = [(n, value) for n, value in zip(counts, WORTH, strict=True) if value >= least]
        assert bench(number, 0, 0, least) == sum(n for n, _ in kept)
        assert bench(total, 0, 0, least) == sum(n * value for n, value in kept)


def test_the_state_may_change_between_two_readings() -> None:
    bench = laid((1, 0, 2))
    total = fold(bench, "sum", None, worth())
    assert bench(total) == 4
    bench.put(bench.hand.first + 1, 1)
    assert bench(total) == 9


def test_what_reads_the_state_is_read_anew() -> None:
    bench = laid((1, 2, 1))
    scaled = fold(bench, "sum", None, arithmetic(worth(), "*", read(bench.score)))
    assert not keeps(bench, scaled)
    assert bench(scaled) == 65
    bench.block[bench.score.offset] = 1
    assert bench(scaled) == 13
    within = fold(bench, "count", compare(size_of(bench.deck), "=", num(0)), None)
    assert not keeps(bench, within)


def test_two_other_slots_are_read_anew() -> None:
    bench = laid((1, 1, 1))
    between = t.And(t.FLAG, SPAN, (
        compare(worth(), ">=", local(OTHER)), compare(worth(), "<", local(3)),
    ))  # fmt: skip
    counted = fold(bench, "count", between, None)
    assert not keeps(bench, counted)
    assert (bench(counted, 0, 0, 2, 6), bench(counted, 0, 0, 2, 5)) == (2, 1)


def test_a_piece_without_an_answer_matters_only_where_it_lies() -> None:
    bench = laid((2, 1, 0))
    short = t.Lookup(INT, SPAN, WORTH[:2], local(PIECE), 0, "worth")
    total = fold(bench, "sum", None, short)
    assert bench(total) == 9


def test_one_entry_of_a_vector_is_that_of_the_whole() -> None:
    bench = laid((3, 1, 0))
    type = t.Type(t.Base.VECTOR, faces=bench.all)
    price = t.Const(type, SPAN, (1, 2, 4))
    held = all_in(bench.hand, seat(1))
    built = t.VectorBuild(type, SPAN, 5, arithmetic(local(5), "*", num(2)))
    for op in ("+", "-", "less"):
        for right in (price, built):
            whole = t.VectorOp(type, SPAN, op, held, right)
            entries = [bench(t.VectorIndex(INT, SPAN, whole, face(each))) for each in bench.all]
            assert tuple(entries) == bench(whole)
    outside = t.VectorIndex(INT, SPAN, t.VectorOp(type, SPAN, "+", held, price), face(7))
    assert bench(outside) == 0


def test_a_place_that_is_not_there_is_a_problem() -> None:
    bench = laid((1, 1, 1))
    domain = t.Pieces(all_in(bench.hand, seat(5)), bench.all)
    counted = t.Fold(INT, SPAN, "count", PIECE, domain, None, None)
    assert keeps(bench, counted)
    with pytest.raises(RuntimeProblem) as found:
        bench(counted)
    assert found.value.code == "R001"
