"""The proof in a certificate, walked from the outside in.

Standard library only; see `gemwright.validator.certificate_checker` for the form and the rules.

The bound. A part of the proof is *visited* so often, each time from one of some points on. Within a
part steps between groups are taken along one way per visit. A measure falls at most (greatest value
where visits begin - least value) times per visit; or, if `rises` are given, in all at most that
often once plus what may be added outside of the visits, which is: `Outside`. Each fall begins a new
visit of what is left. A visit in which a fact does not hold never leaves the fact's point again;
one of a contraction has a way through points that were taken out at each end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gemwright.validator.certificate_system import (
    CertificateError,
    Given,
    Linear,
    Step,
    System,
    a_list,
    a_number,
    an_object,
    fields,
    given,
    linear,
    minus,
    need,
    plus,
    verify,
    verify_impossible,
)

Steps = dict[str, Step]
Visits = list[tuple[int, frozenset[int]]]
Weight = Callable[[str, Step], int]


@dataclass(frozen=True)
class Outside:
    """Steps that may be taken between visits: so often in all, or (with `places`) along one way
    per visit of the part that they join the groups of."""

    steps: Steps
    count: int | None
    places: Mapping[int, int] | None = None
    visits: Visits | None = None


@dataclass(frozen=True)
class Count:
    """Moves and edges, None if no bound is known."""

    moves: int | None
    edges: int | None

    def __add__(self, other: Count) -> Count:
        return Count(_sum(self.moves, other.moves), _sum(self.edges, other.edges))


NONE = Count(None, None)


class Walk:
    """Verifies one proof."""

    def __init__(self, system: System) -> None:
        self._system = system

    def whole(self, proof: object) -> int | None:
        """Verify the proof for all edges; the bound on moves."""
        visits: Visits = [(1, frozenset({self._system.start}))]
        return self._order(proof, dict(self._system.edges), visits, []).moves

    def _order(
        self, order: object, steps: Steps, visits: Visits | None, outside: list[Outside]
    ) -> Count:
        groups = [fields(each, "points stage") for each in a_list(order)]
        places = _places([group["points"] for group in groups])
        parts: dict[int, Steps] = {}
        passing: Steps = {}
        for name, step in steps.items():
            need(step.source in places and step.target in places, "a step leads elsewhere")
            here, there = places[step.source], places[step.target]
            need(here <= there, "a step leads to an earlier group")
            (parts.setdefault(here, {}) if here == there else passing)[name] = step
        found = NONE
        need(
            all(s in places for _, starts in visits or () for s in starts),
            "a visit begins elsewhere",
        )
        if visits is not None:
            found = Count(
                sum(k * _heaviest(places, passing, points, _moves) for k, points in visits),
                sum(k * _heaviest(places, passing, points, _length) for k, points in visits),
            )
        counts: dict[int, int | None] = {}
        for at, group in enumerate(groups):
            if group["stage"] is None:
                need(at not in parts, "a group has steps and no stage")
                continue
            part = parts.setdefault(at, {})
            own = None if visits is None else _entering(places, passing, visits, at)
            beside = [
                Outside(parts.get(other, {}), counts.get(other))
                for other in range(len(groups))
                if other != at and groups[other]["stage"] is not None
            ]
            between = Outside(passing, None, places, visits)
            count = self._stage(group["stage"], part, own, [*outside, between, *beside])
            counts[at] = count.edges
            found += count
        return found

    def _stage(
        self, stage: object, steps: Steps, visits: Visits | None, outside: list[Outside]
    ) -> Count:
        kinds = {
            "measure": self._measure,
            "facts": self._facts,
            "split": self._split,
            "contraction": self._contraction,
        }
        kind = an_object(stage).get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            raise CertificateError("there is no such stage")
        return kinds[kind](stage, steps, visits, outside)

    # -- measures

    def _measure(
        self, stage: object, steps: Steps, visits: Visits | None, outside: list[Outside]
    ) -> Count:
        names = "kind measure offsets low lows highs kept still falling dropped falls then"
        found = fields(stage, names)
        measure = _over_cells(linear(found["measure"]))
        offsets = {
            self._system.named(name): a_number(value)
            for name, value in an_object(found["offsets"]).items()
        }
        changes = {
            name: plus(
                step.change(measure), offsets.get(step.target, 0) - offsets.get(step.source, 0)
            )
            for name, step in steps.items()
        }
        self._bounded(found, measure, offsets, steps)
        self._for_each(found["kept"], steps, lambda name: minus(changes[name]))
        still = an_object(found["still"])
        self._for_each(still, _some(steps, still), lambda name: changes[name])
        zero = {name: step.where((True, changes[name])) for name, step in steps.items()}
        left = self._without(found["dropped"], zero)
        falling = {name: step for name, step in steps.items() if name not in still}
        need(a_list(found["falling"]) == sorted(falling), "what falls is not what is not still")
        falls = self._falls(found, measure, offsets, falling, visits, outside)
        if falls is None or visits is None:
            self._order(found["then"], left, None, outside)
            return NONE
        again = frozenset(step.target for step in falling.values())
        fallen = {
            name: step.where((False, plus(minus(changes[name]), -1)))
            for name, step in falling.items()
        }
        more = [(falls, again)] if falls else []
        own = Count(falls * _most(_moves, falling), falls * _most(_length, falling))
        inner = [*outside, Outside(fallen, falls)]
        return own + self._order(found["then"], left, [*visits, *more], inner)

    def _bounded(
        self, found: dict[str, Any], measure: Linear, offsets: dict[int, int], steps: Steps
    ) -> None:
        low, lows = a_number(found["low"]), an_object(found["lows"])
        points = {str(end) for step in steps.values() for end in (step.source, step.target)}
        need(points == lows.keys(), "a measure is not bounded at each point")
        for name, reason in lows.items():
            point = self._system.named(name)
            verify(reason, plus(measure, offsets.get(point, 0) - low), self._system.at(point))
        for name, entry in an_object(found["highs"]).items():
            point, high = self._system.named(name), fields(entry, "high why")
            claim = plus(minus(measure), a_number(high["high"]) - offsets.get(point, 0))
            verify(high["why"], claim, self._system.at(point))

    def _falls(
        self,
        found: dict[str, Any],
        measure: Linear,
        offsets: dict[int, int],
        falling: Steps,
        visits: Visits | None,
        outside: list[Outside],
    ) -> int | None:
        if found["falls"] is None:
            need(not found["highs"], "greatest values are given for nothing")
            return None
        if visits is None:
            raise CertificateError("a bound is given where none can be")
        falls = fields(found["falls"], "count rises")
        starts = {str(point) for _, points in visits for point in points} if falling else set()
        need(found["highs"].keys() == starts, "greatest values are not given where visits begin")
        rooms = [(k, self._room(found, points)) for k, points in visits] if falling else []
        if not rooms:
            count = 0
            need(falls["rises"] is None, "rises are given for nothing")
        elif falls["rises"] is None:
            count = sum(k * room for k, room in rooms)
        else:
            need(not offsets, "rises are given for a measure with offsets")
            rises = an_object(falls["rises"])
            need(rises.keys() <= {str(at) for at in range(len(outside))}, "rises of nothing")
            count = max(room for _, room in rooms)
            for at, entry in enumerate(outside):
                count += self._rise(measure, entry, an_object(rises.get(str(at), {})))
        need(a_number(falls["count"]) == count, "a measure may fall more often")
        return count

    def _room(self, found: dict[str, Any], points: frozenset[int]) -> int:
        highs = [a_number(found["highs"][str(point)]["high"]) for point in points]
        return max(0, max(highs) - a_number(found["low"]))

    def _rise(self, measure: Linear, outside: Outside, reasons: dict[str, Any]) -> int:
        """What is added to a measure outside, in all."""
        rises: dict[str, int] = {}
        for name, step in outside.steps.items() if outside.count != 0 else ():
            change = step.change(measure)
            if len(change) == 1:
                rises[name] = max(0, change[""])
                continue
            need(name in reasons, "a rise has no reason")
            entry = fields(reasons[name], "rise why")
            rise = a_number(entry["rise"])
            verify(entry["why"], plus(minus(change), rise), self._system.on(step))
            rises[name] = max(0, rise)
        need(reasons.keys() <= rises.keys(), "rises of nothing")
        if outside.places is not None:
            if outside.visits is None:
                raise CertificateError("what is added outside is not known")
            ways = (
                k * _heaviest(outside.places, outside.steps, points, lambda name, _: rises[name])
                for k, points in outside.visits
            )
            return sum(ways)
        most = max(rises.values(), default=0)
        if most and outside.count is None:
            raise CertificateError("what is added outside is not known")
        return most * (outside.count or 0)

    # -- refinements

    def _facts(
        self, stage: object, steps: Steps, visits: Visits | None, outside: list[Outside]
    ) -> Count:
        found = fields(stage, "kind facts dropped then")
        added: list[Given] = []
        cuts: set[int] = set()
        for each in a_list(found["facts"]):
            fact = fields(each, "point constraint constant leaving")
            point = self._system.point(fact["point"])
            equality, expression = given(fact["constraint"])
            need(not equality, "a fact is a bound")
            self._constant(fact["constant"], _over_cells(expression), steps)
            need(_acyclic(_leaving(steps, point)), "a cycle avoids the point of a fact")
            leaving = {name: step for name, step in steps.items() if step.source == point}
            self._for_each(fact["leaving"], leaving, dict.fromkeys(steps, expression).__getitem__)
            added.append((False, expression))
            cuts.add(point)
        need(bool(cuts), "there are no facts")
        left = self._without(found["dropped"], _where(steps, *added))
        if visits is None:
            self._order(found["then"], left, None, outside)
            return NONE
        points = frozenset(step.source for step in steps.values())
        own = Count(0, 0)
        for k, starts in visits:
            ways = [
                Count(
                    _through(_leaving(steps, cut), starts, points, _moves),
                    _through(_leaving(steps, cut), starts, points, _length),
                )
                for cut in cuts
            ]
            own += Count(
                k * max(way.moves or 0 for way in ways), k * max(way.edges or 0 for way in ways)
            )
        inner = [*outside, Outside(steps, own.edges)]
        return own + self._order(found["then"], left, visits, inner)

    def _split(
        self, stage: object, steps: Steps, visits: Visits | None, outside: list[Outside]
    ) -> Count:
        found = fields(stage, "kind quantity most constant low high")
        quantity, most = _over_cells(linear(found["quantity"])), a_number(found["most"])
        self._constant(found["constant"], quantity, steps)
        below: Given = (False, plus(minus(quantity), most))
        above: Given = (False, plus(quantity, -most - 1))
        lower, upper = (fields(found[half], "dropped then") for half in ("low", "high"))
        low = self._without(lower["dropped"], _where(steps, below))
        high = self._without(upper["dropped"], _where(steps, above))
        first = self._order(lower["then"], low, visits, [*outside, Outside(high, None)])
        other = Outside(low, first.edges)
        return first + self._order(upper["then"], high, visits, [*outside, other])

    def _contraction(
        self, stage: object, steps: Steps, visits: Visits | None, outside: list[Outside]
    ) -> Count:
        found = fields(stage, "kind points dropped merged then")
        gone = [self._system.point(point) for point in a_list(found["points"])]
        dropped, merged = an_object(found["dropped"]), an_object(found["merged"])
        left = dict(steps)
        used: set[str] = set()
        for point in gone:
            left = self._taken_out(left, point, dropped, used)
            for name in [name for name in merged if name in left]:
                kept = merged[name]
                if isinstance(kept, str) and kept in left and name != kept:
                    need(_allows(left[kept], left[name]), "a step does not allow another")
                    del left[name]
                    used.add(name)
        need(used == dropped.keys() | merged.keys(), "a step that is left out does not arise")
        if visits is None:
            self._order(found["then"], left, None, outside)
            return NONE
        out = frozenset(gone)
        stay = frozenset(step.source for step in steps.values()) - out
        own = Count(0, 0)
        for k, starts in visits:
            for points in (starts & out, stay):
                moves, edges = (
                    _through(steps, points, out, weight) for weight in (_moves, _length)
                )
                own += Count(k * moves, k * edges)
        inner = [(k, stay if starts & out else starts) for k, starts in visits]
        return own + self._order(found["then"], left, inner, [*outside, Outside(steps, own.edges)])

    def _taken_out(
        self, steps: Steps, point: int, dropped: dict[str, Any], used: set[str]
    ) -> Steps:
        left: Steps = {}
        for name, step in steps.items():
            need(not step.source == step.target == point, "a point with a loop is taken out")
            if point not in (step.source, step.target):
                left[name] = step
        for first, into in steps.items():
            for second, out in steps.items():
                if into.target == point == out.source:
                    name, step = f"{first}+{second}", into.then(out)
                    if name in dropped:
                        verify_impossible(dropped[name], self._system.on(step))
                        used.add(name)
                    else:
                        left[name] = step
        return left

    # -- parts of stages

    def _for_each(self, reasons: object, steps: Steps, claim: Callable[[str], Linear]) -> None:
        """Exactly one reason for each step."""
        found = an_object(reasons)
        need(found.keys() == steps.keys(), "there is not a reason for each step")
        for name, step in steps.items():
            verify(found[name], claim(name), self._system.on(step))

    def _without(self, dropped: object, steps: Steps) -> Steps:
        """The steps but for those that are shown to be impossible."""
        found = an_object(dropped)
        for name, step in _some(steps, found).items():
            verify_impossible(found[name], self._system.on(step))
        return {name: step for name, step in steps.items() if name not in found}

    def _constant(self, reasons: object, quantity: Linear, steps: Steps) -> None:
        found = an_object(reasons)
        need(found.keys() == steps.keys(), "there is not a reason for each step")
        for name, step in steps.items():
            pair, change = a_list(found[name]), step.change(quantity)
            need(len(pair) == 2, "a quantity has not two reasons")
            verify(pair[0], change, self._system.on(step))
            verify(pair[1], minus(change), self._system.on(step))


def _over_cells(expression: Linear) -> Linear:
    need(not any(name.startswith("-") for name in expression), "a measure is over cells")
    return expression


def _places(groups: list[Any]) -> dict[int, int]:
    places: dict[int, int] = {}
    for at, points in enumerate(groups):
        for point in a_list(points):
            need(a_number(point) not in places, "a point is in two groups")
            places[point] = at
    return places


def _some(steps: Steps, names: Iterable[str]) -> Steps:
    """The steps of these names, all of which there must be."""
    need(all(name in steps for name in names), "there is no such step")
    return {name: steps[name] for name in names}


def _where(steps: Steps, *more: Given) -> Steps:
    return {name: step.where(*more) for name, step in steps.items()}


def _leaving(steps: Steps, point: int) -> Steps:
    """The steps that do not leave a point."""
    return {name: step for name, step in steps.items() if step.source != point}


def _allows(wide: Step, narrow: Step) -> bool:
    """Whether the first step allows all that the second does, by having fewer constraints."""
    return (
        (wide.source, wide.target, wide.ranges) == (narrow.source, narrow.target, narrow.ranges)
        and wide.changes == narrow.changes
        and wide.moves >= narrow.moves
        and wide.length >= narrow.length
        and all(each in narrow.guard for each in wide.guard)
    )


def _acyclic(steps: Steps) -> bool:
    """Kahn's algorithm."""
    into: dict[int, int] = {}
    for step in steps.values():
        into.setdefault(step.source, 0)
        into[step.target] = into.get(step.target, 0) + 1
    ready = [point for point, count in into.items() if not count]
    for point in ready:
        for step in steps.values():
            if step.source == point:
                into[step.target] -= 1
                if not into[step.target]:
                    ready.append(step.target)
    return len(ready) == len(into)


def _heaviest(
    places: Mapping[int, int], passing: Steps, starts: Iterable[int], weight: Weight
) -> int:
    """The heaviest way along steps that lead to later groups, free within a group."""
    best = {places[point]: 0 for point in starts}
    for name, step in sorted(passing.items(), key=lambda each: places[each[1].source]):
        here, there = places[step.source], places[step.target]
        if here in best:
            best[there] = max(best.get(there, 0), best[here] + weight(name, step))
    return max(best.values(), default=0)


def _entering(places: Mapping[int, int], passing: Steps, visits: Visits, group: int) -> Visits:
    """The visits of one group: those that may come to it, and where they may."""
    found = []
    for k, starts in visits:
        reached = {places[point] for point in starts}
        points = {point for point in starts if places[point] == group}
        for step in sorted(passing.values(), key=lambda each: places[each.source]):
            if places[step.source] in reached:
                reached.add(places[step.target])
                if places[step.target] == group:
                    points.add(step.target)
        if points:
            found.append((k, frozenset(points)))
    return found


def _through(steps: Steps, starts: Iterable[int], through: frozenset[int], weight: Weight) -> int:
    """The heaviest way that goes on only from its first point and from points in `through`; the
    steps between these make no circle."""
    inner = {n: s for n, s in steps.items() if s.source in through and s.target in through}
    need(_acyclic(inner), "a way may go in circles")
    best: dict[int, int] = {}
    for _ in range(len(through) + 1):
        fresh: dict[int, int] = {}
        for name, step in steps.items():
            onward = best.get(step.target, 0) if step.target in through else 0
            fresh[step.source] = max(fresh.get(step.source, 0), weight(name, step) + onward)
        if fresh == best:
            break
        best = fresh
    return max((best.get(point, 0) for point in starts), default=0)


def _most(weight: Weight, steps: Steps) -> int:
    return max((weight(name, step) for name, step in steps.items()), default=0)


def _moves(_: str, step: Step) -> int:
    return step.moves


def _length(_: str, step: Step) -> int:
    return step.length


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
