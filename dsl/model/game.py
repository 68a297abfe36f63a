"""The game model: one ruleset at one player count with one set of options, typed and immutable.

It keeps what people talk about (zones, actions, phases, conditions with their clause marks) for
messages, views, explanations and proofs. `gemwright.dsl.elaboration` builds it; nothing in it
refers to YAML or text except through spans. Its parts are defined in modules of their own and named
here, so that an engine imports one contract. Reading order: `things`, `effects`, `actions`,
`control`, then `Game`.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.model.actions import (
    PASS_ACTION,
    Action,
    Line,
    LotCell,
    LotDomain,
    Parameter,
    PieceDomain,
    ValueDomain,
)
from gemwright.dsl.model.control import (
    Arm,
    Branch,
    Count,
    Decide,
    Do,
    End,
    LoopStart,
    LoopTest,
    Point,
)
from gemwright.dsl.model.effects import (
    Assign,
    AssignRandom,
    Eliminate,
    EndGame,
    ForEach,
    IfDo,
    Leave,
    Let,
    MoveAll,
    MoveEnd,
    MoveFace,
    MovePicked,
    MoveRandom,
    MoveVector,
    Place,
    Show,
    Shuffle,
    Source,
    Statement,
    Tell,
)
from gemwright.dsl.model.terms import Term
from gemwright.dsl.model.things import Element, Face, Kind, Variable, Zone
from gemwright.dsl.source import Span

__all__ = [
    "PASS_ACTION",
    "Action",
    "Arm",
    "Assign",
    "AssignRandom",
    "Branch",
    "Count",
    "Decide",
    "Do",
    "Element",
    "Eliminate",
    "End",
    "EndGame",
    "Expectation",
    "Face",
    "ForEach",
    "Game",
    "IfDo",
    "Key",
    "Kind",
    "Leave",
    "Let",
    "Line",
    "LoopStart",
    "LoopTest",
    "LotCell",
    "LotDomain",
    "Match",
    "Measure",
    "MoveAll",
    "MoveEnd",
    "MoveFace",
    "MovePicked",
    "MoveRandom",
    "MoveVector",
    "Parameter",
    "PieceDomain",
    "Place",
    "Point",
    "Result",
    "Show",
    "Shuffle",
    "Source",
    "Statement",
    "Tell",
    "ValueDomain",
    "Variable",
    "Zone",
]


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
    """What the author declares about some games; `options` are those whose values are named."""

    id: str
    expect: str
    because: str
    span: Span
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """What a file declares to fall each time round a phase: the first of `terms` that changes.

    `phase` is the path of the phase, `enter` its first control point.
    """

    phase: str
    enter: int
    terms: tuple[Term, ...]
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
    measures: tuple[Measure, ...] = ()
    """The terms of `decreases` by the phase that declares them."""
