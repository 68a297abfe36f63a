"""The flat program: bounded integers, constant tables, functions without recursion.

It is what every compiled engine runs. All numbers are integers with a range that is known here;
there is no heap and no text, every loop has a bound, and `Draw` is the only chance. Memory is the
state (the cells of the game's block), arrays beside it, and local variables. `Fail` hands a game
over to the reference engine, which says what rule was broken.

Nodes are immutable and compare by value. `low..high` of an expression is its range, both included.
"""

from __future__ import annotations

from dataclasses import dataclass

# -- expressions: pure, and total where their indices stay in range -------------------------------


@dataclass(frozen=True, slots=True)
class Expr:
    """An integer in `low..high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """The number `low` (= `high`)."""


@dataclass(frozen=True, slots=True)
class Var(Expr):
    """A local variable or parameter of a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Cell(Expr):
    """The state cell number `index`, which lies in `first..last`."""

    first: int
    last: int
    index: Expr


@dataclass(frozen=True, slots=True)
class Item(Expr):
    """An item of an array beside the state."""

    array: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Entry(Expr):
    """An entry of a constant table."""

    table: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Op(Expr):
    """An operation of `OPERATIONS` on its arguments."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Trusted(Expr):
    """A value that lies in this range for a reason beyond intervals, such as that pieces are
    neither made nor lost. The reason is for readers."""

    value: Expr
    reason: str


OPERATIONS = {
    "add": 2,
    "sub": 2,
    "mul": 2,
    "min": 2,
    "max": 2,
    "eq": 2,
    "ne": 2,
    "lt": 2,
    "le": 2,
    "gt": 2,
    "ge": 2,
    "and": 2,
    "or": 2,
    "not": 1,
    "select": 3,
    "bit_and": 2,
    "bit_or": 2,
    "shift_left": 2,
    "shift_right": 2,
    "mul_low": 2,
    "ones": 1,
}
"""The number of arguments of each operation. `select` is (condition, then, otherwise); flags are
0 and 1; `ones` counts the bits that are set, `mul_low` gives the lowest `LOW_BITS` bits of a
product, and both and the bit operations take arguments of 0 and more."""

LOW_BITS = 62
"""Bits of packed small numbers: a number of 64 bits with a sign holds them, and one more."""

LOW_MASK = (1 << LOW_BITS) - 1


# -- statements -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stmt:
    """A statement."""


Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Set(Stmt):
    """Give a variable a value of its range."""

    var: Var
    value: Expr


@dataclass(frozen=True, slots=True)
class Gain(Stmt):
    """Add to a variable. Its range covers all that its loops can add up."""

    var: Var
    value: Expr


@dataclass(frozen=True, slots=True)
class Store(Stmt):
    """Give the state cell number `index` (in `first..last`) a value of its range."""

    first: int
    last: int
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Put(Stmt):
    """Give an item of an array a value of its range."""

    array: str
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Stmt):
    """Run one of two blocks."""

    condition: Expr
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True, slots=True)
class For(Stmt):
    """Run `body` for `var` from `low` to `high`, both included and read once."""

    var: Var
    low: Expr
    high: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Bits(Stmt):
    """Run `body` for the number of each bit that is set in `mask`, small first; read once."""

    var: Var
    mask: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Loop(Stmt):
    """Run `body` until a `Break`; after `cap` rounds the game fails."""

    cap: int
    body: Block


@dataclass(frozen=True, slots=True)
class Break(Stmt):
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Next(Stmt):
    """Go on with the next round of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Switch(Stmt):
    """Run the block whose number is `value`, which lies in 0 .. number of blocks - 1."""

    value: Expr
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    """Leave the function with its value, if it has one."""

    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Call(Stmt):
    """Call a function that was declared earlier."""

    var: Var | None
    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Draw(Stmt):
    """The only chance: the next number below `n` (1 or more) of a stream, always one tick.

    Stream 0 is the game, whose key and tick are cells of the state; stream s + 1 is seat s.
    """

    var: Var
    stream: Expr
    n: Expr


@dataclass(frozen=True, slots=True)
class Begin(Stmt):
    """The state becomes that before the setup; all streams start at game `number` of the seed."""

    number: Expr


@dataclass(frozen=True, slots=True)
class Keep(Stmt):
    """Append the state and the array `record` to the results of the batch."""


@dataclass(frozen=True, slots=True)
class Fail(Stmt):
    """Give the game up here: a rule is broken, or nobody can tell without the reference."""

    reason: str


# -- programs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """Constant numbers; entry i stands at position i."""

    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Array:
    """Numbers beside the state, all in `low..high`.

    `start` are the values when a state begins; () for scratch, which is written before it is read.
    """

    name: str
    length: int
    low: int
    high: int
    start: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A function; `result` is its value's range, or None. Its last statement returns the value."""

    name: str
    params: tuple[Var, ...]
    result: tuple[int, int] | None
    body: Block


@dataclass(frozen=True, slots=True)
class CellRange:
    """The range of one state cell; in canonical bytes it is stored minus `low`."""

    low: int
    high: int

    @property
    def width(self) -> int:
        """Bytes of the canonical form."""
        return max(1, ((self.high - self.low).bit_length() + 7) // 8)


@dataclass(frozen=True, slots=True)
class Program:
    """A whole program. Functions call only functions that stand before them.

    `start` are the cells before the setup, the key of chance aside.
    """

    name: str
    players: int
    cells: tuple[CellRange, ...]
    start: tuple[int, ...]
    chance: int
    """The cell of the key; the tick is the next one."""
    tables: tuple[Table, ...]
    arrays: tuple[Array, ...]
    functions: tuple[Function, ...]
