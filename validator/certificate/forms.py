"""How systems, expressions and reasons are written in certificates."""

from __future__ import annotations

import hashlib
import json
from math import gcd
from typing import Any

from gemwright.validator.abstraction.transitions import TransitionSystem
from gemwright.validator.linear.affine import Affine, Constraint
from gemwright.validator.linear.simplex import Reason
from gemwright.validator.proof.ranking_proof import Path

Json = dict[str, Any]


def canonical(value: Any) -> str:
    """JSON in one way only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest(system: Json) -> str:
    """SHA-256 of a system's canonical JSON."""
    return hashlib.sha256(canonical(system).encode()).hexdigest()


def system_json(system: TransitionSystem) -> Json:
    """A transition system; labels are for readers."""
    return {
        "cells": [
            {"low": cell.low, "high": cell.high, "label": cell.label} for cell in system.cells
        ],
        "points": [point.label for point in system.points],
        "edges": [
            {
                "source": edge.source,
                "target": edge.target,
                "parameters": [[each.low, each.high] for each in edge.parameters],
                "guard": [constraint_json(each) for each in edge.guard],
                "changes": [[cell, affine_json(to)] for cell, to in edge.changes().items()],
                "moves": edge.moves,
                "label": edge.label,
            }
            for edge in system.edges
        ],
        "start": system.start,
        "initial": [constraint_json(each) for each in system.initial],
        "facts": [constraint_json(each) for each in system.facts],
    }


def affine_json(expression: Affine) -> list[Any]:
    """`[constant, [unknown, coefficient], ...]`."""
    return [expression.constant, *([name, value] for name, value in expression.terms)]


def constraint_json(constraint: Constraint) -> list[Any]:
    """`[">=", expression]` or `["=", expression]`, compared with 0."""
    return ["=" if constraint.equality else ">=", affine_json(constraint.expression)]


def path_json(path: Path) -> str:
    """`3` or `3+17`: positions of edges."""
    return "+".join(map(str, path))


def reason_json(reason: Reason, names: dict[str, str]) -> Json:
    """A reason in lowest terms, its premises renamed."""
    common = gcd(reason.scale, reason.rest, *(value for _, value in reason.multipliers))
    found: Json = {
        "scale": reason.scale // common,
        "use": {names.get(key, key): value // common for key, value in reason.multipliers},
        "rest": reason.rest // common,
    }
    if reason.vacuous:
        found["impossible"] = True
    return found
