"""Typed terms: what expressions of a rules file mean after names, options and defines are resolved.

A term is pure and total. Every member of a kind is a *face*: one integer, unique in the game
model, so
that widening a kind to a union changes nothing. A player is his seat, 0-based. A vector is a
tuple of
integers, one per face of its type, in declared order. Terms are produced by
`gemwright.dsl.elaboration.expressions`,
evaluated by the reference interpreter and read by the validator.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gemwright.dsl.source import Span


class Base(StrEnum):
    """The base types of the language."""

    INT = "number"
    FLAG = "yes/no"
    FACE = "member"
    PLAYER = "player"
    VECTOR = "lot"
    PIECE = "piece"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Type:
    """A type with its range.

    `low..high` bounds an INT, or each cell of a VECTOR. `faces` are the members of a FACE or
    PIECE type
    and the index of a VECTOR. `optional` marks `player or nobody`, whose nobody is -1.
    """

    base: Base
    low: int = 0
    high: int = 0
    faces: tuple[int, ...] = ()
    optional: bool = False


FLAG = Type(Base.FLAG, 0, 1)
PLAYER = Type(Base.PLAYER)


@dataclass(frozen=True, slots=True)
class Term:
    """A node of an expression: its type and where it was written."""

    type: Type
    span: Span | None = field(compare=False)


@dataclass(frozen=True, slots=True)
class Const(Term):
    """A constant: an integer, 0/1 for a flag, a face, a seat, or a tuple for a vector."""

    value: int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Local(Term):
    """A slot of the frame: a picked parameter, a bound variable or a `let`.

    A parameter of type PIECE holds a pair (zone instance, face). A lot parameter holds one
    count per
    cell of its `LotDomain`; read it through `LotVector`.
    """

    slot: int
    name: str


@dataclass(frozen=True, slots=True)
class PieceFace(Term):
    """The face of a picked piece."""

    piece: Local


@dataclass(frozen=True, slots=True)
class PieceFrom(Term):
    """Whether a picked piece was taken from the zone instance that `zone` and `index` name."""

    piece: Local
    zone: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class LotVector(Term):
    """A picked lot as a vector over `type.faces`: the sum over its sources."""

    lot: Local
    cells: tuple[int, ...]
    """For each cell of the lot the position of its face in `type.faces`."""


@dataclass(frozen=True, slots=True)
class ReadVariable(Term):
    """The value of a state variable; `index` is a position (0-based) for an indexed one."""

    variable: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class ZoneVector(Term):
    """The counts of a zone instance over `type.faces` (all faces that the zone may hold)."""

    zone: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class ZoneCount(Term):
    """How many pieces of one face lie in a zone instance."""

    zone: int
    index: Term | None
    face: Term


@dataclass(frozen=True, slots=True)
class ZoneSize(Term):
    """How many pieces lie in a zone instance. Sizes are public."""

    zone: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class ZoneTop(Term):
    """The face on top of a stack; -1 when the stack is empty (only tests may meet that)."""

    zone: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class Lookup(Term):
    """A constant table read at `argument - base`: columns, neighbours, owners, numbers of
    members. `name` is that of a column, or words with a space, such as `owner of`."""

    values: tuple[int | tuple[int, ...], ...]
    argument: Term
    base: int
    name: str


@dataclass(frozen=True, slots=True)
class Table(Term):
    """A declared table of several arguments; positions are 0-based, row-major."""

    values: tuple[int, ...]
    arguments: tuple[Term, ...]
    bases: tuple[int, ...]
    sizes: tuple[int, ...]
    default: int
    name: str


@dataclass(frozen=True, slots=True)
class VectorIndex(Term):
    """One cell of a vector; 0 for a face outside its type."""

    vector: Term
    face: Term


@dataclass(frozen=True, slots=True)
class Widen(Term):
    """A vector over fewer or more faces, re-laid over `type.faces` (missing cells are 0)."""

    vector: Term
    positions: tuple[int, ...]
    """For each face of `type.faces` its position in the argument, or -1."""


@dataclass(frozen=True, slots=True)
class VectorOp(Term):
    """`+`, `-` or `less` (floored at 0) of two vectors over the same faces, cell by cell."""

    op: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class VectorSum(Term):
    """`size of`: the sum of all cells."""

    vector: Term


@dataclass(frozen=True, slots=True)
class VectorCompare(Term):
    """`<=` (every cell), `=` (every cell) or `!=` (some cell) of two vectors over the same
    faces."""

    op: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class VectorBuild(Term):
    """A vector over `type.faces`, `body` evaluated with each face in `slot`."""

    slot: int
    body: Term


@dataclass(frozen=True, slots=True)
class Arithmetic(Term):
    """`+ - *` of two numbers."""

    op: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Extreme(Term):
    """`min` or `max` of one or more numbers."""

    op: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class If(Term):
    """`then if condition else otherwise`."""

    condition: Term
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Compare(Term):
    """`< <= > >= = !=` of two numbers, members or players."""

    op: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class And(Term):
    """All of the terms; a later one is read only if the earlier hold."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Or(Term):
    """Any of the terms; a later one is read only if the earlier fail."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Not(Term):
    """Negation."""

    term: Term


@dataclass(frozen=True, slots=True)
class IsOut(Term):
    """Whether a player has been eliminated."""

    player: Term


@dataclass(frozen=True, slots=True)
class Openly(Term):
    """The value of `term`, published to everybody when it is read by an effect or a branch."""

    term: Term


@dataclass(frozen=True, slots=True)
class Faces:
    """Domain: members of a kind, in declared order."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Players:
    """Domain: the players still in, in seat order; `start` gives clockwise order; `other`
    leaves one out."""

    start: Term | None = None
    other: Term | None = None


@dataclass(frozen=True, slots=True)
class Numbers:
    """Domain: `low..high`, both included; empty when high < low."""

    low: Term
    high: Term


@dataclass(frozen=True, slots=True)
class Pieces:
    """Domain: the faces with a count above 0 in a vector, each weighing its count."""

    vector: Term
    faces: tuple[int, ...]


Domain = Faces | Players | Numbers | Pieces


@dataclass(frozen=True, slots=True)
class Fold(Term):
    """`sum max min count some every` over a domain, the element in `slot`.

    `filter` keeps elements. In `sum` and `count` an element of `Pieces` weighs its count.
    `count` has no
    body (it is 1). `max` and `min` of nothing are `empty`.
    """

    op: str
    slot: int
    domain: Domain
    filter: Term | None
    body: Term | None
    empty: int = 0


@dataclass(frozen=True, slots=True)
class SomeLot(Term):
    """Whether some sub-multiset of `within` satisfies `condition`; the lot stands in `slot`."""

    slot: int
    within: Term
    condition: Term
