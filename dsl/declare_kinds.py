"""Declarations of kinds and constant tables."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from gemwright.dsl import folding
from gemwright.dsl.compose import Document
from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.expressions import Expressions
from gemwright.dsl.model import Face, Kind
from gemwright.dsl.names import Column, Frame, KindInfo, Names, Scope, TableInfo
from gemwright.dsl.parse import parse
from gemwright.dsl.reading import clauses_of, entries, range_of, syntax_of, text_of
from gemwright.dsl.source import Span, TextMap
from gemwright.dsl.suggest import did_you_mean
from gemwright.dsl.syntax import Syntax
from gemwright.dsl.tables import Cell, Table, read_table
from gemwright.dsl.terms import FLAG, Base, Const, Type
from gemwright.dsl.tree import Map, Node, Scalar, Seq

MAX_FACES = 2_000


class Kinds:
    """Declares all kinds of a document, in the order in which they need each other."""

    def __init__(
        self, names: Names, expressions: Expressions, document: Document, reporter: Reporter
    ) -> None:
        self.names = names
        self.expressions = expressions
        self.document = document
        self.reporter = reporter
        self._nodes = {key: (span, node) for key, span, node in entries(document.tree.get("kinds"))}
        self._doing: list[str] = []

    def declare(self) -> None:
        """Declare every kind, then the tables."""
        for name in self._nodes:
            self._kind(name)
        for name, span, node in entries(self.document.tree.get("tables")):
            self._table(name, span, node)

    def constant(
        self, text: str, map: TextMap, local: Mapping[str, Const] | None = None
    ) -> Const | None:
        """The value of a constant expression over options, members and `local` names."""
        syntax = parse(text, "expression", map, self.reporter)
        if syntax is None:
            return None
        term = self.expressions.value(syntax, Scope(Frame(), None, dict(local or {})))
        if isinstance(term, Const):
            return term
        if term is not None:
            self.reporter.error(
                "E003",
                syntax.span,
                "this is not known before the game",
                "use numbers, members and options only",
            )
        return None

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
        if not self.names.declare(name, span):
            return None
        self._doing.append(name)
        info = (
            self._long(name, span, node) if isinstance(node, Map) else self._short(name, span, node)
        )
        self._doing.pop()
        if info is not None:
            self.names.kinds[name] = info
            self.names.plurals.setdefault(info.kind.plural, name)
        return info

    def _short(self, name: str, span: Span, node: Node) -> KindInfo | None:
        if isinstance(node, Seq):
            faces = self._members(name, [(text_of(item) or "", item.span) for item in node.items])
            return self._info(name, faces, {}, span)
        bounds = range_of(node, self.reporter)
        if bounds is not None:
            return self._numbers(name, bounds, span)
        syntax = syntax_of(node, "kinds", self.reporter)
        return None if syntax is None else self._union(name, syntax, span)

    def _numbers(
        self, name: str, bounds: tuple[int, int], span: Span, element: int | None = None
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
            self._face(f"{name}_{n}".replace("-", "m"), name, span) for n in range(low, high + 1)
        )
        kind = Kind(name, f"{name}s", faces, tuple(range(low, high + 1)))
        return KindInfo(kind, {}, False, (), element, span)

    def _union(self, name: str, syntax: Syntax, span: Span) -> KindInfo | None:
        faces: list[int] = []
        parts: list[str] = []
        for part in syntax.nodes():
            if part.rule == "kind_members":
                faces.extend(self._members(name, [(word, part.span) for word in part.words()]))
                continue
            info = self._kind(part.word(0))
            if info is None:
                self.names.unknown(part.word(0), part.span, "a kind", sorted(self._nodes))
                return None
            parts.append(info.kind.name)
            faces.extend(info.kind.faces)
        kind = Kind(name, f"{name}s", tuple(dict.fromkeys(faces)))
        return KindInfo(kind, {}, False, tuple(parts), None, span)

    def _info(
        self,
        name: str,
        faces: tuple[int, ...],
        columns: dict[str, Column],
        span: Span,
        plural: str = "",
        element: int | None = None,
        per_player: bool = False,
    ) -> KindInfo:
        return KindInfo(
            Kind(name, plural or f"{name}s", faces), columns, per_player, (), element, span
        )

    def _face(self, member: str, kind: str, span: Span, count: int = 1) -> int:
        face = len(self.names.faces)
        self.names.faces.append(Face(face, member, kind, count))
        if member in self.names.members or not self.names.declare(member, span):
            self.reporter.error(
                "E010",
                span,
                f"`{member}` already names something else",
                "member names are unique in a file",
            )
        self.names.members[member] = face
        return face

    def _members(self, kind: str, words: list[tuple[str, Span]]) -> tuple[int, ...]:
        return tuple(self._face(word, kind, span) for word, span in words)

    # -- the long form ---------------------------------------------------------

    def _long(self, name: str, span: Span, node: Map) -> KindInfo | None:
        element = self.names.mark(name, clauses_of(node, self.reporter), span)
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
            return self._numbers(name, bounds, span, element)
        table = self._rows_of(name, node, types)
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
        info = self._info(name, faces, columns, span, plural, element, per_player)
        self._counts(info, node)
        return info

    def _counts(self, info: KindInfo, node: Map) -> None:
        count = node.get("count")
        text = text_of(count)
        if text is None or not isinstance(count, Scalar):
            return
        value = self.constant(text, count.map)
        number = None if value is None else folding.scalar(value)
        if number is None or not 0 <= number <= 9_999:
            self.reporter.error(
                "E006",
                count.span,
                "this is no number of pieces",
                "write a number from 0 to 9999, or an option that is one",
            )
            return
        for face in info.kind.faces:
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

    def _rows_of(
        self, name: str, node: Map, types: dict[str, tuple[Type, Span, str]]
    ) -> tuple[tuple[int, ...], dict[str, Column]] | None:
        members, named = node.get("members"), node.get("named")
        if isinstance(members, Seq):
            return self._members(name, [(text_of(i) or "", i.span) for i in members.items]), {}
        if isinstance(named, Seq):
            words = [(text_of(i) or "", i.span) for i in named.items]
            if len(words) < self.names.players:
                self.reporter.error(
                    "E006",
                    named.span,
                    f"{len(words)} names for {self.names.players} players",
                    "name one member per player",
                )
                return None
            return self._members(name, words[: self.names.players]), {}
        if node.get("every combination") is not None:
            return self._combinations(name, node, types)
        rows = node.get("rows")
        if isinstance(rows, Seq):
            return self._fill(name, types, self._listed(rows, types))
        file = node.get("table")
        if isinstance(file, Scalar):
            table = read_table(self.document, file, self.reporter)
            return None if table is None else self._fill(name, types, _records(table))
        self.reporter.error(
            "S003",
            node.span,
            f"`{name}` has no members",
            "give `members`, `table`, `rows`, `every combination` or `one per` with `named`",
        )
        return None

    def _listed(
        self, rows: Seq, types: dict[str, tuple[Type, Span, str]]
    ) -> list[dict[str, tuple[str, TextMap]]]:
        columns = ["name", *types]
        found: list[dict[str, tuple[str, TextMap]]] = []
        for row in rows.items:
            items = row.items if isinstance(row, Seq) else ()
            if len(items) != len(columns):
                self.reporter.error(
                    "Y020",
                    row.span,
                    f"this row has {len(items)} cells",
                    f"expected {', '.join(columns)}",
                )
                continue
            cells = {
                c: (text_of(i) or "", i.map)
                for c, i in zip(columns, items, strict=True)
                if isinstance(i, Scalar)
            }
            found.append(cells)
        return found

    def _combinations(
        self, name: str, node: Map, types: dict[str, tuple[Type, Span, str]]
    ) -> tuple[tuple[int, ...], dict[str, Column]] | None:
        count = node.get("every combination")
        text = text_of(count) or "1"
        assert isinstance(count, Scalar)
        choices: list[list[int | tuple[int, ...]]] = []
        for type, _, _ in types.values():
            if type.base is Base.VECTOR:
                choices.append(
                    list(product(range(type.low, type.high + 1), repeat=len(type.faces)))
                )
            else:
                choices.append(
                    list(type.faces)
                    if type.base is Base.FACE
                    else list(range(type.low, type.high + 1))
                )
        size = 1
        for choice in choices:
            size *= len(choice)
        if size > MAX_FACES or not choices:
            self.reporter.error(
                "E009",
                node.span,
                f"every combination is {size} members",
                f"a kind has 1 to {MAX_FACES}",
            )
            return None
        columns = {key: Column(type, {}) for key, (type, _, _) in types.items()}
        faces: list[int] = []
        for cells in product(*choices):
            member = name + "".join(
                f"_{self._word(cell, type)}"
                for cell, (type, _, _) in zip(cells, types.values(), strict=True)
            )
            local = {
                key: Const(type, count.span, cell)
                for (key, (type, _, _)), cell in zip(types.items(), cells, strict=True)
            }
            value = self.constant(text, count.map, local)
            number = None if value is None else folding.scalar(value)
            if number is None:
                return None
            faces.append(self._face(member, name, node.span, number))
            for key, cell in zip(types, cells, strict=True):
                columns[key].values[faces[-1]] = cell
        return tuple(faces), columns

    def _word(self, cell: int | tuple[int, ...], type: Type) -> str:
        if isinstance(cell, tuple):
            return "_".join(f"m{-n}" if n < 0 else str(n) for n in cell)
        if type.base is Base.FACE:
            return self.names.faces[cell].name.removeprefix(f"{self.names.faces[cell].kind}_")
        return f"m{-cell}" if cell < 0 else str(cell)

    def _fill(
        self,
        name: str,
        types: dict[str, tuple[Type, Span, str]],
        rows: list[dict[str, tuple[str, TextMap]]],
    ) -> tuple[tuple[int, ...], dict[str, Column]] | None:
        columns = {
            key: Column(type, {}, {} if word else None, word)
            for key, (type, _, word) in types.items()
        }
        faces: list[int] = []
        for row in rows:
            first = "name" if "name" in row else next(iter(row))
            member, map = row[first]
            count = (
                folding.scalar(self.constant(*row["count"]) or folding.integer(1, None))
                if "count" in row
                else 1
            )
            faces.append(
                self._face(member, name, map.span(0, len(member)), 1 if count is None else count)
            )
            for key, (type, span, _) in types.items():
                self._cell(columns[key], key, type, row, faces[-1], span, map.span(0, 1))
        if not rows:
            return None
        return tuple(faces), columns

    def _cell(
        self,
        column: Column,
        key: str,
        type: Type,
        row: dict[str, tuple[str, TextMap]],
        face: int,
        span: Span,
        place: Span,
    ) -> None:
        if type.base is Base.VECTOR:
            cells: list[int] = []
            for member in type.faces:
                word = self.names.faces[member].name
                found = row.get(f"{key}_{word}", row.get(word))
                cells.append(self._number(found, type, key, place) if found else 0)
            column.values[face] = tuple(cells)
            return
        found = row.get(key)
        if found is None:
            self.reporter.error(
                "S003", place, f"there is no cell `{key}`", did_you_mean(key, sorted(row))
            )
            column.values[face] = type.faces[0] if type.faces else type.low
        elif column.tests is not None:
            syntax = parse(found[0], "expression", found[1], self.reporter)
            column.tests[face] = syntax or Syntax("true", (), span, "true", 1, 0, 0)
        elif type.base is Base.FACE:
            column.values[face] = self._member(found, type)
        else:
            column.values[face] = self._number(found, type, key, place)

    def _member(self, cell: tuple[str, TextMap], type: Type) -> int:
        text, map = cell
        option = self.names.options.get(text)
        word = option.value if option is not None and isinstance(option.value, str) else text
        face = self.names.members.get(str(word))
        if face is None or face not in type.faces:
            known = [self.names.faces[f].name for f in type.faces]
            self.names.unknown(
                text[:40], map.span(0, len(text)), f"one of {', '.join(known[:6])}", known
            )
            return type.faces[0]
        return face

    def _number(self, cell: tuple[str, TextMap], type: Type, key: str, place: Span) -> int:
        value = self.constant(*cell)
        number = None if value is None else folding.scalar(value)
        if number is None:
            return type.low
        if not type.low <= number <= type.high:
            self.reporter.error(
                "E006",
                cell[1].span(0, len(cell[0])),
                f"{number} lies outside {type.low}..{type.high} of `{key}`",
                "widen the range or mend the cell",
            )
            return type.low
        return number

    # -- tables ----------------------------------------------------------------

    def _table(self, name: str, span: Span, node: Node) -> None:
        if not isinstance(node, Map) or not self.names.declare(name, span):
            return
        file, by = node.get("file"), node.get("by")
        bounds = range_of(node.get("range"), self.reporter)
        if not isinstance(file, Scalar) or not isinstance(by, Seq) or bounds is None:
            self.reporter.error(
                "S003",
                span,
                f"`{name}` needs `file`, `by` and `range`",
                "see the language reference, tables",
            )
            return
        types: list[Type] = []
        for item in by.items:
            numbers = range_of(item, self.reporter)
            info = None if numbers else self._kind(text_of(item) or "")
            if numbers is None and info is None:
                self.names.unknown(
                    text_of(item) or "", item.span, "a kind or a range", sorted(self._nodes)
                )
                return
            types.append(
                Type(Base.INT, *numbers)
                if numbers
                else Type(Base.FACE, faces=info.kind.faces if info else ())
            )
        table = read_table(self.document, file, self.reporter)
        default = (
            folding.scalar(
                self.constant(text_of(node.get("default")) or "0", file.map)
                or folding.integer(0, span)
            )
            or 0
        )
        if table is None:
            return
        sizes = tuple(len(t.faces) if t.base is Base.FACE else t.high - t.low + 1 for t in types)
        total = 1
        for size in sizes:
            total *= size
        if total > 100_000:
            self.reporter.error(
                "E009", span, f"`{name}` has {total} cells", "a table has at most 100000"
            )
            return
        cells = [default] * total
        for row in _records(table):
            place = self._place(row, types, sizes)
            last = list(row)[len(types)] if len(row) > len(types) else None
            if place is not None and last is not None:
                cells[place] = self._number(
                    row["value"] if "value" in row else row[last],
                    Type(Base.INT, *bounds),
                    name,
                    span,
                )
        bases = tuple(0 if t.base is Base.FACE else t.low for t in types)
        result = Type(Base.INT, min(cells), max(cells))
        element = self.names.mark(name, clauses_of(node, self.reporter), span)
        self.names.tables[name] = TableInfo(
            tuple(cells), tuple(types), bases, sizes, default, result, element
        )

    def _place(
        self, row: dict[str, tuple[str, TextMap]], types: list[Type], sizes: tuple[int, ...]
    ) -> int | None:
        place = 0
        for cell, type, size in zip(row.values(), types, sizes, strict=False):
            if type.base is Base.FACE:
                numbers = [
                    n
                    for n, f in enumerate(type.faces)
                    if self.names.faces[f].name
                    in (cell[0], f"{self.names.faces[f].kind}_{cell[0]}")
                ]
                at = numbers[0] if numbers else -1
            else:
                at = (
                    int(cell[0]) - type.low
                    if cell[0].lstrip("-").isdecimal() and len(cell[0]) < 10
                    else -1
                )
            if not 0 <= at < size:
                self.reporter.error(
                    "E006",
                    cell[1].span(0, len(cell[0])),
                    f"`{cell[0][:40]}` is outside the table",
                    "mend the cell, or the `by` of the table",
                )
                return None
            place = place * size + at
        return place


def _records(table: Table) -> list[dict[str, tuple[str, TextMap]]]:
    """Each row by column name; the column `source` is for people only."""
    heads = [cell.text for cell in table.columns]
    return [
        {
            head: (cell.text, _map(cell))
            for head, cell in zip(heads, row, strict=True)
            if head != "source"
        }
        for row in table.rows
    ]


def _map(cell: Cell) -> TextMap:
    span = cell.span
    return TextMap(
        span.path, tuple((span.line, span.column + n) for n in range(len(cell.text) + 1))
    )
