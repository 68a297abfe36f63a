"""Small models with lots to pick from, and short names for terms about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable.classification import Facts, classify
from gemwright.dsl.walkable.forms import WalkPlan
from gemwright.interpreter.block import Block, Layout, initial_block
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.moves import WalkValue
from gemwright.interpreter.walk.domains import Choices
from gemwright.interpreter.walk.listing import Listing
from gemwright.interpreter.walk.walker import Walker

from .models import ME, SPAN, Builder, lot

Flat = tuple[WalkValue, ...]

# -- terms


def numbered(low: int, high: int) -> t.Type:
    return t.Type(t.Base.INT, low, high)


def both(*terms: t.Term) -> t.Term:
    return t.And(t.FLAG, SPAN, terms)


def either(*terms: t.Term) -> t.Term:
    return t.Or(t.FLAG, SPAN, terms)


def no(term: t.Term) -> t.Term:
    return t.Not(t.FLAG, SPAN, term)


def size(vector: t.Term) -> t.Term:
    cells = len(vector.type.faces)
    return t.VectorSum(numbered(vector.type.low * cells, vector.type.high * cells), SPAN, vector)


def at(vector: t.Term, face: t.Term) -> t.Term:
    return t.VectorIndex(numbered(vector.type.low, vector.type.high), SPAN, vector, face)


def plus(*terms: t.Term) -> t.Term:
    total = terms[0]
    for term in terms[1:]:
        bounds = (total.type.low + term.type.low, total.type.high + term.type.high)
        total = t.Arithmetic(numbered(*bounds), SPAN, "+", total, term)
    return total


def minus(left: t.Term, right: t.Term) -> t.Term:
    bounds = (left.type.low - right.type.high, left.type.high - right.type.low)
    return t.Arithmetic(numbered(*bounds), SPAN, "-", left, right)


def times(left: t.Term, right: t.Term) -> t.Term:
    ends = [a * b for a in _ends(left) for b in _ends(right)]
    return t.Arithmetic(numbered(min(ends), max(ends)), SPAN, "*", left, right)


def highest(*terms: t.Term) -> t.Term:
    bounds = (max(x.type.low for x in terms), max(x.type.high for x in terms))
    return t.Extreme(numbered(*bounds), SPAN, "max", terms)


def number(value: int) -> t.Const:
    return t.Const(numbered(value, value), SPAN, value)


def when(condition: t.Term, then: t.Term, otherwise: t.Term) -> t.Term:
    low = min(then.type.low, otherwise.type.low)
    high = max(then.type.high, otherwise.type.high)
    return t.If(replace(then.type, low=low, high=high), SPAN, condition, then, otherwise)


def lack(have: t.Term, want: int) -> t.Term:
    """`max(0, want - have)`."""
    return highest(number(0), minus(number(want), have))


def fold(
    op: str,
    slot: int,
    domain: t.Domain,
    body: t.Term | None = None,
    kept: t.Term | None = None,
    type: t.Type | None = None,
    empty: int = 0,
) -> t.Fold:
    given = type or (t.FLAG if op in ("some", "every") else numbered(-500, 500))
    return t.Fold(given, SPAN, op, slot, domain, kept, body, empty)


def kind(slot: int, faces: Sequence[int]) -> t.Local:
    return t.Local(t.Type(t.Base.FACE, faces=tuple(faces)), SPAN, slot, f"k{slot}")


def column(values: Sequence[int], argument: t.Term, base: int = 0) -> t.Lookup:
    bounds = numbered(min(values), max(values))
    return t.Lookup(bounds, SPAN, tuple(values), argument, base, "column")


def _ends(term: t.Term) -> tuple[int, int]:
    return term.type.low, term.type.high


# -- models


class Market:
    """Zones `hand` (per player), `shelf` and `store` with stones of some faces.

    `counts` gives how many stones of each face exist; what lies where is set by `lay`.
    """

    def __init__(self, *counts: int, players: int = 2) -> None:
        names = {f"stone_{number}": count for number, count in enumerate(counts)}
        self.build = Builder(players, **names)
        self.high = max(counts)
        self.faces = self.build.all
        self.hand = self.build.zone("hand", per=True)
        self.shelf = self.build.zone("shelf")
        self.store = self.build.zone("store")
        self.coins = self.build.variable("coins", numbered(0, 99), per=True)
        self.price = self.build.variable("price", numbered(0, 19), per=True)
        self._laid: list[tuple[m.Zone, int, tuple[int, ...]]] = []

    def lot(self, name: str, slot: int, *zones: m.Zone) -> m.Parameter:
        """A lot from zones; mine where a zone is per player."""
        sources = [(zone, ME if zone.index else None) for zone in zones]
        made = lot(name, slot, *sources, high=self.high)
        assert isinstance(made.domain, m.LotDomain)
        counts = self.build.faces
        cells = tuple(replace(c, high=counts[c.face].count) for c in made.domain.cells)
        high = self.high * len(zones)
        type = t.Type(t.Base.VECTOR, 0, high, self.faces)
        return replace(made, type=type, domain=replace(made.domain, cells=cells))

    def lay(self, zone: m.Zone, *counts: int, seat: int = 0) -> None:
        """Put stones into a zone."""
        self._laid.append((zone, seat, counts))

    def table(self, choose: Sequence[m.Parameter], where: Sequence[t.Term]) -> Table:
        """The market with one action."""
        self.build.action("take", choose=tuple(choose), where=tuple(where))
        action = replace(self.build.actions[-1], slots=60)
        plan = classify(action.parameters, action.where, Facts(self.build.players, 60))
        assert isinstance(plan, WalkPlan), plan
        self.build.actions[-1] = replace(action, walk=plan.walk)
        self.build.end()
        game = self.build.game()
        block = initial_block(game, 1)
        for zone, seat, counts in self._laid:
            first = zone.offset + seat * zone.stride
            block[first : first + len(counts)] = counts
        return Table(game, block, plan)


class Table:
    """A walker and a listing of the one action of a market."""

    def __init__(self, game: m.Game, block: Block, plan: WalkPlan) -> None:
        self.game = game
        self.block = block
        self.plan = plan
        self.action = game.actions[0]
        self.evaluator = Evaluator(Layout(game))
        self.walker = Walker(game, self.evaluator)

    def listing(self) -> Listing:
        """All picks by brute force."""
        choices = Choices(self.game, self.evaluator)
        return Listing(self.evaluator, choices, self.action, self.block, [0] * 200)

    def count(self) -> int:
        return self.walker.count(self.block, 0, self.action)

    def options(self, *prefix: WalkValue) -> tuple[WalkValue, ...]:
        return self.walker.options(self.block, 0, self.action, prefix)

    def nth(self, i: int) -> Flat:
        return self.walker.nth(self.block, 0, self.action, i)

    def moves(self) -> Iterator[Flat]:
        return self.walker.moves(self.block, 0, self.action)

    def check(self, *values: WalkValue) -> object:
        return self.walker.check(self.block, 0, self.action, values)


def vec(parameter: m.Parameter) -> t.LotVector:
    """A lot as a vector."""
    assert isinstance(parameter.domain, m.LotDomain)
    faces = parameter.domain.faces
    cells = tuple(faces.index(cell.face) for cell in parameter.domain.cells)
    local = t.Local(parameter.type, SPAN, parameter.slot, parameter.name)
    return t.LotVector(parameter.type, SPAN, local, cells)
