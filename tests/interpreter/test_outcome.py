"""Ranks, winners and scores of finished games."""

from __future__ import annotations

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.events import (
    Eliminated,
)
from gemwright.interpreter.moves import Move
from gemwright.interpreter.outcome import Outcome

from .models import (
    INT,
    ME,
    SPAN,
    Builder,
    assign,
    compare,
    flag,
    num,
    read,
    seat,
    size_of,
    start,
)

RED, GREEN, BLUE = 0, 1, 2


def total(vector: t.Term) -> t.Term:
    return t.VectorSum(INT, SPAN, vector)


def size_is(zone: m.Zone, op: str, count: int, index: t.Term | None = None) -> t.Term:
    return compare(size_of(zone, index), op, num(count))


# -- results


def result_of(
    keys: tuple[tuple[bool, m.Variable], ...],
    build: Builder,
    setup: tuple[m.Statement, ...],
    nobody: t.Term | None = None,
    score: m.Variable | None = None,
) -> Outcome:
    build.do(*setup, next=1)
    build.end()
    build.result = m.Result(
        None if score is None else read(score, ME),
        tuple(m.Key(highest, read(each, ME), "", (), SPAN) for highest, each in keys),
        nobody,
        (),
    )
    outcome = start(build.game()).result
    assert outcome is not None
    return outcome


def standings(
    points: tuple[int, ...], cards: tuple[int, ...]
) -> tuple[Builder, m.Variable, m.Variable, tuple[m.Statement, ...]]:
    build = Builder(len(points), red=1)
    first = build.variable("points", t.Type(t.Base.INT, 0, 9), per=True)
    second = build.variable("cards", t.Type(t.Base.INT, 0, 9), per=True)
    setup = [assign(first, ":=", num(n), seat(p)) for p, n in enumerate(points)]
    setup += [assign(second, ":=", num(n), seat(p)) for p, n in enumerate(cards)]
    return build, first, second, tuple(setup)


def test_keys_rank_lexicographically_and_ranks_are_shared() -> None:
    build, points, cards, setup = standings((5, 7, 5, 7), (2, 3, 1, 3))
    found = result_of(((True, points), (False, cards)), build, setup, score=points)
    assert found == Outcome((5, 7, 5, 7), (4, 1, 3, 1), (1, 3), "finished")


def test_who_is_out_ranks_after_all_others() -> None:
    build, points, _, setup = standings((9, 0, 3), (0, 0, 0))
    out = (*setup, m.Eliminate(SPAN, (), seat(0)))
    found = result_of(((True, points),), build, out)
    assert (found.ranks, found.winners, found.scores) == ((3, 2, 1), (2,), (None, None, None))


def test_all_out_or_nobody_wins() -> None:
    build, points, _, setup = standings((1, 2), (0, 0))
    out = (*setup, m.Eliminate(SPAN, (), seat(0)), m.Eliminate(SPAN, (), seat(1)))
    assert result_of(((True, points),), build, out).winners == ()
    build, points, _, setup = standings((1, 2), (0, 0))
    found = result_of(((True, points),), build, setup, nobody=flag(True))
    assert (found.ranks, found.winners) == ((2, 1), ())


def test_without_keys_the_score_decides() -> None:
    build, points, _, setup = standings((1, 2), (0, 0))
    assert result_of((), build, setup, score=points).winners == (1,)


def test_eliminate_in_a_game() -> None:
    build = Builder(2, red=1)
    build.action("fall", m.Eliminate(SPAN, (), ME))
    build.decide(seat(1), 0, next=1)
    build.end()
    state = start(build.game())
    assert Eliminated(1) in state.apply(Move("fall"))
