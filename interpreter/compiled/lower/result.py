"""The result of a finished game: scores, ranks and winners, as the reference decides them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.build import Writer
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower.parts import Parts
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.terms import Terms

OUTCOME: Final = "outcome"
SCORES: Final = "scores"
RANKS: Final = "ranks"
WINNERS: Final = "winners"
"""One item: bits of seats."""


class Results:
    """Writes the function that decides a finished game."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._model = parts.model
        self._memory = parts.memory
        self._seats = range(parts.model.players)

    def write(self) -> None:
        """Write `outcome()`: it fills `SCORES`, `RANKS` and `WINNERS`."""
        w = Writer(self._memory.maker)
        terms = self._parts.terms(w)
        merits = [self._merit(terms, seat) for seat in self._seats]
        ranks = [self._rank(merits, seat) for seat in self._seats]
        winners: Expr = ops.FALSE
        players = self._model.players
        self._memory.maker.array(RANKS, players, 1, players)
        for seat, rank in enumerate(ranks):
            rank = w.let(ops.trusted(rank, 1, players, "one more than those who did better"))
            w.put(RANKS, ops.const(seat), rank)
            won = ops.both(ops.equal(rank, ops.TRUE), merits[seat][0])
            winners = ops.bit_or(winners, ops.select(won, ops.const(1 << seat), ops.FALSE))
        nobody = self._model.result.nobody
        if nobody is not None:
            none = terms.kept(nobody, Scope({0: ops.FALSE}))
            winners = ops.select(none, ops.FALSE, winners)
        self._memory.maker.array(WINNERS, 1, 0, (1 << players) - 1)
        w.put(WINNERS, ops.FALSE, winners)
        self._memory.maker.function(w.function(OUTCOME, [], None))

    def _merit(self, terms: Terms, seat: int) -> list[Expr]:
        """What a player is compared by: whether he is still in, then the keys."""
        result, scope = self._model.result, Scope({0: ops.const(seat)})
        w = terms.w
        score: Expr | None = None
        if result.score is not None:
            score = terms.kept(result.score, scope)
            self._memory.maker.array(SCORES, self._model.players, score.low, score.high)
            w.put(SCORES, ops.const(seat), score)
        still_in = w.let(ops.negate(terms.out(ops.const(seat))))
        merit: list[Expr] = [still_in]
        branch = w.branch(still_in)
        values: list[tuple[Expr, Expr]] = []
        with branch.then():
            for key in result.keys:
                value = terms.value(key.term, scope)
                value = w.let(value if key.highest else ops.sub(ops.FALSE, value))
                values.append((value, value))
            if not result.keys and score is not None:
                values.append((score, score))
            kept = [w.var("key", min(v.low, 0), max(v.high, 0)) for v, _ in values]
            for var, (value, _) in zip(kept, values, strict=True):
                w.set(var, value)
        with branch.otherwise():
            for var in kept:
                w.set(var, ops.FALSE)
        merit.extend(w.settled(var) for var in kept)
        return merit

    def _rank(self, merits: Sequence[Sequence[Expr]], seat: int) -> Expr:
        better = [
            self._better(merits[other], merits[seat]) for other in self._seats if other != seat
        ]
        return ops.add(ops.total(better), ops.TRUE)

    def _better(self, one: Sequence[Expr], other: Sequence[Expr]) -> Expr:
        """Whether one merit is above another, key by key."""
        found: Expr = ops.FALSE
        for a, b in reversed(list(zip(one, other, strict=True))):
            found = ops.either(ops.compare(">", a, b), ops.both(ops.equal(a, b), found))
        return found


def has_scores(model: m.Game) -> bool:
    """Whether the result has scores."""
    return model.result.score is not None
