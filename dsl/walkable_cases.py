"""Conditions that take one of several forms, by something fixed: the forms one at a time.

A pass is made when everything but the lots is known, so of a `Choice` whose condition is fixed only
one side ever takes part in it. Counting states with both would refuse tables of many conditions,
such as a column of tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from gemwright.dsl import terms as t
from gemwright.dsl import walkable_forms as f
from gemwright.dsl.walkable_terms import key

MANY = 512
"""Forms that are told apart; beyond, all sides are taken as there at once."""

Answers = Mapping[str, bool | str]
"""Per fixed condition its answer; per term that was found equal to a constant, that constant."""


def cases(nodes: Sequence[f.Node]) -> list[tuple[f.Node, ...]]:
    """The nodes with every fixed choice made, in each way that can be."""
    found = list(islice(_cases(tuple(nodes), {}), MANY + 1))
    return found if len(found) <= MANY else [tuple(nodes)]


def _cases(nodes: tuple[f.Node, ...], answers: Answers) -> Iterator[tuple[f.Node, ...]]:
    settled = tuple(_settled(node, answers) for node in nodes)
    asked = next((each for node in settled for each in _open(node)), None)
    if asked is None:
        yield settled
        return
    yield from _cases(settled, {**answers, **_learned(asked)})
    yield from _cases(settled, {**answers, key(asked): False})


def _settled(node: f.Node, answers: Answers) -> f.Node:
    """A node with the choices made that the answers decide."""
    if isinstance(node, f.AllOf):
        return f.AllOf(tuple(_settled(each, answers) for each in node.nodes))
    if isinstance(node, f.AnyOf):
        return f.AnyOf(tuple(_settled(each, answers) for each in node.nodes))
    if isinstance(node, f.Negated):
        return f.Negated(_settled(node.node, answers))
    if isinstance(node, f.Choice) and isinstance(node.condition, f.Fixed):
        answer = _answer(node.condition.term, answers)
        if answer is not None:
            return _settled(node.then if answer else node.otherwise, answers)
    return node


def _open(node: f.Node) -> Iterator[t.Term]:
    """The fixed conditions of choices that are still to be made."""
    if isinstance(node, f.AllOf | f.AnyOf):
        for each in node.nodes:
            yield from _open(each)
    elif isinstance(node, f.Negated):
        yield from _open(node.node)
    elif isinstance(node, f.Choice) and isinstance(node.condition, f.Fixed):
        yield node.condition.term


def _answer(condition: t.Term, answers: Answers) -> bool | None:
    known = answers.get(key(condition))
    if isinstance(known, bool):
        return known
    equal = _equal(condition)
    if equal is None or equal[0] not in answers:
        return None
    return answers[equal[0]] == equal[1]


def _learned(condition: t.Term) -> dict[str, bool | str]:
    """What is known when a condition holds: of `x = 3` also that x is no other constant."""
    equal = _equal(condition)
    return {key(condition): True} if equal is None else {equal[0]: equal[1]}


def _equal(condition: t.Term) -> tuple[str, str] | None:
    """The term and the constant that a condition says are equal."""
    if not isinstance(condition, t.Compare) or condition.op != "=":
        return None
    left, right = condition.left, condition.right
    if isinstance(left, t.Const):
        left, right = right, left
    return (f"value of {key(left)}", key(right)) if isinstance(right, t.Const) else None
