"""The system in a certificate, its invariants, and what a reason is.

Standard library only; see `gemwright.validator.certificate.checker` for the form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import gcd
from typing import Any

Linear = dict[str, int]
"""Coefficients per unknown, "5" a cell and "-1" a parameter; the constant is that of ""."""
Given = tuple[bool, Linear]
"""A constraint: whether it is an equality, and its expression."""
Premise = Callable[[str], Given]
"""The premise of a name."""


class CertificateError(ValueError):
    """A certificate that is malformed or does not prove what it says."""


def need(condition: bool, problem: str) -> None:
    """Refuse unless a condition holds."""
    if not condition:
        raise CertificateError(problem)


def fields(value: object, names: str) -> dict[str, Any]:
    """An object with exactly these fields."""
    found = an_object(value)
    need(sorted(found) == sorted(names.split()), f"an object has not the fields {names}")
    return found


def an_object(value: object) -> dict[str, Any]:
    """An object."""
    if type(value) is not dict:
        raise CertificateError("an object is missing")
    return value


def a_list(value: object) -> list[Any]:
    """A list."""
    if type(value) is not list:
        raise CertificateError("a list is missing")
    return value


def a_number(value: object) -> int:
    """An integer."""
    if type(value) is not int:
        raise CertificateError("an integer is missing")
    return value


def linear(value: object) -> Linear:
    """An expression."""
    parts = a_list(value)
    need(bool(parts), "an expression is empty")
    found: Linear = {"": a_number(parts[0])}
    for term in parts[1:]:
        pair = a_list(term)
        need(len(pair) == 2, "a term is no pair")
        name = str(a_number(pair[0]))
        need(name not in found and a_number(pair[1]) != 0, "a term is malformed")
        found[name] = pair[1]
    return found


def given(value: object) -> Given:
    """A constraint."""
    pair = a_list(value)
    need(len(pair) == 2 and pair[0] in ("=", ">="), "a constraint is malformed")
    return pair[0] == "=", linear(pair[1])


def total(*parts: tuple[int, Linear]) -> Linear:
    """The sum of multiples of expressions."""
    found: Linear = {"": 0}
    for factor, expression in parts:
        for name, value in expression.items():
            found[name] = found.get(name, 0) + factor * value
    return {name: value for name, value in found.items() if value or not name}


def put(expression: Linear, values: Mapping[str, Linear]) -> Linear:
    """An expression with some unknowns replaced."""
    return total(*((value, values.get(name, {name: 1})) for name, value in expression.items()))


def plus(expression: Linear, constant: int) -> Linear:
    """An expression and a number."""
    return total((1, expression), (constant, {"": 1}))


def minus(expression: Linear) -> Linear:
    """The negative."""
    return total((-1, expression))


def verify(reason: object, claim: Linear, premise: Premise) -> None:
    """Refuse a reason that proves neither `claim >= 0` nor that the premises contradict."""
    if "impossible" in an_object(reason):
        verify_impossible(reason, premise)
    else:
        _verify(fields(reason, "scale use rest"), claim, premise)


def verify_impossible(reason: object, premise: Premise) -> None:
    """Refuse a reason that does not prove that the premises contradict each other."""
    found = fields(reason, "scale use rest impossible")
    need(found["impossible"] is True, "a reason is not of the impossible")
    _verify(found, {"": -1}, premise)


def _verify(found: dict[str, Any], claim: Linear, premise: Premise) -> None:
    scale, rest, used = a_number(found["scale"]), a_number(found["rest"]), an_object(found["use"])
    need(scale >= 1 and rest > -scale, "a reason does not suffice")
    parts = [(scale, claim), (-rest, {"": 1})]
    for name, multiplier in used.items():
        equality, expression = premise(name)
        need(equality or a_number(multiplier) >= 0, "a multiplier is negative")
        need(a_number(multiplier) != 0, "a premise is not used")
        parts.append((-multiplier, expression))
    need(gcd(scale, rest, *used.values()) == 1, "a reason is not in lowest terms")
    need(total(*parts) == {"": 0}, "a reason does not add up")


def verify_all(reasons: object, constraint: Given, premise: Premise) -> None:
    """Verify a constraint: one reason, or two of an equality."""
    equality, expression = constraint
    sides = (expression, minus(expression)) if equality else (expression,)
    found = a_list(reasons)
    need(len(found) == len(sides), "a constraint has not its reasons")
    for reason, side in zip(found, sides, strict=True):
        verify(reason, side, premise)


@dataclass(frozen=True)
class Step:
    """An edge, or several one after the other; `length` counts them."""

    source: int
    target: int
    ranges: tuple[tuple[int | None, int | None], ...]
    guard: tuple[Given, ...]
    changes: Mapping[str, Linear]
    moves: int
    length: int = 1

    def change(self, expression: Linear) -> Linear:
        """By how much an expression over cells changes."""
        return total(
            *((value, self.changes.get(name, {"": 0})) for name, value in expression.items())
        )

    def after(self, expression: Linear) -> Linear:
        """An expression over cells afterwards."""
        return total((1, expression), (1, self.change(expression)))

    def where(self, *more: Given) -> Step:
        """The step with more constraints."""
        return replace(self, guard=self.guard + more)

    def then(self, second: Step) -> Step:
        """This step and another one."""
        need(self.target == second.source, "steps are not one after the other")
        shift = len(self.ranges)
        values = {str(-1 - k): {"": 0, str(-1 - k - shift): 1} for k in range(len(second.ranges))}
        values.update((cell, self.after({"": 0, cell: 1})) for cell in self.changes)
        changes = dict(self.changes)
        for cell, change in second.changes.items():
            changes[cell] = total((1, changes.get(cell, {"": 0})), (1, put(change, values)))
        return Step(
            self.source,
            second.target,
            self.ranges + second.ranges,
            self.guard + tuple((equality, put(e, values)) for equality, e in second.guard),
            {cell: change for cell, change in changes.items() if change != {"": 0}},
            self.moves + second.moves,
            self.length + second.length,
        )


class System:
    """The system of a certificate; its invariants are verified."""

    def __init__(self, value: object, digest: object, invariants: object) -> None:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        need(hashlib.sha256(text.encode()).hexdigest() == digest, "the digest is another one")
        found = fields(value, "cells points edges start initial facts")
        self.cells = [_range(fields(cell, "low high label")) for cell in a_list(found["cells"])]
        self.points = range(len(a_list(found["points"])))
        self.start = self.point(found["start"])
        self._initial = [given(each) for each in a_list(found["initial"])]
        self._facts = [given(each) for each in a_list(found["facts"])]
        self.edges = {str(k): self._edge(each) for k, each in enumerate(a_list(found["edges"]))}
        self._invariants: dict[int, list[Given]] = {}
        listed = [fields(each, "point constraint start steps") for each in a_list(invariants)]
        for each in listed:
            there = self._invariants.setdefault(self.point(each["point"]), [])
            there.append(given(each["constraint"]))
        for each in listed:
            self._inductive(each)

    def point(self, value: object) -> int:
        """The number of a point."""
        need(a_number(value) in self.points, "there is no such point")
        return a_number(value)

    def named(self, name: str) -> int:
        """The number of a point that is written as a key."""
        return self.point(_position(name))

    def _edge(self, value: object) -> Step:
        found = fields(value, "source target parameters guard changes moves label")
        ranges = tuple(_pair(each) for each in a_list(found["parameters"]))
        changes: dict[str, Linear] = {}
        for entry in a_list(found["changes"]):
            need(len(a_list(entry)) == 2, "a change is malformed")
            cell, change = entry
            need(a_number(cell) in range(len(self.cells)), "there is no such cell")
            need(str(cell) not in changes, "a cell changes twice")
            changes[str(cell)] = linear(change)
        guard = tuple(given(each) for each in a_list(found["guard"]))
        ends = self.point(found["source"]), self.point(found["target"])
        need(a_number(found["moves"]) >= 0, "moves are not counted so")
        step = Step(*ends, ranges, guard, changes, found["moves"])
        return step.where(*self._afterwards(step))

    def _afterwards(self, step: Step) -> list[Given]:
        found: list[Given] = []
        for cell in sorted(step.changes, key=int):
            low, high = self.cells[int(cell)]
            value = step.after({"": 0, cell: 1})
            if low is not None:
                found.append((False, plus(value, -low)))
            if high is not None:
                found.append((False, plus(minus(value), high)))
        for equality, fact in self._facts:
            if any(cell in step.changes for cell in fact):
                found.append((equality, step.after(fact)))
        return found

    def _inductive(self, invariant: dict[str, Any]) -> None:
        point, (equality, expression) = invariant["point"], given(invariant["constraint"])
        if point == self.start:
            verify_all(invariant["start"], (equality, expression), self.begin)
        else:
            need(invariant["start"] is None, "a play does not begin there")
        into = {name: step for name, step in self.edges.items() if step.target == point}
        steps = an_object(invariant["steps"])
        need(steps.keys() == into.keys(), "an invariant has not a reason for each edge")
        for name, step in into.items():
            verify_all(steps[name], (equality, step.after(expression)), self.on(step))

    # -- premises

    def begin(self, name: str) -> Given:
        """What is known when a play begins."""
        return _chosen(self._initial, name) if name[:1] == "s" else self._general(name)

    def at(self, point: int) -> Premise:
        """What is known at a point."""

        def premise(name: str) -> Given:
            if name[:1] == "i":
                return _chosen(self._invariants.get(point, []), name)
            return self._general(name)

        return premise

    def on(self, step: Step) -> Premise:
        """What is known on a step."""
        before = self.at(step.source)

        def premise(name: str) -> Given:
            if name[:1] == "g":
                return _chosen(step.guard, name)
            if name[1:2] == "-":
                position = -1 - _position(name[1:])
                need(0 <= position < len(step.ranges), "there is no such parameter")
                return _end(name, step.ranges[position])
            return before(name)

        return premise

    def _general(self, name: str) -> Given:
        if name[:1] == "f":
            return _chosen(self._facts, name)
        position = _position(name[1:])
        need(0 <= position < len(self.cells), "there is no such cell")
        return _end(name, self.cells[position])


def _range(cell: dict[str, Any]) -> tuple[int | None, int | None]:
    return _pair([cell["low"], cell["high"]])


def _pair(value: object) -> tuple[int | None, int | None]:
    need(len(a_list(value)) == 2, "a range is malformed")
    low, high = (None if each is None else a_number(each) for each in a_list(value))
    return low, high


def _position(digits: str) -> int:
    plain = digits.removeprefix("-")
    need(plain.isascii() and plain.isdecimal() and len(plain) < 10, "a number is malformed")
    need(str(int(digits)) == digits, "a number is malformed")
    return int(digits)


def _chosen(constraints: list[Given] | tuple[Given, ...], name: str) -> Given:
    position = _position(name[1:])
    need(0 <= position < len(constraints), "there is no such premise")
    return constraints[position]


def _end(name: str, ends: tuple[int | None, int | None]) -> Given:
    need(name[:1] in ("l", "h"), "there is no such premise")
    end = ends[name[0] == "h"]
    if end is None:
        raise CertificateError("a range has no such end")
    sign = 1 if name[0] == "l" else -1
    return False, {"": -sign * end, name[1:]: sign}
