"""What a term reads that not everybody may see.

A zone shows each viewer how many pieces of each *class* of faces lie there (`Zone.sight`), so a
read is public if it treats faces alike that somebody cannot tell apart: a size, a count by a
visible column. What a read does with faces is its *look*, a function from a face to anything that
can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Final

from gemwright.dsl.model import Game, Zone
from gemwright.dsl.source import Span
from gemwright.dsl.terms import (
    Arithmetic,
    Compare,
    Const,
    Domain,
    Faces,
    Fold,
    If,
    Local,
    Lookup,
    LotVector,
    Not,
    Numbers,
    Openly,
    PieceFace,
    PieceFrom,
    Pieces,
    Players,
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

Look = Callable[[int], Hashable]
Key = tuple[str, int]
OUT: Final = "out"
"""The look of a face that a read passes over."""


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


def parts(node: Term | Domain) -> Iterator[Term]:
    """The terms directly inside a term or domain."""
    for each in fields(node):
        value = getattr(node, each.name)
        if isinstance(value, Term):
            yield value
        elif isinstance(value, Faces | Players | Numbers | Pieces):
            yield from parts(value)
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Term))


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
                return self.looked(node, _same)
            case ReadVariable():
                return self._variable(node)
            case PieceFrom(piece=piece, index=index):
                pick = self.slots.get(piece.slot)
                sealed = isinstance(pick, Pick) and pick.secret and pick.target is None
                return self.of(index) + (self._mine(piece.name) if sealed else ())
            case ZoneCount(zone=zone, index=index, face=face):
                look = _only(face)
                return self.spot(Spot(zone, index), look, node.span) + self.of(face)
            case VectorIndex(vector=vector, face=face):
                return self.looked(vector, _only(face)) + self.of(face)
            case VectorSum(vector=vector):
                return self.looked(vector, _alike, linear=True)
            case Lookup(argument=argument, values=values, base=base):
                return self.looked(argument, _column(values, base))
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
                inner = look if op == "+" or (op == "-" and linear) else _same
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
        if all(_tells(zone.faces, c, look, doubt) for c in self._sights(zone, spot.index, False)):
            return found
        own = self._sights(zone, spot.index, True) if self.me else ()
        mine = bool(self.me) and all(_tells(zone.faces, c, look, doubt) for c in own)
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
        for actor in self._seats():
            for viewer in (seat for seat in self._seats() if seat != actor):
                there = self._shown(source, actor, viewer, faces)
                here = [] if pick.target is None else self._shown(pick.target, actor, viewer, faces)
                for one in there:
                    for other in here or (one,):
                        known = tuple(zip(one, other, strict=True))
                        if not _tells(faces, known, look, None):
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


# -- looks --------------------------------------------------------------------------------------


def look_of(
    op: str, slot: int, test: Term | None, body: Term | None, faces: tuple[int, ...]
) -> Look:
    """How an aggregate over pieces looks at a face that stands in `slot`."""
    neutral = {"sum": 0, "some": 0, "every": 1}.get(op)
    whole = [term for term in (test, body) if term is not None]
    if all(_at(term, slot, face) is not None for term in whole for face in faces):
        seen: dict[int, Hashable] = {}
        for face in faces:
            value = 1 if body is None else _at(body, slot, face)
            kept = test is None or bool(_at(test, slot, face))
            seen[face] = value if kept and value != neutral else OUT
    else:
        atoms = [atom for term in whole for atom in _atoms(term, slot, faces)]
        seen = {face: tuple(_at(atom, slot, face) for atom in atoms) for face in faces}
    return lambda face: seen.get(face, OUT)


def _atoms(term: Term, slot: int, faces: tuple[int, ...]) -> Iterator[Term]:
    """The largest parts of a term that depend on nothing but the slot."""
    if all(_at(term, slot, face) is not None for face in faces):
        yield term
        return
    for part in parts(term):
        yield from _atoms(part, slot, faces)


def _at(term: Term, slot: int, face: int) -> int | tuple[int, ...] | None:
    """The value of a term with a face in the slot; None when it depends on anything else."""
    match term:
        case Const(value=value):
            return value
        case Local(slot=where):
            return face if where == slot else None
        case Lookup(values=values, argument=argument, base=base):
            place = _at(argument, slot, face)
            inside = isinstance(place, int) and 0 <= place - base < len(values)
            return values[place - base] if inside and isinstance(place, int) else None
        case Not(term=inner):
            truth = _at(inner, slot, face)
            return None if truth is None else int(not truth)
        case Compare(op=op, left=left, right=right) | Arithmetic(op=op, left=left, right=right):
            x, y = _at(left, slot, face), _at(right, slot, face)
            return _joined(op, x, y) if isinstance(x, int) and isinstance(y, int) else None
        case _:
            return None


def _joined(op: str, x: int, y: int) -> int:
    return {
        "<": int(x < y),
        "<=": int(x <= y),
        ">": int(x > y),
        ">=": int(x >= y),
        "=": int(x == y),
        "!=": int(x != y),
        "+": x + y,
        "-": x - y,
        "*": x * y,
    }[op]


def _tells(
    faces: tuple[int, ...] | list[int],
    classes: tuple[Hashable, ...],
    look: Look,
    doubt: set[int] | None,
) -> bool:
    """Whether faces of one class all look the same; faces out of doubt are a class of their own."""
    seen: dict[Hashable, Hashable] = {}
    for face, shown in zip(faces, classes, strict=True):
        if doubt is not None and face not in doubt:
            continue
        if seen.setdefault(shown, look(face)) != look(face):
            return False
    return True


def _same(face: int) -> Hashable:
    return face


def _alike(face: int) -> Hashable:
    return 1


def _only(face: Term) -> Look:
    """The look of a count of one face, whichever of its type it is."""
    wanted = frozenset(face.type.faces)
    if isinstance(face, Const) and isinstance(face.value, int):
        wanted = frozenset((face.value,))
    return lambda each: each if each in wanted else OUT


def _column(values: tuple[int | tuple[int, ...], ...], base: int) -> Look:
    return lambda face: values[face - base] if 0 <= face - base < len(values) else OUT


def _is_borrowed(term: Term) -> bool:
    """Whether a term has only the place of the name inside it, where that was bound."""
    inner = next(parts(term), None)
    return isinstance(term, Lookup) and inner is not None and inner.span == term.span
