"""The abstract transition system that proofs are about: control points, cells, edges.

It over-approximates one game model at one player count with one set of options. A play of the
game is a path through it: whenever the engine goes from one control point to another, some edge
has values of its parameters for which its guard holds and its effects change the cells just as the
engine changed what the cells stand for. The converse need not hold. In detail:

* **Cells** are chosen quantities of the state: how many pieces of a family lie in a zone instance
  (or in all instances together), the value of a counter, the sum of a column over a zone, the truth
  of a condition. What no cell stands for is forgotten.
* **Guards** are necessary conditions (*may*): an edge may be in the system although the rules never
  allow it. Only `Edge.sufficient` speaks of what the rules do allow (*must*).
* **Parameters** are integers unknown to the system: picks of players, chance, and everything read
  from what no cell stands for. They are chosen anew each time an edge is taken, within their range
  and the guard.
* **Effects** all read the cells as they were before the edge. Pieces only ever move by `Transfer`
  between cells of the same family, never by assignment, so that conservation can be seen.
* **Ranges** hold at every point: the engine stops a play with an error rather than let a zone lose
  pieces that it lacks, or a counter leave its range. That such an error cannot happen is what the
  edge's `obligations` ask, one by one; everything else may take them for granted, because a play
  that goes on has passed them.

No name, label or place here has any influence on a proof: they are for people. Cells, points and
edges are referred to by their position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gemwright.dsl.source import Span
from gemwright.validator.linear.affine import Affine, Constraint, affine, unknown


class CellKind(StrEnum):
    """What a cell stands for; candidates for measures are tried in this order."""

    LOOP = "loop"
    """The position of a counted loop: how many of its elements were taken."""
    COUNTER = "counter"
    """A numeric state variable, or a flag as 0 and 1."""
    ZONE = "zone"
    """The number of pieces of a family in a zone."""
    SUM = "sum"
    """The sum of a column over the pieces of a zone, or another quantity that follows from them."""
    CONDITION = "condition"
    """Whether a condition that the system does not spell out holds, 0 or 1."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One integer of the abstract state.

    `low` and `high` hold at every point of every play (None = not known). `reads`, of a condition,
    are the cells such that the condition can change only when an effect touches one of them, be it
    by moving pieces in and out in equal numbers, or when one of `variables` changes, state that no
    cell stands for. `name`, `index` and `family` are for people: the
    cells `bank`, `hand[P1]` and `hand[P2]` of one family sum to "bank + hand of all players".
    """

    kind: CellKind
    low: int | None
    high: int | None
    name: str
    index: str = ""
    family: str = ""
    reads: tuple[int, ...] = ()
    variables: tuple[int, ...] = ()
    place: int = -1
    """Zone cells with the same number count pieces in the same place, each of another family; -1
    stands for none."""

    @property
    def label(self) -> str:
        """`name[index] (family)`, for people."""
        place = f"{self.name}[{self.index}]" if self.index else self.name
        return f"{place} ({self.family})" if self.family else place


class PointKind(StrEnum):
    """What happens at a control point."""

    START = "start"
    DECISION = "decision"
    """A player chooses which edge is taken."""
    AUTO = "auto"
    """The state (or chance) decides."""
    END = "end"


@dataclass(frozen=True, slots=True)
class Point:
    """A control point, possibly one of several that stand for one point of the game model, told
    apart by what is known there (whose turn it is, say); `label` says which."""

    kind: PointKind
    label: str
    origin: int
    """The control point of the game model, -1 for none."""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    """An unknown of an edge with its range (None = not known)."""

    low: int | None
    high: int | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Transfer:
    """`amount` pieces leave one cell and enter another; amount >= 0 follows from the guard."""

    source: int
    target: int
    amount: Affine


@dataclass(frozen=True, slots=True)
class Add:
    """A cell changes by an amount: counters, column sums, and pieces from or to where no cell is
    kept for them."""

    cell: int
    amount: Affine


@dataclass(frozen=True, slots=True)
class Assign:
    """A counter, loop position, sum or condition gets a value; never a zone cell."""

    cell: int
    value: Affine


Effect = Transfer | Add | Assign


@dataclass(frozen=True, slots=True)
class Obligation:
    """What must hold for the engine not to stop with an error at a sentence: if the cells are such
    that `given` holds, then so must `claim`. Both are over cells and parameters of the edge, as
    they were before it. `given` is the guard up to this sentence.

    `code` is the runtime finding that a failure leads to.
    """

    claim: Constraint
    given: tuple[Constraint, ...]
    code: str
    text: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """A way from one point to another.

    At most one transfer or change per pair of cells and kind of effect is needed, but several add
    up. A cell that is assigned has no other effect on this edge.
    """

    source: int
    target: int
    parameters: tuple[Parameter, ...]
    guard: tuple[Constraint, ...]
    effects: tuple[Effect, ...]
    moves: int = 0
    """Decisions of players that this edge stands for: 1 for a move, else 0."""
    sufficient: tuple[tuple[Constraint, ...], ...] = ()
    """Of a move, alternatives over cells only: whenever all constraints of one of them hold, the
    player may choose the action that this edge is a way of. A conjunction of nothing: always.
    () = nothing is known of when. Of the way out of a simultaneous decision: then every player who
    has to choose may choose something."""
    obligations: tuple[Obligation, ...] = ()
    label: str = ""
    span: Span | None = field(default=None, compare=False)
    action: int = -1
    """The action of the game model that a move is an instance of; -1 for a pass or no move."""

    def changes(self) -> dict[int, Affine]:
        """For each cell that may change what is added to it, over the cells as they were before
        and the parameters."""
        found: dict[int, list[Affine]] = {}
        for effect in self.effects:
            if isinstance(effect, Transfer):
                found.setdefault(effect.source, []).append(-effect.amount)
                found.setdefault(effect.target, []).append(effect.amount)
            elif isinstance(effect, Add):
                found.setdefault(effect.cell, []).append(effect.amount)
            else:
                found.setdefault(effect.cell, []).append(effect.value - unknown(effect.cell))
        totals = {cell: _total(amounts) for cell, amounts in sorted(found.items())}
        return {cell: total for cell, total in totals.items() if total.terms or total.constant}

    @property
    def touched(self) -> frozenset[int]:
        """Cells that an effect speaks of, also when nothing changes in sum."""
        cells: set[int] = set()
        for effect in self.effects:
            cells |= (
                {effect.source, effect.target} if isinstance(effect, Transfer) else {effect.cell}
            )
        return frozenset(cells)


@dataclass(frozen=True, slots=True)
class Hint:
    """A measure that the author names (`decreases`), lowered to cells; tried, never believed."""

    measure: Affine
    text: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TransitionSystem:
    """All of it. Plays begin at `start` in a state in which `initial` holds (over cells); they end
    where no edge leads on.

    `capped`: whether edges that a declared cap forces are in it (then a proof is "by cap only").
    """

    cells: tuple[Cell, ...]
    points: tuple[Point, ...]
    edges: tuple[Edge, ...]
    start: int
    initial: tuple[Constraint, ...]
    hints: tuple[Hint, ...] = ()
    facts: tuple[Constraint, ...] = ()
    """Over cells, true at every point of every play by construction of the cells: that the
    parts of a zone sum to its size, say."""
    capped: bool = False
    refused: tuple[Edge, ...] = ()
    """No edges of the system: ways on which the engine stops for certain, for what they need."""


def _total(amounts: list[Affine]) -> Affine:
    terms = [term for amount in amounts for term in amount.terms]
    return affine(terms, sum(amount.constant for amount in amounts))
