"""Checks certificates of termination. Standard library only; shares no code with the prover.

    python -m gemwright.validator.certificate.checker CERTIFICATE.json

A certificate is one JSON object. Numbers are integers. Expressions are `[constant, [unknown,
coefficient], ...]`: unknowns 0, 1, ... are cells, -1, -2, ... the parameters of an edge.
Constraints are `[">=", expression]` or `["=", expression]`, compared with 0.

A *reason* `{"scale", "use", "rest"}` proves `claim >= 0`: scale * claim = sum of use * premise +
rest, where premises of kind >= have multipliers >= 0, and rest > -scale (the claim is an integer).
With `"impossible": true` it proves the claim -1, that is: the premises contradict each other.
Premises are named: `l5`, `h5`: the range of cell 5 (`l-1`: of parameter 0); `f0`: fact 0; `i1`:
invariant 1 of the point (where a step begins); `g2`: constraint 2 of the step; `s0`: constraint 0
on the beginning.

The constraints of an edge are its guard, then for each cell that it changes, in order, the range of
the cell afterwards, then all facts that speak of such a cell, afterwards.

`proof` is a list of groups of points. Every step leads within a group or to a later one. A group
has a stage unless it has no step:

* measure: no step raises `measure + offset of the point`, it is at least `low`; with `= 0` for its
  change appended to every step those in `dropped` are impossible; `then` proves the rest.
* facts: a quantity that no step changes, bounded on every step that leaves a point which no cycle
  avoids; the bounds are appended to every step.
* split: a quantity that no step changes; `<= most` is appended for `low`, `>= most + 1` for `high`.
* contraction: points are taken out in order; each step in is joined with each step out, the
  constraints of the second one said over the cells and parameters of the joined step.

`moves` bounds the moves of a play; how, see `Accounts`.
"""

from __future__ import annotations

import json
import sys
from typing import Final

from gemwright.validator.certificate.system import CertificateError, System, fields, need
from gemwright.validator.certificate.walk import Walk

FORMAT: Final = "gemwright-termination-1"


def check(certificate: object) -> int | None:
    """The bound on moves that a certificate proves, None if it proves an end but no bound.

    Raises:
        CertificateError: it does not prove what it says.
    """
    found = fields(certificate, "format digest system invariants proof moves")
    need(found["format"] == FORMAT, f"the format is not {FORMAT}")
    system = System(found["system"], found["digest"], found["invariants"])
    moves = Walk(system).whole(found["proof"])
    need(
        type(found["moves"]) is type(moves) and found["moves"] == moves,
        f"the proof bounds the moves by {moves}",
    )
    return moves


def main(arguments: list[str]) -> int:
    """Check files; 0 if all certificates are good, 1 if one is not, 2 if one cannot be read."""
    worst = 0
    for name in arguments:
        try:
            with open(name, encoding="utf-8") as file:
                moves = check(json.load(file))
        except CertificateError as problem:
            print(f"{name}: refused: {problem}")
            worst = max(worst, 1)
        except (OSError, ValueError, RecursionError) as problem:
            print(f"{name}: cannot be read: {problem}")
            worst = 2
        else:
            limit = "" if moves is None else f", after at most {moves} moves"
            print(f"{name}: every play ends{limit}")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
