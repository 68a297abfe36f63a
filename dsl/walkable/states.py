"""How many states a pass can have at one level, as load time knows it: a product of ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product as combinations
from math import prod

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import mentions
from gemwright.dsl.walkable import forms as f
from gemwright.dsl.walkable.cases import cases
from gemwright.dsl.walkable.groups import elements
from gemwright.dsl.walkable.ranges import ANY, Interval, interval

_TRIED = 4096
"""Combinations of counts at one kind that are looked at one by one."""

_ZERO: Interval = (0, 0)

_STEPS: Mapping[str, Interval] = {
    "<": (0, 0), ">=": (0, 0), "<=": (1, 1), ">": (1, 1), "=": (0, 1), "!=": (0, 1),
}  # fmt: skip
"""Where the answer of a comparison with 0 changes: from one number below to this number."""


@dataclass(frozen=True, slots=True)
class _Profile:
    """What a sum gains at each kind, how many values that are, and how wide groups in it are.

    `alone`: it gains something at one kind only, which load time does not know.
    """

    gains: tuple[Interval, ...]
    values: tuple[int, ...]
    groups: tuple[int, ...]
    alone: bool = False

    def before(self) -> list[Interval]:
        """Bounds of what is gained before each level 0 .. K."""
        found, total = [_ZERO], _ZERO
        for gain in self.gains:
            total = _hull(total, gain) if self.alone else _plus(total, gain)
            found.append(total)
        return found


class States:
    """Counts states for one set of lots over the same kinds.

    Args:
        highs: per cell slot the greatest count of each kind.
    """

    def __init__(
        self,
        kinds: tuple[int, ...],
        kind_slot: int,
        highs: Mapping[int, Mapping[int, int]],
        players: int,
    ) -> None:
        self._kinds = kinds
        self._kind_slot = kind_slot
        self._highs = highs
        self._players = players
        self._profiled: dict[int, tuple[f.Part, list[_Profile]]] = {}

    def most(self, nodes: Iterable[f.Node]) -> int:
        """The greatest number of states at one level, for all nodes together."""
        return max(self._most(each) for each in cases(tuple(nodes)))

    def _most(self, nodes: Iterable[f.Node]) -> int:
        """The same with all sides of every choice counted."""
        tests: dict[tuple[tuple[f.Part, ...], int], list[Interval]] = {}
        wholes: dict[tuple[tuple[f.Part, ...], int], None] = {}
        types: dict[tuple[f.Typed, int], None] = {}
        for node in nodes:
            if not _is_filter(node):
                self._collect(node, 1, tests, wholes, types)
        widths = [[1] * (len(self._kinds) + 1)]
        for (parts, times), cuts in tests.items():
            bounds = None if (parts, times) in wholes else cuts
            widths.append([width**times for width in self._sum_widths(parts, bounds)])
        for parts, times in wholes:
            if (parts, times) not in tests:
                widths.append([width**times for width in self._sum_widths(parts, None)])
        for typed, times in types:
            widths.append([width**times for width in self._typed_widths(typed)])
        products: list[int] = [prod(level) for level in zip(*widths, strict=True)]
        return max(min(each) for each in zip(products, self._beginnings(), strict=True))

    def _beginnings(self) -> list[int]:
        """How many ways there are to pick the kinds before each level: no more states than that."""
        found = [1]
        for face in self._kinds:
            found.append(found[-1] * prod(each.get(face, 0) + 1 for each in self._highs.values()))
        return found

    def _collect(
        self,
        node: f.Node,
        times: int,
        tests: dict[tuple[tuple[f.Part, ...], int], list[Interval]],
        wholes: dict[tuple[tuple[f.Part, ...], int], None],
        types: dict[tuple[f.Typed, int], None],
    ) -> None:
        inner: list[f.Node] = []
        if isinstance(node, f.Test):
            moving, constant = self._separate(node.sum)
            first, last = _STEPS[node.op]
            cuts = first - constant[1], last - constant[0]
            tests.setdefault((moving, times), []).append(cuts)
        elif isinstance(node, f.Sum):
            wholes[(self._separate(node)[0], times)] = None
        elif isinstance(node, f.AllOf | f.AnyOf):
            inner = list(node.nodes)
        elif isinstance(node, f.Negated):
            inner = [node.node]
        elif isinstance(node, f.Choice):
            inner = [node.condition, node.then, node.otherwise]
        elif isinstance(node, f.Unrolled):
            inner = [each for each in (node.filter, node.body) if each is not None]
            times *= self._size(node.domain)
        elif isinstance(node, f.Typed):
            types[(node, times)] = None
            inner = [leaf for _, leaf in node.leaves]
        elif isinstance(node, f.Derived):
            inner = [leaf for _, leaf in node.leaves]
        for each in inner:
            self._collect(each, times, tests, wholes, types)

    def _size(self, domain: t.Domain) -> int:
        if isinstance(domain, t.Numbers):
            low, high = interval(domain.low, {})[0], interval(domain.high, {})[1]
            return max(0, min(high - low + 1, 1 << 20))
        found = elements(domain)
        return self._players if found is None else len(found)

    def _separate(self, total: f.Sum) -> tuple[tuple[f.Part, ...], Interval]:
        """The parts that move with the pick, and bounds of the rest."""
        moving, constant = [], _ZERO
        for part in total.parts:
            if isinstance(part.atom, f.Constant):
                value = _times(self._fixed(part.atom.node), part.factors)
                constant = _plus(constant, value)
            else:
                moving.append(part)
        return tuple(moving), constant

    def _fixed(self, node: f.Node) -> Interval:
        return interval(node.term, {}) if isinstance(node, f.Fixed) else ANY

    # -- sums

    def _sum_widths(self, parts: tuple[f.Part, ...], tested: list[Interval] | None) -> list[int]:
        """States per level of a sum that is tested at cuts, or read as a whole."""
        levels = len(self._kinds) + 1
        profiles = [profile for part in parts for profile in self._profiles_of(part)]
        widths = []
        befores = [profile.before() for profile in profiles]
        afters = [_reversed(profile).before()[::-1] for profile in profiles]
        cuts = None if tested is None else _cuts(tested, _total(each[-1] for each in befores))
        if tested is not None and cuts is None:
            return [1] * levels
        ways = 1
        for level in range(levels):
            low, high = _total(each[level] for each in befores)
            if cuts is not None:
                after = _total(each[level] for each in afters)
                low = max(low, min(cuts[0] - 1 - after[1], high))
                high = min(high, max(cuts[1] - after[0], low))
            width = max(1, min(high - low + 1, ways))
            if level < levels - 1:
                ways *= prod(profile.values[level] for profile in profiles)
            widths.append(width * prod(each.groups[level] for each in profiles))
        return widths

    def _profiles_of(self, part: f.Part) -> list[_Profile]:
        """The profiles of a part, made once: the cases of a choice share their parts."""
        known = self._profiled.get(id(part))
        if known is None:
            # The part is kept, so that no other one can get its identity.
            known = self._profiled[id(part)] = part, self._profiles(part.atom, part.factors)
        return known[1]

    def _profiles(self, atom: f.Atom, factors: tuple[t.Term, ...]) -> list[_Profile]:
        """One profile per independent part of an atom."""
        if isinstance(atom, f.Each):
            return [self._profile(atom.local, factors, atom.faces)]
        if isinstance(atom, f.Cell):
            face = interval(atom.face, {})
            known = face[0] == face[1]
            faces = (face[0],) if known else self._kinds
            return [self._profile(atom.local, factors, faces, alone=not known)]
        if isinstance(atom, f.Chosen):
            branches = (atom.then, atom.otherwise)
            return [self._hulls([self._merged(each, factors) for each in branches])]
        if isinstance(atom, f.Repeated):
            return [self._merged(atom.sum, factors)] * min(self._size(atom.domain), 64)
        if isinstance(atom, f.Grouped):
            return [self._group_profile(atom, factors)]
        return []

    def _profile(
        self,
        local: t.Term,
        factors: tuple[t.Term, ...],
        faces: tuple[int, ...],
        alone: bool = False,
    ) -> _Profile:
        gains, values = [], []
        everywhere = not mentions(local, (self._kind_slot,))
        alike: dict[tuple[int, ...], tuple[Interval, int]] = {}
        for face in self._kinds:
            gain, count = _ZERO, 1
            if face in faces:
                highs = tuple(highs.get(face, 0) for highs in self._highs.values())
                if not everywhere or highs not in alike:
                    alike[highs] = self._at(local, face)
                gain, count = alike[highs]
            gains.append(_times(gain, factors))
            values.append(count + alone)
        return _Profile(tuple(gains), tuple(values), (1,) * (len(gains) + 1), alone)

    def _at(self, local: t.Term, face: int) -> tuple[Interval, int]:
        """Bounds of a local term at one kind, and how many values it has there."""
        seen: set[int] = set()
        bounds: list[Interval] = []
        vague = False
        for known in self._counts(local, face):
            low, high = interval(local, known)
            bounds.append((low, high))
            vague = vague or low != high
            seen.add(low)
        low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
        return (low, high), (high - low + 1 if vague else len(seen))

    def _counts(self, local: t.Term, face: int) -> Iterable[dict[int, Interval]]:
        """What the slots of a kind can hold, count by count where that is not too much."""
        highs = {slot: highs.get(face, 0) for slot, highs in self._highs.items()}
        used = [slot for slot in highs if mentions(local, (slot,))]
        base: dict[int, Interval] = {self._kind_slot: (face, face)}
        if prod(highs[slot] + 1 for slot in used) > _TRIED:
            yield {**base, **{slot: (0, highs[slot]) for slot in used}}
            return
        for counts in combinations(*[range(highs[slot] + 1) for slot in used]):
            yield {**base, **{slot: (n, n) for slot, n in zip(used, counts, strict=True)}}

    def _merged(self, total: f.Sum, factors: tuple[t.Term, ...]) -> _Profile:
        """A whole sum as one profile."""
        found = [
            profile
            for part in total.parts
            for profile in self._profiles(part.atom, (*factors, *part.factors))
        ]
        levels = range(len(self._kinds))
        gains = tuple(_total(_spread(each)[level] for each in found) for level in levels)
        values = tuple(prod(each.values[level] for each in found) for level in levels)
        groups = tuple(
            prod(each.groups[level] for each in found) for level in (*levels, len(levels))
        )
        return _Profile(gains, values, groups)

    def _hulls(self, found: list[_Profile]) -> _Profile:
        one, other = found
        gains = tuple(_hull(a, b) for a, b in zip(one.gains, other.gains, strict=True))
        values = tuple(a + b for a, b in zip(one.values, other.values, strict=True))
        groups = tuple(max(a, b) for a, b in zip(one.groups, other.groups, strict=True))
        return _Profile(gains, values, groups)

    # -- groups and types

    def _group_profile(self, atom: f.Grouped, factors: tuple[t.Term, ...]) -> _Profile:
        levels = len(self._kinds)
        gains, values, groups = [_ZERO] * levels, [1] * levels, [1] * (levels + 1)
        for member in atom.members:
            at = sorted(self._kinds.index(face) for face in member.faces if face in self._kinds)
            if not at:
                continue
            known = {atom.slot: (member.value, member.value)}
            most = sum(self._at(atom.local, self._kinds[place])[0][1] for place in at)
            bodies = [
                interval(atom.body, {**known, atom.count_slot: (n, n)})
                for n in range(min(most, _TRIED) + 1)
            ]
            last = next((n for n in range(len(bodies) - 1, 0, -1) if _moves(bodies, n)), 0)
            for place in at[1:]:
                groups[place] = last + 1
            gain = min(low for low, _ in bodies), max(high for _, high in bodies)
            gains[at[-1]] = _times(gain, factors)
            values[at[-1]] = gain[1] - gain[0] + 1
        return _Profile(tuple(gains), tuple(values), tuple(groups))

    def _typed_widths(self, typed: f.Typed) -> list[int]:
        shown: set[tuple[int, ...]] = set()
        widths, ways, vague = [1], 1, 0
        for face in self._kinds:
            here: set[tuple[int, ...]] = set()
            for known in self._counts(_all_of(typed), face) if face in typed.faces else ():
                if typed.gate is not None and interval(typed.gate, known) == _ZERO:
                    continue
                ranges = [interval(local, known) for _, local in typed.locals]
                if all(low == high for low, high in ranges):
                    here.add(tuple(low for low, _ in ranges))
                else:
                    vague = max(vague, prod(high - low + 1 for low, high in ranges))
            shown |= here
            ways *= 1 + len(here) + vague
            widths.append(min(ways, (typed.cap + 1) ** min(len(shown) + vague, 64)))
        return widths


def _all_of(typed: f.Typed) -> t.Term:
    """A term that mentions what decides a type."""
    terms = tuple(local for _, local in typed.locals)
    gate = () if typed.gate is None else (typed.gate,)
    return t.And(t.FLAG, None, (*terms, *gate))


def _is_filter(node: f.Node) -> bool:
    """Whether a line only says something of every kind by itself: it costs no state."""
    if not isinstance(node, f.Negated) or not isinstance(node.node, f.Test):
        return False
    each = [part for part in node.node.sum.parts if not isinstance(part.atom, f.Constant)]
    return node.node.op == ">=" and len(each) == 1 and isinstance(each[0].atom, f.Each)


def _cuts(tested: list[Interval], total: Interval) -> Interval | None:
    """The hull of the cuts that can matter; None if the total decides all tests."""
    inside = [cuts for cuts in tested if cuts[0] <= total[1] and cuts[1] > total[0]]
    if not inside:
        return None
    return min(low for low, _ in inside), max(high for _, high in inside)


def _moves(bodies: list[Interval], n: int) -> bool:
    """Whether one more than n - 1 can make a difference to a group's value."""
    return bodies[n] != bodies[n - 1] or bodies[n][0] != bodies[n][1]


def _spread(profile: _Profile) -> tuple[Interval, ...]:
    """Gains per kind of a profile, also when they come at one kind only."""
    if not profile.alone:
        return profile.gains
    return tuple(_hull(_ZERO, gain) for gain in profile.gains)


def _reversed(profile: _Profile) -> _Profile:
    return _Profile(profile.gains[::-1], profile.values[::-1], profile.groups, profile.alone)


def _plus(a: Interval, b: Interval) -> Interval:
    return a[0] + b[0], a[1] + b[1]


def _hull(a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])


def _total(found: Iterable[Interval]) -> Interval:
    total = _ZERO
    for each in found:
        total = _plus(total, each)
    return total


def _times(value: Interval, factors: tuple[t.Term, ...]) -> Interval:
    for factor in factors:
        low, high = interval(factor, {})
        corners = [a * b for a, b in combinations(value, (low, high))]
        value = min(corners), max(corners)
    return value
