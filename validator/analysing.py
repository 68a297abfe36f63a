"""What is found out about one game: does every play end, is there always something to choose?

Precisions are climbed until both are proved. Work is counted, never timed, so that a verdict is the
same on every machine: a game has a budget, and so have all games of a ruleset together. Games that
play alike are looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from gemwright.dsl import model as m
from gemwright.validator.budget import Budget
from gemwright.validator.certificate_forms import Json
from gemwright.validator.claims import Needs, conserved_texts
from gemwright.validator.endless import endless_play
from gemwright.validator.findings import UNKNOWN, Verdict3
from gemwright.validator.fingerprint import fingerprint
from gemwright.validator.ladder import rungs
from gemwright.validator.lowering import Lowered, TooLarge, lower
from gemwright.validator.proving import Proofs, prove
from gemwright.validator.symmetry import one_of_each
from gemwright.validator.transitions import PointKind

GAME_STEPS: Final = 120_000
"""Steps for one game with the default options, at each precision."""
OTHER_STEPS: Final = 1_500
"""Steps for a game with other options, at the first precision only; these are tried only where the
defaults took no more."""
RANGE_STEPS: Final = 30_000
"""Steps for the ranges of a game with the default options."""
RULESET_STEPS: Final = 8_000
"""Steps for all games of a ruleset but those with the default options."""

MOST_APART: Final = 600
"""Seats are told apart only if this many edges are to be expected."""

_EDGE: Final = 12
"""Steps that lowering counts for an edge."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of one game.

    `moves` bounds the moves of every play; `argument` says why it ends, line by line; `residual`
    names what may go on for ever as far as the proof can tell; `exhausted`: a budget was spent.
    `circle` tells the moves of a play that goes on for ever, `trace` is that play. `conserved` are
    sums of pieces that stay; `needs` is what sentences need to be done.
    """

    termination: Verdict3 = UNKNOWN
    deadlock_free: Verdict3 = UNKNOWN
    moves: int | None = None
    argument: tuple[str, ...] = ()
    certificate: Json | None = None
    residual: tuple[str, ...] = ()
    exhausted: bool = False
    circle: tuple[str, ...] = ()
    trace: Json | None = None
    conserved: tuple[str, ...] = ()
    needs: Needs = field(default_factory=Needs)


NOTHING: Final = Analysis(exhausted=True)


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

    def analyse(self, game: m.Game, default: bool) -> Analysis:
        """What is known of a game; `default`: it has no option changed."""
        name = fingerprint(game)
        if name not in self._known:
            if default:
                self._known[name] = self._thorough(game)
            elif self._left > 0 and game.players in self._easy:
                self._known[name], spent = _climbed(game, 1, OTHER_STEPS)[:2]
                self._left -= spent
            else:
                return NOTHING
        return self._known[name]

    def _thorough(self, game: m.Game) -> Analysis:
        """Proofs at all precisions; where they fail, a play that goes on for ever is searched."""
        found, spent, failed = _climbed(game, len(rungs(game)), GAME_STEPS)
        if found.termination == "proved" and spent <= OTHER_STEPS:
            self._easy |= {game.players}
        found = _with_ranges(found, game)
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


Failed = tuple[Proofs, Lowered]


def _climbed(game: m.Game, most: int, steps: int) -> tuple[Analysis, int, Failed | None]:
    """What the first `most` precisions tell, the steps until termination was proved, and the last
    proof of it that failed while there was budget left; None if it was proved."""
    found, spent, failed = Analysis(), 0, None
    open_points = set(_open_decisions(game))
    for lowered in _systems(game, most):
        proofs = prove(lowered.system, Budget(steps))
        if found.termination != "proved":
            spent += proofs.spent + _EDGE * len(lowered.system.edges)
        if not proofs.termination.exhausted:
            failed = proofs, lowered
        open_points &= {lowered.places[stuck.point].point for stuck in proofs.stuck}
        found = _told(_joined(found, proofs, lowered), proofs, lowered)
        if not open_points:
            found = replace(found, deadlock_free="proved")
        if found.termination == found.deadlock_free == "proved":
            break
    return found, spent, None if found.termination == "proved" else failed


def _told(found: Analysis, proofs: Proofs, lowered: Lowered) -> Analysis:
    """With what a system tells of pieces and sentences."""
    conserved = found.conserved or conserved_texts(lowered, proofs.conserved)
    return replace(found, conserved=conserved, needs=found.needs.after(lowered, proofs))


def _with_ranges(found: Analysis, game: m.Game) -> Analysis:
    """With what the precision that is made for ranges tells, if anything is open."""
    rung = next(rung for rung in rungs(game) if rung.for_bounds)
    if not found.needs.open:
        return found
    try:
        lowered = lower(game, rung.precision)
    except TooLarge:
        return found
    return _told(found, prove(lowered.system, Budget(RANGE_STEPS)), lowered)


def _systems(game: m.Game, most: int) -> Iterator[Lowered]:
    chosen = [rung for rung in rungs(game) if not rung.for_bounds][:most]
    edges = 0
    for rung in chosen:
        if rung.precision.seats and edges * game.players**2 > MOST_APART:
            continue
        try:
            lowered = one_of_each(lower(game, rung.precision))
        except TooLarge:
            continue
        edges = max(edges, len(lowered.system.edges))
        yield lowered


def _open_decisions(game: m.Game) -> list[int]:
    """The decisions for which the rules themselves give no way out when nothing can be chosen."""
    return [
        point.id
        for point in game.points
        if isinstance(point, m.Decide)
        and not (point.can_pass or point.fallback_pass or point.otherwise is not None)
    ]


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
