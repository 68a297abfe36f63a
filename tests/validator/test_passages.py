"""Taking parameters out of constraints changes nothing that can be seen without them."""

from __future__ import annotations

from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from gemwright.validator.abstraction.transitions import (
    Add,
    Cell,
    CellKind,
    Edge,
    Parameter,
    Point,
    PointKind,
    Transfer,
    TransitionSystem,
)
from gemwright.validator.linear.affine import Constraint, affine, at_least, at_most, number, unknown
from gemwright.validator.linear.projecting import project
from gemwright.validator.plays.passages import Passage

CELLS, PARAMETERS, MOST = 2, 2, 3
FACTORS = st.lists(st.integers(-2, 2), min_size=CELLS + PARAMETERS, max_size=CELLS + PARAMETERS)


@given(st.lists(st.tuples(FACTORS, st.integers(-4, 4), st.booleans()), min_size=1, max_size=4))
@example([([1, 0, -1, -1], 0, True), ([0, 1, 1, 0], -2, False)])
@example([([1, 0, -2, 0], 0, True)])  # no whole number is half of an odd one
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
def test_projecting_keeps_what_some_parameters_allow(
    drawn: list[tuple[list[int], int, bool]],
) -> None:
    names = (*range(CELLS), *(-1 - n for n in range(PARAMETERS)))
    rows = [Constraint(affine(zip(names, f, strict=True)), e) for f, _, e in drawn]
    rows = [
        Constraint(r.expression + c, r.equality) for r, (_, c, _) in zip(rows, drawn, strict=True)
    ]
    own = [unknown(-1 - n) for n in range(PARAMETERS)]
    rows += [each for u in own for each in (at_least(u, number(0)), at_most(u, number(MOST)))]
    left = project(rows)
    for cells in product(range(-2, 3), repeat=CELLS):
        assert _some(rows, cells) == _some(left, cells), (cells, left)


def _some(rows: list[Constraint], cells: tuple[int, ...]) -> bool:
    """Whether parameters exist with which all rows hold."""
    for parameters in product(range(MOST + 1), repeat=PARAMETERS):
        values = dict(enumerate(cells)) | {-1 - n: v for n, v in enumerate(parameters)}
        if all(row.holds(values) for row in rows):
            return True
    return False


def test_a_passage_allows_just_what_its_edges_allow_one_after_another() -> None:
    """Some pieces go from a pile to a hand, never more than the hand has; then two are added."""
    amount = unknown(-1)
    cells = (Cell(CellKind.ZONE, 0, 6, "pile"), Cell(CellKind.ZONE, 0, 6, "hand"))
    give = Edge(
        0,
        1,
        (Parameter(1, 3),),
        (at_most(amount, unknown(1)), at_most(amount, unknown(0))),
        (Transfer(0, 1, amount),),
    )
    add = Edge(1, 0, (), (at_least(unknown(0), number(1)),), (Add(0, number(2)),))
    points = (Point(PointKind.START, "", 0), Point(PointKind.END, "", 1))
    passage = Passage(TransitionSystem(cells, points, (give, add), 0, ()), (0, 1))
    for before in product(range(7), repeat=2):
        for after in product(range(7), repeat=2):
            allowed = any(
                moved <= before[1]
                and before[0] - moved >= 1
                and after == (before[0] - moved + 2, before[1] + moved)
                for moved in range(1, 4)
            )
            assert passage.allows(before, after) == allowed, (before, after)
