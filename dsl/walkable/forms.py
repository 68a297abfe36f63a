"""The normal form of conditions over picked lots: what `classification` makes of terms.

A pick is one vector of counts per kind of piece. Whatever a condition asks of it is asked of
totals, each a sum over the kinds of a function of that kind's counts (`Sum`), or of the set of
types that the kinds show (`Typed`). Terms in here read slots that the plan adds behind those of the
action: `KIND` holds the face of the kind at hand, a cell slot the count of one lot at it.
Everything else in a term is fixed once the single picks are made.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gemwright.dsl.model.terms import Domain, Term
from gemwright.dsl.source import Span

Slots = tuple[tuple[int, Term], ...]
"""Terms and the slots that hold their values."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that no picked lot changes."""

    term: Term


@dataclass(frozen=True, slots=True)
class SomeWithin:
    """Whether a sub-multiset of `within` satisfies a plan of its own; `within` is fixed."""

    slot: int
    within: Term
    plan: LotPlan


@dataclass(frozen=True, slots=True)
class AllOf:
    """All hold; a later one matters only if the earlier hold."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Any holds; a later one matters only if the earlier fail."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """Does not hold."""

    node: Node


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two values."""

    condition: Node
    then: Node
    otherwise: Node


# -- sums over kinds -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant:
    """A fixed number."""

    node: Node


@dataclass(frozen=True, slots=True)
class Each:
    """The sum over `faces` of `local`; faces that are no kinds of the pick count as not picked."""

    faces: tuple[int, ...]
    local: Term


@dataclass(frozen=True, slots=True)
class Cell:
    """`local` at the one kind that the fixed term `face` names."""

    face: Term
    local: Term


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of two sums, by a fixed condition."""

    condition: Node
    then: Sum
    otherwise: Sum


@dataclass(frozen=True, slots=True)
class Repeated:
    """The sum over a fixed domain of a sum; `slot` holds the element, `filter` is fixed."""

    slot: int
    domain: Domain
    filter: Node | None
    sum: Sum


@dataclass(frozen=True, slots=True)
class Member:
    """An element of the outer domain of groups and the kinds that belong to it."""

    value: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The sum over groups of `body`, whose `count_slot` holds the group's sum of `local`.

    The kinds of a group follow each other in the order of the pick. `slot` holds the group's value.
    """

    slot: int
    members: tuple[Member, ...]
    local: Term
    count_slot: int
    body: Term


Atom = Constant | Each | Cell | Chosen | Repeated | Grouped


@dataclass(frozen=True, slots=True)
class Part:
    """An atom times its fixed factors."""

    factors: tuple[Term, ...]
    atom: Atom


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of parts."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """Whether a sum compares so with 0."""

    op: str
    sum: Sum


# -- what is read off totals ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Derived:
    """A term of totals: `leaves` give the values of the slots that it reads."""

    term: Term
    leaves: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Unrolled:
    """A fold over a fixed domain, an instance of the body per element."""

    op: str
    slot: int
    domain: Domain
    filter: Node | None
    body: Node | None
    empty: int


@dataclass(frozen=True, slots=True)
class Typed:
    """A fold over kinds whose body also reads totals, or over pairs of kinds.

    A kind that passes `gate` shows a type: the values of `locals`. Only how often a type is shown,
    up to `cap`, matters. `op` is some, sum, max or min; `filter` and `body` read the type's slots
    and the leaves. With `other` the body is a symmetric condition on two kinds, the second one's
    type in there.
    """

    op: str
    faces: tuple[int, ...]
    gate: Term | None
    locals: Slots
    leaves: tuple[tuple[int, Node], ...]
    filter: Term | None
    body: Term
    cap: int
    empty: int
    other: tuple[int, ...] = ()


Node = (
    Fixed | SomeWithin | AllOf | AnyOf | Negated | Choice | Sum | Test | Derived | Unrolled | Typed
)


# -- plans ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot of an action. `slot` holds the pick, `cell_slot` the count at the kind at hand."""

    slot: int
    cell_slot: int
    highs: tuple[tuple[int, int], ...]
    """(face, greatest count) by face, over all sources together."""


@dataclass(frozen=True, slots=True)
class LotPlan:
    """What a pass needs: the kinds in order, the lots, and the lines of the condition."""

    kinds: tuple[int, ...]
    kind_slot: int
    lots: tuple[Lot, ...]
    lines: tuple[Node, ...]
    states: int
    """The greatest product of clamped ranges at one level, as known at load."""
    frame_size: int


@dataclass(frozen=True, slots=True)
class WalkPlan:
    """How the picks of one action are walked.

    `walk` is 'pass' (the plan of `lots` is used) or 'list' (few picks, tried one by one).
    `depths[i]` is the number of parameters that must be picked before line i can be read, counting
    only from the first line on: a line is never read before an earlier one. `picks` bounds the
    number of picks.
    """

    walk: str
    picks: int
    lots: LotPlan
    depths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic to be: `code` is K001, K002 or K003."""

    code: str
    span: Span = field(compare=False)
    message: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an action cannot be walked."""

    findings: tuple[Finding, ...]
