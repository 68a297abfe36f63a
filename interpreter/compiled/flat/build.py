"""Building programs: `Maker` gathers tables, arrays and functions, `Writer` writes one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import (
    Array,
    Bits,
    Block,
    Break,
    Call,
    CellRange,
    Const,
    Expr,
    Fail,
    For,
    Function,
    Gain,
    If,
    Loop,
    Next,
    Program,
    Put,
    Return,
    Set,
    Stmt,
    Store,
    Switch,
    Table,
    Var,
)

_LAST: Final = (Return, Fail)


def leaves(block: Sequence[Stmt]) -> bool:
    """Whether a block leaves, or goes on with, the loop that it is the body of."""
    for each in block:
        if isinstance(each, Break | Next):
            return True
        inner: tuple[Block, ...] = ()
        if isinstance(each, If):
            inner = (each.then, each.otherwise)
        elif isinstance(each, Switch):
            inner = each.blocks
        if any(leaves(body) for body in inner):
            return True
    return False


class Maker:
    """Gathers the parts of a program. Equal tables are one table."""

    def __init__(self, name: str, players: int, cells: tuple[CellRange, ...], chance: int) -> None:
        self.name = name
        self.players = players
        self.cells = cells
        self.chance = chance
        self._tables: dict[tuple[int, ...], Table] = {}
        self._arrays: dict[str, Array] = {}
        self.functions: dict[str, Function] = {}
        self.reader = ops.Reader(Program(name, players, cells, (), chance, (), (), ()))

    def table(self, hint: str, values: Sequence[int]) -> str:
        """The name of a table with these values."""
        key = tuple(values)
        known = self._tables.get(key)
        if known is None:
            known = self._tables[key] = Table(f"{hint}_{len(self._tables)}", key)
            self.reader.tables[known.name] = key
        return known.name

    def array(self, name: str, length: int, low: int, high: int, start: Sequence[int] = ()) -> str:
        """Declare an array; again with wider bounds or length to make it wider."""
        old = self._arrays.get(name)
        if old is not None:
            length, low, high = max(length, old.length), min(low, old.low), max(high, old.high)
            start = start or old.start
        self._arrays[name] = Array(name, length, low, high, tuple(start))
        self.reader.arrays[name] = (low, high)
        return name

    def function(self, function: Function) -> None:
        """Add a function; those that it calls are there already."""
        assert function.name not in self.functions
        self.functions[function.name] = function

    def program(self, start: tuple[int, ...]) -> Program:
        """Everything that was gathered."""
        return Program(
            self.name,
            self.players,
            self.cells,
            start,
            self.chance,
            tuple(self._tables.values()),
            tuple(self._arrays.values()),
            tuple(self.functions.values()),
        )


class Branch:
    """Two blocks under a condition; see `Writer.branch`."""

    def __init__(self, writer: Writer, condition: Expr) -> None:
        self._writer = writer
        self._condition = condition
        self._then: Block = ()

    @contextmanager
    def then(self) -> Iterator[None]:
        """Write what happens if the condition holds."""
        with self._writer.block(goes_on=True) as body:
            yield
        self._then = tuple(body)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Write what happens if it does not; ends the branch."""
        with self._writer.block(goes_on=True) as body:
            yield
        self._writer.choose(self._condition, self._then, tuple(body))


class Writer:
    """Writes the body of one function."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker
        self.reader = maker.reader
        self._blocks: list[list[Stmt]] = [[]]
        self._goes_on = [False]
        self._names = 0
        self._changing: set[str] = set()
        self.fails = 0
        """How many `Fail` were written so far: whether something may fail is a difference of it."""

    # -- variables

    def var(self, hint: str, low: int, high: int) -> Var:
        """A new variable that may change."""
        found = self._fresh(hint, low, high)
        self._changing.add(found.name)
        return found

    def _fresh(self, hint: str, low: int, high: int) -> Var:
        self._names += 1
        return Var(low, high, f"{hint}_{self._names}")

    def let(self, value: Expr, hint: str = "v") -> Expr:
        """The value as it is now: a constant, or a variable that stays as it is."""
        if isinstance(value, Const) or (
            isinstance(value, Var) and value.name not in self._changing
        ):
            return value
        if value.low == value.high:
            return ops.const(value.low)
        found = self._fresh(hint, value.low, value.high)
        self.emit(Set(found, value))
        return found

    def shared(self, value: Expr) -> Expr:
        """The same as `let`, but a variable that was just given this value, if there is one.

        Looks back as long as nothing but variables is written, also out of branches.
        """
        read = ops.reads(value)
        for block, goes_on in zip(reversed(self._blocks), reversed(self._goes_on), strict=True):
            for each in reversed(block):
                if not isinstance(each, Set) or each.var.name in read & self._changing:
                    return self.let(value)
                if each.value == value and each.var.name not in self._changing:
                    return each.var
            if not goes_on:
                break
        return self.let(value)

    def changing(self, hint: str, value: Expr, low: int, high: int) -> Var:
        """A new variable that may change, with its first value."""
        found = self.var(hint, low, high)
        self.emit(Set(found, value))
        return found

    def settled(self, var: Var) -> Var:
        """Say that a variable has its value for good, or until its loop sets it anew."""
        self._changing.discard(var.name)
        return var

    # -- statements

    @property
    def length(self) -> int:
        """Statements of the block at hand: whether something was written is a difference of it."""
        return len(self._blocks[-1])

    def emit(self, statement: Stmt) -> None:
        """Write a statement; nothing is written where control never comes."""
        block = self._blocks[-1]
        if not (block and isinstance(block[-1], _LAST)):
            block.append(statement)

    def extend(self, statements: Sequence[Stmt]) -> None:
        """Write statements."""
        for each in statements:
            self.emit(each)

    def set(self, var: Var, value: Expr) -> None:
        """Give a variable a value."""
        self.emit(Set(var, value))

    def gain(self, var: Var, value: Expr, reason: str = "") -> None:
        """Add to a variable.

        Args:
            reason: why it stays in its range, where the bounds of loops do not show it.
        """
        if value == ops.FALSE:
            return
        if reason:
            total = ops.trusted(ops.add(var, value), var.low, var.high, reason)
            self.emit(Set(var, total))
        else:
            self.emit(Gain(var, value))

    def store(self, first: int, last: int, index: Expr, value: Expr) -> None:
        """Give a cell a value."""
        first, last = max(first, index.low), min(last, index.high)
        self.emit(Store(first, last, index, value))

    def put(self, array: str, index: Expr, value: Expr) -> None:
        """Give an item of an array a value."""
        self.emit(Put(array, index, value))

    def fail(self, reason: str) -> None:
        """Give the game up."""
        self.fails += 1
        self.emit(Fail(reason))

    def need(self, condition: Expr, reason: str) -> None:
        """Give the game up unless a condition holds."""
        if condition == ops.TRUE:
            return
        with self.when(ops.negate(condition)):
            self.fail(reason)

    def call(
        self, function: str, args: Sequence[Expr], result: tuple[int, int] | None = None
    ) -> Expr:
        """Call a function; its value, or 0 if it has none."""
        var = None if result is None else self._fresh(function, *result)
        self.emit(Call(var, function, tuple(args)))
        return ops.FALSE if var is None else var

    # -- blocks

    @contextmanager
    def block(self, goes_on: bool = False) -> Iterator[list[Stmt]]:
        """Write into a block of its own, which the caller places.

        Args:
            goes_on: it is placed right behind what is written so far, in no loop.
        """
        body: list[Stmt] = []
        self._blocks.append(body)
        self._goes_on.append(goes_on)
        try:
            yield body
        finally:
            self._blocks.pop()
            self._goes_on.pop()

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        """Write what happens if a condition holds."""
        before = self.fails
        with self.block(goes_on=True) as body:
            yield
        if condition == ops.FALSE:
            self.fails = before
        self.choose(condition, tuple(body), ())

    def branch(self, condition: Expr) -> Branch:
        """Two blocks: `with b.then(): ..` and, always, `with b.otherwise(): ..`."""
        return Branch(self, condition)

    def choose(self, condition: Expr, then: Block, otherwise: Block) -> None:
        """An `If`, or the block that is known to run."""
        if isinstance(condition, Const):
            self.extend(then if condition.low else otherwise)
        elif then == otherwise:
            self.extend(then)
        elif not then:
            self.emit(If(ops.negate(condition), otherwise))
        else:
            self.emit(If(condition, then, otherwise))

    @contextmanager
    def each(self, hint: str, low: Expr, high: Expr) -> Iterator[Expr]:
        """A loop over numbers, both ends included."""
        var = self._fresh(hint, low.low, max(high.high, low.low))
        once = isinstance(low, Const) and low == high
        with self.block() as body:
            yield low if once else var
        if once and not leaves(body):
            self.extend(body)
        elif body and high.high >= low.low:
            self.emit(For(var, low, high, tuple(body)))

    @contextmanager
    def bits(self, hint: str, mask: Expr) -> Iterator[Var]:
        """A loop over the numbers of the bits that are set."""
        var = self._fresh(hint, 0, max(mask.high.bit_length() - 1, 0))
        with self.block() as body:
            yield var
        if body and mask != ops.FALSE:
            self.emit(Bits(var, mask, tuple(body)))

    @contextmanager
    def loop(self, cap: int) -> Iterator[None]:
        """A loop that a `Break` leaves."""
        with self.block() as body:
            yield
        self.emit(Loop(cap, tuple(body)))

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Write on trial: nothing of it stays."""
        before = self.fails
        try:
            with self.block():
                yield
        finally:
            self.fails = before

    def may_fail(self, write: Callable[[], object]) -> bool:
        """Whether what is written can give the game up."""
        before = self.fails
        with self.apart():
            write()
            return self.fails > before

    def function(
        self, name: str, params: Sequence[Var], result: tuple[int, int] | None
    ) -> Function:
        """The function of all that was written."""
        assert len(self._blocks) == 1
        return Function(name, tuple(params), result, tuple(self._blocks[0]))
