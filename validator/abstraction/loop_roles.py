"""Roles of loops over members: which one it is follows from how many rounds have begun."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.symbols import Path
from gemwright.validator.abstraction.vocabulary import Vocabulary
from gemwright.validator.linear.affine import ZERO, at_most, equal, number


@dataclass(frozen=True, slots=True)
class Rounds:
    """A role is the member at the position of the last round that has begun."""

    counter: int
    members: tuple[int, ...]


def rounds_of_roles(game: m.Game) -> Mapping[int, Rounds]:
    """By role, for roles that one loop sets."""
    found: dict[int, list[Rounds]] = {}
    for point in game.points:
        if isinstance(point, m.LoopTest) and point.role is not None:
            members = () if point.values is None else point.values
            found.setdefault(point.role, []).append(Rounds(point.counter, members))
    single = {role: loops[0] for role, loops in found.items() if len(loops) == 1}
    return {
        role: loop
        for role, loop in single.items()
        if loop.members and game.variables[role].type.base is t.Base.FACE
    }


def by_round(
    term: t.Compare, path: Path, roles: Mapping[int, Rounds], vocabulary: Vocabulary
) -> tuple[list[Path], list[Path]] | None:
    """The paths on which a role is a member, and those on which it is not; None if the condition
    asks for anything else. The path is used up unless it is None."""
    for named, other in ((term.left, term.right), (term.right, term.left)):
        if not isinstance(named, t.ReadVariable) or named.variable in path.explicit:
            continue
        rounds = roles.get(named.variable)
        cell = None if rounds is None else vocabulary.variable(rounds.counter, 0)
        if rounds is None or cell is None or not isinstance(other, t.Const):
            continue
        if not isinstance(other.value, int) or rounds.members.count(other.value) != 1:
            continue
        begun = path.builder.value(cell)
        row = equal(begun, number(rounds.members.index(other.value) + 1))
        no = []
        for negation in row.negation:
            no.append(path.fork())
            no[-1].builder.assume(negation)
        # Before the first round it is not known what the role is.
        before = path.fork()
        before.builder.assume(at_most(begun, ZERO))
        before.exact = False
        path.builder.assume(row)
        return [path, before], no
    return None
