"""What is found out about one game: does every play end, is there always something to choose?

Precisions are climbed until both are proved. Work is counted, never timed, so that a verdict is the
same on every machine: a game has a budget, and so have all games of a ruleset together. Games that
play alike are looked at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.validator.abstraction.ladder import Rung, rungs
from gemwright.validator.abstraction.lowering import Lowered, TooLarge, lower
from gemwright.validator.abstraction.transitions import PointKind
from gemwright.validator.certificate.forms import Json
from gemwright.validator.claims import Needs, conserved_texts
from gemwright.validator.decisions.apart import answered_apart
from gemwright.validator.decisions.close_up import answered
from gemwright.validator.findings import UNKNOWN, Verdict3
from gemwright.validator.linear.budget import Budget
from gemwright.validator.never import Never, never_taken
from gemwright.validator.plays.endless import endless_play
from gemwright.validator.plays.symmetry import one_of_each
from gemwright.validator.proving import Proofs, prove
from gemwright.validator.rules.fingerprint import fingerprint

GAME_STEPS: Final = 200_000
"""Steps for one game with the default options, or one that is asked for, at each precision."""
OTHER_STEPS: Final = 22_000
"""Steps for a game with other options, at the first precision only; these are tried only where the
defaults took no more."""
RULESET_STEPS: Final = 85_000
"""Steps for all games of a ruleset but those with a budget of their own."""

MOST_APART: Final = 600
"""Seats are told apart only if this many edges are to be expected."""

_EDGE: Final = 12
"""Steps that lowering counts for an edge."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of one game.

    `moves` bounds the moves of every play; `argument` says why it ends, line by line; `residual`
    names what may go on for ever as far as the proof can tell; `exhausted`: a budget was spent;
    `tried` is false if nobody looked.
    `circle` tells the moves of a play that goes on for ever, `trace` is that play. `conserved` are
    sums of pieces that stay; `needs` is what sentences need to be done, `never` what no play takes.
    """

    termination: Verdict3 = UNKNOWN
    deadlock_free: Verdict3 = UNKNOWN
    moves: int | None = None
    argument: tuple[str, ...] = ()
    certificate: Json | None = None
    residual: tuple[str, ...] = ()
    exhausted: bool = False
    tried: bool = True
    circle: tuple[str, ...] = ()
    trace: Json | None = None
    conserved: tuple[str, ...] = ()
    needs: Needs = field(default_factory=Needs)
    never: frozenset[Never] = frozenset()


SPENT: Final = Analysis(exhausted=True)
"""Of a game for which nothing was left of the budget of its ruleset."""
UNTRIED: Final = Analysis(tried=False)
"""Of a game that is not looked at, as the one with the default options took too much."""


class Analyst:
    """Looks at the games of one ruleset, the more important ones first."""

    def __init__(self, named: str) -> None:
        """
        Args:
            named: how a person names the rules; traces name them so.
        """
        self._named = named
        self._left = RULESET_STEPS
        self._known: dict[str, Analysis] = {}
        self._easy: set[int] = set()
        """Player counts whose game with the default options was proved at the first precision."""

    def analyse(self, game: m.Game, default: bool, asked: bool = False) -> Analysis:
        """What is known of a game; `default`: it has no option changed; `asked`: a person or the
        file itself asks for it, so that it has a budget of its own, as the defaults have.

        Games that play alike are looked at once, so those with a budget of their own come first.
        """
        name = fingerprint(game)
        if name not in self._known:
            if default or asked:
                self._known[name] = self._thorough(game, default)
            elif game.players not in self._easy:
                return UNTRIED
            elif self._left > 0:
                self._known[name], spent = _climbed(game, OTHER_STEPS, thorough=False)[:2]
                self._left -= spent
            else:
                return SPENT
        return self._known[name]

    def _thorough(self, game: m.Game, default: bool) -> Analysis:
        """Proofs at all precisions; where they fail, a play that goes on for ever is searched."""
        found, spent, failed = _climbed(game, GAME_STEPS, thorough=True)
        if default and found.termination == "proved" and spent <= OTHER_STEPS:
            self._easy |= {game.players}
        if failed is not None:
            found = self._searched(found, *failed, game)
        return found

    def _searched(
        self, found: Analysis, proofs: Proofs, lowered: Lowered, game: m.Game
    ) -> Analysis:
        """Look for a play that goes on by what a proof left over."""
        residual = proofs.termination.residual
        play = endless_play(game, lowered.system, residual, self._named)
        if play is None:
            return found
        return replace(
            found,
            termination="refuted",
            residual=(),
            exhausted=False,
            circle=play.text,
            trace=play.trace,
        )


def proof_that_it_ends(game: m.Game) -> tuple[Lowered, Json] | None:
    """The first system on which every play of a game is proved to end, with the certificate."""
    edges = 0
    for rung in _in_order(game, thorough=True):
        lowered = _lowered(game, rung, edges)
        if lowered is not None:
            edges = edges or len(lowered.system.edges)
            ending = prove(lowered.system, Budget(GAME_STEPS)).termination
            if ending.certificate is not None:
                return lowered, ending.certificate
    return None


Failed = tuple[Proofs, Lowered]


def _climbed(game: m.Game, steps: int, *, thorough: bool) -> tuple[Analysis, int, Failed | None]:
    """What precisions tell, the first one only or all that are needed; the steps until termination
    was proved; and the last proof of it that failed while there was budget left, None if it was
    proved."""
    found, spent, failed = Analysis(), 0, None
    open_points = set(_open_decisions(game))
    edges = 0
    for rung in _in_order(game, thorough):
        lowered = _lowered(game, rung, edges) if _is_needed(found, rung) else None
        if lowered is None:
            continue
        edges = edges or len(lowered.system.edges)
        proofs = prove(lowered.system, Budget(steps), ends=found.termination != "proved")
        if found.termination != "proved":
            spent += proofs.spent + _EDGE * len(lowered.system.edges)
        if not proofs.termination.exhausted:
            failed = proofs, lowered
        open_points &= {lowered.places[stuck.point].point for stuck in proofs.stuck}
        open_points -= _answered(open_points, lowered, proofs)
        found = _told(_joined(found, proofs, lowered), proofs, lowered)
        if not open_points:
            found = replace(found, deadlock_free="proved")
    if thorough and open_points <= _answered_apart(game, open_points, edges):
        found = replace(found, deadlock_free="proved")
    return found, spent, None if found.termination == "proved" else failed


def _is_needed(found: Analysis, rung: Rung) -> bool:
    """Whether a precision may tell something new, at a reasonable price."""
    if found.termination != "proved":
        return True
    open_needs = rung.for_bounds and bool(found.needs.open)
    return not rung.precision.seats and (found.deadlock_free != "proved" or open_needs)


def _in_order(game: m.Game, thorough: bool) -> list[Rung]:
    """Players together, then member by member, then the other precisions."""
    first, *others = rungs(game)
    if not thorough:
        return [first]
    members = next(rung for rung in others if rung.for_bounds)
    return [first, members, *(rung for rung in others if not rung.for_bounds)]


def _lowered(game: m.Game, rung: Rung, edges: int) -> Lowered | None:
    """The system at a precision, None if it would be too large; `edges` with players together."""
    if rung.precision.seats and edges * game.players**2 > MOST_APART:
        return None
    try:
        return one_of_each(lower(game, rung.precision))
    except TooLarge:
        return None


def _told(found: Analysis, proofs: Proofs, lowered: Lowered) -> Analysis:
    """With what a system tells of pieces and sentences."""
    conserved = found.conserved or conserved_texts(lowered, proofs.conserved)
    needs = found.needs.after(lowered, proofs)
    never = found.never
    if not lowered.vocabulary.precision.seats:
        never |= never_taken(lowered, proofs)
    return replace(found, conserved=conserved, needs=needs, never=never)


def _open_decisions(game: m.Game) -> list[int]:
    """The decisions for which the rules themselves give no way out when nothing can be chosen."""
    return [
        point.id
        for point in game.points
        if isinstance(point, m.Decide)
        and not (point.can_pass or point.fallback_pass or point.otherwise is not None)
    ]


def _answered(open_points: Iterable[int], lowered: Lowered, proofs: Proofs) -> set[int]:
    """Decisions that are always answered, as a look at each alone tells."""
    if not lowered.vocabulary.pooled:
        return set()
    return answered(lowered, proofs.known, sorted(open_points))


def _answered_apart(game: m.Game, open_points: Collection[int], edges: int) -> set[int]:
    """The same with seats told apart, if that system is not too large."""
    if not open_points or game.players == 1:
        return set()
    rung = next(rung for rung in rungs(game) if rung.precision.seats)
    lowered = _lowered(game, rung, edges)
    return set() if lowered is None else answered_apart(lowered, open_points)


def _joined(found: Analysis, proofs: Proofs, lowered: Lowered) -> Analysis:
    ending = proofs.termination
    if found.termination == "proved" or ending.verdict != "proved":
        if found.termination == "proved":
            return found
        return replace(found, residual=_residual(proofs, lowered), exhausted=ending.exhausted)
    return replace(
        found,
        termination="proved",
        moves=ending.moves,
        argument=tuple(level.text for level in ending.levels),
        certificate=ending.certificate,
        residual=(),
        exhausted=False,
    )


def _residual(proofs: Proofs, lowered: Lowered) -> tuple[str, ...]:
    """What the edges that are left are called, each once, moves first."""
    system = lowered.system
    edges = [system.edges[at] for group in proofs.termination.residual for at in group]
    moves = dict.fromkeys(edge.label for edge in edges if edge.label)
    points = (system.points[edge.source] for edge in edges)
    phases = dict.fromkeys(
        point.label.split(" @ ")[0] for point in points if point.kind is not PointKind.START
    )
    return tuple(moves) or tuple(phases)
