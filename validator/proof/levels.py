"""A proof of termination in words: one line per stage that does something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import Affine, Constraint
from gemwright.validator.proof.bounding import Bounds
from gemwright.validator.proof.live import Live
from gemwright.validator.proof.ranking_proof import Facts, Measure, Order, Path, Split, Stage
from gemwright.validator.proof.wording import sum_text


@dataclass(frozen=True, slots=True)
class Level:
    """One line of the argument.

    `edges` are those on which the measure falls, `most` how often it can fall in a play (None for
    other lines, or when not known). `depth` is that of splits.
    """

    text: str
    edges: tuple[int, ...]
    most: int | None
    depth: int


def levels(
    system: TransitionSystem, proof: Order, lives: Sequence[Live], bounds: Bounds
) -> Iterable[Level]:
    """The stages from the outside in."""
    telling = _Telling(system, bounds, len(lives))
    yield from telling.order(proof, 0)


class _Telling:
    def __init__(self, system: TransitionSystem, bounds: Bounds, edges: int) -> None:
        self._system = system
        self._bounds = bounds
        self._edges = edges

    def order(self, order: Order, depth: int) -> Iterable[Level]:
        """The lines of all groups."""
        for group in order.groups:
            if group.stage is not None:
                yield from self._stage(group.stage, depth)

    def _stage(self, stage: Stage, depth: int) -> Iterable[Level]:
        if isinstance(stage, Split):
            yield from self._split(stage, depth)
            return
        if isinstance(stage, Measure):
            yield from self._measure(stage, depth)
        elif isinstance(stage, Facts):
            for bound in stage.bounds:
                text = f"for ever {self._limit(bound.constraint)}"
                yield Level(text, (), None, depth)
        yield from self.order(stage.then, depth)

    def _measure(self, stage: Measure, depth: int) -> Iterable[Level]:
        if not stage.measure.terms and not stage.offsets:
            return
        falling = [path for path in stage.kept if path not in stage.still]
        falls = self._bounds.falls.get(stage)
        most = None if falls is None else falls.count
        yield Level(self._name(stage.measure), _edges(falling), most, depth)

    def _split(self, stage: Split, depth: int) -> Iterable[Level]:
        name = self._name(stage.quantity)
        yield Level(f"if {name} <= {stage.most} for ever", (), None, depth)
        yield from self.order(stage.low.then, depth + 1)
        yield Level(f"if {name} >= {stage.most + 1} for ever", (), None, depth)
        yield from self.order(stage.high.then, depth + 1)

    def _name(self, expression: Affine) -> str:
        return sum_text(expression - expression.constant, self._system.cells)

    def _limit(self, constraint: Constraint) -> str:
        expression = constraint.expression
        sign = 1 if expression.terms[0][1] > 0 else -1
        name = self._name((expression - expression.constant) * sign)
        return f"{name} {'>=' if sign > 0 else '<='} {-sign * expression.constant}"


def _edges(paths: Iterable[Path]) -> tuple[int, ...]:
    return tuple(sorted({edge for path in paths for edge in path}))
