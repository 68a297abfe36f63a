"""Walking the picks of an action: options, exact counts, the n-th pick, samples, and reasons of refusal.

Parameters before the lots are an outer loop in declared order. The lots are one pass over the kinds: forward
over the reachable values of the accumulators of `additive`, backward with exact counts. Picks are ordered by
the outer parameters, then kind by kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.interpreter.additive import Plan, plan
from gemwright.interpreter.block import Block, Frame, Layout
from gemwright.interpreter.chance import Stream
from gemwright.interpreter.decision import Refusal
from gemwright.interpreter.evaluate import Evaluator
from gemwright.interpreter.moves import WalkValue
from gemwright.interpreter.reasons import broken_line

MAX_STATES = 200_000

State = tuple[int, ...]
Cells = tuple[int, ...]


class WalkBudget(RuntimeError):
    """A condition keeps more totals apart than the budget of one decision allows."""


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of a pass: the walk cells of its face, and their possible counts."""

    cells: tuple[int, ...]
    counts: tuple[Cells, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """A finished pass: per level, state -> (counts, next state), and how many picks follow each state."""

    levels: tuple[Level, ...]
    steps: tuple[dict[State, list[tuple[Cells, State]]], ...]
    ways: tuple[dict[State, int], ...]

    @property
    def total(self) -> int:
        """The number of complete picks."""
        return sum(self.ways[0].values())


class Walker:
    """Walks the actions of one game model."""

    def __init__(self, model: m.Game, evaluator: Evaluator) -> None:
        self.model = model
        self.evaluator = evaluator
        self._frame_size = Layout(model).frame_size
        self._plans: dict[int, tuple[Plan, tuple[m.Parameter, ...], tuple[m.Parameter, ...]]] = {}
        self._last: tuple[Any, list[tuple[Cells, Frame, Pass | None]]] | None = None

    # -- the interface -----------------------------------------------------------------------------------

    def completable(self, block: Block, me: int, action: m.Action) -> bool:
        """Whether there is a complete pick."""
        return any(one is None or one.total > 0 for _, _, one in self._outer(block, me, action))

    def count(self, block: Block, me: int, action: m.Action) -> int:
        """The number of complete picks."""
        return sum(1 if one is None else one.total for _, _, one in self._outer(block, me, action))

    def nth(self, block: Block, me: int, action: m.Action, i: int) -> tuple[WalkValue, ...]:
        """The i-th complete pick, 0 <= i < count."""
        for picked, _, one in self._outer(block, me, action):
            here = 1 if one is None else one.total
            if i < here:
                return (*picked, *(() if one is None else _nth(one, i)))
            i -= here
        raise IndexError("no such pick")

    def moves(self, block: Block, me: int, action: m.Action) -> Iterator[tuple[WalkValue, ...]]:
        """All complete picks, in the order of `nth`."""
        for picked, _, one in self._outer(block, me, action):
            if one is None:
                yield picked
            else:
                for cells in _all(one):
                    yield (*picked, *cells)

    def options(self, block: Block, me: int, action: m.Action, prefix: tuple[WalkValue, ...]) -> tuple[WalkValue, ...]:
        """The next entries that can be completed."""
        _, outer, _ = self._plan(action)
        found: dict[WalkValue, None] = {}
        for picked, frame, one in self._outer(block, me, action):
            if len(prefix) < len(outer):
                if picked[: len(prefix)] == prefix and (one is None or one.total):
                    found[picked[len(prefix)]] = None
            elif picked == prefix[: len(outer)] and one is not None:
                fixed = prefix[len(outer) :]
                narrowed = self._pass(block, action, frame, tuple(int(v) for v in fixed if isinstance(v, int)))
                return _offers(narrowed, len(fixed))
        return tuple(found)

    def check(self, block: Block, me: int, action: m.Action, values: tuple[WalkValue, ...]) -> Refusal | None:
        """Why a complete pick is not legal, or None."""
        _, outer, lots = self._plan(action)
        frame = self._frame(action, me)
        for place, parameter in enumerate(outer):
            if values[place] not in self._domain(block, parameter, frame):
                return Refusal(f"`{parameter.name}` cannot be that now", span=parameter.span)
            frame[parameter.slot] = values[place]
        at = len(outer)
        taken: dict[tuple[int, int], int] = {}
        for parameter in lots:
            assert isinstance(parameter.domain, m.LotDomain)
            cells = tuple(int(v) for v in values[at : at + len(parameter.domain.cells)] if isinstance(v, int))
            at += len(parameter.domain.cells)
            for cell, n in zip(parameter.domain.cells, cells, strict=True):
                key = (self._instance(block, parameter.domain.sources[cell.source], frame), cell.face)
                there = self.evaluator.places.count(*key, block)
                taken[key] = taken.get(key, 0) + n
                if n < 0 or taken[key] > there:
                    name = self.model.faces[cell.face].name
                    return Refusal(f"there are only {there} {name} to pick for `{parameter.name}`", span=parameter.span, values=((name, there),))
            frame[parameter.slot] = cells
        for number, line in enumerate(action.where):
            if not self.evaluator.value(line.condition, block, frame):
                return broken_line(line, number, self.evaluator, block, frame, self.model)
        return None

    def sample(self, block: Block, me: int, action: m.Action, stream: Stream, how: str) -> tuple[WalkValue, ...]:
        """A complete pick: `uniform`, or `small_first`: the size of the lots first, then uniform."""
        total = self.count(block, me, action)
        if how != "small_first" or total > 20_000:
            return self.nth(block, me, action, stream.below(total))
        by_size: dict[int, list[tuple[WalkValue, ...]]] = {}
        for pick in self.moves(block, me, action):
            size = sum(v for v in pick if isinstance(v, int))
            by_size.setdefault(size, []).append(pick)
        sizes = sorted(by_size)
        chosen = by_size[sizes[stream.below(len(sizes))]]
        return chosen[stream.below(len(chosen))]

    # -- the outer loop ----------------------------------------------------------------------------------

    def _plan(self, action: m.Action) -> tuple[Plan, tuple[m.Parameter, ...], tuple[m.Parameter, ...]]:
        if action.id not in self._plans:
            lots = tuple(p for p in action.parameters if isinstance(p.domain, m.LotDomain))
            outer = tuple(p for p in action.parameters if not isinstance(p.domain, m.LotDomain))
            size = max(self._frame_size, action.slots)
            made = plan(action, frozenset(p.slot for p in lots), size)
            self._plans[action.id] = (made, outer, lots)
        return self._plans[action.id]

    def _frame(self, action: m.Action, me: int) -> Frame:
        made, _, _ = self._plan(action)
        frame: Frame = [0] * (made.slots + 1)
        frame[0] = me
        return frame

    def _outer(self, block: Block, me: int, action: m.Action) -> list[tuple[tuple[WalkValue, ...], Frame, Pass | None]]:
        """Every assignment of the outer parameters that keeps the fixed lines, with its pass."""
        key = (action.id, me, tuple(block))
        if self._last is not None and self._last[0] == key:
            return self._last[1]  # type: ignore[return-value]
        made, outer, lots = self._plan(action)
        found: list[tuple[tuple[WalkValue, ...], Frame, Pass | None]] = []
        for picked, frame in self._assign(block, outer, self._frame(action, me), ()):
            if all(self.evaluator.value(action.where[n].condition, block, frame) for n in made.fixed):
                found.append((picked, frame, self._pass(block, action, frame, ()) if lots else None))
        self._last = (key, found)  # type: ignore[assignment]
        return found

    def _assign(self, block: Block, left: tuple[m.Parameter, ...], frame: Frame, picked: tuple[WalkValue, ...]) -> Iterator[tuple[tuple[WalkValue, ...], Frame]]:
        if not left:
            yield picked, list(frame)
            return
        for value in self._domain(block, left[0], frame):
            frame[left[0].slot] = value
            yield from self._assign(block, left[1:], frame, (*picked, value))

    def _domain(self, block: Block, parameter: m.Parameter, frame: Frame) -> list[WalkValue]:
        domain = parameter.domain
        if isinstance(domain, m.PieceDomain):
            allowed: set[int] = set()
            for source in domain.sources:
                zone = self.model.zones[source.zone]
                if zone.index and source.index is None:
                    allowed.update(range(zone.first, zone.first + zone.size))
                else:
                    allowed.add(self._instance(block, source, frame))
            count = self.evaluator.places.count
            return [o for o in domain.options if o[0] in allowed and count(o[0], o[1], block) > 0]
        assert isinstance(domain, m.ValueDomain)
        return list(self.evaluator.elements(domain.domain, block, frame))

    def _instance(self, block: Block, source: m.Source, frame: Frame) -> int:
        return self.evaluator.instance(source.zone, source.index, block, frame)

    # -- one pass over the kinds -------------------------------------------------------------------------

    def _levels(self, block: Block, lots: tuple[m.Parameter, ...], frame: Frame, fixed: Cells) -> tuple[Level, ...]:
        """Per face the walk cells and every vector of counts that the zones allow."""
        by_face: dict[int, list[tuple[int, int, int]]] = {}
        number = 0
        for parameter in lots:
            assert isinstance(parameter.domain, m.LotDomain)
            for cell in parameter.domain.cells:
                instance = self._instance(block, parameter.domain.sources[cell.source], frame)
                there = self.evaluator.places.count(instance, cell.face, block)
                by_face.setdefault(cell.face, []).append((number, instance, there))
                number += 1
        levels: list[Level] = []
        for face in sorted(by_face):
            cells = by_face[face]
            ranges = [range(fixed[n], fixed[n] + 1) if n < len(fixed) else range(there + 1) for n, _, there in cells]
            counts = tuple(v for v in product(*ranges) if _fits(v, cells))
            levels.append(Level(tuple(n for n, _, _ in cells), counts))
        return tuple(levels)

    def _pass(self, block: Block, action: m.Action, frame: Frame, fixed: Cells) -> Pass:
        made, _, lots = self._plan(action)
        levels = self._levels(block, lots, frame, fixed)
        total = sum(len(p.domain.cells) for p in lots if isinstance(p.domain, m.LotDomain))
        sums = _Sums(self, block, made, lots, frame, levels, total)
        first = sums.start
        reached: dict[State, None] = {first: None}
        steps: list[dict[State, list[tuple[Cells, State]]]] = []
        for number in range(len(levels)):
            here: dict[State, list[tuple[Cells, State]]] = {}
            following: dict[State, None] = {}
            for state in reached:
                moves = sums.step(number, state)
                here[state] = moves
                following.update(dict.fromkeys(target for _, target in moves))
            if len(following) > MAX_STATES:
                raise WalkBudget(f"`{action.name}` keeps more than {MAX_STATES} totals apart")
            steps.append(here)
            reached = following
        ways: list[dict[State, int]] = [{state: int(sums.accepts(state)) for state in reached}]
        for here in reversed(steps):
            after = ways[0]
            ways.insert(0, {state: sum(after[target] for _, target in moves) for state, moves in here.items()})
        return Pass(levels, tuple(steps), tuple(ways))


class _Sums:
    """The accumulators of one pass: tables per level, clamped ranges, and the final test."""

    def __init__(self, walker: Walker, block: Block, made: Plan, lots: tuple[m.Parameter, ...], frame: Frame, levels: tuple[Level, ...], total: int) -> None:
        self._walker, self._block, self._made, self._lots = walker, block, made, lots
        self._frame = list(frame) + [0] * (made.slots + 1 - len(frame))
        self._levels, self._total = levels, total
        self._value = walker.evaluator.value
        self._spread((0,) * total)
        zero = [self._value(one.term, block, self._frame) for one in made.sums]
        self._tables = [self._table(level, zero) for level in levels]
        self._bounds = self._ranges()
        start = [self._clamp(j, 0, x) for j, x in enumerate(zero)]
        self.start: State = tuple(start) + ((0,) * total if made.exact else ())
        self._needs = self._tests()

    def _spread(self, cells: Cells) -> None:
        at = 0
        for parameter in self._lots:
            assert isinstance(parameter.domain, m.LotDomain)
            width = len(parameter.domain.cells)
            self._frame[parameter.slot] = tuple(cells[at : at + width])
            at += width

    def _table(self, level: Level, zero: list[int]) -> list[tuple[int, ...]]:
        """What each vector of counts of one kind adds to each sum."""
        rows: list[tuple[int, ...]] = []
        for counts in level.counts:
            cells = [0] * self._total
            for cell, n in zip(level.cells, counts, strict=True):
                cells[cell] = n
            self._spread(tuple(cells))
            rows.append(tuple(self._value(one.term, self._block, self._frame) - z for one, z in zip(self._made.sums, zero, strict=True)))
        return rows

    def _ranges(self) -> list[list[tuple[int, int]]]:
        """Per sum and level the least and most that this and later levels add."""
        bounds: list[list[tuple[int, int]]] = []
        for j in range(len(self._made.sums)):
            suffix = [(0, 0)]
            for table in reversed(self._tables):
                low, high = suffix[0]
                column = [row[j] for row in table] or [0]
                suffix.insert(0, (low + min(column), high + max(column)))
            bounds.append(suffix)
        return bounds

    def _clamp(self, j: int, level: int, x: int) -> int:
        """Keep apart only what tests at 0 and 1 can still tell apart."""
        if not self._made.sums[j].tested:
            return x
        low, high = self._bounds[j][level]
        return min(max(x, -1 - high), 1 - low)

    def _tests(self) -> list[tuple[int, str]]:
        """Sums that a whole line compares with 0: they may end a state early."""
        slots = {one.slot: j for j, one in enumerate(self._made.sums)}
        found: list[tuple[int, str]] = []
        for _, condition in self._made.open:
            parts = condition.terms if isinstance(condition, t.And) else (condition,)
            for part in parts:
                op, inner = ("", part.term) if isinstance(part, t.Not) else ("+", part)
                if isinstance(inner, t.Compare) and isinstance(inner.left, t.Local) and inner.left.slot in slots:
                    opposite = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "!=", "!=": "="}
                    found.append((slots[inner.left.slot], inner.op if op else opposite[inner.op]))
        return found

    def _alive(self, level: int, state: list[int]) -> bool:
        for j, op in self._needs:
            low, high = self._bounds[j][level]
            least, most = state[j] + low, state[j] + high
            if (op == "<=" and least > 0) or (op == "<" and least >= 0) or (op == ">=" and most < 0) or (op == ">" and most <= 0) or (op == "=" and (least > 0 or most < 0)):
                return False
        return True

    def step(self, level: int, state: State) -> list[tuple[Cells, State]]:
        """All counts of one kind that may still lead to a pick, with the state after."""
        found: list[tuple[Cells, State]] = []
        n = len(self._made.sums)
        for counts, row in zip(self._levels[level].counts, self._tables[level], strict=True):
            after = [self._clamp(j, level + 1, state[j] + row[j]) for j in range(n)]
            if not self._alive(level + 1, after):
                continue
            if self._made.exact:
                cells = list(state[n:])
                for cell, count in zip(self._levels[level].cells, counts, strict=True):
                    cells[cell] = count
                after.extend(cells)
            found.append((counts, tuple(after)))
        return found

    def accepts(self, state: State) -> bool:
        """Whether the conditions hold at the end of a pass."""
        n = len(self._made.sums)
        if self._made.exact:
            self._spread(state[n:])
        for one, value in zip(self._made.sums, state, strict=False):
            self._frame[one.slot] = value
        return all(self._value(condition, self._block, self._frame) for _, condition in self._made.open)


def _fits(counts: Cells, cells: list[tuple[int, int, int]]) -> bool:
    """Whether lots from the same zone take no more than lies there."""
    if len(cells) == 1:
        return True
    taken: dict[int, int] = {}
    for n, (_, instance, there) in zip(counts, cells, strict=True):
        taken[instance] = taken.get(instance, 0) + n
        if taken[instance] > there:
            return False
    return True


def _put(cells: dict[int, int], level: Level, counts: Cells) -> None:
    cells.update(zip(level.cells, counts, strict=True))


def _nth(one: Pass, i: int) -> Cells:
    state = next(iter(one.ways[0]))
    cells: dict[int, int] = {}
    for number, level in enumerate(one.levels):
        for counts, target in one.steps[number][state]:
            ways = one.ways[number + 1][target]
            if i < ways:
                _put(cells, level, counts)
                state = target
                break
            i -= ways
    return tuple(cells[n] for n in sorted(cells))


def _all(one: Pass) -> Iterator[Cells]:
    """Depth first over what can be completed: never a dead end."""
    first = next(iter(one.ways[0]))
    if not one.ways[0][first]:
        return
    stack: list[tuple[int, State, dict[int, int]]] = [(0, first, {})]
    while stack:
        number, state, cells = stack.pop()
        if number == len(one.levels):
            yield tuple(cells[n] for n in sorted(cells))
            continue
        for counts, target in reversed(one.steps[number][state]):
            if one.ways[number + 1][target]:
                stack.append((number + 1, target, {**cells, **dict(zip(one.levels[number].cells, counts, strict=True))}))


def _offers(one: Pass, cell: int) -> tuple[WalkValue, ...]:
    """The counts of walk cell `cell` that can be completed."""
    for number, level in enumerate(one.levels):
        if cell in level.cells:
            place = level.cells.index(cell)
            found = {counts[place] for moves in one.steps[number].values() for counts, target in moves if one.ways[number + 1][target]}
            return tuple(sorted(found))
    return ()
