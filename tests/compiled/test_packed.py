"""Many small numbers in one: lots counted by polynomials, vectors as bytes of one integer."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.verify import verify
from gemwright.interpreter.compiled.lower import lanes, vectors
from gemwright.interpreter.compiled.lower.boxes import Box, Sums
from gemwright.interpreter.compiled.lower.columns import Columns
from gemwright.interpreter.compiled.lower.memory import Memory
from gemwright.interpreter.compiled.lower.somelot import SomeLots
from gemwright.interpreter.compiled.lower.terms import Terms

from .agreement import of_all
from .flat_runs import Runs


def writing() -> Terms:
    """A function to write into, of some game."""
    memory = Memory(of_all().game.model)
    return Terms(memory, Columns(memory), SomeLots(memory), Writer(memory.maker))


def written(terms: Terms, params: list[p.Var], value: p.Expr) -> Runs:
    """A program whose function `f` gives a value of its parameters."""
    maker = terms.memory.maker
    terms.w.emit(p.Return(value))
    maker.function(terms.w.function("f", params, (value.low, value.high)))
    program = maker.program(tuple(0 for _ in maker.cells))
    program = p.Program(
        "small", 2, (p.CellRange(0, 0),), (0,), 0, program.tables, program.arrays, program.functions
    )
    assert verify(program) == []
    return Runs(program)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_lots_are_counted_and_found_in_their_order(data: st.DataObject) -> None:
    """Bounds from 0 up, or crossing; one number of pieces, or several; few pieces, or all but few.

    A number below the count stands for the lot at that place of the list, counts going up.
    """
    kinds = data.draw(st.integers(1, 4))
    number = st.integers(0, 4)
    bounds = [(data.draw(number), data.draw(number)) for _ in range(kinds)]
    least, most = sorted([data.draw(st.integers(0, 6)), data.draw(st.integers(0, 6))])
    wanted = [
        lot
        for lot in product(*(range(low, high + 1) for low, high in bounds))
        if least <= sum(lot) <= most
    ]
    terms = writing()
    names = [f"{side}{at}" for at in range(kinds) for side in ("low", "high")]
    params = [p.Var(0, 4, name) for name in names] + [p.Var(0, 6, "least"), p.Var(0, 6, "most")]
    pairs = tuple(zip(params[:-2:2], params[1:-2:2], strict=True))
    total = ops.total(low for low, _ in pairs), ops.total(high for _, high in pairs)
    box = Box(terms, Sums(pairs, total, params[-2], params[-1], ops.TRUE))
    n = p.Var(0, 700, "n")
    found = terms.w.changing("found", ops.const(-1), -1, 1 << 40)
    with terms.w.when(ops.both(box.some, box.fits)):
        count = box.count()
        terms.w.set(found, ops.add(count, ops.const(100_000)))
        with terms.w.when(ops.compare("<", n, count)):
            place: p.Expr = ops.FALSE
            for each in box.descend(n):
                place = ops.add(ops.mul(place, ops.const(10)), each)
            terms.w.set(found, place)
    runs = written(terms, [*params, n], found)
    given_bounds = [end for pair in bounds for end in pair]
    fits = len(wanted) > 0
    places = range(len(wanted)) if len(wanted) < 12 else {0, 1, len(wanted) // 2, len(wanted) - 1}
    for at in places:
        digits = int("".join(map(str, wanted[at])))
        assert runs.call("f", *given_bounds, least, most, at) == digits
    beyond = runs.call("f", *given_bounds, least, most, 700)
    assert beyond == (100_000 + len(wanted) if fits else -1)


CELLS = st.integers(2, lanes.CELLS)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_vectors_as_bytes_of_one_number(data: st.DataObject) -> None:
    """A row of a table less two vectors, its sum and cells; whether a row lies within a vector."""
    cells = data.draw(CELLS)
    number = st.integers(0, min(lanes.HIGHEST // 2, 255 // cells))
    rows = [[data.draw(number) for _ in range(cells)] for _ in range(3)]
    one, other = ([data.draw(number) for _ in range(cells)] for _ in range(2))
    terms, row = writing(), p.Var(0, 2, "row")
    high = max(max(one), max(other))
    params = [p.Var(0, high, f"{name}{at}") for name in "ab" for at in range(cells)]
    table = vectors.Row(terms.memory, tuple(each for line in rows for each in line), cells, row)
    a, b = (vectors.Listed(terms.zones, tuple(params[at : at + cells])) for at in (0, cells))
    rest = vectors.Combined("less", vectors.Combined("less", table, a), b)
    at = data.draw(st.integers(0, cells - 1))
    size, cell = lanes.size(terms, rest, cells), lanes.cell(terms, rest, cells, at)
    fits = lanes.within(terms, table, a, cells)
    assert size is not None and cell is not None and fits is not None
    value = ops.add(ops.mul(ops.add(ops.mul(size, ops.const(200)), cell), ops.const(2)), fits)
    runs = written(terms, [row, *params], value)
    for number_of_row, line in enumerate(rows):
        left = [max(x - y - z, 0) for x, y, z in zip(line, one, other, strict=True)]
        within = all(x <= y for x, y in zip(line, one, strict=True))
        expected = (sum(left) * 200 + left[at]) * 2 + within
        assert runs.call("f", number_of_row, *one, *other) == expected


def test_vectors_that_do_not_fit_are_not_packed() -> None:
    terms, row = writing(), p.Var(0, 1, "row")
    many, large = lanes.CELLS + 1, lanes.HIGHEST + 1
    for cells, value in ((many, 1), (3, large), (3, -1)):
        table = vectors.Row(terms.memory, (1, value) * cells, cells, row)
        zeros = vectors.Listed(terms.zones, (ops.FALSE,) * cells)
        assert lanes.within(terms, table, zeros, cells) is None
        assert lanes.size(terms, vectors.Combined("less", table, zeros), cells) is None
    assert lanes.within(terms, zeros, zeros, 3) is None
