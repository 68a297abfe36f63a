"""Functions of many values: vectors, folds over domains, and the elements of domains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.printed_functions import printed_fold
from gemwright.interpreter.evaluation.term_functions import Publish, Read

if TYPE_CHECKING:
    from gemwright.interpreter.evaluation.evaluate import Evaluator

Pairs = Iterable[tuple[int, int]]
"""Elements of a domain with their weights."""


# -- vectors


Entry = Callable[[int, Block, Frame, Publish], int]
"""One entry of a vector, at a face."""


def _vector_index(of: Evaluator, term: t.VectorIndex) -> Read:
    entry, face = _entry(of, term.vector), of.function(term.face)
    return lambda block, frame, publish: entry(face(block, frame, publish), block, frame, publish)


def _entry(of: Evaluator, term: t.Term) -> Entry:
    """A function of single entries, which leaves aside those that nobody asks for."""
    places = {each: at for at, each in enumerate(term.type.faces)}
    if isinstance(term, t.VectorBuild):
        slot, body = term.slot, of.function(term.body)

        def built(face: int, block: Block, frame: Frame, publish: Publish) -> int:
            if face not in places:
                return 0
            frame[slot] = face
            cell: int = body(block, frame, publish)
            return cell

        return built
    if isinstance(term, t.VectorOp):
        left, right, join = _entry(of, term.left), _entry(of, term.right), _CELL[term.op]

        def joined(face: int, block: Block, frame: Frame, publish: Publish) -> int:
            one = left(face, block, frame, publish)
            return join(one, right(face, block, frame, publish))

        return joined
    vector = of.function(term)

    def read(face: int, block: Block, frame: Frame, publish: Publish) -> int:
        at = places.get(face)
        if at is None:
            return 0
        found: int = vector(block, frame, publish)[at]
        return found

    return read


_CELL: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "less": lambda a, b: a - b if a > b else 0,
}


def _widen(of: Evaluator, term: t.Widen) -> Read:
    vector, positions = of.function(term.vector), term.positions

    def read(block: Block, frame: Frame, publish: Publish) -> tuple[int, ...]:
        counts = vector(block, frame, publish)
        return tuple([0 if place < 0 else counts[place] for place in positions])

    return read


def _vector_op(of: Evaluator, term: t.VectorOp) -> Read:
    left, right, join = of.function(term.left), of.function(term.right), _CELLS[term.op]

    def read(block: Block, frame: Frame, publish: Publish) -> tuple[int, ...]:
        one = left(block, frame, publish)
        return join(zip(one, right(block, frame, publish), strict=True))

    return read


_CELLS: Final[Mapping[str, Callable[[Pairs], tuple[int, ...]]]] = {
    "+": lambda pairs: tuple([a + b for a, b in pairs]),
    "-": lambda pairs: tuple([a - b for a, b in pairs]),
    "less": lambda pairs: tuple([a - b if a > b else 0 for a, b in pairs]),
}


def _vector_sum(of: Evaluator, term: t.VectorSum) -> Read:
    vector = of.function(term.vector)
    return lambda block, frame, publish: sum(vector(block, frame, publish))


def _vector_compare(of: Evaluator, term: t.VectorCompare) -> Read:
    left, right, op = of.function(term.left), of.function(term.right), term.op

    def read(block: Block, frame: Frame, publish: Publish) -> bool:
        one, other = left(block, frame, publish), right(block, frame, publish)
        if op == "<=":
            return all(a <= b for a, b in zip(one, other, strict=True))
        return bool((one == other) is (op == "="))

    return read


def _vector_build(of: Evaluator, term: t.VectorBuild) -> Read:
    slot, body, faces = term.slot, of.function(term.body), term.type.faces

    def read(block: Block, frame: Frame, publish: Publish) -> tuple[int, ...]:
        cells = []
        for face in faces:
            frame[slot] = face
            cells.append(body(block, frame, publish))
        return tuple(cells)

    return read


# -- folds


def _fold(of: Evaluator, term: t.Fold) -> Read:
    domain, slot = of.function(term.domain), term.slot
    weighs = type(term.domain) is t.Pieces
    keep = None if term.filter is None else of.function(term.filter)
    finish = _counting(term) if term.body is None else _FOLDS[term.op](of, term, term.body)

    def read(block: Block, frame: Frame, publish: Publish) -> int:
        found = domain(block, frame, publish)
        pairs: Pairs = found if weighs else [(each, 1) for each in found]
        if keep is not None:
            kept = []
            for pair in pairs:
                frame[slot] = pair[0]
                if keep(block, frame, publish):
                    kept.append(pair)
            pairs = kept
        return finish(pairs, block, frame, publish)

    return printed_fold(of, term, read)


Finish = Callable[[Pairs, Block, Frame, Publish], int]
"""Folds what the filter kept."""


def _counting(term: t.Fold) -> Finish:
    """A fold without a body."""
    if term.op == "count":
        return lambda pairs, block, frame, publish: sum([weight for _, weight in pairs])
    some = term.op == "some"
    return lambda pairs, block, frame, publish: bool(pairs) if some else 1


def _quantified(of: Evaluator, term: t.Fold, body: t.Term) -> Finish:
    slot, holds, wanted = term.slot, of.function(body), term.op == "some"

    def finish(pairs: Pairs, block: Block, frame: Frame, publish: Publish) -> int:
        for element, _ in pairs:
            frame[slot] = element
            if bool(holds(block, frame, publish)) is wanted:
                return wanted
        return not wanted

    return finish


def _summed(of: Evaluator, term: t.Fold, body: t.Term) -> Finish:
    slot, value, counts = term.slot, of.function(body), term.op == "count"

    def finish(pairs: Pairs, block: Block, frame: Frame, publish: Publish) -> int:
        total = 0
        for element, weight in pairs:
            frame[slot] = element
            found: int = value(block, frame, publish)
            total += weight * bool(found) if counts else weight * found
        return total

    return finish


def _extreme(of: Evaluator, term: t.Fold, body: t.Term) -> Finish:
    slot, value, empty = term.slot, of.function(body), term.empty
    pick: Callable[..., int] = min if term.op == "min" else max

    def finish(pairs: Pairs, block: Block, frame: Frame, publish: Publish) -> int:
        found = []
        for element, _ in pairs:
            frame[slot] = element
            found.append(value(block, frame, publish))
        return pick(found, default=empty)

    return finish


_FOLDS: Final[Mapping[str, Callable[[Evaluator, t.Fold, t.Term], Finish]]] = {
    "some": _quantified,
    "every": _quantified,
    "sum": _summed,
    "count": _summed,
    "min": _extreme,
    "max": _extreme,
}


def _some_lot(of: Evaluator, term: t.SomeLot) -> Read:
    return lambda block, frame, publish: of.lots.holds(term, block, frame)


# -- domains: their elements, of `Pieces` with their weights


def _faces(of: Evaluator, domain: t.Faces) -> Read:
    faces = domain.faces
    return lambda block, frame, publish: faces


def _players(of: Evaluator, domain: t.Players) -> Read:
    start = None if domain.start is None else of.function(domain.start)
    other = None if domain.other is None else of.function(domain.other)
    seats, out = of.layout.model.players, of.layout.model.out_offset

    def read(block: Block, frame: Frame, publish: Publish) -> Sequence[int]:
        first = 0 if start is None else start(block, frame, publish)
        without = -1 if other is None else other(block, frame, publish)
        order = [(first + step) % seats for step in range(seats)]
        return [seat for seat in order if seat != without and not block[out + seat]]

    return read


def _numbers(of: Evaluator, domain: t.Numbers) -> Read:
    low, high = of.function(domain.low), of.function(domain.high)

    def read(block: Block, frame: Frame, publish: Publish) -> Sequence[int]:
        first: int = low(block, frame, publish)
        return range(first, high(block, frame, publish) + 1)

    return read


def _pieces(of: Evaluator, domain: t.Pieces) -> Read:
    vector, there = of.function(domain.vector), domain.vector.type.faces
    places = [(face, there.index(face)) for face in domain.faces if face in there]

    def read(block: Block, frame: Frame, publish: Publish) -> list[tuple[int, int]]:
        counts = vector(block, frame, publish)
        return [(face, counts[at]) for face, at in places if counts[at]]

    return read


FUNCTIONS: Final[Mapping[type, Callable[[Evaluator, Any], Read]]] = {
    t.VectorIndex: _vector_index,
    t.Widen: _widen,
    t.VectorOp: _vector_op,
    t.VectorSum: _vector_sum,
    t.VectorCompare: _vector_compare,
    t.VectorBuild: _vector_build,
    t.Fold: _fold,
    t.SomeLot: _some_lot,
    t.Faces: _faces,
    t.Players: _players,
    t.Numbers: _numbers,
    t.Pieces: _pieces,
}
