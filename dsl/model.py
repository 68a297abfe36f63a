"""The game model: one ruleset at one player count with one set of options, typed and immutable.

It keeps what people talk about (zones, actions, phases, conditions with their clause marks) for
messages,
views, explanations and proofs. `gemwright.dsl.elaborate` builds it; nothing in it refers to
YAML or text
except through spans. Reading order: faces and zones, variables, statements, actions, control
points, game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gemwright.dsl.source import Span
from gemwright.dsl.terms import Domain, Term, Type

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Element:
    """A marked place of the rules file: what `clauses` counts. `id` is its position in
    `Game.elements`."""

    id: int
    name: str
    clauses: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Kind:
    """A finite ordered set. `columns` maps a column to its value per face position."""

    name: str
    plural: str
    faces: tuple[int, ...]
    numbers: tuple[int, ...] | None = None
    """For a range of numbers the number of each member."""


@dataclass(frozen=True, slots=True)
class Face:
    """A member of a kind: what identical pieces share."""

    id: int
    name: str
    kind: str
    count: int
    """How many such pieces exist (all lie in the box at first); 0 for a kind that is no
    component."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A family of places. Instances are numbered `first .. first + size - 1`, globally unique.

    `sight[i][v]` tells what viewer v sees in instance i: for each face of `faces` a class
    number; equal
    classes look the same to him. All equal = only the size; all different = everything.
    """

    id: int
    name: str
    faces: tuple[int, ...]
    index: str
    """'' for a single zone, 'player', or the name of the kind or range that indexes it."""
    labels: tuple[str, ...]
    """One label per instance: '', a seat 'P1', or a member's name."""
    order: str
    """'counts', 'stack' or 'row'."""
    slots: int
    """Cells of an ordered instance: the greatest number of pieces; the length of a row."""
    limit: int | None
    refill: int | None
    """The zone (family) that fills the gaps of a row, same index or a single zone."""
    sight: tuple[tuple[tuple[int, ...], ...], ...]
    seen_by: str
    """How the file says it, for people: 'all', 'owner', 'nobody' or 'columns'."""
    first: int
    offset: int
    """First cell of the first instance in the state block; `stride` cells per instance.
    counts: one cell per face. stack: size, then faces + 1 from bottom to top. row: face + 1 per
    slot, 0 = gap."""
    stride: int
    span: Span
    element: int | None

    @property
    def size(self) -> int:
        """Number of instances."""
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable or a role: `size` cells from `offset`, each in `type` (nobody = -1)."""

    id: int
    name: str
    type: Type
    index: str
    labels: tuple[str, ...]
    start: tuple[int, ...]
    sight: str
    """'all', 'owner' or 'nobody'."""
    offset: int
    role: bool
    span: Span
    element: int | None

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.labels)


# -- effects -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where pieces go. `at`: 'any' (unordered or row), 'top', 'bottom', 'random' (among the
    bottom `among`)."""

    zone: int
    index: Term | None
    at: str = "any"
    among: Term | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A zone instance that pieces come from."""

    zone: int
    index: Term | None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence. `elements` are the marked places whose meaning it carries: they ran when it
    ran."""

    span: Span
    elements: tuple[int, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class MovePicked(Statement):
    """Move a picked piece or lot (the parameter in `slot`) from where it was picked."""

    slot: int
    lot: bool
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class MoveEnd(Statement):
    """Move `count` pieces one by one from an end ('top' or 'bottom') of a stack; fewer if it
    runs out."""

    end: str
    count: Term
    source: Source
    to: Place
    shuffled: bool
    exact: bool = False
    """True when the file names a number: it is an assertion that so many are there."""


@dataclass(frozen=True, slots=True)
class MoveFace(Statement):
    """Move `count` pieces of one face."""

    count: Term
    face: Term
    source: Source
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class MoveVector(Statement):
    """Move a computed lot, cell by cell."""

    vector: Term
    source: Source
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class MoveAll(Statement):
    """Move every piece of `faces` (with `filter` true for the face in `slot`) out of one zone
    instance,
    or, when `source` is None, from wherever such pieces lie."""

    faces: tuple[int, ...]
    source: Source | None
    slot: int
    filter: Term | None
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class MoveRandom(Statement):
    """Move `count` random pieces of `faces`: single draws over the remaining pieces in face
    order."""

    count: Term
    faces: tuple[int, ...]
    source: Source
    to: Place
    shuffled: bool


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    """Shuffle a stack (Fisher-Yates over its pieces in face order)."""

    zone: Source


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    """`:=`, `+=` or `-=` on a variable."""

    variable: int
    index: Term | None
    op: str
    value: Term


@dataclass(frozen=True, slots=True)
class AssignRandom(Statement):
    """A variable becomes a random player still in, or a random number or member of `domain`."""

    variable: int
    index: Term | None
    domain: Domain


@dataclass(frozen=True, slots=True)
class Let(Statement):
    """Freeze a value in a frame slot."""

    slot: int
    name: str
    value: Term


@dataclass(frozen=True, slots=True)
class IfDo(Statement):
    """Run one of two blocks."""

    condition: Term
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    """Run `body` for each element of a domain that is evaluated once, the element in `slot`.
    Over `Pieces` `count_slot`, if any, holds the count at the start."""

    slot: int
    name: str
    domain: Domain
    body: tuple[Statement, ...]
    count_slot: int | None = None


@dataclass(frozen=True, slots=True)
class Show(Statement):
    """The pieces of a zone instance become known to `to` (None = everybody)."""

    zone: Source
    to: Term | None


@dataclass(frozen=True, slots=True)
class Tell(Statement):
    """A value becomes known to `to` (None = everybody)."""

    value: Term
    text: str
    to: Term | None


@dataclass(frozen=True, slots=True)
class Eliminate(Statement):
    """A player is out of the game."""

    player: Term


@dataclass(frozen=True, slots=True)
class Leave(Statement):
    """End the effect at once and go to a control point (the exit of the phase that is left)."""

    target: int
    phase: str


@dataclass(frozen=True, slots=True)
class EndGame(Statement):
    """End the game at once. `reason` is 'finished' or 'stalemate'."""

    reason: str


# -- actions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LotCell:
    """One cell of a lot parameter: pieces of `face` in the source numbered `source`."""

    source: int
    face: int
    high: int
    """The greatest count that can ever be picked."""


@dataclass(frozen=True, slots=True)
class LotDomain:
    """A sub-multiset of the pieces of `faces` in one or more zone instances."""

    sources: tuple[Source, ...]
    faces: tuple[int, ...]
    cells: tuple[LotCell, ...]


@dataclass(frozen=True, slots=True)
class PieceDomain:
    """One piece of `faces` from zone instances (`index` None on an indexed zone: any instance)."""

    sources: tuple[Source, ...]
    faces: tuple[int, ...]
    options: tuple[tuple[int, int], ...]
    """All (zone instance, face) that can ever occur, in order."""


@dataclass(frozen=True, slots=True)
class ValueDomain:
    """A player, member, number or yes/no; `high`/`low` bound a number statically."""

    domain: Domain
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """A thing that the player picks; its value stands in frame slot `slot`."""

    name: str
    slot: int
    type: Type
    domain: LotDomain | PieceDomain | ValueDomain
    secret: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Line:
    """One line of `where`."""

    condition: Term
    text: str
    clauses: tuple[str, ...]
    span: Span
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """choose / where / do. Slot 0 of the frame is `me`."""

    id: int
    name: str
    parameters: tuple[Parameter, ...]
    where: tuple[Line, ...]
    do: tuple[Statement, ...]
    slots: int
    walk: str
    """'pass' when the conditions are in walkable normal form, 'list' when few picks are
    enumerated."""
    elements: tuple[int, ...]
    span: Span


PASS_ACTION = "pass"


# -- control -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """A control point: `id` is its number, `phase` the path of the phase it belongs to ('a/b')."""

    id: int
    phase: str
    span: Span
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Do(Point):
    """Run statements, then go on."""

    body: tuple[Statement, ...]
    slots: int
    next: int


@dataclass(frozen=True, slots=True)
class Arm:
    """One line of `next`, or an `if`."""

    condition: Term | None
    target: int
    elements: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Branch(Point):
    """Go to the first arm whose condition holds; the last arm has none."""

    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class LoopStart(Point):
    """Enter a counted loop: set the hidden variable `counter` to 0 and, over players, `origin`."""

    counter: int
    origin: int | None
    start: Term | None
    next: int


@dataclass(frozen=True, slots=True)
class LoopTest(Point):
    """Bind the next element to the role and go to `body`, or go to `exit` when none is left.

    Over players: seats clockwise from `origin`, players who are out are skipped; `endless`
    loops again and
    again. Over values: `values` in order. The counter is advanced here.
    """

    counter: int
    origin: int | None
    values: tuple[int, ...] | None
    seats: int
    role: int | None
    endless: bool
    body: int
    exit: int


@dataclass(frozen=True, slots=True)
class Count(Point):
    """Count an entry of a capped phase; past `times` control goes to `capped`."""

    counter: int
    times: int
    next: int
    capped: int


@dataclass(frozen=True, slots=True)
class Decide(Point):
    """A decision: each of `actors` chooses one of `actions` (ids), or the `anytime` ones beside
    them.

    `together`: sealed and simultaneous; each actor's pick goes to `sealed` cells and all run in
    seat order
    when the last is in. `otherwise` is the branch when nobody listed has a complete pick:
    control point, or
    further action ids. `can_pass` offers pass. After a move control goes to `next`; after an
    anytime action
    back to this point; with `repeat` back to this point until a pass or until `counter` reaches
    `at_most`.
    """

    by: Term | None
    others: Domain | None
    actions: tuple[int, ...]
    can_pass: bool
    anytime: tuple[int, ...]
    otherwise: int | None
    fallback: tuple[int, ...]
    fallback_pass: bool
    together: bool
    sealed: int
    repeat: bool
    counter: int | None
    at_most: int | None
    next: int


@dataclass(frozen=True, slots=True)
class End(Point):
    """The end of the game; `reason` is 'finished', 'stalemate' or 'capped'."""

    reason: str


# -- result and game -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """One ranking key: `highest` or lowest value of `term`, the player in slot 0."""

    highest: bool
    term: Term
    text: str
    elements: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Result:
    """How the game is decided. `score` and keys read the player in slot 0; `nobody`: no one
    wins."""

    score: Term | None
    keys: tuple[Key, ...]
    nobody: Term | None
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Several games in a row. `games` of them; `points` per player and game; `first` sets
    `first_role`."""

    games: int
    points: Term
    keys: tuple[Key, ...]
    start_option: str
    """'random', 'winner' or 'left' : who starts later games."""
    start_variable: int | None
    extra_game_on_tie: bool
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the author declares about termination for some player counts."""

    id: str
    expect: str
    because: str
    span: Span


@dataclass(frozen=True, slots=True)
class Game:
    """One ruleset, player count and options: everything an engine needs, with the state layout.

    The state block is `cells` integers: control point, `out` flags per seat, random key and
    counter, zones,
    variables, sealed picks. `low`/`high` bound each cell; -1 in `low` allows nobody.
    """

    name: str
    title: str
    language: int
    players: int
    options: tuple[tuple[str, int | str], ...]
    digest: str
    """SHA-256 of rules files and tables; with players and options it names the game exactly."""
    kinds: tuple[Kind, ...]
    faces: tuple[Face, ...]
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    actions: tuple[Action, ...]
    points: tuple[Point, ...]
    start: int
    result: Result
    match: Match | None
    elements: tuple[Element, ...]
    expectations: tuple[Expectation, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    cell_names: tuple[str, ...]
    out_offset: int
    chance_offset: int
    """Two cells: key (64 bits) and ticks used."""
    sealed_offset: int
    sealed_stride: int
    """Per seat: 0 = not in, else action id + 2 (1 = pass), then the encoded parameters."""
    capped: bool
    """Whether the file declares a cap."""
    decreases: tuple[Term, ...]
