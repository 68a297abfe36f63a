"""Declarations of options, zones, state, defines and effects: tree -> `Names`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemwright.dsl import folding
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.expressions import Expressions
from gemwright.dsl.model import Variable, Zone
from gemwright.dsl.names import Define, Frame, Names, OptionValue, Scope
from gemwright.dsl.parse import parse
from gemwright.dsl.reading import clauses_of, entries, header_of, range_of, syntax_of, text_of
from gemwright.dsl.source import Span
from gemwright.dsl.syntax import Syntax
from gemwright.dsl.terms import FLAG, PLAYER, Base, Const, Type
from gemwright.dsl.tree import Map, Node, Scalar, Seq

Chosen = Mapping[str, int | str | bool]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """A declared option: the first value is the default; numbers of `low..high` may be given
    too."""

    name: str
    values: tuple[int | str | bool, ...]
    low: int | None
    high: int | None
    clauses: tuple[str, ...]
    span: Span
    label: str

    def parse(self, text: str) -> int | str | bool | None:
        """The value that a text names; None when it is none of this option."""
        for value in self.values:
            if text == (str(value).lower() if isinstance(value, bool) else str(value)):
                return value
        if (
            self.low is not None
            and self.high is not None
            and text.lstrip("-").isdecimal()
            and len(text) < 11
        ):
            number = int(text)
            return number if self.low <= number <= self.high else None
        return None

    def accepts(self, value: int | str | bool) -> bool:
        """Whether `value` is one of this option."""
        if any(
            value == known and isinstance(value, bool) == isinstance(known, bool)
            for known in self.values
        ):
            return True
        if self.low is None or self.high is None or isinstance(value, bool):
            return False
        return isinstance(value, int) and self.low <= value <= self.high

    @property
    def domain(self) -> str:
        """All values, for people."""
        words = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in self.values)
        return words if self.low is None else f"{words} (or {self.low}..{self.high})"


def read_options(tree: Map, reporter: Reporter) -> tuple[OptionSpec, ...]:
    """The declared options in order."""
    found: list[OptionSpec] = []
    for name, span, node in entries(tree.get("options")):
        listed = node.get("values") if isinstance(node, Map) else None
        values = (
            tuple(i.value for i in listed.items if isinstance(i, Scalar) and i.value is not None)
            if isinstance(listed, Seq)
            else ()
        )
        bounds = range_of(node.get("range"), reporter) if isinstance(node, Map) else None
        if not values:
            reporter.error(
                "S003", span, f"option `{name}` has no values", "write `values: [default, other]`"
            )
            continue
        low, high = bounds or (None, None)
        label = text_of(node.get("label")) if isinstance(node, Map) else None
        found.append(
            OptionSpec(
                name,
                values,
                low,
                high,
                clauses_of(node, reporter),
                span,
                label or name.replace("_", " "),
            )
        )
    return tuple(found)


class Declarations:
    """Fills `Names` from a tree; kinds are declared between options and zones."""

    def __init__(
        self, names: Names, expressions: Expressions, tree: Map, reporter: Reporter
    ) -> None:
        self.names = names
        self.expressions = expressions
        self.tree = tree
        self.reporter = reporter

    def options(self, specs: tuple[OptionSpec, ...], chosen: Chosen) -> None:
        """Declare options with the values of this game."""
        for spec in specs:
            if not self.names.declare(spec.name, spec.span):
                continue
            value = chosen.get(spec.name, spec.values[0])
            words = tuple(v for v in spec.values if isinstance(v, str))
            element = self.names.mark(spec.name, spec.clauses, spec.span)
            self.names.options[spec.name] = OptionValue(value, words, element)

    def needs(self) -> bool:
        """Whether the chosen options fit together; what does not is reported at its `needs`."""
        fine = True
        for name, _, node in entries(self.tree.get("options")):
            syntax = (
                syntax_of(node.get("needs"), "expression", self.reporter)
                if isinstance(node, Map)
                else None
            )
            condition = (
                None if syntax is None else self.expressions.condition(syntax, Scope(Frame()))
            )
            if syntax is not None and condition is not None and folding.scalar(condition) == 0:
                self.reporter.error(
                    "O001",
                    syntax.span,
                    f"these options do not go together: `{name}` needs {syntax.text}",
                    "choose other values",
                )
                fine = False
        return fine

    def constant(self, node: Node | None, fallback: int | None) -> int | None:
        """A constant number over options and players."""
        if node is None:
            return fallback
        syntax = syntax_of(node, "expression", self.reporter)
        term = None if syntax is None else self.expressions.value(syntax, Scope(Frame()))
        if isinstance(term, Const) and term.type.base is Base.INT:
            return folding.scalar(term)
        if term is not None:
            self.reporter.error(
                "E003",
                node.span,
                "this is no number known before the game",
                "use numbers and options only",
            )
        return fallback

    def bounds(self, node: Node | None) -> tuple[int, int] | None:
        """`a..b` whose ends may be constant expressions."""
        found = range_of(node, self.reporter)
        text = text_of(node)
        if found is not None or text is None or ".." not in text or not isinstance(node, Scalar):
            return found
        syntax = parse(text, "domain", node.map, self.reporter)
        if syntax is None or syntax.node(0).rule != "pick_number":
            return None
        ends = [self.expressions.number(n, Scope(Frame())) for n in syntax.node(0).nodes()]
        low, high = (None if e is None else folding.scalar(e) for e in ends)
        return None if low is None or high is None else (low, high)

    # -- zones -----------------------------------------------------------------

    def zones(self) -> None:
        """Declare all zones; the box is there even when no one declares it."""
        declared = entries(self.tree.get("zones"))
        held: dict[int, None] = {}
        for name, span, node in declared:
            if isinstance(node, Map) and self.names.declare(name, span):
                zone = self._zone(name, span, node)
                if zone is not None:
                    self.names.zones[name] = zone
                    held.update(dict.fromkeys(zone.faces) if name != "box" else {})
        faces = tuple(sorted(held))
        if "box" not in self.names.zones:
            sight = self._sight("nobody", None, faces, ("",), "")
            self.names.zones["box"] = Zone(
                len(self.names.zones),
                "box",
                faces,
                "",
                ("",),
                "counts",
                0,
                None,
                None,
                sight,
                "nobody",
                0,
                0,
                0,
                Span("", 1, 1, 1, 1),
                None,
            )
        self._refills(declared)

    def _zone(self, name: str, span: Span, node: Map) -> Zone | None:
        syntax = syntax_of(node.get("holds"), "kinds", self.reporter)
        faces = None if syntax is None else self._held(syntax)
        index, labels = self._index(node.get("per"), span)
        if faces is None or index is None:
            return None
        order, slots = self._order(node.get("order"), faces)
        limit = self.constant(node.get("limit"), None)
        seen = node.get("seen_by")
        level = self._level(seen) if not isinstance(seen, Map) else "columns"
        if level == "owner" and index != "player":
            self.reporter.error(
                "E003", span, f"`{name}` has no owner", "only a zone `per: player` has one"
            )
            return None
        sight = self._sight(level, seen if isinstance(seen, Map) else None, faces, labels, index)
        element = self.names.mark(name, clauses_of(node, self.reporter), span)
        return Zone(
            len(self.names.zones),
            name,
            faces,
            index,
            labels,
            order,
            slots,
            limit,
            None,
            sight,
            level,
            0,
            0,
            0,
            span,
            element,
        )

    def _held(self, syntax: Syntax) -> tuple[int, ...] | None:
        faces: dict[int, None] = {}
        for part in syntax.nodes():
            for word in part.words():
                found = self.names.kind_named(word)
                if found is not None:
                    faces.update(dict.fromkeys(found[0].kind.faces))
                elif word in self.names.members:
                    faces[self.names.members[word]] = None
                else:
                    self.names.unknown(word, part.span, "a kind", sorted(self.names.kinds))
                    return None
        return tuple(sorted(faces))

    def _index(self, node: Node | None, span: Span) -> tuple[str | None, tuple[str, ...]]:
        text = text_of(node)
        return ("", ("",)) if text is None or node is None else self._index_word(text, node.span)

    def _index_word(self, text: str, span: Span) -> tuple[str | None, tuple[str, ...]]:
        """What a zone or a state is kept per: the index and one label per place."""
        if text == "player":
            return "player", tuple(f"P{n + 1}" for n in range(self.names.players))
        found = self.names.kinds.get(text)
        if found is None:
            known = sorted({*self.names.kinds, "player"})
            self.names.unknown(text[:40], span, "a kind", known)
            return None, ()
        numbers = found.kind.numbers
        if numbers:
            return text, tuple(str(n) for n in numbers)
        return text, tuple(self.names.faces[f].name for f in found.kind.faces)

    def _order(self, node: Node | None, faces: tuple[int, ...]) -> tuple[str, int]:
        text = text_of(node)
        pieces = sum(self.names.faces[f].count for f in faces)
        if text is None:
            return "counts", 0
        if text == "stack":
            return "stack", pieces
        words = text.split()
        if len(words) == 3 and words[:2] == ["row", "of"]:
            option = self.names.options.get(words[2])
            size = (
                option.value
                if option is not None
                else int(words[2])
                if words[2].isdecimal() and len(words[2]) < 4
                else None
            )
            if isinstance(size, int) and not isinstance(size, bool) and 1 <= size <= 200:
                return "row", size
        assert node is not None
        self.reporter.error(
            "S002", node.span, f"`{text[:40]}` is no order", "write `stack` or `row of 4`"
        )
        return "counts", 0

    def _level(self, node: Node | None) -> str:
        if node is None:
            return "all"
        syntax = syntax_of(node, "expression", self.reporter)
        while syntax is not None and syntax.rule in ("expression", "if_else"):
            if syntax.rule == "expression":
                syntax = syntax.node(0)
                continue
            condition = self.expressions.condition(syntax.node(1), Scope(Frame()))
            value = None if condition is None else folding.scalar(condition)
            if value is None:
                self.reporter.error(
                    "I002",
                    syntax.span,
                    "visibility may depend on options only",
                    "test options and `players`, never state",
                )
                return "nobody"
            syntax = syntax.node(0 if value else 2)
        word = syntax.text if syntax is not None else ""
        if word not in ("all", "owner", "nobody"):
            self.reporter.error(
                "S002",
                node.span,
                f"`{word[:40]}` is no visibility",
                "write `all`, `owner` or `nobody`",
            )
            return "nobody"
        return word

    def _sight(
        self,
        level: str,
        columns: Map | None,
        faces: tuple[int, ...],
        labels: tuple[str, ...],
        index: str,
    ) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Classes per instance and viewer; the last viewer is a spectator."""
        levels = {key: self._level(value) for key, _, value in entries(columns)}
        return tuple(
            tuple(
                self._classes(level, levels, faces, index == "player" and viewer == place)
                for viewer in range(self.names.players + 1)
            )
            for place in range(len(labels))
        )

    def _classes(
        self, level: str, levels: dict[str, str], faces: tuple[int, ...], owner: bool
    ) -> tuple[int, ...]:
        if level == "all" or (level == "owner" and owner):
            return tuple(range(len(faces)))
        if level != "columns":
            return tuple(0 for _ in faces)
        seen = [key for key, one in levels.items() if one == "all" or (one == "owner" and owner)]
        found: dict[tuple[object, ...], int] = {}
        classes: list[int] = []
        for face in faces:
            columns = self.names.kinds[self.names.faces[face].kind].columns
            look = tuple(columns[key].values[face] if key in columns else None for key in seen)
            classes.append(found.setdefault(look, len(found)))
        every = all(
            key in seen
            for face in faces
            for key in self.names.kinds[self.names.faces[face].kind].columns
        )
        return tuple(range(len(faces))) if every else tuple(classes)

    def _refills(self, declared: tuple[tuple[str, Span, Node], ...]) -> None:
        for name, _, node in declared:
            text = text_of(node.get("refill")) if isinstance(node, Map) else None
            zone = self.names.zones.get(name)
            if text is None or zone is None or not isinstance(node, Map):
                continue
            deck = self.names.zones.get(text)
            target = node.get("refill")
            assert target is not None
            if deck is None or deck.order != "stack" or deck.index not in ("", zone.index):
                self.reporter.error(
                    "E003",
                    target.span,
                    f"`{text[:40]}` cannot refill `{name}`",
                    "name a stack with the same `per`, or a single one",
                )
                continue
            self.names.zones[name] = Zone(
                zone.id,
                zone.name,
                zone.faces,
                zone.index,
                zone.labels,
                zone.order,
                zone.slots,
                zone.limit,
                deck.id,
                zone.sight,
                zone.seen_by,
                0,
                0,
                0,
                zone.span,
                zone.element,
            )

    # -- state -----------------------------------------------------------------

    def state(self) -> None:
        """Declare all state."""
        for name, span, node in entries(self.tree.get("state")):
            if self.names.declare(name, span):
                self._variable(name, span, node)

    def _variable(self, name: str, span: Span, node: Node) -> None:
        long = node if isinstance(node, Map) else None
        word = text_of(long.get("type")) if long is not None else text_of(node)
        if word is None and long is not None and long.get("range") is not None:
            word = "number"
        per = long.get("per") if long is not None else None
        short = (word or "").split(" per ")
        type = self._type(short[0].strip(), long, node)
        if type is None:
            return
        index, labels = self._index(per, span)
        if len(short) == 2 and per is None:
            index, labels = self._index_word(short[1].strip(), node.span)
        if index is None:
            return
        level = self._level(long.get("seen_by")) if long is not None else "all"
        start = self._start(type, long.get("start") if long is not None else None)
        element = self.names.mark(name, clauses_of(node, self.reporter), span)
        number = len(self.names.variables)
        self.names.variables[name] = Variable(
            number,
            name,
            type,
            index,
            labels,
            tuple(start for _ in labels),
            level,
            0,
            False,
            span,
            element,
        )

    def _type(self, word: str, long: Map | None, node: Node) -> Type | None:
        if word in ("player", "player or nobody"):
            return PLAYER if word == "player" else Type(Base.PLAYER, optional=True)
        if word == "flag":
            return FLAG
        bounds = (
            self.bounds(long.get("range"))
            if long is not None
            else self.bounds(node)
            if ".." in word
            else None
        )
        if bounds is not None:
            if not -(1 << 31) <= bounds[0] <= bounds[1] < 1 << 31:
                self.reporter.error(
                    "E006", node.span, "this range is too wide", "stay within 32 bits"
                )
                return None
            return Type(Base.INT, *bounds)
        found = self.names.kinds.get(word)
        if found is None:
            self.names.unknown(
                word[:40],
                node.span,
                "a type of state",
                sorted({*self.names.kinds, "player", "flag"}),
            )
            return None
        return Type(Base.FACE, faces=found.kind.faces)

    def _start(self, type: Type, node: Node | None) -> int:
        text = text_of(node)
        if type.base is Base.FACE:
            return self.names.members.get(text or "", type.faces[0])
        if type.base is Base.PLAYER:
            return -1 if type.optional else 0
        value = self.constant(node, None)
        if value is None:
            return 0 if type.low <= 0 <= type.high else type.low
        if not type.low <= value <= type.high:
            assert node is not None
            self.reporter.error(
                "E006",
                node.span,
                f"{value} lies outside {type.low}..{type.high}",
                "widen the range or change the start",
            )
            return type.low
        return value

    # -- defines and effects ---------------------------------------------------

    def defines(self) -> None:
        """Declare defines and effects, unread: they are understood where they are used."""
        for section, start, key in (("define", "expression", "is"), ("effects", "sentences", "do")):
            for header, span, node in entries(self.tree.get(section)):
                head = header_of(header, span, self.reporter)
                body = syntax_of(
                    node.get(key) if isinstance(node, Map) else node, start, self.reporter
                )
                if head is None or body is None or not self.names.declare(head[0], span):
                    continue
                element = self.names.mark(head[0], clauses_of(node, self.reporter), span)
                target = self.names.defines if section == "define" else self.names.effects
                target[head[0]] = Define(head[1], body, element, span)
