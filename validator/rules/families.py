"""Families of pieces: faces that the rules never tell apart are counted together.

A family is a set of faces: of pieces, or of members of which no piece exists, which occur in
vectors only. Families are the coarsest split of all faces such that every set that
some sentence, pick or condition names is a union of families; the order of members tells them apart
only where they are few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.validator.rules.doing import possible_actions
from gemwright.validator.rules.walking import nodes

MOST_APART: Final = 6
"""Kinds with at most so many members may be counted member by member."""


@dataclass(frozen=True, slots=True)
class Family:
    """Faces counted together: `count` pieces of them exist in all."""

    faces: tuple[int, ...]
    count: int
    name: str


def families(game: m.Game, apart: bool) -> tuple[Family, ...]:
    """The families of the pieces of a game, in the order of their first faces.

    Args:
        apart: small kinds whose members are named one by one are split into members.
    """
    pieces = frozenset(face.id for face in game.faces if face.count)
    others = frozenset(face.id for face in game.faces) - pieces
    parts = [part for part in (pieces, others) if part]
    for wanted in _named_sets(game, apart):
        parts = [piece for part in parts for piece in (part & wanted, part - wanted) if piece]
    found = sorted(tuple(sorted(part)) for part in parts)
    return tuple(
        Family(faces, sum(game.faces[face].count for face in faces), _name(game, faces))
        for faces in found
    )


def _named_sets(game: m.Game, apart: bool) -> Iterator[frozenset[int]]:
    for zone in game.zones:
        yield frozenset(zone.faces)
    for kind in game.kinds:
        yield frozenset(kind.faces)
        if apart and len(kind.faces) <= MOST_APART and _is_indexed(game, kind):
            for face in kind.faces:
                yield frozenset((face,))
    for node in nodes((game.points, possible_actions(game))):
        match node:
            case m.LotDomain() | m.MoveAll() | m.MoveRandom() | t.Pieces():
                yield frozenset(node.faces)
            case t.ZoneVector() | t.Widen() | t.LotVector():
                yield frozenset(node.type.faces)
            case m.PieceDomain():
                yield frozenset(face for _, face in node.options)
            case t.ZoneCount(face=t.Const(value=int(face))):
                yield frozenset((face,))
            case t.VectorIndex(face=t.Const(value=int(face))):
                yield frozenset((face,))
            case m.MoveFace(face=t.Const(value=int(face))):
                yield frozenset((face,))
            case t.Compare(left=left, right=t.Const(value=int(face))):
                if left.type.base in (t.Base.FACE, t.Base.PIECE) and _is_named(node):
                    yield frozenset((face,))


def _is_named(comparison: t.Compare) -> bool:
    """Whether a member is told apart by being compared with. A table of conditions is looked up by
    halving: that tells all members of a kind apart, and of many it is not worth its price."""
    few = len(comparison.left.type.faces) <= MOST_APART
    return few or comparison.op in ("=", "!=")


def _is_indexed(game: m.Game, kind: m.Kind) -> bool:
    """Whether members of a kind are counted one by one where it matters."""
    faces = frozenset(kind.faces)
    for node in nodes((game.points, possible_actions(game))):
        if isinstance(node, t.ZoneCount | t.VectorIndex | m.MoveFace):
            wanted = node.face.type.faces
            if wanted and faces >= frozenset(wanted):
                return True
    return False


def _name(game: m.Game, faces: tuple[int, ...]) -> str:
    """A name for people: the kind, members if they are few, or a part of a kind."""
    if len(faces) == 1:
        return game.faces[faces[0]].name
    inside = frozenset(faces)
    for kind in game.kinds:
        if frozenset(face for face in kind.faces if game.faces[face].count) == inside:
            return kind.plural
    if len(faces) <= 3:
        return " + ".join(game.faces[face].name for face in faces)
    holder = next((k.plural for k in game.kinds if inside <= frozenset(k.faces)), "pieces")
    return f"{len(faces)} {holder} from {game.faces[faces[0]].name}"
