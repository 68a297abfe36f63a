"""Checks again what a report claims, by other means than those that found it.

A proof of termination goes through the checker, which shares no code with the prover and reads it
as text. A play that never ends is played again from its trace, and has to come back to where its
circle began.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.decision import Decision
from gemwright.interpreter.game import Game
from gemwright.interpreter.match import Match
from gemwright.interpreter.replay import replay
from gemwright.interpreter.saves import parse_save
from gemwright.validator.certificate.checker import check
from gemwright.validator.findings import FileReport, Verdict
from gemwright.validator.plays.lasso import Sameness


@dataclass(frozen=True, slots=True)
class Rechecked:
    """How many proofs and plays of a file were checked; they all held."""

    proofs: int
    plays: int


def recheck(file: FileReport) -> Rechecked:
    """Check the evidence of every verdict of a file again.

    Raises:
        CertificateError: a proof does not prove what it says.
        AssertionError: a play is not what it says.
        OSError: the file has gone since it was validated.
    """
    proofs = [verdict for verdict in file.verdicts if verdict.certificate is not None]
    plays = [verdict for verdict in file.verdicts if verdict.trace is not None]
    for verdict in proofs:
        bound = check(json.loads(json.dumps(verdict.certificate)))
        assert bound == verdict.moves, f"{bound} moves are proved, {verdict.moves} are told"
    rules = open_ruleset(file.path, Reporter()) if plays else None
    for verdict in plays:
        assert rules is not None, f"{file.path} does not load any more"
        _replayed(rules, verdict)
    return Rechecked(len(proofs), len(plays))


def _replayed(rules: Ruleset, verdict: Verdict) -> None:
    trace: dict[str, Any] = json.loads(json.dumps(verdict.trace))
    model = rules.instantiate(verdict.players, dict(verdict.options), Reporter())
    assert model is not None, f"{verdict.players} players do not load any more"
    same = Sameness(model)
    seen: list[tuple[int, ...]] = []

    def before(match: Match, _: Decision) -> None:
        seen.append(same.key(match.state))

    done = replay(Game(model, rules), parse_save(json.dumps(trace).encode()), before)
    assert done.difference is None, done.difference
    state, loop = done.match.state, trace["loop"]
    assert loop < len(seen), "nothing goes round"
    assert not state.is_over and same.key(state) == seen[loop], "it does not come back"
