"""What the names of a rules file stand for, at one player count and one set of options.

`Names` is filled by the declarations (`declare_*`, beside this) and read by the passes after them.
A `Scope` holds what is bound locally: `me`, parameters, `let`s and bound variables. One namespace:
a name means one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Element, Face, Kind, Variable, Zone
from gemwright.dsl.model.terms import Term, Type
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean

if TYPE_CHECKING:
    from gemwright.dsl.elaboration.values import Value


@dataclass(frozen=True, slots=True)
class Column:
    """A constant column: `values[face]`, or a condition over a lot per face."""

    type: Type
    values: dict[int, int | tuple[int, ...]]
    tests: dict[int, Syntax] | None = None
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class KindInfo:
    """A kind with its columns.

    `elements` is its clause mark, or those of the kinds that a union is made of.
    """

    kind: Kind
    columns: dict[str, Column]
    per_player: bool
    parts: tuple[str, ...]
    elements: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class OptionValue:
    """An option with the value of this game; `words` are all its word values."""

    value: int | str | bool
    words: tuple[str, ...]
    element: int | None


@dataclass(frozen=True, slots=True)
class Define:
    """A named expression or effect with parameters; inlined where it is used."""

    parameters: tuple[str, ...]
    body: Syntax
    element: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A constant function of several arguments."""

    values: tuple[int, ...]
    types: tuple[Type, ...]
    bases: tuple[int, ...]
    sizes: tuple[int, ...]
    default: int
    result: Type
    element: int | None


RESERVED: Final = frozenset((
    "me", "my", "players", "player", "opponent", "nobody", "true", "false", "end", "done",
    "pass", "some", "every", "no", "not", "openly", "the", "or", "and", "if", "else", "for",
    "has", "implies", "is", "before", "less", "let", "move", "show", "tell", "shuffle",
    "eliminate", "leave", "all", "top", "bottom", "min", "max", "seat", "owner",
))  # fmt: skip
"""Words of the language that no declaration may take."""


class Names:
    """All declared names of one game."""

    def __init__(self, players: int, reporter: Reporter) -> None:
        self.players = players
        self.reporter = reporter
        self.options: dict[str, OptionValue] = {}
        self.kinds: dict[str, KindInfo] = {}
        self.plurals: dict[str, str] = {}
        self.faces: list[Face] = []
        self.members: dict[str, int] = {}
        self.zones: dict[str, Zone] = {}
        self.variables: dict[str, Variable] = {}
        self.defines: dict[str, Define] = {}
        self.effects: dict[str, Define] = {}
        self.tables: dict[str, TableInfo] = {}
        self.elements: list[Element] = []
        self.declared: dict[str, Span] = {}
        self.announced: set[str] = set()

    def declare(self, name: str, span: Span) -> bool:
        """Claim a name; a second claim is an error, and so is a word of the language."""
        if name in RESERVED:
            self._reserved(name, span)
            return False
        if name in self.declared:
            first = self.declared[name]
            self.reporter.error(
                "E010",
                span,
                f"`{name}` already names something else",
                "choose another name",
                ((first, "first here"),),
            )
            return False
        self.declared[name] = span
        return True

    def binds(self, name: str, span: Span, local: Mapping[str, Value]) -> bool:
        """Whether a name may be bound in a scope; one that would hide another is reported."""
        if name in RESERVED:
            self._reserved(name, span)
            return False
        if name in local or name in self.declared:
            text = f"`{name}` already names something here"
            self.reporter.error("E008", span, text, "choose another name")
            return False
        return True

    def _reserved(self, name: str, span: Span) -> None:
        text = f"`{name}` is a word of the language"
        self.reporter.error("E010", span, text, "choose another name")

    def announce(self, words: Iterable[str]) -> None:
        """Names that the file declares, whether or not their declarations can be understood.

        What uses a name whose own declaration is wrong is not reported again.
        """
        self.announced.update(words)

    def _is_broken(self, word: str) -> bool:
        """Whether a name is declared, but its declaration was reported as wrong."""
        if word not in self.announced or word in self.effects or word in self.everything():
            return False
        return self.reporter.has_errors

    def mark(self, name: str, clauses: tuple[str, ...], span: Span) -> int | None:
        """Register a marked element; None when it carries no clause."""
        if not clauses:
            return None
        if len(clauses) > 3:
            self.reporter.error(
                "E011",
                span,
                f"`{name}` carries {len(clauses)} clause marks",
                "mark at most three clauses per element; split it",
            )
        self.elements.append(Element(len(self.elements), name, clauses, span))
        return len(self.elements) - 1

    def kind_named(self, word: str) -> tuple[KindInfo, bool] | None:
        """The kind with this name or plural, and whether it was the plural."""
        if word in self.kinds:
            return self.kinds[word], False
        if word in self.plurals:
            return self.kinds[self.plurals[word]], True
        return None

    def unknown(self, word: str, span: Span, what: str, candidates: list[str]) -> None:
        """Report an unknown name with the nearest; nothing when its declaration was reported."""
        if self._is_broken(word):
            return
        self.reporter.error("E002", span, f"`{word}` is not {what}", did_you_mean(word, candidates))

    def everything(self) -> list[str]:
        """All names, for suggestions."""
        groups = (
            self.options,
            self.kinds,
            self.plurals,
            self.members,
            self.zones,
            self.variables,
            self.defines,
            self.tables,
        )
        return sorted({name for group in groups for name in group})


@dataclass(slots=True)
class Frame:
    """Counts the slots of one frame and gathers the marked elements that its text mentions."""

    slots: int = 0
    mentioned: dict[int, None] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)

    def take(self) -> int:
        """A fresh slot."""
        self.slots += 1
        return self.slots - 1

    def mention(self, *elements: int | None) -> None:
        """Marked elements are mentioned by the text at hand."""
        for element in elements:
            if element is not None:
                self.mentioned[element] = None

    def gather(self) -> tuple[int, ...]:
        """The elements mentioned since the last call."""
        found = tuple(self.mentioned)
        self.mentioned.clear()
        return found


@dataclass(frozen=True, slots=True)
class Scope:
    """What is bound at a place: `me`, local names, and the piece whose columns may be named
    alone."""

    frame: Frame
    me: Term | None = None
    local: Mapping[str, Value] = field(default_factory=dict)
    piece: Term | None = None
    implicit: bool = False
    """In results a per-player thing alone is that of the player in question."""
    calling: tuple[str, ...] = ()

    def bind(self, name: str, term: Term) -> Scope:
        """The scope with one more name."""
        return replace(self, local={**self.local, name: term})

    def at_piece(self, piece: Term) -> Scope:
        """The scope in which columns of `piece` may be named alone."""
        return replace(self, piece=piece)
