"""What a term reads that not everybody may see.

A zone shows each viewer how many pieces of each *class* of faces lie there (`Zone.sight`), so a
read is public if it treats faces alike that somebody cannot tell apart: a size, a count by a
visible column. What a read does with faces is its *look*, a function from a face to anything that
can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemwright.dsl.checks.looks import OUT, Look, alike, column, look_of, only, same, tells
from gemwright.dsl.model.game import Game, Zone
from gemwright.dsl.model.terms import (
    Compare,
    Const,
    Domain,
    Fold,
    If,
    Local,
    Lookup,
    LotVector,
    Openly,
    PieceFace,
    PieceFrom,
    Pieces,
    ReadVariable,
    Term,
    VectorIndex,
    VectorOp,
    VectorSum,
    Widen,
    ZoneCount,
    ZoneTop,
    ZoneVector,
)
from gemwright.dsl.model.traversal import parts
from gemwright.dsl.source import Span

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Read:
    """A read of `name` that not everybody may make; `mine`: the acting player may.

    `span` is None while no term around it has a place of its own.
    """

    name: str
    span: Span | None
    mine: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """A zone instance, or any instance when `index` is None or not known."""

    zone: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class Pick:
    """A picked piece or lot of `faces`. It is seen as its move is: by who sees either end."""

    name: str
    secret: bool
    faces: tuple[int, ...]
    sources: tuple[Spot, ...]
    target: Spot | None = None


def key_of(term: Term | None) -> Key | None:
    """What names a player the same way wherever it stands: a slot, a single variable, a seat."""
    if isinstance(term, Local):
        return ("slot", term.slot)
    if isinstance(term, ReadVariable) and term.index is None:
        return ("variable", term.variable)
    if isinstance(term, Const) and isinstance(term.value, int):
        return ("seat", term.value)
    return None


class Reads:
    """Finds the reads of terms at one place of the rules.

    Args:
        me: what names the acting player here; empty where nobody acts.
        strict: look inside `openly` too, where nothing would be published.
    """

    def __init__(self, game: Game, me: frozenset[Key], strict: bool = False) -> None:
        self.game = game
        self.me = me
        self.strict = strict
        self.slots: dict[int, Pick | tuple[Read, ...]] = {}
        self.doubt: set[int] | None = None
        """During setup the faces that chance has touched; everybody knows where all others lie."""
        self._owns_picks = True

    def copy(self) -> Reads:
        """The same for a block within: what it learns of slots does not come back."""
        other = Reads(self.game, self.me, self.strict)
        other.slots, other.doubt, other._owns_picks = dict(self.slots), self.doubt, self._owns_picks
        return other

    def owned_by(self, owner: Term) -> Reads | None:
        """The same with the acting player replaced by `owner`; None when that names nobody."""
        key = key_of(owner)
        if key is None or key in self.me:
            return self if key is not None else None
        other = self.copy()
        other.me, other._owns_picks = frozenset((key,)), False
        return other

    # -- terms -----------------------------------------------------------------------------------

    def of(self, node: Term | Domain | None) -> tuple[Read, ...]:
        """The reads of a term or domain that are not public, without repetitions."""
        if node is None:
            return ()
        found = self._of(node)
        if not found:
            return ()
        span = None
        if isinstance(node, Term) and not isinstance(node, Local | LotVector | PieceFace):
            span = node.span if not _is_borrowed(node) else None
        placed = (replace(read, span=span) if read.span is None else read for read in found)
        return tuple(dict.fromkeys(placed))

    def _of(self, node: Term | Domain) -> tuple[Read, ...]:
        match node:
            case Openly(term=term):
                return self.of(term) if self.strict else ()
            case Local() | PieceFace() | LotVector() | ZoneVector() | ZoneTop() | Widen():
                return self.looked(node, same)
            case ReadVariable():
                return self._variable(node)
            case PieceFrom(piece=piece, index=index):
                pick = self.slots.get(piece.slot)
                sealed = isinstance(pick, Pick) and pick.secret and pick.target is None
                return self.of(index) + (self._mine(piece.name) if sealed else ())
            case ZoneCount(zone=zone, index=index, face=face):
                look = only(face)
                return self.spot(Spot(zone, index), look, node.span) + self.of(face)
            case VectorIndex(vector=vector, face=face):
                return self.looked(vector, only(face)) + self.of(face)
            case VectorSum(vector=vector):
                return self.looked(vector, alike, linear=True)
            case Lookup(argument=argument, values=values, base=base):
                return self.looked(argument, column(values, base))
            case Compare(op="=" | "!=", left=left, right=Const(value=value)):
                return self.looked(left, lambda face: face == value)
            case Fold(domain=Pieces()):
                return self._fold(node)
            case Pieces(vector=vector, faces=faces):
                return self.looked(vector, lambda face: face if face in faces else OUT)
            case _:
                return tuple(read for part in parts(node) for read in self.of(part))

    def _fold(self, fold: Fold) -> tuple[Read, ...]:
        assert isinstance(fold.domain, Pieces)
        look = look_of(fold.op, fold.slot, fold.filter, fold.body, fold.domain.faces)
        return self.looked(fold.domain.vector, look) + self.of(fold.filter) + self.of(fold.body)

    def looked(self, term: Term, look: Look, linear: bool = False) -> tuple[Read, ...]:
        """The reads of a member or vector of which only the look of each face matters.

        `linear`: cells are added up, so that a difference is a difference of looks.
        """
        match term:
            case ZoneVector(zone=zone, index=index):
                return self.spot(Spot(zone, index), look, term.span)
            case ZoneTop(zone=zone, index=index):
                return self.spot(Spot(zone, index), look, term.span, ordered=True)
            case LotVector(lot=local) | PieceFace(piece=local):
                return self._slot(local, look)
            case Local():
                return self._slot(term, look)
            case Widen(vector=vector):
                faces = frozenset(term.type.faces)
                return self.looked(vector, lambda f: look(f) if f in faces else OUT, linear)
            case VectorOp(op=op, left=left, right=right):
                inner = look if op == "+" or (op == "-" and linear) else same
                return self.looked(left, inner, linear) + self.looked(right, inner, linear)
            case If(condition=condition, then=then, otherwise=otherwise):
                both = self.looked(then, look, linear) + self.looked(otherwise, look, linear)
                return self.of(condition) + both
            case _:
                return self.of(term)

    def _variable(self, term: ReadVariable) -> tuple[Read, ...]:
        variable = self.game.variables[term.variable]
        if variable.sight == "all":
            return self.of(term.index)
        owned = variable.sight == "owner" and variable.index == "player"
        mine = owned and key_of(term.index) in self.me
        return (*self.of(term.index), Read(variable.name, term.span, mine))

    # -- zones and picks -------------------------------------------------------------------------

    def spot(
        self, spot: Spot, look: Look, span: Span | None, ordered: bool = False
    ) -> tuple[Read, ...]:
        """The reads of a zone instance; `ordered`: of a place in it, which a shuffle changes."""
        zone = self.game.zones[spot.zone]
        found = self.of(spot.index)
        doubt = None if ordered else self.doubt
        if all(tells(zone.faces, c, look, doubt) for c in self._sights(zone, spot.index, False)):
            return found
        own = self._sights(zone, spot.index, True) if self.me else ()
        mine = bool(self.me) and all(tells(zone.faces, c, look, doubt) for c in own)
        return (*found, Read(zone.name, span, mine))

    def hides(self, spot: Spot, faces: tuple[int, ...]) -> bool:
        """Whether nobody but the acting player tells any of `faces` apart there."""
        zone = self.game.zones[spot.zone]
        places = [zone.faces.index(face) for face in faces if face in zone.faces]
        return all(
            len({zone.sight[instance][viewer][place] for place in places}) <= 1
            for actor in self._seats()
            for instance in self._instances(zone, spot.index, actor)
            for viewer in self._seats()
            if viewer != actor
        )

    def _seats(self) -> range:
        return range(self.game.players)

    def _instances(self, zone: Zone, index: Term | None, actor: int) -> range:
        key = key_of(index)
        if zone.index == "player" and key in self.me:
            return range(actor, actor + 1)
        if key is not None and key[0] == "seat" and 0 <= key[1] < zone.size:
            return range(key[1], key[1] + 1)
        return range(zone.size)

    def _sights(self, zone: Zone, index: Term | None, own: bool) -> tuple[tuple[int, ...], ...]:
        """The different sights of a zone: of the acting player, whoever it is, or of everybody."""
        found: dict[tuple[int, ...], None] = {}
        varies = own or key_of(index) in self.me
        for actor in self._seats() if varies else range(1):
            for instance in self._instances(zone, index, actor):
                viewers = range(actor, actor + 1) if own else self._seats()
                found.update(dict.fromkeys(zone.sight[instance][viewer] for viewer in viewers))
        return tuple(found)

    def _slot(self, local: Local, look: Look) -> tuple[Read, ...]:
        held = self.slots.get(local.slot, ())
        if not isinstance(held, Pick):
            return held
        if held.secret and held.target is None:
            return self._mine(held.name)
        fine = all(self._followed(held, source, look) for source in held.sources)
        return () if fine else self._mine(held.name)

    def _mine(self, name: str) -> tuple[Read, ...]:
        return (Read(name, None, self._owns_picks),)

    def _followed(self, pick: Pick, source: Spot, look: Look) -> bool:
        """Whether the others see enough of a pick, from where it lay and where it went."""
        zone = self.game.zones[source.zone]
        faces = [face for face in pick.faces if face in zone.faces]
        tested: set[tuple[tuple[int | None, int | None], ...]] = set()
        for actor in self._seats():
            for viewer in (seat for seat in self._seats() if seat != actor):
                there = self._shown(source, actor, viewer, faces)
                here = [] if pick.target is None else self._shown(pick.target, actor, viewer, faces)
                for one in there:
                    for other in here or (one,):
                        known = tuple(zip(one, other, strict=True))
                        if known in tested:
                            continue
                        tested.add(known)
                        if not tells(faces, known, look, None):
                            return False
        return True

    def _shown(
        self, spot: Spot, actor: int, viewer: int, faces: list[int]
    ) -> list[tuple[int | None, ...]]:
        """What a viewer sees of each face in each instance that a spot can be."""
        zone = self.game.zones[spot.zone]
        found: list[tuple[int | None, ...]] = []
        for instance in self._instances(zone, spot.index, actor):
            classes = dict(zip(zone.faces, zone.sight[instance][viewer], strict=True))
            found.append(tuple(classes.get(face) for face in faces))
        return found


def _is_borrowed(term: Term) -> bool:
    """Whether a term has only the place of the name inside it, where that was bound."""
    inner = next(iter(parts(term)), None)
    return isinstance(term, Lookup) and inner is not None and inner.span == term.span
