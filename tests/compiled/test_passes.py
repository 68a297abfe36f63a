"""Each pass by itself: what it does to a small program, and that no program changes its meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.build import Maker, Writer
from gemwright.interpreter.compiled.flat.text import function_lines
from gemwright.interpreter.compiled.flat.verify import verify
from gemwright.interpreter.compiled.flat.visit import everything
from gemwright.interpreter.compiled.passes.counting import count_at_once
from gemwright.interpreter.compiled.passes.dead import remove_dead
from gemwright.interpreter.compiled.passes.fold import fold
from gemwright.interpreter.compiled.passes.hoist import hoist
from gemwright.interpreter.compiled.passes.inline import inline
from gemwright.interpreter.compiled.passes.meter import OUT_OF_WORK, WORK, meter
from gemwright.interpreter.compiled.passes.outline import outline
from gemwright.interpreter.compiled.passes.pipeline import optimised
from gemwright.interpreter.compiled.passes.unroll import unroll

from .flat_runs import Left, Runs
from .random_programs import RandomFunction

ROOTS = frozenset({"f"})
KEPT = frozenset({"numbers", "sums", "array"})

PASSES: dict[str, Callable[[p.Program], p.Program]] = {
    "fold": fold,
    "unroll": unroll,
    "hoist": hoist,
    "count at once": count_at_once,
    "meter": meter,
    "outline": outline,
    "inline": lambda program: inline(program, ROOTS),
    "dead": lambda program: remove_dead(program, ROOTS, KEPT),
    "all": lambda program: optimised(program, ROOTS, KEPT),
}

A = p.Var(0, 9, "a")


def outcome(program: p.Program, a: int, b: int) -> tuple[object, ...]:
    """What a call gives and leaves behind."""
    runs = Runs(program)
    if WORK in runs.arrays:
        runs.arrays[WORK][0] = 1 << 60
    try:
        value: object = runs.call("f", a, b)
    except Left as left:
        value = left.how
    return value, runs.cells, runs.arrays["numbers"]


@pytest.mark.parametrize("name", sorted(PASSES))
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_a_pass_keeps_the_meaning(name: str, data: st.DataObject) -> None:
    program = RandomFunction(data).program()
    after = PASSES[name](program)
    assert verify(after) == []
    a, b = data.draw(st.integers(-20, 300)), data.draw(st.integers(0, 5))
    assert outcome(after, a, b) == outcome(program, a, b)


def written(write: Callable[[Writer], None], result: tuple[int, int] | None = None) -> p.Program:
    maker = Maker("small", 2, (p.CellRange(0, 9),), 0)
    maker.array("array", 3, 0, 99)
    w = Writer(maker)
    write(w)
    maker.function(w.function("f", [A], result))
    return maker.program((0,))


def lines(program: p.Program, name: str = "f") -> list[str]:
    """The body of a function, as text."""
    found = next(each for each in program.functions if each.name == name)
    return [line.strip() for line in function_lines(found)[1:]]


def test_folding_uses_what_is_known() -> None:
    x, y = p.Var(0, 20, "x"), p.Var(0, 40, "y")
    body = (
        p.Set(x, ops.const(3)),
        p.Set(y, p.Op(0, 40, "add", (x, A))),
        p.If(p.Op(0, 1, "lt", (y, ops.const(3))), (p.Fail("never"),)),
        p.Put("array", ops.const(0), y),
    )
    program = written(lambda w: w.extend(body))
    assert lines(fold(program)) == ["y 3..12 := (a + 3)", "array[0] := y"]


def test_folding_leaves_variables_that_change() -> None:
    x = p.Var(0, 9, "x")
    body = (p.Set(x, ops.const(1)), p.Set(x, A), p.Put("array", ops.const(0), x))
    assert lines(fold(written(lambda w: w.extend(body))))[-1] == "array[0] := x"


def test_short_loops_are_written_out() -> None:
    def write(w: Writer) -> None:
        with w.each("n", ops.const(0), ops.const(2)) as n:
            w.put("array", n, ops.add(n, A))

    found = lines(unroll(written(write)))
    assert found == ["array[0] := a", "array[1] := (a + 1)", "array[2] := (a + 2)"]


def test_long_loops_and_those_that_end_early_stay() -> None:
    def write(w: Writer) -> None:
        with w.each("n", ops.const(0), ops.const(99)):
            w.put("array", ops.const(0), A)
        with w.each("m", ops.const(0), ops.const(2)) as m:
            w.put("array", m, A)
            w.emit(p.Break())

    program = written(write)
    assert unroll(program) == program


def test_small_functions_are_put_in_and_kept_ones_stay() -> None:
    maker = Maker("calls", 2, (p.CellRange(0, 9),), 0)
    maker.array("array", 3, 0, 99)
    n = p.Var(0, 20, "n")
    maker.function(p.Function("twice", (n,), (0, 40), (p.Return(ops.add(n, n)),)))
    w = Writer(maker)
    w.put("array", ops.const(0), w.call("twice", [ops.add(A, ops.const(1))], (0, 40)))
    maker.function(w.function("f", [A], None))
    program = fold(inline(maker.program((0,)), ROOTS))
    assert not any(isinstance(each, p.Call) for each in everything(program.functions[1].body))
    kept = inline(maker.program((0,)), frozenset({"f", "twice"}))
    assert any(isinstance(each, p.Call) for each in everything(kept.functions[1].body))


def test_what_nobody_reads_goes() -> None:
    def write(w: Writer) -> None:
        w.let(ops.add(A, ops.const(1)))
        with w.each("n", ops.const(0), A) as n:
            w.let(ops.mul(n, A))
        w.maker.array("unread", 3, 0, 9)
        w.put("unread", ops.const(0), A)
        w.put("array", ops.const(0), A)

    program = written(write)
    lonely = p.Function("lonely", (), None, ())
    program = replace(program, functions=(lonely, *program.functions))
    after = remove_dead(program, ROOTS, frozenset({"array"}))
    assert lines(after) == ["array[0] := a"]
    assert [each.name for each in after.functions] == ["f"]
    assert [each.name for each in after.arrays] == ["array"]


def test_a_check_that_can_fail_is_never_dead() -> None:
    program = written(lambda w: w.need(ops.compare("<", A, ops.const(5)), "too much"))
    after = optimised(program, ROOTS, frozenset())
    assert "fail: too much" in lines(after)


def test_what_a_loop_repeats_goes_before_it() -> None:
    def write(w: Writer) -> None:
        same = ops.mul(ops.mul(A, A), ops.add(ops.mul(A, A), w.reader.item("array", ops.const(1))))
        with w.each("n", ops.const(0), A) as n:
            kept = w.let(w.reader.cell(0, 0, ops.const(0)))
            w.put("array", ops.const(0), ops.smaller(ops.add(n, kept), ops.const(99)))
            w.store(0, 0, ops.const(0), ops.smaller(ops.add(same, n), ops.const(9)))

    # The array is written in the loop, and so is the cell: neither value may leave it.
    assert lines(hoist(written(write))) == lines(written(write))

    def write_elsewhere(w: Writer) -> None:
        same = ops.mul(ops.mul(A, A), ops.add(ops.mul(A, A), w.reader.cell(0, 0, ops.const(0))))
        with w.each("n", ops.const(0), A) as n:
            kept = w.let(w.reader.cell(0, 0, ops.const(0)))
            w.put("array", n, ops.smaller(ops.add(same, kept), ops.const(99)))

    body = hoist(written(write_elsewhere)).functions[0].body
    loop = body[-1]
    assert isinstance(loop, p.For)
    assert [type(each) for each in body[:-1]] == [p.Set, p.Set]
    assert [type(each) for each in loop.body] == [p.Put]


def test_what_has_no_value_before_a_loop_stays_in_it() -> None:
    """A variable that is set under a condition, and a value that is in range for a reason."""

    def write(w: Writer) -> None:
        var = w.var("x", 0, 9)
        with w.when(ops.compare("<", A, ops.const(5))):
            w.set(var, A)
        product = ops.mul(ops.mul(var, var), ops.mul(ops.add(var, A), ops.add(var, ops.const(2))))
        reason = ops.trusted(ops.sub(A, ops.const(3)), 0, 2, "asked before")
        table = w.reader.item("array", reason)
        with w.each("n", ops.const(5), A) as n:
            found = ops.add(product, ops.mul(ops.mul(table, table), ops.mul(table, table)))
            w.put("array", ops.const(0), ops.smaller(ops.add(found, n), ops.const(99)))

    assert lines(hoist(written(write))) == lines(written(write))


def test_loops_and_branches_that_only_count_are_one_addition() -> None:
    def write(w: Writer) -> None:
        many = w.changing("many", ops.FALSE, 0, 99)
        with w.each("n", ops.const(3), A):
            w.gain(many, ops.const(2), "few rounds")
        with w.bits("bit", A):
            w.gain(many, ops.TRUE, "few bits")
        with w.when(ops.compare(">", A, ops.const(4))):
            w.gain(many, ops.TRUE, "once")
        w.emit(p.Return(many))

    before, after = written(write, (0, 99)), count_at_once(written(write, (0, 99)))
    assert all(isinstance(each, p.Set | p.Return) for each in after.functions[0].body)
    assert verify(after) == []
    for a in range(10):
        assert Runs(after).call("f", a) == Runs(before).call("f", a)


def test_a_large_branch_of_a_loop_becomes_a_function() -> None:
    def write(w: Writer) -> None:
        total = w.changing("total", ops.FALSE, 0, 1 << 30)
        with w.each("n", ops.const(0), A) as n, w.when(ops.compare(">", n, ops.const(3))):
            square = w.let(ops.mul(n, n))
            for by in range(60):
                with w.each("m", ops.const(0), n) as m:
                    more = ops.mul(ops.add(m, square), ops.const(by))
                    w.gain(total, more, "small numbers")
        w.emit(p.Return(total))

    before = written(write, (0, 1 << 30))
    after = outline(before)
    assert verify(after) == []
    assert [each.name for each in after.functions] == ["f_part1", "f"]
    assert lines(after)[-2:] == ["total_1 0..1073741824 := f_part1(n_2, total_1)", "return total_1"]
    for a in range(10):
        assert Runs(after).call("f", a) == Runs(before).call("f", a)


def nested(rounds: int) -> p.Program:
    def write(w: Writer) -> None:
        with (
            w.each("n", ops.const(1), ops.const(rounds)),
            w.each("m", ops.const(1), ops.const(rounds)) as m,
        ):
            w.put("array", ops.const(0), ops.smaller(m, ops.const(99)))

    return meter(written(write))


def test_long_loops_pay_for_each_round() -> None:
    program = nested(120)
    runs = Runs(program)
    runs.arrays[WORK][0] = 1 << 40
    runs.call("f", 1)
    paid = (1 << 40) - runs.arrays[WORK][0]
    assert paid > 0
    runs.arrays[WORK][0] = paid
    runs.call("f", 1)
    assert runs.arrays[WORK][0] == 0
    runs.arrays[WORK][0] = paid - 1
    with pytest.raises(Left, match="fail"):
        runs.call("f", 1)


def test_a_loop_that_nothing_leaves_pays_once() -> None:
    loop = next(each for each in nested(120).functions[0].body if isinstance(each, p.For))
    inner = next(each for each in loop.body if isinstance(each, p.For))
    assert not any(isinstance(each, p.Fail) for each in everything(inner.body))

    def write(w: Writer) -> None:
        with w.each("n", ops.const(1), ops.const(20_000)) as n:
            with w.when(ops.compare(">", n, A)):
                w.emit(p.Break())
            w.put("array", ops.const(0), A)

    runs = Runs(meter(written(write)))
    runs.arrays[WORK][0] = 1 << 20
    runs.call("f", 2)
    assert 0 < (1 << 20) - runs.arrays[WORK][0] < 100


def test_short_loops_pay_nothing() -> None:
    assert not any(
        isinstance(each, p.Fail) and each.reason == OUT_OF_WORK
        for each in everything(nested(5).functions[0].body)
    )
