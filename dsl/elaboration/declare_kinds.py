"""Declarations of kinds, in the order in which they need each other."""

from __future__ import annotations

from dataclasses import replace

from gemwright.dsl.document.tree import Map, Node, Scalar, Seq
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.declare_rows import MAX_FACES, Rows
from gemwright.dsl.elaboration.names import Column, KindInfo, Names
from gemwright.dsl.elaboration.reading import clauses_of, entries, range_of, syntax_of, text_of
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Face, Kind
from gemwright.dsl.model.terms import FLAG, Base, Type
from gemwright.dsl.source import Span


class Kinds:
    """Declares all kinds of a document, in the order in which they need each other."""

    def __init__(self, names: Names, rows: Rows, tree: Map) -> None:
        self.names = names
        self.rows = rows
        self.reporter = names.reporter
        self._nodes = {key: (span, node) for key, span, node in entries(tree.get("kinds"))}
        self._doing: list[str] = []
        self._broken: set[str] = set()
        """Kinds that could not be understood and have been reported."""

    def declare(self) -> None:
        """Declare every kind."""
        for name in self._nodes:
            self._kind(name)

    def _kind(self, name: str) -> KindInfo | None:
        if name in self.names.kinds:
            return self.names.kinds[name]
        if name not in self._nodes:
            return None
        span, node = self._nodes[name]
        if name in self._doing:
            self.reporter.error(
                "E012", span, f"`{name}` is made of itself", "a kind may not use itself"
            )
            return None
        if name in self._broken or not self.names.declare(name, span):
            return None
        self._doing.append(name)
        info = (
            self._long(name, span, node) if isinstance(node, Map) else self._short(name, span, node)
        )
        self._doing.pop()
        if info is None:
            self._broken.add(name)
        else:
            self.names.kinds[name] = info
            self._plural(name, info.kind.plural, node)
        return info

    def _plural(self, name: str, plural: str, node: Node) -> None:
        """The name for many members; one that the file gives is a name like any other."""
        given = node.get("plural") if isinstance(node, Map) else None
        if given is None or plural == name:
            self.names.plurals.setdefault(plural, name)
        elif plural in self.names.plurals or not self.names.declare(plural, given.span):
            if plural in self.names.plurals:
                text = f"`{plural}` already names many of `{self.names.plurals[plural]}`"
                self.reporter.error("E010", given.span, text, "choose another plural")
        else:
            self.names.plurals[plural] = name

    def _short(self, name: str, span: Span, node: Node) -> KindInfo | None:
        if isinstance(node, Seq):
            faces = self.rows.members(
                name, [(text_of(item) or "", item.span) for item in node.items]
            )
            return self._info(name, faces, {}, span)
        bounds = range_of(node, self.reporter)
        if bounds is not None:
            return self._numbers(name, bounds, span)
        syntax = syntax_of(node, "kinds", self.reporter)
        return None if syntax is None else self._union(name, syntax, span)

    def _numbers(
        self, name: str, bounds: tuple[int, int], span: Span, elements: tuple[int, ...] = ()
    ) -> KindInfo | None:
        low, high = bounds
        if high - low >= MAX_FACES:
            self.reporter.error(
                "E009",
                span,
                f"`{name}` has {high - low + 1} members",
                f"a kind has at most {MAX_FACES}",
            )
            return None
        faces = tuple(
            self.rows.face(f"{name}_{n}".replace("-", "m"), name, span)
            for n in range(low, high + 1)
        )
        kind = Kind(name, f"{name}s", faces, tuple(range(low, high + 1)))
        return KindInfo(kind, {}, False, (), elements, span)

    def _union(self, name: str, syntax: Syntax, span: Span) -> KindInfo | None:
        faces: list[int] = []
        parts: list[str] = []
        for part in syntax.nodes():
            if part.rule == "kind_members":
                faces.extend(self.rows.members(name, [(word, part.span) for word in part.words()]))
                continue
            info = self._kind(part.word(0))
            if info is None:
                self.names.unknown(part.word(0), part.span, "a kind", sorted(self._nodes))
                return None
            parts.append(info.kind.name)
            faces.extend(info.kind.faces)
        kind = Kind(name, f"{name}s", tuple(dict.fromkeys(faces)))
        elements = [each for part in parts for each in self.names.kinds[part].elements]
        return KindInfo(kind, {}, False, tuple(parts), tuple(dict.fromkeys(elements)), span)

    def _info(
        self,
        name: str,
        faces: tuple[int, ...],
        columns: dict[str, Column],
        span: Span,
        plural: str = "",
        elements: tuple[int, ...] = (),
        per_player: bool = False,
    ) -> KindInfo:
        return KindInfo(
            Kind(name, plural or f"{name}s", faces), columns, per_player, (), elements, span
        )

    # -- the long form ---------------------------------------------------------

    def _long(self, name: str, span: Span, node: Map) -> KindInfo | None:
        mark = self.names.mark(name, clauses_of(node, self.reporter), span)
        elements: tuple[int, ...] = () if mark is None else (mark,)
        plural = text_of(node.get("plural")) or f"{name}s"
        types = self._column_types(node.get("columns"))
        if types is None:
            return None
        per_player = node.get("one per") is not None
        bounds = (
            range_of(node.get("members"), self.reporter)
            if isinstance(node.get("members"), Scalar)
            else None
        )
        if bounds is not None:
            numbers = self._numbers(name, bounds, span)
            if numbers is None:
                return None
            self._counts(numbers.kind.faces, node)
            kind = replace(numbers.kind, plural=plural)
            return replace(numbers, kind=kind, elements=elements)
        table = self.rows.read(name, node, types)
        if table is None:
            return None
        faces, columns = table
        if len(faces) > MAX_FACES:
            self.reporter.error(
                "E009",
                span,
                f"`{name}` has {len(faces)} members",
                f"a kind has at most {MAX_FACES}",
            )
            return None
        self._counts(faces, node)
        return self._info(name, faces, columns, span, plural, elements, per_player)

    def _counts(self, faces: tuple[int, ...], node: Map) -> None:
        count = node.get("count")
        text = text_of(count)
        if text is None or not isinstance(count, Scalar):
            return
        value = self.rows.constant(text, count.map)
        if value is None:
            return
        number = folding.scalar(value)
        if number is None or not 0 <= number <= 9_999:
            self.reporter.error(
                "E006",
                count.span,
                "this is no number of pieces",
                "write a number from 0 to 9999, or an option that is one",
            )
            return
        for face in faces:
            old = self.names.faces[face]
            self.names.faces[face] = Face(old.id, old.name, old.kind, number)

    def _column_types(self, node: Node | None) -> dict[str, tuple[Type, Span, str]] | None:
        found: dict[str, tuple[Type, Span, str]] = {}
        for key, span, value in entries(node):
            type = self._column_type(value)
            if type is None:
                return None
            found[key] = (*type[:1], span, type[1])
        return found

    def _column_type(self, node: Node) -> tuple[Type, str] | None:
        if isinstance(node, Map):
            info, bounds = (
                self._kind(text_of(node.get("per")) or ""),
                range_of(node.get("range"), self.reporter),
            )
            if info is None or bounds is None:
                self.reporter.error(
                    "E003", node.span, "this is no column type", "write `{per: KIND, range: a..b}`"
                )
                return None
            return Type(Base.VECTOR, bounds[0], bounds[1], info.kind.faces), ""
        bounds = range_of(node, self.reporter)
        if bounds is not None:
            return Type(Base.INT, *bounds), ""
        text = text_of(node) or ""
        if ".." in text:
            return None
        if text == "flag":
            return FLAG, ""
        if text.startswith("test(") and text.endswith(")"):
            return Type(Base.WORD), text[5:-1].strip()
        info = self._kind(text)
        if info is None:
            self.names.unknown(
                text[:40], node.span, "a column type", sorted({*self._nodes, "flag"})
            )
            return None
        return Type(Base.FACE, faces=info.kind.faces), ""
