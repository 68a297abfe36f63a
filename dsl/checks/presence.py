"""Which terms may have no value, and what conditions tell about that.

A `player or nobody` may be nobody, a stack may have no top, and `the KIND in Z` may be none. Each
is there once a condition has said so: `x is somebody`, `Z is not empty`, or a comparison that could
not hold otherwise.
"""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne
from typing import Final

from gemwright.dsl.checks.facts import (
    NOTHING,
    Facts,
    Known,
    Some,
    holds,
    pieces_in,
    pieces_of,
    plain,
)
from gemwright.dsl.checks.facts import meet as common
from gemwright.dsl.model import terms as t
from gemwright.dsl.model.game import Game
from gemwright.dsl.walkable.terms import MIRROR

_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
_COMPARE: Final = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "!=": ne}


def is_kind_test(term: t.Term) -> bool:
    """Whether a term is `x is KIND`, whose table has an entry for a member that is missing."""
    return isinstance(term, t.Lookup) and term.base == -1 and term.type.base is t.Base.FLAG


def is_nobody(term: t.Const) -> bool:
    """Whether a constant is `nobody`."""
    return term.type.base is t.Base.PLAYER and term.value == -1


def the_piece(term: t.Term) -> t.Pieces | None:
    """What `the KIND in Z` looks through; None for other terms."""
    if isinstance(term, t.Fold) and term.type.base is t.Base.FACE:
        assert isinstance(term.domain, t.Pieces)
        return term.domain
    return None


class Presence:
    """Knows which terms of a game may have no value."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.doubted: set[int] = set()
        """Frame slots of a `let` whose value may be missing."""

    def needed(self, term: t.Term) -> Known | Some | None:
        """The fact that makes a term have a value; None if it always has one."""
        match term:
            case t.Const():
                return Known(plain(term)) if is_nobody(term) else None
            case t.ReadVariable(variable=variable):
                optional = self.game.variables[variable].type.optional
                return Known(plain(term)) if optional else None
            case t.Local(slot=slot):
                return Known(plain(term)) if slot in self.doubted else None
            case t.ZoneTop(zone=zone, index=index):
                return pieces_in(zone, index, self.game.zones[zone].faces)
        inside = the_piece(term)
        return None if inside is None else pieces_of(inside.vector, inside.faces)

    def there(self, term: t.Term, facts: Facts) -> bool:
        """Whether a player or member is known to be there."""
        match term:
            case t.If(condition=condition, then=then, otherwise=otherwise):
                return self.there(then, facts | self.told(condition, True, facts)) and self.there(
                    otherwise, facts | self.told(condition, False, facts)
                )
            case t.Openly(term=inner):
                return self.there(inner, facts)
        fact = self.needed(term)
        return fact is None or holds(fact, facts)

    # -- what conditions tell --------------------------------------------------------------------

    def told(self, condition: t.Term, holding: bool, facts: Facts) -> Facts:
        """The facts that a condition tells by holding or by failing, where `facts` hold."""
        match condition:
            case t.Openly(term=term):
                return self.told(term, holding, facts)
            case t.Not(term=term):
                return self.told(term, not holding, facts)
            case t.And(terms=terms):
                return self._joined(terms, holding, holding, facts)
            case t.Or(terms=terms):
                return self._joined(terms, holding, not holding, facts)
            case t.If():
                return self._choice(condition, holding, facts)
            case t.Compare():
                op = condition.op if holding else _OPPOSITE[condition.op]
                return self._compared(op, condition.left, condition.right, facts)
            case t.Fold(op="some" | "every", domain=t.Pieces(vector=vector, faces=faces)):
                looked = holding is (condition.op == "some")
                return frozenset((pieces_of(vector, faces),)) if looked else NOTHING
        if holding and is_kind_test(condition):
            assert isinstance(condition, t.Lookup)
            return self._known(condition.argument)
        return NOTHING

    def _joined(self, terms: tuple[t.Term, ...], holding: bool, every: bool, facts: Facts) -> Facts:
        """What `and` or `or` tells when each of its terms has come out as `holding`, or (without
        `every`) when the first that did ended it."""
        before: Facts = NOTHING
        ended: Facts | None = None
        for term in terms:
            known = facts | before
            ended = common(ended, before | self.told(term, holding, known))
            before |= self.told(term, holding is every, known)
        return before if every else ended or NOTHING

    def _choice(self, term: t.If, holding: bool, facts: Facts) -> Facts:
        found: Facts | None = None
        for chosen, side in ((True, term.then), (False, term.otherwise)):
            if isinstance(side, t.Const) and bool(side.value) is not holding:
                continue
            here = self.told(term.condition, chosen, facts)
            found = common(found, here | self.told(side, holding, facts | here))
        return found or NOTHING

    def _compared(self, op: str, left: t.Term, right: t.Term, facts: Facts) -> Facts:
        if left.type.base is t.Base.INT and right.type.base is t.Base.INT:
            return self._counted(op, left, right) | self._counted(MIRROR[op], right, left)
        if left.type.base not in (t.Base.PLAYER, t.Base.FACE):
            return NOTHING
        found: Facts = NOTHING
        for one, other in ((left, right), (right, left)):
            nobody = isinstance(other, t.Const) and is_nobody(other)
            if (op == "!=" and nobody) or (op == "=" and self.there(other, facts)):
                found |= self._known(one)
        return found

    def _known(self, term: t.Term) -> Facts:
        fact = self.needed(term.term if isinstance(term, t.Openly) else term)
        return NOTHING if fact is None else frozenset((fact,))

    def _counted(self, op: str, count: t.Term, other: t.Term) -> Facts:
        """What is there if a count compares so with a number that 0 would not."""
        ends = (other.type.low, other.type.high)
        possible = any(_COMPARE[op](0, end) for end in ends)
        if op in ("=", "!="):
            possible = ends[0] <= 0 <= ends[1] if op == "=" else ends != (0, 0)
        if possible:
            return NOTHING
        match count:
            case t.Openly(term=term):
                return self._counted(op, term, other)
            case t.ZoneSize(zone=zone, index=index):
                return frozenset((pieces_in(zone, index, self.game.zones[zone].faces),))
            case t.ZoneCount(zone=zone, index=index, face=face):
                held = self.game.zones[zone].faces
                wanted = tuple(each for each in face.type.faces if each in held)
                return frozenset((pieces_in(zone, index, wanted),))
            case t.VectorSum(vector=vector):
                return frozenset((pieces_of(vector),))
            case t.VectorIndex(vector=vector, face=face):
                return frozenset((pieces_of(vector, face.type.faces),))
            case t.Fold(domain=t.Pieces(vector=vector, faces=faces)):
                return frozenset((pieces_of(vector, faces),))
        return NOTHING
