"""Which conditions are walked by passes, which are listed, which are refused: place and bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.source import Span
from gemwright.dsl.walkable import forms as f
from gemwright.dsl.walkable.classification import Facts, classify, plan_walks, some_lot_plan

from ..interpreter.lots import (
    Market,
    at,
    both,
    column,
    either,
    fold,
    kind,
    lack,
    minus,
    number,
    plus,
    size,
    times,
    vec,
    when,
)
from ..interpreter.models import all_in, compare, face, local, read, scalar

K, L, Q, N = 11, 12, 13, 14
HERE = Span("hand.gem.yaml", 7, 3, 7, 9)


def placed(term: t.Term) -> t.Term:
    """The term at a place of its own."""
    return replace(term, span=HERE)


def plan(
    build: Callable[[Market, t.Term], t.Term | list[t.Term]], *counts: int
) -> f.WalkPlan | f.Problem:
    """How a lot of so many stones from a shelf is walked under conditions."""
    market = Market(*counts)
    taken = market.lot("taken", 1, market.shelf)
    built = build(market, vec(taken))
    where = built if isinstance(built, list) else [built]
    lines = [m.Line(term, f"line {n}", (), term.span or HERE, ()) for n, term in enumerate(where)]
    return classify([taken], lines, Facts(2, 60))


def problem(found: f.WalkPlan | f.Problem) -> f.Finding:
    """The only finding."""
    assert isinstance(found, f.Problem)
    assert len(found.findings) == 1
    return found.findings[0]


def walked(found: f.WalkPlan | f.Problem) -> f.LotPlan:
    """The plan of a pass."""
    assert isinstance(found, f.WalkPlan), found
    assert found.walk == "pass"
    return found.lots


def pair(
    market: Market, lot: t.Term, body: Callable[[t.Term, t.Term], t.Term], op: str = "<"
) -> t.Term:
    a, b = kind(K, market.faces), kind(L, market.faces)
    domain = t.Faces(market.faces)
    inner = fold("some", L, domain, both(compare(a, op, b), body(at(lot, a), at(lot, b))))
    return placed(fold("some", K, domain, inner))


def same_colour(market: Market, lot: t.Term, colours: tuple[int, ...]) -> t.Term:
    q = t.Local(t.Type(t.Base.INT, 0, max(colours)), None, Q, "q")
    same = compare(column(colours, kind(K, market.faces)), "=", q)
    return fold("count", K, t.Pieces(lot, market.faces), None, same)


def every_colour(market: Market, lot: t.Term, colours: tuple[int, ...]) -> t.Term:
    here = same_colour(market, lot, colours)
    body = either(compare(here, "=", number(0)), compare(here, ">=", number(3)))
    return placed(fold("every", Q, t.Numbers(number(0), number(max(colours))), body))


SEVEN = (35,) * 7

# -- forms --------------------------------------------------------------------------------


def test_a_comparison_of_sums_is_one_sum() -> None:
    """Both sides on one side, fixed numbers with them."""
    lots = walked(
        plan(lambda mk, v: compare(size(v), "<=", plus(at(v, face(0)), number(3))), *SEVEN)
    )
    (line,) = lots.lines
    assert isinstance(line, f.Test)
    kinds = [type(part.atom) for part in line.sum.parts]
    assert kinds == [f.Each, f.Cell, f.Constant]


def test_every_of_one_kind_costs_no_state() -> None:
    """It only restricts what may be picked of each kind."""

    def line(mk: Market, v: t.Term) -> t.Term:
        few = compare(at(v, kind(K, mk.faces)), "<=", number(2))
        return fold("every", K, t.Faces(mk.faces), few)

    assert walked(plan(line, *SEVEN)).states == 1


def test_a_test_that_is_constant_costs_no_state() -> None:
    """Ranges decide it."""
    bound = plan(lambda mk, v: compare(size(v), "<=", number(999)), *SEVEN)
    assert walked(bound).states == 1


def test_states_are_clamped_to_what_the_tests_ask() -> None:
    """One to five stones: 0 .. 5 and more than five."""
    found = plan(
        lambda mk, v: [
            compare(size(v), ">=", number(1)),
            compare(size(v), "<=", number(5)),
        ],
        *SEVEN,
    )
    assert walked(found).states == 7


def test_a_great_value_does_not_widen_a_clamped_sum() -> None:
    """A number that stands for `never` is clamped away."""

    def line(mk: Market, v: t.Term) -> t.Term:
        exactly = when(
            compare(at(v, face(0)), "<=", number(2)),
            minus(number(2), at(v, face(0))),
            number(999),
        )
        return compare(exactly, "<=", at(v, face(6)))

    assert walked(plan(line, *SEVEN)).states <= 40


def test_a_bound_is_sound_for_a_face_that_is_known_later() -> None:
    """`lot[e]` with e in the state gains at one kind only."""

    def line(mk: Market, v: t.Term) -> t.Term:
        wanted = mk.build.variable("wanted", t.Type(t.Base.FACE, faces=mk.faces))
        return compare(lack(at(v, read(wanted)), 3), "<=", at(v, face(6)))

    lots = walked(plan(line, *SEVEN))
    assert isinstance(lots.lines[0], f.Test)
    assert lots.states <= 80


def test_groups_are_followed_one_after_the_other() -> None:
    """Ten colours cost as much as one."""
    colours = tuple(n for n in range(10) for _ in range(2))
    lots = walked(plan(lambda mk, v: every_colour(mk, v, colours), *(3, 2) * 10))
    assert lots.states <= 16


def test_kinds_of_a_group_must_follow_each_other() -> None:
    """Else every group would have to be kept in mind at once; the help says what to do."""
    colours = tuple(range(11)) * 2
    found = problem(plan(lambda mk, v: every_colour(mk, v, colours), *(3, 2) * 11))
    assert (found.code, found.span) == ("K001", HERE)
    assert "do not follow each other" in found.message
    assert "together" in found.help


def test_few_scattered_groups_are_kept_side_by_side() -> None:
    """Where the states allow it, the order does not matter."""
    walked(plan(lambda mk, v: every_colour(mk, v, (0, 1, 0, 1)), 5, 5, 5, 5))


@pytest.mark.parametrize("op", ["<", ">", "!="])
def test_a_symmetric_pair_is_a_set_of_types(op: str) -> None:
    """Written either way round, and with `is not`."""
    found = plan(
        lambda mk, v: pair(mk, v, lambda a, b: both(
            compare(a, ">=", number(2)), compare(number(2), "<=", b)), op),
        *SEVEN,
    )  # fmt: skip
    (line,) = walked(found).lines
    assert isinstance(line, f.Typed) and line.other and line.cap == 2


def test_every_pair_is_the_negation_of_some_pair() -> None:
    """`every a has every b has (a before b implies ..)`."""

    def line(mk: Market, v: t.Term) -> t.Term:
        a, b = kind(K, mk.faces), kind(L, mk.faces)
        fine = compare(plus(at(v, a), at(v, b)), "<=", number(3))
        body = either(t.Not(t.FLAG, None, compare(a, "<", b)), fine)
        return fold("every", K, t.Faces(mk.faces), fold("every", L, t.Faces(mk.faces), body))

    (found,) = walked(plan(line, 3, 3, 3, 3)).lines
    assert isinstance(found, f.Negated) and isinstance(found.node, f.Typed)


# -- refusals -----------------------------------------------------------------------------


def test_a_pair_of_different_parts_is_refused() -> None:
    """At the fold, with the number of picks and the limit."""
    found = problem(plan(lambda mk, v: pair(mk, v, lambda a, b: compare(a, ">", b)), *SEVEN))
    assert (found.code, found.span) == ("K001", HERE)
    assert "different parts" in found.message
    assert "78,364,164,096" in found.message and "4,096" in found.message


def test_three_members_are_refused() -> None:
    """Types counted up to three would do; nobody asked."""

    def line(mk: Market, v: t.Term) -> t.Term:
        a, b, c = kind(K, mk.faces), kind(L, mk.faces), kind(N, mk.faces)
        domain = t.Faces(mk.faces)
        third = both(compare(b, "<", c), compare(at(v, c), ">=", at(v, a)))
        inner = both(compare(a, "<", b), fold("some", N, domain, third))
        return placed(fold("some", K, domain, fold("some", L, domain, inner)))

    found = problem(plan(line, *SEVEN))
    assert found.code == "K001" and "three members" in found.message


@pytest.mark.parametrize(
    "line",
    [
        lambda mk, v: compare(
            at(v, placed(fold("max", K, t.Pieces(v, mk.faces), kind(K, mk.faces)))), "=", number(1)
        ),
        lambda mk, v: fold("every", K, t.Faces(mk.faces), compare(
            at(v, kind(K, mk.faces)), ">=",
            at(v, t.Lookup(t.Type(t.Base.FACE, faces=mk.faces), HERE, (1, 2, 3, 4, 5, 6, 0),
                           kind(K, mk.faces), 0, "next")))),
    ],
    ids=["a cell that the lot chooses", "neighbouring kinds"],
)  # fmt: skip
def test_other_forms_are_refused(line: Callable[[Market, t.Term], t.Term]) -> None:
    """By form, while many picks are possible."""
    found = problem(plan(line, *SEVEN))
    assert found.code == "K001" and "sum over its kinds" in found.message


def test_other_forms_are_listed_while_picks_are_few() -> None:
    """4,096 picks at most."""

    def line(mk: Market, v: t.Term) -> t.Term:
        return compare(
            at(v, fold("max", K, t.Pieces(v, mk.faces), kind(K, mk.faces))), "=", number(1)
        )

    few = plan(line, 7, 7, 7, 7)
    assert isinstance(few, f.WalkPlan) and (few.walk, few.picks) == ("list", 4096)
    assert problem(plan(line, 8, 7, 7, 7)).code == "K001"


def test_all_lines_are_reported() -> None:
    """Not only the first."""
    found = plan(
        lambda mk, v: [pair(mk, v, lambda a, b: compare(a, ">", b)) for _ in range(2)], *SEVEN
    )
    assert isinstance(found, f.Problem) and len(found.findings) == 2


def test_too_many_states_are_refused() -> None:
    """With both numbers, at the line that needs the most."""

    def lines(mk: Market, v: t.Term) -> list[t.Term]:
        one = fold("sum", K, t.Pieces(v, mk.faces), column(range(1, 8), kind(K, mk.faces)))
        two = fold(
            "sum", K, t.Pieces(v, mk.faces), column((9, 8, 5, 3, 2, 7, 1), kind(K, mk.faces))
        )
        return [
            compare(size(v), ">=", number(1)),
            placed(compare(times(one, two), "=", number(60))),
        ]

    found = problem(plan(lines, *SEVEN))
    assert (found.code, found.span) == ("K002", HERE)
    assert "1,048,576" in found.message


def test_too_many_picks_are_refused() -> None:
    """2^63 and more cannot be counted by every engine."""
    found = problem(plan(lambda mk, v: compare(size(v), ">=", number(1)), *(35,) * 13))
    assert found.code == "K003" and f"{36**13:,}" in found.message


def test_too_many_single_picks_are_refused() -> None:
    """They are tried one by one."""
    picks = [scalar(f"n{n}", n, t.Numbers(number(0), number(99)), 0, 99) for n in (1, 2, 3)]
    found = problem(classify(picks, [], Facts(2, 10)))
    assert found.code == "K002" and "1,000,000" in found.message


def test_a_domain_that_depends_on_a_lot_is_refused() -> None:
    """Or listed, while picks are few."""

    def picks(*counts: int) -> f.WalkPlan | f.Problem:
        market = Market(*counts)
        taken = market.lot("taken", 1, market.shelf)
        n = scalar("n", 2, t.Numbers(number(0), placed(size(vec(taken)))), 0, 9)
        return classify([taken, n], [], Facts(2, 60))

    found = problem(picks(*SEVEN))
    assert (found.code, found.span) == ("K001", HERE)
    few = picks(2, 2)
    assert isinstance(few, f.WalkPlan) and few.walk == "list"


# -- plans of whole games ------------------------------------------------------------------


def test_lines_know_which_picks_they_need() -> None:
    """Never fewer than an earlier line."""
    market = Market(2, 2)
    n = scalar("n", 1, t.Numbers(number(0), number(3)), 0, 3)
    taken = market.lot("taken", 2, market.shelf)
    conditions = [
        compare(read(market.coins, number(0)), ">=", number(1)),
        compare(local(1), ">=", number(1)),
        compare(size(vec(taken)), "=", local(1)),
        compare(local(1), "<=", number(2)),
    ]
    lines = [m.Line(term, "", (), HERE, ()) for term in conditions]
    found = classify([n, taken], lines, Facts(2, 60))
    assert isinstance(found, f.WalkPlan) and found.depths == (0, 1, 2, 2)


def test_some_lot_has_a_plan_of_its_own() -> None:
    """It is refused by form and by states like any other."""
    market = Market(*SEVEN)
    x = t.Local(t.Type(t.Base.VECTOR, 0, 35, market.faces), None, 40, "x")
    within = replace(all_in(market.shelf), type=x.type)
    fine = t.SomeLot(t.FLAG, HERE, 40, within, compare(size(x), "=", number(3)))
    assert isinstance(some_lot_plan(fine, Facts(2, 60)), f.LotPlan)
    bad = replace(fine, condition=pair(market, x, lambda a, b: compare(a, ">", b)))
    assert problem_of(some_lot_plan(bad, Facts(2, 60))) == "K001"


def problem_of(found: f.LotPlan | f.Problem) -> str:
    assert isinstance(found, f.Problem)
    return found.findings[0].code


def test_every_action_of_a_game_is_planned() -> None:
    """Its walk is written down; problems go to the reporter, all of them."""
    market = Market(*SEVEN)
    taken = market.lot("taken", 1, market.shelf)
    bad = pair(market, vec(taken), lambda a, b: compare(a, ">", b))
    good = compare(size(vec(taken)), "=", number(2))
    market.build.action("good", choose=(taken,), where=(good,))
    fine = plan_walks(market.build.game(), Reporter())
    assert fine is not None and fine.actions[0].walk == "pass"
    market.build.action("bad", choose=(taken,), where=(bad,))
    reporter = Reporter()
    assert plan_walks(market.build.game(), reporter) is None
    assert [(each.code, each.span) for each in reporter.diagnostics] == [("K001", HERE)]
