"""Accumulators and passes against listing: any tables, any tests, any prefix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.interpreter.walk import passes
from gemwright.interpreter.walk.accumulators import (
    Accumulator,
    Group,
    GroupAccumulator,
    SumAccumulator,
    TypeAccumulator,
)
from gemwright.interpreter.walk.passes import Pass, WalkBudget

Vector = tuple[int, ...]
KINDS = 3


def domains(sizes: Sequence[int]) -> list[list[Vector]]:
    return [[(n,) for n in range(size)] for size in sizes]


def rows(sizes: Sequence[int], low: int, high: int) -> st.SearchStrategy[list[list[int]]]:
    return st.tuples(
        *[st.lists(st.integers(low, high), min_size=n, max_size=n) for n in sizes]
    ).map(list)


def built(
    sizes: Sequence[int],
    accumulators: Sequence[Accumulator],
    value: Callable[[tuple[int, ...]], int],
) -> Pass:
    for each in accumulators:
        each.finish()
    return Pass(domains(sizes), accumulators, value)


def compare_with(found: Pass, sizes: Sequence[int], wanted: Callable[[Vector], int]) -> None:
    """The pass counts, lists and values the same picks."""
    free: list[dict[int, int]] = [{} for _ in sizes]
    every = list(product(*[range(size) for size in sizes]))
    good = [each for each in every if wanted(each)]
    assert found.count(free) == len(good)
    assert found.any() == bool(good)
    assert [tuple(v[0] for v in each) for each in found.walks(free)] == good
    for i, each in enumerate(good):
        assert tuple(v[0] for v in found.descend(free, i)) == each
    with pytest.raises(IndexError):
        found.descend(free, len(good))
    for kind in range(len(sizes)):
        for fixed in (free, [{0: 0}, {}, {}]):
            if fixed[kind]:
                continue
            agreeing = [each for each in good if not fixed[0] or each[0] == 0]
            offers = {n: sum(each[kind] == n for each in agreeing) for n in range(sizes[kind])}
            assert found.offers(fixed, kind, 0) == {n: c for n, c in offers.items() if c}
    assert found.best(free) == max((wanted(each) for each in every), default=-1)
    assert sum(found.by_value().values()) == len(good)


SIZES = (3, 2, 4)
TESTS = ("<=", "<", ">=", "=")


def holds(op: str, total: int, limit: int) -> bool:
    return {"<=": total <= limit, "<": total < limit, ">=": total >= limit, "=": total == limit}[op]


def cut(accumulator: SumAccumulator, op: str, limit: int) -> None:
    accumulator.cuts |= {"<=": {limit + 1}, "<": {limit}, ">=": {limit}, "=": {limit, limit + 1}}[
        op
    ]


@settings(max_examples=200, deadline=None)
@given(table=rows(SIZES, -6, 9), op=st.sampled_from(TESTS), limit=st.integers(-12, 20))
def test_a_tested_sum(table: list[list[int]], op: str, limit: int) -> None:
    """Signed gains and any limit: clamping loses nothing that the test asks."""
    accumulator = SumAccumulator([row.copy() for row in table])
    cut(accumulator, op, limit)
    found = built(SIZES, [accumulator], lambda s: holds(op, accumulator.total(s[0]), limit))
    compare_with(
        found,
        SIZES,
        lambda pick: holds(op, sum(r[n] for r, n in zip(table, pick, strict=True)), limit),
    )


@settings(max_examples=100, deadline=None)
@given(
    table=rows(SIZES, -3, 5),
    low=st.none() | st.integers(-6, 8),
    high=st.none() | st.integers(-6, 12),
)
def test_a_required_sum_kills_early(
    table: list[list[int]], low: int | None, high: int | None
) -> None:
    """Spare vectors and dead states change no count."""
    accumulator = SumAccumulator([row.copy() for row in table])
    accumulator.cuts |= {
        each for each in (low, None if high is None else high + 1) if each is not None
    }
    accumulator.require(low, high)
    left = domains(SIZES)
    kept = accumulator.spare()
    for kind, positions in kept.items():
        left[kind] = [left[kind][at] for at in positions]

    def good(total: int) -> bool:
        return (low is None or total >= low) and (high is None or total <= high)

    wanted = [
        pick for pick in product(*[range(n) for n in SIZES])
        if good(sum(r[n] for r, n in zip(table, pick, strict=True)))
    ]  # fmt: skip
    if not all(left):
        assert not wanted
        return
    accumulator.keep(kept)
    accumulator.finish()
    found = Pass(left, [accumulator], lambda s: good(accumulator.total(s[0])))
    assert found.count([{}, {}, {}]) == len(wanted)


@settings(max_examples=100, deadline=None)
@given(one=rows(SIZES, -2, 3), two=rows(SIZES, 0, 2))
def test_a_whole_sum_is_exact(one: list[list[int]], two: list[list[int]]) -> None:
    """What reads totals gets them; the value of a pick may be any number."""
    accumulators = [SumAccumulator([r.copy() for r in table]) for table in (one, two)]
    for each in accumulators:
        each.whole = True

    def value(finals: tuple[int, ...]) -> int:
        first, second = (a.total(s) for a, s in zip(accumulators, finals, strict=True))
        return max(0, first * second)

    def wanted(pick: Vector) -> int:
        sums = [sum(r[n] for r, n in zip(table, pick, strict=True)) for table in (one, two)]
        return max(0, sums[0] * sums[1])

    compare_with(built(SIZES, accumulators, value), SIZES, wanted)


@settings(max_examples=150, deadline=None)
@given(
    own=rows(SIZES, 0, 2),
    gains=rows(SIZES, 0, 3),
    worth=st.lists(st.integers(0, 3), min_size=7, max_size=7),
    alone=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    limit=st.integers(0, 9),
)
def test_groups_gain_their_worth_at_their_last_kind(
    own: list[list[int]],
    gains: list[list[int]],
    worth: list[int],
    alone: list[int],
    limit: int,
) -> None:
    """Kinds 0 and 1 make one group, kind 2 another."""
    groups = [
        Group(0, 1, {0: gains[0].copy(), 1: gains[1].copy()}, worth),
        Group(2, 2, {2: gains[2].copy()}, alone),
    ]
    accumulator = GroupAccumulator([row.copy() for row in own], groups)
    cut(accumulator, "<=", limit)
    found = built(SIZES, [accumulator], lambda s: accumulator.total(s[0]) <= limit)

    def wanted(pick: Vector) -> int:
        counted = [row[n] for row, n in zip(gains, pick, strict=True)]
        total = sum(row[n] for row, n in zip(own, pick, strict=True))
        return total + worth[counted[0] + counted[1]] + alone[counted[2]] <= limit

    compare_with(found, SIZES, wanted)


@settings(max_examples=100, deadline=None)
@given(
    table=rows(SIZES, -1, 2), cap=st.integers(1, 3), first=st.lists(st.integers(0, 2), max_size=2)
)
def test_types_are_counted_up_to_a_cap(table: list[list[int]], cap: int, first: list[int]) -> None:
    """Type -1 is no type; faces that are no kinds come first."""
    accumulator = TypeAccumulator(table, cap, first)

    def value(finals: tuple[int, ...]) -> int:
        return sum(10**n * accumulator.times(finals[0], n) for n in range(3))

    def wanted(pick: Vector) -> int:
        shown = [row[n] for row, n in zip(table, pick, strict=True)] + first
        return sum(10**n * min(cap, shown.count(n)) for n in range(3))

    compare_with(built(SIZES, [accumulator], value), SIZES, wanted)


def test_only_keeps_the_picks_of_one_value() -> None:
    """A view of the same graph."""
    accumulator = SumAccumulator([[0, 1, 2]] * KINDS)
    accumulator.whole = True
    found = built((3,) * KINDS, [accumulator], lambda s: accumulator.total(s[0]))
    assert found.by_value() == {1: 3, 2: 6, 3: 7, 4: 6, 5: 3, 6: 1}
    only = found.only(2)
    assert only.count([{}] * KINDS) == 6
    assert found.count([{}] * KINDS) == 26


def test_without_kinds_there_is_one_empty_pick() -> None:
    """As for an action of single picks only."""
    found = Pass([], [], lambda finals: 1)
    assert found.count([]) == 1
    assert found.descend([], 0) == []
    assert list(found.walks([])) == [[]]


def test_too_many_states_stop_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget is per level."""
    monkeypatch.setattr(passes, "BUDGET", 10)
    accumulator = SumAccumulator([[0, 1, 2, 3, 4], [0, 5, 10, 15, 20]])
    accumulator.whole = True
    with pytest.raises(WalkBudget):
        built((5, 5), [accumulator], lambda s: 1)
