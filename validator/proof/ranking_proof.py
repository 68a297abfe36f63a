"""What a proof of termination consists of.

A proof is about a set of steps between points. `Order` puts the points into groups such that every
step stays in its group or leads to a later one; so an endless play stays in one group for ever
from some time on. A group with steps has a `Stage` that shows why it cannot:

* `Measure`: a sum of cells (plus an offset per point) that no step raises and that is bounded from
  below; an endless play finally keeps it as it is, so every step may be restricted to "change = 0",
  and steps that are impossible then are dropped. The measure 0 just drops impossible steps.
* `Facts`: a quantity that no step changes, bounded by every step that leaves a point which no cycle
  avoids: an endless play passes there, so the bound holds all along.
* `Split`: a quantity that no step changes is either at most a number or more, for ever.
* `Contraction`: points are taken out one by one, each pair of a step in and a step out becoming one
  step; an endless play passes the points that are left again and again.

Steps are named by their paths: positions of edges. Reasons are about the step as it is at that
stage, with the restrictions of all stages before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemwright.validator.linear.affine import Affine, Constraint
from gemwright.validator.linear.simplex import Reason

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Groups of points in an order that no step goes against."""

    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Points, and why no play stays among them; None when no step does."""

    points: tuple[int, ...]
    stage: Stage | None


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """`lows`: at each point `measure + offset >= low` (a reason each). `highs`: the most that
    `measure + offset` is at a point and why, where a bound is known. `kept`: why the step
    does not raise it. `still`: why it does not lower it either, for steps that keep it. `dropped`:
    why the step is impossible with change = 0."""

    measure: Affine
    offsets: Mapping[int, int]
    low: int
    lows: Mapping[int, Reason]
    highs: Mapping[int, tuple[int, Reason]]
    kept: Mapping[Path, Reason]
    still: Mapping[Path, Reason]
    dropped: Mapping[Path, Reason]
    then: Order


@dataclass(frozen=True, slots=True)
class Bound:
    """A constraint on a quantity that every step leaving `point` obeys (a reason each)."""

    point: int
    constraint: Constraint
    reasons: Mapping[Path, Reason]


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """`constant`: per quantity, the constraint's expression, and per step why it does not fall and
    does not rise."""

    bounds: tuple[Bound, ...]
    constant: tuple[Mapping[Path, tuple[Reason, Reason]], ...]
    dropped: Mapping[Path, Reason]
    then: Order


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a split: steps that are impossible in it, and the rest."""

    dropped: Mapping[Path, Reason]
    then: Order


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """`quantity <= most` in `low`, `quantity >= most + 1` in `high`."""

    quantity: Affine
    most: int
    constant: Mapping[Path, tuple[Reason, Reason]]
    low: Half
    high: Half


@dataclass(frozen=True, slots=True, eq=False)
class Contraction:
    """`points` are taken out in this order; `dropped` are impossible compositions, each dropped as
    soon as it arises; `merged` names for each step left out a step that allows all it does."""

    points: tuple[int, ...]
    dropped: Mapping[Path, Reason]
    merged: Mapping[Path, Path]
    then: Order


Stage = Measure | Facts | Split | Contraction
