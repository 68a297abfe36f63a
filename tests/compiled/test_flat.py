"""The flat program itself: ranges, folding, the verifier, the text."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat import program as p
from gemwright.interpreter.compiled.flat.build import Maker, Writer
from gemwright.interpreter.compiled.flat.text import digest, text
from gemwright.interpreter.compiled.flat.verify import verify

from .flat_runs import OPERATIONS, Left, Runs
from .random_programs import RandomFunction

numbers = st.integers(-40, 40)


@given(st.data())
def test_an_operation_of_constants_is_its_value(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(OPERATIONS)))
    low = 0 if name.startswith(("bit", "shift", "ones", "mul_low")) else -40
    flags = name in ("and", "or", "not")
    one = st.integers(0, 1) if flags else st.integers(low, 40)
    args = [data.draw(one) for _ in range(p.OPERATIONS[name])]
    if name == "select":
        args[0] = data.draw(st.integers(0, 1))
    found = ops.OPERATORS[name](*[ops.const(arg) for arg in args])
    assert found == ops.const(OPERATIONS[name](*args))


@given(numbers, numbers, numbers, numbers, st.sampled_from(["+", "-", "*", "min", "max"]))
def test_the_range_of_an_operation_holds_all_values_and_no_more(
    a: int, b: int, c: int, d: int, sign: str
) -> None:
    one, other = p.Var(min(a, b), max(a, b), "x"), p.Var(min(c, d), max(c, d), "y")
    make = {"+": ops.add, "-": ops.sub, "*": ops.mul, "min": ops.smaller, "max": ops.larger}
    name = {"+": "add", "-": "sub", "*": "mul"}.get(sign, sign)
    found = make[sign](one, other)
    corners = [OPERATIONS[name](x, y) for x in (one.low, one.high) for y in (c, d)]
    assert (found.low, found.high) == (min(corners), max(corners))


@given(numbers, numbers, numbers, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]))
def test_a_comparison_that_ranges_decide_is_folded(a: int, b: int, c: int, sign: str) -> None:
    var = p.Var(min(a, b), max(a, b), "x")
    found = ops.compare(sign, var, ops.const(c))
    name = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "=": "eq", "!=": "ne"}[sign]
    answers = {OPERATIONS[name](x, c) for x in range(var.low, var.high + 1)}
    assert (isinstance(found, p.Const)) == (len(answers) == 1)
    assert {found.low, found.high} >= answers


@given(numbers, numbers, numbers, st.integers(0, 9), st.data())
def test_the_places_that_an_index_can_come_to(
    a: int, b: int, c: int, high: int, data: st.DataObject
) -> None:
    """Multiples and sums of what varies keep their distance; none that is reached is left out."""
    x, y = p.Var(0, high, "x"), p.Var(0, 9, "y")
    first = ops.add(ops.mul(x, ops.const(a)), ops.const(c))
    make, sign = data.draw(st.sampled_from([(ops.add, 1), (ops.sub, -1)]))
    places = ops.reached(-1000, 1000, make(first, ops.mul(y, ops.const(b))))
    known = {a * one + c + sign * b * other for one in range(high + 1) for other in range(10)}
    assert known <= set(places)
    assert all((place - c) % max(math.gcd(a, b), 1) == 0 for place in places)


def test_constant_factors_go_inside_and_what_is_added_gathers_outside() -> None:
    x = p.Var(0, 9, "x")
    index = ops.mul(ops.add(ops.mul(x, ops.const(3)), ops.const(1)), ops.const(4))
    assert index == ops.add(ops.mul(x, ops.const(12)), ops.const(4))
    assert (index.low, index.high) == (4, 112)
    assert ops.sub(ops.FALSE, ops.mul(x, ops.const(-1))) == x


def test_a_read_at_a_stride_has_the_range_of_what_it_can_meet() -> None:
    """Sizes of stacks that lie between the pieces in them."""
    cells = tuple(p.CellRange(0, 40 if number % 3 == 2 else 9) for number in range(12))
    read = Maker("strides", 2, cells, 0).reader.cell
    member = p.Var(0, 3, "member")
    size = read(0, 11, ops.add(ops.mul(member, ops.const(3)), ops.const(1)))
    assert (size.low, size.high) == (0, 9)
    piece = read(0, 11, ops.add(ops.mul(member, ops.const(3)), ops.const(2)))
    assert (piece.low, piece.high) == (0, 40)
    either = read(0, 11, ops.add(ops.mul(member, ops.const(2)), ops.const(2)))
    assert (either.low, either.high) == (0, 40)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_functions_verify_and_keep_their_ranges(data: st.DataObject) -> None:
    program = RandomFunction(data).program()
    assert verify(program) == []
    try:
        Runs(program).call("f", data.draw(st.integers(-20, 300)), data.draw(st.integers(0, 5)))
    except Left as left:
        assert left.how == "fail"


# -- the verifier


def made(*statements: p.Stmt, result: tuple[int, int] | None = None) -> p.Program:
    maker = Maker("broken", 2, (p.CellRange(0, 9), p.CellRange(0, 9)), 0)
    maker.table("table", (1, 2, 3))
    maker.array("array", 3, 0, 9)
    maker.function(p.Function("before", (p.Var(0, 5, "n"),), (0, 5), (p.Return(ops.const(1)),)))
    maker.function(p.Function("f", (p.Var(0, 9, "a"),), result, tuple(statements)))
    return maker.program((0, 0))


A = p.Var(0, 9, "a")
X = p.Var(0, 9, "x")

BROKEN = [
    (p.Set(p.Var(0, 5, "x"), A), "is given 0..9"),
    (p.Set(X, p.Var(0, 9, "y")), "is read before it is set"),
    (p.Set(X, p.Op(0, 3, "add", (A, A))), "can be 0..18"),
    (p.Set(X, p.Op(0, 9, "add", (A,))), "reads outside"),
    (p.Set(X, p.Entry(1, 3, "table_0", A)), "reads outside"),
    (p.Set(X, p.Item(0, 9, "array", ops.const(3))), "reads outside"),
    (p.Set(X, p.Cell(0, 9, 0, 1, A)), "reads outside"),
    (p.Set(X, p.Trusted(20, 30, A, "never")), "which cannot be"),
    (p.Set(p.Var(0, 1 << 70, "x"), ops.const(1 << 70)), "more than 64 bits"),
    (p.Set(p.Var(0, 9, "x"), p.Const(1, 2)), "a constant has two values"),
    (p.Gain(X, ops.const(1)), "is added to before it is set"),
    (p.Store(0, 1, A, ops.const(1)), "cell 0..9 of 0..1"),
    (p.Store(0, 0, ops.const(0), ops.const(12)), "cells 0..9 are given 12..12"),
    (p.Put("array", A, ops.const(1)), "has no item 0..9"),
    (p.Put("array", ops.const(0), ops.const(10)), "array is given 10..10"),
    (p.Put("other", ops.const(0), ops.const(1)), "there is no array other"),
    (p.If(A, ()), "a condition is no flag"),
    (p.For(p.Var(0, 3, "x"), ops.const(0), A, ()), "leaves its range"),
    (p.Bits(p.Var(0, 2, "x"), A, ()), "leaves its range"),
    (p.Break(), "there is no loop to leave"),
    (p.Switch(A, ((), ())), "a switch has no block"),
    (p.Return(A), "against its declaration"),
    (p.Call(None, "after", ()), "does not stand before it"),
    (p.Call(None, "before", (A,)), "n of before is given 0..9"),
    (p.Call(p.Var(0, 2, "x"), "before", (ops.const(1),)), "is given 0..5"),
    (p.Draw(X, ops.const(0), A), "a draw below 0..9"),
    (p.Draw(X, ops.const(7), ops.const(3)), "there is no such stream"),
]


@pytest.mark.parametrize(("statement", "problem"), BROKEN)
def test_the_verifier_finds_what_is_broken(statement: p.Stmt, problem: str) -> None:
    found = verify(made(statement))
    assert any(problem in each for each in found), found


def test_the_verifier_adds_up_what_loops_can_gain() -> None:
    total = p.Var(0, 30, "total")
    loop = p.For(p.Var(0, 9, "n"), ops.const(0), A, (p.Gain(total, ops.const(3)),))
    assert verify(made(p.Set(total, ops.const(0)), loop)) == []
    worse = replace(loop, body=(p.Gain(total, ops.const(4)),))
    found = verify(made(p.Set(total, ops.const(0)), worse))
    assert found == ["f: total 0..30 can become 0..40"]
    again = replace(loop, body=(p.Set(total, ops.const(0)), p.Gain(total, ops.const(4))))
    assert verify(made(again)) == []


def test_a_function_with_a_value_must_come_to_it() -> None:
    assert verify(made(p.If(ops.compare("<", A, ops.const(3)), (p.Return(A),)), result=(0, 9)))
    both = p.If(ops.compare("<", A, ops.const(3)), (p.Return(A),), (p.Fail("no"),))
    assert verify(made(both, result=(0, 9))) == []


# -- the text


def test_the_text_shows_everything() -> None:
    w = Writer(maker := Maker("shown", 2, (p.CellRange(0, 9),), 0))
    maker.array("array", 2, 0, 9, (1, 2))
    with w.each("n", ops.const(0), A) as n, w.when(ops.compare("<", n, ops.const(3))):
        w.put("array", ops.const(0), n)
    maker.function(w.function("f", [A], None))
    assert text(maker.program((4,))) == (
        "program shown, 2 players\n"
        "\n"
        "cells 0..0: 0..9\n"
        "start 0: 4\n"
        "array array[2] 0..9 start: 1 2\n"
        "\n"
        "function f(a 0..9)\n"
        "  for n_1 0..9 from 0 to a\n"
        "    if (n_1 < 3)\n"
        "      array[0] := n_1\n"
    )


def test_the_text_of_a_game_is_the_same_in_every_process() -> None:
    code = (
        "from gemwright.interpreter.game import load\n"
        "from gemwright.interpreter.compiled.flat.text import digest\n"
        "from gemwright.interpreter.compiled.translate import flat_program\n"
        "print(digest(flat_program(load('lantern_market', 2).model)))\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_other_programs_have_other_digests() -> None:
    program = made(p.Set(X, A))
    assert digest(program) == digest(made(p.Set(X, A)))
    assert digest(program) != digest(made(p.Set(X, ops.const(1))))


def test_a_value_that_was_just_worked_out_is_not_worked_out_again() -> None:
    """Out of branches, but not out of loops; until memory or what it reads is written."""
    maker = Maker("small", 2, (p.CellRange(0, 9),), 0)
    maker.array("array", 3, 0, 9)
    w, a = Writer(maker), p.Var(0, 9, "a")
    value = ops.add(a, maker.reader.cell(0, 0, ops.const(0)))
    first = w.shared(value)
    assert w.shared(value) == first
    with w.when(ops.compare("<", a, ops.const(5))):
        assert w.shared(value) == first
    with w.each("n", ops.const(0), a):
        assert w.shared(value) != first
    w.put("array", ops.const(0), a)
    assert w.shared(value) != first
    count = w.changing("count", ops.FALSE, 0, 9)
    double = ops.mul(count, ops.const(2))
    before = w.shared(double)
    w.set(count, a)
    assert w.shared(double) != before
