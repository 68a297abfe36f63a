"""What is known at a place of the rules: that a player is somebody, that pieces lie somewhere.

A fact says that a term has a value that it might not have: `Known` of a player who may be nobody or
of a member that may be missing, `Some` of pieces in a zone or lot. Conditions tell facts when they
hold or fail (`gemwright.dsl.checks.presence`); what changes the state ends them. Facts are
compared by the terms in them, wherever these were written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gemwright.dsl.model import terms as t
from gemwright.dsl.model.traversal import within


@dataclass(frozen=True, slots=True)
class Known:
    """A player, or a value that was frozen under a name, is there."""

    term: t.Term


@dataclass(frozen=True, slots=True)
class Some:
    """At least one piece of `faces` lies in a zone instance or lot."""

    where: t.Term
    faces: frozenset[int]


Fact = Known | Some
Facts = frozenset[Fact]
NOTHING: Final[Facts] = frozenset()

EVERY: Final = t.Local(t.Type(t.Base.INT), None, -1, "every")
"""Stands as the index in a fact that holds at every index."""


def plain(term: t.Term) -> t.Term:
    """A term as facts name it: whether the place around it takes nobody is no part of it."""
    if term.type.optional:
        return replace(term, type=replace(term.type, optional=False))
    return term


def pieces_of(vector: t.Term, faces: tuple[int, ...] | None = None) -> Some:
    """The fact that a vector has some piece of `faces`, by default of any that it counts."""
    wanted = frozenset(vector.type.faces if faces is None else faces)
    while isinstance(vector, t.Widen):
        vector = vector.vector
    return Some(_place(vector), wanted & frozenset(vector.type.faces))


def pieces_in(zone: int, index: t.Term | None, faces: tuple[int, ...]) -> Some:
    """The fact that some piece of `faces` lies in a zone instance."""
    return Some(t.ZoneSize(t.Type(t.Base.INT), None, zone, index), frozenset(faces))


def _place(vector: t.Term) -> t.Term:
    """What a vector is called in facts: ranges of numbers in types do not tell vectors apart."""
    if isinstance(vector, t.ZoneVector):
        return t.ZoneSize(t.Type(t.Base.INT), None, vector.zone, vector.index)
    return vector


def holds(fact: Fact, facts: Facts) -> bool:
    """Whether a fact follows from others."""
    if fact in facts:
        return True
    subject = subject_of(fact)
    places = [subject]
    if getattr(subject, "index", None) is not None:
        places.append(at_index(subject, EVERY))
    if isinstance(fact, Known):
        return any(Known(place) in facts for place in places)
    return any(
        isinstance(each, Some) and each.where in places and each.faces <= fact.faces
        for each in facts
    )


def at_index(subject: t.Term, index: t.Term) -> t.Term:
    """A zone instance or state value of another index."""
    assert isinstance(subject, t.ZoneSize | t.ReadVariable)
    return replace(subject, index=index)


def for_every(fact: Fact) -> Fact:
    """The fact at every index."""
    subject = at_index(subject_of(fact), EVERY)
    return Known(subject) if isinstance(fact, Known) else Some(subject, fact.faces)


def meet(one: Facts | None, other: Facts | None) -> Facts | None:
    """What holds whichever of two ways was taken; None stands for a way that cannot be taken."""
    if one is None or other is None:
        return other if one is None else one
    return frozenset(
        [fact for fact in one if holds(fact, other)] + [fact for fact in other if holds(fact, one)]
    )


def without_slot(facts: Facts, slot: int) -> Facts:
    """The facts that still hold when a frame slot holds something else."""

    def reads(fact: Fact) -> bool:
        return any(isinstance(e, t.Local) and e.slot == slot for e in within(subject_of(fact)))

    return frozenset(fact for fact in facts if not reads(fact))


def without_slots(facts: Facts) -> Facts:
    """The facts that outlive a frame: those that speak of no slot."""

    def reads(fact: Fact) -> bool:
        inside = within(subject_of(fact))
        return any(isinstance(each, t.Local) and each is not EVERY for each in inside)

    return frozenset(fact for fact in facts if not reads(fact))


def without_variable(facts: Facts, variable: int) -> Facts:
    """The facts that still hold when a state variable has changed."""

    def reads(fact: Fact) -> bool:
        return any(
            isinstance(each, t.ReadVariable) and each.variable == variable
            for each in within(subject_of(fact))
        )

    return frozenset(fact for fact in facts if not reads(fact))


def without_zone(facts: Facts, zone: int, grows: bool = False) -> Facts:
    """The facts that still hold when the pieces of a zone have changed; `grows`: none has left."""

    def ended(fact: Fact) -> bool:
        subject = subject_of(fact)
        inside = within(subject)
        if grows and isinstance(fact, Some) and isinstance(subject, t.ZoneSize):
            inside = (each for each in inside if each is not subject)
        return any(getattr(each, "zone", None) == zone for each in inside)

    return frozenset(fact for fact in facts if not ended(fact))


def is_own(fact: Fact) -> bool:
    """Whether a fact speaks only of zones and state of the player in frame slot 0."""
    places = [each for each in within(subject_of(fact)) if hasattr(each, "index")]
    own = [getattr(each, "index", None) for each in places]
    return all(isinstance(index, t.Local) and index.slot == 0 for index in own)


def subject_of(fact: Fact) -> t.Term:
    """What a fact speaks of."""
    return fact.term if isinstance(fact, Known) else fact.where
