"""The invariants that a proof uses, with why they hold.

A play begins with them and every step that leads to their point keeps them, given the invariants of
the point that it comes from; those are used too, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

from gemwright.validator.certificate.forms import Json, constraint_json, reason_json
from gemwright.validator.linear.affine import Affine, Constraint
from gemwright.validator.linear.simplex import Reason, Simplex
from gemwright.validator.proof.live import Ground, Live
from gemwright.validator.proof.premises import at_point


class UsedInvariants:
    """Invariants in the order in which they come to be used, numbered anew at each point."""

    def __init__(self, ground: Ground, lives: Sequence[Live]) -> None:
        self._ground = ground
        self._lives = lives
        self._used: list[tuple[int, int]] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._count: dict[int, int] = {}

    def names(self, point: int, reason: Reason) -> dict[str, str]:
        """New names of the invariants that a reason at a point uses; they count as used."""
        found = {}
        for key, _ in reason.multipliers:
            if key.startswith("i"):
                found[key] = f"i{self._number(point, int(key[1:]))}"
        return found

    def _number(self, point: int, which: int) -> int:
        key = (point, which)
        if key not in self._numbers:
            self._numbers[key] = self._count.get(point, 0)
            self._count[point] = self._numbers[key] + 1
            self._used.append(key)
        return self._numbers[key]

    def invariants(self) -> list[Json]:
        """All used invariants, each with its reasons. Ask when the proof is written."""
        found = []
        done = 0
        while done < len(self._used):
            point, which = self._used[done]
            found.append(self._invariant(point, self._ground.known[point][which]))
            done += 1
        return found

    def _invariant(self, point: int, constraint: Constraint) -> Json:
        system = self._ground.system
        steps = {}
        for live in self._lives:
            if live.step.target == point:
                after = live.step.after(constraint.expression)
                reasons = _reasons(live.simplex, after, constraint.equality)
                source = live.step.source
                steps[str(live.step.path[0])] = [
                    reason_json(each, self.names(source, each)) for each in reasons
                ]
        start = None
        if system.start == point:
            simplex = at_point(system, (), self._ground.budget)
            for which, given in enumerate(system.initial):
                simplex.add(f"s{which}", given)
            reasons = _reasons(simplex, constraint.expression, constraint.equality)
            start = [reason_json(each, {}) for each in reasons]
        return {
            "point": point,
            "constraint": constraint_json(constraint),
            "start": start,
            "steps": steps,
        }


def _reasons(simplex: Simplex, expression: Affine, equality: bool) -> list[Reason]:
    found = []
    for side in (expression, -expression) if equality else (expression,):
        reason = simplex.claim(side)
        assert reason is not None, "invariants are inductive together"
        found.append(reason)
    return found
