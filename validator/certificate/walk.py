"""The proof in a certificate, walked from the outside in.

Standard library only; see `gemwright.validator.certificate.checker` for the form and the rules.

The bound. A part of the proof is *visited* so often, each time from one of some points on. Within a
part steps between groups are taken along one way per visit. A measure falls at most (greatest value
where visits begin - least value) times per visit; or, if `rises` are given, in all at most that
often once plus what may be added outside of the visits, which is: `Outside`. Each fall begins a new
visit of what is left. A visit in which a fact does not hold never leaves the fact's point again;
one of a contraction has a way through points that were taken out at each end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gemwright.validator.certificate.system import (
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
from gemwright.validator.certificate.ways import (
    Steps,
    Visits,
    acyclic,
    heaviest,
    heaviest_step,
    length_of,
    longest_begin,
    longest_end,
    moves_of,
    not_leaving,
    placed,
    through,
    visits_of,
)


@dataclass(frozen=True)
class Outside:
    """Steps that may be taken between visits: so often in all, or (with `places`) along one way
    per visit of the part that they join the groups of."""

    steps: Steps
    count: int | None
    places: Mapping[int, int] | None = None
    visits: Visits | None = None


@dataclass(frozen=True)
class Part:
    """What a part of the proof is about; `visits` is None when there is no bound."""

    points: frozenset[int]
    steps: Steps
    visits: Visits | None


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
        part = Part(frozenset(self._system.points), dict(self._system.edges), visits)
        return self._order(proof, part, []).moves

    def _order(self, order: object, whole: Part, outside: list[Outside]) -> Count:
        groups = [fields(each, "points stage") for each in a_list(order)]
        places = placed([group["points"] for group in groups])
        need(places.keys() == whole.points, "the groups do not have the points")
        steps, visits = whole.steps, whole.visits
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
                sum(k * heaviest(places, passing, points, moves_of) for k, points in visits),
                sum(k * heaviest(places, passing, points, length_of) for k, points in visits),
            )
        counts: dict[int, int | None] = {}
        for at, group in enumerate(groups):
            if group["stage"] is None:
                need(at not in parts, "a group has steps and no stage")
                continue
            own = None if visits is None else visits_of(places, passing, visits, at)
            part = Part(frozenset(group["points"]), parts.get(at, {}), own)
            # In a single visit there is no way back to earlier groups.
            since = at if sum(k for k, _ in visits or []) <= 1 else 0
            beside = [
                Outside(parts.get(other, {}), counts.get(other))
                for other in range(since, len(groups))
                if other != at and groups[other]["stage"] is not None
            ]
            later = {name: step for name, step in passing.items() if places[step.source] >= since}
            between = Outside(later, None, places, visits)
            count = self._stage(group["stage"], part, [*outside, between, *beside])
            counts[at] = count.edges
            found += count
        return found

    def _stage(self, stage: object, part: Part, outside: list[Outside]) -> Count:
        kinds = {
            "measure": self._measure,
            "facts": self._facts,
            "split": self._split,
            "contraction": self._contraction,
        }
        kind = an_object(stage).get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            raise CertificateError("there is no such stage")
        return kinds[kind](stage, part, outside)

    # -- measures

    def _measure(self, stage: object, part: Part, outside: list[Outside]) -> Count:
        steps, visits = part.steps, part.visits
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
            self._order(found["then"], replace(part, steps=left, visits=None), outside)
            return NONE
        again = frozenset(step.target for step in falling.values())
        fallen = {
            name: step.where((False, plus(minus(changes[name]), -1)))
            for name, step in falling.items()
        }
        more = [(falls, again)] if falls else []
        own = Count(
            falls * heaviest_step(moves_of, falling), falls * heaviest_step(length_of, falling)
        )
        inner = [*outside, Outside(fallen, falls)]
        then = replace(part, steps=left, visits=[*visits, *more])
        return own + self._order(found["then"], then, inner)

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
            need(count < sum(k * room for k, room in rooms), "rises are given for nothing")
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
                k * heaviest(outside.places, outside.steps, points, lambda name, _: rises[name])
                for k, points in outside.visits
            )
            return sum(ways)
        most = max(rises.values(), default=0)
        if most and outside.count is None:
            raise CertificateError("what is added outside is not known")
        return most * (outside.count or 0)

    # -- refinements

    def _facts(self, stage: object, part: Part, outside: list[Outside]) -> Count:
        steps, visits = part.steps, part.visits
        found = fields(stage, "kind facts dropped then")
        added: list[Given] = []
        cuts: set[int] = set()
        for each in a_list(found["facts"]):
            fact = fields(each, "point constraint constant leaving")
            point = self._system.point(fact["point"])
            equality, expression = given(fact["constraint"])
            need(not equality, "a fact is a bound")
            self._constant(fact["constant"], _over_cells(expression), steps)
            need(acyclic(not_leaving(steps, point)), "a cycle avoids the point of a fact")
            leaving = {name: step for name, step in steps.items() if step.source == point}
            self._for_each(fact["leaving"], leaving, dict.fromkeys(steps, expression).__getitem__)
            added.append((False, expression))
            cuts.add(point)
        need(bool(cuts), "there are no facts")
        left = self._without(found["dropped"], _where(steps, *added))
        if visits is None:
            self._order(found["then"], replace(part, steps=left, visits=None), outside)
            return NONE
        points = frozenset(step.source for step in steps.values())
        own = Count(0, 0)
        for k, starts in visits:
            ways = [
                Count(
                    through(not_leaving(steps, cut), starts, points, moves_of),
                    through(not_leaving(steps, cut), starts, points, length_of),
                )
                for cut in cuts
            ]
            own += Count(
                k * max(way.moves or 0 for way in ways), k * max(way.edges or 0 for way in ways)
            )
        inner = [*outside, Outside(steps, own.edges)]
        return own + self._order(found["then"], replace(part, steps=left), inner)

    def _split(self, stage: object, part: Part, outside: list[Outside]) -> Count:
        steps = part.steps
        found = fields(stage, "kind quantity most constant low high")
        quantity, most = _over_cells(linear(found["quantity"])), a_number(found["most"])
        self._constant(found["constant"], quantity, steps)
        below: Given = (False, plus(minus(quantity), most))
        above: Given = (False, plus(quantity, -most - 1))
        lower, upper = (fields(found[half], "dropped then") for half in ("low", "high"))
        low = self._without(lower["dropped"], _where(steps, below))
        high = self._without(upper["dropped"], _where(steps, above))
        rest = [*outside, Outside(high, None)]
        first = self._order(lower["then"], replace(part, steps=low), rest)
        rest = [*outside, Outside(low, first.edges)]
        return first + self._order(upper["then"], replace(part, steps=high), rest)

    def _contraction(self, stage: object, part: Part, outside: list[Outside]) -> Count:
        steps, visits = part.steps, part.visits
        found = fields(stage, "kind points dropped merged then")
        gone = [self._system.point(point) for point in a_list(found["points"])]
        dropped, merged = an_object(found["dropped"]), an_object(found["merged"])
        left = dict(steps)
        used: set[str] = set()
        into: dict[int, list[Step]] = {}
        onward: dict[int, list[Step]] = {}
        for point in gone:
            into[point] = [step for step in left.values() if step.target == point]
            onward[point] = [step for step in left.values() if step.source == point]
            left = self._taken_out(left, point, dropped, used)
            for name in [name for name in merged if name in left]:
                kept = merged[name]
                if isinstance(kept, str) and kept in left and name != kept:
                    need(_allows(left[kept], left[name]), "a step does not allow another")
                    del left[name]
                    used.add(name)
        need(used == dropped.keys() | merged.keys(), "a step that is left out does not arise")
        out = frozenset(gone)
        need(out < part.points, "other points are taken out")
        if visits is None:
            self._order(found["then"], Part(part.points - out, left, None), outside)
            return NONE
        stay = frozenset(step.source for step in steps.values()) - out
        own = Count(0, 0)
        for k, starts in visits:
            moves, edges = (
                longest_begin(onward, starts & out, weight) + longest_end(into, weight)
                for weight in (moves_of, length_of)
            )
            own += Count(k * moves, k * edges)
        inner = [(k, stay if starts & out else starts) for k, starts in visits]
        then = Part(part.points - out, left, inner)
        return own + self._order(found["then"], then, [*outside, Outside(steps, own.edges)])

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


def _some(steps: Steps, names: Iterable[str]) -> Steps:
    """The steps of these names, all of which there must be."""
    need(all(name in steps for name in names), "there is no such step")
    return {name: steps[name] for name in names}


def _where(steps: Steps, *more: Given) -> Steps:
    return {name: step.where(*more) for name, step in steps.items()}


def _allows(wide: Step, narrow: Step) -> bool:
    """Whether the first step allows all that the second does, by having fewer constraints."""
    return (
        (wide.source, wide.target, wide.ranges) == (narrow.source, narrow.target, narrow.ranges)
        and wide.changes == narrow.changes
        and wide.moves >= narrow.moves
        and wide.length >= narrow.length
        and all(each in narrow.guard for each in wide.guard)
    )


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
