"""Building an edge by running sentences on symbolic values.

An `EdgeBuilder` holds for every cell its value so far as an expression over the cells before the
edge and the parameters. Sentences are lowered in their order: read a value, assume what the engine
tests, require what it insists on, change cells. Two ways a sentence may go are two builders: `fork`
one, go on with both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemwright.dsl.source import Span
from gemwright.validator.abstraction.transitions import (
    Add,
    Assign,
    Cell,
    CellKind,
    Edge,
    Effect,
    Obligation,
    Parameter,
    Transfer,
)
from gemwright.validator.linear.affine import (
    ONE,
    ZERO,
    Affine,
    Constraint,
    at_least,
    at_most,
    number,
    parameter,
    unknown,
)
from gemwright.validator.linear.feasible import possible


class EdgeBuilder:
    """One edge under construction, from the point `source`."""

    def __init__(self, cells: Sequence[Cell], source: int) -> None:
        self._cells = cells
        self._source = source
        self._parameters: list[Parameter] = []
        self._guard: dict[Constraint, None] = {}
        self._moved: dict[tuple[int, int], Affine] = {}
        self._added: dict[int, Affine] = {}
        self._assigned: dict[int, Affine] = {}
        self._obligations: list[Obligation] = []
        self._conditions = tuple(
            n for n, cell in enumerate(cells) if cell.kind is CellKind.CONDITION
        )
        self.refused: list[tuple[tuple[Parameter, ...], tuple[Obligation, ...]]] = []
        """What the engine would insist on, in vain, on this way and on all that were forked."""

    def fork(self) -> EdgeBuilder:
        """A copy that goes its own way."""
        other = EdgeBuilder((), self._source)
        other._cells, other._conditions = self._cells, self._conditions
        other.refused = self.refused
        other._parameters = list(self._parameters)
        other._guard = dict(self._guard)
        other._moved = dict(self._moved)
        other._added = dict(self._added)
        other._assigned = dict(self._assigned)
        other._obligations = list(self._obligations)
        return other

    # -- reading

    def value(self, cell: int) -> Affine:
        """What a cell holds by now."""
        if cell in self._assigned:
            return self._assigned[cell]
        return unknown(cell) + self._added.get(cell, ZERO)

    def now(self, expression: Affine) -> Affine:
        """An expression over cells, as it is by now."""
        return expression.substitute({u: self.value(u) for u, _ in expression.terms if u >= 0})

    def parameter(self, low: int | None, high: int | None, label: str = "") -> Affine:
        """A new unknown within a range."""
        self._parameters.append(Parameter(low, high, label))
        return unknown(parameter(len(self._parameters) - 1))

    # -- what is known

    @property
    def guard(self) -> tuple[Constraint, ...]:
        """All that was assumed."""
        return tuple(self._guard)

    def range_of(self, of: int) -> tuple[int | None, int | None]:
        """The range of a cell before the edge, or of a parameter."""
        kept = self._cells[of] if of >= 0 else self._parameters[-1 - of]
        return kept.low, kept.high

    @property
    def parameters(self) -> int:
        """How many parameters there are."""
        return len(self._parameters)

    def parameter_ranges(self) -> list[Constraint]:
        """The ranges of all parameters."""
        found = []
        for position, kept in enumerate(self._parameters):
            value = unknown(parameter(position))
            found += [at_least(value, kept.low)] if kept.low is not None else []
            found += [at_most(value, kept.high)] if kept.high is not None else []
        return found

    def assume(self, *constraints: Constraint) -> None:
        """Constraints that hold on this way; over values that `value` or `now` gave."""
        for each in constraints:
            if not _trivial(each):
                self._guard[each] = None

    def require(self, claim: Constraint, code: str, text: str, span: Span | None) -> None:
        """The engine stops with an error unless the claim holds; from here on it holds."""
        if not _trivial(claim):
            given = tuple(self._guard)
            self._obligations.append(Obligation(claim, given, code, text, span))
            self.assume(claim)
            if not possible(self.guard, self.range_of):
                self.refused.append((tuple(self._parameters), tuple(self._obligations)))

    def ask(self, claim: Constraint, code: str, text: str, span: Span | None) -> None:
        """The engine may stop with an error unless the claim holds; it may be more than what is
        needed, so it is not known from here on."""
        if not _trivial(claim):
            self._obligations.append(Obligation(claim, tuple(self._guard), code, text, span))

    # -- changes

    def move(self, source: int, target: int, amount: Affine) -> None:
        """Move pieces; the caller has made sure (`assume`, `require`) that amount >= 0. That the
        source holds enough and the target stays within its bounds is assumed here: the engine
        never lets it be otherwise."""
        key = (source, target)
        self._moved[key] = self._moved.get(key, ZERO) + amount
        self._change(source, -amount)
        self._change(target, amount)

    def move_together(self, transfers: Sequence[tuple[int, int, Affine]]) -> None:
        """Move pieces between several cells in an order that is not known: only what comes of it
        lies within bounds for certain."""
        for source, target, amount in transfers:
            key = (source, target)
            self._moved[key] = self._moved.get(key, ZERO) + amount
            self._added[source] = self._added.get(source, ZERO) - amount
            self._added[target] = self._added.get(target, ZERO) + amount
        for cell in sorted({cell for source, target, _ in transfers for cell in (source, target)}):
            self._bounded(cell, self.value(cell))
            self._touch(cell)

    def add(self, cell: int, amount: Affine) -> None:
        """Change a counter or sum; its range is assumed to hold afterwards."""
        self._change(cell, amount)

    def assign(self, cell: int, value: Affine) -> None:
        """Give a counter, sum or condition a value within its range."""
        assert self._cells[cell].kind is not CellKind.ZONE, "pieces move, they are not assigned"
        self._assigned[cell] = value
        self._added.pop(cell, None)
        self._bounded(cell, value)
        self._touch(cell)

    def havoc(self, cell: int) -> None:
        """The cell may have any value of its range now."""
        kept = self._cells[cell]
        self._assigned[cell] = self.parameter(kept.low, kept.high, kept.label)
        self._added.pop(cell, None)
        self._touch(cell)

    def touch(self, cell: int) -> None:
        """Something behind the cell changed though its number did not."""
        self._touch(cell)

    def changed(self, variables: Iterable[int]) -> None:
        """State that no cell stands for has changed."""
        written = frozenset(variables)
        for position in self._conditions:
            if written.intersection(self._cells[position].variables):
                self._forget(position)

    def condition(self, cell: int, holds: bool) -> None:
        """A condition was tested just now."""
        value = self.value(cell)
        self.assume(at_least(value, ONE) if holds else at_most(value, ZERO))

    def _change(self, cell: int, amount: Affine) -> None:
        if cell in self._assigned:
            self._assigned[cell] = self._assigned[cell] + amount
        else:
            self._added[cell] = self._added.get(cell, ZERO) + amount
        self._bounded(cell, self.value(cell))
        self._touch(cell)

    def _bounded(self, cell: int, value: Affine) -> None:
        kept = self._cells[cell]
        if kept.low is not None:
            self.assume(at_least(value, number(kept.low)))
        if kept.high is not None:
            self.assume(at_most(value, number(kept.high)))

    def _touch(self, cell: int) -> None:
        """Forget conditions that read the cell."""
        for position in self._conditions:
            if cell in self._cells[position].reads and position != cell:
                self._forget(position)

    def _forget(self, condition: int) -> None:
        self._added.pop(condition, None)
        self._assigned[condition] = self.parameter(0, 1, self._cells[condition].label)

    # -- done

    def finish(
        self,
        target: int,
        *,
        moves: int = 0,
        sufficient: tuple[tuple[Constraint, ...], ...] = (),
        label: str = "",
        span: Span | None = None,
        action: int = -1,
    ) -> Edge:
        """The edge to a point."""
        effects: list[Effect] = [Transfer(*key, amount) for key, amount in self._moved.items()]
        moved: dict[int, Affine] = {}
        for (source, goal), amount in self._moved.items():
            moved[source] = moved.get(source, ZERO) - amount
            moved[goal] = moved.get(goal, ZERO) + amount
        for cell, total in self._added.items():
            rest = total - moved.get(cell, ZERO)
            if rest != ZERO:
                effects.append(Add(cell, rest))
        effects.extend(Assign(cell, value) for cell, value in self._assigned.items())
        return Edge(
            self._source,
            target,
            tuple(self._parameters),
            tuple(self._guard),
            tuple(effects),
            moves,
            sufficient,
            tuple(self._obligations),
            label,
            span,
            action,
        )


def _trivial(constraint: Constraint) -> bool:
    expression = constraint.expression
    if not expression.is_number:
        return False
    return expression.constant == 0 if constraint.equality else expression.constant >= 0
