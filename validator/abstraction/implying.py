"""When one condition implies another, as far as their forms tell."""

from __future__ import annotations

from dataclasses import replace

from gemwright.dsl.model import terms as t


def implies(one: t.Term, other: t.Term) -> bool:
    """Whether a condition in normal form holds only if another does.

    A lot, or a member, that passes some tests passes fewer of them.
    """
    if one == other:
        return True
    if isinstance(one, t.SomeLot) and isinstance(other, t.SomeLot):
        weaker = replace(other, condition=one.condition)
        return one == weaker and tests(one.condition) >= tests(other.condition)
    if isinstance(one, t.Fold) and isinstance(other, t.Fold) and one.op == other.op == "some":
        assert one.body is not None and other.body is not None
        weaker_fold = replace(other, body=one.body)
        return one == weaker_fold and tests(one.body) >= tests(other.body)
    return False


def tests(condition: t.Term) -> frozenset[t.Term]:
    """The conditions all of which have to hold."""
    if isinstance(condition, t.And):
        return frozenset(each for part in condition.terms for each in tests(part))
    return frozenset((condition,))
