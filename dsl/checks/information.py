"""Information by syntax: who may know what a rule reads. See `docs/language.md`, information.

What a player picks from and what makes a pick legal may depend on what that player sees. What
happens before everybody's eyes (branches, amounts, loops, values of public state) may depend only
on what everybody sees, or says `openly`. Results are exempt: the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from gemwright.dsl.checks.box_doubt import BOX, doubtful
from gemwright.dsl.checks.looks import OUT, look_of
from gemwright.dsl.checks.reads import Key, Pick, Read, Reads, Spot
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.model.game import (
    Action,
    Assign,
    AssignRandom,
    Branch,
    Decide,
    Do,
    Eliminate,
    ForEach,
    Game,
    IfDo,
    Let,
    LoopStart,
    MoveAll,
    MoveEnd,
    MoveFace,
    MovePicked,
    MoveRandom,
    MoveVector,
    Parameter,
    Place,
    Point,
    Show,
    Shuffle,
    Source,
    Statement,
    Tell,
    ValueDomain,
)
from gemwright.dsl.model.terms import (
    And,
    Arithmetic,
    Compare,
    Domain,
    If,
    Local,
    Not,
    Openly,
    Or,
    ReadVariable,
    Term,
    VectorSum,
)
from gemwright.dsl.source import Span

ME: Final[Key] = ("slot", 0)
HELP: Final = "test only what everybody sees, or say `openly`, which publishes the value"
HELP_MOVE: Final = "move what everybody sees, or say `openly move ..`, which tells their number"
HELP_MINE: Final = "let what is picked and its conditions read only what the one who chooses sees"

Block = tuple[Statement, ...]


def check_information(game: Game, reporter: Reporter) -> None:
    """Report every read that its reader may not make (I001), at the read."""
    _Checker(game, reporter).run()


class _Checker:
    def __init__(self, game: Game, reporter: Reporter) -> None:
        self.game = game
        self.reporter = reporter
        self._seen: set[tuple[Span, str]] = set()
        self._in_doubt = doubtful(game)
        self._statements: dict[type[Statement], Callable[[Any, Reads], None]] = {
            MovePicked: self._move_picked,
            MoveEnd: self._move_end,
            MoveFace: self._move_face,
            MoveVector: self._move_vector,
            MoveAll: self._move_all,
            MoveRandom: self._move_random,
            Shuffle: lambda s, reads: self._spot(s.zone, s.span, reads),
            Assign: self._assign,
            AssignRandom: self._assign,
            Let: self._let,
            IfDo: self._if,
            ForEach: self._for,
            Show: self._show,
            Tell: self._tell,
            Eliminate: lambda s, reads: self._public(s.player, s.span, reads),
        }

    def run(self) -> None:
        for action in self.game.actions:
            self._action(action)
        for point in self.game.points:
            self._point(point)

    # -- findings --------------------------------------------------------------------------------

    def _report(self, found: Iterable[Read], span: Span, by: str = "", help: str = HELP) -> None:
        for read in found:
            place = read.span or span
            if (place, read.name) in self._seen:
                continue
            self._seen.add((place, read.name))
            whom = f"`{by}` may not" if by else "not everybody may"
            message = f"this reads `{read.name}`, which {whom} see"
            notes = () if place == span else ((span, "it decides something here"),)
            self.reporter.error("I001", place, message, HELP_MINE if by else help, notes)

    def _public(self, node: Term | Domain | None, span: Span, reads: Reads) -> None:
        self._report(reads.of(node), span)

    def _private(self, found: Iterable[Read], span: Span, by: str) -> None:
        self._report((read for read in found if not read.mine), span, by)

    # -- actions ---------------------------------------------------------------------------------

    def _action(self, action: Action) -> None:
        roles = self._roles(action)
        by = next((self.game.variables[role].name for role in roles), "me")
        me = frozenset((ME, *(("variable", role) for role in roles)))
        asking = Reads(self.game, me, strict=True)
        for parameter in action.parameters:
            self._parameter(parameter, asking, by)
        for line in action.where:
            self._private(asking.of(line.condition), line.span, by)
        written = {s.variable for s in _all(action.do) if isinstance(s, Assign | AssignRandom)}
        kept = frozenset(key for key in me if key[0] != "variable" or key[1] not in written)
        doing = Reads(self.game, kept)
        doing.slots = asking.slots
        self._block(action.do, doing)

    def _roles(self, action: Action) -> tuple[int, ...]:
        """The variable that names who chooses, if it is the same wherever the action is offered."""
        found: dict[int | None, None] = {}
        for point in self.game.points:
            if isinstance(point, Decide):
                if action.id not in (*point.actions, *point.anytime, *point.fallback):
                    continue
                plain = isinstance(point.by, ReadVariable) and point.by.index is None
                by = point.by
                found[by.variable if plain and isinstance(by, ReadVariable) else None] = None
        roles = tuple(role for role in found if role is not None)
        return roles if len(found) == 1 else ()

    def _parameter(self, parameter: Parameter, reads: Reads, by: str) -> None:
        domain, name, span = parameter.domain, parameter.name, parameter.span
        if isinstance(domain, ValueDomain):
            self._private(reads.of(domain.domain), span, by)
            secret = (Read(name, None, True),) if parameter.secret else ()
            reads.slots[parameter.slot] = secret
            return
        faces = frozenset(domain.faces)
        spots = tuple(Spot(source.zone, source.index) for source in domain.sources)
        for spot in spots:
            found = reads.spot(spot, lambda face: face if face in faces else OUT, None)
            self._private(found, span, by)
        reads.slots[parameter.slot] = Pick(name, parameter.secret, domain.faces, spots)

    # -- control points --------------------------------------------------------------------------

    def _point(self, point: Point) -> None:
        reads = Reads(self.game, frozenset())
        if isinstance(point, Do):
            if point.id == self.game.start:
                reads.doubt = set()
            self._block(point.body, reads)
        elif isinstance(point, Branch):
            for arm in point.arms:
                self._public(arm.condition, arm.span, reads)
        elif isinstance(point, LoopStart):
            self._public(point.start, point.span, reads)
        elif isinstance(point, Decide):
            self._public(point.by, point.span, reads)
            self._public(point.others, point.span, reads)

    # -- statements ------------------------------------------------------------------------------

    def _block(self, block: Block, reads: Reads) -> None:
        for statement in block:
            check = self._statements.get(type(statement))
            if check is not None:
                check(statement, reads)
            for name in ("value", "count", "index"):
                _reveal(getattr(statement, name, None), reads)
            if reads.doubt is not None:
                reads.doubt.update(self._stirred(statement))

    def _spot(self, spot: Source | Place, span: Span, reads: Reads) -> None:
        self._public(spot.index, span, reads)
        if isinstance(spot, Place):
            self._public(spot.among, span, reads)

    def _move_picked(self, move: MovePicked, reads: Reads) -> None:
        self._spot(move.to, move.span, reads)
        pick = reads.slots.get(move.slot)
        if isinstance(pick, Pick):
            reads.slots[move.slot] = replace(pick, target=Spot(move.to.zone, move.to.index))

    def _ends(self, move: MoveEnd | MoveFace | MoveVector | MoveRandom, reads: Reads) -> None:
        self._spot(move.source, move.span, reads)
        self._spot(move.to, move.span, reads)

    def _move_end(self, move: MoveEnd, reads: Reads) -> None:
        self._public(move.count, move.span, reads)
        self._ends(move, reads)

    def _move_random(self, move: MoveRandom, reads: Reads) -> None:
        self._public(move.count, move.span, reads)
        self._ends(move, reads)

    def _move_vector(self, move: MoveVector, reads: Reads) -> None:
        self._public(move.vector, move.span, reads)
        self._ends(move, reads)

    def _move_face(self, move: MoveFace, reads: Reads) -> None:
        """Which face moves may be the actor's secret while nobody else can tell at either end."""
        self._public(move.count, move.span, reads)
        self._ends(move, reads)
        found = reads.of(move.face)
        spots = (Spot(move.source.zone, move.source.index), Spot(move.to.zone, move.to.index))
        dark = all(reads.hides(spot, move.face.type.faces) for spot in spots)
        self._report((read for read in found if not (dark and read.mine)), move.span)

    def _move_all(self, move: MoveAll, reads: Reads) -> None:
        """How many pieces pass the filter shows in the sizes of both ends."""
        self._spot(move.to, move.span, reads)
        self._public(move.filter, move.span, reads)
        if move.source is not None:
            self._spot(move.source, move.span, reads)
        if move.openly:
            return
        look = look_of("some", move.slot, move.filter, None, move.faces)
        if move.source is not None:
            spot = Spot(move.source.zone, move.source.index)
            self._report(reads.spot(spot, look, None), move.span, help=HELP_MOVE)
            return
        for zone in self.game.zones:
            there = reads
            if zone.name == BOX and reads.doubt is None:
                there = reads.copy()
                there.doubt = set(self._in_doubt)
            if zone.id != move.to.zone or zone.size > 1:
                spot = Spot(zone.id, None)
                self._report(there.spot(spot, look, None), move.span, help=HELP_MOVE)

    def _assign(self, change: Assign | AssignRandom, reads: Reads) -> None:
        """State that somebody does not see takes what that somebody need not know."""
        variable = self.game.variables[change.variable]
        node = change.value if isinstance(change, Assign) else change.domain
        if variable.sight == "nobody" or (variable.sight == "owner" and variable.index != "player"):
            return
        self._public(change.index, change.span, reads)
        owned = None
        if variable.sight == "owner" and change.index is not None:
            owned = reads.owned_by(change.index)
        if owned is None:
            self._public(node, change.span, reads)
        else:
            self._report((read for read in owned.of(node) if not read.mine), change.span)

    def _let(self, let: Let, reads: Reads) -> None:
        reads.slots[let.slot] = reads.of(let.value)

    def _if(self, statement: IfDo, reads: Reads) -> None:
        """What a pick's move shows is known afterwards only if both sides move it alike."""
        self._public(statement.condition, statement.span, reads)
        _reveal(statement.condition, reads)
        sides = []
        for block in (statement.then, statement.otherwise):
            side = reads.copy()
            self._block(block, side)
            sides.append(side.slots)
        for slot in reads.slots:
            if sides[0][slot] == sides[1][slot]:
                reads.slots[slot] = sides[0][slot]

    def _for(self, loop: ForEach, reads: Reads) -> None:
        self._public(loop.domain, loop.span, reads)
        if reads.doubt is not None:
            for statement in _all(loop.body):
                reads.doubt.update(self._stirred(statement))
        self._block(loop.body, reads.copy())

    def _show(self, show: Show, reads: Reads) -> None:
        self._spot(show.zone, show.span, reads)
        self._public(show.to, show.span, reads)

    def _tell(self, tell: Tell, reads: Reads) -> None:
        """Telling one player is what publishes to that player, so only telling all is tested."""
        if tell.to is None:
            self._public(tell.value, tell.span, reads)
        self._public(tell.to, tell.span, reads)

    # -- setup -----------------------------------------------------------------------------------

    def _stirred(self, statement: Statement) -> frozenset[int]:
        """The faces of which nobody can say any more where they lie, once setup did this."""
        zones = self.game.zones
        found: set[int] = set()
        if isinstance(statement, MoveRandom):
            found.update(statement.faces)
        if isinstance(statement, MoveEnd):
            found.update(zones[statement.source.zone].faces)
        touched = _touched(statement)
        for zone in zones:
            if zone.refill is not None and touched & {zone.id, zone.refill}:
                found.update(zones[zone.refill].faces)
        return frozenset(found)


def _reveal(term: object, reads: Reads) -> None:
    """What a term publishes whenever it is read was hidden before and is not any more."""
    match term:
        case Openly(term=Local(slot=slot)):
            if not isinstance(reads.slots.get(slot), Pick):
                reads.slots[slot] = ()
        case Openly(term=inner) | Not(term=inner) | VectorSum(vector=inner):
            _reveal(inner, reads)
        case Compare(left=left, right=right) | Arithmetic(left=left, right=right):
            _reveal(left, reads)
            _reveal(right, reads)
        case And(terms=terms) | Or(terms=terms):
            _reveal(terms[0], reads)
        case If(condition=condition):
            _reveal(condition, reads)


def _touched(statement: Statement) -> frozenset[int]:
    """The zones that a move names."""
    ends = (getattr(statement, "source", None), getattr(statement, "to", None))
    return frozenset(end.zone for end in ends if isinstance(end, Source | Place))


def _all(block: Block) -> Iterator[Statement]:
    """All statements of a block and of the blocks in it."""
    for statement in block:
        yield statement
        if isinstance(statement, IfDo):
            yield from _all(statement.then)
            yield from _all(statement.otherwise)
        elif isinstance(statement, ForEach):
            yield from _all(statement.body)
