"""Sums and counts over pieces by what is printed on them, without reading each piece anew.

`count of cards in hand[p] with tint = c` asks of every piece the same question, whose answer no
state changes. The answers are kept for each value of what the question depends on beside the piece
(here `c`), so that what is left to do is one sum over counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.term_functions import Publish, Read
from gemwright.interpreter.problem import RuntimeProblem

if TYPE_CHECKING:
    from gemwright.interpreter.evaluation.evaluate import Evaluator

Weights = tuple[tuple[int, int], ...]
"""Positions in a vector with what each piece there adds, only those that add."""

_MOST_KEPT: Final = 4096


def printed_fold(of: Evaluator, term: t.Fold, read_each: Read) -> Read:
    """A function of a fold that keeps what pieces add; `read_each` where the state has a say.

    Answers may depend on the piece and on one more frame slot.
    """
    others = _slots(term)
    if others is None or len(others) > 1:
        return read_each
    assert isinstance(term.domain, t.Pieces)
    other = next(iter(others), None)
    answer = _Answers(of, term, term.domain)
    add_up = _adder(of, term.domain.vector)
    kept: dict[Any, Weights | None] = {}

    def read(block: Block, frame: Frame, publish: Publish) -> int:
        value = None if other is None else frame[other]
        if value not in kept:
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[value] = answer.weights(block, frame, publish)
        weights = kept[value]
        if weights is None:
            found: int = read_each(block, frame, publish)
            return found
        return add_up(weights, block, frame, publish)

    return read


class _Answers:
    """Asks the question of a fold of every piece that may be there."""

    def __init__(self, of: Evaluator, term: t.Fold, domain: t.Pieces) -> None:
        there = domain.vector.type.faces
        self._places = [(face, there.index(face)) for face in domain.faces if face in there]
        self._slot, self._counts = term.slot, term.op == "count"
        self._keep = None if term.filter is None else of.function(term.filter)
        self._adds = None if term.body is None else of.function(term.body)

    def weights(self, block: Block, frame: Frame, publish: Publish) -> Weights | None:
        """What each piece adds; None if one has no answer, which matters only where it lies."""
        found = []
        try:
            for face, at in self._places:
                frame[self._slot] = face
                if self._keep is not None and not self._keep(block, frame, publish):
                    continue
                adds = 1 if self._adds is None else int(self._adds(block, frame, publish))
                if adds:
                    found.append((at, 1 if self._counts else adds))
        except RuntimeProblem:
            return None
        return tuple(found)


def _adder(of: Evaluator, vector: t.Term) -> Callable[[Weights, Block, Frame, Publish], int]:
    """Adds up weighted counts; those of an unordered zone straight from its cells."""
    counts = of.function(vector)
    if not isinstance(vector, t.ZoneVector) or of.layout.model.zones[vector.zone].order != "counts":

        def of_vector(weights: Weights, block: Block, frame: Frame, publish: Publish) -> int:
            there = counts(block, frame, publish)
            return sum([there[at] * adds for at, adds in weights])

        return of_vector
    zone = of.layout.model.zones[vector.zone]
    position = None if vector.index is None else of.function(vector.index)

    def of_zone(weights: Weights, block: Block, frame: Frame, publish: Publish) -> int:
        where = 0 if position is None else position(block, frame, publish)
        if not 0 <= where < zone.size:
            # It has no such place: reading it says so.
            return sum(counts(block, frame, publish))
        start = zone.offset + where * zone.stride
        return sum([block[start + at] * adds for at, adds in weights])

    return of_zone


# -- what a question depends on


def _slots(term: t.Fold) -> set[int] | None:
    """The frame slots beside the piece that the answers depend on; None if they read the state."""
    if term.op not in ("sum", "count") or not isinstance(term.domain, t.Pieces):
        return None
    found: set[int] = set()
    asked = [each for each in (term.filter, term.body) if each is not None]
    return found - {term.slot} if all(_timeless(each, found) for each in asked) else None


def _timeless(term: t.Term, slots: set[int]) -> bool:
    """Whether only frame slots with plain values are read; they are added to `slots`."""
    if isinstance(term, t.Local):
        slots.add(term.slot)
        return term.type.base not in (t.Base.PIECE, t.Base.VECTOR)
    parts = _PARTS.get(type(term))
    return parts is not None and all(_timeless(each, slots) for each in parts(term))


_PARTS: Final[Mapping[type, Callable[[Any], tuple[t.Term, ...]]]] = {
    t.Const: lambda term: (),
    t.Lookup: lambda term: (term.argument,),
    t.Table: lambda term: term.arguments,
    t.Extreme: lambda term: term.arguments,
    t.Compare: lambda term: (term.left, term.right),
    t.Arithmetic: lambda term: (term.left, term.right),
    t.If: lambda term: (term.condition, term.then, term.otherwise),
    t.And: lambda term: term.terms,
    t.Or: lambda term: term.terms,
    t.Not: lambda term: (term.term,),
    t.VectorIndex: lambda term: (term.vector, term.face),
    t.VectorSum: lambda term: (term.vector,),
}
"""Terms that read no state by themselves, with the terms inside them."""
