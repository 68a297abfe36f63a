"""Cases: conditions that single picks and state decide are asked once, before a lot is walked.

`C if card is a else D` in a line is two plans, one for each answer, instead of a plan that keeps
account of both. The same question is asked once for all lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable import forms as f
from gemwright.interpreter.compiled.flat import ops
from gemwright.interpreter.compiled.flat.program import Expr
from gemwright.interpreter.compiled.lower.scope import Scope
from gemwright.interpreter.compiled.lower.terms import Terms

Nodes = tuple[f.Node | None, ...]

MOST: Final = 64
"""Cases of one action; further questions are left to the walk."""

_YES: Final = f.Fixed(t.Const(t.FLAG, None, 1))
_NO: Final = f.Fixed(t.Const(t.FLAG, None, 0))


class Cases:
    """Writes one branch per case.

    Args:
        scope: the frame with all single picks that are made.
    """

    def __init__(self, terms: Terms, scope: Scope, write: Callable[[Nodes], None]) -> None:
        self._terms = terms
        self._scope = scope
        self._write = write
        self._left = MOST

    def split(self, nodes: Nodes) -> None:
        """Write all cases of lines in normal form."""
        self._split(nodes, {}, {})

    def _split(self, nodes: Nodes, known: dict[t.Term, bool], values: dict[t.Term, Expr]) -> None:
        nodes = tuple(None if each is None else simplified(each, known) for each in nodes)
        question = self._question(nodes)
        if question is None or self._left <= 1:
            self._write(nodes)
            return
        self._left -= 1
        values = dict(values)
        answer = self._terms.w.let(self._answer(question, values))
        branch = self._terms.w.branch(answer)
        with branch.then():
            if answer != ops.FALSE:
                self._split(nodes, {**known, question: True}, values)
        with branch.otherwise():
            if answer != ops.TRUE:
                self._split(nodes, {**known, question: False}, values)

    def _answer(self, question: t.Term, values: dict[t.Term, Expr]) -> Expr:
        """The value of a condition; what is compared in it is worked out once for all cases."""
        if not isinstance(question, t.Compare):
            return self._terms.value(question, self._scope)
        sides = []
        for side in (question.left, question.right):
            if side not in values:
                values[side] = self._terms.kept(side, self._scope)
            sides.append(values[side])
        return ops.compare(question.op, sides[0], sides[1])

    def _question(self, nodes: Sequence[f.Node | None]) -> t.Term | None:
        """The first condition that is worth asking and cannot fail."""
        for node in nodes:
            for each in [] if node is None else questions(node, top=True):
                term = each

                def ask(term: t.Term = term) -> object:
                    return self._terms.value(term, self._scope)

                if not self._terms.w.may_fail(ask):
                    return term
        return None


def questions(node: f.Node, top: bool) -> list[t.Term]:
    """Fixed conditions that decide what else is asked of the lot."""
    if isinstance(node, f.Choice):
        first = [node.condition.term] if isinstance(node.condition, f.Fixed) else []
        return [*first, *questions(node.then, False), *questions(node.otherwise, False)]
    if isinstance(node, f.Negated):
        return questions(node.node, top)
    if isinstance(node, f.AllOf | f.AnyOf):
        found: list[t.Term] = []
        for each in node.nodes:
            fixed = isinstance(each, f.Fixed)
            if isinstance(each, f.Fixed) and not (top and isinstance(node, f.AllOf)):
                found.append(each.term)
            elif not fixed:
                found += questions(each, top and isinstance(node, f.AllOf))
        return found
    return []


def simplified(node: f.Node, known: dict[t.Term, bool]) -> f.Node:
    """A node with the answers that are known."""
    if isinstance(node, f.Fixed):
        answer = known.get(node.term)
        return node if answer is None else _YES if answer else _NO
    if isinstance(node, f.Negated):
        inner = simplified(node.node, known)
        return _NO if inner == _YES else _YES if inner == _NO else f.Negated(inner)
    if isinstance(node, f.AllOf):
        return _joined(node.nodes, known, _NO, f.AllOf)
    if isinstance(node, f.AnyOf):
        return _joined(node.nodes, known, _YES, f.AnyOf)
    if isinstance(node, f.Choice):
        condition = simplified(node.condition, known)
        if condition in (_YES, _NO):
            return simplified(node.then if condition == _YES else node.otherwise, known)
        return f.Choice(condition, simplified(node.then, known), simplified(node.otherwise, known))
    return node


def _joined(
    nodes: Sequence[f.Node],
    known: dict[t.Term, bool],
    deciding: f.Node,
    make: Callable[[tuple[f.Node, ...]], f.Node],
) -> f.Node:
    other = _NO if deciding == _YES else _YES
    kept = [each for each in (simplified(each, known) for each in nodes) if each != other]
    if deciding in kept:
        return deciding
    if not kept:
        return other
    return kept[0] if len(kept) == 1 else make(tuple(kept))
