"""Small random functions of two numbers, made by the same builder as real ones."""

from __future__ import annotations

from hypothesis import strategies as st

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Maker, Writer
from gemwright.interpreter.compiled.flat.program import (
    Break,
    CellRange,
    Expr,
    Program,
    Return,
    Var,
)

CELLS = (
    *(CellRange(-3, 40) for _ in range(6)),
    CellRange(0, 70_000),
    CellRange(0, (1 << 64) - 1),
    CellRange(0, (1 << 32) - 1),
)
CHANCE = 7
LOW, HIGH = -20, 300

Choose = st.DataObject


class RandomFunction:
    """Draws one function `f(a, b)` and helpers that it calls."""

    def __init__(self, data: Choose) -> None:
        self._data = data
        self.maker = Maker("random", 2, CELLS, CHANCE)
        self.maker.array("numbers", 5, -9, 100, (3, -9, 100, 0, 7))
        self.maker.array("sums", 3, -(1 << 40), 1 << 40, (0, 0, 0))
        self._table = self.maker.table("table", (5, -7, 11, 0, 2, 90))

    def program(self) -> Program:
        """A whole program; `f` returns the sum of all that it worked out."""
        helper = Writer(self.maker)
        x = Var(LOW, HIGH, "x")
        helper.emit(Return(self._expr(helper, [x], 2)))
        value = helper.function("helper", [x], None).body[-1]
        assert isinstance(value, Return) and value.value is not None
        self._helped = (value.value.low, value.value.high)
        self.maker.function(helper.function("helper", [x], self._helped))
        w = Writer(self.maker)
        a, b = Var(LOW, HIGH, "a"), Var(0, 5, "b")
        total = w.changing("total", ops.FALSE, -(1 << 55), 1 << 55)
        self._block(w, [a, b], total, 3)
        w.emit(Return(total))
        self.maker.function(w.function("f", [a, b], (total.low, total.high)))
        return self.maker.program((0, 1, 2, 3, 4, 5, 60_000, 0, 0))

    def _pick(self, n: int) -> int:
        return int(self._data.draw(st.integers(0, n - 1)))

    # -- statements

    def _block(self, w: Writer, known: list[Expr], total: Var, depth: int) -> None:
        known = list(known)
        for _ in range(1 + self._pick(3)):
            self._statement(w, known, total, depth)

    def _statement(self, w: Writer, known: list[Expr], total: Var, depth: int) -> None:
        kind = self._pick(9 if depth else 4)
        value = self._fitted(self._expr(w, known, 2))
        if kind == 0:
            known.append(w.let(value))
        elif kind == 1:
            self._add(w, total, value)
        elif kind == 2:
            cell = self._index(w, known, 6)
            w.store(0, 5, cell, ops.larger(ops.smaller(value, ops.const(40)), ops.const(-3)))
        elif kind == 3:
            at = self._index(w, known, 5)
            w.put("numbers", at, ops.larger(ops.smaller(value, ops.const(100)), ops.const(-9)))
        elif kind == 4:
            branch = w.branch(self._flag(w, known))
            with branch.then():
                self._block(w, known, total, depth - 1)
            with branch.otherwise():
                if self._pick(2):
                    self._block(w, known, total, depth - 1)
        elif kind == 5:
            self._for(w, known, total, depth)
        elif kind == 6:
            mask = ops.bit_and(ops.larger(value, ops.FALSE), ops.const(0b1011))
            with w.bits("bit", mask) as bit:
                self._block(w, [*known, bit], total, depth - 1)
        elif kind == 7:
            self._loop(w, known, total, depth)
        else:
            found = w.call("helper", [self._small(value)], self._helped)
            self._add(w, total, self._fitted(found))

    def _for(self, w: Writer, known: list[Expr], total: Var, depth: int) -> None:
        low = ops.const(self._pick(3)) if self._pick(2) else self._index(w, known, 4)
        high = ops.const(self._pick(5)) if self._pick(2) else self._index(w, known, 5)
        with w.each("n", low, high) as n:
            self._block(w, [*known, n], total, depth - 1)
            if not self._pick(3):
                with w.when(self._flag(w, [*known, n])):
                    w.emit(Break())

    def _loop(self, w: Writer, known: list[Expr], total: Var, depth: int) -> None:
        rounds = w.changing("rounds", ops.const(self._pick(4)), 0, 4)
        with w.loop(9):
            with w.when(ops.equal(rounds, ops.FALSE)):
                w.emit(Break())
            w.set(rounds, ops.trusted(ops.add(rounds, ops.const(-1)), 0, 4, "above 0"))
            self._block(w, [*known, rounds], total, depth - 1)

    def _add(self, w: Writer, total: Var, value: Expr) -> None:
        w.gain(total, value, "few and small numbers")

    # -- expressions

    def _expr(self, w: Writer, known: list[Expr], depth: int) -> Expr:
        kind = self._pick(14 if depth else 3)
        if kind == 0:
            return ops.const(self._data.draw(st.integers(-9, 1000)))
        if kind <= 2:
            return known[self._pick(len(known))]
        if kind == 3:
            return w.reader.cell(0, 5, self._index(w, known, 6))
        if kind == 4:
            return w.reader.cell(6, 6, ops.const(6))
        if kind == 5:
            return w.reader.item("numbers", self._index(w, known, 5))
        if kind == 6:
            return w.reader.entry(self._table, self._index(w, known, 6))
        left = self._expr(w, known, depth - 1)
        right = self._expr(w, known, depth - 1)
        if kind == 7:
            return ops.select(self._flag(w, known), left, right)
        if kind == 8:
            return self._flag(w, known)
        if kind == 9:
            return ops.ones(ops.larger(left, ops.FALSE))
        if kind == 10:
            left, right = ops.larger(left, ops.FALSE), ops.larger(right, ops.FALSE)
            return (ops.bit_and, ops.bit_or, ops.mul_low)[self._pick(3)](left, right)
        if kind == 11:
            by = self._shift(w, known)
            shift = (ops.shift_left, ops.shift_right)[self._pick(2)]
            return shift(ops.larger(self._small(left), ops.FALSE), by)
        make = (ops.add, ops.sub, ops.mul, ops.smaller, ops.larger)[self._pick(5)]
        return make(self._fitted(left), self._fitted(right))

    def _shift(self, w: Writer, known: list[Expr]) -> Expr:
        """How far to shift: a few bits, or so many that 32 bits are not enough."""
        few = ops.const(self._pick(20))
        return ops.mul(self._index(w, known, 5), ops.const(10)) if self._pick(2) else few

    def _flag(self, w: Writer, known: list[Expr]) -> Expr:
        sign = ("<", "<=", ">", ">=", "=", "!=")[self._pick(6)]
        one = ops.compare(sign, self._expr(w, known, 0), self._expr(w, known, 1))
        kind = self._pick(4)
        if kind == 0:
            return ops.negate(one)
        other = ops.compare("<", self._expr(w, known, 0), self._expr(w, known, 0))
        return (one, ops.both(one, other), ops.either(one, other))[kind - 1]

    def _index(self, w: Writer, known: list[Expr], length: int) -> Expr:
        index = known[self._pick(len(known))]
        return ops.smaller(ops.larger(index, ops.FALSE), ops.const(length - 1))

    def _small(self, value: Expr) -> Expr:
        return ops.larger(ops.smaller(value, ops.const(HIGH)), ops.const(LOW))

    def _fitted(self, value: Expr) -> Expr:
        """A value that products of stay within 64 bits."""
        if value.high < 1 << 30 and value.low > -(1 << 30):
            return value
        return ops.larger(ops.smaller(value, ops.const(1 << 29)), ops.const(-(1 << 29)))
