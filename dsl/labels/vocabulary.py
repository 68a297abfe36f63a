"""What label files may speak of: the elements of a ruleset, and the slots of their texts.

A vocabulary is gathered from game models; the union over player counts and options is that of the
ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gemwright.dsl.model import game as m
from gemwright.dsl.model.face_columns import columns_of
from gemwright.dsl.model.nodes import nodes_of
from gemwright.dsl.model.terms import Base, Openly
from gemwright.dsl.source import Span, excerpt

BOX: Final = "box"

SETUP: Final = "setup"
"""What the phase before the first one is called."""

_MOVED: Final = ("pieces", "source", "target")


@dataclass(frozen=True, slots=True)
class Slots:
    """What a text may use, and what of it a reader must be told."""

    allowed: frozenset[str]
    needed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The elements of a ruleset by section, and per element what a reader meets of it.

    `kinds` gives the columns of a kind, `actions` the picks of an action, `indexes` by what a zone
    or state is indexed: '', 'player', or a kind. `kind_of` gives the kind of a face. `met` are the
    elements by section that a player meets in words, in the order of the rules.
    """

    kinds: Mapping[str, tuple[str, ...]]
    actions: Mapping[str, tuple[str, ...]]
    indexes: Mapping[tuple[str, str], str]
    kind_of: Mapping[str, str]
    met: Mapping[str, tuple[str, ...]]

    def has(self, section: str, key: str) -> bool:
        """Whether an element exists; what has no name of its own always may."""
        match section:
            case "actions":
                return key in self.actions
            case "kinds":
                return key in self.kinds
            case "zones" | "state":
                return (section, key) in self.indexes
        return True

    def slots(self, section: str, key: str, field: str) -> Slots:
        """The slots of a text; for an element that does not exist whatever is asked."""
        match section, field:
            case "kinds", "called":
                return Slots(frozenset((*self.kinds.get(key, ()), "name")))
            case "kinds", "counted":
                return _all("count", "name")
            case "kinds", "hidden":
                return _all("count")
            case "zones", "place":
                return Slots(frozenset(("name", *self._index("zones", key))))
            case "state", "log":
                return _all("value", *self._index("state", key), allowed=("name",))
            case "state", "show":
                return _all("value")
            case "actions", "move":
                return _all(*self.actions.get(key, ()))
            case "actions", "log":
                return _all("player", *self.actions.get(key, ()))
            case ("actions", _) if field.startswith("ask "):
                return _all(allowed=("player",))
            case "phases", "ask":
                return _all(allowed=("player",))
            case "moves", _:
                ends = [("zones", end) for end in key.split(" to ")]
                owned = any(self.indexes.get(end) == "player" for end in ends)
                return _all("pieces", allowed=(*_MOVED, "player") if owned else _MOVED)
            case "facts", _:
                return _all("value")
        return _all()

    def _index(self, section: str, key: str) -> tuple[str, ...]:
        index = self.indexes.get((section, key), "")
        return (index if index == "player" else "index",) if index else ()


def _all(*needed: str, allowed: tuple[str, ...] = ()) -> Slots:
    return Slots(frozenset((*needed, *allowed)), frozenset(needed))


def fact_key(text: str) -> str:
    """A published expression as the section `facts` names it: in one line, without `openly`."""
    return " ".join(text.split()).removeprefix("openly ")


class Gatherer:
    """Gathers the vocabulary of a ruleset from its game models.

    Args:
        text_of: the text of a file of the rules by its path, to quote what is published.
    """

    def __init__(self, text_of: Callable[[str], str | None]) -> None:
        self._text_of = text_of
        self._kinds: dict[str, tuple[str, ...]] = {}
        self._actions: dict[str, tuple[str, ...]] = {}
        self._indexes: dict[tuple[str, str], str] = {}
        self._kind_of: dict[str, str] = {}
        self._met: dict[str, dict[str, None]] = {}

    def add(self, model: m.Game) -> None:
        """Take in the elements of one model."""
        columns = {face: tuple(cells) for face, cells in columns_of(model).items()}
        kinds = self._kinds
        kinds |= {kind.name: kinds.get(kind.name, ()) for kind in model.kinds}
        for face in model.faces:
            self._kind_of[face.name] = face.kind
            known = dict.fromkeys((*kinds.get(face.kind, ()), *columns.get(face.id, ())))
            kinds[face.kind] = tuple(known)
        for action in model.actions:
            self._actions[action.name] = tuple(each.name for each in action.parameters)
        self._indexes |= {("zones", each.name): each.index for each in model.zones}
        self._indexes |= {("state", each.name): each.index for each in model.variables}
        for section, key in _met(model, self._text_of):
            self._met.setdefault(section, {})[key] = None

    def vocabulary(self) -> Vocabulary:
        """What was gathered."""
        met = {section: tuple(keys) for section, keys in self._met.items()}
        return Vocabulary(
            dict(self._kinds), dict(self._actions), dict(self._indexes), dict(self._kind_of), met
        )


def vocabulary(model: m.Game, text_of: Callable[[str], str | None]) -> Vocabulary:
    """The vocabulary of one model."""
    gatherer = Gatherer(text_of)
    gatherer.add(model)
    return gatherer.vocabulary()


def _met(model: m.Game, text_of: Callable[[str], str | None]) -> Iterator[tuple[str, str]]:
    """What a player meets in words, as (section, key)."""
    numbers = {face for kind in model.kinds if kind.numbers for face in kind.faces}
    yield from (("faces", face.name) for face in model.faces if face.id not in numbers)
    for cells in columns_of(model).values():
        yield from (("columns", name) for name in cells)
    yield from (("zones", zone.name) for zone in model.zones if zone.name != BOX)
    yield from (("state", each.name) for each in model.variables if is_shown(each))
    for point in model.points:
        if point.phase not in ("", SETUP):
            yield "phases", phase_key(point.phase)
    for action in model.actions:
        yield "actions", action.name
        yield from (("parameters", each.name) for each in action.parameters)
    for node in nodes_of(model):
        if isinstance(node, m.Tell):
            yield "facts", fact_key(node.text)
        elif isinstance(node, Openly) and isinstance(node.span, Span):
            yield "facts", fact_key(excerpt(text_of(node.span.path) or "", node.span))


def is_told(variable: m.Variable) -> bool:
    """Whether a variable is one of the rules file; what a loop counts by has no plain name."""
    return variable.name.isidentifier()


def is_turn(variable: m.Variable) -> bool:
    """Whether a variable is a role that only says whose turn it is."""
    return variable.role and variable.type.base is Base.PLAYER


def is_shown(variable: m.Variable) -> bool:
    """Whether players see a variable under its name."""
    return is_told(variable) and not is_turn(variable) and variable.sight != "nobody"


def phase_key(path: str) -> str:
    """The name of a phase; of nested ones the innermost."""
    return path.rsplit("/", 1)[-1]
