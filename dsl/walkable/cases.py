"""Conditions that take one of several forms, by something fixed: the forms one at a time.

A pass is made when everything but the lots is known, so of a `Choice` whose condition is fixed only
one side ever takes part in it. Counting states with both would refuse tables of many conditions,
such as a column of tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.dsl.walkable.ranges import Interval, interval
from gemwright.dsl.walkable.terms import key

MANY = 4096
"""Forms that are told apart; beyond, all sides are taken as there at once."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a fixed condition asks: whether `subject` is equal to, or less than, a constant.

    Subjects are terms in a comparable form; a condition of another form is a subject that is 1.
    """

    subject: str
    op: str = "="
    value: int = 1
    bounds: Interval = (0, 1)
    """What the subject can be at all."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What is known in one case: between which bounds a subject lies, and what was answered no."""

    bounds: Mapping[str, Interval]
    denied: frozenset[Question] = frozenset()

    def to(self, question: Question) -> bool | None:
        """The answer, if what is known decides it."""
        low, high = self._bounds(question)
        if question.op == "<":
            return True if high < question.value else False if low >= question.value else None
        if question in self.denied or not low <= question.value <= high:
            return False
        return True if low == high else None

    def holding(self, question: Question) -> Answers:
        """With a question answered by yes."""
        low, high = self._bounds(question)
        if question.op == "<":
            return self._within(question.subject, low, min(high, question.value - 1))
        return self._within(question.subject, question.value, question.value)

    def denying(self, question: Question) -> Answers:
        """With a question answered by no."""
        low, high = self._bounds(question)
        if question.op == "<":
            return self._within(question.subject, max(low, question.value), high)
        if question.value in (low, high):
            ends = low + (question.value == low), high - (question.value == high)
            return self._within(question.subject, *ends)
        return Answers(self.bounds, self.denied | {question})

    def _bounds(self, question: Question) -> Interval:
        return self.bounds.get(question.subject, question.bounds)

    def _within(self, subject: str, low: int, high: int) -> Answers:
        return Answers({**self.bounds, subject: (low, high)}, self.denied)


def cases(nodes: Sequence[f.Node]) -> list[tuple[f.Node, ...]]:
    """The nodes with every fixed choice made, in each way that can be."""
    found = list(islice(_Cases().of(tuple(nodes), Answers({})), MANY + 1))
    return found if len(found) <= MANY else [tuple(nodes)]


class _Cases:
    """Goes through the cases of some nodes; each condition is read once."""

    def __init__(self) -> None:
        self._questions: dict[int, Question] = {}

    def of(self, nodes: tuple[f.Node, ...], answers: Answers) -> Iterator[tuple[f.Node, ...]]:
        """Every way to make the choices that the answers leave open."""
        settled = tuple(self._settled(node, answers) for node in nodes)
        asked = next((each for node in settled for each in self._open(node)), None)
        if asked is None:
            yield settled
            return
        yield from self.of(settled, answers.holding(asked))
        yield from self.of(settled, answers.denying(asked))

    def _settled(self, node: f.Node, answers: Answers) -> f.Node:
        """A node with the choices made that the answers decide."""
        if isinstance(node, f.AllOf):
            return f.AllOf(tuple(self._settled(each, answers) for each in node.nodes))
        if isinstance(node, f.AnyOf):
            return f.AnyOf(tuple(self._settled(each, answers) for each in node.nodes))
        if isinstance(node, f.Negated):
            return f.Negated(self._settled(node.node, answers))
        question = self._question(node)
        answer = None if question is None else answers.to(question)
        if answer is None:
            return node
        assert isinstance(node, f.Choice)
        return self._settled(node.then if answer else node.otherwise, answers)

    def _open(self, node: f.Node) -> Iterator[Question]:
        """What choices that are still to be made ask."""
        if isinstance(node, f.AllOf | f.AnyOf):
            for each in node.nodes:
                yield from self._open(each)
        elif isinstance(node, f.Negated):
            yield from self._open(node.node)
        else:
            question = self._question(node)
            if question is not None:
                yield question

    def _question(self, node: f.Node) -> Question | None:
        """What a choice by something fixed asks; None for other nodes."""
        if not isinstance(node, f.Choice) or not isinstance(node.condition, f.Fixed):
            return None
        # Choices are parts of the nodes that are gone through, so identities stay theirs.
        if id(node) not in self._questions:
            self._questions[id(node)] = _asked(node.condition.term)
        return self._questions[id(node)]


def _asked(condition: t.Term) -> Question:
    if isinstance(condition, t.Compare) and condition.op in ("=", "<"):
        value = condition.right.value if isinstance(condition.right, t.Const) else None
        if isinstance(value, int):
            bounds = interval(condition.left, {})
            return Question(key(condition.left), condition.op, value, bounds)
    return Question(key(condition))
