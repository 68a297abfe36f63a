"""Certificates: proofs of termination as JSON that another program can check.

A certificate holds the transition system, the invariants that the proof uses with why they hold,
the proof, and the bound on moves. `gemwright.validator.certificate.checker` checks it and
describes the form; it shares no code with what writes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from gemwright.validator.certificate.forms import (
    Json,
    affine_json,
    constraint_json,
    digest,
    path_json,
    reason_json,
    system_json,
)
from gemwright.validator.certificate.used_invariants import UsedInvariants
from gemwright.validator.linear.simplex import Reason
from gemwright.validator.proof.bounding import Bounds, Falls
from gemwright.validator.proof.live import Ground, Live
from gemwright.validator.proof.ranking_proof import (
    Contraction,
    Facts,
    Half,
    Measure,
    Order,
    Path,
    Split,
    Stage,
)

FORMAT: Final = "gemwright-termination-1"


def certificate(ground: Ground, lives: Sequence[Live], proof: Order, bounds: Bounds) -> Json:
    """The certificate of a proof without gaps; `lives` are the steps of the system."""
    writer = _Writer(ground, lives, bounds)
    tree = writer.order(proof)
    system = system_json(ground.system)
    return {
        "format": FORMAT,
        "digest": digest(system),
        "system": system,
        "invariants": writer.used.invariants(),
        "proof": tree,
        "moves": bounds.total.moves,
    }


class _Writer:
    """Writes a proof; notes which invariants it uses."""

    def __init__(self, ground: Ground, lives: Sequence[Live], bounds: Bounds) -> None:
        self.used = UsedInvariants(ground, lives)
        self._falls = bounds.falls
        self._sources = [live.step.source for live in lives]

    def order(self, order: Order) -> list[Json]:
        """The groups of an order."""
        return [
            {
                "points": list(group.points),
                "stage": None if group.stage is None else self._stage(group.stage),
            }
            for group in order.groups
        ]

    def _stage(self, stage: Stage) -> Json:
        if isinstance(stage, Measure):
            return self._measure(stage)
        if isinstance(stage, Facts):
            return self._facts(stage)
        if isinstance(stage, Split):
            return self._split(stage)
        return self._contraction(stage)

    def _measure(self, stage: Measure) -> Json:
        falls = self._falls.get(stage)
        begins = frozenset[int]() if falls is None else falls.begins
        return {
            "kind": "measure",
            "measure": affine_json(stage.measure),
            "offsets": {str(point): value for point, value in sorted(stage.offsets.items())},
            "low": stage.low,
            "lows": {str(p): self._at(p, reason) for p, reason in sorted(stage.lows.items())},
            "highs": {
                str(point): {"high": high, "why": self._at(point, reason)}
                for point, (high, reason) in sorted(stage.highs.items())
                if point in begins
            },
            "kept": self._steps(stage.kept),
            "still": self._steps(stage.still),
            "falling": sorted(path_json(path) for path in stage.kept if path not in stage.still),
            "dropped": self._steps(stage.dropped),
            "falls": self._fall(falls),
            "then": self.order(stage.then),
        }

    def _fall(self, falls: Falls | None) -> Json | None:
        if falls is None:
            return None
        found: Json = {"count": falls.count, "rises": None}
        if falls.rises is not None:
            found["rises"] = {
                str(at): {
                    path_json(path): {"rise": rise, "why": self._on(path, reason)}
                    for path, (rise, reason) in sorted(rises.items())
                }
                for at, rises in sorted(falls.rises.items())
            }
        return found

    def _facts(self, stage: Facts) -> Json:
        return {
            "kind": "facts",
            "facts": [
                {
                    "point": bound.point,
                    "constraint": constraint_json(bound.constraint),
                    "constant": self._pairs(constant),
                    "leaving": self._steps(bound.reasons),
                }
                for bound, constant in zip(stage.bounds, stage.constant, strict=True)
            ],
            "dropped": self._steps(stage.dropped),
            "then": self.order(stage.then),
        }

    def _split(self, stage: Split) -> Json:
        return {
            "kind": "split",
            "quantity": affine_json(stage.quantity),
            "most": stage.most,
            "constant": self._pairs(stage.constant),
            "low": self._half(stage.low),
            "high": self._half(stage.high),
        }

    def _half(self, half: Half) -> Json:
        return {"dropped": self._steps(half.dropped), "then": self.order(half.then)}

    def _contraction(self, stage: Contraction) -> Json:
        return {
            "kind": "contraction",
            "points": list(stage.points),
            "dropped": self._steps(stage.dropped),
            "merged": {
                path_json(path): path_json(kept) for path, kept in sorted(stage.merged.items())
            },
            "then": self.order(stage.then),
        }

    # -- reasons

    def _steps(self, reasons: Mapping[Path, Reason]) -> Json:
        return {path_json(path): self._on(path, each) for path, each in sorted(reasons.items())}

    def _pairs(self, reasons: Mapping[Path, tuple[Reason, Reason]]) -> Json:
        return {
            path_json(path): [self._on(path, each) for each in pair]
            for path, pair in sorted(reasons.items())
        }

    def _on(self, path: Path, reason: Reason) -> Json:
        return self._at(self._sources[path[0]], reason)

    def _at(self, point: int, reason: Reason) -> Json:
        return reason_json(reason, self.used.names(point, reason))
