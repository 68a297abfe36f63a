"""Conditions on a path: the ways on which one holds, and those on which it does not.

Along a way that is given as one on which a condition holds the guard has what follows from the
condition. Where that is all there is to it the way stays exact; else it is one that may hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gemwright.dsl.elaboration import folding
from gemwright.dsl.model import terms as t
from gemwright.validator.abstraction.known_conditions import KnownConditions
from gemwright.validator.abstraction.loop_roles import by_round, rounds_of_roles
from gemwright.validator.abstraction.numbers import Arithmetic, Element
from gemwright.validator.abstraction.places import Places
from gemwright.validator.abstraction.symbols import Path, Piece, Some, Truth, Value, Vector, total
from gemwright.validator.abstraction.terms import MOST_FORKS, Branches
from gemwright.validator.abstraction.vocabulary import Vocabulary
from gemwright.validator.linear.affine import (
    ONE,
    ZERO,
    Affine,
    Constraint,
    at_least,
    at_most,
    equal,
)
from gemwright.validator.rules.face_functions import function_of

_NEGATED: Mapping[str, str] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


class Conditions(Arithmetic):
    """Reads conditions. `known_conditions` is what is known of those that cannot be spelt out."""

    def __init__(self, vocabulary: Vocabulary, places: Places) -> None:
        super().__init__(vocabulary, places)
        self.known_conditions = KnownConditions(vocabulary, self.keys)
        self._roles = rounds_of_roles(vocabulary.game)

    def branch(self, term: t.Term, path: Path) -> Branches:
        """The paths on which a condition holds, and those on which it does not.

        The path given must not be used any more.
        """
        known = folding.scalar(term)
        if known is not None:
            return ([path], []) if known else ([], [path])
        match term:
            case t.Not(term=inner):
                yes, no = self.branch(inner, path)
                return no, yes
            case t.And(terms=parts):
                return self._all(parts, path)
            case t.Or(terms=parts):
                no, yes = self._all(tuple(t.Not(t.FLAG, None, part) for part in parts), path)
                return yes, no
            case t.Openly(term=inner):
                return self.branch(inner, path)
            case t.If():
                return self._if_condition(term, path)
        return self._remembered(term, path)

    def holds(self, term: t.Term, path: Path) -> list[Path]:
        """The paths on which a condition holds."""
        return self.branch(term, path)[0]

    # -- composed

    def _all(self, parts: Sequence[t.Term], path: Path) -> Branches:
        """All of the parts; a part is tested only where those before it hold."""
        spare = path.fork()
        going, failed = [path], list[Path]()
        for part in parts:
            kept: list[Path] = []
            for way in going:
                yes, no = self.branch(part, way)
                kept.extend(yes)
                failed.extend(no)
            going = self._few(kept, spare)
        return going, self._few(failed, spare)

    @staticmethod
    def _few(ways: list[Path], spare: Path) -> list[Path]:
        """No more ways than can be followed: instead of too many the one on which nothing is
        known."""
        if len(ways) <= MOST_FORKS:
            return ways
        joined = spare.fork()
        joined.exact = False
        return [joined]

    def _if_condition(self, term: t.If, path: Path) -> Branches:
        yes, no = self.branch(term.condition, path)
        ways = [self.branch(term.then, way) for way in yes]
        ways += [self.branch(term.otherwise, way) for way in no]
        return [w for way in ways for w in way[0]], [w for way in ways for w in way[1]]

    def _remembered(self, term: t.Term, path: Path) -> Branches:
        key = self.keys.key(term, path)
        kept = path.truths.get(key)
        if kept is not None:
            return ([path], []) if kept.holds else ([], [path])
        exact, path.exact = path.exact, True
        spare = path.fork() if isinstance(term, t.Fold) else None
        yes, no = self._atom(term, path)
        spelt_out = all(way.exact for way in (*yes, *no))
        if not spelt_out:
            if spare is not None:
                yes, no = _joined(yes, spare), _joined(no, spare)
            for holds, ways in ((True, yes), (False, no)):
                for way in ways:
                    self.known_conditions.test(key, way, holds)
        tokens = self.keys.tokens(term)
        for holds, ways in ((True, yes), (False, no)):
            for way in ways:
                way.exact = way.exact and exact
                way.truths[key] = Truth(holds, tokens, spelt_out)
        return [w for w in yes if w.possible()], [w for w in no if w.possible()]

    # -- atoms

    def _atom(self, term: t.Term, path: Path) -> Branches:
        match term:
            case t.Compare():
                return self._compare(term, path)
            case t.VectorCompare():
                return self._vector_compare(term, path)
            case t.IsOut():
                return self._is_out(term, path)
            case t.PieceFrom():
                return self._piece_from(term, path)
            case t.Fold():
                return self._quantified(term, path)
            case t.Local() | t.ReadVariable() | t.Lookup() | t.Table() | t.VectorIndex():
                return self._is_true(term, path)
        return self._either(path)

    def _either(self, path: Path) -> Branches:
        """Nothing is known: it may hold or not."""
        path.exact = False
        return [path], [path.fork()]

    def _split(self, path: Path, holds: Constraint) -> Branches:
        """A constraint and its negation."""
        no = []
        for constraint in holds.negation:
            way = path.fork()
            way.builder.assume(constraint)
            no.append(way)
        path.builder.assume(holds)
        return [path], no

    def _is_true(self, term: t.Term, path: Path) -> Branches:
        yes, no = list[Path](), list[Path]()
        for way, value in self.number(term, path):
            some, other = self._split(way, at_least(value, ONE))
            yes.extend(some)
            no.extend(other)
        return yes, no

    def _is_out(self, term: t.IsOut, path: Path) -> Branches:
        yes, no = list[Path](), list[Path]()
        for way, value in self.read(term.player, path):
            seats = value.values if isinstance(value, Some) else (value,)
            inside = [s for s in seats if isinstance(s, int) and 0 <= s < self.game.players]
            singles: list[tuple[Path, int | Some]]
            if isinstance(value, Some) and not self.vocabulary.pooled:
                ways = self.known(term.player, way)
                singles = [(last, seat) for last, seat in ways if seat >= 0]
            else:
                singles = [(way, value)] if inside and isinstance(value, int | Some) else []
            for last, seat in singles:
                some, other = self._split(last, at_least(self.is_out(seat, last), ONE))
                yes.extend(some)
                no.extend(other)
        return yes, no

    def _piece_from(self, term: t.PieceFrom, path: Path) -> Branches:
        piece = path.frame[term.piece.slot]
        assert isinstance(piece, Piece)
        yes, no = list[Path](), list[Path]()
        zone = self.game.zones[term.zone]
        every = range(zone.first, zone.first + zone.size)
        spots = [(path, tuple(every))]
        if term.index is not None:
            spots = [(w, spot.instances) for w, spot in self.spots(term.zone, term.index, path)]
        for way, instances in spots:
            some, other = self._lies_in(piece, frozenset(instances), way)
            yes.extend(some)
            no.extend(other)
        return yes, no

    def _lies_in(self, piece: Piece, instances: frozenset[int], path: Path) -> Branches:
        inside, doubtful = ZERO, False
        for part in piece.parts:
            there = frozenset(part.spot.instances) if part.spot is not None else frozenset()
            if there & instances:
                inside = inside + part.amount
                doubtful = doubtful or not there <= instances or len(instances) > 1 < len(there)
        if doubtful:
            return self._either(path)
        return self._split(path, at_least(inside, ONE))

    # -- comparing

    def _compare(self, term: t.Compare, path: Path) -> Branches:
        bases = {term.left.type.base, term.right.type.base}
        if bases <= {t.Base.INT, t.Base.FLAG}:
            return self._compare_numbers(term, path)
        if term.op not in ("=", "!="):
            yes, no = self._compare_order(term, path)
        else:
            known = by_round(term, path, self._roles, self.vocabulary)
            yes, no = self._same(term, path) if known is None else known
            if term.op == "!=":
                yes, no = no, yes
        return yes, no

    def _compare_numbers(self, term: t.Compare, path: Path) -> Branches:
        yes, no = list[Path](), list[Path]()
        for first, left in self.number(term.left, path):
            for way, right in self.number(term.right, first):
                yes.extend(_assumed(way.fork(), constraints(term.op, left, right)))
                no.extend(_assumed(way, constraints(_NEGATED[term.op], left, right)))
        return yes, no

    def _compare_order(self, term: t.Compare, path: Path) -> Branches:
        yes, no = list[Path](), list[Path]()
        for first, left in self.read(term.left, path):
            for way, right in self.read(term.right, first):
                if isinstance(left, int) and isinstance(right, int):
                    less = left < right if term.op[0] == "<" else left > right
                    holds = less or (len(term.op) == 2 and left == right)
                    (yes if holds else no).append(way)
                else:
                    some, other = self._either(way)
                    yes.extend(some)
                    no.extend(other)
        return yes, no

    def _same(self, term: t.Compare, path: Path) -> Branches:
        """Whether two members or seats are the same one."""
        yes, no = list[Path](), list[Path]()
        for first, left in self.read(term.left, path):
            for way, right in self.read(term.right, first):
                some, other = self._same_values(term, left, right, way)
                yes.extend(some)
                no.extend(other)
        return yes, no

    def _same_values(self, term: t.Compare, left: Value, right: Value, path: Path) -> Branches:
        if isinstance(left, int) and isinstance(right, int):
            return ([path], []) if left == right else ([], [path])
        if left == right and isinstance(left, Some):
            return [path], []
        for piece, face in ((left, right), (right, left)):
            if isinstance(piece, Piece) and isinstance(face, int):
                return self._is_face(piece, face, path)
        for some, other, named in ((left, right, term.left), (right, left, term.right)):
            if isinstance(some, Some) and isinstance(other, int):
                return self._is_value(some, other, named, path)
        return self._either(path)

    def _is_face(self, piece: Piece, face: int, path: Path) -> Branches:
        if face not in piece.faces:
            return [], [path]
        if piece.faces == (face,):
            return [path], []
        family = self.vocabulary.family_of[face]
        share = total(part.amount for part in piece.parts if part.family == family)
        if len(self.vocabulary.families[family].faces) == 1:
            return self._split(path, at_least(share, ONE))
        path.exact = False
        no = path.fork()
        path.builder.assume(at_least(share, ONE))
        return [path], [no]

    def _is_value(self, some: Some, value: int, named: t.Term, path: Path) -> Branches:
        if value not in some.values:
            return [], [path]
        rest = tuple(each for each in some.values if each != value)
        yes, no = path, path.fork()
        self.bind(named, value, yes)
        if isinstance(named, t.Local):
            no.frame[named.slot] = rest[0] if len(rest) == 1 else Some(rest, some.number)
        # Two unknown seats may be one: what is said of one name need not hold for the other.
        yes.exact = no.exact = False
        return [yes], [no] if rest else []

    def _vector_compare(self, term: t.VectorCompare, path: Path) -> Branches:
        yes, no = list[Path](), list[Path]()
        for first, left in self.vector(term.left, path):
            for way, right in self.vector(term.right, first):
                some, other = self._vectors(term.op, left, right, way)
                yes.extend(some)
                no.extend(other)
        return yes, no

    def _vectors(self, op: str, left: Vector, right: Vector, path: Path) -> Branches:
        pairs = [
            (_part(left, family), _part(right, family), self._is_single(family))
            for family in dict.fromkeys(p.family for p in (*left.parts, *right.parts))
        ]
        whole = left.exact and right.exact and all(single for _, _, single in pairs)
        relation = "<=" if op == "<=" else "="
        rows = [constraints(relation, a, b) for a, b, _ in pairs]
        if whole and len(pairs) == 1:
            yes = _assumed(path.fork(), rows[0])
            no = _assumed(path, constraints(_NEGATED[relation], *pairs[0][:2]))
        else:
            # Cell by cell implies family by family, and not the other way round.
            no = [path.fork()]
            for row in rows:
                path.builder.assume(*row[0])
            path.exact = path.exact and whole
            no[0].exact = False
            yes = [path]
        return (no, yes) if op == "!=" else (yes, no)

    # -- quantified

    def _quantified(self, term: t.Fold, path: Path) -> Branches:
        assert term.body is not None
        if isinstance(term.domain, t.Pieces):
            return self._over_some_pieces(term, term.domain, path)
        yes, no = list[Path](), list[Path]()
        for way, elements in self.elements(term.domain, path):
            some, other = (
                self._either(way) if elements is None else self._unrolled(term, elements, way)
            )
            yes.extend(some)
            no.extend(other)
        return yes, no

    def _unrolled(self, term: t.Fold, elements: Sequence[Element], path: Path) -> Branches:
        """`some` is one that holds after others that do not; `every` is no one that does not."""
        assert term.body is not None
        wanted, spare = term.op == "some", path.fork()
        going, found = [path], list[Path]()
        for element, there in elements:
            following: list[Path] = []
            for way in going:
                absent = _assumed(way.fork(), [[at_most(there, ZERO)]])
                following.extend(absent)
                for inside in _assumed(way, [[at_least(there, ONE)]]):
                    inside.frame[term.slot] = element
                    yes, no = self.branch(term.body, inside)
                    found.extend(yes if wanted else no)
                    following.extend(no if wanted else yes)
            going = self._few(following, spare)
        found = self._few(found, spare)
        return (found, going) if wanted else (going, found)

    def _over_some_pieces(self, term: t.Fold, domain: t.Pieces, path: Path) -> Branches:
        assert term.body is not None
        if domain.vector.type.low < 0:
            return self._either(path)
        yes, no = list[Path](), list[Path]()
        for way, vector in self.vector(domain.vector, path):
            inside = self._narrowed(vector, t.Type(t.Base.VECTOR, faces=domain.faces), way)
            body = term.body if term.op == "some" else t.Not(t.FLAG, None, term.body)
            some, other = self._some_piece(body, term.slot, inside, way)
            yes.extend(some if term.op == "some" else other)
            no.extend(other if term.op == "some" else some)
        return yes, no

    def _some_piece(self, body: t.Term, slot: int, vector: Vector, path: Path) -> Branches:
        """Whether a piece of a vector passes a test."""
        surely, maybe, clear = ZERO, ZERO, True
        for part in vector.parts:
            faces = self.vocabulary.families[part.family].faces
            passed = function_of(body, slot, faces)
            if passed is None or any(passed):
                maybe = maybe + part.amount
            if passed is not None and all(passed):
                surely = surely + part.amount
            elif passed is None or any(passed):
                clear = False
        if clear:
            return self._split(path, at_least(surely, ONE))
        path.exact = False
        no = path.fork()
        path.builder.assume(at_least(maybe, ONE))
        no.builder.assume(at_most(surely, ZERO))
        return [path], [no]


def constraints(op: str, left: Affine, right: Affine) -> list[list[Constraint]]:
    """A comparison as alternatives, each a conjunction."""
    if op == "=":
        return [[equal(left, right)]]
    if op == "!=":
        return [[at_most(left + 1, right)], [at_least(left - 1, right)]]
    if op in ("<", "<="):
        return [[at_most(left + (1 if op == "<" else 0), right)]]
    return [[at_least(left - (1 if op == ">" else 0), right)]]


def _assumed(path: Path, alternatives: list[list[Constraint]]) -> list[Path]:
    """A path for each alternative that ranges leave room for."""
    found = []
    for number, conjunction in enumerate(alternatives):
        way = path if number == len(alternatives) - 1 else path.fork()
        way.builder.assume(*conjunction)
        if way.possible():
            found.append(way)
    return found


def _joined(ways: list[Path], spare: Path) -> list[Path]:
    """Several ways on which nothing is known for certain are no better than one."""
    if len(ways) < 2:
        return ways
    way = spare.fork()
    way.exact = False
    return [way]


def _part(vector: Vector, family: int) -> Affine:
    return total(part.amount for part in vector.parts if part.family == family)
